/* How the backlog rises and falls along the paths through one procedure. */
#include "check/queues/search.h"

/* Time passes, then work comes. With a floor the backlog never falls below 0. */
static way later(const search *s, way from, int64_t clocks, int64_t work, bool floor)
{
    int64_t rest = plus(from.value, -clocks * s->ratio.core);
    return (way){.value = plus(floor ? larger(rest, 0) : rest, work),
                 .work = plus(from.work, work / s->ratio.bus),
                 .clocks = plus(from.clocks, clocks)};
}

/* A store of the start-up code that clears memory. */
bool es_backlog_clears(const search *s, size_t i)
{
    const es_check_node *node = &s->program->nodes[i];
    return node->store && node->store->kind == ES_STORE_UNKNOWN && node->procedure == s->program->entry;
}

/* A node's store or load comes a clock before its end: the bus has one request at a time. */
static uint32_t clocks_behind(const es_check_node *node)
{
    return (node->store || node->load) && node->clocks > 1;
}

/* When a node's own work has come. */
way es_backlog_work_node(const search *s, size_t i, way from, bool floor)
{
    const es_check_node *node = &s->program->nodes[i];
    way w = later(s, from, node->clocks - clocks_behind(node), s->node_work[i], floor);
    if (floor && s->cleared > w.value && es_backlog_clears(s, i))
        w.value = s->cleared;
    return w;
}

/* When it has run. */
way es_backlog_run_node(const search *s, size_t i, way from, bool floor)
{
    return later(s, es_backlog_work_node(s, i, from, floor), clocks_behind(&s->program->nodes[i]), 0, floor);
}

/* Whether an interrupt may come in front of node i. Handlers begin with interrupts held back. */
bool es_backlog_may_resume(const search *s, size_t i)
{
    const es_check_procedure *in = &s->program->procedures[s->program->nodes[i].procedure];
    return s->live[i] && !s->program->nodes[i].uninterrupted &&
           (!in->interrupt || (s->costs->levels > 1 && i != in->first_node));
}

/* Least backlog at a node that has been fetched: an interrupt may just have ended there. */
static int64_t least_at(const search *s, size_t i)
{
    if (s->handler_floor == NEVER || (!s->costs->tasks && !es_backlog_may_resume(s, i)))
        return 0;
    /* tasks: another one goes on there */
    return s->handler_floor + (s->costs->tasks ? s->resumed_most : s->resumed[i]);
}

/* Through a procedure, from its entry's fetch to its last instruction's end. */
static way run_procedure(const search *s, size_t p, way from, bool floor)
{
    const summary *callee = &s->summaries[p];
    if (callee->through == NEVER)
        return (way){.value = NEVER};
    int64_t value = plus(from.value, callee->through);
    return (way){.value = floor ? larger(value, callee->from_inside) : value,
                 .work = plus(from.work, callee->work),
                 .clocks = plus(from.clocks, callee->clocks)};
}

/* What edge i brings to its node `to`. */
static way along(const search *s, size_t i, way from, bool floor)
{
    const es_check_edge *edge = &s->program->edges[i];
    way w = later(s, es_backlog_run_node(s, edge->from, from, floor), 0, s->edge_work[i], false);
    if (edge->kind == CHECK_EDGE_NEXT)
        return later(s, w, 0, s->swept[i], false);
    if (edge->kind != CHECK_EDGE_CALL || edge->to == CHECK_NONE)
        return (way){.value = NEVER};
    w = run_procedure(s, edge->callee, w, floor);
    return w.value == NEVER ? w : later(s, w, 0, s->back_work[i] + s->swept[i], false);
}

static bool is_inside(const search *s, size_t loop, size_t node)
{
    const es_check_counted *counted = &s->program->counted[loop];
    const es_check_procedure *p = &s->program->procedures[s->program->nodes[counted->head].procedure];
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
        int64_t through = plus(from.value, times(count, r->way.value));
        from.value = floor ? larger(through, plus(r->from_inside, times(count - 1, r->way.value))) : through;
        from.work = plus(from.work, times(count, r->way.work));
        from.clocks = plus(from.clocks, times(count, r->way.clocks));
    }
    return from;
}

/* Notes the loop that the causes lead to from a node whose value rises for ever. */
static void note_loop(search *s, size_t node)
{
    const es_check_program *program = s->program;
    es_check_loop *loop = &s->result->loop;
    for (size_t i = 0; i < program->node_count && s->cause[node] != CHECK_NONE; i++) /* until it is one of the loop */
        node = program->edges[s->cause[node]].from;
    size_t first = node, steps = 0;
    way total = {0};
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

void es_backlog_note_recursion(search *s, size_t p)
{
    const es_check_procedure *own = &s->program->procedures[p];
    s->result->bounded = false;
    s->result->why = "recursion";
    s->result->loop = (es_check_loop){.nodes = es_arena_alloc(s->program->arena, sizeof(size_t)), .count = 1};
    s->result->loop.nodes[0] = own->first_node;
}

/* Highest values at the nodes of p, for `entered` at its entry; or, for a loop with a bound (not CHECK_NONE), at the
 * nodes of one of its rounds, for `entered` at its head. With floor the backlog is never below 0. False: a loop brings
 * more work than it takes time, or there is no end to what comes; it is noted. */
bool es_backlog_solve(search *s, size_t p, size_t loop, int64_t entered, bool floor)
{
    const es_check_procedure *own = &s->program->procedures[p];
    size_t first = own->first_node, count = own->node_count, head = 0, waiting = 1;
    size_t start = loop == CHECK_NONE ? first : s->program->counted[loop].head;
    for (size_t i = first; i < first + count; i++) {
        s->ways[i] = (way){.value = NEVER};
        s->cause[i] = CHECK_NONE;
        s->rounds[i] = 0;
        s->waiting[i] = i == start;
    }
    s->ways[start] = (way){.value = floor ? larger(entered, least_at(s, start)) : entered};
    if (s->headed[start] != loop)
        s->ways[start] = all_rounds(s, s->headed[start], s->ways[start], floor);
    s->queue[0] = start;
    for (; waiting; waiting--) {
        size_t node = s->queue[head];
        head = (head + 1) % count;
        s->waiting[node] = false;
        const es_check_node *from = &s->program->nodes[node];
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
            if (w.value == ENDLESS) {
                es_backlog_note_recursion(s, p);
                return false;
            }
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
    const es_check_procedure *own = &s->program->procedures[s->program->nodes[head].procedure];
    way best = {.value = NEVER};
    for (size_t i = own->first_node; i < own->first_node + own->node_count; i++) {
        const es_check_node *node = &s->program->nodes[i];
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
bool es_backlog_find_rounds(search *s, size_t p)
{
    for (size_t i = 0; i < s->program->counted_count; i++) {
        const es_check_counted *counted = &s->program->counted[i];
        if (s->program->nodes[counted->head].procedure != p)
            continue;
        if (!es_backlog_solve(s, p, i, 0, false))
            return false;
        s->counted[i].way = back_way(s, i, false);
        if (!es_backlog_solve(s, p, i, 0, true))
            return false;
        s->counted[i].from_inside = back_way(s, i, true).value;
        if (s->counted[i].way.value == ENDLESS || s->counted[i].from_inside == ENDLESS) {
            es_backlog_note_recursion(s, p);
            return false;
        }
    }
    return true;
}

static way better(way a, way b)
{
    return b.value > a.value ? b : a;
}

/* The way with which p is left with the highest value. */
way es_backlog_exit_way(const search *s, size_t p, bool floor)
{
    const es_check_procedure *own = &s->program->procedures[p];
    way best = {.value = NEVER};
    for (size_t i = own->first_node; i < own->first_node + own->node_count; i++) {
        const es_check_node *node = &s->program->nodes[i];
        for (size_t e = node->first_edge; e < node->first_edge + node->edge_count && s->ways[i].value != NEVER; e++) {
            const es_check_edge *edge = &s->program->edges[e];
            way w = es_backlog_run_node(s, i, s->ways[i], floor);
            if (edge->kind == CHECK_EDGE_EXIT)
                best = better(best, w);
            else if (edge->kind == CHECK_EDGE_TAIL)
                best = better(best, run_procedure(s, edge->callee, later(s, w, 0, s->edge_work[e], false), floor));
        }
    }
    return best;
}
