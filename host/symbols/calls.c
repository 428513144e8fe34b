/* The call graph: call sites of all procedures, which procedures lie on a cycle, and what follows for frames. */
#include "symbols/internal.h"

#include <stdlib.h>

static int by_site(const void *a, const void *b)
{
    const es_call_site *x = a, *y = b;
    return (x->site > y->site) - (x->site < y->site);
}

/* --- cycles: Tarjan's strongly connected components, without recursion -------------------------------- */

typedef struct graph {
    size_t nodes;  /* procedures, and one more: the indirect call */
    size_t *first; /* edges of node n: edge[first[n]] ... edge[first[n + 1] - 1] */
    size_t *edge;
} graph;

typedef struct visit {
    size_t index, low; /* order of discovery, from 1; 0: not yet seen */
    size_t next;       /* next edge to follow */
    bool on_stack;
} visit;

static void mark_component(es_symbols *symbols, const graph *g, visit *visits, const size_t *stack, size_t *top,
                           size_t root)
{
    size_t size = 0, node;
    do {
        node = stack[*top - ++size];
    } while (node != root);
    for (size_t i = 0; i < size; i++) {
        node = stack[--*top];
        visits[node].on_stack = false;
        bool cycle = size > 1;
        for (size_t e = g->first[node]; e < g->first[node + 1]; e++)
            cycle |= g->edge[e] == node;
        if (node < symbols->procedures.count)
            symbols->procedures.items[node]->is_recursive = cycle;
    }
}

static void find_cycles(es_symbols *symbols, const graph *g)
{
    visit *visits = es_arena_alloc(symbols->arena, g->nodes * sizeof *visits);
    size_t *stack = es_arena_alloc(symbols->arena, g->nodes * sizeof *stack); /* Tarjan's stack */
    size_t *path = es_arena_alloc(symbols->arena, g->nodes * sizeof *path);   /* from the root to the node at hand */
    size_t top = 0, depth = 0, order = 0;
    for (size_t root = 0; root < g->nodes; root++) {
        if (visits[root].index)
            continue;
        path[depth++] = root;
        while (depth) {
            size_t node = path[depth - 1];
            visit *v = &visits[node];
            if (!v->index) {
                v->index = v->low = ++order;
                v->next = g->first[node];
                v->on_stack = true;
                stack[top++] = node;
            }
            if (v->next < g->first[node + 1]) {
                size_t to = g->edge[v->next++];
                if (!visits[to].index)
                    path[depth++] = to;
                else if (visits[to].on_stack && visits[to].index < v->low)
                    v->low = visits[to].index;
                continue;
            }
            depth--;
            if (depth && v->low < visits[path[depth - 1]].low)
                visits[path[depth - 1]].low = v->low;
            if (v->low == v->index)
                mark_component(symbols, g, visits, stack, &top, node);
        }
    }
}

/* What is called there is active beside its caller: not so start-up code, with which the program starts anew. */
static bool is_entry(const es_symbols *symbols, const es_procedure *procedure)
{
    return symbols->entry - procedure->low < procedure->high - procedure->low;
}

static bool is_restart(const es_symbols *symbols, const es_call_site *site)
{
    return site->callee && is_entry(symbols, site->callee);
}

/* Of a call through a pointer. The address of an interrupt's handler goes into mtvec; nobody calls it. */
static bool may_be_callee(const es_symbols *symbols, const es_procedure *procedure)
{
    return procedure->address_taken && !procedure->is_interrupt && !is_entry(symbols, procedure);
}

static void build_graph(es_symbols *symbols, graph *g)
{
    size_t count = symbols->procedures.count, edges = 0;
    g->nodes = count + 1;
    g->first = es_arena_alloc(symbols->arena, (count + 2) * sizeof *g->first);
    for (size_t i = 0; i < symbols->calls.count; i++)
        if (!is_restart(symbols, &symbols->calls.items[i]))
            g->first[((const symbols_procedure *)symbols->calls.items[i].caller)->index + 1]++;
    for (size_t i = 0; i < count; i++)
        g->first[count + 1] += may_be_callee(symbols, symbols->procedures.items[i]);
    for (size_t i = 1; i <= count + 1; i++)
        g->first[i] += g->first[i - 1];
    edges = g->first[count + 1];
    g->edge = es_arena_alloc(symbols->arena, (edges + 1) * sizeof *g->edge);
    size_t *fill = es_arena_alloc(symbols->arena, (count + 1) * sizeof *fill);
    for (size_t i = 0; i < symbols->calls.count; i++) {
        const es_call_site *site = &symbols->calls.items[i];
        if (is_restart(symbols, site))
            continue;
        size_t from = ((const symbols_procedure *)site->caller)->index;
        g->edge[g->first[from] + fill[from]++] =
            site->callee ? ((const symbols_procedure *)site->callee)->index : count;
    }
    for (size_t i = 0; i < count; i++)
        if (may_be_callee(symbols, symbols->procedures.items[i]))
            g->edge[g->first[count] + fill[count]++] = i;
}

/* --- */

static void mark_code_words(es_symbols *symbols)
{
    for (size_t i = 0; i < symbols->code_words.count; i++) {
        symbols_procedure *procedure = es_symbols_procedure_starting_at(symbols, symbols->code_words.items[i]);
        if (procedure)
            procedure->public.address_taken = true;
    }
}

void es_symbols_find_calls(es_symbols *symbols)
{
    for (size_t i = 0; i < symbols->procedures.count; i++)
        es_symbols_follow(symbols, (symbols_procedure *)symbols->procedures.items[i]);
    es_symbols_find_strays(symbols);
    SYMBOLS_SORT(&symbols->calls, by_site);
    mark_code_words(symbols);
    graph g;
    build_graph(symbols, &g);
    find_cycles(symbols, &g);
}

size_t es_symbols_calls(const es_symbols *symbols, const es_call_site **sites)
{
    *sites = symbols->calls.items;
    return symbols->calls.count;
}

bool es_symbols_frame_size(const es_symbols *symbols, const es_procedure *procedure, uint32_t *bytes)
{
    (void)symbols;
    const symbols_procedure *own = (const symbols_procedure *)procedure;
    if (!own->frame_known)
        return false;
    *bytes = own->frame_size;
    return true;
}
