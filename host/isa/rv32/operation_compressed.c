#include "isa/rv32/operation_compressed.h"

#include "isa/rv32/fields.h"

static unsigned high_of(uint32_t half) /* the register in bits 11:7 */
{
    return rv32_field(half, 7, 5);
}

static unsigned low_of(uint32_t half) /* in bits 6:2 */
{
    return rv32_field(half, 2, 5);
}

static unsigned few_high_of(uint32_t half) /* of s0 to a5 */
{
    return 8 + rv32_field(half, 7, 3);
}

static unsigned few_low_of(uint32_t half)
{
    return 8 + rv32_field(half, 2, 3);
}

static es_rv32_operation illegal(void)
{
    return (es_rv32_operation){.op = ES_OP_ILLEGAL, .size = 2};
}

static es_rv32_operation by_number(unsigned op, unsigned rd, unsigned rs1, int32_t imm)
{
    return (es_rv32_operation){
        .op = (uint8_t)op, .size = 2, .rd = (uint8_t)rd, .rs1 = (uint8_t)rs1, .immediate = true, .imm = imm};
}

static es_rv32_operation by_registers(unsigned op, unsigned rd, unsigned rs1, unsigned rs2)
{
    return (es_rv32_operation){
        .op = (uint8_t)op, .size = 2, .rd = (uint8_t)rd, .rs1 = (uint8_t)rs1, .rs2 = (uint8_t)rs2};
}

static es_rv32_operation loads(unsigned op, unsigned rd, unsigned rs1, uint32_t imm)
{
    return (es_rv32_operation){
        .op = (uint8_t)op, .size = 2, .rd = (uint8_t)rd, .rs1 = (uint8_t)rs1, .imm = (int32_t)imm};
}

static es_rv32_operation stores(unsigned op, unsigned rs2, unsigned rs1, uint32_t imm)
{
    return (es_rv32_operation){
        .op = (uint8_t)op, .size = 2, .rs1 = (uint8_t)rs1, .rs2 = (uint8_t)rs2, .imm = (int32_t)imm};
}

static es_rv32_operation jumps(unsigned op, unsigned rd, unsigned rs1, int32_t imm)
{
    return (es_rv32_operation){.op = (uint8_t)op, .size = 2, .rd = (uint8_t)rd, .rs1 = (uint8_t)rs1, .imm = imm};
}

/* c.flw, c.fld and their like, of a register; the doubles' offsets are multiples of 8. */
static es_rv32_operation moves_float(unsigned op, unsigned reg, unsigned rs1, uint32_t imm, bool wide, unsigned has)
{
    bool there = wide ? has & ES_HAS_D && has & ES_HAS_ZCD : has & ES_HAS_F && has & ES_HAS_ZCF;
    es_rv32_operation it = op == ES_OP_FLOAD ? loads(op, reg, rs1, imm) : stores(op, reg, rs1, imm);
    it.wide = wide;
    return there ? it : illegal();
}

static int32_t six_of(uint32_t half) /* the immediate of most */
{
    return rv32_sign_extend(rv32_field(half, 12, 1) << 5 | rv32_field(half, 2, 5), 6);
}

static uint32_t word_offset(uint32_t half)
{
    return rv32_field(half, 10, 3) << 3 | rv32_field(half, 6, 1) << 2 | rv32_field(half, 5, 1) << 6;
}

static uint32_t double_offset(uint32_t half)
{
    return rv32_field(half, 10, 3) << 3 | rv32_field(half, 5, 2) << 6;
}

/* --- quadrant 0 --- */

/* Zcb's loads and stores of bytes and halves. */
static es_rv32_operation narrow(uint32_t half)
{
    unsigned base = few_high_of(half), reg = few_low_of(half);
    uint32_t byte = rv32_field(half, 6, 1) | rv32_field(half, 5, 1) << 1, wide = rv32_field(half, 5, 1) << 1;
    switch (rv32_field(half, 10, 3)) {
    case 0: return loads(ES_OP_LBU, reg, base, byte);
    case 1: return loads(rv32_field(half, 6, 1) ? ES_OP_LH : ES_OP_LHU, reg, base, wide);
    case 2: return stores(ES_OP_SB, reg, base, byte);
    case 3: return rv32_field(half, 6, 1) ? illegal() : stores(ES_OP_SH, reg, base, wide);
    default: return illegal();
    }
}

static es_rv32_operation quadrant_0(uint32_t half, unsigned has)
{
    uint32_t spn = rv32_field(half, 11, 2) << 4 | rv32_field(half, 7, 4) << 6 | rv32_field(half, 6, 1) << 2 |
                   rv32_field(half, 5, 1) << 3;
    switch (rv32_field(half, 13, 3)) {
    case 0: return spn ? by_number(ES_OP_ADD, few_low_of(half), RV32_SP, (int32_t)spn) : illegal();
    case 1: return moves_float(ES_OP_FLOAD, few_low_of(half), few_high_of(half), double_offset(half), true, has);
    case 2: return loads(ES_OP_LW, few_low_of(half), few_high_of(half), word_offset(half));
    case 3: return moves_float(ES_OP_FLOAD, few_low_of(half), few_high_of(half), word_offset(half), false, has);
    case 4: return has & ES_HAS_ZCB ? narrow(half) : illegal();
    case 5: return moves_float(ES_OP_FSTORE, few_low_of(half), few_high_of(half), double_offset(half), true, has);
    case 6: return stores(ES_OP_SW, few_low_of(half), few_high_of(half), word_offset(half));
    default: return moves_float(ES_OP_FSTORE, few_low_of(half), few_high_of(half), word_offset(half), false, has);
    }
}

/* --- quadrant 1 --- */

/* c.zext.b and its like, c.not, c.mul. */
static es_rv32_operation one_register(uint32_t half, unsigned has)
{
    unsigned reg = few_high_of(half);
    bool bits = has & ES_HAS_ZBB;
    if (rv32_field(half, 5, 2) == 2)
        return has & ES_HAS_M ? by_registers(ES_OP_MUL, reg, reg, few_low_of(half)) : illegal();
    if (rv32_field(half, 5, 2) != 3)
        return illegal();
    switch (rv32_field(half, 2, 3)) {
    case 0: return by_number(ES_OP_AND, reg, reg, 0xFF);
    case 1: return bits ? by_number(ES_OP_SEXT_B, reg, reg, 0) : illegal();
    case 2: return bits ? by_number(ES_OP_ZEXT_H, reg, reg, 0) : illegal();
    case 3: return bits ? by_number(ES_OP_SEXT_H, reg, reg, 0) : illegal();
    case 5: return by_number(ES_OP_XOR, reg, reg, -1);
    default: return illegal();
    }
}

static es_rv32_operation few_registers(uint32_t half, unsigned has)
{
    static const uint8_t ops[] = {ES_OP_SUB, ES_OP_XOR, ES_OP_OR, ES_OP_AND};
    unsigned reg = few_high_of(half), which = rv32_field(half, 10, 2);
    bool wide = rv32_field(half, 12, 1);
    if (which == 2)
        return by_number(ES_OP_AND, reg, reg, six_of(half));
    if (which < 2)
        return wide ? illegal() : by_number(ES_OP_SRL + which, reg, reg, (int32_t)low_of(half));
    if (wide)
        return has & ES_HAS_ZCB ? one_register(half, has) : illegal();
    return by_registers(ops[rv32_field(half, 5, 2)], reg, reg, few_low_of(half));
}

static es_rv32_operation upper(uint32_t half)
{
    int32_t adjust =
        rv32_sign_extend(rv32_field(half, 12, 1) << 9 | rv32_field(half, 3, 2) << 7 | rv32_field(half, 5, 1) << 6 |
                             rv32_field(half, 2, 1) << 5 | rv32_field(half, 6, 1) << 4,
                         10);
    if (six_of(half) == 0)
        return illegal();
    if (high_of(half) == RV32_SP)
        return by_number(ES_OP_ADD, RV32_SP, RV32_SP, adjust);
    return by_number(ES_OP_CONSTANT, high_of(half), 0, (int32_t)((uint32_t)six_of(half) << 12));
}

static int32_t jump_offset(uint32_t half)
{
    return rv32_sign_extend(rv32_field(half, 12, 1) << 11 | rv32_field(half, 8, 1) << 10 | rv32_field(half, 9, 2) << 8 |
                                rv32_field(half, 6, 1) << 7 | rv32_field(half, 7, 1) << 6 |
                                rv32_field(half, 2, 1) << 5 | rv32_field(half, 11, 1) << 4 |
                                rv32_field(half, 3, 3) << 1,
                            12);
}

static int32_t branch_offset(uint32_t half)
{
    return rv32_sign_extend(rv32_field(half, 12, 1) << 8 | rv32_field(half, 5, 2) << 6 | rv32_field(half, 2, 1) << 5 |
                                rv32_field(half, 10, 2) << 3 | rv32_field(half, 3, 2) << 1,
                            9);
}

static es_rv32_operation quadrant_1(uint32_t half, unsigned has)
{
    unsigned rd = high_of(half);
    switch (rv32_field(half, 13, 3)) {
    case 0: return by_number(ES_OP_ADD, rd, rd, six_of(half));
    case 1: return jumps(ES_OP_JAL, RV32_RA, 0, jump_offset(half));
    case 2: return by_number(ES_OP_ADD, rd, RV32_ZERO, six_of(half));
    case 3: return upper(half);
    case 4: return few_registers(half, has);
    case 5: return jumps(ES_OP_JAL, RV32_ZERO, 0, jump_offset(half));
    case 6: return jumps(ES_OP_BEQ, 0, few_high_of(half), branch_offset(half));
    default: return jumps(ES_OP_BNE, 0, few_high_of(half), branch_offset(half));
    }
}

/* --- quadrant 2 --- */

static es_rv32_operation two_registers(uint32_t half)
{
    unsigned high = high_of(half), low = low_of(half);
    bool second = rv32_field(half, 12, 1);
    if (low)
        return second ? by_registers(ES_OP_ADD, high, high, low) : by_number(ES_OP_ADD, high, low, 0);
    if (high)
        return jumps(ES_OP_JALR, second ? RV32_RA : RV32_ZERO, high, 0);
    return second ? (es_rv32_operation){.op = ES_OP_EBREAK, .size = 2} : illegal();
}

/* --- Zcmp, Zcmt: in the place of c.fsdsp --- */

static unsigned saved(unsigned number) /* s0 to s7 */
{
    return number < 2 ? RV32_S0 + number : RV32_S2 + number - 2;
}

bool es_rv32_listed(unsigned list, unsigned reg)
{
    unsigned count = list == 15 ? 12 : list - 4; /* of s0 to s11: there is no list that ends with s10 */
    return reg == RV32_RA || (reg >= RV32_S0 && reg <= RV32_S1 && reg - RV32_S0 < count) ||
           (reg >= RV32_S2 && reg <= RV32_S11 && reg - RV32_S2 + 2 < count);
}

static es_rv32_operation stack_frame(uint32_t half, unsigned has)
{
    static const uint8_t ops[] = {ES_OP_CM_PUSH, ES_OP_CM_POP, ES_OP_CM_POPRETZ, ES_OP_CM_POPRET};
    unsigned list = rv32_field(half, 4, 4), registers = list == 15 ? 13 : list - 3;
    if (list < 4 || rv32_field(half, 8, 1) || !(has & ES_HAS_ZCMP) || (has & ES_HAS_E && list > 6))
        return illegal();
    uint32_t least = (4 * registers + 15) / 16 * 16; /* sp is a multiple of 16 */
    return (es_rv32_operation){.op = ops[rv32_field(half, 9, 2)],
                               .size = 2,
                               .list = (uint8_t)list,
                               .imm = (int32_t)(least + 16 * rv32_field(half, 2, 2))};
}

static es_rv32_operation several(uint32_t half, unsigned has)
{
    enum { TABLE = 0, MOVES = 3, FRAMES = 6, FIRST_CALL = 32 };
    unsigned function = rv32_field(half, 10, 3), index = rv32_field(half, 2, 8);
    unsigned first = rv32_field(half, 7, 3), second = rv32_field(half, 2, 3);
    bool to_arguments = rv32_field(half, 6, 1);
    if (function >= FRAMES)
        return stack_frame(half, has);
    if (function == TABLE && has & ES_HAS_ZCMT)
        return (es_rv32_operation){
            .op = ES_OP_CM_JT, .size = 2, .rd = index >= FIRST_CALL ? RV32_RA : RV32_ZERO, .imm = (int32_t)index};
    bool moves = function == MOVES && rv32_field(half, 5, 1) && has & ES_HAS_ZCMP &&
                 (to_arguments || first != second) && !(has & ES_HAS_E && (first > 1 || second > 1));
    if (!moves)
        return illegal();
    return (es_rv32_operation){.op = to_arguments ? ES_OP_CM_MVA01S : ES_OP_CM_MVSA01,
                               .size = 2,
                               .rs1 = (uint8_t)saved(first),
                               .rs2 = (uint8_t)saved(second)};
}

static es_rv32_operation quadrant_2(uint32_t half, unsigned has)
{
    unsigned rd = high_of(half);
    uint32_t load = rv32_field(half, 12, 1) << 5 | rv32_field(half, 4, 3) << 2 | rv32_field(half, 2, 2) << 6;
    uint32_t store = rv32_field(half, 9, 4) << 2 | rv32_field(half, 7, 2) << 6;
    uint32_t wide_load = rv32_field(half, 12, 1) << 5 | rv32_field(half, 5, 2) << 3 | rv32_field(half, 2, 3) << 6;
    uint32_t wide_store = rv32_field(half, 10, 3) << 3 | rv32_field(half, 7, 3) << 6;
    switch (rv32_field(half, 13, 3)) {
    case 0: return rv32_field(half, 12, 1) ? illegal() : by_number(ES_OP_SLL, rd, rd, (int32_t)low_of(half));
    case 1: return moves_float(ES_OP_FLOAD, rd, RV32_SP, wide_load, true, has);
    case 2: return rd ? loads(ES_OP_LW, rd, RV32_SP, load) : illegal();
    case 3: return moves_float(ES_OP_FLOAD, rd, RV32_SP, load, false, has);
    case 4: return two_registers(half);
    case 5:
        if (has & (ES_HAS_ZCMP | ES_HAS_ZCMT))
            return several(half, has);
        return moves_float(ES_OP_FSTORE, low_of(half), RV32_SP, wide_store, true, has);
    case 6: return stores(ES_OP_SW, low_of(half), RV32_SP, store);
    default: return moves_float(ES_OP_FSTORE, low_of(half), RV32_SP, store, false, has);
    }
}

es_rv32_operation es_rv32_compressed_operation(uint32_t half, unsigned extensions)
{
    switch (half & 3) {
    case 0: return quadrant_0(half, extensions);
    case 1: return quadrant_1(half, extensions);
    default: return quadrant_2(half, extensions);
    }
}
