#include "image/ppat.h"

#include <string.h>

typedef struct call_edge {
    size_t callee;  /* index of the procedure */
    bool tail, call; /* how it is called: either or both */
} call_edge;

typedef struct call_graph {
    const es_procedure *const *procedures;
    size_t count;
    call_edge **edges; /* by caller; distinct callees by ascending address */
    size_t *edge_counts;
    bool *leads;  /* calls from here can lead to a procedure with referenced locals */
    bool *wanted; /* is one */
} call_graph;

static size_t index_of(const call_graph *graph, const es_procedure *procedure)
{
    size_t low = 0, high = graph->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (graph->procedures[middle]->low < procedure->low)
            low = middle + 1;
        else
            high = middle;
    }
    return low < graph->count && graph->procedures[low] == procedure ? low : graph->count;
}

static void add_edge(call_graph *graph, es_arena *arena, size_t caller, size_t callee, bool tail)
{
    call_edge *edges = graph->edges[caller];
    for (size_t i = 0; i < graph->edge_counts[caller]; i++) {
        if (edges[i].callee == callee) {
            edges[i].tail |= tail;
            edges[i].call |= !tail;
            return;
        }
    }
    edges = graph->edges[caller] = es_arena_grow(arena, edges, graph->edge_counts[caller], sizeof *edges);
    edges[graph->edge_counts[caller]++] = (call_edge){callee, tail, !tail};
}

static void make_graph(call_graph *graph, const es_symbols *symbols, const image_plan *plan)
{
    graph->count = es_symbols_procedures(symbols, &graph->procedures);
    graph->edges = es_arena_alloc(plan->arena, (graph->count + 1) * sizeof *graph->edges);
    graph->edge_counts = es_arena_alloc(plan->arena, (graph->count + 1) * sizeof *graph->edge_counts);
    graph->leads = es_arena_alloc(plan->arena, graph->count + 1);
    graph->wanted = es_arena_alloc(plan->arena, graph->count + 1);
    const es_call_site *sites;
    size_t site_count = es_symbols_calls(symbols, &sites);
    for (size_t i = 0; i < site_count; i++) {
        size_t caller = sites[i].caller ? index_of(graph, sites[i].caller) : graph->count;
        if (caller == graph->count)
            continue;
        if (sites[i].callee) {
            size_t callee = index_of(graph, sites[i].callee);
            if (callee < graph->count)
                add_edge(graph, plan->arena, caller, callee, sites[i].is_tail);
            continue;
        }
        for (size_t k = 0; k < graph->count; k++)
            if (graph->procedures[k]->address_taken && !graph->procedures[k]->is_interrupt)
                add_edge(graph, plan->arena, caller, k, sites[i].is_tail);
    }
    for (size_t i = 0; i < plan->frame_count; i++) {
        size_t wanted = index_of(graph, plan->frames[i].procedure);
        graph->wanted[wanted] = graph->leads[wanted] = true;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < graph->count; i++)
            for (size_t k = 0; k < graph->edge_counts[i] && !graph->leads[i]; k++)
                if (graph->leads[graph->edges[i][k].callee])
                    graph->leads[i] = changed = true;
    }
}

static const char *wanted_name(const call_graph *graph)
{
    for (size_t i = 0; i < graph->count; i++)
        if (graph->wanted[i])
            return graph->procedures[i]->name;
    return "?";
}

/* The CFA of `to`'s callees. */
static bool callee_cfa(const es_symbols *symbols, const call_graph *graph, const ppat_node *node, bool root,
                       uint32_t *cfa, es_error *err)
{
    uint32_t size = 0;
    if (!es_symbols_frame_size(symbols, node->procedure, &size)) {
        if (!root) /* start-up code in assembly says nothing about its frame because it has none */
            return es_fail(err, ES_USAGE, "the locals of %s cannot be found: %s, which calls it on some path, has a "
                           "frame whose size is not constant "
                           "or not told by the debug information", wanted_name(graph), node->procedure->name);
        size = 0;
    }
    *cfa = node->cfa - size;
    return true;
}

static bool on_path(const image_ppat *ppat, size_t node, const es_procedure *procedure)
{
    for (;; node = ppat->nodes[node].parent) {
        if (ppat->nodes[node].procedure == procedure)
            return true;
        if (node == 0)
            return false;
    }
}

/* Adds the children of a node. */
static bool expand(image_ppat *ppat, size_t at, const es_symbols *symbols, const image_plan *plan,
                   const call_graph *graph, es_error *err)
{
    size_t caller = index_of(graph, ppat->nodes[at].procedure);
    for (size_t i = 0; i < graph->edge_counts[caller]; i++) {
        const call_edge *edge = &graph->edges[caller][i];
        const es_procedure *callee = graph->procedures[edge->callee];
        if (!graph->leads[edge->callee])
            continue;
        if (on_path(ppat, at, callee))
            return es_fail(err, ES_USAGE, "the locals of %s cannot be found: %s is recursive and lies on a path of "
                           "calls to it", wanted_name(graph),
                           callee->name);
        uint32_t cfa = 0, parent_cfa = ppat->nodes[at].cfa;
        if (!callee_cfa(symbols, graph, &ppat->nodes[at], at == 0, &cfa, err))
            return false;
        if (edge->tail && edge->call && cfa != parent_cfa)
            return es_fail(err, ES_USAGE, "the locals of %s cannot be found: %s both calls %s and jumps to it, with "
                           "frames at different places",
                           wanted_name(graph), ppat->nodes[at].procedure->name, callee->name);
        if (ppat->count == ES_PPAT_NODES_MAX)
            return es_fail(err, ES_USAGE, "the locals of %s can be reached on more than %u paths of calls, which is "
                           "all that the probe can hold",
                           wanted_name(graph), ES_PPAT_NODES_MAX);
        ppat->nodes = es_arena_grow(plan->arena, ppat->nodes, ppat->count, sizeof *ppat->nodes);
        ppat->nodes[ppat->count++] = (ppat_node){callee, at, edge->call ? cfa : parent_cfa};
    }
    return true;
}

/* Every procedure with referenced locals must be reached, and none of them from an interrupt, whose frame can be
 * anywhere. */
static bool check_reached(const image_ppat *ppat, const call_graph *graph, es_error *err)
{
    for (size_t i = 0; i < graph->count; i++)
        if (graph->procedures[i]->is_interrupt && graph->leads[i])
            return es_fail(err, ES_USAGE, "the locals of %s cannot be found: the interrupt handler %s %s, and its "
                           "frame can be anywhere",
                           wanted_name(graph), graph->procedures[i]->name, graph->wanted[i] ? "holds them" : "calls it");
    for (size_t i = 0; i < graph->count; i++) {
        if (!graph->wanted[i])
            continue;
        size_t node = 1;
        while (node < ppat->count && ppat->nodes[node].procedure != graph->procedures[i])
            node++;
        if (node >= ppat->count)
            return es_fail(err, ES_USAGE, "the locals of %s cannot be found: no path of calls from the program's "
                           "entry leads to it",
                           graph->procedures[i]->name);
    }
    return true;
}

bool ppat_build(image_ppat *ppat, const es_symbols *symbols, const image_plan *plan, const es_probe_limits *limits,
                es_error *err)
{
    *ppat = (struct image_ppat){NULL, 0};
    if (plan->frame_count == 0)
        return true;
    call_graph graph;
    make_graph(&graph, symbols, plan);
    const es_procedure *root = es_symbols_procedure_at(symbols, es_symbols_entry(symbols));
    uint32_t stack_top = 0;
    if (!root || index_of(&graph, root) == graph.count)
        return es_fail(err, ES_USAGE, "the locals of %s cannot be found: the program's entry 0x%08x is in no "
                       "procedure", wanted_name(&graph),
                       (unsigned)es_symbols_entry(symbols));
    if (!es_symbols_stack_top(symbols, &stack_top))
        return es_fail(err, ES_USAGE, "the locals of %s cannot be found: the program has no symbol __stack_top that "
                       "tells where the stack begins",
                       wanted_name(&graph));
    ppat->nodes = es_arena_grow(plan->arena, NULL, 0, sizeof *ppat->nodes);
    ppat->nodes[ppat->count++] = (ppat_node){root, 0, stack_top};
    for (size_t at = 0; at < ppat->count; at++)
        if (!expand(ppat, at, symbols, plan, &graph, err))
            return false;
    for (size_t at = 1; at < ppat->count; at++) {
        uint32_t offset = ppat->nodes[at].cfa - limits->window_base;
        if (offset & 3 || offset > limits->window_size)
            return es_fail(err, ES_USAGE, "the locals of %s cannot be found: a frame of %s at 0x%08x lies outside "
                           "of the probe's phantom memory",
                           wanted_name(&graph), ppat->nodes[at].procedure->name, (unsigned)ppat->nodes[at].cfa);
    }
    return check_reached(ppat, &graph, err);
}
