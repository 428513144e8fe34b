/* The program's loops, and how often they can run at most.
 *
 * A loop is natural: all paths into it go through its head (Aho, Sethi, Ullman: Compilers). Its rounds are found by
 * running it on what is known of registers and of words in the procedure's frame, round by round, until no way leads
 * back to its head (rounds.c). */
#ifndef ES_CHECK_LOOPS_H
#define ES_CHECK_LOOPS_H

#include "check/target/program.h"

struct es_check_aims;

/* Finds the natural loops of a procedure, an inner loop before those around it. *order: its nodes that can be reached,
 * each after all that lead to it but along the way back of a loop; *count: how many. False: there are other cycles,
 * too, and nothing is found. */
bool es_check_loops_natural(const es_check_program *program, size_t procedure, es_check_counted **loops,
                            size_t *loop_count, size_t **order, size_t *count);

/* Notes in program->counted which loops have a bound. With `trust` stores go where the aims say, else anywhere. Memory
 * is the program's arena's. */
void es_check_loops_find(es_check_program *program, const struct es_check_aims *aims, bool trust);

#endif
