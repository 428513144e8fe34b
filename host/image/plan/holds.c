#include "image/plan/holds.h"

#include "image/image.h"
#include "image/lower/generator.h"
#include "image/plan/deadline.h"
#include "image/plan/element.h"
#include "image/plan/indexed.h"
#include "image/plan/plan.h"
#include "image/plan/pointers.h"
#include "image/plan/refuse.h"
#include "image/plan/writes.h"
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

static void mark_expr(const image_plan *plan, const plan_deadline *deadline, const es_expr *expr);

/* Writes to a variable, and to all that it is found by, are events. */
static void mark_event(const image_plan *plan, const plan_deadline *deadline, size_t index)
{
    const es_reference *reference = &statement_of(plan, deadline)->references[index];
    const plan_index *place = es_indexed_of(plan, deadline->statement, index);
    if (deadline->held[index].event)
        return;
    deadline->held[index].event = true;
    if (reference->via)
        mark_event(plan, deadline, reference->base);
    for (size_t i = 0; i < reference->subscript_count; i++)
        mark_expr(plan, deadline, reference->subscripts[i].index);
    for (size_t i = 0; place && i < place->count; i++)
        mark_expr(plan, deadline, place->subscripts[i].index);
}

static void mark_expr(const image_plan *plan, const plan_deadline *deadline, const es_expr *expr)
{
    if (!expr)
        return;
    if (expr->kind == ES_EXPR_REFERENCE)
        mark_event(plan, deadline, expr->index);
    mark_expr(plan, deadline, expr->condition);
    mark_expr(plan, deadline, expr->lhs);
    mark_expr(plan, deadline, expr->rhs);
}

static void need_expr(const image_plan *plan, const plan_deadline *deadline, const es_expr *expr);

/* A variable has to exist, and all that it is found by. */
static void mark_needed(const image_plan *plan, const plan_deadline *deadline, size_t index)
{
    const es_reference *reference = &statement_of(plan, deadline)->references[index];
    const plan_index *place = es_indexed_of(plan, deadline->statement, index);
    if (deadline->held[index].needed)
        return;
    deadline->held[index].needed = true;
    if (reference->via)
        mark_needed(plan, deadline, reference->base);
    for (size_t i = 0; i < reference->subscript_count; i++)
        need_expr(plan, deadline, reference->subscripts[i].index);
    for (size_t i = 0; place && i < place->count; i++)
        need_expr(plan, deadline, place->subscripts[i].index);
}

static void need_expr(const image_plan *plan, const plan_deadline *deadline, const es_expr *expr)
{
    if (!expr)
        return;
    if (expr->kind == ES_EXPR_REFERENCE)
        mark_needed(plan, deadline, expr->index);
    need_expr(plan, deadline, expr->condition);
    need_expr(plan, deadline, expr->lhs);
    need_expr(plan, deadline, expr->rhs);
}

static void add_copy(plan_deadline *deadline, const es_statement *statement, size_t index)
{
    if (deadline->held[index].copy)
        return;
    deadline->held[index].copy = deadline->bytes;
    deadline->bytes += plan_bits(&statement->references[index]) > 32 ? 8 : 4;
}

/* The deadline's condition is evaluated with them. */
static void copy_values(plan_deadline *deadline, const es_statement *statement, const es_expr *expr)
{
    if (!expr)
        return;
    if (expr->kind == ES_EXPR_REFERENCE || expr->kind == ES_EXPR_OLD)
        add_copy(deadline, statement, expr->index);
    if (expr->kind == ES_EXPR_AGE)
        deadline->held[expr->index].aged = true;
    copy_values(deadline, statement, expr->condition);
    copy_values(deadline, statement, expr->lhs);
    copy_values(deadline, statement, expr->rhs);
}

bool es_holds_plan(image_plan *plan, plan_deadline *deadline, es_error *err)
{
    plan_statement *planned = &plan->statements[deadline->statement];
    const es_statement *statement = planned->statement;
    size_t count = statement->reference_count;
    unsigned bit = FIRST_ELEMENT;
    plan_held *held = deadline->held = es_arena_alloc(plan->arena, (count + 1) * sizeof *held);
    deadline->bytes = DEADLINE_COPIES;
    deadline->from_start = !deadline->holds;
    if (deadline->holds) {
        mark_expr(plan, deadline, deadline->condition->expr);
    } else {
        mark_event(plan, deadline, es_holds_index(deadline, statement));
        add_copy(deadline, statement, es_holds_index(deadline, statement));
        copy_values(deadline, statement, deadline->condition->expr);
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
        mark_needed(plan, deadline, item->index);
        shown += 4 * (uint32_t)es_image_value_words(statement, item);
    }
    for (size_t i = 0; i < count; i++)
        if (held[i].event || held[i].copy || held[i].aged)
            mark_needed(plan, deadline, i);
    for (size_t i = 0; i < count; i++) {
        const es_reference *reference = &statement->references[i];
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
    unsigned start = plan_first_bit(reference), bits = plan_bits(reference);
    uint64_t all = (uint64_t)words[1] << 32 | words[0];
    if (start)
        all = all >> start | (uint64_t)words[2] << (64 - start);
    all <<= 64 - bits;
    all = es_codegen_is_signed(reference->type) ? (uint64_t)((int64_t)all >> (64 - bits)) : all >> (64 - bits);
    value[0] = (uint32_t)all;
    value[1] = (uint32_t)(all >> 32);
}
