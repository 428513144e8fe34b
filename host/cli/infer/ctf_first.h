/* What was lost before the first packet of a stream: libbabeltrace2 does not tell it, but LTTng writes it down. */
#ifndef ES_CLI_INFER_CTF_FIRST_H
#define ES_CLI_INFER_CTF_FIRST_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the stream in a file, whose first packet begins at `begin` (as its clock counts), had others before it, or
 * lost events by then: its first number is not 0, or events_discarded is not. Only of packets as LTTng lays them out,
 * by the file `metadata` beside it; false: not so, or not known. */
bool es_infer_ctf_lacks_first(const char *file, uint64_t begin);

#endif
