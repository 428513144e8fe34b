/* The C extension, and Zcb: instructions of 16 bits, each of which stands for one of 32. Zcmp and Zcmt, which do what
 * several do. */
#include "isa/rv32/fields.h"
#include "isa/rv32/rv32.h"
#include "rv32_defs.h"

enum { EBREAK = 0x9002 };

static unsigned rd_of(uint32_t half)
{
    return rv32_field(half, 7, 5);
}

static unsigned small_rd_of(uint32_t half) /* of s0 to a5; also rs1 */
{
    return 8 + rv32_field(half, 7, 3);
}

static unsigned small_rs2_of(uint32_t half) /* ... also rd of loads */
{
    return 8 + rv32_field(half, 2, 3);
}

static es_insn adds(unsigned rd, unsigned rs1, int32_t imm)
{
    return (es_insn){.kind = ES_INSN_COMPUTE,
                     .op = ES_ALU_ADD,
                     .immediate = true,
                     .size = 2,
                     .rd = (uint8_t)rd,
                     .rs1 = (uint8_t)rs1,
                     .imm = imm};
}

static es_insn computes(es_insn_op op, unsigned rd, unsigned rs2)
{
    return (es_insn){.kind = ES_INSN_COMPUTE,
                     .op = (uint8_t)op,
                     .size = 2,
                     .rd = (uint8_t)rd,
                     .rs1 = (uint8_t)rd,
                     .rs2 = (uint8_t)rs2};
}

static es_insn computes_with(es_insn_op op, unsigned rd, int32_t imm)
{
    es_insn insn = computes(op, rd, 0);
    insn.immediate = true;
    insn.imm = imm;
    return insn;
}

/* Shifts by 32 and more are for custom extensions. */
static es_insn shifts(uint32_t half, es_insn_op op, unsigned rd)
{
    if (rv32_field(half, 12, 1))
        return (es_insn){.kind = ES_INSN_UNKNOWN, .size = 2, .rd = (uint8_t)rd};
    return computes_with(op, rd, (int32_t)rv32_field(half, 2, 5));
}

static es_insn jumps(unsigned rd, int32_t imm)
{
    return (es_insn){.kind = rd ? ES_INSN_CALL : ES_INSN_JUMP, .size = 2, .rd = (uint8_t)rd, .imm = imm};
}

/* functions: 1 doubles, 2 words, 3 floats */
static es_insn moves(es_insn_kind kind, unsigned function, unsigned reg, unsigned rs1, uint32_t imm)
{
    es_insn insn = {.kind = kind,
                    .size = 2,
                    .rs1 = (uint8_t)rs1,
                    .bytes = function == 1 ? 8 : 4,
                    .foreign = function != 2,
                    .is_signed = kind == ES_INSN_LOAD && function == 2,
                    .imm = (int32_t)imm};
    if (kind == ES_INSN_STORE)
        insn.rs2 = (uint8_t)reg;
    else if (function == 2)
        insn.rd = (uint8_t)reg;
    else
        insn.foreign_rd = (uint8_t)(ES_INSN_FOREIGN + reg);
    return insn;
}

/* --- Zcb: what C has left free ---------------------------------------------------------------------------- */

/* Loads and stores of bytes and halves. */
static es_insn decode_narrow_moves(uint32_t half)
{
    unsigned function = rv32_field(half, 10, 3), high = rv32_field(half, 6, 1), low = rv32_field(half, 5, 1);
    bool store = function & 2, wide = function & 1;
    es_insn insn = {.kind = store ? ES_INSN_STORE : ES_INSN_LOAD,
                    .size = 2,
                    .rs1 = (uint8_t)small_rd_of(half),
                    .bytes = wide ? 2 : 1,
                    .is_signed = !store && wide && high, /* c.lh, not c.lhu */
                    .imm = (int32_t)(wide ? low << 1 : high | low << 1)};
    if (function > 3 || (store && wide && high))
        return (es_insn){.kind = ES_INSN_UNKNOWN, .size = 2};
    if (store)
        insn.rs2 = (uint8_t)small_rs2_of(half);
    else
        insn.rd = (uint8_t)small_rs2_of(half);
    return insn;
}

/* c.mul, and what widens or inverts one register. */
static es_insn decode_narrow(uint32_t half, unsigned rd)
{
    enum { ZEXT_B, SEXT_B, ZEXT_H, SEXT_H, NOT = 5 };
    if (rv32_field(half, 5, 2) == 2)
        return computes(ES_ALU_MULTIPLY, rd, small_rs2_of(half));
    switch (rv32_field(half, 5, 2) == 3 ? rv32_field(half, 2, 3) : 7) {
    case ZEXT_B: return computes_with(ES_ALU_AND, rd, 0xFF);
    case ZEXT_H: return computes_with(ES_ALU_AND, rd, 0xFFFF);
    case SEXT_B:
    case SEXT_H: return computes_with(ES_ALU_OTHER, rd, 0);
    case NOT: return computes_with(ES_ALU_XOR, rd, -1);
    default: return (es_insn){.kind = ES_INSN_UNKNOWN, .size = 2, .rd = (uint8_t)rd};
    }
}

/* --- Zcmp, Zcmt: in the place of c.fsdsp ----------------------------------------------------------------- */

/* cm.push, cm.pop, cm.popretz, cm.popret; cm.mvsa01, cm.mva01s; cm.jt, cm.jalt. */
static es_insn decode_several(uint32_t half)
{
    enum { TABLE = 0, MOVES = 3, PUSH = 6, RETURNS = 7 };
    unsigned function = rv32_field(half, 10, 3);
    bool known = function == TABLE || (function == MOVES && rv32_field(half, 5, 1)) ||
                 (function >= PUSH && !rv32_field(half, 8, 1) && rv32_field(half, 4, 4) >= 4);
    if (!known)
        return (es_insn){.kind = ES_INSN_ILLEGAL, .size = 2};
    return (es_insn){.kind = ES_INSN_SEVERAL, .size = 2, .untold = function == TABLE || function == RETURNS};
}

/* --- C ---------------------------------------------------------------------------------------------------- */

static es_insn decode_between_small(uint32_t half)
{
    static const es_insn_op ops[] = {ES_ALU_SUBTRACT, ES_ALU_XOR, ES_ALU_OR, ES_ALU_AND};
    unsigned rd = small_rd_of(half);
    if (rv32_field(half, 12, 1))
        return decode_narrow(half, rd);
    return computes(ops[rv32_field(half, 5, 2)], rd, small_rs2_of(half));
}

/* Function 4 of quadrant 1. */
static es_insn decode_small(uint32_t half, int32_t imm)
{
    switch (rv32_field(half, 10, 2)) {
    case 0: return shifts(half, ES_ALU_SHIFT_RIGHT, small_rd_of(half));
    case 1: return shifts(half, ES_ALU_SHIFT_ARITHMETIC, small_rd_of(half));
    case 2: return computes_with(ES_ALU_AND, small_rd_of(half), imm);
    default: return decode_between_small(half);
    }
}

/* c.addi16sp and c.lui */
static es_insn decode_upper(uint32_t half, int32_t imm)
{
    if (rd_of(half) != RV32_SP)
        return (es_insn){
            .kind = ES_INSN_CONSTANT, .size = 2, .rd = (uint8_t)rd_of(half), .imm = (int32_t)((uint32_t)imm << 12)};
    return adds(RV32_SP, RV32_SP,
                rv32_sign_extend(rv32_field(half, 12, 1) << 9 | rv32_field(half, 3, 2) << 7 |
                                     rv32_field(half, 5, 1) << 6 | rv32_field(half, 2, 1) << 5 |
                                     rv32_field(half, 6, 1) << 4,
                                 10));
}

static es_insn decode_branch(uint32_t half)
{
    uint32_t imm = rv32_field(half, 12, 1) << 8 | rv32_field(half, 5, 2) << 6 | rv32_field(half, 2, 1) << 5 |
                   rv32_field(half, 10, 2) << 3 | rv32_field(half, 3, 2) << 1;
    return (es_insn){.kind = ES_INSN_BRANCH,
                     .size = 2,
                     .rs1 = (uint8_t)small_rd_of(half),
                     .condition = rv32_field(half, 13, 1) ? ES_IF_NOT_EQUAL : ES_IF_EQUAL,
                     .imm = rv32_sign_extend(imm, 9)};
}

static es_insn decode_quadrant_1(uint32_t half)
{
    int32_t imm = rv32_sign_extend(rv32_field(half, 12, 1) << 5 | rv32_field(half, 2, 5), 6);
    int32_t jump =
        rv32_sign_extend(rv32_field(half, 12, 1) << 11 | rv32_field(half, 8, 1) << 10 | rv32_field(half, 9, 2) << 8 |
                             rv32_field(half, 6, 1) << 7 | rv32_field(half, 7, 1) << 6 | rv32_field(half, 2, 1) << 5 |
                             rv32_field(half, 11, 1) << 4 | rv32_field(half, 3, 3) << 1,
                         12);
    switch (rv32_field(half, 13, 3)) {
    case 0: return adds(rd_of(half), rd_of(half), imm);
    case 1: return jumps(RV32_RA, jump);
    case 2: return adds(rd_of(half), RV32_ZERO, imm);
    case 3: return decode_upper(half, imm);
    case 4: return decode_small(half, imm);
    case 5: return jumps(RV32_ZERO, jump);
    default: return decode_branch(half);
    }
}

/* Loads and stores with a base among s0 to a5, and c.addi4spn. */
static es_insn decode_quadrant_0(uint32_t half)
{
    unsigned function = rv32_field(half, 13, 3);
    uint32_t high = rv32_field(half, 10, 3) << 3;
    uint32_t word = high | rv32_field(half, 6, 1) << 2 | rv32_field(half, 5, 1) << 6;
    uint32_t wide = high | rv32_field(half, 5, 2) << 6;
    if (function == 0)
        return adds(small_rs2_of(half), RV32_SP,
                    (int32_t)(rv32_field(half, 11, 2) << 4 | rv32_field(half, 7, 4) << 6 | rv32_field(half, 6, 1) << 2 |
                              rv32_field(half, 5, 1) << 3));
    if (function == 4)
        return decode_narrow_moves(half);
    return moves(function < 4 ? ES_INSN_LOAD : ES_INSN_STORE, function & 3, small_rs2_of(half), small_rd_of(half),
                 (function & 3) == 1 ? wide : word);
}

/* Function 4 of quadrant 2. */
static es_insn decode_registers(uint32_t half)
{
    unsigned rd = rd_of(half), rs2 = rv32_field(half, 2, 5);
    if (half == EBREAK)
        return (es_insn){.kind = ES_INSN_BREAK, .size = 2};
    if (rs2 == 0 && rd == 0)
        return (es_insn){.kind = ES_INSN_ILLEGAL, .size = 2}; /* reserved */
    if (rs2 == 0)
        return rv32_jump_register(2, rv32_field(half, 12, 1) ? RV32_RA : RV32_ZERO, rd, 0);
    return rv32_field(half, 12, 1) ? computes(ES_ALU_ADD, rd, rs2) : adds(rd, rs2, 0);
}

/* Loads and stores with the stack pointer as base, c.slli, and what names two registers. */
static es_insn decode_quadrant_2(uint32_t half, unsigned with)
{
    unsigned function = rv32_field(half, 13, 3), rd = rd_of(half), rs2 = rv32_field(half, 2, 5);
    uint32_t load = rv32_field(half, 12, 1) << 5;
    load |= (function & 3) == 1 ? rv32_field(half, 5, 2) << 3 | rv32_field(half, 2, 3) << 6
                                : rv32_field(half, 4, 3) << 2 | rv32_field(half, 2, 2) << 6;
    uint32_t store = (function & 3) == 1 ? rv32_field(half, 10, 3) << 3 | rv32_field(half, 7, 3) << 6
                                         : rv32_field(half, 9, 4) << 2 | rv32_field(half, 7, 2) << 6;
    if (function == 0)
        return shifts(half, ES_ALU_SHIFT_LEFT, rd);
    if (function == 4)
        return decode_registers(half);
    if (function == 5 && with & RV32_WITH_ZCM)
        return decode_several(half);
    return function < 4 ? moves(ES_INSN_LOAD, function, rd, RV32_SP, load)
                        : moves(ES_INSN_STORE, function & 3, rs2, RV32_SP, store);
}

es_insn es_rv32_decode_compressed(uint32_t half, unsigned with)
{
    if (half == 0)
        return (es_insn){.kind = ES_INSN_ILLEGAL, .size = 2};
    switch (half & 3) {
    case 0: return decode_quadrant_0(half);
    case 1: return decode_quadrant_1(half);
    default: return decode_quadrant_2(half, with);
    }
}

/* --- as the probe tells them ----------------------------------------------------------------------------- */

static uint32_t jump_word(uint32_t to)
{
    return rv32_field(to, 20, 1) << 31 | rv32_field(to, 1, 10) << 21 | rv32_field(to, 11, 1) << 20 |
           rv32_field(to, 12, 8) << 12 | ES_RV32_JAL;
}

static uint32_t branch_word(uint32_t to)
{
    return rv32_field(to, 12, 1) << 31 | rv32_field(to, 5, 6) << 25 | rv32_field(to, 1, 4) << 8 |
           rv32_field(to, 11, 1) << 7 | ES_RV32_BRANCH;
}

uint32_t es_rv32_expand(es_insn insn)
{
    uint32_t to = (uint32_t)insn.imm, rd = (uint32_t)insn.rd << 7, rs1 = (uint32_t)insn.rs1 << 15, word;
    switch (insn.kind) {
    case ES_INSN_JUMP:
    case ES_INSN_CALL: word = jump_word(to) | rd; break;
    case ES_INSN_JUMP_REGISTER:
    case ES_INSN_CALL_REGISTER:
    case ES_INSN_RETURN: word = ES_RV32_JALR | rd | rs1; break;
    case ES_INSN_BRANCH: word = branch_word(to) | rs1 | (insn.condition == ES_IF_NOT_EQUAL ? 1u << 12 : 0); break;
    default: word = ES_RV32_NOP; break;
    }
    return word & ~(uint32_t)ES_RV32_LONG;
}
