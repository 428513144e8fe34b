/* Splits registers into webs: the writes and reads of one value, as far as they reach each other. Each web gets a
 * virtual register of its own, so that one name that the code uses for several values does not tie them to one
 * register. What is bound to a register of the soft core keeps it: what a routine takes, gives or spoils, what the code
 * is given where it is entered, and what it leaves at its end. */
#include <string.h>

#include "ir/passes.h"

/* The definitions of one register: number 0 is its value where the code is entered, then one for each instruction that
 * changes it. */
typedef struct webs {
    es_ir_code *code;
    es_arena *arena;
    const size_t *places;
    es_ir_reg r;
    size_t count;    /* of definitions */
    size_t words;    /* of a set of them */
    uint64_t *reach; /* [instruction * words]: those that may hold before it */
    size_t *number;  /* by instruction: its definition; 0: it is none */
    size_t *root;
    bool *bound;     /* by root */
    es_ir_reg *name; /* by root */
} webs;

static size_t find(webs *w, size_t definition)
{
    while (w->root[definition] != definition)
        definition = w->root[definition] = w->root[w->root[definition]];
    return definition;
}

static bool changes(const es_ir_insn *insn, es_ir_reg r)
{
    es_ir_reg rd;
    if (es_ir_is_call(insn) && r < ES_IR_VIRTUAL && ((insn->gives | insn->spoils) >> r & 1))
        return true;
    return es_ir_writes(insn, &rd) && rd == r;
}

static bool reads_it(const es_ir_insn *insn, es_ir_reg r, bool *bound)
{
    es_ir_reads reads = es_ir_reads_of(insn);
    bool found = *bound = r < ES_IR_VIRTUAL && reads.set >> r & 1;
    for (unsigned k = 0; k < reads.count; k++)
        found |= reads.operand[k] == r;
    return found;
}

/* Adds what holds after an instruction to what holds before another. */
static bool flow(webs *w, size_t from, size_t to)
{
    uint64_t *in = w->reach + from * w->words, *out = w->reach + to * w->words;
    bool changed = false;
    if (w->number[from]) {
        changed = !es_ir_has(out, w->number[from]);
        es_ir_put(out, w->number[from]);
        return changed;
    }
    for (size_t k = 0; k < w->words; k++) {
        changed |= (in[k] & ~out[k]) != 0;
        out[k] |= in[k];
    }
    return changed;
}

static void find_reach(webs *w)
{
    const es_ir_code *code = w->code;
    es_ir_put(w->reach, 0);
    for (size_t i = 0; i < code->count; i++)
        if (es_ir_is_entry(code, i))
            es_ir_put(w->reach + i * w->words, 0);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < code->count; i++) {
            const es_ir_insn *insn = &code->insns[i];
            if (es_ir_goes_on(insn))
                changed |= flow(w, i, i + 1);
            if (es_ir_goes_to_label(insn))
                changed |= flow(w, i, w->places[insn->imm]);
        }
    }
}

/* All definitions that may hold here are of one web. */
static size_t join(webs *w, size_t at, bool bound)
{
    const uint64_t *in = w->reach + at * w->words;
    size_t first = SIZE_MAX;
    for (size_t d = 0; d < w->count; d++) {
        if (!es_ir_has(in, d))
            continue;
        size_t root = find(w, d);
        if (first == SIZE_MAX) {
            first = root;
        } else if (root != first) {
            w->root[root] = first;
            w->bound[first] |= w->bound[root];
        }
    }
    if (first != SIZE_MAX)
        w->bound[first] |= bound;
    return first;
}

static void find_webs(webs *w)
{
    const es_ir_code *code = w->code;
    bool bound;
    w->bound[0] = true;
    for (size_t i = 0; i < code->count; i++) {
        if (w->number[i] && es_ir_is_call(&code->insns[i]))
            w->bound[find(w, w->number[i])] = true;
        if (reads_it(&code->insns[i], w->r, &bound))
            join(w, i, bound);
    }
    if (w->r < ES_IR_VIRTUAL && ES_IR_AFTER_END >> w->r & 1)
        join(w, code->count, true);
}

static es_ir_reg name_of(webs *w, size_t definition)
{
    size_t root = find(w, definition);
    if (w->bound[root] && w->r < ES_IR_VIRTUAL)
        return w->r;
    if (!w->name[root])
        w->name[root] = es_ir_new(w->code);
    return w->name[root];
}

static void rename_all(webs *w)
{
    for (size_t i = 0; i < w->code->count; i++) {
        es_ir_insn *insn = &w->code->insns[i];
        bool bound;
        if (reads_it(insn, w->r, &bound)) {
            size_t web = join(w, i, false);
            es_ir_reg name = web == SIZE_MAX ? w->r : name_of(w, web); /* never entered: as it was */
            es_ir_reads reads = es_ir_reads_of(insn);
            for (unsigned k = 0; k < reads.count; k++) {
                bool second = es_ir_form(insn->op) == ES_IR_STORED ? k == 0 : k == 1;
                es_ir_reg *operand = second ? &insn->b : &insn->a;
                if (*operand == w->r)
                    *operand = name;
            }
        }
        es_ir_reg rd;
        if (w->number[i] && es_ir_writes(insn, &rd) && rd == w->r)
            insn->rd = name_of(w, w->number[i]);
    }
}

static void split(es_ir_code *code, es_arena *arena, const size_t *places, es_ir_reg r)
{
    webs w = {.code = code, .arena = arena, .places = places, .r = r, .count = 1};
    w.number = es_arena_alloc(arena, (code->count + 1) * sizeof *w.number);
    for (size_t i = 0; i < code->count; i++)
        if (changes(&code->insns[i], r))
            w.number[i] = w.count++;
    if (w.count == 1 || (w.count == 2 && r >= ES_IR_VIRTUAL))
        return;
    w.words = w.count / 64 + 1;
    w.reach = es_arena_alloc(arena, (code->count + 1) * w.words * sizeof *w.reach);
    w.root = es_arena_alloc(arena, w.count * sizeof *w.root);
    w.bound = es_arena_alloc(arena, w.count * sizeof *w.bound);
    w.name = es_arena_alloc(arena, w.count * sizeof *w.name);
    for (size_t d = 0; d < w.count; d++)
        w.root[d] = d;
    find_reach(&w);
    find_webs(&w);
    rename_all(&w);
}

void es_ir_renumber(es_ir_code *code)
{
    es_arena *arena = es_arena_new();
    const size_t *places = es_ir_places(code, arena);
    es_ir_reg count = code->next;
    for (es_ir_reg r = 1; r < count; r++)
        if (r >= ES_IR_VIRTUAL || ES_IR_FREE >> r & 1)
            split(code, arena, places, r);
    es_arena_free(arena);
}
