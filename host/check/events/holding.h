/* State holding times: how soon after an event of interest the next one can come.
 *
 * A sufficient condition for observability is that each event's processing time is smaller than the holding time of the
 * state that it leads to (Marinescu, Lumpkin, Casavant, Siegel: "Models for monitoring and debugging tools for parallel
 * and distributed software", section 3: delta e < Hs). */
#ifndef ES_CHECK_HOLDING_H
#define ES_CHECK_HOLDING_H

#include "check/queues/backlog.h"

typedef struct es_check_holding {
    /* by node: bus clocks from its fetch to the next event, at least; ES_CHECK_FOR_EVER: none comes */
    uint64_t *after_fetch;
    uint64_t *after_store; /* by node: the same from its store */
} es_check_holding;

/* Which events there are is what `costs` gives a cost. Returns are taken to lead to any caller, so times may be too
 * short, never too long. Memory is the program's arena's. */
void es_check_holding_find(const es_check_program *program, const es_check_costs *costs, es_check_holding *holding);

#endif
