#include "image/plan/position.h"

#include <stdlib.h>

#include "image/plan/begins.h"
#include "image/plan/cover.h"
#include "image/plan/plan.h"
#include "lang/statement.h"

/* Whether a position's code begins at an address; false for NULL. */
static bool has(const es_position *position, uint32_t address)
{
    for (size_t i = 0; position && i < position->count; i++)
        if (position->addresses[i] == address)
            return true;
    return false;
}

bool es_position_same(const es_position *a, const es_position *b)
{
    if (a == b || !a || !b)
        return a == b;
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (a->addresses[i] != b->addresses[i])
            return false;
    return true;
}

static bool meets(const es_position *a, const es_position *b)
{
    for (size_t i = 0; a && i < a->count; i++)
        if (has(b, a->addresses[i]))
            return true;
    return false;
}

bool es_position_may_coincide(const plan_control *a, const plan_control *b)
{
    if (a->position && b->position)
        return meets(a->position, b->position);
    const plan_control *at = a->position ? a : b, *other = a->position ? b : a;
    return at->position && !other->leave &&
           (has(at->position, other->procedure->low) || has(at->position, other->begin));
}

static int by_handler(const void *left, const void *right)
{
    const plan_control *a = left, *b = right;
    return a->handler < b->handler ? -1 : a->handler > b->handler;
}

static size_t sorted(plan_control *events, size_t count)
{
    if (count)
        qsort(events, count, sizeof *events, by_handler);
    return count;
}

static bool comes_to(const plan_control *control, uint32_t address, const es_procedure *entry)
{
    if (control->begin && control->instead == address)
        return false;
    return control->position ? has(control->position, address)
                             : entry && control->procedure == entry && !control->leave && !control->begin;
}

static plan_control at_address(const image_plan *plan, const plan_control *control, uint32_t address)
{
    plan_control there = *control;
    there.covered = es_cover_byte(plan, control, address);
    return there;
}

size_t es_position_events(const image_plan *plan, uint32_t address, const es_procedure *entry, plan_control *out)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->control_count; i++)
        if (comes_to(&plan->controls[i], address, entry))
            out[count++] = at_address(plan, &plan->controls[i], address);
    return sorted(out, count);
}

size_t es_position_begins(const image_plan *plan, uint32_t address, plan_control *out)
{
    size_t count = 0, begins = 0;
    for (size_t i = 0; i < plan->control_count; i++) {
        const plan_control *control = &plan->controls[i];
        begins += begins_at(control, address);
        if (begins_at(control, address) || comes_to(control, address, NULL))
            out[count++] = at_address(plan, control, address);
    }
    return begins ? sorted(out, count) : 0;
}

size_t es_position_exits(const image_plan *plan, const es_procedure *procedure, plan_control *out)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->control_count; i++)
        if (plan->controls[i].procedure == procedure && plan->controls[i].leave)
            out[count++] = plan->controls[i];
    return sorted(out, count);
}

void es_position_each(const image_plan *plan, void (*each)(void *context, uint32_t address), void *context)
{
    for (size_t i = 0; i < plan->control_count; i++) {
        const plan_control *control = &plan->controls[i];
        if (control->begin)
            each(context, control->begin);
        for (size_t k = 0; control->position && k < control->position->count; k++)
            if (!control->begin || control->position->addresses[k] != control->instead)
                each(context, control->position->addresses[k]);
    }
}
