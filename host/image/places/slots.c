#include "image/places/slots.h"

#include <string.h>

#include "image/plan/plan.h"

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
slot_word *es_slots_words(const image_plan *plan, size_t slot, bool guards, size_t *count)
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
    size_t count = plan->handler_count;
    plan->gathered = at;
    at += 4 * (uint32_t)(count + (count + 31) / 32);
    for (size_t i = 0; i < plan->slot_count; i++) {
        plan->slots[i].state = at;
        size_t words;
        es_slots_words(plan, i, true, &words);
        at += (uint32_t)(sizeof(struct es_mi_slot_state) + words + 3) & ~3u;
    }
    return at;
}
