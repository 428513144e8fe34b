/* Loops that walk through memory, as those that copy and clear: a word that they may write is written once. */
#include "check/events/checker.h"
#include "check/target/loops.h"

typedef struct round {
    const es_check_program *program;
    const es_check_counted *loop;
    size_t first, nodes; /* of the procedure */
} round;

static bool is_inside(const round *r, size_t node)
{
    return node >= r->first && node < r->first + r->nodes && r->loop->inside[node - r->first];
}

/* No loop is inside, and nothing is called: then each of its instructions runs once in a round at most. */
static bool is_innermost(const round *r, const es_check_counted *loops, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (loops[i].head != r->loop->head && is_inside(r, loops[i].head))
            return false;
    for (size_t i = r->first; i < r->first + r->nodes; i++) {
        const es_check_node *node = &r->program->nodes[i];
        for (size_t e = node->first_edge; e < node->first_edge + node->edge_count && is_inside(r, i); e++)
            if (r->program->edges[e].kind == CHECK_EDGE_CALL)
                return false;
    }
    return true;
}

/* Whether a way leads from the head back to it that does not go through the node. */
static bool goes_around(const round *r, size_t without, es_arena *arena)
{
    bool *seen = es_arena_alloc(arena, r->nodes + 1), more = r->loop->head != without;
    seen[r->loop->head - r->first] = more;
    while (more) {
        more = false;
        for (size_t i = r->first; i < r->first + r->nodes; i++) {
            const es_check_node *node = &r->program->nodes[i];
            for (size_t e = node->first_edge; e < node->first_edge + node->edge_count && seen[i - r->first]; e++) {
                const es_check_edge *edge = &r->program->edges[e];
                if (edge->kind != CHECK_EDGE_NEXT || !is_inside(r, edge->to) || edge->to == without)
                    continue;
                if (edge->to == r->loop->head)
                    return true;
                more |= !seen[edge->to - r->first];
                seen[edge->to - r->first] = true;
            }
        }
    }
    return false;
}

/* Whether the loop may be come to without one of the instructions that give the register a number. */
static bool comes_without(const round *r, unsigned reg, es_arena *arena)
{
    bool *seen = es_arena_alloc(arena, r->nodes + 1), more = true;
    seen[0] = true;
    while (more) {
        more = false;
        for (size_t i = r->first; i < r->first + r->nodes; i++) {
            const es_check_node *node = &r->program->nodes[i];
            for (size_t e = node->first_edge; e < node->first_edge + node->edge_count && seen[i - r->first]; e++) {
                const es_check_edge *edge = &r->program->edges[e];
                if (edge->kind != CHECK_EDGE_NEXT || node->insn.rd == reg)
                    continue;
                more |= !seen[edge->to - r->first];
                seen[edge->to - r->first] = true;
            }
        }
    }
    return seen[r->loop->head - r->first];
}

/* The least amount of a register in the loop that holds one of some numbers there, as where a direction was chosen; 0:
 * it may hold something else. */
static uint32_t least_of(const round *r, unsigned reg, es_arena *arena)
{
    uint32_t least = UINT32_MAX;
    for (size_t i = r->first; i < r->first + r->nodes; i++) {
        const es_check_node *node = &r->program->nodes[i];
        es_insn insn = node->insn;
        for (size_t e = node->first_edge; e < node->first_edge + node->edge_count; e++)
            if (r->program->edges[e].kind == CHECK_EDGE_CALL)
                return 0;
        if (insn.rd != reg)
            continue;
        bool number = insn.kind == ES_INSN_CONSTANT || (es_insn_adds(insn) && !insn.rs1);
        if (!number || is_inside(r, i))
            return 0;
        int64_t is = insn.imm;
        uint32_t amount = (uint32_t)(is < 0 ? -is : is);
        least = amount < least ? amount : least;
    }
    return least == UINT32_MAX || comes_without(r, reg, arena) ? 0 : least;
}

/* By how much a register changes in each round, at least, always in the same direction; 0: it may not. */
static uint32_t stride_of(const round *r, unsigned reg, es_arena *arena)
{
    size_t changes = CHECK_NONE;
    for (size_t i = r->first; i < r->first + r->nodes; i++) {
        if (!is_inside(r, i) || r->program->nodes[i].insn.rd != reg)
            continue;
        if (changes != CHECK_NONE)
            return 0;
        changes = i;
    }
    if (!reg || changes == CHECK_NONE || goes_around(r, changes, arena))
        return 0;
    es_insn insn = r->program->nodes[changes].insn;
    int64_t by = insn.imm;
    if (es_insn_adds(insn) && insn.rs1 == reg)
        return (uint32_t)(by < 0 ? -by : by);
    if (es_insn_sums(insn) && (insn.rs1 == reg) != (insn.rs2 == reg))
        return least_of(r, insn.rs1 == reg ? insn.rs2 : insn.rs1, arena);
    return 0;
}

/* How many armed words the node's store may go to. */
static uint32_t words_of(const checker *c, const es_check_node *node)
{
    uint32_t words = 0;
    for (size_t i = 0; i < c->image->key_count; i++)
        words += !c->image->keys[i].fetch && es_checker_may_store(c, node, i);
    return words;
}

static void add_sweeps(checker *c, const round *r)
{
    es_arena *arena = c->report->arena;
    for (size_t i = r->first; i < r->first + r->nodes; i++) {
        const es_check_node *node = &c->program.nodes[i];
        es_insn insn = node->insn;
        unsigned bytes = es_check_aims_bytes(insn);
        if (!is_inside(r, i) || !node->store || insn.kind != ES_INSN_STORE || insn.foreign || bytes > 4)
            continue;
        uint32_t apart = stride_of(r, insn.rs1, arena), words = apart ? words_of(c, node) : 0;
        if (!words)
            continue;
        /* the least that a word takes, and its neighbour's bytes, if the store is not aligned */
        uint32_t times = words * ((3 + bytes + apart - 1) / apart);
        if (times >= r->loop->rounds)
            continue;
        c->sweeps = es_arena_grow(arena, c->sweeps, c->sweep_count, sizeof *c->sweeps);
        c->sweeps[c->sweep_count++] =
            (es_check_sweep){.node = i, .head = r->loop->head, .inside = r->loop->inside, .times = times};
    }
}

static uint32_t bound_of(const checker *c, size_t head)
{
    for (size_t i = 0; i < c->program.counted_count; i++)
        if (c->program.counted[i].head == head)
            return c->program.counted[i].rounds;
    return CHECK_ROUNDS_UNKNOWN;
}

/* Not where words move while the loop runs, or another task may run meanwhile. */
void es_checker_find_sweeps(checker *c)
{
    const es_check_program *program = &c->program;
    for (size_t p = 0; p < program->procedure_count && !c->slots && !c->tasks; p++) {
        es_check_counted *loops;
        size_t loop_count, *order, count;
        if (p == program->entry || !program->procedures[p].reached ||
            !es_check_loops_natural(program, p, &loops, &loop_count, &order, &count))
            continue;
        for (size_t i = 0; i < loop_count; i++) {
            round r = {.program = program,
                       .loop = &loops[i],
                       .first = program->procedures[p].first_node,
                       .nodes = program->procedures[p].node_count};
            loops[i].rounds = bound_of(c, loops[i].head);
            if (loops[i].head != r.first && is_innermost(&r, loops, loop_count))
                add_sweeps(c, &r);
        }
    }
}
