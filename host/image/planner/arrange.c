#include "image/planner/arrange.h"

#include <stddef.h>
#include <stdlib.h>

#include "image/places/element.h"
#include "image/places/moving.h"
#include "image/places/pointers.h"
#include "image/places/slots.h"
#include "image/places/written.h"
#include "image/plan/cover.h"
#include "image/plan/expected.h"
#include "image/plan/plan.h"
#include "image/plan/refuse.h"
#include "image/planner/actions.h"
#include "image/planner/tasks.h"
#include "image/planner/trust.h"
#include "image/times/compound.h"
#include "image/times/deadline.h"

static int compare_writes(const void *left, const void *right)
{
    const plan_write *a = left, *b = right;
    uint32_t a_frame = a->frame ? a->frame->low + 1 : 0, b_frame = b->frame ? b->frame->low + 1 : 0;
    if (a_frame != b_frame)
        return a_frame < b_frame ? -1 : 1;
    if (a->slot != b->slot)
        return a->slot < b->slot ? -1 : 1;
    if (a->word != b->word)
        return a->word < b->word ? -1 : 1;
    if (a->cover != b->cover)
        return a->cover ? -1 : 1;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    if (a->lanes != b->lanes)
        return (int)a->lanes - (int)b->lanes;
    if (a->bytes != b->bytes)
        return (int)a->bytes - (int)b->bytes;
    return a->start == b->start ? 0 : a->start < b->start ? -1 : 1;
}

static bool same_place(const plan_write *a, const plan_write *b)
{
    return plan_same_word(a, b) && a->cover == b->cover && a->handler == b->handler && plan_same_bytes(a, b);
}

/* The first write of the same bytes to the same word. */
static plan_write *leader(image_plan *plan, size_t index)
{
    plan_write *write = &plan->writes[index], *first = write;
    for (size_t i = index; i-- > 0;) {
        plan_write *other = &plan->writes[i];
        if (!plan_same_word(other, write))
            break;
        if (plan_same_bytes(other, write) && other->cover == write->cover)
            first = other;
    }
    return first;
}

/* The same of all words: where the variable's RAM is placed. */
static plan_write *variable(image_plan *plan, size_t index)
{
    plan_write *write = &plan->writes[index];
    if (!write->bytes)
        return leader(plan, index);
    for (size_t i = 0; i < index; i++) {
        plan_write *other = &plan->writes[i];
        if (other->frame == write->frame && other->pointer == write->pointer && other->bytes == write->bytes &&
            other->start - other->phase == write->start - write->phase)
            return other;
    }
    return write;
}

/* Bits for sets of several lanes, beside the lanes in HIT_FLAGS. Lanes of a variable are neighbours, so there are no
 * more sets than these: 01 12 23 012 123 0123; what lies across words takes from the same bits. */
static const uint8_t set_bits[] = {0, 1, 2, 3, 8, 9, 10};

static bool number_sets(image_plan *plan, es_error *err)
{
    size_t sets = 0;
    for (size_t i = 0; i < plan->write_count; i++) {
        plan_write *write = &plan->writes[i];
        if (i == 0 || !plan_same_word(write, &write[-1]))
            sets = 0;
        if (!plan_in_parts(write))
            write->bit = (uint16_t)(write->lanes << ES_HIT_LANES_SHIFT);
        else if (write->cover || leader(plan, i) != write)
            write->bit = leader(plan, i)->bit;
        else if (sets == sizeof set_bits)
            return es_plan_fail(plan, plan->statements[plan->handlers[write->handler].statement].statement, err,
                                "the word at 0x%08x holds parts of more than %zu "
                                "variables that lie across words: watch fewer of them",
                                (unsigned)write->word, sets);
        else
            write->bit = (uint16_t)(1u << set_bits[sets++]);
    }
    return true;
}

static uint32_t in_words(uint32_t bytes)
{
    return (bytes + 3) / 4;
}

/* Pending bytes of a frame's variables, of what a pointer (1 + its number) points to, or of static variables, from `at`
 * on. Returns their number. */
static uint32_t place_pending(image_plan *plan, const es_procedure *frame, size_t pointer, uint32_t at)
{
    uint32_t count = 0;
    for (size_t i = 0; i < plan->write_count; i++) {
        plan_write *write = &plan->writes[i];
        if (write->frame == frame && write->pointer == pointer && !write->cover && plan_in_parts(write) &&
            variable(plan, i) == write)
            write->pending = at + count++;
    }
    return count;
}

/* Old values of elements that one reference may mean, one after the other, so that code can compute where they are.
 * Returns the end; 0: some are among another reference's, in another order. */
static uint32_t place_elements(image_plan *plan, const es_reference *reference, uint32_t at)
{
    uint32_t begin = 0;
    for (size_t n = 0; n < es_element_count(reference); n++) {
        es_reference element = es_element_at(reference, n);
        plan_write *found = NULL;
        for (size_t i = 0; i < plan->write_count && !found; i++)
            if (plan->writes[i].frame == element.frame && plan->writes[i].bytes == element.size &&
                plan->writes[i].start == element.address && !plan->writes[i].pointer)
                found = &plan->writes[i];
        if (!found)
            continue;
        begin = n ? begin : found->first ? found->first : at;
        if (found->first && found->first != begin + PLAN_ELEMENT_PAST * (uint32_t)n)
            return 0;
        found->first = begin + PLAN_ELEMENT_PAST * (uint32_t)n;
        at = found->first + PLAN_ELEMENT_PAST > at ? found->first + PLAN_ELEMENT_PAST : at;
    }
    return at;
}

static bool place_all_elements(image_plan *plan, uint32_t *at, es_error *err)
{
    for (size_t s = 0; s < plan->program->statement_count; s++) {
        const plan_statement *of = &plan->statements[s];
        for (size_t i = 0; of->olds && i < of->statement->reference_count; i++) {
            if (!of->olds[i] || !es_element_keeps(&of->statement->references[i]))
                continue;
            uint32_t end = place_elements(plan, &of->statement->references[i], *at);
            if (!end)
                return es_plan_refuse(plan, of->statement, i, err, "watch them in two runs",
                                      "old() of these elements is asked for in another order, too");
            *at = end;
        }
    }
    return true;
}

/* RAM after the counters: cells, marks, what was there before first parts, pending bytes. */
static bool place_ram(image_plan *plan, es_error *err)
{
    plan->unknown = es_expected_place(plan);
    plan->incomplete = plan->unknown + (uint32_t)offsetof(struct es_mi_doubts, incomplete);
    plan->spill = plan->unknown + (uint32_t)sizeof(struct es_mi_doubts);
    uint32_t at = es_slots_place(plan, es_pointers_place(plan, plan->spill + 4 * plan->spill_words));
    at = es_cover_place(plan, at);
    at = es_compound_place(plan, es_element_place(plan, es_actions_place(plan, at)));
    for (size_t i = 0; i < plan->age_count; i++, at += PLAN_AGE_BYTES)
        plan->ages[i].record = at;
    at = es_deadline_place(plan, at);
    for (size_t i = 0; i < plan->frame_count; i++)
        at = es_written_place(plan, &plan->frames[i], at);
    at = es_written_keep(plan, at);
    for (size_t i = 0; i < plan->frame_count; i++) {
        plan_frame *frame = &plan->frames[i];
        frame->cell = frame->moves ? plan->slots[frame->slot].state : at;
        frame->meant = at;
        at += frame->moves ? es_moving_ram(plan, frame) : 4;
    }
    at = es_tasks_place(plan, at);
    if (plan->narrow && plan->write_count) {
        plan->store = at;
        at += PLAN_STORE_BYTES;
    }
    if (!place_all_elements(plan, &at, err))
        return false;
    for (size_t i = 0; i < plan->write_count; i++) {
        plan_write *first = variable(plan, i);
        if (plan->writes[i].old && plan_in_parts(first) && !first->first) {
            first->first = at;
            at += !first->bytes ? 8 : 8 * (((first->pointer ? 3 : first->start % 4) + first->bytes + 3) / 4);
        }
    }
    plan->pending = at;
    for (size_t i = 0; i < plan->frame_count; i++) {
        plan_frame *frame = &plan->frames[i];
        frame->pending = at;
        frame->pending_words = in_words(place_pending(plan, frame->procedure, 0, at));
        at += 4 * frame->pending_words;
    }
    for (size_t i = 0; i < plan->pointer_count; i++) {
        plan->pointers[i].pending = at;
        plan->pointers[i].pending_words = in_words(place_pending(plan, NULL, i + 1, at));
        at += 4 * plan->pointers[i].pending_words;
    }
    at += 4 * in_words(place_pending(plan, NULL, 0, at));
    plan->pending_words = (at - plan->pending) / 4;
    plan->tags = 4 * plan->pending_words;
    plan->ram_size = es_trust_place(plan, at + plan->tags);
    for (size_t i = 0; i < plan->write_count; i++) {
        const plan_write *first = variable(plan, i);
        if (plan->writes[i].cover)
            continue;
        plan->writes[i].pending = first->pending;
        plan->writes[i].first = first->first;
    }
    return true;
}

/* By purpose, and then in the order in which they were added. */
static void order_handlers(image_plan *plan)
{
    uint16_t next = 0;
    for (int purpose = PLAN_POINTER; purpose <= PLAN_TASK; purpose++)
        for (size_t i = 0; i < plan->handler_count; i++)
            if ((int)plan->handlers[i].purpose == purpose)
                plan->handlers[i].order = next++;
    for (size_t i = 0; i < plan->write_count; i++)
        plan->writes[i].order = plan->handlers[plan->writes[i].handler].order;
}

bool es_plan_arrange(image_plan *plan, es_error *err)
{
    order_handlers(plan);
    if (plan->write_count)
        qsort(plan->writes, plan->write_count, sizeof *plan->writes, compare_writes);
    size_t kept = 0;
    for (size_t i = 0; i < plan->write_count; i++) {
        if (kept && same_place(&plan->writes[kept - 1], &plan->writes[i])) {
            plan->writes[kept - 1].events |= plan->writes[i].events;
            plan->writes[kept - 1].old |= plan->writes[i].old;
        } else {
            plan->writes[kept++] = plan->writes[i];
        }
    }
    plan->write_count = kept;
    if (!number_sets(plan, err))
        return false;
    return place_ram(plan, err);
}
