#include "image/deadline.h"
#include "image/routines.h"

#include <string.h>

#include "image/compound.h"
#include "image/holds.h"
#include "image/moving.h"
#include "image/order.h"
#include "image/paths.h"
#include "image/plan_private.h"
#include "image/times.h"

#define SHARED_BYTES 28u

/* --- plan
 * ---------------------------------------------------------------------------------------------------------------- */

static bool unchanged(const es_expr *expr)
{
    return expr->kind == ES_EXPR_UNCHANGED;
}

/* The first part of an expression of a kind, or NULL. */
static const es_expr *find_part(const es_expr *expr, bool (*is)(const es_expr *))
{
    if (!expr || is(expr))
        return expr;
    const es_expr *const parts[] = {expr->condition, expr->lhs, expr->rhs}, *found = NULL;
    for (size_t i = 0; i < 3 && !found; i++)
        found = find_part(parts[i], is);
    return found;
}

static const es_expr *find_unchanged(const es_event_tree *event)
{
    if (event->kind == ES_EVENT_WHEN)
        return find_part(event->condition->expr, unchanged);
    const es_expr *found = find_unchanged(event->first);
    return found ? found : find_unchanged(event->second);
}

/* What is about an event: nothing happens at a deadline. */
static bool is_event(const es_expr *expr)
{
    switch (expr->kind) {
    case ES_EXPR_CONST:
    case ES_EXPR_REFERENCE:
    case ES_EXPR_COUNTER:
    case ES_EXPR_UNARY:
    case ES_EXPR_BINARY:
    case ES_EXPR_CONVERT:
    case ES_EXPR_CHOICE:
    case ES_EXPR_UNCHANGED: return false;
    default: return true;
    }
}

/* Whether two references mean the same bits, wherever these are. */
static bool same_variable(const es_statement *statement, size_t left, size_t right)
{
    const es_reference *a = &statement->references[left], *b = &statement->references[right];
    if (left == right)
        return true;
    return a->frame == b->frame && es_paths_same(a->path, b->path) && a->address == b->address && a->size == b->size &&
           a->bit_offset == b->bit_offset && a->bit_size == b->bit_size && a->via == b->via && !a->subscript_count &&
           !b->subscript_count &&
           (!a->via || (a->base < left && b->base < right && same_variable(statement, a->base, b->base)));
}

/* One variable, one length of time, and the condition is true then only. */
static bool check_unchanged(const image_plan *plan, const es_statement *statement, es_error *err)
{
    const es_condition *condition = statement->event->condition;
    const es_trigger *first = &condition->triggers[0];
    for (size_t i = 0; i < condition->trigger_count; i++) {
        const es_trigger *trigger = &condition->triggers[i];
        if (trigger->kind != ES_TRIGGER_UNCHANGED)
            return es_plan_refuse_at(
                plan, condition->expr->source, 1, err, "two statements, which may count with the same counter",
                "in this version a condition with `unchanged for` has no other events: join with &&");
        if (!same_variable(statement, trigger->index, first->index) ||
            trigger->duration.count != first->duration.count || trigger->duration.cycles != first->duration.cycles)
            return es_plan_refuse(
                plan, statement, trigger->index, err, "two statements, which may count with the same counter",
                "in this version a statement has `unchanged for` of one variable and for one length of time");
    }
    return condition->trigger_count > 0;
}

/* A path that is true while its activation exists, and may be one of the conditions of `for` joined by &&: when the
 * activation ends, they are not true any more. */
static bool check_path(const image_plan *plan, const es_expr *expr, es_error *err)
{
    static const char hint[] = "name a local, which is there as long as its activation: main:control\\x > 3 for 10ms";
    if (expr->exact)
        return es_plan_refuse_at(plan, expr->source, 1, err, "main:control for 10ms",
                                 "in this version `for` does not take which activation is the innermost");
    if (es_moving_why(plan, plan_last_step(expr->path)))
        return es_plan_refuse_at(plan, expr->source, 1, err, hint,
                                 "the activation %s has a frame at no fixed place; in this version `for` takes "
                                 "paths of others",
                                 expr->path->text);
    return true;
}

static bool check_parts(const image_plan *plan, const es_expr *expr, bool joined, es_error *err)
{
    if (joined && expr->kind == ES_EXPR_BINARY && expr->op == ES_OP_LOGAND)
        return check_parts(plan, expr->lhs, true, err) && check_parts(plan, expr->rhs, true, err);
    if (joined && expr->kind == ES_EXPR_ACTIVE)
        return check_path(plan, expr, err);
    const es_expr *part = find_part(expr, is_event);
    if (!part)
        return true;
    if (part->kind == ES_EXPR_ACTIVE)
        return es_plan_refuse_at(
            plan, part->source, 1, err, "main:control && x > 3 for 10ms",
            "in this version paths are conditions of `for` alone, and joined with others by && only");
    return es_plan_refuse_at(
        plan, part->source, 1, err, "x > 80 for 10ms; or A then B && elapsed > 10ms",
        "this is about an event, which is over at once: `for` and `unchanged for` take conditions on values of "
        "variables and counters");
}

static bool check_shown(const image_plan *plan, const es_statement *statement, es_error *err)
{
    for (size_t k = 0; k < es_image_value_count(statement); k++) {
        const es_print_item *item = es_image_value(statement, k);
        if (item->kind == ES_ITEM_AGE)
            return es_plan_refuse_at(
                plan, statement->source, 1, err, "print x; every hit shows its time",
                "%s: in this version a statement with `for` or `unchanged for` prints values and counters", item->name);
    }
    return true;
}

bool es_deadline_check(const image_plan *plan, const es_statement *statement, const struct plan_uses *uses,
                       es_error *err)
{
    if (es_compound_is(statement))
        return es_plan_refuse_at(plan, find_unchanged(statement->event)->source, 1, err,
                                 "a statement of its own with `unchanged for`, which counts",
                                 "in this version `unchanged for` stands alone, not in an event of several parts");
    const es_expr *expr = statement->event->condition->expr;
    bool holds = es_holds_is(statement);
    if (holds && uses->unchanged)
        return es_plan_refuse_at(plan, find_part(expr, unchanged)->source, 1, err, "x unchanged for 10ms",
                                 "`unchanged for` is true at one moment only, and so not `for` some time");
    if (!check_parts(plan, expr, holds, err))
        return false;
    for (size_t i = 0; i < statement->reference_count; i++)
        for (size_t k = 0; k < statement->references[i].subscript_count; k++)
            if (!check_parts(plan, statement->references[i].subscripts[k].index, false, err))
                return false;
    return check_shown(plan, statement, err) && (holds || check_unchanged(plan, statement, err));
}

/* One variable of static storage, in one word, and nothing else: the write tells its value. */
static bool is_plain(const es_statement *statement)
{
    const es_reference *first = &statement->references[0];
    if (es_holds_is(statement) || first->frame || first->via || first->subscript_count || plan_is_large(first) ||
        plan_words(first) > 1)
        return false;
    for (size_t i = 1; i < statement->reference_count; i++)
        if (!same_variable(statement, 0, i))
            return false;
    return true;
}

void es_deadline_add_notes(image_plan *plan, size_t first)
{
    for (size_t i = 0; i < plan->deadline_count; i++) {
        const plan_deadline *deadline = &plan->deadlines[i];
        const es_statement *statement = plan->statements[deadline->statement].statement;
        plan->statements[first + i] = (plan_statement){
            .statement = statement, .direct = !deadline->evaluated, .needs_known = deadline->evaluated};
        if (deadline->evaluated)
            es_holds_add_notes(plan, deadline, first + i);
        else
            es_plan_add_writes(plan, (plan_write){.statement = first + i, .early = true}, deadline->reference);
    }
}

bool es_deadline_plan(image_plan *plan, size_t number, uint64_t bus_hz, es_error *err)
{
    plan_statement *out = &plan->statements[number];
    const es_statement *statement = out->statement;
    const es_condition *condition = statement->event->condition;
    bool holds = es_holds_is(statement);
    plan->deadlines = es_arena_grow(plan->arena, plan->deadlines, plan->deadline_count, sizeof *plan->deadlines);
    plan_deadline *deadline = &plan->deadlines[plan->deadline_count++];
    *deadline = (plan_deadline){
        .reference = holds ? NULL : &statement->references[condition->triggers[0].index],
        .statement = number,
        .condition = condition,
        .holds = holds,
        .shows = true,
        .bytes = DEADLINE_RECORD_BYTES,
        .evaluated = !is_plain(statement),
        .clocks = es_duration_cycles(holds ? condition->holds_for : condition->triggers[0].duration, bus_hz)};
    out->deadline = plan->deadline_count;
    out->needs_known = deadline->evaluated;
    return !deadline->evaluated || es_holds_plan(plan, deadline, err);
}

bool es_deadline_plan_parts(image_plan *plan, size_t number, uint64_t bus_hz, es_error *err)
{
    plan_statement *out = &plan->statements[number];
    const struct compound_event *event = out->compound;
    for (size_t i = 0; i < event->leaf_count; i++) {
        const es_condition *condition = event->leaves[i];
        bool last = event->last & 1u << i;
        if (!condition->holds_for.count)
            continue;
        if (!check_parts(plan, condition->expr, true, err) || (last && !check_shown(plan, out->statement, err)))
            return false;
        plan->deadlines = es_arena_grow(plan->arena, plan->deadlines, plan->deadline_count, sizeof *plan->deadlines);
        plan_deadline *deadline = &plan->deadlines[plan->deadline_count++];
        *deadline = (plan_deadline){.statement = number,
                                    .condition = condition,
                                    .holds = true,
                                    .part = true,
                                    .shows = last,
                                    .evaluated = true,
                                    .clocks = es_duration_cycles(condition->holds_for, bus_hz)};
        out->needs_known = true;
        if (!es_holds_plan(plan, deadline, err))
            return false;
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
    at += SHARED_BYTES;
    for (size_t i = 0; i < plan->deadline_count; i++) {
        plan_deadline *deadline = &plan->deadlines[i];
        deadline->record = at;
        deadline->copies = deadline->part ? plan->statements[deadline->statement].compound->shown - HOLDS_COPY : at;
        at += deadline->bytes;
    }
    return at;
}

/* --- code
 * ------------------------------------------------------------------------------------------------------------------ */

/* The bits of its word that a variable takes. */
static uint32_t mask(const es_reference *reference)
{
    unsigned bits = plan_bits(reference);
    return (bits == 32 ? 0xFFFFFFFFu : (1u << bits) - 1) << plan_first_bit(reference);
}

void es_deadline_ask_now(generator *g)
{
    es_times_now(g, ES_IR_T1, ES_IR_T2);
    es_times_store(g, ES_IR_T1, g->plan->deadline_shared + DEADLINE_NOW);
    es_times_store(g, ES_IR_T2, g->plan->deadline_shared + DEADLINE_NOW + 4);
}

void es_deadline_ask(generator *g, const plan_deadline *deadline)
{
    if (g->plan->ordered) {
        es_order_settle(g);
        return;
    }
    es_deadline_ask_now(g);
    es_routine_run(g->code, ES_IR_RA, deadline->check_at);
}

void es_deadline_note_write(generator *g, const plan_deadline *deadline)
{
    es_ir_code *code = g->code;
    unsigned unwritten = es_ir_label(code), compare = es_ir_label(code), changed = es_ir_label(code),
             same = es_ir_label(code);
    uint32_t record = deadline->record;
    es_times_store(g, ES_IR_RA, record + DEADLINE_BACK);
    es_deadline_ask(g, deadline);
    es_ir_load(code, ES_IR_LOAD, ES_IR_T1, ES_IR_HIT, (int32_t)ES_REG_HIT_NEW);
    es_times_load(g, ES_IR_T2, record + DEADLINE_STATE);
    es_ir_immediate(code, ES_IR_AND_I, ES_IR_T3, ES_IR_T2, DEADLINE_WRITTEN);
    es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T3, ES_IR_ZERO, unwritten);
    es_times_load(g, ES_IR_T3, record + DEADLINE_VALUE);
    es_ir_jump(code, compare);
    es_ir_here(code, unwritten);
    if (deadline->known) {
        es_ir_immediate(code, ES_IR_AND_I, ES_IR_T3, ES_IR_T2, DEADLINE_ANEW);
        es_ir_branch(code, ES_IR_IF_NE, ES_IR_T3, ES_IR_ZERO, changed);
        es_ir_const(code, ES_IR_T3, deadline->initial);
    } else {
        es_ir_jump(code, changed);
    }
    es_ir_here(code, compare);
    es_ir_value(code, ES_IR_XOR, ES_IR_T3, ES_IR_T3, ES_IR_T1);
    es_ir_const(code, ES_IR_T4, mask(deadline->reference));
    es_ir_value(code, ES_IR_AND, ES_IR_T3, ES_IR_T3, ES_IR_T4);
    es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T3, ES_IR_ZERO, same);
    es_ir_here(code, changed);
    es_times_now(g, ES_IR_T3, ES_IR_T4);
    es_times_store(g, ES_IR_T3, record);
    es_times_store(g, ES_IR_T4, record + 4);
    es_order_begun(g, ES_IR_T3);
    es_ir_immediate(code, ES_IR_AND_I, ES_IR_T2, ES_IR_T2, ~DEADLINE_DONE);
    es_ir_here(code, same);
    es_ir_immediate(code, ES_IR_OR_I, ES_IR_T2, ES_IR_T2, DEADLINE_WRITTEN);
    es_times_store(g, ES_IR_T2, record + DEADLINE_STATE);
    es_times_store(g, ES_IR_T1, record + DEADLINE_VALUE);
    es_times_load(g, ES_IR_RA, record + DEADLINE_BACK);
    es_ir_return(code, ES_IR_RA, 0);
}

/* Jumps unless the time in t1 and t2 is at most the one at an offset. Takes t3, t4. */
static void unless_by(generator *g, uint32_t offset, unsigned label)
{
    unsigned earlier = es_ir_label(g->code);
    es_times_load(g, ES_IR_T3, offset);
    es_times_load(g, ES_IR_T4, offset + 4);
    es_ir_branch(g->code, ES_IR_IF_BELOW, ES_IR_T2, ES_IR_T4, earlier);
    es_ir_branch(g->code, ES_IR_IF_NE, ES_IR_T2, ES_IR_T4, label);
    es_ir_branch(g->code, ES_IR_IF_BELOW, ES_IR_T3, ES_IR_T1, label);
    es_ir_here(g->code, earlier);
}

void es_deadline_pending(generator *g, const plan_deadline *deadline, unsigned no)
{
    es_ir_code *code = g->code;
    unsigned pending = es_ir_label(code);
    es_times_load(g, ES_IR_T0, deadline->record + DEADLINE_STATE);
    if (deadline->from_start) { /* as the program file has it, unless something was written */
        es_ir_immediate(code, ES_IR_AND_I, ES_IR_T1, ES_IR_T0, DEADLINE_HOLDS | DEADLINE_WRITTEN);
        es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T1, ES_IR_T1, -DEADLINE_WRITTEN);
        es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T1, ES_IR_ZERO, no);
    } else if (deadline->evaluated) {
        es_ir_immediate(code, ES_IR_AND_I, ES_IR_T1, ES_IR_T0, DEADLINE_HOLDS);
        es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T1, ES_IR_ZERO, no);
    }
    es_ir_immediate(code, ES_IR_AND_I, ES_IR_T1, ES_IR_T0, DEADLINE_DONE);
    es_ir_branch(code, ES_IR_IF_NE, ES_IR_T1, ES_IR_ZERO, no);
    es_times_load(g, ES_IR_T1, deadline->record);
    es_times_load(g, ES_IR_T2, deadline->record + 4);
    es_ir_const(code, ES_IR_T3, (uint32_t)deadline->clocks);
    es_ir_const(code, ES_IR_T4, (uint32_t)(deadline->clocks >> 32));
    es_ir_value(code, ES_IR_ADD, ES_IR_T1, ES_IR_T1, ES_IR_T3);
    es_ir_value(code, ES_IR_BELOW, ES_IR_T3, ES_IR_T1, ES_IR_T3);
    es_ir_value(code, ES_IR_ADD, ES_IR_T2, ES_IR_T2, ES_IR_T4);
    es_ir_value(code, ES_IR_ADD, ES_IR_T2, ES_IR_T2, ES_IR_T3);
    if (deadline->ends) {
        es_ir_immediate(code, ES_IR_AND_I, ES_IR_T3, ES_IR_T0, DEADLINE_ENDED);
        es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T3, ES_IR_ZERO, pending);
        unless_by(g, deadline->record + DEADLINE_END, no);
    }
    es_ir_here(code, pending);
}

void es_deadline_due(generator *g, const plan_deadline *deadline, unsigned no)
{
    es_deadline_pending(g, deadline, no);
    unless_by(g, g->plan->deadline_shared + DEADLINE_NOW, no);
}

void es_deadline_passed(generator *g, unsigned no)
{
    const plan_deadline *deadline = g->late;
    es_deadline_due(g, deadline, no);
    es_ir_immediate(g->code, ES_IR_OR_I, ES_IR_T0, ES_IR_T0, DEADLINE_DONE);
    es_times_store(g, ES_IR_T0, deadline->record + DEADLINE_STATE);
    es_times_store(g, ES_IR_T1, g->plan->deadline_shared + DEADLINE_PASSED);
    es_times_store(g, ES_IR_T2, g->plan->deadline_shared + DEADLINE_PASSED + 4);
}

void es_deadline_head(generator *g, uint32_t words)
{
    uint32_t shared = g->plan->deadline_shared;
    es_ir_const(g->code, ES_IR_T1, (words - 1) << 8 | ES_FRAME_HIT);
    es_ir_store(g->code, ES_IR_STORE, ES_IR_T1, ES_IR_HIT, (int32_t)ES_REG_EV_HEAD);
    for (uint32_t half = 0; half < 8; half += 4) {
        es_times_load(g, ES_IR_T1, shared + DEADLINE_PASSED + half);
        es_ir_store(g->code, ES_IR_STORE, ES_IR_T1, ES_IR_HIT, (int32_t)ES_REG_EV_DATA);
    }
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_T1, ES_IR_HIT, (int32_t)ES_REG_EV_FLAGS);
    es_ir_immediate(g->code, ES_IR_OR_I, ES_IR_T1, ES_IR_T1, ES_HITF_PATH_UNKNOWN);
    es_ir_immediate(g->code, ES_IR_SHL_I, ES_IR_T1, ES_IR_T1, 16);
    es_ir_const(g->code, ES_IR_T2, (uint32_t)g->number);
    es_ir_value(g->code, ES_IR_OR, ES_IR_T1, ES_IR_T1, ES_IR_T2);
    es_ir_store(g->code, ES_IR_STORE, ES_IR_T1, ES_IR_HIT, (int32_t)ES_REG_EV_DATA);
    es_ir_const(g->code, ES_IR_T1, ES_HIT_NOWHERE);
    es_ir_store(g->code, ES_IR_STORE, ES_IR_T1, ES_IR_HIT, (int32_t)ES_REG_EV_DATA);
}

/* Jumps unless the switch at t1 was set at the deadline's own time, which is in t4, t5 then. */
static void unless_at_once(generator *g, unsigned label)
{
    for (uint32_t half = 0; half < 8; half += 4) {
        es_times_load(g, half ? ES_IR_T5 : ES_IR_T4, g->plan->deadline_shared + DEADLINE_PASSED + half);
        es_ir_load(g->code, ES_IR_LOAD, ES_IR_T3, ES_IR_T1, 4 + (int32_t)half);
        es_ir_branch(g->code, ES_IR_IF_NE, ES_IR_T3, half ? ES_IR_T5 : ES_IR_T4, label);
    }
}

void es_deadline_switch_now(generator *g)
{
    unsigned later = es_ir_label(g->code), done = es_ir_label(g->code);
    unless_at_once(g, later);
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_T1, ES_IR_T1, 0);
    es_ir_immediate(g->code, ES_IR_SHR_I, ES_IR_T1, ES_IR_T1, 1);
    es_ir_jump(g->code, done);
    es_ir_here(g->code, later);
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_T1, ES_IR_T1, 0);
    es_ir_immediate(g->code, ES_IR_AND_I, ES_IR_T1, ES_IR_T1, 1);
    es_ir_here(g->code, done);
}

void es_deadline_switch_set(generator *g)
{
    unsigned later = es_ir_label(g->code), done = es_ir_label(g->code);
    unless_at_once(g, later);
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_T3, ES_IR_T1, 0);
    es_ir_immediate(g->code, ES_IR_AND_I, ES_IR_T3, ES_IR_T3, 2); /* another action at this time */
    es_ir_jump(g->code, done);
    es_ir_here(g->code, later);
    es_times_load(g, ES_IR_T4, g->plan->deadline_shared + DEADLINE_PASSED);
    es_times_load(g, ES_IR_T5, g->plan->deadline_shared + DEADLINE_PASSED + 4);
    es_ir_store(g->code, ES_IR_STORE, ES_IR_T4, ES_IR_T1, 4);
    es_ir_store(g->code, ES_IR_STORE, ES_IR_T5, ES_IR_T1, 8);
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_T3, ES_IR_T1, 0);
    es_ir_immediate(g->code, ES_IR_AND_I, ES_IR_T3, ES_IR_T3, 1);
    es_ir_immediate(g->code, ES_IR_SHL_I, ES_IR_T3, ES_IR_T3, 1);
    es_ir_here(g->code, done);
    es_ir_value(g->code, ES_IR_OR, ES_IR_T3, ES_IR_T3, ES_IR_T2);
    es_ir_store(g->code, ES_IR_STORE, ES_IR_T3, ES_IR_T1, 0);
}

void es_deadline_load(generator *g, const es_reference *reference, unsigned rd)
{
    const plan_deadline *deadline = g->late;
    unsigned unwritten = es_ir_label(g->code), done = es_ir_label(g->code);
    int up = (int)(32 - plan_first_bit(reference) - plan_bits(reference)), down = (int)(32 - plan_bits(reference));
    es_times_load(g, rd, deadline->record + DEADLINE_STATE);
    es_ir_immediate(g->code, ES_IR_AND_I, rd, rd, DEADLINE_WRITTEN);
    es_ir_branch(g->code, ES_IR_IF_EQ, rd, ES_IR_ZERO, unwritten);
    es_times_load(g, rd, deadline->record + DEADLINE_VALUE);
    es_ir_jump(g->code, done);
    es_ir_here(g->code, unwritten);
    if (deadline->known)
        es_ir_const(g->code, rd, deadline->initial);
    else if (g->checks_old)
        es_ir_jump(g->code, g->unknown);
    es_ir_here(g->code, done);
    if (up)
        es_ir_immediate(g->code, ES_IR_SHL_I, rd, rd, up);
    if (down)
        es_ir_immediate(g->code, es_codegen_is_signed(reference->type) ? ES_IR_SAR_I : ES_IR_SHR_I, rd, rd, down);
}

void es_deadline_check_all(generator *g)
{
    const image_plan *plan = g->plan;
    for (size_t i = 0; i < plan->deadline_count; i++)
        if (!i || plan->deadlines[i].statement !=
                      plan->deadlines[i - 1].statement) /* parts of one event are looked at together */
            es_routine_run(g->code, ES_IR_RA, plan->deadlines[i].check_at);
}

void es_deadline_tell(const image_plan *plan, es_image *image)
{
    if (!plan->deadline_count)
        return;
    image->deadlines = es_malloc(plan->deadline_count * sizeof *image->deadlines);
    for (size_t i = 0; i < plan->deadline_count; i++)
        image->deadlines[image->deadline_count++] = (uint16_t)plan->deadlines[i].check_at;
}

void es_deadline_list(es_ir_code *code, const image_plan *plan)
{
    image_plan *of = (image_plan *)plan; /* the generator only reads it */
    generator g = {.plan = of, .code = code};
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_LIST, ES_IR_RA, 0);
    es_times_store(&g, ES_IR_A0, plan->deadline_shared + DEADLINE_NOW);
    es_times_store(&g, ES_IR_A1, plan->deadline_shared + DEADLINE_NOW + 4);
    es_deadline_check_all(&g);
    es_ir_return(code, ES_IR_LIST, 0);
}
