/* Start-up code, whose copying and clearing is no event (docs/statements.md, "What is known, and when"). */
#ifndef ES_IMAGE_TABLES_START_UP_H
#define ES_IMAGE_TABLES_START_UP_H

#include "symbols/symbols.h"

/* The procedure with the program's first instruction; NULL where nothing tells that from the program itself: it is
 * `main`, or calls and jumps to nothing else. */
const es_procedure *es_start_up_find(const es_symbols *symbols);

/* Whether a procedure is one that start-up code lets copy and clear, by its name. */
bool es_start_up_copies(const es_procedure *procedure);

#endif
