#include "check/events/holding.h"

typedef struct search {
    const es_check_program *program;
    const es_check_costs *costs;
    es_check_holding *holding;
    uint64_t *after_return; /* by procedure: from its return's end to the next event, over all who may have called it */
    uint64_t after_handler; /* the same for handlers, which return anywhere */
} search;

static bool lower(uint64_t *value, uint64_t to)
{
    if (to >= *value)
        return false;
    *value = to;
    return true;
}

/* From the end of an instruction that leads to `to`; from NULL: of an interrupt's return. */
static uint64_t at_fetch(const search *s, const es_check_node *from, size_t to)
{
    const es_check_node *node = &s->program->nodes[to];
    if (s->costs->fetch(s->costs->context, from ? from->address : 0,
                        from ? from->word : s->program->isa->evidence.trap_return, node->address))
        return 0;
    return s->holding->after_fetch[to];
}

/* From the end of a callee's return. */
static uint64_t at_return(const search *s, const es_check_node *call, size_t callee, size_t to)
{
    if (s->costs->back(s->costs->context, call, callee, s->program->nodes[to].address))
        return 0;
    return s->holding->after_fetch[to];
}

/* From the end of node i to the next event. */
static uint64_t after_node(search *s, size_t i, bool *changed)
{
    const es_check_program *program = s->program;
    const es_check_node *node = &program->nodes[i];
    uint64_t best = ES_CHECK_FOR_EVER;
    for (size_t e = node->first_edge; e < node->first_edge + node->edge_count; e++) {
        const es_check_edge *edge = &program->edges[e];
        const es_check_procedure *own = &program->procedures[node->procedure];
        if (edge->kind == CHECK_EDGE_EXIT) {
            lower(&best, own->interrupt ? s->after_handler : s->after_return[node->procedure]);
            if (program->switches && program->switches[i]) /* also to where a task begins */
                lower(&best, s->holding->after_fetch[program->procedures[program->hub].first_node]);
            continue;
        }
        size_t to = edge->kind == CHECK_EDGE_NEXT ? edge->to : program->procedures[edge->callee].first_node;
        if (edge->kind == CHECK_EDGE_NEXT || program->procedures[edge->callee].node_count)
            lower(&best, at_fetch(s, node, to));
        if (edge->kind == CHECK_EDGE_CALL && edge->to != CHECK_NONE)
            *changed |= lower(&s->after_return[edge->callee], at_return(s, node, edge->callee, edge->to));
        if (edge->kind == CHECK_EDGE_TAIL)
            *changed |= lower(&s->after_return[edge->callee], s->after_return[node->procedure]);
    }
    return best;
}

static uint64_t plus(uint64_t clocks, uint64_t rest)
{
    return rest == ES_CHECK_FOR_EVER ? rest : clocks + rest;
}

void es_check_holding_find(const es_check_program *program, const es_check_costs *costs, es_check_holding *holding)
{
    es_arena *arena = program->arena;
    holding->after_fetch = es_arena_alloc(arena, (program->node_count + 1) * sizeof *holding->after_fetch);
    holding->after_store = es_arena_alloc(arena, (program->node_count + 1) * sizeof *holding->after_store);
    search s = {.program = program, .costs = costs, .holding = holding, .after_handler = ES_CHECK_FOR_EVER};
    s.after_return = es_arena_alloc(arena, (program->procedure_count + 1) * sizeof *s.after_return);
    for (size_t i = 0; i < program->node_count; i++)
        holding->after_fetch[i] = holding->after_store[i] = ES_CHECK_FOR_EVER;
    bool handlers = false;
    for (size_t p = 0; p < program->procedure_count; p++) {
        s.after_return[p] = ES_CHECK_FOR_EVER;
        handlers |= program->procedures[p].interrupt && program->procedures[p].node_count;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = program->node_count; i-- > 0;) {
            const es_check_node *node = &program->nodes[i];
            bool stores = (node->store || node->load) && costs->store(costs->context, node);
            uint64_t rest = after_node(&s, i, &changed);
            if (handlers && (costs->levels > 1 || !program->procedures[node->procedure].interrupt)) {
                changed |= lower(&s.after_handler, at_fetch(&s, NULL, i));
                rest = 0; /* an interrupt may come at any instruction's end, and its entry is an event */
            }
            changed |= lower(&holding->after_store[i], plus(1, rest));
            changed |= lower(&holding->after_fetch[i],
                             stores ? (node->clocks > 2 ? node->clocks - 1 : 1) : plus(node->clocks, rest));
        }
    }
}
