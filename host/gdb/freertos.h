/* What FreeRTOS itself says of its tasks, by the lists in which they are. */
#ifndef ES_GDB_FREERTOS_H
#define ES_GDB_FREERTOS_H

#include "gdb/tasks.h"

/* The tasks in the kernel's lists, at most ES_GDB_LISTED_MOST; the running one is among them. 0: it is another kernel,
 * or its lists are not known. */
size_t es_gdb_freertos_tasks(const es_gdb_tasks *tasks, const es_machine *machine, es_gdb_listed *listed);

#endif
