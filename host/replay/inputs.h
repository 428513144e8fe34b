/* What a machine gets from outside in a run: values of the tokens, and the timers that it sets. */
#ifndef ES_REPLAY_INPUTS_H
#define ES_REPLAY_INPUTS_H

#include "replay/run.h"

es_machine_outside es_run_outside(es_run *run);

/* Bits that mip and mie can have. */
uint32_t es_run_interrupts(const es_run *run);

/* Whether a timer of this cause was due at a time of the tap. 0: no, 1: yes, -1: there is no such timer. */
int es_run_timer_due(const es_run *run, unsigned cause, uint64_t time);

#endif
