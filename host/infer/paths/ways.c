#include "infer/paths/ways.h"

#include <string.h>

#define STEPS_MAX 20000u /* of one search */
#define LISTS_MAX 8192u
#define RECURSION_MAX 4u /* activations of a procedure on a path that is listed */

static void add_caller(es_ways *w, size_t callee, size_t caller)
{
    for (size_t i = 0; i < w->caller_counts[callee]; i++)
        if (w->callers[callee][i] == caller)
            return;
    w->callers[callee] =
        es_arena_grow(w->arena, w->callers[callee], w->caller_counts[callee], sizeof *w->callers[callee]);
    w->callers[callee][w->caller_counts[callee]++] = caller;
}

static void find_jumps(es_ways *w, const es_symbols *symbols)
{
    const es_call_site *sites;
    size_t count = es_symbols_calls(symbols, &sites);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; sites[i].is_tail && k < w->graph.count; k++)
            if (sites[i].callee ? sites[i].callee == w->graph.procedures[k] : w->graph.procedures[k]->address_taken)
                w->after_jump[k] = true;
}

void es_ways_begin(es_ways *w, es_known *known, const es_symbols *symbols, bool tasks)
{
    static const automaton no_paths;
    *w = (es_ways){.arena = es_arena_new(), .known = known};
    es_calls_make(&w->graph, symbols, w->arena, &no_paths, tasks);
    w->callers = es_arena_alloc(w->arena, (w->graph.count + 1) * sizeof *w->callers);
    w->caller_counts = es_arena_alloc(w->arena, (w->graph.count + 1) * sizeof *w->caller_counts);
    w->after_jump = es_arena_alloc(w->arena, w->graph.count + 1);
    for (size_t i = 0; i < w->graph.count; i++)
        for (size_t k = 0; k < w->graph.edge_counts[i]; k++)
            add_caller(w, w->graph.edges[i][k].callee, i);
    find_jumps(w, symbols);
}

void es_ways_end(es_ways *w)
{
    es_arena_free(w->arena);
    *w = (es_ways){0};
}

typedef struct search {
    es_ways *ways;
    es_way_list *list;
    es_active parts[ES_PATH_DEPTH]; /* from the end on: those from `begin` on are there */
    uint32_t begin, steps;
} search;

/* How often a procedure is on it already. */
static uint32_t times_on(const search *s, size_t procedure)
{
    uint32_t times = 0;
    for (uint32_t i = s->begin; i < ES_PATH_DEPTH; i++)
        times += s->parts[i] / 2 == procedure;
    return times;
}

static void found(search *s)
{
    uint32_t path = es_known_path_of(s->ways->known, s->parts + s->begin, ES_PATH_DEPTH - s->begin);
    if (path == ES_PATH_NONE || s->list->count == ES_WAYS_MAX)
        s->list->complete = false;
    else
        s->list->paths[s->list->count++] = path;
}

/* Goes on outwards from the outermost activation that is there. */
static void outwards(search *s) /* NOLINT(misc-no-recursion): as deep as ES_PATH_DEPTH */
{
    const es_ways *w = s->ways;
    size_t at = s->parts[s->begin] / 2;
    if (w->graph.procedures[at]->is_interrupt || (s->parts[s->begin] & 1))
        s->list->complete = false; /* it came anywhere */
    if (s->parts[s->begin] & 1)
        return;
    for (size_t i = 0; i < w->caller_counts[at]; i++) {
        size_t caller = w->callers[at][i];
        if (s->steps == STEPS_MAX || s->list->count == ES_WAYS_MAX) {
            s->list->complete = false;
            return;
        }
        s->steps++;
        if (caller == w->graph.start) {
            found(s);
            continue;
        }
        uint32_t times = times_on(s, caller);
        if (times)
            s->list->complete = false; /* how deep the recursion was is not known */
        if (!s->begin)
            s->list->complete = false;
        if (times < RECURSION_MAX && s->begin) {
            s->parts[--s->begin] = (es_active)(2 * caller + w->graph.procedures[caller]->is_interrupt);
            outwards(s);
            s->begin++;
        }
    }
}

const es_way_list *es_ways_to(es_ways *w, const es_active *last, uint32_t count)
{
    static const es_way_list nothing;
    uint32_t key = es_known_path_of(w->known, last, count);
    if (key == ES_PATH_NONE)
        return &nothing;
    while (w->list_room <= key) {
        w->lists = es_arena_grow(w->arena, w->lists, w->list_room, sizeof *w->lists);
        w->list_room++;
    }
    if (w->lists[key])
        return w->lists[key];
    if (w->list_count == LISTS_MAX)
        return &nothing;
    w->list_count++;
    es_way_list *list = w->lists[key] = es_arena_alloc(w->arena, sizeof *list);
    list->complete = w->graph.start < w->graph.count;
    search s = {.ways = w, .list = list, .begin = ES_PATH_DEPTH - count};
    memcpy(s.parts + s.begin, last, count * sizeof *last);
    outwards(&s);
    return list;
}
