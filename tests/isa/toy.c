#include "toy.h"

static const char *const names[] = {"-",  "r1", "r2",  "r3",  "r4",  "r5",  "r6",  "r7",
                                    "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"};

enum { LINK = 9, FRAME = 13, STACK = 14 };

static es_insn decode(const uint8_t *bytes, size_t count)
{
    uint8_t a = bytes[1] & 15, b = bytes[2] & 15;
    int32_t c = (int8_t)bytes[3], bc = (int16_t)(bytes[2] << 8 | bytes[3]);
    (void)count;
    switch (bytes[0]) {
    case TOY_SET: return (es_insn){.kind = ES_INSN_CONSTANT, .size = 4, .rd = a, .imm = bc};
    case TOY_ADD:
        return (es_insn){
            .kind = ES_INSN_COMPUTE, .op = ES_ALU_ADD, .size = 4, .rd = a, .rs1 = b, .immediate = true, .imm = c};
    case TOY_SUM:
        return (es_insn){.kind = ES_INSN_COMPUTE, .op = ES_ALU_ADD, .size = 4, .rd = a, .rs1 = b, .rs2 = c & 15};
    case TOY_LOAD: return (es_insn){.kind = ES_INSN_LOAD, .size = 4, .rd = a, .rs1 = b, .bytes = 4, .imm = c};
    case TOY_STORE: return (es_insn){.kind = ES_INSN_STORE, .size = 4, .rs2 = a, .rs1 = b, .bytes = 4, .imm = c};
    case TOY_CALL: return (es_insn){.kind = ES_INSN_CALL, .size = 4, .rd = LINK, .imm = 4 * bc};
    case TOY_GO: return (es_insn){.kind = ES_INSN_JUMP, .size = 4, .imm = 4 * bc};
    case TOY_GO_TO: return (es_insn){.kind = ES_INSN_JUMP_REGISTER, .size = 4, .rs1 = a};
    case TOY_RETURN: return (es_insn){.kind = ES_INSN_RETURN, .size = 4, .rs1 = LINK};
    case TOY_LESS:
        return (es_insn){.kind = ES_INSN_BRANCH, .condition = ES_IF_LESS, .size = 4, .rs1 = a, .rs2 = b, .imm = 4 * c};
    case TOY_RESUME: return (es_insn){.kind = ES_INSN_TRAP_RETURN, .size = 4};
    default: return (es_insn){.kind = ES_INSN_ILLEGAL, .size = 4};
    }
}

#define SAVED (1u << 10 | 1u << 11 | 1u << FRAME)

const es_isa toy = {
    .name = "Toy",
    .executable = "toy",
    .family = "Toy",
    .options = "-",
    .machine = 0xFEED,
    .smallest = 4,
    .largest = 4,
    .registers = 16,
    .names = names,
    .name_count = 16,
    .stack = STACK,
    .frame = FRAME,
    .link = LINK,
    .argument = 4,
    .arguments = 3,
    .results = 1,
    .saved = SAVED,
    .kept = SAVED | 1u << STACK | 1u,
    .evidence = {.call_mask = 0xFF, .call_bits = TOY_CALL, .a_return = TOY_RETURN, .trap_return = TOY_RESUME},
    .decode = decode,
};
