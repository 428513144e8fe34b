#include "check/target/table.h"

enum { BEFORE_MAX = 40, ENTRIES_MAX = 1024 };

/* The last instruction before node i, in the order of addresses, that writes a register; CHECK_NONE: none near. */
static size_t writer_of(const es_check_program *program, size_t i, unsigned reg)
{
    size_t first = program->procedures[program->nodes[i].procedure].first_node;
    for (size_t left = BEFORE_MAX; left && i > first; left--) {
        i--;
        if (program->nodes[i].insn.rd == reg)
            return i;
    }
    return CHECK_NONE;
}

/* An address or constant, made in one step or two. */
static bool constant_of(const es_check_program *program, size_t i, unsigned reg, uint32_t *number)
{
    size_t low = writer_of(program, i, reg);
    if (low == CHECK_NONE)
        return false;
    es_insn add = program->nodes[low].insn;
    if (!es_insn_adds(add))
        return false;
    *number = (uint32_t)add.imm;
    if (add.rs1 == 0)
        return true;
    size_t high = writer_of(program, low, add.rs1);
    if (high == CHECK_NONE)
        return false;
    es_insn upper = program->nodes[high].insn;
    if (upper.kind == ES_INSN_ADDRESS)
        *number += program->nodes[high].address;
    else if (upper.kind != ES_INSN_CONSTANT)
        return false;
    *number += (uint32_t)upper.imm;
    return true;
}

/* The index's highest value, which a comparison before the jump has made sure of: if limit < index, unsigned, to
 * elsewhere. */
static bool limit_of(const es_check_program *program, size_t from, uint32_t *most)
{
    size_t first = program->procedures[program->nodes[from].procedure].first_node, i = from;
    for (size_t left = BEFORE_MAX; left && i > first; left--) {
        i--;
        es_insn insn = program->nodes[i].insn;
        if (insn.kind != ES_INSN_BRANCH)
            continue;
        return insn.condition == ES_IF_LESS_UNSIGNED && constant_of(program, i, insn.rs1, most);
    }
    return false;
}

/* What an instruction adds to something that is not known. */
static bool base_of(const es_check_program *program, size_t i, uint32_t *base)
{
    es_insn add = program->nodes[i].insn;
    return es_insn_sums(add) && (constant_of(program, i, add.rs2, base) || constant_of(program, i, add.rs1, base));
}

/* The table of a jump: its base, and whether its entries are distances from there (the jump goes to a sum), not
 * addresses (it goes to what was loaded from a sum). */
static bool table_of(const es_check_program *program, size_t from, uint32_t *base, bool *distances)
{
    size_t made = writer_of(program, from, program->nodes[from].insn.rs1);
    if (made == CHECK_NONE)
        return false;
    es_insn load = program->nodes[made].insn;
    *distances = load.kind != ES_INSN_LOAD;
    if (*distances)
        return base_of(program, made, base);
    size_t sum = writer_of(program, made, load.rs1);
    if (load.bytes != 4 || sum == CHECK_NONE || !base_of(program, sum, base))
        return false;
    *base += (uint32_t)load.imm;
    return true;
}

size_t es_check_table_targets(const es_check_program *program, size_t from, uint32_t **targets)
{
    const es_check_procedure *own = &program->procedures[program->nodes[from].procedure];
    es_insn jump = program->nodes[from].insn;
    uint32_t base, most;
    bool distances;
    if (jump.imm || !limit_of(program, from, &most) || most >= ENTRIES_MAX ||
        !table_of(program, from, &base, &distances))
        return 0;
    *targets = es_arena_alloc(program->arena, (most + 1) * sizeof **targets);
    for (uint32_t i = 0; i <= most; i++) {
        uint32_t entry;
        if (!es_symbols_data_word(program->symbols, base + 4 * i, &entry))
            return 0;
        (*targets)[i] = distances ? base + entry : entry;
        if ((*targets)[i] % program->isa->smallest || (*targets)[i] < own->procedure->low ||
            (*targets)[i] >= own->procedure->high)
            return 0;
    }
    return most + 1;
}
