/* Exact operations (isa/rv32/operation.h) against what analyses of code see (es_insn): both are decoders of their own, and
 * have to say the same of all instructions of 16 bits, and of random ones of 32. */
#include <stdio.h>

#include "draw.h"
#include "isa/rv32/operation.h"
#include "isa/rv32/rv32.h"

enum { LONG_ONES = 2000000 };

static const uint8_t computes[ES_OPS] = {
    [ES_OP_ADD] = ES_ALU_ADD,
    [ES_OP_SUB] = ES_ALU_SUBTRACT,
    [ES_OP_SLL] = ES_ALU_SHIFT_LEFT,
    [ES_OP_SLT] = ES_ALU_LESS,
    [ES_OP_SLTU] = ES_ALU_LESS_UNSIGNED,
    [ES_OP_XOR] = ES_ALU_XOR,
    [ES_OP_SRL] = ES_ALU_SHIFT_RIGHT,
    [ES_OP_SRA] = ES_ALU_SHIFT_ARITHMETIC,
    [ES_OP_OR] = ES_ALU_OR,
    [ES_OP_AND] = ES_ALU_AND,
    [ES_OP_MUL] = ES_ALU_MULTIPLY,
    [ES_OP_MULH] = ES_ALU_MULTIPLY_HIGH,
    [ES_OP_MULHSU] = ES_ALU_MULTIPLY_HIGH,
    [ES_OP_MULHU] = ES_ALU_MULTIPLY_HIGH,
    [ES_OP_DIV] = ES_ALU_DIVIDE,
    [ES_OP_DIVU] = ES_ALU_DIVIDE,
    [ES_OP_REM] = ES_ALU_DIVIDE,
    [ES_OP_REMU] = ES_ALU_DIVIDE,
    [ES_OP_SH1ADD] = ES_ALU_SHIFT_ADD,
    [ES_OP_SH2ADD] = ES_ALU_SHIFT_ADD,
    [ES_OP_SH3ADD] = ES_ALU_SHIFT_ADD,
};
static const uint8_t conditions[] = {ES_IF_EQUAL,    ES_IF_NOT_EQUAL,     ES_IF_LESS,
                                     ES_IF_NOT_LESS, ES_IF_LESS_UNSIGNED, ES_IF_NOT_LESS_UNSIGNED};
static const uint8_t bytes[] = {1, 2, 4, 1, 2, 1, 2, 4}; /* from LB to SW */

static bool is_jump(es_insn insn)
{
    return es_insn_is_transfer(insn) && insn.kind != ES_INSN_BRANCH;
}

static bool same_compute(es_rv32_operation op, es_insn insn)
{
    if (op.op == ES_OP_ZEXT_H && insn.op == ES_ALU_AND) /* as c.zext.h is told */
        return insn.immediate && insn.imm == 0xFFFF && insn.rd == op.rd && insn.rs1 == op.rs1;
    return insn.kind == ES_INSN_COMPUTE && insn.op == computes[op.op] && insn.rd == op.rd && insn.rs1 == op.rs1 &&
           (!computes[op.op] || insn.op == ES_ALU_SHIFT_ADD || insn.immediate == op.immediate) &&
           (op.immediate ? !computes[op.op] || insn.imm == op.imm : !computes[op.op] || insn.rs2 == op.rs2);
}

static bool same(es_rv32_operation op, es_insn insn)
{
    bool load = op.op >= ES_OP_LB && op.op <= ES_OP_LHU, store = op.op >= ES_OP_SB && op.op <= ES_OP_SW;
    if (insn.size != op.size)
        return false;
    if (op.op >= ES_OP_ADD && op.op <= ES_OP_UNZIP)
        return same_compute(op, insn);
    if (load || store)
        return insn.kind == (load ? ES_INSN_LOAD : ES_INSN_STORE) && insn.rd == op.rd && insn.rs1 == op.rs1 &&
               insn.rs2 == op.rs2 && insn.imm == op.imm && insn.bytes == bytes[op.op - ES_OP_LB] && !insn.foreign &&
               insn.is_signed == (load && op.op <= ES_OP_LW);
    if (op.op >= ES_OP_BEQ && op.op <= ES_OP_BGEU)
        return insn.kind == ES_INSN_BRANCH && insn.rs1 == op.rs1 && insn.rs2 == op.rs2 && insn.imm == op.imm &&
               insn.condition == conditions[op.op - ES_OP_BEQ];
    if (op.op >= ES_OP_AMOSWAP && op.op <= ES_OP_AMOMAXU)
        return insn.kind == ES_INSN_ATOMIC && insn.rd == op.rd && insn.rs1 == op.rs1 && insn.rs2 == op.rs2;
    if (op.op >= ES_OP_FMADD && op.op <= ES_OP_FMV_W_X)
        return insn.kind == ES_INSN_OTHER &&
               (insn.rd ? insn.rd == op.rd : !insn.foreign_rd || insn.foreign_rd == 32 + op.rd);
    switch (op.op) {
    case ES_OP_ILLEGAL: return true; /* analyses know more of encodings, and tell no reserved ones apart */
    case ES_OP_CONSTANT: return insn.kind == ES_INSN_CONSTANT && insn.rd == op.rd && insn.imm == op.imm;
    case ES_OP_ADDRESS: return insn.kind == ES_INSN_ADDRESS && insn.rd == op.rd && insn.imm == op.imm;
    case ES_OP_JAL: return is_jump(insn) && !es_insn_by_register(insn) && insn.rd == op.rd && insn.imm == op.imm;
    case ES_OP_JALR:
        return is_jump(insn) && es_insn_by_register(insn) && insn.rd == op.rd && insn.rs1 == op.rs1 &&
               insn.imm == op.imm;
    case ES_OP_LR: return insn.kind == ES_INSN_LOAD && insn.rd == op.rd && insn.rs1 == op.rs1;
    case ES_OP_SC: return insn.kind == ES_INSN_ATOMIC && insn.rd == op.rd && insn.rs2 == op.rs2;
    case ES_OP_FLOAD:
        return insn.kind == ES_INSN_LOAD && insn.foreign_rd == 32 + op.rd && insn.rs1 == op.rs1 && insn.imm == op.imm;
    case ES_OP_FSTORE: return insn.kind == ES_INSN_STORE && insn.foreign && insn.rs2 == op.rs2 && insn.imm == op.imm;
    case ES_OP_CSR_WRITE:
    case ES_OP_CSR_SET:
    case ES_OP_CSR_CLEAR:
        return insn.kind == ES_INSN_CONTROL && insn.rd == op.rd && insn.imm == op.imm &&
               insn.writes == (op.op == ES_OP_CSR_WRITE || op.rs1);
    case ES_OP_FENCE:
    case ES_OP_FENCE_I: return insn.kind == ES_INSN_FENCE;
    case ES_OP_ECALL: return insn.kind == ES_INSN_TRAP;
    case ES_OP_EBREAK: return insn.kind == ES_INSN_BREAK;
    case ES_OP_MRET: return insn.kind == ES_INSN_TRAP_RETURN;
    case ES_OP_WFI: return insn.kind == ES_INSN_WAIT;
    default: return false;
    }
}

static bool check(uint32_t word, unsigned *known)
{
    es_rv32_operation op = es_rv32_operation_of(word, ES_HAS_ALL);
    es_insn insn = es_isa_decode(&es_isa_rv32c, word);
    bool good = insn.kind == ES_INSN_ILLEGAL ? op.op == ES_OP_ILLEGAL : same(op, insn);
    *known += op.op != ES_OP_ILLEGAL;
    if (!good)
        printf("0x%08x: operation %u (rd %u, rs1 %u, rs2 %u, %d), kind %d (rd %u, rs1 %u, rs2 %u, %d)\n", word, op.op,
               op.rd, op.rs1, op.rs2, op.imm, insn.kind, insn.rd, insn.rs1, insn.rs2, insn.imm);
    return good;
}

int main(void)
{
    unsigned wrong = 0, known = 0;
    for (uint32_t half = 0; half < 0x10000; half++)
        wrong += (half & 3) != 3 && !check(half, &known);
    unsigned of_16 = known;
    for (unsigned i = 0; i < LONG_ONES && wrong < 20; i++)
        wrong += !check(draw(UINT32_MAX) | 3, &known);
    printf("%u instructions of 16 bits, %u of 32\n", of_16, known - of_16);
    bool good = !wrong && of_16 > 40000 && known > 500000;
    printf("%d passed, %d failed\n", good, !good);
    return !good;
}
