#include "image/plan/writes.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "image/plan/paths.h"
#include "image/plan/plan.h"
#include "image/plan/plan_private.h"
#include "image/plan/position.h"
#include "lang/statement.h"

uint8_t es_plan_lanes_in(const es_reference *reference, unsigned word)
{
    unsigned first = plan_first_bit(reference) / 8, last = (plan_first_bit(reference) + plan_bits(reference) - 1) / 8;
    unsigned lanes = 0;
    for (unsigned byte = first; byte <= last; byte++)
        if (byte / 4 == word)
            lanes |= 1u << byte % 4;
    return (uint8_t)lanes;
}

uint8_t es_plan_lanes(const es_reference *reference)
{
    return es_plan_lanes_in(reference, 0);
}

bool es_plan_locks(const image_plan *plan, const plan_write *write)
{
    return write->cover || plan->handlers[write->handler].locks;
}

const plan_frame *es_plan_frame_of(const image_plan *plan, const es_procedure *procedure)
{
    for (size_t i = 0; i < plan->frame_count; i++)
        if (plan->frames[i].procedure == procedure)
            return &plan->frames[i];
    return NULL;
}

bool es_plan_same_control(const plan_control *a, const plan_control *b)
{
    return a->procedure == b->procedure && a->leave == b->leave && es_position_same(a->position, b->position) &&
           es_paths_same(a->path, b->path);
}

plan_control es_plan_control_of(const es_expr *expr)
{
    return (plan_control){.procedure = expr->procedure,
                          .position = expr->position,
                          .path = expr->path,
                          .leave = expr->kind == ES_EXPR_LEAVE};
}

plan_control es_plan_control_at(const es_trigger *trigger)
{
    return (plan_control){.procedure = trigger->procedure,
                          .position = trigger->position,
                          .path = trigger->path,
                          .leave = trigger->kind == ES_TRIGGER_LEAVE};
}

size_t es_plan_add_handler(image_plan *plan, plan_handler handler)
{
    plan->handlers = es_arena_grow(plan->arena, plan->handlers, plan->handler_count, sizeof *plan->handlers);
    plan->handlers[plan->handler_count] = handler;
    return plan->handler_count++;
}

void es_plan_add_write(image_plan *plan, const plan_write *write)
{
    plan->writes = es_arena_grow(plan->arena, plan->writes, plan->write_count, sizeof *plan->writes);
    plan->writes[plan->write_count++] = *write;
}

const plan_age *es_plan_age_of(const image_plan *plan, const plan_statement *of, size_t index)
{
    const es_reference *reference = &of->statement->references[index];
    for (size_t i = 0; i < plan->age_count; i++)
        if (plan->ages[i].reference->frame == reference->frame && plan->ages[i].pointer == plan_pointer_of(of, index) &&
            lives_of(plan->ages[i].reference) == lives_of(reference) &&
            plan_first_byte(plan->ages[i].reference) == plan_first_byte(reference) &&
            plan_byte_count(plan->ages[i].reference) == plan_byte_count(reference))
            return &plan->ages[i];
    return NULL;
}

uint16_t es_plan_slot_of(const image_plan *plan, const es_procedure *procedure)
{
    const plan_frame *frame = procedure ? es_plan_frame_of(plan, procedure) : NULL;
    return (uint16_t)(frame && frame->moves ? frame->slot + 1 : 0);
}

void es_plan_add_writes(image_plan *plan, plan_write write, const es_reference *reference)
{
    bool by_bytes = (write.pointer && (plan->pointers[write.pointer - 1].align < 4 || write.old) &&
                     plan_byte_count(reference) > 1) ||
                    (plan_is_large(reference) && write.old);
    if (plan_words(reference) > 1 || by_bytes) {
        write.start = plan_first_byte(reference);
        write.bytes = (uint8_t)plan_byte_count(reference);
    }
    if (!write.slot)
        write.slot = es_plan_slot_of(plan, write.frame);
    for (unsigned word = 0; word < plan_words(reference); word++) {
        write.word = plan_first_word(reference) + 4 * word;
        write.lanes = es_plan_lanes_in(reference, word);
        es_plan_add_write(plan, &write);
    }
}

const plan_write *es_plan_first_part(const image_plan *plan, const es_reference *reference, size_t pointer)
{
    for (size_t i = 0; i < plan->write_count; i++) {
        const plan_write *write = &plan->writes[i];
        if (write->cover || write->pointer != pointer || write->frame != reference->frame)
            continue;
        if (pointer || plan_is_large(reference) ? write->start - write->phase == plan_first_byte(reference) &&
                                                      write->bytes == plan_byte_count(reference)
                                                : !write->bytes && write->word == (reference->address & ~3u) &&
                                                      write->lanes == es_plan_lanes(reference))
            return write->first ? write : NULL;
    }
    return NULL;
}

bool es_plan_same_variable(const es_statement *statement, size_t left, size_t right)
{
    const es_reference *a = &statement->references[left], *b = &statement->references[right];
    if (left == right)
        return true;
    return a->frame == b->frame && es_paths_same(a->path, b->path) && a->address == b->address && a->size == b->size &&
           a->bit_offset == b->bit_offset && a->bit_size == b->bit_size && a->via == b->via && !a->subscript_count &&
           !b->subscript_count &&
           (!a->via || (a->base < left && b->base < right && es_plan_same_variable(statement, a->base, b->base)));
}
