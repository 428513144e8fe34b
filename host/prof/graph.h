/* Who called whom, in the words of the source: procedures, and what was inlined into them, by their names. */
#ifndef ES_PROF_GRAPH_H
#define ES_PROF_GRAPH_H

#include "prof/profile.h"
#include "prof/tables.h"

/* Callers that are no functions. */
#define ES_PROF_STARTED UINT32_MAX           /* a stack began with it */
#define ES_PROF_INTERRUPTED (UINT32_MAX - 1) /* an interrupt or exception has led there */
#define ES_PROF_EARLIER (UINT32_MAX - 2)     /* it began before anybody looked */

typedef struct es_prof_function {
    const char *name, *file; /* file: NULL unknown */
    bool inlined;            /* all its copies together: what is called so as a procedure is another function */
    bool calls_unknown;      /* of some copy the debug information does not tell where it begins */
    uint64_t calls;
    es_prof_cost self;
    es_prof_cost total; /* with all that it called; of recursion the outermost activation's */
} es_prof_function;

typedef struct es_prof_edge {
    uint32_t caller, callee; /* functions */
    bool calls_unknown;      /* as of a function */
    uint64_t calls;
    es_prof_cost cost;
} es_prof_edge;

/* An inlined copy of which something was executed. */
typedef struct es_prof_copy {
    const es_inlined_copy *copy;
    uint32_t caller, function;
    uint64_t calls;
    uint64_t begun; /* how often its first instruction was executed: for readers that need a number of calls */
    uint32_t first; /* its first instruction that was executed */
    es_prof_cost cost;
} es_prof_copy;

typedef struct es_prof_graph {
    const es_prof *profile;
    es_prof_function *functions; /* those of profile->code.names first, by the same numbers */
    size_t function_count;
    es_prof_edge *edges; /* ascending by caller, then by callee */
    size_t edge_count;
    es_prof_copy *copies;
    size_t copy_count;
    es_prof_numbers copies_at; /* private */
} es_prof_graph;

void es_prof_graph_make(es_prof_graph *graph, const es_prof *profile);
void es_prof_graph_free(es_prof_graph *graph);

/* The function that an executed instruction is of: the innermost that was inlined there, else the procedure. */
uint32_t es_prof_function_at(es_prof_graph *graph, uint32_t pc, const es_prof_cell *cell);

/* The arcs from an instruction: the first of them, and how many. */
const es_prof_arc *es_prof_arcs_from(const es_prof *profile, uint32_t site, size_t *count);

#endif
