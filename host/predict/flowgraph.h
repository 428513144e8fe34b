/* Basic blocks of procedures and the ways between them: as the code says, and where it does not (jumps by tables), as a
 * trace has gone. */
#ifndef ES_PREDICT_FLOWGRAPH_H
#define ES_PREDICT_FLOWGRAPH_H

#include "predict/code.h"
#include "predict/library.h"
#include "predict/trace.h"

typedef struct es_predict_flowblock {
    uint32_t address;
    uint64_t passed; /* how often the trace does */
    uint32_t *ways;  /* blocks, without doubles; the number of all: the procedure's end */
    size_t way_count;
} es_predict_flowblock;

typedef struct es_predict_flowgraph {
    es_predict_flowblock *blocks; /* by address; the first one is the entry */
    size_t count;
} es_predict_flowgraph;

/* What of the trace is needed for them. */
typedef struct es_predict_flow {
    const es_symbols *symbols;
    const es_predict_trace *trace;
    es_predict_code code;
    es_predict_library library;
    uint64_t *passed; /* by block of the trace */
} es_predict_flow;

void es_predict_flow_begin(es_predict_flow *flow, const es_symbols *symbols, const es_predict_trace *trace);
void es_predict_flow_end(es_predict_flow *flow);

/* The trace goes through the procedure, and it is not of the library of threads, whose work is not in the trace. */
bool es_predict_flow_is_looked_at(const es_predict_flow *flow, const es_procedure *procedure);

/* False: it has no code that can be followed. */
bool es_predict_flowgraph_of(const es_predict_flow *flow, const es_procedure *procedure, es_predict_flowgraph *graph);
void es_predict_flowgraph_free(es_predict_flowgraph *graph);

/* The block that has an address as its first one; UINT32_MAX: none has. */
uint32_t es_predict_flowgraph_block(const es_predict_flowgraph *graph, uint32_t address);

#endif
