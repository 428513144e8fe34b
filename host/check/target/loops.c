#include "check/target/loops.h"

#include <stdlib.h>

typedef struct finder {
    const es_check_program *program;
    size_t first, count;    /* the procedure's nodes */
    size_t *order, ordered; /* numbers of those reached (0: the first one), in reverse postorder */
    size_t *place;          /* by node: its place in the order; CHECK_NONE: it is not reached */
    size_t *dominator;      /* by node: the nearest one that all paths to it go through */
    size_t *from, *to;      /* edges between nodes that are reached */
    size_t edges;
} finder;

static bool stays(const es_check_edge *edge)
{
    return (edge->kind == CHECK_EDGE_NEXT || edge->kind == CHECK_EDGE_CALL) && edge->to != CHECK_NONE;
}

/* Depth first, without recursion: `next` is the edge of each node on the way that comes next. */
static void order_nodes(finder *f)
{
    es_arena *arena = f->program->arena;
    size_t *way = es_arena_alloc(arena, (f->count + 1) * sizeof *way), depth = 1, done = 0;
    size_t *next = es_arena_alloc(arena, (f->count + 1) * sizeof *next);
    size_t *reversed = es_arena_alloc(arena, (f->count + 1) * sizeof *reversed);
    bool *seen = es_arena_alloc(arena, f->count + 1);
    way[0] = 0;
    seen[0] = true;
    while (depth) {
        size_t at = way[depth - 1];
        const es_check_node *node = &f->program->nodes[f->first + at];
        if (next[at] == node->edge_count) {
            reversed[done++] = at;
            depth--;
            continue;
        }
        const es_check_edge *edge = &f->program->edges[node->first_edge + next[at]++];
        if (!stays(edge) || seen[edge->to - f->first])
            continue;
        seen[edge->to - f->first] = true;
        way[depth++] = edge->to - f->first;
    }
    for (size_t i = 0; i < f->count; i++)
        f->place[i] = CHECK_NONE;
    for (size_t i = 0; i < done; i++) {
        f->order[i] = reversed[done - 1 - i];
        f->place[f->order[i]] = i;
    }
    f->ordered = done;
}

static void take_edges(finder *f)
{
    for (size_t i = 0; i < f->ordered; i++) {
        const es_check_node *node = &f->program->nodes[f->first + f->order[i]];
        for (size_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
            if (!stays(&f->program->edges[e]))
                continue;
            f->from = es_arena_grow(f->program->arena, f->from, f->edges, sizeof *f->from);
            f->to = es_arena_grow(f->program->arena, f->to, f->edges, sizeof *f->to);
            f->from[f->edges] = f->order[i];
            f->to[f->edges++] = f->program->edges[e].to - f->first;
        }
    }
}

static size_t common(const finder *f, size_t a, size_t b)
{
    while (a != b) {
        while (f->place[a] > f->place[b])
            a = f->dominator[a];
        while (f->place[b] > f->place[a])
            b = f->dominator[b];
    }
    return a;
}

/* Cooper, Harvey, Kennedy: A simple, fast dominance algorithm. Edges are in the order of where they come from. */
static void find_dominators(finder *f)
{
    for (size_t i = 0; i < f->count; i++)
        f->dominator[i] = CHECK_NONE;
    f->dominator[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < f->edges; i++) {
            size_t from = f->from[i], to = f->to[i];
            if (!to || f->dominator[from] == CHECK_NONE)
                continue;
            size_t by = f->dominator[to] == CHECK_NONE ? from : common(f, from, f->dominator[to]);
            changed |= by != f->dominator[to];
            f->dominator[to] = by;
        }
    }
}

static bool dominates(const finder *f, size_t a, size_t b)
{
    while (f->place[b] > f->place[a])
        b = f->dominator[b];
    return a == b;
}

/* The nodes from which `latch` is reached without going through the head. */
static void flood(const finder *f, bool *inside, size_t latch)
{
    size_t *waiting = es_arena_alloc(f->program->arena, (f->count + 1) * sizeof *waiting), work = 0;
    if (!inside[latch])
        waiting[work++] = latch;
    inside[latch] = true;
    while (work) {
        size_t at = waiting[--work];
        for (size_t i = 0; i < f->edges; i++) {
            if (f->to[i] != at || inside[f->from[i]])
                continue;
            inside[f->from[i]] = true;
            waiting[work++] = f->from[i];
        }
    }
}

static int smaller_first(const void *left, const void *right)
{
    const es_check_counted *a = left, *b = right;
    return a->count < b->count ? -1 : a->count > b->count ? 1 : a->head < b->head ? -1 : a->head > b->head;
}

bool es_check_loops_natural(const es_check_program *program, size_t procedure, es_check_counted **loops,
                            size_t *loop_count, size_t **order, size_t *count)
{
    const es_check_procedure *p = &program->procedures[procedure];
    es_arena *arena = program->arena;
    finder f = {.program = program, .first = p->first_node, .count = p->node_count};
    *loops = NULL;
    *loop_count = *count = 0;
    if (!f.count)
        return false;
    f.order = es_arena_alloc(arena, (f.count + 1) * sizeof *f.order);
    f.place = es_arena_alloc(arena, (f.count + 1) * sizeof *f.place);
    f.dominator = es_arena_alloc(arena, (f.count + 1) * sizeof *f.dominator);
    order_nodes(&f);
    take_edges(&f);
    find_dominators(&f);
    bool **heads = es_arena_alloc(arena, (f.count + 1) * sizeof *heads);
    for (size_t i = 0; i < f.edges; i++) {
        size_t head = f.to[i];
        if (f.place[head] > f.place[f.from[i]])
            continue;
        if (!dominates(&f, head, f.from[i]))
            return false;
        if (!heads[head]) {
            heads[head] = es_arena_alloc(arena, f.count + 1);
            heads[head][head] = true;
        }
        flood(&f, heads[head], f.from[i]);
    }
    for (size_t head = 0; head < f.count; head++) {
        if (!heads[head])
            continue;
        es_check_counted loop = {.head = f.first + head, .inside = heads[head], .rounds = CHECK_ROUNDS_UNKNOWN};
        for (size_t i = 0; i < f.count; i++)
            loop.count += heads[head][i];
        *loops = es_arena_grow(arena, *loops, *loop_count, sizeof **loops);
        (*loops)[(*loop_count)++] = loop;
    }
    if (*loop_count)
        qsort(*loops, *loop_count, sizeof **loops, smaller_first);
    *order = f.order;
    *count = f.ordered;
    return true;
}
