/* Calls with room on the stack, whatever the process was given (`ulimit -s`). */
#ifndef ES_BASE_ROOMY_H
#define ES_BASE_ROOMY_H

/* Calls function(context) on a stack of 16 MiB of its own, in a thread, and returns when it has. Where no thread can be
 * made it is called as usual. */
void es_roomy_call(void (*function)(void *), void *context);

#endif
