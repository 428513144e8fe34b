/* Where a walk may go: the nodes worth going to, and how far it is to them. */
#include "driven_inside.h"

#include <string.h>

static uint32_t plus(uint32_t a, uint32_t b)
{
    return a == FAR || b == FAR ? FAR : a + b;
}

size_t driven_entry_of(const driven *d, size_t procedure)
{
    const es_check_procedure *p = &d->program->procedures[procedure];
    return p->node_count ? p->first_node : CHECK_NONE;
}

/* Least steps from an edge on: to the goal or, with leave, to the procedure's end. */
uint32_t driven_along(const driven *d, const es_check_edge *edge, const uint32_t *far, bool leave)
{
    size_t entry =
        edge->kind == CHECK_EDGE_CALL || edge->kind == CHECK_EDGE_TAIL ? driven_entry_of(d, edge->callee) : CHECK_NONE;
    switch (edge->kind) {
    case CHECK_EDGE_NEXT: return plus(1, far[edge->to]);
    case CHECK_EDGE_EXIT: return leave ? 1 : FAR;
    case CHECK_EDGE_TAIL: return entry == CHECK_NONE ? FAR : plus(1, far[entry]);
    default: break;
    }
    if (entry == CHECK_NONE)
        return FAR;
    uint32_t over = edge->to == CHECK_NONE ? FAR : plus(d->leave[entry], plus(2, far[edge->to]));
    uint32_t in = leave ? FAR : plus(1, far[entry]);
    return in < over ? in : over;
}

/* By node, the least steps to a goal. */
const uint32_t *driven_measure(driven *d, size_t goal)
{
    const es_check_program *program = d->program;
    if (d->far[goal])
        return d->far[goal];
    uint32_t *far = d->far[goal] = es_arena_alloc(d->arena, (program->node_count + 1) * sizeof *far);
    for (size_t i = 0; i < program->node_count; i++)
        far[i] = i == goal ? 0 : FAR;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = program->node_count; i-- > 0;) {
            const es_check_node *node = &program->nodes[i];
            for (size_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
                uint32_t steps = driven_along(d, &program->edges[e], far, false);
                changed |= steps < far[i];
                far[i] = steps < far[i] ? steps : far[i];
            }
        }
    }
    return far;
}

/* By node, the least steps to its procedure's end. */
void driven_find_leave(driven *d)
{
    const es_check_program *program = d->program;
    for (size_t i = 0; i < program->node_count; i++)
        d->leave[i] = FAR;
    for (bool changed = true; changed;) { /* callees' lengths are needed for those of their callers */
        changed = false;
        for (size_t i = program->node_count; i-- > 0;) {
            const es_check_node *node = &program->nodes[i];
            for (size_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
                uint32_t steps = driven_along(d, &program->edges[e], d->leave, true);
                changed |= steps < d->leave[i];
                d->leave[i] = steps < d->leave[i] ? steps : d->leave[i];
            }
        }
    }
}

void driven_find_recursion(driven *d)
{
    const es_check_program *program = d->program;
    size_t count = program->procedure_count;
    bool *reach = es_arena_alloc(d->arena, count * count * sizeof *reach);
    memset(reach, 0, count * count * sizeof *reach);
    for (size_t i = 0; i < program->edge_count; i++)
        if (program->edges[i].kind == CHECK_EDGE_CALL || program->edges[i].kind == CHECK_EDGE_TAIL)
            reach[program->nodes[program->edges[i].from].procedure * count + program->edges[i].callee] = true;
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < count && reach[i * count + k]; j++)
                reach[i * count + j] |= reach[k * count + j];
    for (size_t i = 0; i < program->edge_count; i++) {
        const es_check_edge *edge = &program->edges[i];
        size_t own = program->nodes[edge->from].procedure;
        if (edge->kind != CHECK_EDGE_CALL || !(edge->callee == own || reach[edge->callee * count + own]) ||
            !program->procedures[own].reached || driven_entry_of(d, edge->callee) == CHECK_NONE)
            continue;
        d->dives = es_arena_grow(d->arena, d->dives, d->dive_count, sizeof *d->dives);
        d->dives[d->dive_count++] = edge->from;
    }
}

void driven_find_goals(driven *d)
{
    const es_check_program *program = d->program;
    for (size_t n = 0; n < program->node_count; n++) {
        const es_check_node *node = &program->nodes[n];
        bool event = d->places[n].write_count || d->places[n].read_count;
        if (!program->procedures[node->procedure].reached)
            continue;
        for (size_t i = 0; i < d->image->key_count && !event; i++)
            event = d->image->keys[i].fetch && d->image->keys[i].address == node->address;
        if (!event)
            continue;
        d->goals = es_arena_grow(d->arena, d->goals, d->goal_count, sizeof *d->goals);
        d->goals[d->goal_count++] = n;
    }
    for (size_t p = 0; p < program->procedure_count; p++) {
        if (!program->procedures[p].interrupt || driven_entry_of(d, p) == CHECK_NONE)
            continue;
        d->handlers = es_arena_grow(d->arena, d->handlers, d->handler_count, sizeof *d->handlers);
        d->handlers[d->handler_count++] = p;
    }
}
