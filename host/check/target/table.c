#include "check/target/table.h"

#include "symbols/decode.h"

enum { BEFORE_MAX = 40, ENTRIES_MAX = 1024 };

/* The last instruction before node i, in the order of addresses, that writes a register; CHECK_NONE: none near. */
static size_t writer_of(const es_check_program *program, size_t i, unsigned reg)
{
    size_t first = program->procedures[program->nodes[i].procedure].first_node;
    for (size_t left = BEFORE_MAX; left && i > first; left--) {
        i--;
        if (es_symbols_decode(program->nodes[i].word).rd == reg)
            return i;
    }
    return CHECK_NONE;
}

/* auipc or lui, then addi. */
static bool constant_of(const es_check_program *program, size_t i, unsigned reg, uint32_t *number)
{
    size_t low = writer_of(program, i, reg);
    if (low == CHECK_NONE)
        return false;
    symbols_insn add = es_symbols_decode(program->nodes[low].word);
    if (add.op != SYMBOLS_OP_ADDI)
        return false;
    *number = (uint32_t)add.imm;
    if (add.rs1 == 0)
        return true;
    size_t high = writer_of(program, low, add.rs1);
    if (high == CHECK_NONE)
        return false;
    symbols_insn upper = es_symbols_decode(program->nodes[high].word);
    if (upper.op == SYMBOLS_OP_AUIPC)
        *number += program->nodes[high].address;
    else if (upper.op != SYMBOLS_OP_LUI)
        return false;
    *number += (uint32_t)upper.imm;
    return true;
}

/* The index's highest value, which a comparison before the jump has made sure of: bltu limit, index to elsewhere. */
static bool limit_of(const es_check_program *program, size_t from, uint32_t *most)
{
    size_t first = program->procedures[program->nodes[from].procedure].first_node, i = from;
    for (size_t left = BEFORE_MAX; left && i > first; left--) {
        i--;
        symbols_insn insn = es_symbols_decode(program->nodes[i].word);
        if (insn.op != SYMBOLS_OP_BRANCH)
            continue;
        return (program->nodes[i].word >> 12 & 7) == 6 && constant_of(program, i, insn.rs1, most);
    }
    return false;
}

size_t es_check_table_targets(const es_check_program *program, size_t from, uint32_t **targets)
{
    const es_check_procedure *own = &program->procedures[program->nodes[from].procedure];
    symbols_insn jump = es_symbols_decode(program->nodes[from].word);
    uint32_t base, most;
    size_t sum = writer_of(program, from, jump.rs1);
    if (sum == CHECK_NONE || jump.imm || !limit_of(program, from, &most) || most >= ENTRIES_MAX)
        return 0;
    symbols_insn add = es_symbols_decode(program->nodes[sum].word);
    if (add.op != SYMBOLS_OP_ADD ||
        (!constant_of(program, sum, add.rs2, &base) && !constant_of(program, sum, add.rs1, &base)))
        return 0;
    *targets = es_arena_alloc(program->arena, (most + 1) * sizeof **targets);
    for (uint32_t i = 0; i <= most; i++) {
        uint32_t distance;
        if (!es_symbols_word(program->symbols, base + 4 * i, &distance))
            return 0;
        (*targets)[i] = base + distance;
        if ((*targets)[i] % 4 || (*targets)[i] < own->procedure->low || (*targets)[i] >= own->procedure->high)
            return 0;
    }
    return most + 1;
}
