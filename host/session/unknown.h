/* Why a value of a hit is not known, in words. */
#ifndef ES_SESSION_UNKNOWN_H
#define ES_SESSION_UNKNOWN_H

#include "lang/statement.h"

/* Of an item that a hit tells to be unknown. bits: its words in the frame, which is what memory held: of a shadow cell
 * that may be a reason (es_shadow_why). A constant. */
const char *es_unknown_why(const es_statement *statement, const es_print_item *item, uint64_t bits);

#endif
