/* Tasks of a kernel as gdb's threads. A thread's number is its control block's address; code outside of all tasks, and
 * a program without a kernel, are thread 1. */
#ifndef ES_GDB_TASKS_H
#define ES_GDB_TASKS_H

#include "base/text.h"
#include "lang/statement.h"
#include "machine/machine.h"
#include "symbols/symbols.h"

#define ES_GDB_NO_TASK 1u /* the thread of what belongs to none */
#define ES_GDB_TASKS_MAX 64

typedef struct es_gdb_tasks {
    const es_symbols *symbols;
    es_program program; /* says where the running task's control block is named; task NULL: there is no kernel */
    uint32_t seen[ES_GDB_TASKS_MAX]; /* threads that gdb was told of, in the order in which they were met */
    size_t seen_count;
} es_gdb_tasks;

/* variable: the one that names the running task, as statements write it; NULL: that of a kernel that is known, if the
 * program has one. symbols NULL: a program without a kernel. False: there is no such variable (ES_USAGE), and none. */
bool es_gdb_tasks_init(es_gdb_tasks *tasks, const es_symbols *symbols, const char *variable, es_error *err);
void es_gdb_tasks_free(es_gdb_tasks *tasks);

/* The thread that runs; it counts as seen. */
uint32_t es_gdb_task_now(es_gdb_tasks *tasks, const es_machine *machine);
bool es_gdb_task_is_seen(const es_gdb_tasks *tasks, uint64_t thread);

/* Adds what a thread is called: "producer", or its control block's variable, or that it is no task. */
void es_gdb_task_name(es_text_buffer *out, const es_gdb_tasks *tasks, const es_machine *machine, uint32_t thread);

#endif
