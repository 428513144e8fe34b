/* Activations of inlined copies: where they end. Where they begin: es_inlined_copy.entries. The rule, and why it is
 * this one: docs/replay.md, "Inlined copies". */
#ifndef ES_SYMBOLS_COPIES_H
#define ES_SYMBOLS_COPIES_H

#include "symbols/values.h"

/* Code of the caller, in its activation in which the copy was begun: execution that comes to one of these places has
 * left the copy, whatever place it comes from. At an entry: the copy ends before what is executed there. */
typedef struct es_copy_ends {
    const es_code_range *places; /* ascending and apart */
    size_t count;
    const es_code_range *caller; /* all code of the caller: a part may lie elsewhere ("f.cold") */
    size_t caller_count;
} es_copy_ends;

/* Of a copy whose entries are known; of others there are none. Ends that no place tells are the caller's own. */
const es_copy_ends *es_symbols_copy_ends(const es_symbols *symbols, const es_inlined_copy *copy);

/* The code of a copy and of all copies in it; returns how many ranges. */
size_t es_symbols_copy_code(const es_inlined_copy *copy, const es_code_range **code);

/* How many copies it is in. */
size_t es_symbols_copy_depth(const es_inlined_copy *copy);
/* Whether a copy is in another one, or in one that is. False for the same one. */
bool es_symbols_copy_is_within(const es_inlined_copy *copy, const es_inlined_copy *outer);

#endif
