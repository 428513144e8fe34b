/* What a machine gets from outside in a run: values of the tokens, and the timers that it sets. */
#ifndef ES_REPLAY_INPUTS_H
#define ES_REPLAY_INPUTS_H

#include "replay/run.h"

es_machine_outside es_execution_outside(es_execution *run);

/* Bits that mip and mie can have. */
uint32_t es_execution_interrupts(const es_execution *run);

/* Whether a timer of this cause was due at a time of the tap. 0: no, 1: yes, -1: there is no such timer. */
int es_execution_timer_due(const es_execution *run, unsigned cause, uint64_t time);

#endif
