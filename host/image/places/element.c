#include "image/places/element.h"

#include "image/plan/named.h"
#include "image/plan/plan.h"
#include "image/plan/refuse.h"
#include "image/plan/writes.h"
#include "lang/statement.h"

size_t es_element_count(const es_reference *reference)
{
    size_t count = 1;
    for (size_t i = 0; i < reference->subscript_count; i++) {
        count *= reference->subscripts[i].count;
        if (count > ELEMENTS_MAX)
            return ELEMENTS_MAX + 1;
    }
    return count;
}

es_reference es_element_at(const es_reference *reference, size_t n)
{
    es_reference element = *reference;
    for (size_t i = 0; i < reference->subscript_count; i++) {
        element.address += (uint32_t)(n % reference->subscripts[i].count) * reference->subscripts[i].stride;
        n /= reference->subscripts[i].count;
    }
    element.subscript_count = 0;
    return element;
}

/* What no index can ask for: nothing of the element is evaluated when it changes. */
static bool is_lasting(void *context, const es_expr *expr)
{
    (void)context;
    return expr->kind == ES_EXPR_UNCHANGED || expr->kind == ES_EXPR_ACTIVE;
}

static bool is_momentary(void *context, const es_expr *expr)
{
    (void)context;
    return !es_named_value(expr);
}

/* A counter of the index that some statement changes; NULL: there is none. */
static const es_expr *changing(const es_program *program, const es_expr *index)
{
    const es_expr *found = NULL;
    for (size_t s = 0; s < program->statement_count && !found; s++)
        found = es_named_changed_by(&program->statements[s], index);
    return found;
}

bool es_element_check_index(const image_plan *plan, const es_statement *statement, const es_expr *index, bool waits,
                            es_error *err)
{
    const es_expr *lasting = es_expr_find(index, is_lasting, NULL),
                  *event = waits ? es_expr_find(index, is_momentary, NULL) : NULL,
                  *counter = waits ? changing(plan->program, index) : NULL,
                  *found = lasting ? lasting
                           : event ? event
                                   : counter;
    const char *why = lasting ? "an index cannot ask for a path, or for what is `unchanged for` some time"
                      : event ? "this is about an event, which is over at once: with `for` or `unchanged for` an "
                                "index is made of variables"
                              : "with `for` or `unchanged for` an index is made of variables: deadlines are noticed "
                                "later, and counters have changed by then";
    return !found || es_plan_refuse_at(plan, found->source.file ? found->source : statement->source, 1, err,
                                       "an index made of variables and constants", "%s", why);
}

bool es_element_check(const image_plan *plan, const es_statement *statement, size_t index, bool waits, es_error *err)
{
    const es_reference *reference = &statement->references[index];
    if (!reference->subscript_count)
        return true;
    for (size_t i = 0; i < reference->subscript_count; i++)
        if (!es_element_check_index(plan, statement, reference->subscripts[i].index, waits, err))
            return false;
    if (es_element_count(reference) > ELEMENTS_MAX)
        return es_plan_refuse(plan, statement, index, err, "watch those that matter: a[2]",
                              "this may be one of more than %u elements", ELEMENTS_MAX);
    uint32_t unit = reference->size < 4 ? reference->size : 4, odd = reference->address % unit;
    for (size_t i = 0; i < reference->subscript_count; i++)
        odd |= reference->subscripts[i].stride % unit;
    if (odd)
        return es_plan_refuse(plan, statement, index, err, "name an element: a[2]",
                              "elements that are not aligned cannot have a variable index");
    return true;
}

uint32_t es_element_past(const image_plan *plan, const es_reference *reference)
{
    es_reference first = es_element_at(reference, 0);
    const plan_write *write = es_element_keeps(reference) ? es_plan_first_part(plan, &first, 0) : NULL;
    return write ? write->first : 0;
}

uint32_t es_element_place(image_plan *plan, uint32_t at)
{
    uint32_t most = 0;
    bool keeps = false;
    for (size_t s = 0; s < plan->program->statement_count; s++) {
        const es_statement *statement = &plan->program->statements[s];
        for (size_t i = 0; i < statement->reference_count; i++)
            if (statement->references[i].subscript_count && i + 1 > most)
                most = (uint32_t)i + 1;
        for (size_t i = 0; i < statement->reference_count; i++)
            keeps |=
                plan->statements[s].olds && plan->statements[s].olds[i] && es_element_keeps(&statement->references[i]);
    }
    plan->elements = at;
    plan->element_pasts = at + 4 * most;
    return plan->element_pasts + (keeps ? 4 * most : 0);
}
