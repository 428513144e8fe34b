#include "image/slots.h"

#include "image/words.h"

size_t slots_add(image_plan *plan)
{
    plan->slots = es_arena_grow(plan->arena, plan->slots, plan->slot_count, sizeof *plan->slots);
    plan->slots[plan->slot_count] = (plan_slot){0};
    return plan->slot_count++;
}

/* --- routines: those of deadlines, of all statements, of ages ---------------------------------------------------- */

static size_t routine_count(const image_plan *plan)
{
    return plan->program->statement_count + plan->age_count + plan->deadline_count;
}

/* Which number runs in which place: what was due before the event, then statements, then the notes of times. */
static size_t order_of(const image_plan *plan, size_t number)
{
    size_t last = plan->program->statement_count + plan->age_count;
    return number < last ? number + plan->deadline_count : number - last;
}

void slots_gather(generator *g)
{
    if (!g->plan->slot_count)
        return;
    unsigned go = rv_label(g->code);
    rv_i(g->code, RV_LW, RV_T6, RV_ZERO, (int32_t)g->routines->gathering);
    rv_branch(g->code, RV_BEQ, RV_T6, RV_ZERO, go);
    rv_li(g->code, RV_A1, (uint32_t)order_of(g->plan, g->number));
    rv_call(g->code, RV_ZERO, g->routines->gather);
    rv_place(g->code, go);
}

/* --- tables ------------------------------------------------------------------------------------------------------ */

/* The slot's words: `words` gets the first write of each, ascending. Returns how many there are. */
static size_t find_words(const image_plan *plan, size_t slot, const plan_write **words)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->write_count; i++) {
        const plan_write *write = &plan->writes[i];
        if (write->slot != slot + 1 || (i && plan_same_word(write, write - 1)))
            continue;
        if (words) {
            size_t at = count;
            for (; at > 0 && (int32_t)words[at - 1]->word > (int32_t)write->word; at--)
                words[at] = words[at - 1];
            words[at] = write;
        }
        count++;
    }
    return count;
}

uint32_t slots_place(image_plan *plan, uint32_t at)
{
    if (!plan->slot_count)
        return at;
    size_t count = routine_count(plan);
    plan->gathered = at;
    at += 4 * (uint32_t)(count + (count + 31) / 32);
    for (size_t i = 0; i < plan->slot_count; i++) {
        plan->slots[i].state = at;
        at += (uint32_t)(sizeof(struct es_mi_slot_state) + find_words(plan, i, NULL) + 3) & ~3u;
    }
    return at;
}

void slots_reserve(image_builder *b)
{
    b->slots_at = layout_reserve(b, b->plan.slot_count * sizeof(struct es_mi_slot));
    b->order_at = layout_reserve(b, b->plan.slot_count ? routine_count(&b->plan) * sizeof(uint16_t) : 0);
}

uint16_t slots_address(const image_builder *b, size_t slot)
{
    return (uint16_t)(b->slots_at + slot * sizeof(struct es_mi_slot));
}

void slots_write(image_builder *b)
{
    const image_plan *plan = &b->plan;
    for (size_t i = 0; i < plan->slot_count; i++) {
        size_t count = find_words(plan, i, NULL);
        const plan_write **words = es_arena_alloc(b->arena, (count + 1) * sizeof *words);
        struct es_mi_slot_word *out = es_arena_alloc(b->arena, (count + 1) * sizeof *out);
        find_words(plan, i, words);
        for (size_t k = 0; k < count; k++)
            out[k] = (struct es_mi_slot_word){words[k]->word, words_cell(b, words[k])};
        uint16_t words_at = (uint16_t)layout_put(b, out, count * sizeof *out);
        *(struct es_mi_slot *)layout_at(b, slots_address(b, i)) = (struct es_mi_slot){
            .words_at = words_at,
            .word_count = (uint16_t)count,
            .state_at = (uint16_t)(plan->ram_at + plan->slots[i].state),
            .moved_at = plan->slots[i].moved_at,
            .low = count ? out[0].offset : 0,
            .span = count ? out[count - 1].offset + 4 - out[0].offset : 0,
        };
    }
    for (size_t i = 0; plan->slot_count && i < routine_count(plan); i++)
        ((uint16_t *)layout_at(b, b->order_at))[order_of(plan, i)] = (uint16_t)b->routine_at[i];
}

void slots_header(const image_builder *b, struct es_mi_header *header)
{
    if (!b->plan.slot_count)
        return;
    header->slots_at = (uint16_t)b->slots_at;
    header->slot_count = (uint16_t)b->plan.slot_count;
    header->order_at = (uint16_t)b->order_at;
    header->order_count = (uint16_t)routine_count(&b->plan);
    header->gathered_at = (uint16_t)(b->plan.ram_at + b->plan.gathered);
}
