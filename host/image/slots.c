#include "image/slots.h"
#include "image/routines.h"

#include "image/moving.h"
#include "image/reads.h"
#include "image/words.h"

#include <string.h>

size_t es_slots_add(image_plan *plan)
{
    plan->slots = es_arena_grow(plan->arena, plan->slots, plan->slot_count, sizeof *plan->slots);
    plan->slots[plan->slot_count] = (plan_slot){0};
    return plan->slot_count++;
}

size_t es_slots_for_reads(image_plan *plan, size_t slot)
{
    if (!plan->slots[slot].also) {
        size_t also = es_slots_add(plan);
        plan->slots[also].reads = true;
        plan->slots[slot].also = also + 1;
    }
    return plan->slots[slot].also - 1;
}

/* --- routines: those of pointers, of deadlines, of all statements, of ages, of tasks ------------------------------ */

/* Which number runs in which place: where pointers lead to now, what was due before the event, then statements, then
 * the notes of times, then of the task. */
static size_t order_of(const image_plan *plan, size_t number)
{
    size_t last = plan->program->statement_count + plan->age_count, early = plan->deadline_count + plan->pointer_count;
    if (number >= last + early)
        return number;
    return number < last ? number + early : number - last;
}

void es_slots_gather(generator *g)
{
    if (!g->plan->slot_count)
        return;
    unsigned go = es_ir_label(g->code);
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_T6, ES_IR_ZERO, (int32_t)g->routines->gathering);
    es_ir_branch(g->code, ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, go);
    es_ir_const(g->code, ES_IR_A1, (uint32_t)order_of(g->plan, g->number));
    es_routine_call(g->code, g->routines, ROUTINE_gather);
    es_ir_here(g->code, go);
}

/* --- tables ------------------------------------------------------------------------------------------------------ */

/* A word of a slot, and the first of the writes or reads of it; NULL: there is none. */
typedef struct slot_word {
    uint32_t offset;
    const plan_write *write;
    const plan_read *read;
} slot_word;

static bool add_word(slot_word *words, size_t *count, slot_word word)
{
    size_t at = 0;
    while (at < *count && (int32_t)words[at].offset < (int32_t)word.offset)
        at++;
    if (at < *count && words[at].offset == word.offset)
        return false;
    memmove(&words[at + 1], &words[at], (*count - at) * sizeof *words);
    words[at] = word;
    ++*count;
    return true;
}

/* The slot's words, ascending. Those that only show that the object is gone are added where there is an allocator. */
static slot_word *find_words(const image_plan *plan, size_t slot, bool guards, size_t *count)
{
    slot_word *words = NULL;
    size_t room = 2;
    for (int pass = 0; pass < 2; pass++) {
        *count = 0;
        for (size_t i = 0; i < plan->write_count; i++) {
            const plan_write *write = &plan->writes[i];
            if (write->slot != slot + 1 || (i && plan_same_word(write, write - 1)))
                continue;
            if (words)
                add_word(words, count, (slot_word){write->word, write, NULL});
            room++;
        }
        for (size_t i = 0; i < plan->read_count; i++) {
            const plan_read *read = &plan->reads[i];
            if (read->slot != slot + 1)
                continue;
            if (words)
                add_word(words, count, (slot_word){read->word, NULL, read});
            room++;
        }
        words = words ? words : es_arena_alloc(plan->arena, (room + 1) * sizeof *words);
    }
    for (uint32_t offset = 0; offset < 8 && guards && plan->slots[slot].guards; offset += 4)
        add_word(words, count, (slot_word){offset, NULL, NULL});
    return words;
}

uint32_t es_slots_place(image_plan *plan, uint32_t at)
{
    if (!plan->slot_count)
        return at;
    size_t count = plan_routines(plan);
    plan->gathered = at;
    at += 4 * (uint32_t)(count + (count + 31) / 32);
    for (size_t i = 0; i < plan->slot_count; i++) {
        plan->slots[i].state = at;
        size_t words;
        find_words(plan, i, true, &words);
        at += (uint32_t)(sizeof(struct es_mi_slot_state) + words + 3) & ~3u;
    }
    return at;
}

void es_slots_reserve(image_builder *b)
{
    b->slots_at = es_layout_reserve(b, b->plan.slot_count * sizeof(struct es_mi_slot));
    b->order_at = es_layout_reserve(b, b->plan.slot_count ? plan_routines(&b->plan) * sizeof(uint16_t) : 0);
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
        const slot_word *words = find_words(plan, i, b->allocator_count > 0, &count);
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
    for (size_t i = 0; plan->slot_count && i < plan_routines(plan); i++)
        ((uint16_t *)es_layout_at(b, b->order_at))[order_of(plan, i)] = (uint16_t)b->routine_at[i];
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
    header->order_count = (uint16_t)plan_routines(&b->plan);
    header->gathered_at = (uint16_t)(b->plan.ram_at + b->plan.gathered);
}
