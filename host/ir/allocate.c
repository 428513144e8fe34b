/* Registers by colouring of the interference graph, optimistically (Briggs, Cooper, Torczon 1994: "Improvements to
 * Graph Coloring Register Allocation"). A value for which there is no register lives in RAM between its uses. */
#include <stdlib.h>
#include <string.h>

#include "ir/passes.h"

typedef struct allocation {
    es_ir_code *code;
    es_arena *arena;
    size_t count; /* registers, the soft core's first */
    size_t words;
    uint64_t *meets;             /* [a * words]: registers that are live together with a */
    unsigned *degree;            /* ... virtual ones that are still in the graph */
    unsigned *cost;              /* how often a register is read and written */
    uint32_t *forbidden;         /* the soft core's that it may not be */
    es_ir_reg *color;            /* 0: none */
    bool *removed, *short_lived; /* short_lived: made by spilling, and not to be spilled again */
} allocation;

#define NEVER UINT32_MAX

static void meet(allocation *a, size_t x, size_t y)
{
    if (x == y || (x < ES_IR_VIRTUAL && y < ES_IR_VIRTUAL))
        return;
    es_ir_put(a->meets + x * a->words, y);
    es_ir_put(a->meets + y * a->words, x);
}

/* All that is live after an instruction that writes a register has to be elsewhere. */
static void write_meets(allocation *a, const es_ir_liveness *live, size_t at, size_t rd, size_t except)
{
    const uint64_t *after = live->after + at * live->words;
    for (size_t r = 1; r < a->count; r++)
        if (r != except && es_ir_has(after, r))
            meet(a, rd, r);
}

static void note_uses(allocation *a, const es_ir_insn *insn)
{
    es_ir_reads reads = es_ir_reads_of(insn);
    es_ir_reg rd;
    for (unsigned k = 0; k < reads.count; k++)
        a->cost[reads.operand[k]]++;
    if (es_ir_writes(insn, &rd))
        a->cost[rd]++;
}

static void build(allocation *a)
{
    es_ir_liveness live;
    es_ir_code *code = a->code;
    es_ir_find_live(&live, code, a->arena);
    for (size_t i = 0; i < code->count; i++) {
        const es_ir_insn *insn = &code->insns[i];
        es_ir_reg rd;
        note_uses(a, insn);
        if (es_ir_writes(insn, &rd))
            write_meets(a, &live, i, rd, insn->op == ES_IR_COPY ? insn->a : rd);
        uint32_t spoiled = es_ir_is_call(insn) ? insn->gives | insn->spoils : 0;
        for (unsigned r = 1; r < ES_IR_VIRTUAL; r++)
            if (spoiled >> r & 1)
                write_meets(a, &live, i, r, r);
    }
    for (size_t r = 1; r < ES_IR_VIRTUAL; r++) /* what is given at the beginning */
        if (es_ir_has(live.begin, r))
            for (size_t v = ES_IR_VIRTUAL; v < a->count; v++)
                if (es_ir_has(live.begin, v))
                    meet(a, r, v);
    for (size_t v = ES_IR_VIRTUAL; v < a->count; v++) {
        a->forbidden[v] = (uint32_t)a->meets[v * a->words] | ~a->code->allowed;
        for (size_t other = ES_IR_VIRTUAL; other < a->count; other++)
            a->degree[v] += es_ir_has(a->meets + v * a->words, other);
    }
}

static unsigned room(const allocation *a, size_t v)
{
    return (unsigned)__builtin_popcount(~a->forbidden[v]);
}

/* The next one to take out of the graph: one that will surely find a register, else the one whose spilling costs
 * least for what it frees. */
static size_t choose(const allocation *a)
{
    size_t best = 0;
    for (size_t v = ES_IR_VIRTUAL; v < a->count; v++) {
        if (a->removed[v])
            continue;
        if (a->degree[v] < room(a, v))
            return v;
        if (!best || (a->short_lived[best] && !a->short_lived[v]) ||
            (a->short_lived[best] == a->short_lived[v] &&
             (uint64_t)a->cost[v] * (a->degree[best] + 1) < (uint64_t)a->cost[best] * (a->degree[v] + 1)))
            best = v;
    }
    return best;
}

/* A register that makes a copy useless, if there is one. */
static es_ir_reg preferred(const allocation *a, size_t v, uint32_t taken)
{
    for (size_t i = 0; i < a->code->count; i++) {
        const es_ir_insn *insn = &a->code->insns[i];
        if (insn->op != ES_IR_COPY || (insn->rd != v && insn->a != v))
            continue;
        es_ir_reg other = insn->rd == v ? insn->a : insn->rd;
        es_ir_reg color = other < ES_IR_VIRTUAL ? other : a->color[other];
        if (color && !(taken >> color & 1))
            return color;
    }
    return 0;
}

/* The order in which registers are given when nothing is preferred: those that routines of the firmware do not take
 * first. */
static const uint8_t order[] = {11, 12, 13, 14, 15, 16, 17, 29, 30, 31, 5, 28, 7, 6, 10};

static bool give(allocation *a, size_t v)
{
    uint32_t taken = a->forbidden[v];
    for (size_t other = ES_IR_VIRTUAL; other < a->count; other++)
        if (a->color[other] && es_ir_has(a->meets + v * a->words, other))
            taken |= ES_IR_SET(a->color[other]);
    a->color[v] = preferred(a, v, taken);
    for (size_t i = 0; i < sizeof order && !a->color[v]; i++)
        if (!(taken >> order[i] & 1))
            a->color[v] = order[i];
    return a->color[v] != 0;
}

/* Colours the graph; marks what finds no register in `spill`. */
static bool color(allocation *a, bool *spill)
{
    size_t virtual_count = a->count - ES_IR_VIRTUAL,
           *stack = es_arena_alloc(a->arena, (virtual_count + 1) * sizeof *stack);
    bool good = true;
    for (size_t i = 0; i < virtual_count; i++) {
        size_t v = stack[i] = choose(a);
        a->removed[v] = true;
        for (size_t other = ES_IR_VIRTUAL; other < a->count; other++)
            if (!a->removed[other] && es_ir_has(a->meets + v * a->words, other))
                a->degree[other]--;
    }
    for (size_t i = virtual_count; i-- > 0;)
        if (!give(a, stack[i]))
            good = !(spill[stack[i]] = true);
    return good;
}

/* A register that a spilled value has for one instruction. */
static es_ir_reg short_lived(es_ir_code *code, uint32_t *made)
{
    *made += 1;
    return es_ir_new(code);
}

/* Puts values into RAM: each is loaded before and stored after an instruction that names it. */
static uint32_t spill_values(es_ir_code *code, const bool *spill, size_t count)
{
    uint32_t made = 0;
    uint32_t *slot = es_malloc(count * sizeof *slot);
    for (size_t v = 0; v < count; v++)
        slot[v] = spill[v] ? code->spill + 4 * code->spilled++ : 0;
    es_ir_rewrite rewrite;
    es_ir_rewrite_begin(&rewrite, code);
    for (size_t i = 0; i < rewrite.count; i++) {
        es_ir_insn insn = rewrite.old[i];
        es_ir_reads reads = es_ir_reads_of(&insn);
        es_ir_reg rd, written = 0;
        bool writes = es_ir_writes(&insn, &rd) && rd < count && spill[rd];
        for (unsigned k = 0; k < reads.count; k++) {
            es_ir_reg v = reads.operand[k];
            if (v >= count || !spill[v])
                continue;
            es_ir_reg here = short_lived(code, &made);
            es_ir_load(code, ES_IR_LOAD, here, ES_IR_RAM_BASE, (int32_t)slot[v]);
            if (insn.a == v && insn.a != ES_IR_RAM_BASE)
                insn.a = here;
            if (insn.b == v)
                insn.b = here;
            reads.operand[1] = reads.operand[1] == v ? ES_IR_ZERO : reads.operand[1];
        }
        if (writes)
            insn.rd = written = short_lived(code, &made);
        es_ir_keep(code, &insn);
        if (writes)
            es_ir_store(code, ES_IR_STORE, written, ES_IR_RAM_BASE, (int32_t)slot[rd]);
    }
    es_ir_rewrite_end(&rewrite);
    free(slot);
    es_ir_legalize(code);
    return made;
}

/* Leaves out what nobody takes. */
static void remove_dead(es_ir_code *code)
{
    bool removed = true;
    while (removed) {
        es_arena *arena = es_arena_new();
        es_ir_liveness live;
        es_ir_reg rd;
        size_t kept = 0;
        es_ir_find_live(&live, code, arena);
        for (size_t i = 0; i < code->count; i++) {
            es_ir_insn *insn = &code->insns[i];
            if (!es_ir_is_pure(insn) ||
                (es_ir_writes(insn, &rd) && (rd < ES_IR_VIRTUAL || es_ir_has(live.after + i * live.words, rd))))
                code->insns[kept++] = *insn;
        }
        removed = kept < code->count;
        code->count = kept;
        es_arena_free(arena);
    }
}

static void rewrite_registers(allocation *a)
{
    size_t kept = 0;
    for (size_t i = 0; i < a->code->count; i++) {
        es_ir_insn insn = a->code->insns[i];
        es_ir_reg *const names[] = {&insn.rd, &insn.a, &insn.b};
        for (size_t k = 0; k < 3; k++)
            if (*names[k] >= ES_IR_VIRTUAL && *names[k] != ES_IR_RAM_BASE)
                *names[k] = a->color[*names[k]];
        if (insn.op != ES_IR_COPY || insn.rd != insn.a)
            a->code->insns[kept++] = insn;
    }
    a->code->count = kept;
    a->code->next = ES_IR_VIRTUAL;
}

void es_ir_allocate(es_ir_code *code)
{
    remove_dead(code);
    for (uint32_t made = 0;;) {
        es_arena *arena = es_arena_new();
        allocation a = {.code = code, .arena = arena, .count = code->next};
        a.words = a.count / 64 + 1;
        a.meets = es_arena_alloc(arena, a.count * a.words * sizeof *a.meets);
        a.degree = es_arena_alloc(arena, a.count * sizeof *a.degree);
        a.cost = es_arena_alloc(arena, a.count * sizeof *a.cost);
        a.forbidden = es_arena_alloc(arena, a.count * sizeof *a.forbidden);
        a.color = es_arena_alloc(arena, a.count * sizeof *a.color);
        a.removed = es_arena_alloc(arena, a.count * sizeof *a.removed);
        a.short_lived = es_arena_alloc(arena, a.count * sizeof *a.short_lived);
        for (size_t v = a.count - made; v < a.count; v++)
            a.short_lived[v] = true;
        bool *spill = es_arena_alloc(arena, a.count * sizeof *spill);
        build(&a);
        bool good = color(&a, spill);
        if (good)
            rewrite_registers(&a);
        else
            made += spill_values(code, spill, a.count);
        es_arena_free(arena);
        if (good)
            return;
    }
}
