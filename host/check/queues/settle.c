/* What all procedures make of the backlog, called by each other: repeated until nothing changes. */
#include "check/queues/search.h"

/* The callers of p have to be looked at again. */
static void wake_callers(search *s, size_t p)
{
    for (size_t i = 0; i < s->program->edge_count; i++) {
        const es_check_edge *edge = &s->program->edges[i];
        if ((edge->kind == CHECK_EDGE_CALL || edge->kind == CHECK_EDGE_TAIL) && edge->callee == p)
            s->stale[s->program->nodes[edge->from].procedure] = true;
    }
}

/* One look at p with its callees' summaries as they are. *changed: its own became larger. */
bool es_backlog_summarise(search *s, size_t p, bool *changed)
{
    summary *own = &s->summaries[p];
    if (!es_backlog_find_rounds(s, p) || !es_backlog_solve(s, p, CHECK_NONE, 0, false))
        return false;
    way through = es_backlog_exit_way(s, p, false);
    if (!es_backlog_solve(s, p, CHECK_NONE, 0, true))
        return false;
    way inside = es_backlog_exit_way(s, p, true);
    if (through.value == ENDLESS || inside.value == ENDLESS) {
        es_backlog_note_recursion(s, p);
        return false;
    }
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
bool es_backlog_descend(search *s, size_t p, bool *changed)
{
    const es_check_procedure *own = &s->program->procedures[p];
    if (s->summaries[p].entered == NEVER)
        return true;
    if (!es_backlog_solve(s, p, CHECK_NONE, s->summaries[p].entered, true))
        return false;
    for (size_t i = own->first_node; i < own->first_node + own->node_count; i++) {
        const es_check_node *node = &s->program->nodes[i];
        if (s->ways[i].value == NEVER)
            continue;
        int64_t value = es_backlog_run_node(s, i, s->ways[i], true).value;
        int64_t stored = es_backlog_work_node(s, i, s->ways[i], true).value;
        s->worst[i] = larger(s->worst[i], larger(s->ways[i].value, stored));
        s->stored[i] = larger(s->stored[i], s->program->nodes[i].accesses ? stored : NEVER);
        s->ended[i] = larger(s->ended[i], value);
        s->fetched[i] = larger(s->fetched[i], s->ways[i].value);
        for (size_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
            const es_check_edge *edge = &s->program->edges[e];
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
    const es_check_program *program = s->program;
    bool *reached = es_arena_alloc(program->arena, program->procedure_count + 1);
    for (bool changed = true; changed && !reached[p];) {
        changed = false;
        for (size_t i = 0; i < program->edge_count; i++) {
            const es_check_edge *edge = &program->edges[i];
            size_t from = program->nodes[edge->from].procedure;
            if ((edge->kind != CHECK_EDGE_CALL && edge->kind != CHECK_EDGE_TAIL) || (from != p && !reached[from]) ||
                reached[edge->callee])
                continue;
            reached[edge->callee] = changed = true;
        }
    }
    return reached[p];
}

/* Rounds after which all has been looked at that as many activations can do as may nest; 0: there is no such number.
 * Jumps from procedure to procedure make no activation, but a round each. */
static size_t rounds_enough(const search *s)
{
    const es_check_program *program = s->program;
    size_t *jumps = es_arena_alloc(program->arena, (program->procedure_count + 1) * sizeof *jumps), most = 0;
    for (bool changed = true; changed && most <= program->procedure_count;) {
        changed = false;
        for (size_t i = 0; i < program->edge_count; i++) {
            const es_check_edge *edge = &program->edges[i];
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

/* Repeats `look` over all procedures until nothing changes, or as many activations have been looked at as may nest:
 * each round adds one. Without such a limit more rounds than there are procedures mean that it never ends. */
bool es_backlog_settle(search *s, bool (*look)(search *, size_t, bool *))
{
    size_t procedures = s->program->procedure_count, enough = s->costs->nest ? rounds_enough(s) : 0;
    for (size_t p = 0; p < procedures; p++) {
        summary *own = &s->summaries[p];
        s->stale[p] = true;
        if (look == es_backlog_summarise)
            own->through = own->from_inside = NEVER;
        else if (p != s->program->entry && !s->program->procedures[p].interrupt &&
                 !(s->costs->tasks && p == s->program->hub))
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
                es_backlog_note_recursion(s, p);
                return false;
            }
        }
        if (!any)
            break;
    }
    return true;
}
