/* What ThreadX itself says of its tasks, by the list of those that were created. */
#ifndef ES_GDB_THREADX_H
#define ES_GDB_THREADX_H

#include "gdb/tasks.h"

/* The tasks in the kernel's list, at most ES_GDB_LISTED_MOST; the running one is among them. 0: it is another kernel,
 * or its list is not known. */
size_t es_gdb_threadx_tasks(const es_gdb_tasks *tasks, const es_machine *machine, es_gdb_listed *listed);

#endif
