#include "image/plan/tells.h"

#include "image/paths/automaton.h"
#include "image/paths/calls.h"
#include "image/plan/paths.h"
#include "image/plan/plan.h"
#include "lang/statement.h"

static bool is_active(void *context, const es_expr *expr)
{
    (void)context;
    return expr->kind == ES_EXPR_ACTIVE;
}

bool es_tells_asks(const es_expr *expr)
{
    return es_expr_find(expr, is_active, NULL) != NULL;
}

bool es_tells_any(const image_plan *plan)
{
    for (size_t i = 0; i < plan->deadline_count; i++)
        if (es_tells_asks(plan->deadlines[i].condition->expr))
            return true;
    return false;
}

size_t es_tells_words(const image_plan *plan)
{
    return (plan->path_bits + 31) / 32;
}

static uint32_t mask_of(const image_plan *plan, const es_expr *expr, size_t word)
{
    if (!expr)
        return 0;
    if (expr->kind != ES_EXPR_ACTIVE)
        return mask_of(plan, expr->condition, word) | mask_of(plan, expr->lhs, word) | mask_of(plan, expr->rhs, word);
    unsigned bit = es_paths_bit(plan, expr->path, expr->exact ? AUTOMATON_DENOTES : AUTOMATON_EXISTS);
    return bit / 32 == word ? 1u << bit % 32 : 0;
}

uint32_t es_tells_mask(const image_plan *plan, const es_expr *expr, size_t word)
{
    uint32_t mask = mask_of(plan, expr, word);
    for (size_t i = 0; i < plan->deadline_count && !expr; i++)
        mask |= mask_of(plan, plan->deadlines[i].condition->expr, word);
    return mask;
}

/* --- control events ----------------------------------------------------------------------------------------------- */

static void add_control(image_plan *plan, const es_procedure *procedure)
{
    for (size_t i = plan->control_count; i-- > 0 && plan->controls[i].handler == PLAN_TELLS;)
        if (plan->controls[i].procedure == procedure)
            return;
    for (int leave = 0; leave < 2; leave++) {
        plan->controls = es_arena_grow(plan->arena, plan->controls, plan->control_count, sizeof *plan->controls);
        plan->controls[plan->control_count++] =
            (plan_control){.handler = PLAN_TELLS, .procedure = procedure, .leave = leave};
    }
}

static void add_controls(image_plan *plan, const call_graph *graph, const es_expr *expr)
{
    if (!expr)
        return;
    add_controls(plan, graph, expr->condition);
    add_controls(plan, graph, expr->lhs);
    add_controls(plan, graph, expr->rhs);
    if (expr->kind != ES_EXPR_ACTIVE)
        return;
    add_control(plan, es_path_end(expr->path));
    size_t at = es_calls_index(graph, es_path_end(expr->path));
    if (!expr->exact || at == graph->count)
        return;
    for (size_t i = 0; i < graph->edge_counts[at]; i++) /* with what its callees jump to */
        add_control(plan, graph->procedures[graph->edges[at][i].callee]);
}

void es_tells_add_controls(image_plan *plan)
{
    automaton none;
    call_graph graph;
    if (!es_tells_any(plan))
        return;
    es_automaton_begin(&none, plan->arena, NULL, 0);
    es_calls_make(&graph, plan->symbols, plan->arena, &none, plan->program->task != NULL);
    for (size_t i = 0; i < plan->deadline_count; i++)
        add_controls(plan, &graph, plan->deadlines[i].condition->expr);
}

uint32_t es_tells_place(image_plan *plan, uint32_t at)
{
    plan->tells = at;
    return es_tells_any(plan) ? at + TELLS_BITS + TELLS_WORD_BYTES * (uint32_t)es_tells_words(plan) : at;
}
