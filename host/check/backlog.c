#include "check/backlog.h"

#include <stdlib.h>
#include <string.h>

/* Values count soft core clocks times ratio.bus, so that they stay whole. */
#define NEVER INT64_MIN

/* What a procedure makes of the backlog at its call: max(v + through, from_inside). */
typedef struct summary {
    int64_t through;     /* NEVER: it does not return */
    int64_t from_inside; /* with no backlog at its entry, and none below 0 inside; NEVER: as above */
    int64_t entered;     /* highest backlog at its entry */
    int64_t work, clocks; /* of the way that `through` takes: soft core clocks, bus clocks */
} summary;

/* A backlog, and what the way to it brought and took since it began. */
typedef struct way {
    int64_t value;        /* NEVER: no way */
    int64_t work, clocks; /* soft core clocks, bus clocks */
} way;

/* What a loop with a bound makes of the backlog at its head: one round makes max(v + a, b) of it. */
typedef struct rounds {
    way way;             /* of one round: value a, NEVER: nothing leads back */
    int64_t from_inside; /* b */
} rounds;

typedef struct search {
    const check_program *program;
    const check_costs *costs;
    check_ratio ratio;
    check_backlog *result;
    summary *summaries;
    int64_t *edge_work;   /* of the fetch that an edge leads to, by edge */
    int64_t *back_work;   /* CALL: of the fetch behind the call */
    int64_t *node_work;   /* of a node's store or load, and of its transactions */
    way *ways;            /* by node: backlog when it has been fetched */
    size_t *cause;        /* by node: the edge it came by; CHECK_NONE: the start */
    uint32_t *rounds;     /* by node: how often it rose */
    bool *waiting;
    bool *live;           /* by node: execution can come here */
    bool *enters, *returns; /* by procedure: execution can come to its entry; to one of its returns */
    rounds *counted;      /* by loop with a bound */
    size_t *headed;       /* by node: the loop with a bound whose head it is; CHECK_NONE: no head of one */
    bool *stale;          /* by procedure: to be looked at again */
    size_t *queue;
    int64_t *worst;       /* by node: highest value ever */
    int64_t each;          /* with tasks: what one of them adds at most */
    int64_t before_handlers; /* highest backlog while no interrupt is handled */
    int64_t *resumed;      /* by node: what its fetch costs when an interrupt returns to it */
    int64_t resumed_most;  /* over all nodes */
    int64_t handler_floor; /* backlog that an interrupt may leave behind at its return; NEVER: there are none */
    int64_t excess;        /* what an interrupt may add beyond its own time, not more often than interrupt_gap */
    int64_t cleared;       /* backlog at the stores of the start-up code that clear memory; NEVER: not known yet */
    int64_t *fetched, *stored, *ended; /* by node: highest value ever when it has been fetched or stored (NEVER: it never is), and at its end */
} search;

/* --- what events cost ------------------------------------------------------------------------------------- */

#define MRET_WORD 0x30200073u

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t scale(const search *s, int64_t work)
{
    return work * s->ratio.bus;
}

static uint32_t address_of(const search *s, size_t node)
{
    return s->program->nodes[node].address;
}

static int64_t fetch_work(const search *s, const check_node *from, uint32_t to)
{
    return scale(s, s->costs->fetch(s->costs->context, from->address, from->word, to));
}

static void find_costs(search *s)
{
    static const check_node returning = { .word = MRET_WORD };
    const check_program *program = s->program;
    for (size_t i = 0; i < program->edge_count; i++) {
        const check_edge *edge = &program->edges[i];
        const check_node *from = &program->nodes[edge->from];
        if (edge->kind == CHECK_EDGE_NEXT)
            s->edge_work[i] = fetch_work(s, from, address_of(s, edge->to));
        else if (edge->kind != CHECK_EDGE_EXIT)
            s->edge_work[i] = fetch_work(s, from, program->procedures[edge->callee].procedure->low);
        if (edge->kind == CHECK_EDGE_CALL && edge->to != CHECK_NONE)
            s->back_work[i] = scale(s, s->costs->back(s->costs->context, from, edge->callee, address_of(s, edge->to)));
    }
    for (size_t i = 0; i < program->node_count; i++) {
        const check_node *node = &program->nodes[i];
        int64_t work = node->store || node->load ? s->costs->store(s->costs->context, node) : 0;
        s->node_work[i] = scale(s, work + s->costs->per_transaction * node->transactions);
        s->resumed[i] = fetch_work(s, &returning, node->address);
        s->resumed_most = larger(s->resumed_most, s->resumed[i]);
    }
}

/* --- what can run ------------------------------------------------------------------------------------------- */

static bool mark(bool *flag)
{
    bool changed = !*flag;
    *flag = true;
    return changed;
}

/* What follows a node that can run. True: something new. */
static bool pass(search *s, size_t i)
{
    const check_node *node = &s->program->nodes[i];
    bool changed = false;
    for (size_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
        const check_edge *edge = &s->program->edges[e];
        bool *returns = &s->returns[node->procedure];
        if (edge->kind == CHECK_EDGE_EXIT) {
            changed |= mark(returns);
        } else if (edge->kind == CHECK_EDGE_NEXT) {
            changed |= mark(&s->live[edge->to]);
        } else {
            changed |= mark(&s->enters[edge->callee]);
            if (s->returns[edge->callee] && edge->kind == CHECK_EDGE_TAIL)
                changed |= mark(returns);
            else if (s->returns[edge->callee] && edge->to != CHECK_NONE)
                changed |= mark(&s->live[edge->to]);
        }
    }
    return changed;
}

static void find_live(search *s)
{
    const check_program *program = s->program;
    for (size_t p = 0; p < program->procedure_count; p++)
        s->enters[p] = p == program->entry || program->procedures[p].interrupt || (s->costs->tasks && p == program->hub);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t p = 0; p < program->procedure_count; p++)
            if (s->enters[p] && program->procedures[p].node_count)
                changed |= mark(&s->live[program->procedures[p].first_node]);
        for (size_t i = 0; i < program->node_count; i++)
            if (s->live[i])
                changed |= pass(s, i);
    }
}

/* --- one procedure ---------------------------------------------------------------------------------------- */

/* Time passes, then work comes. With a floor the backlog never falls below 0. */
static way later(const search *s, way from, int64_t clocks, int64_t work, bool floor)
{
    int64_t rest = from.value - clocks * s->ratio.core;
    return (way){ .value = (floor ? larger(rest, 0) : rest) + work,
                  .work = from.work + work / s->ratio.bus,
                  .clocks = from.clocks + clocks };
}

/* A store of the start-up code that clears memory. */
static bool clears(const search *s, size_t i)
{
    const check_node *node = &s->program->nodes[i];
    return node->store && node->store->kind == ES_STORE_UNKNOWN && node->procedure == s->program->entry;
}

/* A node's store or load comes a clock before its end: the bus has one request at a time. */
static uint32_t clocks_behind(const check_node *node)
{
    return (node->store || node->load) && node->clocks > 1;
}

/* When a node's own work has come. */
static way work_node(const search *s, size_t i, way from, bool floor)
{
    const check_node *node = &s->program->nodes[i];
    way w = later(s, from, node->clocks - clocks_behind(node), s->node_work[i], floor);
    if (floor && s->cleared > w.value && clears(s, i))
        w.value = s->cleared;
    return w;
}

/* When it has run. */
static way run_node(const search *s, size_t i, way from, bool floor)
{
    return later(s, work_node(s, i, from, floor), clocks_behind(&s->program->nodes[i]), 0, floor);
}

/* Whether an interrupt may come in front of node i. Handlers begin with interrupts held back. */
static bool may_resume(const search *s, size_t i)
{
    const check_procedure *in = &s->program->procedures[s->program->nodes[i].procedure];
    return s->live[i] && !s->program->nodes[i].quiet && (!in->interrupt || (s->costs->levels > 1 && i != in->first_node));
}

/* Least backlog at a node that has been fetched: an interrupt may just have ended there. */
static int64_t least_at(const search *s, size_t i)
{
    if (s->handler_floor == NEVER || (!s->costs->tasks && !may_resume(s, i)))
        return 0;
    return s->handler_floor + (s->costs->tasks ? s->resumed_most : s->resumed[i]); /* tasks: another one goes on there */
}

/* Through a procedure, from its entry's fetch to its last instruction's end. */
static way run_procedure(const search *s, size_t p, way from, bool floor)
{
    const summary *callee = &s->summaries[p];
    if (callee->through == NEVER)
        return (way){ .value = NEVER };
    int64_t value = from.value + callee->through;
    return (way){ .value = floor ? larger(value, callee->from_inside) : value,
                  .work = from.work + callee->work,
                  .clocks = from.clocks + callee->clocks };
}

/* What edge i brings to its node `to`. */
static way along(const search *s, size_t i, way from, bool floor)
{
    const check_edge *edge = &s->program->edges[i];
    way w = later(s, run_node(s, edge->from, from, floor), 0, s->edge_work[i], false);
    if (edge->kind == CHECK_EDGE_NEXT)
        return w;
    if (edge->kind != CHECK_EDGE_CALL || edge->to == CHECK_NONE)
        return (way){ .value = NEVER };
    w = run_procedure(s, edge->callee, w, floor);
    return w.value == NEVER ? w : later(s, w, 0, s->back_work[i], false);
}

static bool is_inside(const search *s, size_t loop, size_t node)
{
    const check_counted *counted = &s->program->counted[loop];
    const check_procedure *p = &s->program->procedures[s->program->nodes[counted->head].procedure];
    return node >= p->first_node && node < p->first_node + p->node_count && counted->inside[node - p->first_node];
}

/* The highest backlog at a loop's head in all of its rounds, when the loop is entered with that much. */
static way all_rounds(const search *s, size_t loop, way from, bool floor)
{
    const rounds *r = &s->counted[loop];
    int64_t count = s->program->counted[loop].rounds;
    if (!count || r->way.value == NEVER)
        return from;
    if (floor && r->way.value <= 0) {
        from.value = larger(from.value, r->from_inside);
    } else if (r->way.value > 0) {
        int64_t through = from.value + count * r->way.value;
        from.value = floor ? larger(through, r->from_inside + (count - 1) * r->way.value) : through;
        from.work += count * r->way.work;
        from.clocks += count * r->way.clocks;
    }
    return from;
}

/* Notes the loop that the causes lead to from a node whose value rises for ever. */
static void note_loop(search *s, size_t node)
{
    const check_program *program = s->program;
    check_loop *loop = &s->result->loop;
    for (size_t i = 0; i < program->node_count && s->cause[node] != CHECK_NONE; i++) /* until it is one of the loop */
        node = program->edges[s->cause[node]].from;
    size_t first = node, steps = 0;
    way total = { 0 };
    do {
        size_t edge = s->cause[node], entered = s->headed[node];
        node = program->edges[edge].from;
        loop->nodes = es_arena_grow(program->arena, loop->nodes, loop->count, sizeof *loop->nodes);
        loop->nodes[loop->count++] = node;
        total = along(s, edge, total, false);
        if (entered != CHECK_NONE)
            total = all_rounds(s, entered, total, false);
    } while (node != first && s->cause[node] != CHECK_NONE && ++steps < program->node_count);
    for (size_t i = 0; i < loop->count / 2; i++) {
        size_t swap = loop->nodes[i];
        loop->nodes[i] = loop->nodes[loop->count - 1 - i];
        loop->nodes[loop->count - 1 - i] = swap;
    }
    loop->work = total.work;
    loop->clocks = total.clocks;
    s->result->bounded = false;
    s->result->why = "loop";
}

/* Highest values at the nodes of p, for `entered` at its entry; or, for a loop with a bound (not CHECK_NONE), at the nodes of one
 * of its rounds, for `entered` at its head. With floor the backlog is never below 0. False: a loop brings more work than
 * it takes time; it is noted. */
static bool solve(search *s, size_t p, size_t loop, int64_t entered, bool floor)
{
    const check_procedure *own = &s->program->procedures[p];
    size_t first = own->first_node, count = own->node_count, head = 0, waiting = 1;
    size_t start = loop == CHECK_NONE ? first : s->program->counted[loop].head;
    for (size_t i = first; i < first + count; i++) {
        s->ways[i] = (way){ .value = NEVER };
        s->cause[i] = CHECK_NONE;
        s->rounds[i] = 0;
        s->waiting[i] = i == start;
    }
    s->ways[start] = (way){ .value = floor ? larger(entered, least_at(s, start)) : entered };
    if (s->headed[start] != loop)
        s->ways[start] = all_rounds(s, s->headed[start], s->ways[start], floor);
    s->queue[0] = start;
    for (; waiting; waiting--) {
        size_t node = s->queue[head];
        head = (head + 1) % count;
        s->waiting[node] = false;
        const check_node *from = &s->program->nodes[node];
        for (size_t i = from->first_edge; i < from->first_edge + from->edge_count; i++) {
            way w = along(s, i, s->ways[node], floor);
            size_t to = s->program->edges[i].to;
            if (w.value == NEVER || (loop != CHECK_NONE && !is_inside(s, loop, to)))
                continue;
            if (floor)
                w.value = larger(w.value, least_at(s, to));
            if (s->headed[to] != CHECK_NONE) {
                if (is_inside(s, s->headed[to], node))
                    continue; /* the way back */
                w = all_rounds(s, s->headed[to], w, floor);
            }
            if (w.value <= s->ways[to].value)
                continue;
            s->ways[to] = w;
            s->cause[to] = i;
            if (++s->rounds[to] > count) {
                note_loop(s, to);
                return false;
            }
            if (!s->waiting[to]) {
                s->waiting[to] = true;
                s->queue[(head + waiting - 1) % count] = to;
                waiting++;
            }
        }
    }
    return true;
}

/* The highest value that comes back to a loop's head. */
static way back_way(const search *s, size_t loop, bool floor)
{
    size_t head = s->program->counted[loop].head;
    const check_procedure *own = &s->program->procedures[s->program->nodes[head].procedure];
    way best = { .value = NEVER };
    for (size_t i = own->first_node; i < own->first_node + own->node_count; i++) {
        const check_node *node = &s->program->nodes[i];
        for (size_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
            if (s->ways[i].value == NEVER || s->program->edges[e].to != head || !is_inside(s, loop, i))
                continue;
            way w = along(s, e, s->ways[i], floor);
            if (floor && w.value != NEVER)
                w.value = larger(w.value, least_at(s, head));
            if (w.value > best.value)
                best = w;
        }
    }
    return best;
}

/* One round of each of p's loops with a bound. */
static bool find_rounds(search *s, size_t p)
{
    for (size_t i = 0; i < s->program->counted_count; i++) {
        const check_counted *counted = &s->program->counted[i];
        if (s->program->nodes[counted->head].procedure != p)
            continue;
        if (!solve(s, p, i, 0, false))
            return false;
        s->counted[i].way = back_way(s, i, false);
        if (!solve(s, p, i, 0, true))
            return false;
        s->counted[i].from_inside = back_way(s, i, true).value;
    }
    return true;
}

/* --- all procedures ---------------------------------------------------------------------------------------- */

static way better(way a, way b)
{
    return b.value > a.value ? b : a;
}

/* The way with which p is left with the highest value. */
static way exit_way(const search *s, size_t p, bool floor)
{
    const check_procedure *own = &s->program->procedures[p];
    way best = { .value = NEVER };
    for (size_t i = own->first_node; i < own->first_node + own->node_count; i++) {
        const check_node *node = &s->program->nodes[i];
        for (size_t e = node->first_edge; e < node->first_edge + node->edge_count && s->ways[i].value != NEVER; e++) {
            const check_edge *edge = &s->program->edges[e];
            way w = run_node(s, i, s->ways[i], floor);
            if (edge->kind == CHECK_EDGE_EXIT)
                best = better(best, w);
            else if (edge->kind == CHECK_EDGE_TAIL)
                best = better(best, run_procedure(s, edge->callee, later(s, w, 0, s->edge_work[e], false), floor));
        }
    }
    return best;
}

/* The callers of p have to be looked at again. */
static void wake_callers(search *s, size_t p)
{
    for (size_t i = 0; i < s->program->edge_count; i++) {
        const check_edge *edge = &s->program->edges[i];
        if ((edge->kind == CHECK_EDGE_CALL || edge->kind == CHECK_EDGE_TAIL) && edge->callee == p)
            s->stale[s->program->nodes[edge->from].procedure] = true;
    }
}

/* One look at p with its callees' summaries as they are. *changed: its own became larger. */
static bool summarise(search *s, size_t p, bool *changed)
{
    summary *own = &s->summaries[p];
    if (!find_rounds(s, p) || !solve(s, p, CHECK_NONE, 0, false))
        return false;
    way through = exit_way(s, p, false);
    if (!solve(s, p, CHECK_NONE, 0, true))
        return false;
    way inside = exit_way(s, p, true);
    if (through.value > own->through) {
        own->through = through.value;
        own->work = through.work;
        own->clocks = through.clocks;
        *changed = true;
    }
    if (inside.value > own->from_inside) {
        own->from_inside = inside.value;
        *changed = true;
    }
    if (*changed)
        wake_callers(s, p);
    return true;
}

/* The places from which p's callees are entered, with p entered as it is by now. */
static bool descend(search *s, size_t p, bool *changed)
{
    const check_procedure *own = &s->program->procedures[p];
    if (s->summaries[p].entered == NEVER)
        return true;
    if (!solve(s, p, CHECK_NONE, s->summaries[p].entered, true))
        return false;
    for (size_t i = own->first_node; i < own->first_node + own->node_count; i++) {
        const check_node *node = &s->program->nodes[i];
        if (s->ways[i].value == NEVER)
            continue;
        int64_t value = run_node(s, i, s->ways[i], true).value;
        int64_t stored = work_node(s, i, s->ways[i], true).value;
        s->worst[i] = larger(s->worst[i], larger(s->ways[i].value, stored));
        s->stored[i] = larger(s->stored[i], s->program->nodes[i].transactions > 1 ? stored : NEVER);
        s->ended[i] = larger(s->ended[i], value);
        s->fetched[i] = larger(s->fetched[i], s->ways[i].value);
        for (size_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
            const check_edge *edge = &s->program->edges[e];
            if (edge->kind != CHECK_EDGE_CALL && edge->kind != CHECK_EDGE_TAIL)
                continue;
            int64_t entered = value + s->edge_work[e];
            if (entered > s->summaries[edge->callee].entered) {
                s->summaries[edge->callee].entered = entered;
                s->stale[edge->callee] = *changed = true;
            }
        }
    }
    return true;
}

/* Whether calls or jumps lead from p to itself. */
static bool is_recursive(const search *s, size_t p)
{
    const check_program *program = s->program;
    bool *reached = es_arena_alloc(program->arena, program->procedure_count + 1);
    for (bool changed = true; changed && !reached[p];) {
        changed = false;
        for (size_t i = 0; i < program->edge_count; i++) {
            const check_edge *edge = &program->edges[i];
            size_t from = program->nodes[edge->from].procedure;
            if ((edge->kind != CHECK_EDGE_CALL && edge->kind != CHECK_EDGE_TAIL) || (from != p && !reached[from]) ||
                reached[edge->callee])
                continue;
            reached[edge->callee] = changed = true;
        }
    }
    return reached[p];
}

static void note_recursion(search *s, size_t p)
{
    const check_procedure *own = &s->program->procedures[p];
    s->result->bounded = false;
    s->result->why = "recursion";
    s->result->loop = (check_loop){ .nodes = es_arena_alloc(s->program->arena, sizeof(size_t)), .count = 1 };
    s->result->loop.nodes[0] = own->first_node;
}

/* Rounds after which all has been looked at that as many activations can do as may nest; 0: there is no such number. Jumps from
 * procedure to procedure make no activation, but a round each. */
static size_t rounds_enough(const search *s)
{
    const check_program *program = s->program;
    size_t *jumps = es_arena_alloc(program->arena, (program->procedure_count + 1) * sizeof *jumps), most = 0;
    for (bool changed = true; changed && most <= program->procedure_count;) {
        changed = false;
        for (size_t i = 0; i < program->edge_count; i++) {
            const check_edge *edge = &program->edges[i];
            size_t by_here = jumps[program->nodes[edge->from].procedure] + 1;
            if (edge->kind != CHECK_EDGE_TAIL || by_here <= jumps[edge->callee])
                continue;
            jumps[edge->callee] = by_here;
            most = by_here > most ? by_here : most;
            changed = true;
        }
    }
    return most > program->procedure_count ? 0 : (s->costs->nest + (size_t)1) * (most + 1);
}

/* Repeats `look` over all procedures until nothing changes, or as many activations have been looked at as may nest: each round
 * adds one. Without such a limit more rounds than there are procedures mean that it never ends. */
static bool settle(search *s, bool (*look)(search *, size_t, bool *))
{
    size_t procedures = s->program->procedure_count, enough = s->costs->nest ? rounds_enough(s) : 0;
    for (size_t p = 0; p < procedures; p++) {
        summary *own = &s->summaries[p];
        s->stale[p] = true;
        if (look == summarise)
            own->through = own->from_inside = NEVER;
        else if (p != s->program->entry && !s->program->procedures[p].interrupt && !(s->costs->tasks && p == s->program->hub))
            own->entered = NEVER;
    }
    for (size_t round = 0; !enough || round < enough; round++) {
        bool any = false;
        for (size_t p = procedures; p-- > 0;) {
            bool changed = false;
            if (!s->stale[p] || !s->enters[p] || !s->program->procedures[p].node_count)
                continue;
            s->stale[p] = false;
            if (!look(s, p, &changed))
                return false;
            any |= changed;
            if (changed && !enough && round > 2 * procedures && is_recursive(s, p)) {
                note_recursion(s, p);
                return false;
            }
        }
        if (!any)
            break;
    }
    return true;
}

/* What an interrupt's return to node i costs more than the node's fetch would have, which is `paid` for. */
static int64_t dearer(const search *s, size_t i, int64_t paid)
{
    return may_resume(s, i) ? larger(0, s->resumed[i] - paid) : 0;
}

/* The most of that over all nodes, whatever leads to them. */
static int64_t dearest_return(const search *s)
{
    const check_program *program = s->program;
    int64_t most = s->costs->tasks ? s->resumed_most : dearer(s, program->procedures[program->entry].first_node, 0);
    for (size_t i = 0; i < program->edge_count; i++) {
        const check_edge *edge = &program->edges[i];
        if (!s->live[edge->from] || edge->kind == CHECK_EDGE_EXIT)
            continue;
        size_t first = edge->kind == CHECK_EDGE_NEXT ? edge->to : program->procedures[edge->callee].first_node;
        if (edge->kind == CHECK_EDGE_NEXT || program->procedures[edge->callee].node_count)
            most = larger(most, dearer(s, first, s->edge_work[i]));
        if (edge->kind == CHECK_EDGE_CALL && edge->to != CHECK_NONE)
            most = larger(most, dearer(s, edge->to, s->back_work[i]));
    }
    return most;
}

/* Interrupts may come anywhere: what their handlers add must be gone when they end, and what they leave is the floor. *more: it
 * became higher. */
static bool add_interrupts(search *s, bool *more)
{
    const check_program *program = s->program;
    for (size_t p = 0; p < program->procedure_count; p++) {
        if (!program->procedures[p].interrupt || !program->procedures[p].node_count)
            continue;
        uint32_t low = program->procedures[p].procedure->low;
        int64_t in = scale(s, s->costs->fetch(s->costs->context, 0, 0, low));
        const summary *own = &s->summaries[p];
        if (own->through == NEVER)
            continue;
        int64_t excess = in + own->through + dearest_return(s);
        if (excess > 0 && !s->costs->interrupt_gap) {
            note_recursion(s, p);
            s->result->why = "interrupts that come back to back";
            return false;
        }
        s->excess = larger(s->excess, excess);
        *more |= own->from_inside > s->handler_floor;
        s->handler_floor = larger(s->handler_floor, own->from_inside);
    }
    return true;
}

/* What the handlers of all levels may leave behind: the outer ones are interrupted, too, and what the inner ones left waits when
 * they go on. False: no end. */
static bool nest_interrupts(search *s)
{
    for (uint32_t level = 1; level <= s->costs->levels || level == 1; level++) {
        bool more = false;
        if (!settle(s, summarise) || !add_interrupts(s, &more))
            return false;
        if (!more)
            break;
    }
    return true;
}

static int64_t highest_of(const search *s)
{
    int64_t highest = 0;
    for (size_t i = 0; i < s->program->node_count; i++)
        highest = larger(highest, s->worst[i]);
    return highest;
}

/* Highest backlog at which an interrupt comes. */
static int64_t highest_end(const search *s)
{
    int64_t highest = larger(0, s->handler_floor); /* one may come right behind another one's end */
    for (size_t i = 0; i < s->program->node_count; i++)
        highest = larger(highest, s->ended[i]);
    return highest;
}

/* While the start-up code clears memory, what that brings waits besides whatever else there is. */
static bool add_clearing(search *s)
{
    int64_t others = 0;
    if (!s->costs->clearing)
        return true;
    for (size_t i = 0; i < s->program->node_count; i++)
        if (clears(s, i))
            others = larger(others, s->worst[i]);
    s->cleared = others + scale(s, s->costs->clearing);
    return settle(s, descend);
}

/* Handlers are entered with whatever backlog there is. True: more than before. */
static bool enter_handlers(search *s, int64_t highest)
{
    const check_program *program = s->program;
    bool more = false;
    for (size_t p = 0; p < program->procedure_count; p++) {
        if (!program->procedures[p].interrupt)
            continue;
        int64_t entered =
            highest + scale(s, s->costs->fetch(s->costs->context, 0, 0, program->procedures[p].procedure->low));
        more |= entered > s->summaries[p].entered;
        s->summaries[p].entered = larger(s->summaries[p].entered, entered);
    }
    return more;
}

static void *zeroed(size_t count, size_t size)
{
    void *memory = es_malloc(count * size + 1);
    memset(memory, 0, count * size);
    return memory;
}

/* The most that each task can add by itself, in s->each: what the others leave behind is no part of it. A new task goes on from where
 * the kernel has come to it. */
static bool find_each(search *s)
{
    const check_program *program = s->program;
    int64_t floor = s->handler_floor, begins = 0;
    s->handler_floor = NEVER;
    s->summaries[program->hub].entered = 0;
    bool fine = settle(s, descend);
    for (uint32_t level = 1; fine && s->costs->cuts_handlers && (level <= s->costs->levels || level == 1); level++)
        fine = !enter_handlers(s, highest_of(s)) || settle(s, descend);
    for (size_t i = 0; i < program->node_count; i++)
        if (program->switches[i] && program->nodes[i].word != MRET_WORD)
            begins = larger(begins, s->worst[i]);
    s->summaries[program->hub].entered = begins;
    fine = fine && settle(s, descend);
    s->each = highest_of(s);
    s->handler_floor = floor;
    return fine;
}

/* All tasks but the one that runs, where their interrupts are handled at once. */
static int64_t of_others(const search *s)
{
    return s->costs->tasks > 1 && !s->costs->cuts_handlers ? (s->costs->tasks - 1) * s->each : 0;
}

static void find_worst(search *s)
{
    int64_t highest = 0;
    es_arena *arena = s->program->arena;
    s->result->worst = CHECK_NONE;
    s->result->fetched = es_arena_alloc(arena, (s->program->node_count + 1) * sizeof *s->result->fetched);
    s->result->stored = es_arena_alloc(arena, (s->program->node_count + 1) * sizeof *s->result->stored);
    for (size_t i = 0; i < s->program->node_count; i++) {
        s->result->fetched[i] = s->fetched[i] < 0 ? -1 : (double)s->fetched[i] / (double)s->ratio.bus;
        s->result->stored[i] = s->stored[i] < 0 ? -1 : (double)s->stored[i] / (double)s->ratio.bus;
        if (s->worst[i] > highest) {
            highest = s->worst[i];
            s->result->worst = i;
        }
    }
    for (size_t p = 0; p < s->program->procedure_count; p++) {
        if (s->summaries[p].entered > highest && s->program->procedures[p].node_count) {
            highest = s->summaries[p].entered;
            s->result->worst = s->program->procedures[p].first_node;
        }
    }
    highest = larger(highest, s->before_handlers);
    if (s->costs->tasks > 1 && s->costs->cuts_handlers)
        highest *= s->costs->tasks;
    s->result->besides = (double)s->excess / (double)s->ratio.bus + (s->costs->mark_gap ? (double)s->costs->mark : 0);
    s->result->work = (double)highest / (double)s->ratio.bus + s->result->besides;
}

/* Interrupts that are too dear to come back to back: the first one's excess is added to the backlog, and that of the others
 * is paid by a soft core that is slower all the time. False: not even that keeps up. */
static bool slow_down(search *s)
{
    if (!s->excess)
        return true;
    s->ratio.core -= (s->excess + s->costs->interrupt_gap - 1) / s->costs->interrupt_gap;
    if (s->ratio.core > 0 && s->costs->levels > 1) { /* of handlers that are interrupted, what they leave is paid for, too */
        int64_t excess = s->excess;
        s->handler_floor = NEVER;
        bool fine = nest_interrupts(s);
        s->excess = excess;
        return fine;
    }
    if (s->ratio.core > 0)
        return true;
    for (size_t p = 0; p < s->program->procedure_count; p++)
        if (s->program->procedures[p].interrupt)
            note_recursion(s, p);
    s->result->why = "interrupts that come so often";
    return false;
}

void check_backlog_find(const check_program *program, const check_costs *costs, check_ratio ratio, check_backlog *result)
{
    size_t nodes = program->node_count;
    *result = (check_backlog){ .bounded = true, .worst = CHECK_NONE };
    if (costs->interrupt_gap || costs->mark_gap) { /* finer steps, for slow_down */
        ratio.core *= 256;
        ratio.bus *= 256;
    }
    search s = { .program = program, .costs = costs, .ratio = ratio, .result = result };
    /* Marks come at any time: one of them is added to the backlog, and the others are paid by a slower soft core. */
    if (costs->mark_gap)
        s.ratio.core -= (scale(&s, costs->mark) + costs->mark_gap - 1) / costs->mark_gap;
    if (s.ratio.core <= 0) {
        *result = (check_backlog){ .why = "the time's marks, which come so often", .worst = CHECK_NONE };
        return;
    }
    s.summaries = zeroed(program->procedure_count, sizeof *s.summaries);
    s.edge_work = zeroed(program->edge_count, sizeof *s.edge_work);
    s.back_work = zeroed(program->edge_count, sizeof *s.back_work);
    s.node_work = zeroed(nodes, sizeof *s.node_work);
    s.ways = zeroed(nodes, sizeof *s.ways);
    s.cause = zeroed(nodes, sizeof *s.cause);
    s.rounds = zeroed(nodes, sizeof *s.rounds);
    s.waiting = zeroed(nodes, sizeof *s.waiting);
    s.live = zeroed(nodes, sizeof *s.live);
    s.enters = zeroed(program->procedure_count, sizeof *s.enters);
    s.returns = zeroed(program->procedure_count, sizeof *s.returns);
    s.counted = zeroed(program->counted_count, sizeof *s.counted);
    s.headed = zeroed(nodes, sizeof *s.headed);
    for (size_t i = 0; i < nodes; i++)
        s.headed[i] = CHECK_NONE;
    for (size_t i = 0; i < program->counted_count; i++)
        s.headed[program->counted[i].head] = i;
    s.stale = zeroed(program->procedure_count, sizeof *s.stale);
    s.queue = zeroed(nodes, sizeof *s.queue);
    s.worst = zeroed(nodes, sizeof *s.worst);
    s.ended = zeroed(nodes, sizeof *s.ended);
    s.fetched = zeroed(nodes, sizeof *s.fetched);
    s.stored = zeroed(nodes, sizeof *s.stored);
    for (size_t i = 0; i < nodes; i++)
        s.fetched[i] = s.stored[i] = NEVER;
    s.resumed = zeroed(nodes, sizeof *s.resumed);
    s.handler_floor = s.cleared = NEVER;
    for (size_t p = 0; p < program->procedure_count; p++)
        s.summaries[p] = (summary){ .through = NEVER, .from_inside = NEVER, .entered = NEVER };
    s.summaries[program->entry].entered = 0;
    find_costs(&s);
    find_live(&s);
    bool fine = nest_interrupts(&s) && slow_down(&s) && settle(&s, summarise) && (!costs->tasks || find_each(&s)) &&
                settle(&s, descend) && add_clearing(&s);
    s.before_handlers = highest_of(&s) + of_others(&s);
    for (uint32_t level = 1; fine && (level <= costs->levels || level == 1); level++) {
        int64_t highest = costs->tasks ? larger(s.before_handlers, highest_of(&s)) : highest_end(&s);
        fine = !enter_handlers(&s, highest) || settle(&s, descend);
    }
    if (fine)
        find_worst(&s);
    free(s.summaries);
    free(s.edge_work);
    free(s.back_work);
    free(s.node_work);
    free(s.ways);
    free(s.cause);
    free(s.rounds);
    free(s.waiting);
    free(s.live);
    free(s.enters);
    free(s.returns);
    free(s.counted);
    free(s.headed);
    free(s.stale);
    free(s.queue);
    free(s.worst);
    free(s.ended);
    free(s.fetched);
    free(s.stored);
    free(s.resumed);
}
