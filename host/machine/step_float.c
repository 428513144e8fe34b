/* Floating point in the precise engine: registers of its own, or pairs of the integers' (Zfinx, Zdinx). */
#include "machine/float.h"
#include "machine/step.h"

enum { ALL_FLAGS = 31, DYNAMIC = 7, RM_LAST = 4, FS = 3 << 13 };
#define BOX UINT64_C(0xFFFFFFFF00000000)

typedef struct number {
    uint64_t bits, unknown;
} number;

/* A register's number; what is no single in the registers of doubles reads as NaN. */
static number operand(const es_machine *machine, unsigned reg, bool wide)
{
    if (machine->has & ES_HAS_ZFINX) {
        bool pair = wide && reg;
        return (number){machine->x[reg] | (pair ? (uint64_t)machine->x[reg + 1] << 32 : 0),
                        machine->x_unknown[reg] | (pair ? (uint64_t)machine->x_unknown[reg + 1] << 32 : 0)};
    }
    number it = {machine->f[reg], machine->f_unknown[reg]};
    if (wide || !(machine->has & ES_HAS_D))
        return it;
    if (it.unknown & BOX)
        return (number){0, UINT32_MAX};
    return (it.bits & BOX) == BOX ? (number){(uint32_t)it.bits, it.unknown} : (number){FLOAT_NAN, 0};
}

static number integer_operand(const es_machine *machine, unsigned reg)
{
    return (number){machine->x[reg], machine->x_unknown[reg]};
}

static void tell_set(es_machine *machine, unsigned reg)
{
    if (machine->listens && machine->listener.sets)
        machine->listener.sets(machine->listener.context, reg);
}

/* The registers of floating point have been written; or their flags, perhaps. */
static void dirty(es_machine *machine, bool certain)
{
    if (!(machine->has & ES_HAS_ZFINX))
        es_machine_float_is_dirty(machine, certain);
}

static enum step end_with_float(es_machine *machine, const insn *it, number made)
{
    unsigned rd = it->op.rd;
    bool wide = it->op.op == ES_OP_FCVT_D_S || (it->op.wide && it->op.op != ES_OP_FCVT_S_D);
    machine->pc = it->next;
    if (machine->has & ES_HAS_ZFINX) {
        if (wide && rd) {
            machine->x[rd + 1] = (uint32_t)(made.bits >> 32);
            machine->x_unknown[rd + 1] = (uint32_t)(made.unknown >> 32);
            machine->tainted |= (uint32_t)(made.unknown >> 32 != 0) << (rd + 1);
            tell_set(machine, rd + 1);
        }
        return es_step_end_with(machine, it, it->next, value_made((uint32_t)made.bits, (uint32_t)made.unknown));
    }
    bool boxed = !wide && machine->has & ES_HAS_D;
    machine->f_unknown[rd] = made.unknown;
    machine->f[rd] = (made.bits & ~made.unknown) | (boxed ? BOX : 0);
    dirty(machine, true);
    tell_set(machine, ES_INSN_FOREIGN + rd);
    return STEP_DONE;
}

/* --- loads and stores --- */

/* Which word of a number is at the lower address, from its least significant one. */
static uint32_t word_at(const es_machine *machine, uint32_t offset, uint32_t size)
{
    return machine->options.big_endian ? size - 4 - offset : offset;
}

static enum step moves(es_machine *machine, const insn *it)
{
    bool loads = it->op.op == ES_OP_FLOAD;
    uint32_t base = machine->x[it->op.rs1], address = base + (uint32_t)it->op.imm, size = it->op.wide ? 8 : 4;
    if (machine->x_unknown[it->op.rs1])
        return es_step_not_known(machine, it, loads ? "the address of the load" : "the address of the store");
    if (address & 3 || (address & (size - 1) && !machine->options.misaligned))
        return es_step_except(machine, it, loads ? CAUSE_LOAD : CAUSE_STORE, address);
    if (!loads) {
        es_step_claim(machine, 32 + it->op.rs2, size);
        number from = {machine->f[it->op.rs2], machine->f_unknown[it->op.rs2]};
        es_step_begin(machine, it);
        machine->pc = it->next;
        for (uint32_t i = 0; i < size; i += 4) {
            uint32_t by = 8 * word_at(machine, i, size);
            machine_value word = {(uint32_t)(from.bits >> by), (uint32_t)(from.unknown >> by)};
            es_step_write(machine, (piece){address + i, 4}, ordered(machine, word, 4));
        }
        return STEP_DONE;
    }
    machine_value words[2] = {{0, 0}, {0, 0}};
    for (uint32_t i = 0; i < size; i += 4)
        if (!es_step_read(machine, (piece){address + i, 4}, &words[i / 4]))
            return STEP_LATER;
    es_step_begin(machine, it);
    number made = {0, 0};
    for (uint32_t i = 0; i < size; i += 4) {
        uint32_t by = 8 * word_at(machine, i, size);
        machine_value word = ordered(machine, words[i / 4], 4);
        es_step_tell_read(machine, (piece){address + i, 4}, words[i / 4]);
        made.bits |= (uint64_t)word.bits << by;
        made.unknown |= (uint64_t)word.unknown << by;
    }
    return end_with_float(machine, it, made);
}

/* --- arithmetic --- */

static bool to_integer(unsigned op)
{
    return (op >= ES_OP_FEQ && op <= ES_OP_FCVT_WU) || op == ES_OP_FMV_X_W;
}

static bool rounds(unsigned op)
{
    return op <= ES_OP_FSQRT || (op >= ES_OP_FCVT_W && op <= ES_OP_FCVT_D_S);
}

/* Up to three; returns whether any is unknown. */
static bool operands_of(const es_machine *machine, const es_rv32_operation *op, number it[3])
{
    bool wide = op->op == ES_OP_FCVT_S_D || (op->wide && op->op != ES_OP_FCVT_D_S);
    bool integer = op->op == ES_OP_FCVT_OF_W || op->op == ES_OP_FCVT_OF_WU || op->op == ES_OP_FMV_W_X;
    bool two = op->op <= ES_OP_FLE && op->op != ES_OP_FSQRT;
    it[0] = integer ? integer_operand(machine, op->rs1) : operand(machine, op->rs1, wide);
    if (op->op == ES_OP_FMV_X_W)
        it[0] = (number){(uint32_t)machine->f[op->rs1], (uint32_t)machine->f_unknown[op->rs1]};
    it[1] = two ? operand(machine, op->rs2, wide) : (number){0, 0};
    it[2] = op->op <= ES_OP_FNMADD ? operand(machine, op->rs3, wide) : (number){0, 0};
    return it[0].unknown || it[1].unknown || it[2].unknown;
}

/* What of the result is unknown, where operands are. */
static uint64_t unknown_of(unsigned op, const number it[3])
{
    return op == ES_OP_FMV_X_W || op == ES_OP_FMV_W_X ? it[0].unknown : UINT64_MAX;
}

static void add_flags(es_machine *machine, unsigned op, unsigned flags, bool unknown)
{
    bool has_none =
        op == ES_OP_FMV_X_W || op == ES_OP_FMV_W_X || op == ES_OP_FCLASS || (op >= ES_OP_FSGNJ && op <= ES_OP_FSGNJX);
    if (has_none)
        return;
    uint32_t may = unknown ? ALL_FLAGS & ~machine->fcsr : 0;
    machine->fcsr |= flags;
    machine->fcsr_unknown = (machine->fcsr_unknown & ~(uint32_t)flags) | may;
    if (flags || unknown)
        dirty(machine, !unknown);
}

enum step es_step_float(es_machine *machine, const insn *it)
{
    unsigned op = it->op.op, rm = it->op.rm, flags = 0;
    int on = machine->has & ES_HAS_ZFINX ? 1 : es_machine_float_is_on(machine);
    if (on < 0)
        return es_step_not_known(machine, it, "whether floating point is on, for the instruction");
    if (!on)
        return es_step_except(machine, it, CAUSE_ILLEGAL, it->word);
    if (op == ES_OP_FLOAD || op == ES_OP_FSTORE)
        return moves(machine, it);
    if (rounds(op) && rm == DYNAMIC) {
        if (machine->fcsr_unknown >> 5)
            return es_step_not_known(machine, it, "the rounding mode of the instruction");
        rm = machine->fcsr >> 5;
    }
    if (rounds(op) && rm > RM_LAST)
        return es_step_except(machine, it, CAUSE_ILLEGAL, it->word);
    number operands[3], made;
    bool unknown = operands_of(machine, &it->op, operands);
    const uint64_t bits[3] = {operands[0].bits, operands[1].bits, operands[2].bits};
    if (!es_machine_float(op, it->op.wide, rm, bits, &made.bits, &flags) && !unknown)
        return es_machine_because(machine, STEP_STRANGE,
                                  "the instruction at 0x%08x rounds ties away from zero, which is not known here",
                                  it->pc);
    made.unknown = unknown ? unknown_of(op, operands) : 0;
    es_step_begin(machine, it);
    add_flags(machine, op, unknown ? 0 : flags, unknown);
    if (!to_integer(op))
        return end_with_float(machine, it, made);
    return es_step_end_with(machine, it, it->next, value_made((uint32_t)made.bits, (uint32_t)made.unknown));
}
