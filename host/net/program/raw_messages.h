/* Uses of the message device past examples/mp/mp.h. A net knows only of messages that the library's marks tell of. */
#ifndef ES_NET_RAW_MESSAGES_H
#define ES_NET_RAW_MESSAGES_H

#include "net/program/table.h"
#include "symbols/symbols.h"

/* Whether an access to the message device by the instruction at `pc` is one of the library's: it stands right after the
 * end of the mark that tells of it. `address` is that of the register; its own number (SELF) anybody may read. */
bool es_net_message_is_known(const es_net_mark_place *marks, size_t count, uint32_t pc, uint32_t address);

/* Whether the table has marks of the library. */
bool es_net_has_messages(const es_net_mark_place *marks, size_t count);

/* Looks through a program's code for others, as far as it makes the registers' addresses of constants. Fails with
 * ES_USAGE and the line of the first one. Addresses that are computed elsewhere only show on the bus. */
bool es_net_refuse_raw_messages(const es_symbols *symbols, const es_net_mark_place *marks, size_t count, es_error *err);

#endif
