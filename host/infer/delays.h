/* Distributions of delays: histograms with four steps an octave, over a fit to all of them. */
#ifndef ES_INFER_DELAYS_H
#define ES_INFER_DELAYS_H

#include <stdbool.h>
#include <stdint.h>

#define ES_INFER_DELAY_STEPS 4u                          /* an octave */
#define ES_INFER_DELAY_BINS (44u * ES_INFER_DELAY_STEPS) /* 1 ns to 4.8 hours; what is longer is in the last one */

typedef struct es_infer_delays {
    double sum, squares, log_sum, log_squares; /* ns; of their natural logarithms */
    uint32_t count;
    uint32_t bins[ES_INFER_DELAY_BINS]; /* once finished: of this one and those before it */
} es_infer_delays;

void es_infer_delays_add(es_infer_delays *delays, int64_t ns);
void es_infer_delays_finish(es_infer_delays *delays);
/* Once finished: takes one out that was added, or puts it back. */
void es_infer_delays_move(es_infer_delays *delays, int64_t ns, bool back);

#endif
