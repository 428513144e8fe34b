#include "image/times/deadline.h"
#include "image/plan/plan_private.h"

#include <string.h>

#include "image/image.h"
#include "image/plan/named.h"
#include "image/plan/plan.h"
#include "image/plan/refuse.h"
#include "image/plan/writes.h"
#include "image/times/compound.h"
#include "image/times/holds.h"
#include "image/times/tells.h"
#include "lang/statement.h"

#define SHARED_BYTES 28u

static bool is_unchanged(void *context, const es_expr *expr)
{
    (void)context;
    return expr->kind == ES_EXPR_UNCHANGED;
}

/* What is about an event: nothing happens at a deadline. */
static bool is_event(void *context, const es_expr *expr)
{
    (void)context;
    return !es_named_value(expr) && expr->kind != ES_EXPR_ACTIVE && expr->kind != ES_EXPR_UNCHANGED;
}

static bool check_parts(const image_plan *plan, const es_expr *expr, es_error *err)
{
    const es_expr *part = es_expr_find(expr, is_event, NULL);
    return !part ||
           es_plan_refuse_at(
               plan, part->source, 1, err, "x > 80 for 10ms; or A then B && elapsed > 10ms",
               "this is about an event, which is over at once: `for` and `unchanged for` take conditions on values of "
               "variables and counters, and paths");
}

/* `for` and `unchanged for` of the same condition. */
static bool check_both(const image_plan *plan, const es_condition *condition, es_error *err)
{
    const es_expr *part = es_expr_find(condition->expr, is_unchanged, NULL);
    return !part || !condition->holds_for.count ||
           es_plan_refuse_at(plan, part->source, 1, err, "x unchanged for 10ms",
                             "`unchanged for` is true at one moment only, and so not `for` some time");
}

bool es_deadline_check(const image_plan *plan, const es_statement *statement, es_error *err)
{
    const es_condition *condition = statement->event->condition;
    return check_both(plan, condition, err) && (!es_holds_is(statement) || check_parts(plan, condition->expr, err));
}

/* One variable of static storage, in one word, and nothing else: the write tells its value. */
static bool is_plain(const es_statement *statement)
{
    const es_reference *first = &statement->references[0];
    if (es_holds_is(statement) || first->frame || first->via || first->subscript_count || plan_is_large(first) ||
        plan_words(first) > 1)
        return false;
    for (size_t i = 1; i < statement->reference_count; i++)
        if (!es_plan_same_variable(statement, 0, i))
            return false;
    return true;
}

void es_deadline_add_notes(image_plan *plan)
{
    for (size_t i = 0; i < plan->deadline_count; i++) {
        const plan_deadline *deadline = &plan->deadlines[i];
        size_t handler = es_plan_add_handler(
            plan, (plan_handler){PLAN_DEADLINE, i, deadline->statement, deadline->evaluated, false, 0});
        if (deadline->evaluated)
            es_holds_add_notes(plan, deadline, handler);
        else
            es_plan_add_writes(plan, (plan_write){.handler = handler}, deadline->reference);
    }
    es_tells_add_controls(plan);
}

static bool add(image_plan *plan, plan_deadline made, es_error *err)
{
    plan->deadlines = es_arena_grow(plan->arena, plan->deadlines, plan->deadline_count, sizeof *plan->deadlines);
    plan_deadline *deadline = &plan->deadlines[plan->deadline_count++];
    *deadline = made;
    return !made.evaluated || es_holds_plan(plan, deadline, err);
}

bool es_deadline_plan(image_plan *plan, size_t number, uint64_t bus_hz, es_error *err)
{
    plan_statement *out = &plan->statements[number];
    const es_statement *statement = out->statement;
    const es_condition *condition = statement->event->condition;
    bool holds = es_holds_is(statement);
    out->deadline = plan->deadline_count + 1;
    out->needs_known = !is_plain(statement);
    return add(plan,
               (plan_deadline){.reference = holds ? NULL : &statement->references[condition->triggers[0].index],
                               .statement = number,
                               .condition = condition,
                               .holds = holds,
                               .shows = true,
                               .bytes = DEADLINE_RECORD_BYTES,
                               .evaluated = !is_plain(statement),
                               .clocks = es_duration_cycles(
                                   holds ? condition->holds_for : condition->triggers[0].duration, bus_hz)},
               err);
}

bool es_deadline_plan_parts(image_plan *plan, size_t number, uint64_t bus_hz, es_error *err)
{
    plan_statement *out = &plan->statements[number];
    const struct compound_event *event = out->compound;
    for (size_t i = 0; i < event->leaf_count; i++) {
        const es_condition *condition = event->leaves[i];
        plan_deadline part = {.statement = number,
                              .condition = condition,
                              .part = true,
                              .shows = event->last & 1u << i,
                              .evaluated = true};
        out->needs_known |= event->deadlines > 0;
        if (!check_both(plan, condition, err))
            return false;
        if (condition->holds_for.count) {
            part.holds = true;
            part.clocks = es_duration_cycles(condition->holds_for, bus_hz);
            if (!check_parts(plan, condition->expr, err) || !add(plan, part, err))
                return false;
            continue;
        }
        for (size_t k = 0, at; (at = es_compound_unchanged(out->statement, condition, k)) < condition->trigger_count;
             k++) {
            part.reference = &out->statement->references[condition->triggers[at].index];
            part.clocks = es_duration_cycles(condition->triggers[at].duration, bus_hz);
            if (!add(plan, part, err))
                return false;
        }
    }
    return true;
}

/* What memory holds once start-up code has run. hush: that is no event, so what it clears is known without one. */
static bool initial_bytes(const es_symbols *symbols, bool hush, uint32_t address, void *out, uint32_t count)
{
    if (hush && es_symbols_cleared(symbols, address, count)) {
        memset(out, 0, count);
        return true;
    }
    const es_segment *segments;
    for (size_t k = es_symbols_segments(symbols, &segments); k-- > 0;)
        if (address >= segments[k].address && segments[k].size >= count &&
            address - segments[k].address <= segments[k].size - count) {
            memcpy(out, segments[k].bytes + (address - segments[k].address), count);
            return true;
        }
    return false;
}

void es_deadline_initial(image_plan *plan, const es_symbols *symbols, bool hush)
{
    for (size_t i = 0; i < plan->deadline_count; i++) {
        plan_deadline *deadline = &plan->deadlines[i];
        const es_statement *statement = plan->statements[deadline->statement].statement;
        if (!deadline->evaluated)
            deadline->known = initial_bytes(symbols, hush, deadline->reference->address & ~3u, &deadline->initial, 4);
        for (size_t k = 0; deadline->from_start && k < statement->reference_count; k++) {
            uint32_t words[3] = {0};
            const es_reference *reference = &statement->references[k];
            deadline->held[k].known =
                initial_bytes(symbols, hush, plan_first_word(reference), words, 4 * plan_words(reference));
            es_holds_initial(reference, words, deadline->held[k].initial);
        }
    }
}

uint32_t es_deadline_place(image_plan *plan, uint32_t at)
{
    if (!plan->deadline_count)
        return at;
    plan->deadline_shared = at;
    at = es_tells_place(plan, at + SHARED_BYTES);
    for (size_t i = 0; i < plan->deadline_count; i++) {
        plan_deadline *deadline = &plan->deadlines[i];
        deadline->record = at;
        deadline->copies = deadline->part ? plan->statements[deadline->statement].compound->shown - HOLDS_COPY : at;
        at += deadline->bytes;
    }
    return at;
}
