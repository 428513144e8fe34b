/* What a prediction is asked for: the makespan with its bounds, the critical path, and what would pay. */
#ifndef ES_PREDICT_ANSWERS_H
#define ES_PREDICT_ANSWERS_H

#include "base/arena.h"
#include "base/text.h"
#include "predict/engine.h"
#include "symbols/symbols.h"

/* Clocks from the first instruction of main to the program's end. */
uint64_t es_predict_makespan(const es_predict_trace *trace, const es_predict_machine *machine,
                             const es_predict_result *result);

/* Between these the makespan lies on any machine of the kind with any fair order of events. */
typedef struct es_predict_bounds {
    uint64_t low;  /* all cores work all the time, or the longest chain of events that depend on each other */
    uint64_t high; /* Graham's bound: a core rests only while some thread of the longest chain runs */
} es_predict_bounds;

/* False, ES_USAGE: as es_predict_run. */
bool es_predict_bounds_of(const es_predict_steps *steps, const es_predict_machine *machine, es_predict_bounds *bounds,
                          es_error *err);

/* One reason for which the run is not shorter. */
typedef struct es_predict_share {
    const char *what; /* "main.c:31 (relax)", "waits for the kernel's lock", "no core is free" */
    uint64_t ticks;
    uint32_t address; /* of code; 0: none */
} es_predict_share;

typedef struct es_predict_critical {
    es_predict_share *shares; /* the largest first */
    size_t count;
    uint64_t ticks; /* all of them */
    uint32_t turns; /* how often it goes from one thread to another */
} es_predict_critical;

/* The chain of what each had to be before the next, from the end back to main's begin. The run is done for it. `texts`
 * holds the words. symbols NULL: addresses instead of lines. */
bool es_predict_critical_of(const es_predict_steps *steps, const es_predict_machine *machine, const es_symbols *symbols,
                            es_arena *texts, es_predict_critical *critical, es_error *err);
void es_predict_critical_free(es_predict_critical *critical);

/* The cores wait so much for the kernel's lock that who gets it first decides, which single clocks may turn: the
 * prediction is of one order of many. */
bool es_predict_lock_decides(const es_predict_machine *machine, const es_predict_result *result);

/* The reasons for which paths may depend on timing, as a sentence; empty when there are none. */
void es_predict_depends_text(es_text_buffer *out, uint32_t depends);

#endif
