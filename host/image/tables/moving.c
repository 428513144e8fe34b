#include "image/places/moving.h"
#include "image/tables/moving.h"

#include <stddef.h>
#include <string.h>

#include "image/paths/automaton.h"
#include "image/places/pointers.h"
#include "image/plan/paths.h"
#include "image/plan/plan.h"
#include "image/tables/layout.h"
#include "image/tables/slots.h"

/* Between which phantom addresses a CFA can lie, all of whose referenced words are in phantom memory. */
static void find_range(const image_builder *b, const plan_frame *frame, struct es_mi_moving *out)
{
    int64_t low = 0, high = 0;
    for (size_t i = 0; i < b->plan.write_count; i++) {
        const plan_write *write = &b->plan.writes[i];
        if (write->frame != frame->procedure)
            continue;
        low = (int32_t)write->word < low ? (int32_t)write->word : low;
        high = (int32_t)write->word + 4 > high ? (int32_t)write->word + 4 : high;
    }
    out->low = ES_PHANTOM_BASE + (uint32_t)-low;
    out->high = ES_PHANTOM_BASE + b->limits->window_size - (uint32_t)high;
}

static struct es_mi_moving moving_record(const image_builder *b, const plan_frame *frame)
{
    struct es_mi_moving out = {.slot_at = es_slots_address(b, frame->slot),
                               .meant_at = (uint16_t)(b->plan.ram_at + frame->meant),
                               .procedure_at = es_layout_procedure(b, frame->procedure)};
    find_range(b, frame, &out);
    out.pointers = es_pointers_in_frame(&b->plan, frame->procedure);
    out.marks_at = (uint16_t)(b->plan.ram_at + frame->marks);
    out.mark_words = (uint16_t)frame->mark_words;
    out.kept_at = frame->kept ? (uint16_t)(b->plan.ram_at + frame->kept) : 0;
    out.kept_shift = (uint16_t)frame->kept_shift;
    out.saved = frame->saved;
    if (frame->path) {
        unsigned bit = es_paths_bit(&b->plan, frame->path, AUTOMATON_DENOTES);
        out.tells = (uint16_t)(ES_MI_NODE_TELLS + bit / 32 * 4);
        out.mask = 1u << bit % 32;
    }
    return out;
}

uint16_t es_moving_write(image_builder *b)
{
    const image_plan *plan = &b->plan;
    if (!plan->moving)
        return 0;
    uint16_t first = 0;
    for (size_t i = 0; i < plan->frame_count; i++) {
        if (!plan->frames[i].moves)
            continue;
        struct es_mi_moving out = moving_record(b, &plan->frames[i]);
        uint16_t at = (uint16_t)es_layout_put(b, &out, sizeof out);
        first = first ? first : at; /* they stand one after another */
    }
    for (size_t i = 0; i < b->procedure_count; i++) {
        struct es_mi_procedure *record = &b->control_of[i];
        const moving_procedure *moving = &plan->moving[i];
        struct es_mi_frame frame = {0};
        uint32_t bytes;
        if (!moving->leads)
            continue;
        if (record->frame_at)
            memcpy(&frame, es_layout_at(b, record->frame_at), offsetof(struct es_mi_frame, size));
        frame.size = es_symbols_frame_size(b->symbols, b->procedures[i], &bytes) && bytes < ES_MI_FRAME_SIZE_UNKNOWN
                         ? (uint16_t)bytes
                         : ES_MI_FRAME_SIZE_UNKNOWN;
        if (moving->learns)
            frame.learn_at = (uint16_t)es_layout_put(b, &moving->learn, sizeof moving->learn);
        record->frame_at = (uint16_t)es_layout_put(b, &frame, sizeof frame);
    }
    return first;
}

void es_moving_header(const image_builder *b, uint16_t moving_at, struct es_mi_header *header)
{
    const image_plan *plan = &b->plan;
    header->moving_at = moving_at;
    for (size_t i = 0; i < plan->frame_count; i++)
        header->moving_count += plan->frames[i].moves;
    if (plan->root_cfa)
        header->root_cfa = ES_PHANTOM_BASE + (plan->root_cfa - b->limits->window_base);
    if (plan->root_jump_cfa)
        header->root_jump_cfa = ES_PHANTOM_BASE + (plan->root_jump_cfa - b->limits->window_base);
}
