/* How many events a loss takes that the trace does not tell. It is learned from all stretches, by Bayes' rule over a
 * set of distributions: their paths are looked for as if losses were rather long, and then weighed by what fits all of
 * them. To learn from the most likely paths alone does not do: who takes losses to be short finds short ones. */
#ifndef ES_INFER_BURSTS_H
#define ES_INFER_BURSTS_H

#include "infer/segment.h"

#define ES_INFER_BURST_KINDS 26u /* distributions that are weighed */

/* Natural logarithms of how well each distribution explains what was seen. */
typedef struct es_infer_burst_evidence {
    double of[ES_INFER_BURST_KINDS];
} es_infer_burst_evidence;

typedef struct es_infer_bursts {
    es_infer_burst_evidence seen;                               /* of all stretches so far */
    double likely[ES_INFER_BURST_KINDS][ES_INFER_LOST_MAX + 1]; /* logarithm of the probability of each length */
} es_infer_bursts;

/* Nothing was seen yet. */
void es_infer_bursts_start(es_infer_bursts *bursts);

/* How much less likely one more lost event is than those before it, for the search: es_infer_between.more. */
double es_infer_bursts_more(const es_infer_bursts *bursts);

/* Takes a stretch into account whose paths were found so; `evidence` becomes what it says, and each path's runs_cost
 * what the search has counted. */
void es_infer_bursts_learn(es_infer_bursts *bursts, const es_infer_segment *segment, es_infer_path *paths,
                           uint32_t count, es_infer_burst_evidence *evidence);

/* Costs the paths of a stretch anew, by what all others have said, and sorts them. `evidence` is the stretch's own. */
void es_infer_bursts_weigh(const es_infer_bursts *bursts, const es_infer_segment *segment, es_infer_path *paths,
                           uint32_t count, const es_infer_burst_evidence *evidence);

#endif
