/* What an event means to a compound event, found by running the code that decides it in the probe: for who needs the
 * state machine that it is. */
#ifndef ES_IMAGE_LOWER_COMPOUND_STEPS_H
#define ES_IMAGE_LOWER_COMPOUND_STEPS_H

#include "image/times/compound.h"

#define ES_COMPOUND_TIMES_MAX 64u

/* What has been seen: flags of the parts, and the times at which they began, as many as `es_compound_steps.times`. */
typedef struct es_compound_state {
    uint32_t flags;
    uint64_t began[ES_COMPOUND_TIMES_MAX];
} es_compound_state;

typedef struct es_compound_steps {
    es_arena *arena;
    const compound_event *event; /* its plan: conditions by number */
    uint32_t times;
    uint32_t kept;    /* flags that mean something between events */
    uint32_t limited; /* parts that have a lifetime, */
    uint64_t within;  /* ... and that of the last one, in clocks of bus_hz */
    struct step_code *code;
} es_compound_steps;

/* The statement is a compound one (es_compound_is), and must outlive it. Lengths of time become clocks of bus_hz. Fails
 * with ES_USAGE: it has too many parts. */
bool es_compound_steps_begin(es_compound_steps *steps, const es_statement *statement, uint64_t bus_hz, es_error *err);
void es_compound_steps_end(es_compound_steps *steps); /* all zero is fine */

/* An event at `now`, at which these conditions are true (bits by number; not none): *state becomes what it is after it.
 * Has the compound event occurred? */
bool es_compound_steps_run(const es_compound_steps *steps, es_compound_state *state, uint32_t seen, uint64_t now);

#endif
