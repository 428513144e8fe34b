#include "image/places/moved.h"

#include <stddef.h>
#include <string.h>

#include "image/plan/plan.h"

const moving_procedure *es_moving_of(const image_plan *plan, size_t index)
{
    static const moving_procedure none = {0};
    return plan->moving ? &plan->moving[index] : &none;
}

const plan_moved *es_moving_why(const image_plan *plan, const es_procedure *procedure)
{
    for (size_t i = 0; i < plan->moved_count; i++)
        if (plan->moved[i].procedure->low == procedure->low)
            return &plan->moved[i];
    return NULL;
}

const es_procedure *es_moving_original(const image_plan *plan, const es_procedure *procedure)
{
    const plan_moved *moved = procedure ? es_moving_why(plan, procedure) : NULL;
    return moved ? moved->procedure : procedure;
}
