#include "symbols/decode.h"

static int32_t sign_extend(uint32_t value, unsigned bits)
{
    uint32_t top = 1u << (bits - 1);
    return (int32_t)((value ^ top) - top);
}

static uint32_t field(uint32_t word, unsigned low, unsigned bits)
{
    return word >> low & ((1u << bits) - 1);
}

static symbols_insn decode_full(uint32_t word)
{
    symbols_insn insn = {
        .op = SYMBOLS_OP_OTHER,
        .length = 4,
        .rd = (uint8_t)field(word, 7, 5),
        .rs1 = (uint8_t)field(word, 15, 5),
        .rs2 = (uint8_t)field(word, 20, 5),
        .imm = sign_extend(word >> 20, 12),
    };
    switch (field(word, 0, 7)) {
    case 0x37:
        insn.op = SYMBOLS_OP_LUI;
        insn.imm = (int32_t)(word & 0xFFFFF000u);
        break;
    case 0x17:
        insn.op = SYMBOLS_OP_AUIPC;
        insn.imm = (int32_t)(word & 0xFFFFF000u);
        break;
    case 0x13:
        if (field(word, 12, 3) == 0)
            insn.op = SYMBOLS_OP_ADDI;
        break;
    case 0x33:
        if (field(word, 12, 3) == 0 && word >> 25 == 0)
            insn.op = SYMBOLS_OP_ADD;
        else if (field(word, 12, 3) == 0 && word >> 25 == 0x20)
            insn.op = SYMBOLS_OP_SUB;
        break;
    case 0x6F:
        insn.op = SYMBOLS_OP_JAL;
        insn.imm = sign_extend(field(word, 31, 1) << 20 | field(word, 12, 8) << 12 | field(word, 20, 1) << 11 |
                                   field(word, 21, 10) << 1,
                               21);
        break;
    case 0x67: insn.op = SYMBOLS_OP_JALR; break;
    case 0x63:
        insn.op = SYMBOLS_OP_BRANCH;
        insn.rd = 0;
        insn.imm = sign_extend(
            field(word, 31, 1) << 12 | field(word, 7, 1) << 11 | field(word, 25, 6) << 5 | field(word, 8, 4) << 1, 13);
        break;
    case 0x23: /* stores: there is no rd */
    case 0x27:
        insn.op = SYMBOLS_OP_STORE;
        insn.rd = 0;
        insn.imm = sign_extend(word >> 25 << 5 | field(word, 7, 5), 12);
        if (field(word, 12, 3) - (field(word, 0, 7) == 0x27) <= 2) /* from sb, fsh on; the others are vectors */
            insn.size = (uint8_t)(1u << field(word, 12, 3));
        break;
    case 0x03: break;
    case 0x0F: /* fence: there is no rd */
    case 0x07: /* floating point: rd is no integer register, save for moves and comparisons below */
    case 0x43:
    case 0x47:
    case 0x4B:
    case 0x4F: insn.rd = 0; break;
    case 0x53:
        if (field(word, 27, 5) != 0x14 && field(word, 27, 5) != 0x18 && field(word, 27, 5) != 0x1C)
            insn.rd = 0;
        break;
    case 0x73:
        insn.op = field(word, 12, 2) ? SYMBOLS_OP_CSR : SYMBOLS_OP_TRAP;
        insn.writes = field(word, 12, 2) == 1 || insn.rs1; /* csrrs, csrrc with x0 or 0 only read */
        if (word == 0x30200073u)
            insn.op = SYMBOLS_OP_MRET;
        break;
    default: /* atomic operations, and what is not known here */ insn.op = SYMBOLS_OP_STORE; break;
    }
    if (word == 0xFFFFFFFFu)
        insn.op = SYMBOLS_OP_ILLEGAL;
    return insn;
}

static symbols_insn compressed(enum symbols_op op, unsigned rd, unsigned rs1, unsigned rs2, int32_t imm)
{
    return (symbols_insn){
        .op = op, .length = 2, .rd = (uint8_t)rd, .rs1 = (uint8_t)rs1, .rs2 = (uint8_t)rs2, .imm = imm};
}

/* Quadrant 1 of the C extension. */
static symbols_insn decode_c1(uint32_t half)
{
    symbols_insn insn = {.op = SYMBOLS_OP_OTHER, .length = 2};
    uint8_t rd = (uint8_t)field(half, 7, 5), small = (uint8_t)(8 + field(half, 7, 3));
    int32_t imm = sign_extend(field(half, 12, 1) << 5 | field(half, 2, 5), 6);
    int32_t jump = sign_extend(field(half, 12, 1) << 11 | field(half, 8, 1) << 10 | field(half, 9, 2) << 8 |
                                   field(half, 6, 1) << 7 | field(half, 7, 1) << 6 | field(half, 2, 1) << 5 |
                                   field(half, 11, 1) << 4 | field(half, 3, 3) << 1,
                               12);
    switch (field(half, 13, 3)) {
    case 0: /* c.addi */ return compressed(SYMBOLS_OP_ADDI, rd, rd, 0, imm);
    case 1: /* c.jal */ return compressed(SYMBOLS_OP_JAL, 1, 0, 0, jump);
    case 2: /* c.li */ return compressed(SYMBOLS_OP_ADDI, rd, 0, 0, imm);
    case 3:
        if (rd == 2) { /* c.addi16sp */
            imm = sign_extend(field(half, 12, 1) << 9 | field(half, 3, 2) << 7 | field(half, 5, 1) << 6 |
                                  field(half, 2, 1) << 5 | field(half, 6, 1) << 4,
                              10);
            return compressed(SYMBOLS_OP_ADDI, 2, 2, 0, imm);
        }
        return compressed(SYMBOLS_OP_LUI, rd, 0, 0, (int32_t)((uint32_t)imm << 12));
    case 4:
        if (field(half, 10, 2) == 3 && field(half, 12, 1) == 0 && field(half, 5, 2) == 0) /* c.sub */
            return compressed(SYMBOLS_OP_SUB, small, small, (uint8_t)(8 + field(half, 2, 3)), 0);
        insn.rd = small;
        return insn;
    case 5: /* c.j */ return compressed(SYMBOLS_OP_JAL, 0, 0, 0, jump);
    default: /* c.beqz, c.bnez */
        insn.op = SYMBOLS_OP_BRANCH;
        insn.imm = sign_extend(field(half, 12, 1) << 8 | field(half, 5, 2) << 6 | field(half, 2, 1) << 5 |
                                   field(half, 10, 2) << 3 | field(half, 3, 2) << 1,
                               9);
        return insn;
    }
}

static symbols_insn decode_compressed(uint32_t half)
{
    symbols_insn insn = {.op = SYMBOLS_OP_OTHER, .length = 2};
    uint8_t rd = (uint8_t)field(half, 7, 5), rs2 = (uint8_t)field(half, 2, 5);
    unsigned function = field(half, 13, 3);
    if (half == 0) {
        insn.op = SYMBOLS_OP_ILLEGAL;
        return insn;
    }
    if (field(half, 0, 2) == 1)
        return decode_c1(half);
    if (field(half, 0, 2) == 0) {
        uint32_t imm =
            field(half, 11, 2) << 4 | field(half, 7, 4) << 6 | field(half, 6, 1) << 2 | field(half, 5, 1) << 3;
        if (function == 0) /* c.addi4spn */
            return compressed(SYMBOLS_OP_ADDI, (uint8_t)(8 + field(half, 2, 3)), 2, 0, (int32_t)imm);
        insn.rd = function == 2 ? (uint8_t)(8 + field(half, 2, 3)) : 0; /* c.lw */
        return insn;
    }
    if (function == 0 || function == 2) /* c.slli, c.lwsp */
        insn.rd = rd;
    if (function != 4 || half == 0x9002) /* c.ebreak too */
        return insn;
    if (rs2 == 0)
        return compressed(SYMBOLS_OP_JALR, (uint8_t)field(half, 12, 1), rd, 0, 0);
    if (field(half, 12, 1) == 0) /* c.mv */
        return compressed(SYMBOLS_OP_ADDI, rd, rs2, 0, 0);
    return compressed(SYMBOLS_OP_ADD, rd, rd, rs2, 0);
}

symbols_insn es_symbols_decode(uint32_t word)
{
    return (word & 3) == 3 ? decode_full(word) : decode_compressed(word & 0xFFFF);
}
