#include "image/paths/calls.h"

#include "image/paths/automaton.h"

typedef struct jump_list {
    size_t *to; /* procedures that a procedure, or one that it jumps to, can jump to; distinct */
    size_t count;
} jump_list;

size_t es_calls_index(const call_graph *graph, const es_procedure *procedure)
{
    return es_procedure_index(graph->procedures, graph->count, procedure);
}

static void add_edge(call_graph *graph, es_arena *arena, size_t caller, size_t callee, size_t symbol, bool jump)
{
    call_edge *edges = graph->edges[caller];
    size_t count = graph->edge_counts[caller];
    for (size_t i = 0; i < count; i++)
        if (edges[i].callee == callee && edges[i].symbol == symbol) {
            edges[i].jump |= jump;
            edges[i].call |= !jump;
            return;
        }
    edges = graph->edges[caller] = es_arena_grow(arena, edges, count, sizeof *edges);
    edges[graph->edge_counts[caller]++] = (call_edge){callee, symbol, !jump, jump};
}

static void add_jump(jump_list *list, es_arena *arena, size_t to)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->to[i] == to)
            return;
    list->to = es_arena_grow(arena, list->to, list->count, sizeof *list->to);
    list->to[list->count++] = to;
}

/* A call of the start-up code is none: the program starts anew. */
static bool may_be_called_there(const call_graph *graph, const es_call_site *site, size_t procedure)
{
    const es_procedure *p = graph->procedures[procedure];
    if (procedure == graph->start)
        return false;
    return site->callee ? p == site->callee : p->address_taken && !p->is_interrupt;
}

static jump_list *find_jumps(const call_graph *graph, es_arena *arena, const es_call_site *sites, size_t site_count)
{
    jump_list *jumps = es_arena_alloc(arena, (graph->count + 1) * sizeof *jumps);
    for (size_t i = 0; i < site_count; i++) {
        size_t caller = sites[i].caller && sites[i].is_tail ? es_calls_index(graph, sites[i].caller) : graph->count;
        for (size_t k = 0; k < graph->count && caller < graph->count; k++)
            if (may_be_called_there(graph, &sites[i], k))
                add_jump(&jumps[caller], arena, k);
    }
    for (size_t i = 0; i < graph->count; i++)
        for (size_t k = 0; k < jumps[i].count; k++) { /* the list grows while it is walked */
            const jump_list *further = &jumps[jumps[i].to[k]];
            for (size_t n = 0; n < further->count; n++)
                add_jump(&jumps[i], arena, further->to[n]);
        }
    return jumps;
}

void es_calls_make(call_graph *graph, const es_symbols *symbols, es_arena *arena, const automaton *paths, bool tasks)
{
    *graph = (call_graph){0};
    graph->count = es_symbols_procedures(symbols, &graph->procedures);
    graph->edges = es_arena_alloc(arena, (graph->count + 1) * sizeof *graph->edges);
    graph->edge_counts = es_arena_alloc(arena, (graph->count + 1) * sizeof *graph->edge_counts);
    const es_call_site *sites;
    size_t site_count = es_symbols_calls(symbols, &sites);
    uint32_t entry = es_symbols_entry(symbols);
    const es_procedure *start = es_symbols_procedure_at(symbols, entry);
    graph->start = start ? es_calls_index(graph, start) : graph->count;
    const jump_list *jumps = find_jumps(graph, arena, sites, site_count);
    for (size_t i = 0; i < site_count; i++) {
        size_t caller = sites[i].caller ? es_calls_index(graph, sites[i].caller) : graph->count;
        /* start-up code has no activation: what it jumps to stands where what it calls would */
        if (caller == graph->count ||
            (sites[i].is_tail && !(sites[i].caller->low <= entry && entry < sites[i].caller->high)))
            continue;
        for (size_t k = 0; k < graph->count; k++) {
            if (!may_be_called_there(graph, &sites[i], k))
                continue;
            uint32_t site = sites[i].is_tail ? 0 : sites[i].site;
            add_edge(graph, arena, caller, k, es_automaton_symbol_of(paths, graph->procedures[k], site),
                     sites[i].is_tail);
            for (size_t n = 0; n < jumps[k].count; n++)
                add_edge(graph, arena, caller, jumps[k].to[n],
                         es_automaton_symbol_of(paths, graph->procedures[jumps[k].to[n]], site), sites[i].is_tail);
        }
    }
    for (size_t k = 0; k < graph->count && tasks && graph->start < graph->count; k++) {
        if (!graph->procedures[k]->address_taken || graph->procedures[k]->is_interrupt || k == graph->start)
            continue;
        add_edge(graph, arena, graph->start, k, es_automaton_symbol_of(paths, graph->procedures[k], 0), false);
        for (size_t n = 0; n < jumps[k].count; n++)
            add_edge(graph, arena, graph->start, jumps[k].to[n],
                     es_automaton_symbol_of(paths, graph->procedures[jumps[k].to[n]], 0), false);
    }
}
