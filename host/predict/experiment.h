/* What a run on one core does not show of the kernel: a core that sleeps, is woken, finds a thread or none; and what it
 * costs to wake it. The program's own kernel is executed for that, as a core that is woken. */
#ifndef ES_PREDICT_EXPERIMENT_H
#define ES_PREDICT_EXPERIMENT_H

#include "predict/code.h"
#include "predict/library.h"
#include "predict/trace.h"
#include "replay/program.h"

/* Adds to the trace's costs. What cannot be found out stays as it is: *told says so, NULL: nothing. */
bool es_predict_experiment(const es_replay_program *program, const es_predict_code *code,
                           const es_predict_library *library, es_predict_trace *trace, es_error *err);

/* The same for calls of the library on objects in states that the recorded run has not had them in. */
void es_predict_experiment_calls(const es_replay_program *program, const es_predict_code *code,
                                 const es_predict_library *library, es_predict_trace *trace);

/* The same for interrupts of the kernel's own. */
void es_predict_experiment_traps(const es_replay_program *program, const es_predict_code *code,
                                 const es_predict_library *library, es_predict_trace *trace);

#endif
