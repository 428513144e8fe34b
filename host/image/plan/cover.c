#include "image/plan/cover.h"

#include "base/search.h"

bool es_cover_only(const es_program *program)
{
    for (size_t i = 0; i < program->statement_count; i++)
        if (!es_statement_cover(&program->statements[i]))
            return false;
    return program->statement_count > 0;
}

uint32_t es_cover_place(image_plan *plan, uint32_t at)
{
    for (size_t i = 0; i < plan->program->statement_count; i++) {
        const es_cover_rows *rows = es_statement_cover(&plan->program->statements[i]);
        if (!rows)
            continue;
        plan->statements[i].covered = at;
        at += 4 * (uint32_t)((rows->position.count + 3) / 4);
    }
    return at;
}

uint32_t es_cover_byte(const image_plan *plan, const plan_control *control, uint32_t address)
{
    if (!control->position || !plan->statements[control->handler].covered)
        return 0;
    size_t at = es_first_from(control->position->addresses, control->position->count, address);
    return plan->statements[control->handler].covered + (uint32_t)at;
}
