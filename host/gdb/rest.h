/* Where a task stands that does not run, with which registers: as its own code goes on when it runs again.
 *
 * A task that an interrupt or exception has taken the processor from stands at the instruction that comes next then,
 * with all registers as they were. One that has called a procedure which went over to another stack stands after that
 * call, with the registers that callees keep; what the others will hold is not known. */
#ifndef ES_GDB_REST_H
#define ES_GDB_REST_H

#include "gdb/switches.h"

typedef struct es_gdb_rest {
    bool known;
    uint64_t last;                  /* the moment before the task's own last instruction */
    uint32_t before;                /* the task that the variable named before it changed last */
    uint64_t changed;               /* ... the moment after that; 0: it has not */
    es_machine_registers registers; /* with pc: the next instruction */
} es_gdb_rest;

/* Where the task whose stack it is stands, just before the switch at `moment` of another stack: by what was executed
 * since, at most, the moment `from`. The timeline is elsewhere then. `known` false: that does not tell it, or the
 * replay fails. */
void es_gdb_rest_find(es_gdb_rest *rest, const es_gdb_switches *switches, uint64_t from, uint64_t moment);

#endif
