/* The options of --probe sim: which target is simulated, and where its probe listens. */
#ifndef ES_SIM_OPTIONS_H
#define ES_SIM_OPTIONS_H

#include "sim.h"

/* Takes what follows `sim:`, options with commas between them: cores=N (1 to ES_SIM_CORES), ports=each|data|one,
 * wait=N (0 to ES_SIM_WAIT), bell=N (0 to ES_SIM_BELL), core=N (below cores). Without cores, 1. NULL or an empty text:
 * the target with one processor. Else ES_USAGE. */
bool es_sim_options_parse(const char *text, es_sim_shared *shared, es_error *err);

#endif
