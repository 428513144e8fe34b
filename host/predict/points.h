/* The fewest places whose hits tell which way a program has gone (Knuth 1973; Ball and Larus 1994): for a trace of a
 * target that has no recorder, one `at()` for each.
 *
 * Calls and returns are known with each hit (the probe tells its path), so each procedure is looked at alone. Places
 * tell the way when from the procedure's entry, and from each of them, there is one way at most to each next one and to
 * the procedure's end that passes no other. */
#ifndef ES_PREDICT_POINTS_H
#define ES_PREDICT_POINTS_H

#include "predict/flowgraph.h"

typedef struct es_predict_points {
    uint32_t *addresses; /* of basic blocks, ascending */
    size_t count;
    uint64_t hits, firings; /* of them in the trace; of all blocks of the procedures that were looked at */
} es_predict_points;

/* For the procedures that the trace goes through, but the library of threads: those that are passed least often. */
void es_predict_points_find(const es_symbols *symbols, const es_predict_trace *trace, es_predict_points *points);
void es_predict_points_free(es_predict_points *points);

/* The way through a procedure as the hits of one activation tell it, in their order: the blocks' addresses are put into
 * `blocks`, at most `room` of them. Returns how many there are; SIZE_MAX: no way fits. */
size_t es_predict_points_way(const es_predict_flowgraph *graph, const es_predict_points *points, const uint32_t *hits,
                             size_t hit_count, uint32_t *blocks, size_t room);

#endif
