/* Instructions of 32 bits as exact operations. */
#include "isa/rv32/operation.h"

#include "isa/rv32/fields.h"
#include "isa/rv32/operation_compressed.h"
#include "isa/rv32/operation_float.h"

enum { RD_X0 = 0 };

static es_rv32_operation illegal(void)
{
    return (es_rv32_operation){.op = ES_OP_ILLEGAL, .size = 4};
}

static es_rv32_operation made(unsigned op, uint32_t word)
{
    return (es_rv32_operation){.op = (uint8_t)op,
                               .size = 4,
                               .rd = (uint8_t)rv32_field(word, 7, 5),
                               .rs1 = (uint8_t)rv32_field(word, 15, 5),
                               .rs2 = (uint8_t)rv32_field(word, 20, 5)};
}

/* An operation, if the processor has one of the extensions. */
static unsigned if_has(unsigned extensions, unsigned any, unsigned op)
{
    return extensions & any ? op : ES_OP_ILLEGAL;
}

/* --- rd = rs1 op rs2 --- */

static unsigned base_op(unsigned funct3)
{
    static const uint8_t ops[] = {ES_OP_ADD, ES_OP_SLL, ES_OP_SLT, ES_OP_SLTU,
                                  ES_OP_XOR, ES_OP_SRL, ES_OP_OR,  ES_OP_AND};
    return ops[funct3];
}

static unsigned multiply_op(unsigned funct3, unsigned has)
{
    static const uint8_t ops[] = {ES_OP_MUL, ES_OP_MULH, ES_OP_MULHSU, ES_OP_MULHU,
                                  ES_OP_DIV, ES_OP_DIVU, ES_OP_REM,    ES_OP_REMU};
    return if_has(has, funct3 < 4 ? ES_HAS_M : ES_HAS_DIVISION, ops[funct3]);
}

static unsigned alternative_op(unsigned funct3, unsigned has)
{
    enum { LOGIC = ES_HAS_ZBB | ES_HAS_ZBKB };
    switch (funct3) {
    case 0: return ES_OP_SUB;
    case 5: return ES_OP_SRA;
    case 4: return if_has(has, LOGIC, ES_OP_XNOR);
    case 6: return if_has(has, LOGIC, ES_OP_ORN);
    case 7: return if_has(has, LOGIC, ES_OP_ANDN);
    default: return ES_OP_ILLEGAL;
    }
}

/* funct7 and funct3 in one number, as the tables of the manual have them. */
#define CODE(funct7, funct3) ((funct7) << 3 | (funct3))

static unsigned bits_op(unsigned funct7, unsigned funct3, unsigned rs2, unsigned has)
{
    enum { ROTATES = ES_HAS_ZBB | ES_HAS_ZBKB, CARRYLESS = ES_HAS_ZBC | ES_HAS_ZBKC };
    switch (CODE(funct7, funct3)) {
    case CODE(0x10, 2): return if_has(has, ES_HAS_ZBA, ES_OP_SH1ADD);
    case CODE(0x10, 4): return if_has(has, ES_HAS_ZBA, ES_OP_SH2ADD);
    case CODE(0x10, 6): return if_has(has, ES_HAS_ZBA, ES_OP_SH3ADD);
    case CODE(0x05, 1): return if_has(has, CARRYLESS, ES_OP_CLMUL);
    case CODE(0x05, 2): return if_has(has, ES_HAS_ZBC, ES_OP_CLMULR);
    case CODE(0x05, 3): return if_has(has, CARRYLESS, ES_OP_CLMULH);
    case CODE(0x05, 4): return if_has(has, ES_HAS_ZBB, ES_OP_MIN);
    case CODE(0x05, 5): return if_has(has, ES_HAS_ZBB, ES_OP_MINU);
    case CODE(0x05, 6): return if_has(has, ES_HAS_ZBB, ES_OP_MAX);
    case CODE(0x05, 7): return if_has(has, ES_HAS_ZBB, ES_OP_MAXU);
    case CODE(0x30, 1): return if_has(has, ROTATES, ES_OP_ROL);
    case CODE(0x30, 5): return if_has(has, ROTATES, ES_OP_ROR);
    case CODE(0x24, 1): return if_has(has, ES_HAS_ZBS, ES_OP_BCLR);
    case CODE(0x24, 5): return if_has(has, ES_HAS_ZBS, ES_OP_BEXT);
    case CODE(0x34, 1): return if_has(has, ES_HAS_ZBS, ES_OP_BINV);
    case CODE(0x14, 1): return if_has(has, ES_HAS_ZBS, ES_OP_BSET);
    case CODE(0x07, 5): return if_has(has, ES_HAS_ZICOND, ES_OP_CZERO_EQZ);
    case CODE(0x07, 7): return if_has(has, ES_HAS_ZICOND, ES_OP_CZERO_NEZ);
    case CODE(0x04, 4):
        if (rs2 == 0)
            return if_has(has, ES_HAS_ZBB | ES_HAS_ZBKB, has & ES_HAS_ZBKB ? ES_OP_PACK : ES_OP_ZEXT_H);
        return if_has(has, ES_HAS_ZBKB, ES_OP_PACK);
    case CODE(0x04, 7): return if_has(has, ES_HAS_ZBKB, ES_OP_PACKH);
    default: return ES_OP_ILLEGAL;
    }
}

static es_rv32_operation registers(uint32_t word, unsigned has)
{
    unsigned funct7 = word >> 25, funct3 = rv32_field(word, 12, 3);
    unsigned op = funct7 == 0      ? base_op(funct3)
                  : funct7 == 1    ? multiply_op(funct3, has)
                  : funct7 == 0x20 ? alternative_op(funct3, has)
                                   : bits_op(funct7, funct3, rv32_field(word, 20, 5), has);
    return made(op, word);
}

/* --- rd = rs1 op imm --- */

static unsigned one_operand_op(unsigned funct7, unsigned funct3, unsigned which, unsigned has)
{
    enum { BYTES = ES_HAS_ZBB | ES_HAS_ZBKB };
    switch (CODE(funct7, funct3) << 5 | which) {
    case CODE(0x30, 1) << 5 | 0: return if_has(has, ES_HAS_ZBB, ES_OP_CLZ);
    case CODE(0x30, 1) << 5 | 1: return if_has(has, ES_HAS_ZBB, ES_OP_CTZ);
    case CODE(0x30, 1) << 5 | 2: return if_has(has, ES_HAS_ZBB, ES_OP_CPOP);
    case CODE(0x30, 1) << 5 | 4: return if_has(has, ES_HAS_ZBB, ES_OP_SEXT_B);
    case CODE(0x30, 1) << 5 | 5: return if_has(has, ES_HAS_ZBB, ES_OP_SEXT_H);
    case CODE(0x14, 5) << 5 | 7: return if_has(has, ES_HAS_ZBB, ES_OP_ORC_B);
    case CODE(0x34, 5) << 5 | 24: return if_has(has, BYTES, ES_OP_REV8);
    case CODE(0x34, 5) << 5 | 7: return if_has(has, ES_HAS_ZBKB, ES_OP_BREV8);
    case CODE(0x04, 1) << 5 | 15: return if_has(has, ES_HAS_ZBKB, ES_OP_ZIP);
    case CODE(0x04, 5) << 5 | 15: return if_has(has, ES_HAS_ZBKB, ES_OP_UNZIP);
    default: return ES_OP_ILLEGAL;
    }
}

static unsigned shift_op(unsigned funct7, unsigned funct3, unsigned has)
{
    switch (CODE(funct7, funct3)) {
    case CODE(0x00, 1): return ES_OP_SLL;
    case CODE(0x00, 5): return ES_OP_SRL;
    case CODE(0x20, 5): return ES_OP_SRA;
    case CODE(0x30, 5): return if_has(has, ES_HAS_ZBB | ES_HAS_ZBKB, ES_OP_ROR);
    case CODE(0x24, 1): return if_has(has, ES_HAS_ZBS, ES_OP_BCLR);
    case CODE(0x24, 5): return if_has(has, ES_HAS_ZBS, ES_OP_BEXT);
    case CODE(0x34, 1): return if_has(has, ES_HAS_ZBS, ES_OP_BINV);
    case CODE(0x14, 1): return if_has(has, ES_HAS_ZBS, ES_OP_BSET);
    default: return ES_OP_ILLEGAL;
    }
}

static es_rv32_operation with_immediate(uint32_t word, unsigned has)
{
    unsigned funct7 = word >> 25, funct3 = rv32_field(word, 12, 3), low = rv32_field(word, 20, 5);
    es_rv32_operation it = made(base_op(funct3), word);
    it.immediate = true;
    it.rs2 = 0;
    it.imm = rv32_sign_extend(word >> 20, 12);
    if (funct3 != 1 && funct3 != 5)
        return it;
    it.imm = (int32_t)low;
    it.op = (uint8_t)one_operand_op(funct7, funct3, low, has);
    if (it.op == ES_OP_ILLEGAL)
        it.op = (uint8_t)shift_op(funct7, funct3, has);
    return it;
}

/* --- memory --- */

static es_rv32_operation load(uint32_t word)
{
    static const uint8_t ops[] = {ES_OP_LB,  ES_OP_LH,  ES_OP_LW,      ES_OP_ILLEGAL,
                                  ES_OP_LBU, ES_OP_LHU, ES_OP_ILLEGAL, ES_OP_ILLEGAL};
    es_rv32_operation it = made(ops[rv32_field(word, 12, 3)], word);
    it.rs2 = 0;
    it.imm = rv32_sign_extend(word >> 20, 12);
    return it;
}

static es_rv32_operation store(uint32_t word)
{
    unsigned funct3 = rv32_field(word, 12, 3);
    es_rv32_operation it = made(funct3 < 3 ? ES_OP_SB + funct3 : ES_OP_ILLEGAL, word);
    it.rd = RD_X0;
    it.imm = rv32_sign_extend(word >> 25 << 5 | rv32_field(word, 7, 5), 12);
    return it;
}

static es_rv32_operation atomic(uint32_t word, unsigned has)
{
    enum { WORD = 2 };
    unsigned funct5 = word >> 27, op = ES_OP_ILLEGAL;
    if (rv32_field(word, 12, 3) != WORD)
        return illegal();
    switch (funct5) {
    case 0x02: op = rv32_field(word, 20, 5) == 0 ? ES_OP_LR : ES_OP_ILLEGAL; break;
    case 0x03: op = ES_OP_SC; break;
    case 0x01: op = ES_OP_AMOSWAP; break;
    case 0x00: op = ES_OP_AMOADD; break;
    case 0x04: op = ES_OP_AMOXOR; break;
    case 0x0C: op = ES_OP_AMOAND; break;
    case 0x08: op = ES_OP_AMOOR; break;
    case 0x10: op = ES_OP_AMOMIN; break;
    case 0x14: op = ES_OP_AMOMAX; break;
    case 0x18: op = ES_OP_AMOMINU; break;
    case 0x1C: op = ES_OP_AMOMAXU; break;
    default: break;
    }
    return made(if_has(has, funct5 == 2 || funct5 == 3 ? ES_HAS_LRSC : ES_HAS_AMO, op), word);
}

/* --- flow and system --- */

static es_rv32_operation branch(uint32_t word)
{
    static const uint8_t ops[] = {ES_OP_BEQ, ES_OP_BNE, ES_OP_ILLEGAL, ES_OP_ILLEGAL,
                                  ES_OP_BLT, ES_OP_BGE, ES_OP_BLTU,    ES_OP_BGEU};
    es_rv32_operation it = made(ops[rv32_field(word, 12, 3)], word);
    it.rd = RD_X0;
    it.imm = rv32_sign_extend(rv32_field(word, 31, 1) << 12 | rv32_field(word, 7, 1) << 11 |
                                  rv32_field(word, 25, 6) << 5 | rv32_field(word, 8, 4) << 1,
                              13);
    return it;
}

static es_rv32_operation jump(uint32_t word)
{
    es_rv32_operation it = made(ES_OP_JAL, word);
    it.rs1 = it.rs2 = 0;
    it.imm = rv32_sign_extend(rv32_field(word, 31, 1) << 20 | rv32_field(word, 12, 8) << 12 |
                                  rv32_field(word, 20, 1) << 11 | rv32_field(word, 21, 10) << 1,
                              21);
    return it;
}

static es_rv32_operation jump_register(uint32_t word)
{
    es_rv32_operation it = made(rv32_field(word, 12, 3) == 0 ? ES_OP_JALR : ES_OP_ILLEGAL, word);
    it.rs2 = 0;
    it.imm = rv32_sign_extend(word >> 20, 12);
    return it;
}

static es_rv32_operation upper(unsigned op, uint32_t word)
{
    es_rv32_operation it = made(op, word);
    it.rs1 = it.rs2 = 0;
    it.imm = (int32_t)(word & 0xFFFFF000u);
    return it;
}

static es_rv32_operation fence(uint32_t word, unsigned has)
{
    unsigned funct3 = rv32_field(word, 12, 3);
    unsigned op = funct3 == 0 ? ES_OP_FENCE : funct3 == 1 ? if_has(has, ES_HAS_ZIFENCEI, ES_OP_FENCE_I) : ES_OP_ILLEGAL;
    return (es_rv32_operation){.op = (uint8_t)op, .size = 4};
}

static es_rv32_operation system_of(uint32_t word, unsigned has)
{
    enum { ECALL = 0x00000073, EBREAK = 0x00100073, MRET = 0x30200073, WFI = 0x10500073 };
    unsigned funct3 = rv32_field(word, 12, 3);
    if (funct3 & 3) {
        es_rv32_operation it = made(if_has(has, ES_HAS_ZICSR, ES_OP_CSR_WRITE + (funct3 & 3) - 1), word);
        it.rs2 = 0;
        it.immediate = funct3 & 4;
        it.imm = (int32_t)(word >> 20);
        return it;
    }
    unsigned op = word == ECALL    ? ES_OP_ECALL
                  : word == EBREAK ? ES_OP_EBREAK
                  : word == MRET   ? if_has(has, ES_HAS_ZICSR, ES_OP_MRET)
                  : word == WFI    ? ES_OP_WFI
                                   : ES_OP_ILLEGAL;
    return (es_rv32_operation){.op = (uint8_t)op, .size = 4};
}

static es_rv32_operation long_operation(uint32_t word, unsigned has)
{
    switch (rv32_field(word, 2, 5)) {
    case 0x00: return load(word);
    case 0x01:
    case 0x09:
    case 0x10:
    case 0x11:
    case 0x12:
    case 0x13:
    case 0x14: return es_rv32_float_operation(word, has);
    case 0x03: return fence(word, has);
    case 0x04: return with_immediate(word, has);
    case 0x05: return upper(ES_OP_ADDRESS, word);
    case 0x08: return store(word);
    case 0x0B: return atomic(word, has);
    case 0x0C: return registers(word, has);
    case 0x0D: return upper(ES_OP_CONSTANT, word);
    case 0x18: return branch(word);
    case 0x19: return jump_register(word);
    case 0x1B: return jump(word);
    case 0x1C: return system_of(word, has);
    default: return illegal();
    }
}

es_rv32_operation es_rv32_operation_of(uint32_t word, unsigned extensions)
{
    bool is_long = (word & 3) == 3;
    es_rv32_operation it = illegal();
    if (is_long)
        it = long_operation(word, extensions);
    else if (extensions & ES_HAS_C)
        it = es_rv32_compressed_operation(word & 0xFFFF, extensions);
    bool number = it.immediate && it.op >= ES_OP_CSR_WRITE && it.op <= ES_OP_CSR_CLEAR;
    if (extensions & ES_HAS_E && ((it.rd | it.rs2) > 15 || (it.rs1 > 15 && !number)))
        it.op = ES_OP_ILLEGAL;
    if (it.op == ES_OP_ILLEGAL)
        return (es_rv32_operation){.op = ES_OP_ILLEGAL, .size = !is_long && extensions & ES_HAS_C ? 2 : 4};
    return it;
}

bool es_rv32_control_is_volatile(unsigned number)
{
    if (number == ES_CSR_MIP)
        return true;
    unsigned low = number & ~(unsigned)ES_CSR_UPPER;
    return low == ES_CSR_MCYCLE || low == ES_CSR_MINSTRET || (low >= ES_CSR_CYCLE && low <= ES_CSR_CYCLE + 2);
}
