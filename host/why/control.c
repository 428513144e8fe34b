#include "why/control.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "isa/flow.h"
#include "symbols/code.h"

#define NONE UINT32_MAX
#define PROCEDURE_MOST 0x40000 /* bytes of code that is looked at */

/* A procedure's code: nodes are its instructions, by halves of their distance from the begin; the last one is its
 * end. */
typedef struct code {
    uint32_t low, high, end; /* end: the number of the end's node */
    uint32_t *from, *to;     /* ways */
    size_t ways;
    uint32_t *post;      /* by node: the first one that each way from it comes to; NONE: none was found */
    uint32_t **deciders; /* by node */
    uint32_t *decider_counts;
} code;

struct es_why_control {
    const es_symbols *symbols;
    es_arena *arena;
    code **codes;
    size_t count;
};

es_why_control *es_why_control_new(const es_symbols *symbols)
{
    es_why_control *c = es_malloc(sizeof *c);
    *c = (es_why_control){.symbols = symbols, .arena = es_arena_new()};
    return c;
}

void es_why_control_free(es_why_control *control)
{
    if (control)
        es_arena_free(control->arena);
    free(control);
}

/* --- ways --------------------------------------------------------------------------------------------------------- */

typedef struct walk {
    es_why_control *control;
    code *c;
    bool *seen;
    uint32_t *list;
    size_t listed, size; /* of the ways' arrays */
} walk;

static void add_way(walk *w, uint32_t from, uint32_t to_address)
{
    code *c = w->c;
    bool inside = to_address >= c->low && to_address < c->high;
    uint32_t to = inside ? (to_address - c->low) / 2 : c->end;
    if (c->ways == w->size) {
        w->size = w->size ? 2 * w->size : 256;
        c->from = es_realloc(c->from, w->size * sizeof *c->from);
        c->to = es_realloc(c->to, w->size * sizeof *c->to);
    }
    c->from[c->ways] = from;
    c->to[c->ways++] = to;
    if (inside && !w->seen[to]) {
        w->seen[to] = true;
        w->list[w->listed++] = to;
    }
}

/* A jump through a register: to what of the procedure words of data lead to, or out of it. */
static void add_table(walk *w, uint32_t from)
{
    const uint32_t *words;
    size_t count = es_symbols_code_words(w->control->symbols, &words), before = w->c->ways;
    for (size_t i = 0; i < count; i++)
        if (words[i] > w->c->low && words[i] < w->c->high)
            add_way(w, from, words[i]);
    if (w->c->ways == before)
        add_way(w, from, w->c->high);
}

static void follow(walk *w)
{
    w->seen[0] = true;
    w->list[w->listed++] = 0;
    for (size_t i = 0; i < w->listed; i++) {
        uint32_t at = w->list[i], address = w->c->low + 2 * at;
        es_insn insn;
        if (!es_symbols_insn(w->control->symbols, address, &insn)) {
            add_way(w, at, w->c->high);
            continue;
        }
        es_ways ways = es_insn_ways(insn, address);
        if (ways.next)
            add_way(w, at, address + insn.size);
        if (ways.jumps)
            add_way(w, at, ways.target);
        if (insn.kind == ES_INSN_JUMP_REGISTER)
            add_table(w, at);
        else if (!ways.next && !ways.jumps)
            add_way(w, at, w->c->high);
    }
}

/* --- post-dominators: Cooper, Harvey and Kennedy (2001), on the ways backwards ------------------------------------ */

typedef struct order {
    uint32_t *first, *ways;   /* by node: where its ways begin in `ways`, which has numbers of these */
    uint32_t *number, *nodes; /* by node: in which order it was left; and back */
    uint32_t count;
} order;

static void index_ways(uint32_t *first, uint32_t *ways, const uint32_t *by, size_t count, uint32_t nodes)
{
    for (size_t i = 0; i < count; i++)
        first[by[i] + 1]++;
    for (uint32_t i = 0; i < nodes; i++)
        first[i + 1] += first[i];
    for (size_t i = count; i-- > 0;) /* from the end: afterwards first[n + 1] has moved to first[n] */
        ways[--first[by[i] + 1]] = (uint32_t)i;
    for (uint32_t i = 0; i < nodes; i++)
        first[i] = first[i + 1];
    first[nodes] = (uint32_t)count;
}

/* All from which a way leads to `root` that have no number yet, and it after them. */
static void number_from(order *o, const code *c, uint32_t root, uint32_t *stack, uint32_t *next)
{
    uint32_t depth = 0;
    if (o->number[root] != NONE)
        return;
    o->number[root] = NONE - 1;
    stack[depth] = root;
    next[depth++] = o->first[root];
    while (depth) {
        uint32_t node = stack[depth - 1];
        if (next[depth - 1] == o->first[node + 1]) {
            o->nodes[o->count] = node;
            o->number[node] = o->count++;
            depth--;
            continue;
        }
        uint32_t before = c->from[o->ways[next[depth - 1]++]];
        if (o->number[before] != NONE)
            continue;
        o->number[before] = NONE - 1;
        stack[depth] = before;
        next[depth++] = o->first[before];
    }
}

static uint32_t meet(const code *c, const order *o, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (o->number[a] < o->number[b])
            a = c->post[a];
        while (o->number[b] < o->number[a])
            b = c->post[b];
    }
    return a;
}

/* `firsts`, `ways`: as of order, of the ways forwards. */
static void find_posts(code *c, const order *o, const uint32_t *firsts, const uint32_t *ways)
{
    c->post[c->end] = c->end;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = o->count; i-- > 0;) {
            uint32_t node = o->nodes[i], post = NONE;
            if (node == c->end)
                continue;
            for (uint32_t k = firsts[node]; k < firsts[node + 1]; k++) {
                uint32_t to = c->to[ways[k]];
                if (c->post[to] != NONE)
                    post = post == NONE ? to : meet(c, o, post, to);
            }
            if (post != c->post[node] && post != NONE) {
                c->post[node] = post;
                changed = true;
            }
        }
    }
}

/* --- who decides -------------------------------------------------------------------------------------------------- */

static void add_decider(es_why_control *control, code *c, uint32_t node, uint32_t branch)
{
    uint32_t address = c->low + 2 * branch, count = c->decider_counts[node];
    if (count && c->deciders[node][count - 1] == address)
        return;
    c->deciders[node] = es_arena_grow(control->arena, c->deciders[node], count, sizeof **c->deciders);
    c->deciders[node][c->decider_counts[node]++] = address;
}

/* Not a jump of a loop without an end, which only counts as if it could go on elsewhere. */
static bool decides(const es_why_control *control, uint32_t address)
{
    es_insn insn;
    return es_symbols_insn(control->symbols, address, &insn) &&
           (insn.kind == ES_INSN_BRANCH || insn.kind == ES_INSN_JUMP_REGISTER);
}

static void find_deciders(es_why_control *control, code *c, const uint32_t *firsts, const uint32_t *ways)
{
    for (uint32_t node = 0; node < c->end; node++)
        for (uint32_t k = firsts[node];
             firsts[node + 1] - firsts[node] > 1 && k < firsts[node + 1] && decides(control, c->low + 2 * node); k++)
            for (uint32_t at = c->to[ways[k]]; at != c->post[node] && at != c->end && at != NONE; at = c->post[at])
                add_decider(control, c, at, node);
}

/* A loop without an end counts as if its last instruction might end it: else nothing would come after anything. */
static void end_loops(walk *w, const order *o)
{
    for (uint32_t node = w->c->end; node-- > 0;)
        if (w->seen[node] && o->number[node] == NONE) {
            add_way(w, node, w->c->high);
            return;
        }
}

static bool number_all(const walk *w, order *o, uint32_t *stack, uint32_t *next)
{
    const code *c = w->c;
    uint32_t nodes = c->end + 1;
    memset(o->first, 0, (nodes + 1) * sizeof *o->first);
    o->ways = es_realloc(o->ways, (c->ways + 1) * sizeof *o->ways);
    index_ways(o->first, o->ways, c->to, c->ways, nodes);
    for (uint32_t i = 0; i < nodes; i++)
        o->number[i] = NONE;
    o->count = 0;
    number_from(o, c, c->end, stack, next);
    for (uint32_t node = 0; node < c->end; node++)
        if (w->seen[node] && o->number[node] == NONE)
            return false;
    return true;
}

static uint32_t *numbers(es_arena *arena, size_t count)
{
    return es_arena_alloc(arena, count * sizeof(uint32_t));
}

static void analyse(es_why_control *control, code *c)
{
    es_arena *scratch = es_arena_new();
    uint32_t nodes = c->end + 1;
    walk w = {.control = control, .c = c, .seen = es_arena_alloc(scratch, nodes), .list = numbers(scratch, nodes)};
    follow(&w);
    order o = {
        .first = numbers(scratch, nodes + 1), .number = numbers(scratch, nodes), .nodes = numbers(scratch, nodes)};
    uint32_t *stack = numbers(scratch, nodes), *next = numbers(scratch, nodes), *firsts = numbers(scratch, nodes + 1);
    while (!number_all(&w, &o, stack, next))
        end_loops(&w, &o);
    uint32_t *ways = numbers(scratch, c->ways + 1);
    index_ways(firsts, ways, c->from, c->ways, nodes);
    memset(c->post, 0xFF, nodes * sizeof *c->post);
    find_posts(c, &o, firsts, ways);
    find_deciders(control, c, firsts, ways);
    free(o.ways);
    free(c->from);
    free(c->to);
    c->from = c->to = NULL;
    es_arena_free(scratch);
}

static code *code_of(es_why_control *control, const es_procedure *procedure)
{
    for (size_t i = 0; i < control->count; i++)
        if (control->codes[i]->low == procedure->low)
            return control->codes[i];
    es_arena *arena = control->arena;
    code *c = es_arena_alloc(arena, sizeof *c);
    uint32_t nodes = (procedure->high - procedure->low + 1) / 2 + 1;
    *c = (code){.low = procedure->low, .high = procedure->high, .end = nodes - 1, .post = numbers(arena, nodes)};
    c->deciders = es_arena_alloc(arena, nodes * sizeof *c->deciders);
    c->decider_counts = numbers(arena, nodes);
    control->codes = es_arena_grow(arena, control->codes, control->count, sizeof *control->codes);
    control->codes[control->count++] = c;
    analyse(control, c);
    return c;
}

size_t es_why_deciders(es_why_control *control, uint32_t pc, const uint32_t **deciders, bool *known)
{
    const es_procedure *procedure = es_symbols_procedure_at(control->symbols, pc);
    *known = procedure && procedure->high > procedure->low && procedure->high - procedure->low <= PROCEDURE_MOST;
    *deciders = NULL;
    if (!*known)
        return 0;
    const code *c = code_of(control, procedure);
    uint32_t node = (pc - c->low) / 2;
    *known = node < c->end && c->post[node] != NONE;
    *deciders = c->deciders[node];
    return c->decider_counts[node];
}
