#include "image/paths/ppat.h"

#include <stdlib.h>

#include "image/image.h"
#include "image/paths/automaton.h"
#include "image/paths/calls.h"
#include "image/plan/plan.h"
#include "image/plan/writes.h"
#include "lang/statement.h"

/* A pair is an activation as far as the future is concerned: the automaton's state and the procedure. */
typedef struct pair_set {
    /* by pair; by_interrupt: or as what a task begins with. live: a frame that is meant can follow, or it has one */
    bool *reached, *by_interrupt, *live;
    size_t *list; /* pairs in the order in which they were reached */
    size_t count;
} pair_set;

typedef struct builder {
    image_ppat *ppat;
    const es_symbols *symbols;
    const image_plan *plan;
    const es_probe_limits *limits;
    es_error *err;
    call_graph graph;
    pair_set pairs;
    size_t root;  /* index of the start-up code */
    size_t *none; /* by the automaton's state: node + 1 outside of the tree */
} builder;

/* --- which activations' locals are meant ------------------------------------------------------------------------- */

static size_t pair_of(const builder *b, size_t state, size_t procedure)
{
    return state * b->graph.count + procedure;
}

static size_t next_state(const builder *b, size_t state, size_t symbol)
{
    return b->ppat->paths.next[state * b->ppat->paths.symbol_count + symbol];
}

/* A local is meant of an activation of the procedure in this state. */
static const plan_frame *frame_in(const builder *b, size_t state, const es_procedure *procedure)
{
    const plan_frame *frame = es_plan_frame_of(b->plan, procedure);
    if (!frame || frame->moves)
        return NULL;
    if (frame->anywhere)
        return frame;
    for (size_t i = 0; i < b->plan->path_count; i++) {
        const es_path *path = b->plan->paths[i].path;
        if (es_step_means(es_path_last(path), procedure) && b->plan->paths[i].refers &&
            b->ppat->paths.tells[state * b->plan->path_count + i] & AUTOMATON_DENOTES)
            return frame;
    }
    return NULL;
}

/* Frames whose place their path fixes. */
static size_t fixed_frames(const image_plan *plan, const plan_frame **first)
{
    size_t count = 0;
    for (size_t i = plan->frame_count; i-- > 0;) {
        if (plan->frames[i].moves)
            continue;
        *first = &plan->frames[i];
        count++;
    }
    return count;
}

static const char *wanted_name(const builder *b)
{
    const plan_frame *first = &b->plan->frames[0];
    fixed_frames(b->plan, &first);
    return first->procedure->name;
}

static void reach(builder *b, size_t state, size_t procedure, bool by_interrupt)
{
    size_t pair = pair_of(b, state, procedure);
    if (b->pairs.reached[pair] && (b->pairs.by_interrupt[pair] || !by_interrupt))
        return;
    b->pairs.by_interrupt[pair] |= by_interrupt;
    b->pairs.reached[pair] = true;
    b->pairs.list[b->pairs.count++] = pair;
}

static bool begins_task(const builder *b, size_t procedure)
{
    const es_procedure *p = b->graph.procedures[procedure];
    return b->plan->program->task && p->address_taken && !p->is_interrupt;
}

/* Of a pair. Both are for graphs with procedures: count is not 0. */
static size_t state_of(const builder *b, size_t pair)
{
    return b->graph.count ? pair / b->graph.count : 0;
}

static size_t procedure_of(const builder *b, size_t pair)
{
    return b->graph.count ? pair % b->graph.count : 0;
}

static void find_pairs(builder *b)
{
    size_t count = b->graph.count, total = b->ppat->paths.state_count * count;
    pair_set *p = &b->pairs;
    p->reached = es_arena_alloc(b->plan->arena, total + 1);
    p->by_interrupt = es_arena_alloc(b->plan->arena, total + 1);
    p->live = es_arena_alloc(b->plan->arena, total + 1);
    p->list =
        es_arena_alloc(b->plan->arena, (2 * total + 1) * sizeof *p->list); /* each once, and once more by interrupt */
    reach(b, 0, b->root, false);
    for (size_t i = 0; i < p->count; i++) {
        size_t state = state_of(b, p->list[i]), procedure = procedure_of(b, p->list[i]);
        bool by_interrupt = p->by_interrupt[p->list[i]];
        for (size_t k = 0; k < b->graph.edge_counts[procedure]; k++) {
            const call_edge *edge = &b->graph.edges[procedure][k];
            reach(b, next_state(b, state, edge->symbol), edge->callee,
                  by_interrupt || (procedure == b->root && begins_task(b, edge->callee)));
        }
        for (size_t k = 0; k < count; k++)
            if (b->graph.procedures[k]->is_interrupt)
                reach(b, next_state(b, state, es_automaton_symbol_of(&b->ppat->paths, b->graph.procedures[k], 0)), k,
                      true);
    }
    for (size_t i = 0; i < p->count; i++)
        p->live[p->list[i]] =
            frame_in(b, state_of(b, p->list[i]), b->graph.procedures[procedure_of(b, p->list[i])]) != NULL;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = p->count; i-- > 0;) {
            size_t state = state_of(b, p->list[i]), procedure = procedure_of(b, p->list[i]);
            for (size_t k = 0; k < b->graph.edge_counts[procedure] && !p->live[p->list[i]]; k++) {
                const call_edge *edge = &b->graph.edges[procedure][k];
                if (p->live[pair_of(b, next_state(b, state, edge->symbol), edge->callee)])
                    p->live[p->list[i]] = changed = true;
            }
        }
    }
}

/* No frame that is meant may be reached by an interrupt or from what a task begins with: it can be anywhere. */
static bool refuse_interrupts(const builder *b)
{
    for (size_t i = 0; i < b->pairs.count; i++) {
        size_t pair = b->pairs.list[i];
        const es_procedure *procedure = b->graph.procedures[pair % b->graph.count];
        bool task = begins_task(b, pair % b->graph.count);
        if ((!procedure->is_interrupt && !task) || !b->pairs.by_interrupt[pair] || !b->pairs.live[pair])
            continue;
        const plan_frame *own = frame_in(b, pair / b->graph.count, procedure);
        if (task)
            return es_fail(b->err, ES_USAGE,
                           "the locals of %s cannot be found: a task may begin with %s%s, on a stack of its own: "
                           "copy the value to a global",
                           own ? procedure->name : wanted_name(b), procedure->name, own ? "" : ", which calls it");
        return es_fail(b->err, ES_USAGE,
                       "the locals of %s cannot be found: the interrupt handler %s %s, and its "
                       "frame can be anywhere",
                       own ? procedure->name : wanted_name(b), procedure->name, own ? "holds them" : "calls it");
    }
    return true;
}

/* --- nodes -------------------------------------------------------------------------------------------------------- */

static bool add_node(builder *b, const ppat_node *node, size_t *at)
{
    image_ppat *ppat = b->ppat;
    if (node->procedure && ppat->tree_count == ES_PPAT_NODES_MAX)
        return es_fail(b->err, ES_USAGE,
                       "the locals of %s can be reached on more than %u paths of calls, which is "
                       "all that the probe can hold",
                       wanted_name(b), ES_PPAT_NODES_MAX);
    ppat->tree_count += node->procedure != NULL;
    ppat->nodes = es_arena_grow(b->plan->arena, ppat->nodes, ppat->count, sizeof *ppat->nodes);
    *at = ppat->count++;
    ppat->nodes[*at] = *node;
    return true;
}

static size_t outside(builder *b, size_t state)
{
    if (!b->none[state]) {
        size_t at;
        add_node(b, &(ppat_node){.state = state}, &at);
        b->none[state] = at + 1;
    }
    return b->none[state] - 1;
}

/* Where the frames of those lie that a node's activation calls. */
static bool callee_cfa(const builder *b, size_t at, const call_edge *edge, uint32_t *cfa)
{
    const ppat_node *node = &b->ppat->nodes[at];
    uint32_t size = 0;
    if (!es_symbols_frame_size(b->symbols, node->procedure, &size)) {
        if (at) /* start-up code in assembly says nothing about its frame because it has none */
            return es_fail(b->err, ES_USAGE,
                           "the locals of %s cannot be found: %s, which calls it on some path, has a "
                           "frame whose size is not constant or not told by the debug information",
                           wanted_name(b), node->procedure->name);
        size = 0;
    }
    if (edge->jump && edge->call && size)
        return es_fail(b->err, ES_USAGE,
                       "the locals of %s cannot be found: %s both calls %s and jumps to it, with "
                       "frames at different places",
                       wanted_name(b), node->procedure->name, b->graph.procedures[edge->callee]->name);
    *cfa = node->cfa - (edge->jump ? 0 : size);
    return true;
}

/* The node of an activation in the tree; fails when its place does not follow from the path. */
static bool in_tree(builder *b, size_t caller, const call_edge *edge, size_t state, size_t *to)
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
                           wanted_name(b), callee->name, wanted_name(b));
        if (at == 0)
            break;
    }
    for (*to = 1; *to < ppat->count; ++*to)
        if (ppat->nodes[*to].procedure == callee && ppat->nodes[*to].state == state && ppat->nodes[*to].cfa == cfa)
            return true;
    return add_node(
        b,
        &(ppat_node){
            .state = state, .procedure = callee, .parent = caller, .cfa = cfa, .frame = frame_in(b, state, callee)},
        to);
}

static const call_edge *edge_to(const builder *b, const es_procedure *caller, size_t callee, size_t symbol)
{
    size_t at = es_calls_index(&b->graph, caller);
    for (size_t i = 0; i < b->graph.edge_counts[at]; i++)
        if (b->graph.edges[at][i].callee == callee && b->graph.edges[at][i].symbol == symbol)
            return &b->graph.edges[at][i];
    return NULL;
}

static bool move(builder *b, size_t at, const ppat_column *column, size_t *to)
{
    const automaton *paths = &b->ppat->paths;
    size_t symbol = es_automaton_symbol_of(paths, column->procedure, column->site);
    size_t state = next_state(b, b->ppat->nodes[at].state, symbol);
    size_t callee = es_calls_index(&b->graph, column->procedure);
    if (b->ppat->nodes[at].procedure && b->pairs.live && b->pairs.live[pair_of(b, state, callee)]) {
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

static void add_column(builder *b, const es_procedure *procedure, uint32_t site)
{
    image_ppat *ppat = b->ppat;
    ppat->columns = es_arena_grow(b->plan->arena, ppat->columns, ppat->column_count, sizeof *ppat->columns);
    ppat->columns[ppat->column_count++] = (ppat_column){procedure, site};
}

static void find_columns(builder *b)
{
    image_ppat *ppat = b->ppat;
    for (size_t i = 1; i < ppat->paths.symbol_count; i++)
        add_column(b, ppat->paths.symbols[i].procedure, ppat->paths.symbols[i].site);
    for (size_t i = 0; i < b->graph.count; i++) {
        size_t first, count;
        bool live = false;
        for (size_t state = 0; state < ppat->paths.state_count && b->pairs.live && !live; state++)
            live = b->pairs.live[pair_of(b, state, i)];
        if (live && i != b->root && !es_automaton_names(&ppat->paths, b->graph.procedures[i], &first, &count))
            add_column(b, b->graph.procedures[i], 0);
    }
    if (ppat->column_count)
        qsort(ppat->columns, ppat->column_count, sizeof *ppat->columns, by_place);
}

static bool add_nodes(builder *b)
{
    image_ppat *ppat = b->ppat;
    for (size_t at = 0; at < ppat->count; at++) {
        size_t to = outside(b, next_state(b, ppat->nodes[at].state, 0));
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

/* --- checks ------------------------------------------------------------------------------------------------------- */

/* There is one cell for a procedure's frame: two of its activations that are meant must not exist at once. */
static bool refuse_nested(const builder *b)
{
    const image_ppat *ppat = b->ppat;
    size_t *list = es_arena_alloc(b->plan->arena, (ppat->count + 1) * sizeof *list);
    for (size_t from = 1; from < ppat->count; from++) {
        const es_procedure *procedure = ppat->nodes[from].procedure; /* NULL: none that a path names */
        if (!ppat->nodes[from].frame || !procedure || !procedure->is_recursive)
            continue;
        bool *seen = es_arena_alloc(b->plan->arena, ppat->count);
        size_t count = 0;
        list[count++] = from;
        for (size_t i = 0; i < count; i++) {
            for (size_t m = 0; m < ppat->move_count; m++) {
                size_t to = ppat->moves[m].to;
                if (ppat->moves[m].from != list[i] || seen[to] || !ppat->nodes[to].procedure)
                    continue;
                if (ppat->nodes[to].frame == ppat->nodes[from].frame)
                    return es_fail(b->err, ES_USAGE,
                                   "locals of two activations of %s that exist at once cannot be "
                                   "watched in one run: leave out one of the paths",
                                   ppat->nodes[from].procedure->name);
                seen[to] = true;
                list[count++] = to;
            }
        }
    }
    return true;
}

static bool check_frames(const builder *b)
{
    const image_ppat *ppat = b->ppat;
    for (size_t at = 1; at < ppat->count; at++) {
        uint32_t offset = ppat->nodes[at].cfa - b->limits->window_base;
        if (ppat->nodes[at].procedure && (offset & 3 || offset > b->limits->window_size))
            return es_fail(b->err, ES_USAGE,
                           "the locals of %s cannot be found: a frame of %s at 0x%08x lies outside "
                           "of the probe's phantom memory",
                           wanted_name(b), ppat->nodes[at].procedure->name, (unsigned)ppat->nodes[at].cfa);
    }
    for (size_t i = 0; i < b->plan->frame_count; i++) {
        size_t at = 1;
        if (b->plan->frames[i].moves)
            continue;
        while (at < ppat->count && ppat->nodes[at].frame != &b->plan->frames[i])
            at++;
        if (at >= ppat->count)
            return es_fail(b->err, ES_USAGE,
                           "the locals of %s cannot be found: no path of calls from the program's "
                           "entry leads to it",
                           b->plan->frames[i].path ? b->plan->frames[i].path->text
                                                   : b->plan->frames[i].procedure->name);
    }
    return refuse_nested(b);
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static bool make_automaton(builder *b)
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

static bool find_tree(builder *b, ppat_node *root)
{
    b->root = b->graph.start;
    if (b->root == b->graph.count)
        return es_fail(b->err, ES_USAGE,
                       "the locals of %s cannot be found: the program's entry 0x%08x is in no "
                       "procedure",
                       wanted_name(b), (unsigned)es_symbols_entry(b->symbols));
    if (!es_symbols_stack_top(b->symbols, &root->cfa))
        return es_fail(b->err, ES_USAGE,
                       "the locals of %s cannot be found: the program has no symbol __stack_top that "
                       "tells where the stack begins",
                       wanted_name(b));
    root->procedure = b->graph.procedures[b->root];
    find_pairs(b);
    return refuse_interrupts(b);
}

bool es_ppat_build(image_ppat *ppat, const es_symbols *symbols, const image_plan *plan, const es_probe_limits *limits,
                   es_error *err)
{
    const plan_frame *first;
    size_t frames = fixed_frames(plan, &first);
    *ppat = (image_ppat){0};
    if (frames == 0 && plan->path_count == 0)
        return true;
    builder b = {.ppat = ppat, .symbols = symbols, .plan = plan, .limits = limits, .err = err};
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
    return add_nodes(&b) && check_frames(&b);
}
