/* What a task is called. */
#ifndef ES_SESSION_TASK_H
#define ES_SESSION_TASK_H

#include "base/text.h"
#include "lang/statement.h"
#include "stream/event.h"

/* The task that a hit with event->task_known tells of: by the name that its control block holds, where all of its bytes
 * are known; else by the control block's own, as `producer_task`; else by where that is, 0x00021234, or by a number
 * where the variable is no pointer. False, and nothing, where it names none: a pointer that is 0. */
bool es_task_text(es_text_buffer *out, const es_symbols *symbols, const es_program *program, const es_event *event);

/* How the user is told which variable names the running task when nobody has named one. False, and nothing: there are
 * no tasks, or it was named. */
bool es_task_default(es_text_buffer *out, const es_program *program);

#endif
