/* Whether a program can run on the simulated target, told before it does. */
#ifndef ES_ACCESS_FIT_H
#define ES_ACCESS_FIT_H

#include "sim.h"
#include "symbols/symbols.h"

/* Fails as es_fit_load does where the program's instructions are not all the target's. */
bool es_fit_instructions(const es_symbols *symbols, const char *path, es_error *err);

/* Loads the program into the target's memory. Fails with ES_USAGE, beginning with `path`, when it was compiled for
 * instructions that the target does not have, lies outside of its memory, or does not begin where the target starts. */
bool es_fit_load(es_sim *sim, const es_symbols *symbols, const char *path, es_error *err);

/* Fails with ES_USAGE when there is more than one core and the program has nothing where the others begin. */
bool es_fit_cores(const es_symbols *symbols, const char *path, unsigned cores, es_error *err);

#endif
