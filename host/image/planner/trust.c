#include "image/planner/trust.h"

#include <string.h>

#include "image/image.h"
#include "image/plan/constants.h"
#include "image/plan/plan.h"
#include "image/plan/writes.h"
#include "lang/statement.h"

/* Statements of these kinds keep more than values and the path: what happened in the loss may have changed it, and
 * nothing tells. */
#define REMEMBERING \
    (ES_FEATURE(THEN) | ES_FEATURE(AND) | ES_FEATURE(OR) | ES_FEATURE(WITHIN) | ES_FEATURE(ELAPSED) | \
     ES_FEATURE(AGE) | ES_FEATURE(UNCHANGED) | ES_FEATURE(FOR) | ES_FEATURE(COUNTER) | ES_FEATURE(PRINT))

/* ... or refer to places that are found at run time. */
#define MOVING (ES_FEATURE(POINTER) | ES_FEATURE(INDEX) | ES_FEATURE(LIFE) | ES_FEATURE(SNAPSHOT))

static bool is_old(void *context, const es_expr *expr)
{
    (void)context;
    return expr->kind == ES_EXPR_OLD;
}

uint8_t es_trust_flags(const image_plan *plan, size_t number)
{
    const es_statement *statement = &plan->program->statements[number];
    if (!statement->predicate || statement->features & (REMEMBERING | MOVING) || plan->statements[number].switch_record)
        return TRUST_NEVER;
    bool old = es_expr_find(statement->predicate, is_old, NULL) != NULL;
    for (size_t i = 0; i < statement->reference_count; i++)
        if ((statement->references[i].frame && !plan->statements[number].direct) ||
            plan_is_large(&statement->references[i]) || plan->slot_count)
            return TRUST_NEVER;
    for (size_t k = 0; k < es_image_value_count(statement); k++)
        old |= es_image_value(statement, k)->old;
    return (uint8_t)((old ? ES_MI_TRUST_OLD : 0) | (es_image_needs_path(statement) ? ES_MI_TRUST_PATH : 0));
}

/* The word's number in the list, which it is added to. */
static size_t find_word(image_plan *plan, uint32_t word, uint8_t lanes)
{
    size_t i = 0;
    while (i < plan->fresh_count && plan->fresh[i].word != word)
        i++;
    if (i == plan->fresh_count)
        plan->fresh[plan->fresh_count++] = (plan_fresh){.word = word};
    plan->fresh[i].lanes |= lanes;
    return i;
}

/* The words of a statement, as es_mi_trust has them; adds them to the list. False: there are too many. */
bool es_trust_words(image_plan *plan, size_t number, uint16_t out[UINT8_MAX], uint8_t *count)
{
    const es_statement *statement = &plan->program->statements[number];
    *count = 0;
    for (size_t i = 0; i < statement->reference_count; i++) {
        const es_reference *reference = &statement->references[i];
        if (reference->frame) /* just written, in an activation that began after the loss */
            continue;
        for (unsigned k = 0; k < plan_words(reference); k++) {
            if (es_constants_is(plan->symbols, plan_first_word(reference) + 4 * k))
                continue;
            if (plan->fresh_count > ES_MI_TRUST_WORD || *count == UINT8_MAX)
                return false;
            uint8_t lanes = es_plan_lanes_in(reference, k);
            size_t word = find_word(plan, plan_first_word(reference) + 4 * k, lanes);
            out[(*count)++] = (uint16_t)(word | (unsigned)lanes << ES_MI_TRUST_LANES_SHIFT);
        }
    }
    return true;
}

uint32_t es_trust_place(image_plan *plan, uint32_t at)
{
    const es_program *program = plan->program;
    uint16_t out[UINT8_MAX];
    uint8_t count;
    size_t most = 0;
    plan->stale = at;
    if (program->task || plan->lean)
        return at;
    for (size_t s = 0; s < program->statement_count; s++)
        most += 3 * program->statements[s].reference_count;
    plan->fresh = es_arena_alloc(plan->arena, (most + 1) * sizeof *plan->fresh);
    for (size_t s = 0; s < program->statement_count; s++)
        if (es_trust_flags(plan, s) != TRUST_NEVER)
            es_trust_words(plan, s, out, &count);
    return at + 4 * (((uint32_t)plan->fresh_count + 3) / 4);
}
