/* The start-up code (the root) clears memory: what its stores bring. */
#include "check/events/checker.h"

#include <stdlib.h>

/* Bus clocks between two stores of the start-up code that clear memory, at least. */
static int64_t clearing_gap(const checker *c)
{
    const es_check_program *program = &c->program;
    const es_check_procedure *start = &program->procedures[program->entry];
    int64_t *since = es_arena_alloc(c->report->arena, (start->node_count + 1) * sizeof *since); /* to a node's end */
    for (size_t i = 0; i < start->node_count; i++)
        since[i] = INT32_MAX;
    int64_t least = INT32_MAX;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < start->node_count; i++) {
            const es_check_node *node = &program->nodes[start->first_node + i];
            bool clears = node->store && node->store->kind == ES_STORE_UNKNOWN;
            int64_t own = clears ? 0 : since[i];
            for (size_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
                const es_check_edge *edge = &program->edges[e];
                if ((edge->kind != CHECK_EDGE_NEXT && edge->kind != CHECK_EDGE_CALL) || edge->to == CHECK_NONE)
                    continue;
                const es_check_node *to = &program->nodes[edge->to];
                int64_t clocks = own + to->clocks;
                if (to->store && to->store->kind == ES_STORE_UNKNOWN && clocks < least)
                    least = clocks;
                if (clocks < since[edge->to - start->first_node]) {
                    since[edge->to - start->first_node] = clocks;
                    changed = true;
                }
            }
        }
    }
    return least;
}

static int costliest_first(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return a < b ? 1 : a > b ? -1 : 0;
}

/* The start-up code writes each armed word at most once, in whatever order: the costliest ones one after the other let
 * most work wait. */
int64_t es_checker_find_clearing(checker *c, es_check_ratio ratio)
{
    size_t count = 0, room = c->image->key_count;
    for (size_t i = 0; i < c->image->slot_count; i++)
        room += (size_t)es_check_service_start_moves(c->service, i);
    int64_t *costs = es_arena_alloc(c->report->arena, (room + 1) * sizeof *costs);
    for (size_t i = 0; i < c->image->key_count; i++)
        if (!c->image->keys[i].fetch && !c->image->keys[i].frame)
            costs[count++] = es_checker_clear_cost(c, i);
    for (size_t i = 0; i < c->image->slot_count; i++) {
        uint64_t beside = es_checker_slots_beside(c, i);
        int64_t whole = es_checker_moving_cost(c, c->program.entry, beside, true);
        int64_t part = es_checker_moving_cost(c, c->program.entry, beside, false);
        for (size_t moves = (size_t)es_check_service_start_moves(c->service, i); moves; moves--)
            costs[count++] = whole > part ? whole : part;
    }
    for (size_t i = 0; i < count && c->narrow; i++)
        costs[i] *= 4; /* each byte is a hit */
    qsort(costs, count, sizeof *costs, costliest_first);
    int64_t between = clearing_gap(c) * ratio.core / ratio.bus, waiting = 0;
    for (size_t i = 0; i < count && costs[i] > (i ? between : 0); i++)
        waiting += costs[i] - (i ? between : 0);
    return waiting;
}
