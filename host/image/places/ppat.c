#include "image/places/ppat.h"

#include <stdlib.h>

#include "image/image.h"
#include "image/paths/automaton.h"
#include "image/paths/calls.h"
#include "image/places/ppat_inside.h"
#include "image/plan/plan.h"
#include "lang/statement.h"

/* --- nodes -------------------------------------------------------------------------------------------------------- */

static bool add_node(ppat_builder *b, const ppat_node *node, size_t *at)
{
    image_ppat *ppat = b->ppat;
    if (node->procedure && ppat->tree_count == ES_PPAT_NODES_MAX)
        return es_fail(b->err, ES_USAGE,
                       "the locals of %s can be reached on more than %u paths of calls, which is "
                       "all that the probe can hold",
                       es_ppat_wanted(b), ES_PPAT_NODES_MAX);
    ppat->tree_count += node->procedure != NULL;
    ppat->nodes = es_arena_grow(b->plan->arena, ppat->nodes, ppat->count, sizeof *ppat->nodes);
    *at = ppat->count++;
    ppat->nodes[*at] = *node;
    return true;
}

static size_t outside(ppat_builder *b, size_t state)
{
    if (!b->none[state]) {
        size_t at;
        add_node(b, &(ppat_node){.state = state}, &at);
        b->none[state] = at + 1;
    }
    return b->none[state] - 1;
}

/* Where the frames of those lie that a node's activation calls. */
static bool callee_cfa(const ppat_builder *b, size_t at, const call_edge *edge, uint32_t *cfa)
{
    const ppat_node *node = &b->ppat->nodes[at];
    uint32_t size = 0;
    if (!es_symbols_frame_size(b->symbols, node->procedure, &size)) {
        if (at) /* start-up code in assembly says nothing about its frame because it has none */
            return es_fail(b->err, ES_USAGE,
                           "the locals of %s cannot be found: %s, which calls it on some path, has a "
                           "frame whose size is not constant or not told by the debug information",
                           es_ppat_wanted(b), node->procedure->name);
        size = 0;
    }
    if (edge->jump && edge->call && size)
        return es_fail(b->err, ES_USAGE,
                       "the locals of %s cannot be found: %s both calls %s and jumps to it, with "
                       "frames at different places",
                       es_ppat_wanted(b), node->procedure->name, b->graph.procedures[edge->callee]->name);
    *cfa = node->cfa - (edge->jump ? 0 : size);
    return true;
}

/* The node of an activation in the tree; fails when its place does not follow from the path. */
static bool in_tree(ppat_builder *b, size_t caller, const call_edge *edge, size_t state, size_t *to)
{
    image_ppat *ppat = b->ppat;
    const es_procedure *callee = b->graph.procedures[edge->callee];
    uint32_t cfa = 0;
    if (!callee_cfa(b, caller, edge, &cfa))
        return false;
    for (size_t at = caller;; at = ppat->nodes[at].parent) {
        if (ppat->nodes[at].procedure == callee && ppat->nodes[at].state == state)
            return es_fail(b->err, ES_USAGE,
                           "the locals of %s cannot be found: %s is recursive and lies on a path of "
                           "calls to it, so the path does not tell where its frame is: give the whole path, as "
                           "main:%s\\..., or copy the value to a global",
                           es_ppat_wanted(b), callee->name, es_ppat_wanted(b));
        if (at == 0)
            break;
    }
    for (*to = 1; *to < ppat->count; ++*to)
        if (ppat->nodes[*to].procedure == callee && ppat->nodes[*to].state == state && ppat->nodes[*to].cfa == cfa)
            return true;
    return add_node(b,
                    &(ppat_node){.state = state,
                                 .procedure = callee,
                                 .parent = caller,
                                 .cfa = cfa,
                                 .frame = es_ppat_frame_in(b, state, callee)},
                    to);
}

static const call_edge *edge_to(const ppat_builder *b, const es_procedure *caller, size_t callee, size_t symbol)
{
    size_t at = es_calls_index(&b->graph, caller);
    for (size_t i = 0; i < b->graph.edge_counts[at]; i++)
        if (b->graph.edges[at][i].callee == callee && b->graph.edges[at][i].symbol == symbol)
            return &b->graph.edges[at][i];
    return NULL;
}

static bool move(ppat_builder *b, size_t at, const ppat_column *column, size_t *to)
{
    const automaton *paths = &b->ppat->paths;
    size_t symbol = es_automaton_symbol_of(paths, column->procedure, column->site);
    size_t state = ppat_next_state(b, b->ppat->nodes[at].state, symbol);
    size_t callee = es_calls_index(&b->graph, column->procedure);
    if (b->ppat->nodes[at].procedure && b->pairs.live && b->pairs.live[ppat_pair(b, state, callee)]) {
        const call_edge *edge = edge_to(b, b->ppat->nodes[at].procedure, callee, symbol);
        if (edge)
            return in_tree(b, at, edge, state, to);
    }
    *to = outside(b, state);
    return true;
}

static int by_place(const void *left, const void *right)
{
    const ppat_column *a = left, *b = right;
    uint32_t p = a->procedure->low, q = b->procedure->low;
    return p != q ? (p > q) - (p < q) : (a->site > b->site) - (a->site < b->site);
}

static void add_column(ppat_builder *b, const es_procedure *procedure, uint32_t site)
{
    image_ppat *ppat = b->ppat;
    ppat->columns = es_arena_grow(b->plan->arena, ppat->columns, ppat->column_count, sizeof *ppat->columns);
    ppat->columns[ppat->column_count++] = (ppat_column){procedure, site};
}

static void find_columns(ppat_builder *b)
{
    image_ppat *ppat = b->ppat;
    for (size_t i = 1; i < ppat->paths.symbol_count; i++)
        add_column(b, ppat->paths.symbols[i].procedure, ppat->paths.symbols[i].site);
    for (size_t i = 0; i < b->graph.count; i++) {
        size_t first, count;
        bool live = false;
        for (size_t state = 0; state < ppat->paths.state_count && b->pairs.live && !live; state++)
            live = b->pairs.live[ppat_pair(b, state, i)];
        if (live && i != b->root && !es_automaton_names(&ppat->paths, b->graph.procedures[i], &first, &count))
            add_column(b, b->graph.procedures[i], 0);
    }
    if (ppat->column_count)
        qsort(ppat->columns, ppat->column_count, sizeof *ppat->columns, by_place);
}

static bool add_nodes(ppat_builder *b)
{
    image_ppat *ppat = b->ppat;
    for (size_t at = 0; at < ppat->count; at++) {
        size_t to = outside(b, ppat_next_state(b, ppat->nodes[at].state, 0));
        ppat->nodes[at].other = to;
        for (size_t c = 0; c < ppat->column_count; c++) {
            if (!move(b, at, &ppat->columns[c], &to))
                return false;
            if (to == ppat->nodes[at].other)
                continue;
            ppat->moves = es_arena_grow(b->plan->arena, ppat->moves, ppat->move_count, sizeof *ppat->moves);
            ppat->moves[ppat->move_count++] = (ppat_move){at, c, to};
        }
    }
    return true;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static bool make_automaton(ppat_builder *b)
{
    const image_plan *plan = b->plan;
    automaton *a = &b->ppat->paths;
    const es_path **paths = es_arena_alloc(plan->arena, (plan->path_count + 1) * sizeof *paths);
    uint8_t *asked = es_arena_alloc(plan->arena, plan->path_count + 1);
    for (size_t i = 0; i < plan->path_count; i++) {
        paths[i] = plan->paths[i].path;
        asked[i] = plan->paths[i].asked;
    }
    es_automaton_begin(a, plan->arena, paths, plan->path_count);
    es_calls_make(&b->graph, b->symbols, plan->arena, a, plan->program->task != NULL);
    if (es_automaton_make(a, plan->arena, paths, asked, b->graph.start < b->graph.count ? &b->graph : NULL))
        return true;
    return es_fail(b->err, ES_USAGE,
                   "the %zu paths of the statements need more than %u states, which is all that %s "
                   "can hold: watch fewer at once, or nest [k] less",
                   plan->path_count, AUTOMATON_STATES_MAX,
                   b->limits->unsure ? "statements that depend on each other" : "the probe");
}

static bool find_tree(ppat_builder *b, ppat_node *root)
{
    b->root = b->graph.start;
    if (b->root == b->graph.count)
        return es_fail(b->err, ES_USAGE,
                       "the locals of %s cannot be found: the program's entry 0x%08x is in no "
                       "procedure",
                       es_ppat_wanted(b), (unsigned)es_symbols_entry(b->symbols));
    if (!es_symbols_stack_top(b->symbols, &root->cfa))
        return es_fail(b->err, ES_USAGE,
                       "the locals of %s cannot be found: the program has no symbol __stack_top that "
                       "tells where the stack begins",
                       es_ppat_wanted(b));
    root->procedure = b->graph.procedures[b->root];
    es_ppat_find_pairs(b);
    return es_ppat_refuse_interrupts(b);
}

bool es_ppat_build(image_ppat *ppat, const es_symbols *symbols, const image_plan *plan, const es_probe_limits *limits,
                   es_error *err)
{
    const plan_frame *first;
    size_t frames = es_ppat_fixed_frames(plan, &first);
    *ppat = (image_ppat){0};
    if (frames == 0 && plan->path_count == 0)
        return true;
    ppat_builder b = {.ppat = ppat, .symbols = symbols, .plan = plan, .limits = limits, .err = err};
    if (!make_automaton(&b))
        return false;
    b.none = es_arena_alloc(plan->arena, ppat->paths.state_count * sizeof *b.none);
    ppat_node root = {0};
    size_t at;
    if (frames && !find_tree(&b, &root))
        return false;
    if (frames)
        add_node(&b, &root, &at);
    else
        outside(&b, 0);
    find_columns(&b);
    return add_nodes(&b) && es_ppat_check_frames(&b);
}
