/* Tasks of a kernel as gdb sees them. A processor has one state at a moment, that of the task that runs, so gdb has one
 * thread, which is called as the task is. Of the others no registers are known but where their kernel has put them. */
#ifndef ES_GDB_TASKS_H
#define ES_GDB_TASKS_H

#include "base/text.h"
#include "lang/statement.h"
#include "machine/machine.h"
#include "symbols/symbols.h"

#define ES_GDB_THREAD 1u /* the thread's number */

typedef struct es_gdb_tasks {
    const es_symbols *symbols;
    es_program program; /* says where the running task's control block is named; task NULL: there is no kernel */
} es_gdb_tasks;

/* variable: the one that names the running task, as statements write it; NULL: that of a kernel that is known, if the
 * program has one. symbols NULL: a program without a kernel. False: there is no such variable (ES_USAGE), and none. */
bool es_gdb_tasks_init(es_gdb_tasks *tasks, const es_symbols *symbols, const char *variable, es_error *err);
void es_gdb_tasks_free(es_gdb_tasks *tasks);

/* Adds what the task that runs is called: "producer", or its control block's variable; or that there is none. */
void es_gdb_task_name(es_text_buffer *out, const es_gdb_tasks *tasks, const es_machine *machine);

#endif
