/* What the parts that know tasks share (flows.c, tasks.c). */
#ifndef ES_FIRMWARE_TASKS_H
#define ES_FIRMWARE_TASKS_H

#include "firmware.h"

/* es_mi_flow.kind: how the task was left, which is how it goes on. */
enum { FLOW_FREE, FLOW_MRET, FLOW_RETURN, FLOW_LOST };

#define MARK_BOOT 2u /* es_mi_flow.marks: start-up code's stack, which was no task's so far */

void flow_release(struct es_mi_flow *flow);
/* A record for a task that stops running; NULL, and counted, when all are taken. */
struct es_mi_flow *flow_take(uint32_t task, uint32_t kind);
void task_tell_anew(void); /* the host has to be told whose hits follow, and their path as a whole */
/* What the target ran on so far stops: all that changes is in memory. */
void task_stops(uint32_t kind, uint32_t pc, uint32_t insn, bool cut);
/* From now on the target runs on the stack of the task that the pointer names. to: its record; NULL: it begins, or
 * there was none. */
void task_switch(struct es_mi_flow *to, uint32_t kind, struct interruption resume);

#endif
