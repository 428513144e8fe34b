#include "image/times/ages.h"

#include "image/places/pointers.h"
#include "image/plan/writes.h"

/* What a variable's place holds is another's from the first byte on that is written for that. */
static void add_bytes(image_plan *plan, size_t handler, const es_reference *reference)
{
    plan_write write = {.handler = handler, .frame = reference->frame, .events = PLAN_AGE_SOME};
    write.slot = es_plan_slot_of(plan, write.frame);
    write.word = plan_first_word(reference);
    for (unsigned lane = 0; lane < 4; lane++) {
        write.lanes = (uint8_t)(es_plan_lanes(reference) & 1u << lane);
        if (write.lanes)
            es_plan_add_write(plan, &write);
    }
}

void es_ages_add(image_plan *plan, const plan_statement *of, size_t index, bool old)
{
    const es_statement *statement = of->statement;
    const es_reference *reference = &statement->references[index];
    const plan_age *known = es_plan_age_of(plan, of, index);
    size_t number = known ? (size_t)(known - plan->ages) : plan->age_count;
    if (!known) {
        plan_handler handler = {PLAN_AGE, number, (size_t)(of - plan->statements), false, false, 0};
        plan_write write = {.handler = es_plan_add_handler(plan, handler), .events = PLAN_AGE_WHOLE};
        plan->ages = es_arena_grow(plan->arena, plan->ages, plan->age_count, sizeof *plan->ages);
        plan->ages[plan->age_count++] =
            (plan_age){.reference = reference, .pointer = plan_pointer_of(of, index), .handler = write.handler};
        if (reference->via)
            es_pointers_add_writes(plan, write, reference, plan_pointer_of(of, index) - 1);
        else
            write.frame = reference->frame, es_plan_add_writes(plan, write, reference);
    }
    if (old && !plan->ages[number].stays) {
        plan->ages[number].stays = plan->handlers[plan->ages[number].handler].has_events = true;
        add_bytes(plan, plan->ages[number].handler, reference);
    }
}
