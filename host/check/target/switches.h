/* Task switches in the program: where its stack becomes another one.
 *
 * A return or mret with another stack pointer than its procedure was called with goes on where some task was left by
 * such a return, where one was interrupted, or where one begins. Seen from each task, the call that left it returns
 * later, and what an interrupt handler does is between two of its instructions: so each task runs along the program's
 * graph, as if there were no others. */
#ifndef ES_CHECK_SWITCHES_H
#define ES_CHECK_SWITCHES_H

#include "check/target/aims.h"

typedef struct es_check_switches {
    bool *handles;      /* by procedure: it runs in interrupts */
    bool *swaps;        /* by procedure: it returns with another stack pointer. Not with mret */
    bool cuts_handlers; /* an interrupt's handling may be left for another task, and go on later */
    bool by_mret;       /* there are switches by mret */
    bool any;           /* there are switches */
    size_t longjmp;     /* a return of that kind which is no switch; CHECK_NONE: there is none */
} es_check_switches;

/* Sets program->switches. Memory is the program's arena's. */
void es_check_switches_find(es_check_switches *switches, es_check_program *program, const es_check_aims *aims);

#endif
