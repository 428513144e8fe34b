#include "prof/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum { DEEPEST = 64 }; /* copies in each other */

static void add(es_prof_cost *to, es_prof_cost cost)
{
    to->instructions += cost.instructions;
    to->clocks += cost.clocks;
}

const es_prof_arc *es_prof_arcs_from(const es_prof *profile, uint32_t site, size_t *count)
{
    size_t first = 0, end = profile->arc_count, last;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (profile->arcs[middle].site < site)
            first = middle + 1;
        else
            end = middle;
    }
    for (last = first; last < profile->arc_count && profile->arcs[last].site == site;)
        last++;
    *count = last - first;
    return profile->arcs + first;
}

/* --- inlined copies ----------------------------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static uint32_t inlined_function(es_prof_graph *g, const es_inlined_copy *copy)
{
    for (size_t i = g->profile->code.procedure_count; i < g->function_count; i++)
        if (strcmp(g->functions[i].name, copy->name) == 0 && same_text(g->functions[i].file, copy->file))
            return (uint32_t)i;
    es_symbols_copies(g->profile->code.symbols, NULL, copy->name, NULL, 0); /* finds where they begin */
    g->functions = es_realloc(g->functions, (g->function_count + 1) * sizeof *g->functions);
    g->functions[g->function_count] = (es_prof_function){.name = copy->name, .file = copy->file, .inlined = true};
    return (uint32_t)g->function_count++;
}

static uint32_t copy_number(es_prof_graph *g, const es_inlined_copy *copy, uint32_t caller, uint32_t pc)
{
    uint64_t key = (uint64_t)(uintptr_t)copy;
    uint32_t *number = es_prof_number(&g->copies_at, (uint32_t)(key >> 32), (uint32_t)key);
    if (*number != UINT32_MAX)
        return *number;
    uint32_t at = *number = (uint32_t)g->copy_count;
    es_prof_copy made = {.copy = copy, .caller = caller, .function = inlined_function(g, copy), .first = pc};
    const es_prof_cell *first = es_prof_cell_at(&g->profile->code, pc);
    made.begun = first ? first->count : 0;
    for (size_t i = 0; i < copy->entry_count; i++) {
        const es_prof_cell *cell = es_prof_cell_at(&g->profile->code, copy->entries[i]);
        made.calls += cell ? cell->count : 0;
    }
    g->copies = es_prof_grow(g->copies, g->copy_count, sizeof *g->copies);
    g->copies[g->copy_count++] = made;
    g->functions[made.function].calls += made.calls;
    g->functions[made.function].calls_unknown |= !copy->entry_count;
    return at;
}

/* The copies that an instruction is of, from the outermost on, by their numbers. */
static size_t copies_at(es_prof_graph *g, uint32_t pc, const es_prof_cell *cell, uint32_t numbers[DEEPEST])
{
    const es_inlined_copy *chain[DEEPEST];
    size_t count = es_symbols_inlined_at(g->profile->code.symbols, pc, chain, DEEPEST);
    uint32_t caller = cell->procedure;
    count = count < DEEPEST ? count : DEEPEST;
    for (size_t i = 0; i < count; i++) {
        numbers[i] = copy_number(g, chain[i], caller, pc);
        caller = g->copies[numbers[i]].function;
    }
    return count;
}

uint32_t es_prof_function_at(es_prof_graph *graph, uint32_t pc, const es_prof_cell *cell)
{
    uint32_t copies[DEEPEST];
    size_t count = copies_at(graph, pc, cell, copies);
    return count ? graph->copies[copies[count - 1]].function : cell->procedure;
}

/* --- costs -------------------------------------------------------------------------------------------------------- */

static void take_cell(void *context, uint32_t pc, const es_prof_cell *cell)
{
    es_prof_graph *g = context;
    uint32_t copies[DEEPEST], function = cell->procedure;
    size_t count = copies_at(g, pc, cell, copies), arcs;
    es_prof_cost self = {cell->count, cell->clocks}, all = self;
    const es_prof_arc *arc = es_prof_arcs_from(g->profile, pc, &arcs);
    for (size_t i = 0; i < arcs; i++)
        add(&all, arc[i].cost);
    for (size_t i = 0; i < count; i++) {
        bool again = false; /* inlined into itself */
        function = g->copies[copies[i]].function;
        for (size_t k = 0; k < i; k++)
            again = again || g->copies[copies[k]].function == function;
        add(&g->copies[copies[i]].cost, all);
        if (!again)
            add(&g->functions[function].total, all);
    }
    add(&g->functions[function].self, self);
}

/* --- edges -------------------------------------------------------------------------------------------------------- */

static void add_edge(es_prof_graph *g, es_prof_edge edge)
{
    g->edges = es_prof_grow(g->edges, g->edge_count, sizeof *g->edges);
    g->edges[g->edge_count++] = edge;
}

static uint32_t caller_of(es_prof_graph *g, uint32_t site)
{
    const es_prof_cell *cell;
    switch (site) {
    case ES_PROF_NOWHERE: return ES_PROF_STARTED;
    case ES_PROF_HANDLER: return ES_PROF_INTERRUPTED;
    case ES_PROF_BEFORE: return ES_PROF_EARLIER;
    default: break;
    }
    cell = es_prof_cell_at(&g->profile->code, site);
    return cell ? es_prof_function_at(g, site, cell) : ES_PROF_EARLIER;
}

static int by_ends(const void *left, const void *right)
{
    const es_prof_edge *a = left, *b = right;
    if (a->caller != b->caller)
        return a->caller < b->caller ? -1 : 1;
    return a->callee < b->callee ? -1 : a->callee > b->callee;
}

static void make_edges(es_prof_graph *g)
{
    const es_prof *p = g->profile;
    for (size_t i = 0; i < p->arc_count; i++) {
        const es_prof_arc *arc = &p->arcs[i];
        add_edge(g, (es_prof_edge){.caller = caller_of(g, arc->site),
                                   .callee = arc->procedure,
                                   .calls = arc->calls,
                                   .cost = arc->cost});
        g->functions[arc->procedure].calls += arc->calls;
    }
    for (size_t i = 0; i < g->copy_count; i++) {
        const es_prof_copy *it = &g->copies[i];
        add_edge(g, (es_prof_edge){it->caller, it->function, !it->copy->entry_count, it->calls, it->cost});
    }
    if (!g->edge_count)
        return;
    qsort(g->edges, g->edge_count, sizeof *g->edges, by_ends);
    size_t last = 0;
    for (size_t i = 1; i < g->edge_count; i++)
        if (by_ends(&g->edges[last], &g->edges[i]) == 0) {
            g->edges[last].calls += g->edges[i].calls;
            g->edges[last].calls_unknown |= g->edges[i].calls_unknown;
            add(&g->edges[last].cost, g->edges[i].cost);
        } else {
            g->edges[++last] = g->edges[i];
        }
    g->edge_count = last + 1;
}

void es_prof_graph_make(es_prof_graph *graph, const es_prof *profile)
{
    const es_procedure *const *all;
    size_t count = es_symbols_procedures(profile->code.symbols, &all);
    *graph = (es_prof_graph){.profile = profile, .function_count = profile->code.procedure_count};
    graph->functions = calloc(graph->function_count, sizeof *graph->functions);
    if (!graph->functions)
        abort();
    for (size_t i = 0; i < graph->function_count; i++) {
        const char *unit = i < count ? es_symbols_unit(profile->code.symbols, all[i]) : NULL;
        graph->functions[i] = (es_prof_function){.name = profile->code.names[i],
                                                 .file = i < count && all[i]->file ? all[i]->file : unit,
                                                 .total = profile->inclusive[i]};
    }
    es_prof_each_cell(&profile->code, take_cell, graph);
    make_edges(graph);
}

void es_prof_graph_free(es_prof_graph *graph)
{
    free(graph->functions);
    free(graph->edges);
    free(graph->copies);
    es_prof_numbers_free(&graph->copies_at);
}
