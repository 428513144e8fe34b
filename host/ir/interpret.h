/* What code of the monitor IR does, instruction by instruction: a second truth beside the machine code that the passes
 * make of it. */
#ifndef ES_IR_INTERPRET_H
#define ES_IR_INTERPRET_H

#include "ir/ir.h"

/* What lies around the code. */
typedef struct es_ir_world {
    void *context;
    uint32_t (*load)(void *context, uint32_t address, unsigned bytes);
    void (*store)(void *context, uint32_t address, unsigned bytes, uint32_t value);
    /* Something is run and comes back: what a CALL names; NULL: what stands after the code, which LINK has gone to.
     * It may change the soft core's registers. */
    void (*call)(void *context, const es_ir_insn *insn, uint32_t registers[ES_IR_VIRTUAL]);
} es_ir_world;

/* RETURN: it went on at what a register held; GONE: at an address, with a CALL that does not come back; AFTER: at what
 * stands after the code; NEVER: not at all, so far. */
enum es_ir_end { ES_IR_ENDED_RETURN, ES_IR_ENDED_GONE, ES_IR_ENDED_AFTER, ES_IR_ENDED_NEVER };

typedef struct es_ir_ended {
    enum es_ir_end end;
    uint32_t at;            /* where it went on: RETURN, GONE */
    const es_ir_insn *insn; /* ... with this instruction */
} es_ir_ended;

/* As a label to begin at: the first instruction. */
#define ES_IR_FIRST UINT32_MAX

/* Addresses that LINK comes back to, as registers hold them: those that no code has. */
#define ES_IR_LINKS 0xF0000000u

/* Runs code, before or after any pass, from a label or ES_IR_FIRST on, for at most so many instructions. registers: the
 * soft core's, in and out. */
es_ir_ended es_ir_interpret(const es_ir_code *code, uint32_t label, const es_ir_world *world,
                            uint32_t registers[ES_IR_VIRTUAL], size_t most);

#endif
