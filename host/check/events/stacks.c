#include "check/events/stacks.h"

#include <string.h>

#include <image.h>

enum { NODE_WORDS = ES_MI_ADDRESS_END / 4 / 64, NODES_MAX = 64 /* with more, NP counts as any */ };

/* Of a procedure. */
typedef struct place {
    uint64_t depths;           /* bit d: it may be the innermost with d activations; bit 63: with 63 or 64 */
    uint64_t *in;              /* NPs in it: a bit for each word of the soft core's memory; NULL: there are no nodes */
    uint64_t *before;          /* ... before it was called */
    size_t *calls, call_count; /* edges that call it */
    uint64_t below;            /* es_checker_to_do of any depth */
    bool uncalled;             /* its activations may be ones that no call made */
    bool leaves;               /* its activations' sites have ES_SITE_TO_DO: something is to do, or nobody waits */
} place;

struct es_checker_stacks {
    place *places;
    bool *reaches; /* [from * count + to]: `to` may be the innermost while `from` is on the stack */
    bool tasks;
    uint32_t list[NODES_MAX + 1];
};

static const uint32_t any_node[] = {0};

static bool is_noted(const checker *c, size_t p)
{
    const es_procedure *procedure = c->program.procedures[p].procedure;
    return procedure && es_checker_key_of(c, c->fetches, procedure->low)->armed;
}

static bool add_bit(uint64_t *set, uint32_t node)
{
    uint64_t bit = UINT64_C(1) << (node / 4 % 64), *word = &set[node / 256 % NODE_WORDS];
    if (*word & bit)
        return false;
    *word |= bit;
    return true;
}

/* Calls f for each node of a set. Returns whether f has ever said true. */
static bool each_node(const uint64_t *set, bool (*f)(void *context, uint32_t node), void *context)
{
    bool any = false;
    for (uint32_t i = 0; i < NODE_WORDS; i++)
        for (uint64_t rest = set[i]; rest; rest &= rest - 1)
            any |= f(context, (i * 64 + (uint32_t)__builtin_ctzll(rest)) * 4);
    return any;
}

typedef struct move {
    const checker *c;
    size_t callee;
    uint32_t site;
} move;

static bool move_node(void *context, uint32_t node)
{
    const move *m = context;
    place *to = &m->c->stacks->places[m->callee];
    if (!is_noted(m->c, m->callee))
        return add_bit(to->in, node) | add_bit(to->before, node);
    uint32_t low = m->c->program.procedures[m->callee].procedure->low;
    bool before = add_bit(to->before, node);
    return add_bit(to->in, es_check_service_next_node(m->c->service, node, low, m->site)) || before;
}

/* What a call, a jump or an interrupt makes of the depths at which it happens. */
static bool move_depths(const checker *c, size_t caller, size_t callee, bool jump)
{
    place *from = &c->stacks->places[caller], *to = &c->stacks->places[callee];
    uint64_t depths = from->depths;
    if (is_noted(c, callee))
        depths = (jump ? depths & ~UINT64_C(1) : 0) |
                 (jump ? (depths & 1) << 1 : depths << 1 | (depths & UINT64_C(1) << 63));
    if (!(depths & ~to->depths))
        return false;
    to->depths |= depths;
    return true;
}

static bool add_call(checker *c, size_t callee, size_t edge)
{
    place *to = &c->stacks->places[callee];
    for (size_t i = 0; i < to->call_count; i++)
        if (to->calls[i] == edge)
            return false;
    to->calls = es_arena_grow(c->report->arena, to->calls, to->call_count, sizeof *to->calls);
    to->calls[to->call_count++] = edge;
    return true;
}

/* Of a call, by its edge. */
static uint32_t site_of(const checker *c, size_t call)
{
    const es_check_node *from = &c->program.nodes[c->program.edges[call].from];
    return es_isa_site(from->address, from->insn.size);
}

/* A jump replaces an activation: NP moves from the NP before that, by its call's site. */
static bool jump_nodes(checker *c, size_t caller, size_t callee)
{
    place *from = &c->stacks->places[caller];
    bool changed = false;
    for (size_t i = 0; i < from->call_count; i++) {
        size_t call = from->calls[i];
        changed |= add_call(c, callee, call);
        move m = {c, callee, call == CHECK_NONE ? 0 : site_of(c, call)};
        if (from->in)
            changed |= each_node(from->before, move_node, &m);
    }
    return changed;
}

static bool pass_edge(checker *c, size_t edge)
{
    const es_check_edge *e = &c->program.edges[edge];
    size_t caller = c->program.nodes[e->from].procedure;
    place *from = &c->stacks->places[caller];
    if (!from->depths || (e->kind != CHECK_EDGE_CALL && e->kind != CHECK_EDGE_TAIL))
        return false;
    bool changed = move_depths(c, caller, e->callee, e->kind == CHECK_EDGE_TAIL);
    if (e->kind == CHECK_EDGE_TAIL && caller != c->program.entry)
        return jump_nodes(c, caller, e->callee) || changed;
    changed |= add_call(c, e->callee, edge);
    move m = {c, e->callee, site_of(c, edge)};
    return (from->in && each_node(from->in, move_node, &m)) || changed;
}

/* A handler comes on top of what is no handler or, where interrupts nest, of anything. */
static bool pass_interrupt(checker *c, size_t handler)
{
    bool changed = add_call(c, handler, CHECK_NONE);
    for (size_t p = 0; p < c->program.procedure_count; p++) {
        place *from = &c->stacks->places[p];
        if (!from->depths || (c->program.procedures[p].interrupt && !c->nested))
            continue;
        move m = {c, handler, 0};
        changed |= move_depths(c, p, handler, false);
        changed |= from->in && each_node(from->in, move_node, &m);
    }
    return changed;
}

static void find_reach(checker *c)
{
    const es_check_program *program = &c->program;
    size_t count = program->procedure_count;
    bool *reaches = c->stacks->reaches = es_arena_alloc(c->report->arena, count * count * sizeof *reaches);
    memset(reaches, 0, count * count * sizeof *reaches);
    for (size_t from = 0; from < count; from++) {
        bool *row = &reaches[from * count];
        if (!c->stacks->places[from].leaves)
            continue;
        row[from] = true;
        for (bool changed = true; changed;) {
            changed = false;
            for (size_t i = 0; i < program->edge_count; i++) {
                const es_check_edge *edge = &program->edges[i];
                bool calls = edge->kind == CHECK_EDGE_CALL || edge->kind == CHECK_EDGE_TAIL;
                if (calls && row[program->nodes[edge->from].procedure] && !row[edge->callee])
                    row[edge->callee] = changed = true;
            }
            for (size_t p = 0; p < count; p++)
                if (program->procedures[p].interrupt && !row[p] && c->stacks->places[p].depths)
                    row[p] = changed = true; /* it may come there */
        }
    }
}

/* Entries of the stack that may have something to do, by the procedure that is the innermost one; at the end: whichever
 * is. */
static void find_to_do(checker *c)
{
    size_t count = c->program.procedure_count;
    uint64_t always = c->stacks->tasks ? ~UINT64_C(0) : 0;
    for (size_t i = 0; i < c->program.edge_count; i++) /* where the root was left by a jump stands another word */
        if (c->program.edges[i].kind == CHECK_EDGE_TAIL &&
            c->program.nodes[c->program.edges[i].from].procedure == c->program.entry)
            always |= 1;
    for (size_t p = 0; p <= count; p++) {
        uint64_t entries = always;
        for (size_t q = 0; q < count; q++) {
            const place *at = &c->stacks->places[q];
            if (at->leaves && (p == count || c->stacks->reaches[q * count + p]))
                entries |= at->depths >> 1 | (at->depths & UINT64_C(1) << 63);
        }
        c->stacks->places[p].below = entries;
    }
}

/* Interrupts wait for no return: of handlers, and of what these jump to. */
static void find_uncalled(checker *c)
{
    const es_check_program *program = &c->program;
    place *places = c->stacks->places;
    for (size_t p = 0; p < program->procedure_count; p++)
        places[p].uncalled = program->procedures[p].interrupt;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < program->edge_count; i++) {
            const es_check_edge *edge = &program->edges[i];
            size_t from = program->nodes[edge->from].procedure;
            if (edge->kind == CHECK_EDGE_TAIL && places[from].uncalled && !places[edge->callee].uncalled)
                changed = places[edge->callee].uncalled = true;
        }
    }
    for (size_t p = 0; p < program->procedure_count; p++)
        places[p].leaves |= places[p].uncalled;
}

void es_checker_find_stacks(checker *c)
{
    const es_check_program *program = &c->program;
    size_t count = program->procedure_count;
    c->stacks = es_arena_alloc(c->report->arena, sizeof *c->stacks);
    *c->stacks = (struct es_checker_stacks){.tasks = c->statements->task};
    place *places = c->stacks->places = es_arena_alloc(c->report->arena, (count + 1) * sizeof *places);
    uint32_t root = es_check_service_root_node(c->service);
    for (size_t p = 0; p < count; p++) {
        places[p] = (place){.leaves = is_noted(c, p) &&
                                      es_check_service_leaves(c->service, program->procedures[p].procedure->low)};
        for (int i = 0; i < 2 && root; i++) {
            uint64_t *set = es_arena_alloc(c->report->arena, NODE_WORDS * sizeof *set);
            memset(set, 0, NODE_WORDS * sizeof *set);
            *(i ? &places[p].in : &places[p].before) = set;
        }
    }
    places[program->entry].depths = 1;
    if (root)
        add_bit(places[program->entry].in, root);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < program->edge_count; i++)
            changed |= pass_edge(c, i);
        for (size_t p = 0; p < count; p++)
            if (program->procedures[p].interrupt && program->procedures[p].node_count)
                changed |= pass_interrupt(c, p);
    }
    find_uncalled(c);
    find_reach(c);
    find_to_do(c);
}

/* --- answers ------------------------------------------------------------------------------------------------------ */

typedef struct listing {
    uint32_t *list;
    size_t count;
} listing;

static bool list_node(void *context, uint32_t node)
{
    listing *l = context;
    if (l->count < NODES_MAX)
        l->list[l->count] = node;
    return ++l->count > NODES_MAX;
}

static const uint32_t *list_nodes(checker *c, const uint64_t *set)
{
    listing l = {c->stacks->list, 0};
    if (!set || c->stacks->tasks || each_node(set, list_node, &l) || !l.count)
        return any_node;
    l.list[l.count] = 0;
    return l.list;
}

const uint32_t *es_checker_nodes_in(checker *c, size_t p)
{
    return p == CHECK_NONE ? any_node : list_nodes(c, c->stacks->places[p].in);
}

const uint32_t *es_checker_nodes_before(checker *c, size_t p)
{
    return p == CHECK_NONE ? any_node : list_nodes(c, c->stacks->places[p].before);
}

const uint32_t *es_checker_nodes_behind(checker *c, const es_check_node *call, size_t p)
{
    const place *own = &c->stacks->places[p];
    bool direct = own->in && is_noted(c, p);
    for (size_t i = 0; i < own->call_count && direct; i++) /* a jump to p keeps the site of what it replaces */
        direct = own->calls[i] != CHECK_NONE && c->program.edges[own->calls[i]].callee == p;
    const uint32_t *callers = es_checker_nodes_in(c, direct ? call->procedure : p);
    if (!direct || !*callers)
        return callers;
    for (uint32_t *node = c->stacks->list; *node; node++)
        *node = es_check_service_next_node(c->service, *node, c->program.procedures[p].procedure->low,
                                           es_isa_site(call->address, call->insn.size));
    return callers;
}

uint64_t es_checker_to_do(const checker *c, size_t p, uint32_t depth)
{
    uint64_t entries = c->stacks->places[p == CHECK_NONE ? c->program.procedure_count : p].below;
    return depth < 64 ? entries & ((UINT64_C(1) << depth) - 1) : entries;
}
