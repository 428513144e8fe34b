/* Tasks of a kernel: which one its variable names, and what each is called. */
#ifndef ES_GDB_TASKS_H
#define ES_GDB_TASKS_H

#include "base/text.h"
#include "lang/statement.h"
#include "machine/machine.h"
#include "symbols/symbols.h"

#define ES_GDB_NO_TASK 0u

/* A task is told by a number: its control block's address; where the kernel numbers its tasks, that and 2. */
typedef struct es_gdb_tasks {
    const es_symbols *symbols;
    es_program program; /* says where the running task's control block is named; task NULL: there is no kernel */
    const es_variable *started; /* tells by not being 0 that the variable names what runs; NULL: it always does */
} es_gdb_tasks;

#define ES_GDB_LISTED_MOST 128u /* tasks that are looked at */

/* A task that the kernel itself has in a list. */
typedef struct es_gdb_listed {
    uint32_t task;
    const char *state; /* "ready", "blocked", "suspended", "deleted", "ended" */
} es_gdb_listed;

/* variable: the one that names the running task, as statements write it; NULL: that of a kernel that is known, if the
 * program has one. symbols NULL: a program without a kernel. False: there is no such variable (ES_USAGE), and none. */
bool es_gdb_tasks_init(es_gdb_tasks *tasks, const es_symbols *symbols, const char *variable, es_error *err);
void es_gdb_tasks_free(es_gdb_tasks *tasks);

/* The task that the variable names, ES_GDB_NO_TASK where it names none or is not known. */
uint32_t es_gdb_tasks_current(const es_gdb_tasks *tasks, const es_machine *machine);

/* Adds what a task is called: "producer", or its control block's variable, or the number. */
void es_gdb_task_name(es_text_buffer *out, const es_gdb_tasks *tasks, const es_machine *machine, uint32_t task);

/* A struct's member; NULL: it has none of that name, or is none. */
const es_member *es_gdb_member(const es_type *type, const char *name);

/* A number of 1, 2 or 4 bytes in memory, if all of it is known. */
bool es_gdb_number_at(const es_machine *machine, uint32_t address, uint32_t size, uint32_t *value);

#endif
