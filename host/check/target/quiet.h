/* Where no interrupt comes, whatever the program's devices do: up to where start-up code lets them in, and in handlers
 * that nothing interrupts. */
#ifndef ES_CHECK_QUIET_H
#define ES_CHECK_QUIET_H

#include "check/target/program.h"

/* Sets nodes' `uninterrupted` in a graph that is built. */
void es_check_find_quiet(es_check_program *program);

#endif
