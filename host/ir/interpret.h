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
    /* Something at an address is run, with the soft core's registers; it may change them. Of one that comes back. */
    void (*call)(void *context, const es_ir_insn *insn, uint32_t registers[ES_IR_VIRTUAL]);
} es_ir_world;

/* How it ended. */
enum es_ir_end { ES_IR_ENDED_RETURN, ES_IR_ENDED_GONE, ES_IR_ENDED_BEHIND, ES_IR_ENDED_NEVER };

/* Runs code, before or after any pass, from its beginning. registers: the soft core's, in and out. *at: where it went on
 * (RETURN: what the register held; GONE: the address). NEVER: it took more than `most` instructions. */
enum es_ir_end es_ir_interpret(const es_ir_code *code, const es_ir_world *world, uint32_t registers[ES_IR_VIRTUAL],
                               size_t most, uint32_t *at);

#endif
