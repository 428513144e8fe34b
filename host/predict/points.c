#include "predict/points.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "isa/flow.h"
#include "predict/flowgraph.h"

/* --- whether places tell the way -------------------------------------------------------------- */

typedef struct search {
    const es_predict_flowgraph *graph;
    const bool *chosen;
    uint8_t *met;
    uint32_t *stack;
} search;

/* From some blocks on, along ways that pass no chosen one: each block, and the end, is met once at most. */
static bool is_tree(search *s, const uint32_t *from, size_t count)
{
    size_t depth = 0;
    memset(s->met, 0, s->graph->count + 1);
    for (size_t i = 0; i < count; i++) {
        if (s->met[from[i]]++)
            return false;
        if (from[i] < s->graph->count && !s->chosen[from[i]])
            s->stack[depth++] = from[i];
    }
    while (depth) {
        const es_predict_flowblock *b = &s->graph->blocks[s->stack[--depth]];
        for (size_t i = 0; i < b->way_count; i++) {
            uint32_t to = b->ways[i];
            if (s->met[to]++)
                return false;
            if (to < s->graph->count && !s->chosen[to])
                s->stack[depth++] = to;
        }
    }
    return true;
}

static bool tells_the_way(search *s)
{
    const uint32_t entry = 0;
    if (!is_tree(s, &entry, 1))
        return false;
    for (uint32_t b = 0; b < s->graph->count; b++)
        if (s->chosen[b] && !is_tree(s, s->graph->blocks[b].ways, s->graph->blocks[b].way_count))
            return false;
    return true;
}

/* --- choosing --------------------------------------------------------------------------------- */

typedef struct order {
    uint64_t passed;
    uint32_t block;
} order;

static int often_first(const void *a, const void *b)
{
    const order *x = a, *y = b;
    if (x->passed != y->passed)
        return x->passed > y->passed ? -1 : 1;
    return x->block < y->block ? 1 : -1;
}

/* All blocks tell the way. Those that are passed most often go first, as long as the others do. */
static void choose(const es_predict_flowgraph *graph, bool *chosen)
{
    search s = {graph, chosen, es_malloc(graph->count + 1), es_malloc((graph->count + 1) * sizeof(uint32_t))};
    order *orders = es_malloc((graph->count + 1) * sizeof *orders);
    for (uint32_t b = 0; b < graph->count; b++) {
        chosen[b] = true;
        orders[b] = (order){graph->blocks[b].passed, b};
    }
    qsort(orders, graph->count, sizeof *orders, often_first);
    for (size_t i = 0; i < graph->count; i++) {
        chosen[orders[i].block] = false;
        chosen[orders[i].block] = !tells_the_way(&s);
    }
    free(orders);
    free(s.stack);
    free(s.met);
}

static void add_points(es_predict_points *points, const es_predict_flowgraph *graph, const bool *chosen)
{
    points->addresses = es_realloc(points->addresses, (points->count + graph->count + 1) * sizeof *points->addresses);
    for (size_t b = 0; b < graph->count; b++) {
        points->firings += graph->blocks[b].passed;
        if (!chosen[b])
            continue;
        points->hits += graph->blocks[b].passed;
        points->addresses[points->count++] = graph->blocks[b].address;
    }
}

void es_predict_points_find(const es_symbols *symbols, const es_predict_trace *trace, es_predict_points *points)
{
    const es_procedure *const *procedures;
    size_t count = es_symbols_procedures(symbols, &procedures);
    es_predict_flow flow;
    memset(points, 0, sizeof *points);
    es_predict_flow_begin(&flow, symbols, trace);
    for (size_t i = 0; i < count; i++) {
        es_predict_flowgraph graph;
        if (!es_predict_flow_is_looked_at(&flow, procedures[i]) ||
            !es_predict_flowgraph_of(&flow, procedures[i], &graph))
            continue;
        bool *chosen = es_malloc(graph.count + 1);
        choose(&graph, chosen);
        add_points(points, &graph, chosen);
        free(chosen);
        es_predict_flowgraph_free(&graph);
    }
    es_predict_flow_end(&flow);
}

void es_predict_points_free(es_predict_points *points)
{
    free(points->addresses);
    points->addresses = NULL;
}

/* --- the way back ----------------------------------------------------------------------------- */

/* The way from some blocks to `to` that passes no chosen one, in `way`. 0: there is none. */
static size_t way_to(const es_predict_flowgraph *graph, const bool *chosen, const uint32_t *from, size_t count,
                     uint32_t to, uint32_t *way, size_t depth)
{
    if (depth >= graph->count + 1)
        return 0;
    for (size_t i = 0; i < count; i++) {
        way[depth] = from[i];
        if (from[i] == to)
            return depth + 1;
        if (from[i] >= graph->count || chosen[from[i]])
            continue;
        const es_predict_flowblock *b = &graph->blocks[from[i]];
        size_t length = way_to(graph, chosen, b->ways, b->way_count, to, way, depth + 1);
        if (length)
            return length;
    }
    return 0;
}

static bool is_point(const es_predict_points *points, uint32_t address)
{
    for (size_t i = 0; i < points->count; i++)
        if (points->addresses[i] == address)
            return true;
    return false;
}

size_t es_predict_points_way(const es_predict_flowgraph *graph, const es_predict_points *points, const uint32_t *hits,
                             size_t hit_count, uint32_t *blocks, size_t room)
{
    const uint32_t entry = 0;
    const uint32_t *from = &entry;
    size_t from_count = 1, count = 0;
    bool *chosen = es_malloc(graph->count + 1);
    uint32_t *way = es_malloc((graph->count + 2) * sizeof *way);
    for (size_t b = 0; b < graph->count; b++)
        chosen[b] = is_point(points, graph->blocks[b].address);
    for (size_t h = 0; h <= hit_count && count != SIZE_MAX; h++) {
        uint32_t to = h == hit_count ? (uint32_t)graph->count : es_predict_flowgraph_block(graph, hits[h]);
        size_t length = to == UINT32_MAX ? 0 : way_to(graph, chosen, from, from_count, to, way, 0);
        size_t told = length - (h == hit_count);
        if (!length || count + told > room) {
            count = SIZE_MAX;
            break;
        }
        for (size_t i = 0; i < told; i++)
            blocks[count++] = graph->blocks[way[i]].address;
        if (h < hit_count) {
            from = graph->blocks[to].ways;
            from_count = graph->blocks[to].way_count;
        }
    }
    free(chosen);
    free(way);
    return count;
}
