/* How many transactions wait in the FIFO at most. */
#ifndef ES_CHECK_WAITING_H
#define ES_CHECK_WAITING_H

#include "check/queues/backlog.h"

/* A transaction waits as long as the work takes that waited when it came. So the FIFO never holds more than what comes
 * in the time that the backlog at some place takes, from there on: the most over all places and all paths on from them,
 * with `more` soft core clocks of work besides. Whoever returns, returns to any of the calls. backlog: bounded.
 * UINT32_MAX: as many or more. */
uint32_t es_check_waiting_find(const es_check_program *program, const es_check_backlog *backlog, double more,
                               es_check_ratio ratio);

#endif
