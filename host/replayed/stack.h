/* The calls that have not returned at a moment of the program, as a probe that had heard it from its start would know
 * them. */
#ifndef ES_REPLAYED_STACK_H
#define ES_REPLAYED_STACK_H

#include "machine/machine.h"
#include "symbols/symbols.h"

typedef struct es_called {
    uint32_t site;  /* the call instruction */
    uint32_t entry; /* the procedure's first instruction */
} es_called;

/* From the outermost on, at most `max`; the caller's of all is the program's entry. False: they are not known for sure
 * there: within an interrupt or start-up code, after a tail call, or where the debug information does not lead from
 * each to its caller. */
bool es_replayed_stack(const es_symbols *symbols, const es_machine *machine, es_called *calls, size_t max,
                       size_t *count);

#endif
