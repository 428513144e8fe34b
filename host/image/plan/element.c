#include "image/plan/element.h"

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

bool es_element_check(const image_plan *plan, const es_statement *statement, size_t index, es_error *err)
{
    const es_reference *reference = &statement->references[index];
    if (!reference->subscript_count)
        return true;
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
