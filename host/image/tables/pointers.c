#include "image/tables/pointers.h"

#include <stddef.h>

#include "image/image.h"
#include "image/lower/ends.h"
#include "image/lower/times.h"
#include "image/lower/turn.h"
#include "image/places/indexed.h"
#include "image/places/moved.h"
#include "image/plan/plan.h"
#include "image/plan/writes.h"
#include "image/tables/dump.h"
#include "image/tables/forget.h"
#include "image/tables/indexed.h"
#include "image/tables/layout.h"
#include "image/tables/slots.h"
#include "ir/ir.h"
#include "lang/statement.h"

/* Code that ends what needs what the pointer pointed to, and forgets ages and what was written of it in parts; 0:
 * there is nothing of these. */
static uint16_t write_moved(image_builder *b, const plan_pointer *pointer)
{
    es_code_begin(b);
    b->code.allowed = ES_IR_TEMPORARIES & ~ES_IR_SET(ES_IR_T0);
    es_holds_end(&b->code, &b->plan, NULL, (size_t)(pointer - b->plan.pointers) + 1);
    es_times_forget(&b->code, &b->plan, NULL, (size_t)(pointer - b->plan.pointers) + 1);
    if (!pointer->pending_words && !b->code.count)
        return 0;
    es_words_forget(b, pointer->pending, pointer->pending_words);
    es_ir_return(&b->code, ES_IR_RA, 0);
    es_dump_title(b, "before the pointer %s is known to be elsewhere", pointer->reference->text);
    return es_code_put(b);
}

void es_pointers_moved(image_builder *b)
{
    for (size_t i = 0; i < b->plan.pointer_count; i++) {
        uint16_t moved = write_moved(b, &b->plan.pointers[i]);
        for (size_t k = 0; k < 4 / b->plan.pointers[i].align; k++)
            b->plan.slots[b->plan.pointers[i].slot + k].moved_at = moved;
    }
}

typedef struct index_use {
    const plan_statement *statement;
    uint32_t follows;
    uint8_t count;
} index_use;

static void use_index(void *context, size_t reference)
{
    index_use *use = context;
    use->count = (uint8_t)(use->count < UINT8_MAX ? use->count + 1 : use->count);
    if (use->statement->statement->references[reference].via)
        use->follows |= 1u << (use->statement->pointers[reference] - 1);
}

static uint16_t base_at(const image_plan *plan, const plan_pointer *pointer)
{
    if (pointer->base)
        return (uint16_t)(plan->ram_at + plan->pointers[pointer->base - 1].state);
    if (pointer->index)
        return 0;
    const es_procedure *frame = pointer->reference->frame;
    return frame ? (uint16_t)(plan->ram_at + es_plan_frame_of(plan, frame)->cell) : 0;
}

/* For host/check. */
static void note_pointers(const image_plan *plan, es_image *image)
{
    image->pointers = es_malloc((plan->pointer_count + 1) * sizeof *image->pointers);
    image->pointer_count = plan->pointer_count;
    for (size_t i = 0; i < plan->pointer_count; i++) {
        const plan_pointer *pointer = &plan->pointers[i];
        const es_reference *reference = pointer->reference;
        const plan_index *index = pointer->index;
        const es_type *to = index ? reference->type : reference->type->of;
        es_image_pointer *out = &image->pointers[i];
        *out = (es_image_pointer){.frame = es_moving_original(plan, reference->frame),
                                  .base = pointer->base,
                                  .address = index ? index->address : reference->address,
                                  .size = to ? to->size : 0,
                                  .element = index != NULL,
                                  .bounded = index != NULL};
        for (size_t k = 0; index && k < index->count; k++)
            out->bounded &= index->subscripts[k].count > 0;
    }
}

/* Code that loads a pointer whose most significant byte comes first. In: a0 the word at base_at; out: a0 its value. */
static uint16_t write_turned(image_builder *b, const plan_pointer *pointer, uint32_t offset)
{
    es_code_begin(b);
    es_ir_const(&b->code, ES_IR_T6, offset);
    es_ir_value(&b->code, ES_IR_ADD, ES_IR_A0, ES_IR_A0, ES_IR_T6);
    es_ir_load(&b->code, ES_IR_LOAD, ES_IR_A0, ES_IR_A0, 0);
    es_place_turn(&b->code, ES_IR_A0, 4, false);
    es_ir_return(&b->code, ES_IR_RA, ES_IR_SET(ES_IR_A0));
    es_dump_title(b, "where the pointer %s leads to", pointer->reference->text);
    return es_code_put(b);
}

bool es_pointers_write(image_builder *b, struct es_mi_header *header)
{
    const image_plan *plan = &b->plan;
    struct es_mi_pointer *out = es_arena_alloc(b->arena, (plan->pointer_count + 1) * sizeof *out);
    for (size_t i = 0; i < plan->pointer_count; i++) {
        const plan_pointer *pointer = &plan->pointers[i];
        uint16_t base = base_at(plan, pointer), index_at = 0;
        index_use use = {&plan->statements[pointer->statement], pointer->base ? 1u << (pointer->base - 1) : 0, 0};
        es_indexed_references(plan, pointer, use_index, &use);
        if (pointer->index)
            es_indexed_write(b, pointer, &index_at);
        uint32_t offset =
            pointer->index ? 0 : pointer->reference->address + (base ? 0 : ES_PHANTOM_BASE - b->limits->window_base);
        if (!pointer->index && plan_is_turned(pointer->reference))
            index_at = write_turned(b, pointer, offset);
        out[i] = (struct es_mi_pointer){
            .offset = offset,
            .base_at = base,
            .state_at = (uint16_t)(plan->ram_at + pointer->state),
            .slot_at = es_slots_address(b, pointer->slot),
            .phases = (uint8_t)(4 / pointer->align),
            .index_count = use.count,
            .low = (uint32_t)pointer->low,
            .span = (uint32_t)(pointer->high - pointer->low),
            .index_at = index_at,
            .is_element = pointer->index != NULL,
            .follows = use.follows,
        };
    }
    note_pointers(plan, b->image);
    header->pointer_count = (uint16_t)plan->pointer_count;
    header->pointers_at = (uint16_t)es_layout_put(b, out, plan->pointer_count * sizeof *out);
    uint32_t first = UINT32_MAX, end = 0;
    for (size_t i = 0; i < b->allocator_count; i++) {
        first = b->allocator[i].first < first ? b->allocator[i].first : first;
        end = b->allocator[i].first + b->allocator[i].size > end ? b->allocator[i].first + b->allocator[i].size : end;
    }
    header->allocator_first = first;
    header->allocator_size = b->allocator_count ? end - first : 0;
    header->allocator_count = (uint16_t)b->allocator_count;
    header->allocator_at = (uint16_t)es_layout_put(b, b->allocator, b->allocator_count * sizeof *b->allocator);
    return true;
}
