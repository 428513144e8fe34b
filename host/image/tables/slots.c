#include "image/tables/slots.h"

#include <string.h>

#include "image/image.h"
#include "image/places/moved.h"
#include "image/places/slots.h"
#include "image/plan/plan.h"
#include "image/tables/layout.h"
#include "image/tables/reads.h"
#include "image/tables/words.h"

void es_slots_reserve(image_builder *b)
{
    b->slots_at = es_layout_reserve(b, b->plan.slot_count * sizeof(struct es_mi_slot));
    b->order_at = es_layout_reserve(b, b->plan.slot_count ? b->plan.handler_count * sizeof(uint16_t) : 0);
}

uint16_t es_slots_address(const image_builder *b, size_t slot)
{
    return (uint16_t)(b->slots_at + slot * sizeof(struct es_mi_slot));
}

void es_slots_write(image_builder *b)
{
    const image_plan *plan = &b->plan;
    for (size_t i = 0; i < plan->slot_count; i++) {
        size_t count;
        const slot_word *words = es_slots_words(plan, i, b->allocator_count > 0, &count);
        struct es_mi_slot_word *out = es_arena_alloc(b->arena, (count + 1) * sizeof *out);
        for (size_t k = 0; k < count; k++) {
            out[k].offset = words[k].offset;
            if (words[k].write)
                out[k].cell = es_words_cell(b, words[k].write);
            else if (words[k].read)
                out[k].cell.first = es_reads_code(b, words[k].read);
        }
        uint16_t words_at = (uint16_t)es_layout_put(b, out, count * sizeof *out);
        *(struct es_mi_slot *)es_layout_at(b, es_slots_address(b, i)) = (struct es_mi_slot){
            .words_at = words_at,
            .word_count = (uint16_t)count,
            .state_at = (uint16_t)(plan->ram_at + plan->slots[i].state),
            .moved_at = plan->slots[i].moved_at,
            .low = count ? out[0].offset : 0,
            .pointer = (uint8_t)plan->slots[i].pointer,
            .reads = plan->slots[i].reads,
            .also_at = plan->slots[i].also ? es_slots_address(b, plan->slots[i].also - 1) : 0,
            .span = count ? out[count - 1].offset + 4 - out[0].offset : 0,
        };
    }
    for (size_t i = 0; plan->slot_count && i < plan->handler_count; i++)
        ((uint16_t *)es_layout_at(b, b->order_at))[plan->handlers[i].order] = (uint16_t)b->routine_at[i];
}

/* For host/check. */
static void note_slots(const image_plan *plan, es_image *image)
{
    image->slots = es_malloc((plan->slot_count + 1) * sizeof *image->slots);
    memset(image->slots, 0, (plan->slot_count + 1) * sizeof *image->slots);
    image->slot_count = plan->slot_count;
    for (size_t i = 0; i < plan->pointer_count; i++)
        for (size_t k = 0; k < 4 / plan->pointers[i].align; k++)
            image->slots[plan->pointers[i].slot + k].pointer = i;
    for (size_t i = 0; i < plan->frame_count; i++)
        if (plan->frames[i].moves)
            image->slots[plan->frames[i].slot].frame = es_moving_original(plan, plan->frames[i].procedure);
    for (size_t i = 0; i < plan->slot_count; i++)
        if (plan->slots[i].also)
            image->slots[plan->slots[i].also - 1] = image->slots[i];
}

void es_slots_header(const image_builder *b, struct es_mi_header *header)
{
    if (!b->plan.slot_count)
        return;
    note_slots(&b->plan, b->image);
    header->slots_at = (uint16_t)b->slots_at;
    header->slot_count = (uint16_t)b->plan.slot_count;
    header->order_at = (uint16_t)b->order_at;
    header->order_count = (uint16_t)b->plan.handler_count;
    header->gathered_at = (uint16_t)(b->plan.ram_at + b->plan.gathered);
}
