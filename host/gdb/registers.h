/* A machine's registers as gdb's packets have them. */
#ifndef ES_GDB_REGISTERS_H
#define ES_GDB_REGISTERS_H

#include "base/text.h"
#include "gdb/rest.h"
#include "isa/debugger.h"
#include "machine/machine.h"

/* Adds gdb's description of the registers that the machine has (target.xml). */
void es_gdb_describe(es_text_buffer *out, const es_machine *machine, const es_isa *isa, const char *arch);

/* Whose registers: the machine's now, or those with which a task stands, of which control registers are not known. */
typedef struct es_gdb_registers_of {
    const es_machine *machine;
    const es_gdb_rest *rest; /* NULL: the machine's */
    const es_isa *isa;
    const char *arch;
} es_gdb_registers_of;

/* Adds a register's value, as digits in the target's byte order; 'x' for each where it is not known: gdb says
 * <unavailable> then. False: gdb's number means none. */
bool es_gdb_register(es_text_buffer *out, const es_gdb_registers_of *of, uint64_t gdb);

/* Adds what a packet `g` has: all registers from number 0 on up to the first one that gdb has to ask for alone. */
void es_gdb_registers(es_text_buffer *out, const es_gdb_registers_of *of);

#endif
