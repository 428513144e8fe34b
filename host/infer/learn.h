/* What a trace teaches of its machines: how often each transition follows which others, and how long it takes. */
#ifndef ES_INFER_LEARN_H
#define ES_INFER_LEARN_H

#include "infer/check.h"

typedef struct es_infer_learned es_infer_learned;

/* The model must outlive it. */
es_infer_learned *es_infer_learned_new(const es_infer_model *model);
void es_infer_learned_free(es_infer_learned *learned); /* NULL is fine */

/* Takes a step (es_infer_check_options.step) into account, when nothing was lost before it and its transition is
 * known. */
void es_infer_learn(es_infer_learned *learned, const es_infer_step *step, const es_infer_scenario *scenario);

/* What a step teaches. */
typedef struct es_infer_lesson {
    int64_t ns;                                     /* since the scenario's event before it; negative: not known */
    uint16_t transition, context[ES_INFER_CONTEXT]; /* ES_INFER_NO_TRANSITION: it teaches nothing */
} es_infer_lesson;

es_infer_lesson es_infer_lesson_of(const es_infer_step *step, const es_infer_scenario *scenario);

/* After the last step, before any of the following. */
void es_infer_learned_finish(es_infer_learned *learned);

/* Takes what was learned of a step out of contexts and delays, and puts it back (`back`). Nobody's own events speak for
 * what is said of them: where few were seen of a kind, they would be most of what is known of it. */
void es_infer_unlearn(es_infer_learned *learned, uint32_t machine, const es_infer_lesson *lesson, bool back);

/* Times that the transition was taken, and that a state was left. */
uint64_t es_infer_times_taken(const es_infer_learned *learned, uint32_t machine, uint32_t transition);
uint64_t es_infer_times_left(const es_infer_learned *learned, uint32_t machine, uint32_t state);

/* Probabilities of all transitions that leave `state` (in the order of machine->out, at most out_max), after the
 * transitions of `context` (newest first; ES_INFER_NO_TRANSITION: not known): interpolated over contexts of all lengths
 * (Witten and Bell), and never 0. */
void es_infer_next(const es_infer_learned *learned, uint32_t machine, uint32_t state,
                   const uint16_t context[ES_INFER_CONTEXT], double *probabilities);

/* How long a transition takes from the one before it (`before`; ES_INFER_NO_TRANSITION: any). */
typedef struct es_infer_delay {
    const struct es_infer_delays *of_pair, *of_one; /* NULL: nothing known */
} es_infer_delay;

es_infer_delay es_infer_delay_of(const es_infer_learned *learned, uint32_t machine, uint16_t before,
                                 uint16_t transition);

/* Is anything known of it? */
bool es_infer_delay_known(es_infer_delay delay);
/* Mean and variance in ns and ns^2. */
void es_infer_delay_moments(es_infer_delay delay, double *mean, double *variance);
/* Part of the delays that is at most that long, and density there (1/ns). */
double es_infer_delay_below(es_infer_delay delay, double ns);
double es_infer_delay_density(es_infer_delay delay, double ns);

#endif
