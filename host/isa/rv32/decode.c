/* RV32I with M, A, F, D, Zicsr, bit manipulation and vectors, as far as control flow, addresses and memory need them.
 * What an extension adds to the opcodes of arithmetic is computed from its operands and nothing else. */
#include "isa/rv32/fields.h"
#include "isa/rv32/rv32.h"
#include "rv32_defs.h"

enum {
    OPCODE_LOAD = 0x03,
    OPCODE_LOAD_FP = 0x07,
    OPCODE_MISC_MEM = 0x0F,
    OPCODE_OP_IMM = 0x13,
    OPCODE_AUIPC = 0x17,
    OPCODE_STORE = 0x23,
    OPCODE_STORE_FP = 0x27,
    OPCODE_AMO = 0x2F,
    OPCODE_OP = 0x33,
    OPCODE_LUI = 0x37,
    OPCODE_MADD = 0x43,
    OPCODE_MSUB = 0x47,
    OPCODE_NMSUB = 0x4B,
    OPCODE_NMADD = 0x4F,
    OPCODE_OP_FP = 0x53,
    OPCODE_OP_V = 0x57,
    OPCODE_BRANCH = 0x63,
    OPCODE_JALR = 0x67,
    OPCODE_JAL = 0x6F,
    OPCODE_SYSTEM = 0x73,
    OPCODE_LONGER = 0x7F
};

enum { EBREAK = 0x00100073, WFI = 0x10500073 };

enum { FUNCT7_BASE = 0, FUNCT7_M = 1, FUNCT7_SHIFT_ADD = 0x10, FUNCT7_ALTERNATIVE = 0x20 };

static unsigned rd_of(uint32_t word)
{
    return rv32_field(word, 7, 5);
}

static unsigned funct3_of(uint32_t word)
{
    return rv32_field(word, 12, 3);
}

static unsigned rs1_of(uint32_t word)
{
    return rv32_field(word, 15, 5);
}

static unsigned rs2_of(uint32_t word)
{
    return rv32_field(word, 20, 5);
}

static int32_t immediate_of(uint32_t word) /* of format I */
{
    return rv32_sign_extend(word >> 20, 12);
}

static es_insn made(es_insn_kind kind, uint32_t word)
{
    return (es_insn){.kind = kind, .size = 4, .rd = (uint8_t)rd_of(word)};
}

static es_insn_op op_of(uint32_t word, unsigned funct7, bool immediate)
{
    static const es_insn_op base[] = {
        ES_ALU_ADD, ES_ALU_SHIFT_LEFT,  ES_ALU_LESS, ES_ALU_LESS_UNSIGNED,
        ES_ALU_XOR, ES_ALU_SHIFT_RIGHT, ES_ALU_OR,   ES_ALU_AND,
    };
    unsigned funct3 = funct3_of(word);
    if (funct7 == FUNCT7_BASE)
        return base[funct3];
    if (funct7 == FUNCT7_M && !immediate)
        return funct3 == 0 ? ES_ALU_MULTIPLY : funct3 < 4 ? ES_ALU_MULTIPLY_HIGH : ES_ALU_DIVIDE;
    if (funct7 == FUNCT7_SHIFT_ADD && !immediate && funct3 && funct3 % 2 == 0)
        return ES_ALU_SHIFT_ADD; /* sh1add to sh3add */
    if (funct7 == FUNCT7_ALTERNATIVE && funct3 == 0 && !immediate)
        return ES_ALU_SUBTRACT;
    return funct7 == FUNCT7_ALTERNATIVE && funct3 == 5 ? ES_ALU_SHIFT_ARITHMETIC : ES_ALU_OTHER;
}

static es_insn decode_compute(uint32_t word, bool immediate)
{
    es_insn insn = made(ES_INSN_COMPUTE, word);
    bool shift = funct3_of(word) == 1 || funct3_of(word) == 5;
    insn.rs1 = (uint8_t)rs1_of(word);
    insn.immediate = immediate;
    insn.op = (uint8_t)op_of(word, immediate && !shift ? FUNCT7_BASE : word >> 25, immediate);
    if (!immediate)
        insn.rs2 = (uint8_t)rs2_of(word);
    if (insn.op == ES_ALU_SHIFT_ADD)
        insn.imm = (int32_t)funct3_of(word) / 2;
    else if (immediate)
        insn.imm = shift ? (int32_t)rs2_of(word) : immediate_of(word);
    return insn;
}

static es_insn decode_load(uint32_t word, bool foreign)
{
    es_insn insn = made(ES_INSN_LOAD, word);
    unsigned funct3 = funct3_of(word);
    if (!foreign && (funct3 == 3 || funct3 > 5)) /* of RV64 */
        return made(ES_INSN_OTHER, word);
    insn.rs1 = (uint8_t)rs1_of(word);
    insn.imm = immediate_of(word);
    insn.is_signed = !foreign && funct3 < 3;
    insn.foreign = foreign;
    if (!foreign)
        insn.bytes = (uint8_t)(1u << (funct3 & 3));
    else if (funct3 >= 1 && funct3 <= 4) /* flh to flq; the others are vectors */
        insn.bytes = (uint8_t)(1u << funct3);
    if (foreign) {
        insn.rd = 0;
        insn.foreign_rd =
            (uint8_t)(insn.bytes ? ES_INSN_FOREIGN + rd_of(word) : 0); /* vectors have a file of their own */
    }
    return insn;
}

static es_insn decode_store(uint32_t word, bool foreign)
{
    es_insn insn = made(ES_INSN_STORE, word);
    unsigned funct3 = funct3_of(word);
    insn.rd = 0;
    insn.rs1 = (uint8_t)rs1_of(word);
    insn.rs2 = (uint8_t)rs2_of(word);
    insn.imm = rv32_sign_extend(word >> 25 << 5 | rd_of(word), 12);
    insn.foreign = foreign;
    if (funct3 - foreign <= 2) /* from sb, fsh on; the others are vectors */
        insn.bytes = (uint8_t)(1u << funct3);
    return insn;
}

static es_insn decode_atomic(uint32_t word)
{
    enum { LOAD_RESERVED = 2, PAIR = 3 };
    unsigned funct3 = funct3_of(word);
    if (funct3 == PAIR) /* amocas.d: a pair of registers, which no other kind has */
        return (es_insn){.kind = ES_INSN_SEVERAL, .size = 4};
    if (funct3 > PAIR)
        return made(ES_INSN_UNKNOWN, word);
    es_insn insn = made(word >> 27 == LOAD_RESERVED ? ES_INSN_LOAD : ES_INSN_ATOMIC, word);
    insn.rs1 = (uint8_t)rs1_of(word);
    insn.rs2 = (uint8_t)(insn.kind == ES_INSN_ATOMIC ? rs2_of(word) : 0);
    insn.bytes = (uint8_t)(1u << funct3);
    insn.is_signed = insn.kind == ES_INSN_LOAD;
    return insn;
}

static es_insn decode_branch(uint32_t word)
{
    static const es_insn_condition conditions[] = {
        ES_IF_EQUAL, ES_IF_NOT_EQUAL, ES_IF_SOMETHING,     ES_IF_SOMETHING,
        ES_IF_LESS,  ES_IF_NOT_LESS,  ES_IF_LESS_UNSIGNED, ES_IF_NOT_LESS_UNSIGNED,
    };
    return (es_insn){
        .kind = ES_INSN_BRANCH,
        .size = 4,
        .rs1 = (uint8_t)rs1_of(word),
        .rs2 = (uint8_t)rs2_of(word),
        .condition = (uint8_t)conditions[funct3_of(word)],
        .imm = rv32_sign_extend(rv32_field(word, 31, 1) << 12 | rv32_field(word, 7, 1) << 11 |
                                    rv32_field(word, 25, 6) << 5 | rv32_field(word, 8, 4) << 1,
                                13),
    };
}

static es_insn decode_jal(uint32_t word)
{
    es_insn insn = made(rv32_is_link(rd_of(word)) ? ES_INSN_CALL : ES_INSN_JUMP, word);
    insn.imm = rv32_sign_extend(rv32_field(word, 31, 1) << 20 | rv32_field(word, 12, 8) << 12 |
                                    rv32_field(word, 20, 1) << 11 | rv32_field(word, 21, 10) << 1,
                                21);
    return insn;
}

static es_insn decode_control(uint32_t word)
{
    enum { MSTATUS = 0x300, MTVEC = 0x305 };
    static const uint16_t numbers[] = {0x304, 0x341, 0x342, 0x344, 0xB00, 0xB02,
                                       0xB80, 0xC00, 0xC01, 0xC02, 0xC80, 0xF14};
    es_insn insn = made(ES_INSN_CONTROL, word);
    uint32_t csr = word >> 20;
    insn.imm = (int32_t)csr;
    insn.rs1 = (uint8_t)(funct3_of(word) < 4 ? rs1_of(word) : 0);
    insn.writes = rv32_field(word, 12, 2) == 1 || rs1_of(word); /* csrrs, csrrc with x0 or 0 only read */
    insn.control = csr == MSTATUS ? ES_CONTROL_INTERRUPTS : csr == MTVEC ? ES_CONTROL_HANDLER : ES_CONTROL_ANYTHING;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (csr == numbers[i])
            insn.control = ES_CONTROL_NUMBER;
    return insn;
}

static es_insn decode_system(uint32_t word)
{
    if (rv32_field(word, 12, 2))
        return decode_control(word);
    switch (word) {
    case ES_RV32_MRET: return made(ES_INSN_TRAP_RETURN, word);
    case EBREAK: return made(ES_INSN_BREAK, word);
    case WFI: return made(ES_INSN_WAIT, word);
    default: return made(ES_INSN_TRAP, word);
    }
}

/* What changes a register of floating point, or with Zfinx one for integers; of doubles, two of these. */
static es_insn float_result(uint32_t word, unsigned with)
{
    enum { DOUBLE = 1 };
    es_insn insn = made(ES_INSN_OTHER, word);
    if (with & RV32_WITH_ZFINX && rv32_field(word, 25, 2) == DOUBLE)
        return (es_insn){.kind = ES_INSN_SEVERAL, .size = 4};
    if (with & RV32_WITH_ZFINX)
        return insn;
    insn.rd = 0;
    insn.foreign_rd = (uint8_t)(ES_INSN_FOREIGN + rd_of(word));
    return insn;
}

/* Floating point: rd is no integer register but of moves to one, comparisons, classes and conversions to integers. */
static es_insn decode_float(uint32_t word, unsigned with)
{
    unsigned funct5 = rv32_field(word, 27, 5);
    return funct5 == 0x14 || funct5 == 0x18 || funct5 == 0x1C ? made(ES_INSN_OTHER, word) : float_result(word, with);
}

/* Vectors: rd is an integer register of vset and of what counts or takes the first element (vmv.x.s). */
static es_insn decode_vector(uint32_t word)
{
    enum { TO_INTEGER = 2, SET = 7, TO_FLOAT = 1, FIRST = 0x10 };
    es_insn insn = made(ES_INSN_OTHER, word);
    unsigned funct3 = funct3_of(word), funct6 = word >> 26;
    if (funct3 == TO_FLOAT && funct6 == FIRST) /* vfmv.f.s */
        insn.foreign_rd = (uint8_t)(ES_INSN_FOREIGN + rd_of(word));
    if (funct3 != SET && !(funct3 == TO_INTEGER && funct6 == FIRST))
        insn.rd = 0;
    return insn;
}

es_insn es_rv32_decode(uint32_t word, unsigned with)
{
    es_insn insn;
    switch (word & 0x7F) {
    case OPCODE_LUI:
    case OPCODE_AUIPC:
        insn = made((word & 0x7F) == OPCODE_LUI ? ES_INSN_CONSTANT : ES_INSN_ADDRESS, word);
        insn.imm = (int32_t)(word & 0xFFFFF000u);
        return insn;
    case OPCODE_OP_IMM: return decode_compute(word, true);
    case OPCODE_OP: return decode_compute(word, false);
    case OPCODE_LOAD: return decode_load(word, false);
    case OPCODE_LOAD_FP: return decode_load(word, true);
    case OPCODE_STORE: return decode_store(word, false);
    case OPCODE_STORE_FP: return decode_store(word, true);
    case OPCODE_BRANCH: return decode_branch(word);
    case OPCODE_JAL: return decode_jal(word);
    case OPCODE_JALR: return rv32_jump_register(4, rd_of(word), rs1_of(word), immediate_of(word));
    case OPCODE_AMO: return decode_atomic(word);
    case OPCODE_MISC_MEM:
        insn = made(ES_INSN_FENCE, word);
        insn.rd = 0;
        return insn;
    case OPCODE_MADD:
    case OPCODE_MSUB:
    case OPCODE_NMSUB:
    case OPCODE_NMADD: return float_result(word, with);
    case OPCODE_OP_FP: return decode_float(word, with);
    case OPCODE_OP_V: return decode_vector(word);
    case OPCODE_SYSTEM: return decode_system(word);
    case OPCODE_LONGER: return (es_insn){.kind = ES_INSN_ILLEGAL, .size = 4};
    default: return made(ES_INSN_UNKNOWN, word);
    }
}
