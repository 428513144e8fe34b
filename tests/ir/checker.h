/* Looks at code after each pass: that it is well formed, that it has what the pass promises, and that it does what it
 * did when it was built. */
#ifndef TESTS_IR_CHECKER_H
#define TESTS_IR_CHECKER_H

#include "ir/ir.h"

/* As es_ir_check. Ends the test when something is wrong. */
void ir_checker(const es_ir_code *code, const char *pass);

/* So far: routines, runs of them that came to an end, instructions when built, words when done. */
typedef struct ir_checked {
    size_t routines, runs, ended, insns, words, spilled;
} ir_checked;

extern ir_checked ir_checked_so_far;
extern unsigned ir_checker_runs; /* of each routine and entry */

#endif
