/* decoded rv32|rv32c|zcm|zfinx < WORDS: what host/isa makes of instruction words: a line for each of them, to be compared with a
 * disassembler's (decode.py). decoded told < WORDS: the words as the probe tells them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "isa/rv32/rv32.h"

static const char *const kinds[] = {
    [ES_INSN_UNKNOWN] = "unknown", [ES_INSN_ILLEGAL] = "illegal",
    [ES_INSN_OTHER] = "other",     [ES_INSN_CONSTANT] = "constant",
    [ES_INSN_ADDRESS] = "address", [ES_INSN_COMPUTE] = "compute",
    [ES_INSN_LOAD] = "load",       [ES_INSN_STORE] = "store",
    [ES_INSN_ATOMIC] = "atomic",   [ES_INSN_BRANCH] = "branch",
    [ES_INSN_JUMP] = "jump",       [ES_INSN_JUMP_REGISTER] = "jump-register",
    [ES_INSN_CALL] = "call",       [ES_INSN_CALL_REGISTER] = "call-register",
    [ES_INSN_RETURN] = "return",   [ES_INSN_TRAP_RETURN] = "trap-return",
    [ES_INSN_CONTROL] = "control", [ES_INSN_FENCE] = "fence",
    [ES_INSN_TRAP] = "trap",       [ES_INSN_BREAK] = "break",
    [ES_INSN_WAIT] = "wait",       [ES_INSN_SEVERAL] = "several",
};
static const char *const ops[] = {
    [ES_ALU_OTHER] = "other",
    [ES_ALU_ADD] = "add",
    [ES_ALU_SHIFT_ADD] = "shadd",
    [ES_ALU_SUBTRACT] = "sub",
    [ES_ALU_MULTIPLY] = "mul",
    [ES_ALU_MULTIPLY_HIGH] = "mulh",
    [ES_ALU_DIVIDE] = "div",
    [ES_ALU_AND] = "and",
    [ES_ALU_OR] = "or",
    [ES_ALU_XOR] = "xor",
    [ES_ALU_SHIFT_LEFT] = "sll",
    [ES_ALU_SHIFT_RIGHT] = "srl",
    [ES_ALU_SHIFT_ARITHMETIC] = "sra",
    [ES_ALU_LESS] = "slt",
    [ES_ALU_LESS_UNSIGNED] = "sltu",
};
static const char *const conditions[] = {
    [ES_IF_EQUAL] = "eq",
    [ES_IF_NOT_EQUAL] = "ne",
    [ES_IF_LESS] = "lt",
    [ES_IF_NOT_LESS] = "ge",
    [ES_IF_LESS_UNSIGNED] = "ltu",
    [ES_IF_NOT_LESS_UNSIGNED] = "geu",
    [ES_IF_SOMETHING] = "something",
};

/* Which of several things it is; "-" where the kind has only one. */
static const char *which(es_insn insn)
{
    static const char *const controls[] = {"anything", "number", "interrupts", "handler"};
    switch (insn.kind) {
    case ES_INSN_COMPUTE: return ops[insn.op];
    case ES_INSN_BRANCH: return conditions[insn.condition];
    case ES_INSN_CONTROL: return controls[insn.control];
    default: return "-";
    }
}

static const es_isa *isa_named(const char *name)
{
    if (strcmp(name, "rv32c") == 0)
        return &es_isa_rv32c;
    if (strcmp(name, "zcm") == 0)
        return &es_isa_rv32c_zcm;
    return strcmp(name, "zfinx") == 0 ? &es_isa_rv32c_zfinx : &es_isa_rv32;
}

int main(int argc, char **argv)
{
    const es_isa *isa = isa_named(argc == 2 ? argv[1] : "rv32");
    uint32_t word;
    while (argc == 2 && strcmp(argv[1], "told") == 0 && fread(&word, sizeof word, 1, stdin) == 1)
        printf("%08" PRIx32 "\n", es_isa_told(&es_isa_rv32c, word));
    while (fread(&word, sizeof word, 1, stdin) == 1) {
        es_insn insn = es_isa_decode(isa, word);
        printf("%s %s %u %u %u %u %u %d %d %d %d %d %d %" PRId32 "\n", kinds[insn.kind], which(insn), insn.size,
               insn.rd, insn.rs1, insn.rs2, insn.bytes, insn.immediate, insn.is_signed, insn.foreign, insn.writes,
               insn.foreign_rd, insn.untold, insn.imm);
    }
    return 0;
}
