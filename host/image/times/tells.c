#include "image/times/tells.h"

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

typedef struct bits {
    const image_plan *plan;
    size_t word;
    uint32_t mask;
} bits;

static bool add_bit(void *context, const es_expr *expr)
{
    bits *of = context;
    if (expr->kind == ES_EXPR_ACTIVE) {
        unsigned bit = es_paths_bit(of->plan, expr->path, expr->exact ? AUTOMATON_DENOTES : AUTOMATON_EXISTS);
        of->mask |= bit / 32 == of->word ? 1u << bit % 32 : 0;
    }
    return false;
}

uint32_t es_tells_mask(const image_plan *plan, const es_expr *expr, size_t word)
{
    bits of = {plan, word, 0};
    es_expr_find(expr, add_bit, &of);
    for (size_t i = 0; i < plan->deadline_count && !expr; i++)
        es_expr_find(plan->deadlines[i].condition->expr, add_bit, &of);
    return of.mask;
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

typedef struct calls {
    image_plan *plan;
    const call_graph *graph;
} calls;

static bool add_controls(void *context, const es_expr *expr)
{
    const calls *in = context;
    const es_step *end = expr->kind == ES_EXPR_ACTIVE ? es_path_last(expr->path) : NULL;
    for (size_t k = 0; end && k < es_step_copies(end); k++) {
        add_control(in->plan, es_step_copy(end, k));
        size_t at = es_calls_index(in->graph, es_step_copy(end, k));
        for (size_t i = 0; expr->exact && at < in->graph->count && i < in->graph->edge_counts[at]; i++)
            add_control(in->plan,
                        in->graph->procedures[in->graph->edges[at][i].callee]); /* and what its callees jump to */
    }
    return false;
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
        es_expr_find(plan->deadlines[i].condition->expr, add_controls, &(calls){plan, &graph});
}

uint32_t es_tells_place(image_plan *plan, uint32_t at)
{
    plan->tells = at;
    return es_tells_any(plan) ? at + TELLS_BITS + TELLS_WORD_BYTES * (uint32_t)es_tells_words(plan) : at;
}
