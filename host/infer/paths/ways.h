/* Which paths the program's graph of calls has that end in certain activations. */
#ifndef ES_INFER_PATHS_WAYS_H
#define ES_INFER_PATHS_WAYS_H

#include "image/paths/calls.h"
#include "infer/paths/known.h"

#define ES_WAYS_MAX 32u /* that are listed */

/* Paths that end in the same activations. */
typedef struct es_way_list {
    uint32_t paths[ES_WAYS_MAX];
    uint32_t count;
    bool complete; /* there are no others: nothing is recursive on the way, no interrupt may have come there */
} es_way_list;

typedef struct es_ways {
    es_arena *arena;
    es_known *known;
    call_graph graph;
    size_t **callers; /* by procedure */
    size_t *caller_counts;
    bool *after_jump;    /* by procedure: a tail call may lead to it, which keeps the call site of another */
    es_way_list **lists; /* by path of the last activations; NULL: not looked for yet */
    uint32_t list_room, list_count;
} es_ways;

/* tasks: the outermost activation may be any whose address is taken. */
void es_ways_begin(es_ways *ways, es_known *known, const es_symbols *symbols, bool tasks);
void es_ways_end(es_ways *ways);

/* Those that end in these activations, of which there is at least one. Valid until es_ways_end. */
const es_way_list *es_ways_to(es_ways *ways, const es_active *last, uint32_t count);

#endif
