/* A timeline (replay/timeline.h) of a program that runs in a machine here, with the reference target's devices in C:
 * the tests' stand-in for a recording. A first run notes what devices gave and where interrupts came; all later ones
 * repeat it. An instruction takes three clocks.
 *
 * The path that es_timeline_open takes is a text: "SEED" or "SEED,MOST": the first random number, and how many
 * instructions are recorded at most. */
#ifndef TESTS_GDB_DOUBLE_H
#define TESTS_GDB_DOUBLE_H

#include "replay/timeline.h"

/* The same of code that is not from an ELF file: loaded at 0, where reset begins. */
es_timeline *double_of_code(const void *code, uint32_t size, uint64_t most);

/* What the program has printed, all of it; and its exit code, -1: it did not end. */
const char *double_console(const es_timeline *timeline);
long double_exit(const es_timeline *timeline);

#endif
