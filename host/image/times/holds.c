#include "image/times/holds.h"

#include "base/endian.h"
#include "image/image.h"
#include "image/places/element.h"
#include "image/places/found.h"
#include "image/places/pointers.h"
#include "image/plan/plan.h"
#include "image/plan/refuse.h"
#include "image/plan/writes.h"
#include "image/times/deadline.h"
#include "lang/statement.h"

/* Event bits from here on: a write to what may be the element that a reference of the condition means. */
#define FIRST_ELEMENT 2u

bool es_holds_is(const es_statement *statement)
{
    return statement->event && statement->event->kind == ES_EVENT_WHEN && statement->event->condition->holds_for.count;
}

static const es_statement *statement_of(const image_plan *plan, const plan_deadline *deadline)
{
    return plan->statements[deadline->statement].statement;
}

size_t es_holds_index(const plan_deadline *deadline, const es_statement *statement)
{
    return (size_t)(deadline->reference - statement->references);
}

/* Of references: writes to it, and to all that it is found by, are events; it has to exist, and so has all that it is
 * found by. */
enum { EVENT = 1, NEEDED = 2 };

typedef struct marker {
    const image_plan *plan;
    plan_deadline *deadline;
    uint8_t *marks;
} marker;

static void mark(const marker *by, size_t index, uint8_t bit)
{
    es_found_mark(by->plan, by->deadline->statement, index, bit, by->marks);
}

static bool mark_event(void *context, const es_expr *expr)
{
    if (expr->kind == ES_EXPR_REFERENCE)
        mark(context, expr->index, EVENT);
    return false;
}

static void add_copy(plan_deadline *deadline, const es_statement *statement, size_t index)
{
    if (deadline->held[index].copy)
        return;
    deadline->held[index].copy = deadline->bytes;
    deadline->bytes += plan_bits(&statement->references[index]) > 32 ? 8 : 4;
}

/* The deadline's condition is evaluated with them. */
static bool copy_value(void *context, const es_expr *expr)
{
    const marker *by = context;
    if (expr->kind == ES_EXPR_REFERENCE || expr->kind == ES_EXPR_OLD)
        add_copy(by->deadline, statement_of(by->plan, by->deadline), expr->index);
    if (expr->kind == ES_EXPR_AGE)
        by->deadline->held[expr->index].aged = true;
    return false;
}

bool es_holds_plan(image_plan *plan, plan_deadline *deadline, es_error *err)
{
    plan_statement *planned = &plan->statements[deadline->statement];
    const es_statement *statement = planned->statement;
    size_t count = statement->reference_count;
    unsigned bit = FIRST_ELEMENT;
    plan_held *held = deadline->held = es_arena_alloc(plan->arena, (count + 1) * sizeof *held);
    marker by = {plan, deadline, es_arena_alloc(plan->arena, count + 1)};
    deadline->bytes = DEADLINE_COPIES;
    deadline->from_start = !deadline->holds;
    if (deadline->holds) {
        es_expr_find(deadline->condition->expr, mark_event, &by);
    } else {
        mark(&by, es_holds_index(deadline, statement), EVENT);
        add_copy(deadline, statement, es_holds_index(deadline, statement));
        es_expr_find(deadline->condition->expr, copy_value, &by);
    }
    uint32_t shown = HOLDS_COPY;
    for (size_t k = 0; k < es_image_value_count(statement) && deadline->shows; k++) {
        const es_print_item *item = es_image_value(statement, k);
        if (item->kind == ES_ITEM_AGE)
            held[item->index].aged = true;
        if (item->kind != ES_ITEM_VALUE)
            continue;
        if (!deadline->part)
            add_copy(deadline, statement, item->index);
        else if (!held[item->index].shown) /* the same of all parts */
            held[item->index].shown = shown;
        mark(&by, item->index, NEEDED);
        shown += 4 * (uint32_t)es_image_value_words(statement, item);
    }
    for (size_t i = 0; i < count; i++)
        if (by.marks[i] & EVENT || held[i].copy || held[i].aged)
            mark(&by, i, NEEDED);
    for (size_t i = 0; i < count; i++) {
        const es_reference *reference = &statement->references[i];
        held[i].event = by.marks[i] & EVENT;
        held[i].needed = by.marks[i] & NEEDED;
        if (!held[i].needed)
            continue;
        deadline->ends |= reference->frame || reference->via;
        deadline->from_start &= !reference->frame && !reference->via && !reference->subscript_count;
        if (!held[i].event || !reference->subscript_count)
            continue;
        held[i].element = deadline->bytes;
        deadline->bytes += 4;
        held[i].element_bit = (uint8_t)(bit++ & 0x7F);
    }
    if (bit > ES_MI_EVENTS_MAX)
        return es_plan_fail(plan, statement, err, "it names more than %u elements with a variable index",
                            ES_MI_EVENTS_MAX - FIRST_ELEMENT);
    return true;
}

bool es_holds_shows(const plan_deadline *deadline, const es_statement *statement)
{
    for (size_t i = 0; i < statement->reference_count; i++)
        if ((deadline->held[i].copy || deadline->held[i].shown || deadline->held[i].aged) && !deadline->held[i].event)
            return true;
    return false;
}

bool es_holds_has_events(const plan_deadline *deadline, const es_statement *statement)
{
    bool elements = false;
    for (size_t i = 0; i < statement->reference_count; i++)
        elements |= deadline->held[i].element != 0;
    return elements || es_holds_shows(deadline, statement);
}

void es_holds_add_notes(image_plan *plan, const plan_deadline *deadline, size_t handler)
{
    const plan_statement *planned = &plan->statements[deadline->statement];
    const es_statement *statement = planned->statement;
    plan->handlers[handler].has_events = es_holds_has_events(deadline, statement);
    for (size_t i = 0; i < statement->reference_count; i++) {
        const es_reference *reference = &statement->references[i];
        const plan_held *held = &deadline->held[i];
        if (!held->needed)
            continue;
        plan_write write = {.handler = handler,
                            .frame = reference->frame,
                            .events = (uint16_t)(!held->event    ? HOLDS_SHOWN
                                                 : held->element ? 1u << held->element_bit
                                                                 : HOLDS_EVENT)};
        if (reference->via)
            es_pointers_add_writes(plan, write, reference, planned->pointers[i] - 1u);
        for (size_t n = reference->via ? 0 : es_element_count(reference); n-- > 0;) {
            es_reference element = es_element_at(reference, n);
            es_plan_add_writes(plan, write, &element);
        }
    }
}

void es_holds_initial(const es_reference *reference, const uint32_t words[3], uint32_t value[2])
{
    unsigned bits = plan_bits(reference), count = plan_byte_count(reference);
    unsigned first = plan_first_byte(reference) % 4;
    uint8_t bytes[12];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    uint64_t all = es_endian_get(bytes + first, count < 8 ? count : 8, plan_is_turned(reference));
    all = all >> reference->bit_offset % 8 << (64 - bits);
    all = plan_is_signed(reference->type) ? (uint64_t)((int64_t)all >> (64 - bits)) : all >> (64 - bits);
    value[0] = (uint32_t)all;
    value[1] = (uint32_t)(all >> 32);
}
