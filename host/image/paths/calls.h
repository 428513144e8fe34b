/* Who calls whom in the target program, as the states of NP move: what a tail call leads to is called by whoever called
 * the procedure that jumps. */
#ifndef ES_IMAGE_PATHS_CALLS_H
#define ES_IMAGE_PATHS_CALLS_H

#include "image/paths/automaton.h"
#include "lang/statement.h"

typedef struct call_edge {
    size_t callee;   /* index of the procedure */
    size_t symbol;   /* of the automaton */
    bool call, jump; /* how it is done: either or both; only start-up code jumps */
} call_edge;

typedef struct call_graph {
    const es_procedure *const *procedures;
    size_t count;
    call_edge **edges; /* by caller; distinct */
    size_t *edge_counts;
    size_t start; /* index of the start-up code; count: not known */
} call_graph;

/* tasks: the outermost activation may be any whose address is taken. */
void es_calls_make(call_graph *graph, const es_symbols *symbols, es_arena *arena, const automaton *paths, bool tasks);

/* Index of a procedure; graph->count when it is none of them. */
size_t es_calls_index(const call_graph *graph, const es_procedure *procedure);

#endif
