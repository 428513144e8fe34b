/* Where a program's interrupts lead to: what the recorder has to be told before the target starts. */
#ifndef ES_REPLAY_VECTORS_H
#define ES_REPLAY_VECTORS_H

#include "replay/program.h"

/* Sets program->traps from a dry run of the program: from its reset on a machine, with inputs of 0, for a bounded
 * number
 * of instructions, up to where interrupts are enabled. Where that does not come to an mtvec, from the constants that
 * stand before a csrw mtvec in its code; then from the one procedure that returns from traps, where there is one only.
 * False: it was not found, and *err says what to do; or there is none, *err is
 * ES_OK, and the program has no handler. */
bool es_vectors_find(es_replay_program *program, es_error *err);

#endif
