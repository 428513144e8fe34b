/* Registers of a processor as gdb knows them. */
#ifndef ES_ISA_DEBUGGER_H
#define ES_ISA_DEBUGGER_H

#include "isa/isa.h"

enum es_debugger_kind { ES_DEBUGGER_GENERAL, ES_DEBUGGER_PC, ES_DEBUGGER_FLOAT, ES_DEBUGGER_CONTROL };

typedef struct es_debugger_register {
    const char *name;
    const char *feature; /* the group of registers that gdb knows by this name: "org.gnu.gdb.riscv.cpu" */
    const char *type;    /* gdb's: "int", "code_ptr", ... */
    enum es_debugger_kind kind;
    unsigned number; /* of its kind: x5 is 5; of a control register as instructions name it */
    unsigned bits;
    unsigned gdb; /* gdb's number of it; from 0 to the first ones without gap: what its packet `g` is made of */
} es_debugger_register;

/* gdb's name of the architecture: "riscv:rv32". */
const char *es_debugger_architecture(const es_isa *isa);

/* The control register that says where a trap's handler returns to. */
unsigned es_debugger_trap_resumes(const es_isa *isa);

/* Register i of those that a processor with these extensions may have (NULL: all that are known), those of a feature
 * one after the other. False: there is none any more. */
bool es_debugger_register_at(const es_isa *isa, const char *arch, unsigned i, es_debugger_register *reg);

#endif
