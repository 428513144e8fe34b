/* What the files of the precise engine share. */
#ifndef ES_MACHINE_STEP_H
#define ES_MACHINE_STEP_H

#include "machine/private.h"

enum { CAUSE_JUMP = 0, CAUSE_ILLEGAL = 2, CAUSE_BREAK = 3, CAUSE_LOAD = 4, CAUSE_STORE = 6, CAUSE_CALL = 8 };

typedef struct insn {
    es_rv32_operation op;
    uint32_t word, pc, next;
} insn;

/* Bytes of one word. */
typedef struct piece {
    uint32_t address, size;
} piece;

static inline machine_value shifted(machine_value value, int by)
{
    return by < 0 ? (machine_value){value.bits >> -by, value.unknown >> -by}
                  : (machine_value){value.bits << by, value.unknown << by};
}

/* A number of `size` bytes as memory has its bytes, the one with the lowest address in the lowest bits; and the other
 * way. Bits above are lost. */
static inline machine_value ordered(const es_machine *machine, machine_value value, uint32_t size)
{
    unsigned above = 32 - 8 * size;
    if (!machine->options.big_endian)
        return value;
    return (machine_value){__builtin_bswap32(value.bits) >> above, __builtin_bswap32(value.unknown) >> above};
}

static inline machine_value x(const es_machine *machine, unsigned reg)
{
    return (machine_value){machine->x[reg], machine->x_unknown[reg]};
}

/* An instruction begins when it is certain to be executed; before that it has changed nothing. */
PRIVATE void es_step_begin(es_machine *machine, const insn *it);
PRIVATE enum step es_step_end(es_machine *machine, uint32_t next);
PRIVATE enum step es_step_end_with(es_machine *machine, const insn *it, uint32_t next, machine_value value);
PRIVATE enum step es_step_except(es_machine *machine, const insn *it, uint32_t cause, uint32_t value);
PRIVATE enum step es_step_not_known(es_machine *machine, const insn *it, const char *what);
PRIVATE unsigned es_step_pieces(uint32_t address, uint32_t size, piece pieces[2]);
PRIVATE bool es_step_read(es_machine *machine, piece it, machine_value *value);
PRIVATE void es_step_tell_read(es_machine *machine, piece it, machine_value value);
PRIVATE void es_step_write(es_machine *machine, piece it, machine_value value);
/* Before `size` bytes of a register (32 and up: of the floating point ones) are stored: es_machine_assume_zeros. */
PRIVATE void es_step_claim(es_machine *machine, unsigned reg, uint32_t size);

/* step_several.c: pushes and pops of Zcmp, jumps of Zcmt. */
PRIVATE enum step es_step_several(es_machine *machine, const insn *it);

/* step_float.c: floating point. */
PRIVATE enum step es_step_float(es_machine *machine, const insn *it);

#endif
