#include "image/actions.h"
#include "image/element.h"
#include "image/compound.h"
#include "image/deadline.h"
#include "image/holds.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/moving.h"
#include "image/paths.h"
#include "image/position.h"
#include "image/pointers.h"
#include "image/reads.h"
#include "image/slots.h"
#include "image/snapshot.h"
#include "image/tasks.h"

#include "lang/lexer.h"

#define DEPTH_MAX 2000 /* of an expression tree: host recursion stays bounded */

bool plan_fail(const es_statement *statement, es_error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    es_vfail(err, ES_USAGE, format, args);
    va_end(args);
    return es_fail_in(err, "%s:%u:%u: %s", statement->source.file ? statement->source.file : "-e",
                      statement->source.line,
                      statement->source.column, statement->name ? statement->name : "statement");
}

/* Where an expression refers to references[index], or goes on from there; NULL: nowhere. */
static const es_expr *find_reference(const es_statement *statement, const es_expr *expr, size_t index)
{
    const es_expr *found = NULL;
    if (!expr)
        return NULL;
    if (expr->kind == ES_EXPR_REFERENCE || expr->kind == ES_EXPR_OLD || expr->kind == ES_EXPR_WRITE || expr->kind == ES_EXPR_READ ||
        expr->kind == ES_EXPR_AGE || expr->kind == ES_EXPR_UNCHANGED) {
        size_t at = expr->index;
        while (at != index && statement->references[at].via)
            at = statement->references[at].base;
        return at == index ? expr : NULL;
    }
    const es_expr *const parts[] = {expr->condition, expr->lhs, expr->rhs};
    for (size_t i = 0; i < 3 && !found; i++)
        found = find_reference(statement, parts[i], index);
    return found;
}

static const es_expr *find_in_event(const es_statement *statement, const es_event_tree *event, size_t index)
{
    if (!event)
        return NULL;
    if (event->kind == ES_EVENT_WHEN)
        return find_reference(statement, event->condition->expr, index);
    const es_expr *found = find_in_event(statement, event->first, index);
    return found ? found : find_in_event(statement, event->second, index);
}

static bool refuse(const image_plan *plan, es_source source, size_t length, es_error *err, const char *hint, const char *format,
                   va_list args)
{
    const es_program *program = plan->program;
    const char *text = "";
    for (size_t i = 0; i < program->text_count; i++)
        if (program->texts[i].file == source.file)
            text = program->texts[i].text;
    char message[512];
    vsnprintf(message, sizeof message, format, args);
    if (!*text) /* a tree made by hand */
        return es_fail(err, ES_USAGE, "%s", message);
    return es_lang_fail(err, text, source, length, hint, "%s", message);
}

bool plan_refuse_at(const image_plan *plan, es_source source, size_t length, es_error *err, const char *hint, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    refuse(plan, source, length, err, hint, format, args);
    va_end(args);
    return false;
}

bool plan_refuse(const image_plan *plan, const es_statement *statement, size_t index, es_error *err, const char *hint,
                 const char *format, ...)
{
    const es_expr *found = statement->predicate ? find_reference(statement, statement->predicate, index)
                                                : find_in_event(statement, statement->event, index);
    es_source source = found ? found->source : statement->source;
    size_t length = found ? strlen(statement->references[index].text) : 1;
    for (size_t i = 0; i < statement->action_count && !found; i++) /* something printed */
        if (statement->actions[i].kind == ES_ACTION_PRINT)
            source = statement->actions[i].source, length = 5;
    va_list args;
    va_start(args, format);
    refuse(plan, source, length, err, hint, format, args);
    va_end(args);
    return false;
}

/* Lanes of word number `word` that hold a reference's value. */
static uint8_t lanes_in(const es_reference *reference, unsigned word)
{
    unsigned first = plan_first_bit(reference) / 8, last = (plan_first_bit(reference) + plan_bits(reference) - 1) / 8;
    unsigned lanes = 0;
    for (unsigned byte = first; byte <= last; byte++)
        if (byte / 4 == word)
            lanes |= 1u << byte % 4;
    return (uint8_t)lanes;
}

uint8_t plan_lanes(const es_reference *reference)
{
    return lanes_in(reference, 0);
}

/* The address of the first byte with bits of it, and how many bytes have. */
static uint32_t first_byte(const es_reference *reference)
{
    return reference->address + reference->bit_offset / 8u;
}

static unsigned byte_count(const es_reference *reference)
{
    return (reference->bit_offset % 8u + plan_bits(reference) + 7) / 8;
}

bool plan_large_expr(const es_expr *expr)
{
    if (!expr)
        return false;
    if (expr->type != ES_VALUE_32 || expr->kind == ES_EXPR_CONVERT || (expr->kind == ES_EXPR_BINARY && expr->op >= ES_OP_MUL))
        return true;
    if (expr->kind != ES_EXPR_UNARY && expr->kind != ES_EXPR_BINARY && expr->kind != ES_EXPR_CHOICE)
        return false;
    return plan_large_expr(expr->condition) || plan_large_expr(expr->lhs) ||
           (expr->kind != ES_EXPR_UNARY && plan_large_expr(expr->rhs));
}

bool plan_locks(const image_plan *plan, const plan_write *write)
{
    return write->cover || !plan->statements[write->statement].direct;
}

const plan_frame *plan_frame_of(const image_plan *plan, const es_procedure *procedure)
{
    for (size_t i = 0; i < plan->frame_count; i++)
        if (plan->frames[i].procedure == procedure)
            return &plan->frames[i];
    return NULL;
}

bool plan_same_control(const plan_control *a, const plan_control *b)
{
    return a->procedure == b->procedure && a->leave == b->leave && position_same(a->position, b->position) &&
           paths_same(a->path, b->path);
}

plan_control plan_control_of(const es_expr *expr)
{
    return (plan_control){.procedure = expr->procedure, .position = expr->position, .path = expr->path,
                          .leave = expr->kind == ES_EXPR_LEAVE};
}

plan_control plan_control_at(const es_trigger *trigger)
{
    return (plan_control){.procedure = trigger->procedure, .position = trigger->position, .path = trigger->path,
                          .leave = trigger->kind == ES_TRIGGER_LEAVE};
}

static bool same_word(const es_reference *a, const es_reference *b)
{
    return a->frame == b->frame && !a->via && !b->via && plan_first_word(a) == plan_first_word(b) && !plan_is_large(a) && !plan_is_large(b) &&
           !a->subscript_count && !b->subscript_count;
}

/* --- which events can make a predicate true -------------------------------------------------------------- */

/* The event assumed: a write to a reference, or a control event. */
typedef struct assumption {
    const es_statement *statement;
    const es_reference *written; /* or: */
    const es_reference *read;    /* both NULL: control event */
    plan_control control;
} assumption;

typedef struct plan_truth {
    bool known;
    bool value; /* not 0 */
} plan_truth;

static const plan_truth unknown_truth = {false, false};

/* What is sure about an expression's truth from the event alone. */
static plan_truth judge(const es_expr *expr, const assumption *event)
{
    plan_truth left, right;
    if (expr->type != ES_VALUE_32)
        return unknown_truth;
    switch (expr->kind) {
    case ES_EXPR_CONST:
        return (plan_truth){true, expr->value != 0};
    case ES_EXPR_ENTER:
    case ES_EXPR_LEAVE:
    case ES_EXPR_AT: {
        const plan_control control = plan_control_of(expr), *now = &event->control;
        if (event->written || event->read)
            return (plan_truth){true, false};
        if (now->procedure != control.procedure || now->leave != control.leave || !position_same(now->position, control.position))
            return position_may_coincide(now, &control) ? unknown_truth : (plan_truth){true, false};
        /* another path may denote the same activation */
        return !expr->path || paths_same(now->path, expr->path) ? (plan_truth){true, true} : unknown_truth;
    }
    case ES_EXPR_WRITE:
        if (!event->written)
            return (plan_truth){true, false};
        if (event->written == &event->statement->references[expr->index] && !event->written->subscript_count)
            return (plan_truth){true, true};
        /* one store can write several variables of a word, and the last part of one that lies across words */
        if (event->written->subscript_count || event->statement->references[expr->index].subscript_count ||
            event->written->via || event->statement->references[expr->index].via ||
            plan_is_large(event->written) || plan_is_large(&event->statement->references[expr->index]))
            return unknown_truth;
        return same_word(event->written, &event->statement->references[expr->index]) ? unknown_truth :
            (plan_truth){true, false};
    case ES_EXPR_READ:
        if (!event->read)
            return (plan_truth){true, false};
        /* one load can read several variables of a word */
        return event->read == &event->statement->references[expr->index] ? (plan_truth){true, true} : unknown_truth;
    case ES_EXPR_UNARY:
        left = judge(expr->lhs, event);
        return expr->op == ES_OP_LOGNOT && left.known ? (plan_truth){true, !left.value} : unknown_truth;
    case ES_EXPR_BINARY:
        if (expr->op != ES_OP_LOGAND && expr->op != ES_OP_LOGOR)
            return unknown_truth;
        left = judge(expr->lhs, event);
        right = judge(expr->rhs, event);
        if (expr->op == ES_OP_LOGAND) {
            if ((left.known && !left.value) || (right.known && !right.value))
                return (plan_truth){true, false};
        } else if ((left.known && left.value) || (right.known && right.value)) {
            return (plan_truth){true, true};
        }
        return left.known && right.known ? right : unknown_truth;
    default:
        return unknown_truth;
    }
}

static bool can_be_true(const es_expr *predicate, const assumption *event)
{
    plan_truth truth = judge(predicate, event);
    return !truth.known || truth.value;
}

/* --- walking expressions --------------------------------------------------------------------------------- */

typedef struct plan_uses {
    bool *write, *old, *age, *read; /* by reference */
    bool *named; /* its writes are events, as it stands not just in read() */
    bool reads;
    plan_control *controls;
    size_t control_count;
    bool too_deep;
    bool unchanged;    /* `unchanged for` */
    bool substates; /* conditions on paths */
} plan_uses;

static void use_control(plan_uses *uses, es_arena *arena, const plan_control *control)
{
    for (size_t i = 0; i < uses->control_count; i++)
        if (plan_same_control(&uses->controls[i], control))
            return;
    uses->controls = es_arena_grow(arena, uses->controls, uses->control_count, sizeof *uses->controls);
    uses->controls[uses->control_count++] = *control;
}

/* Events that expressions do not name: where a path begins, when a condition consists of paths. */
static void find_triggers(const es_event_tree *event, es_arena *arena, plan_uses *uses)
{
    if (event->kind != ES_EVENT_WHEN) {
        find_triggers(event->first, arena, uses);
        find_triggers(event->second, arena, uses);
        return;
    }
    const es_condition *condition = event->condition;
    for (size_t i = 0; i < condition->trigger_count; i++) {
        const es_trigger *trigger = &condition->triggers[i];
        plan_control control = plan_control_at(trigger);
        if (trigger->kind == ES_TRIGGER_ENTER)
            use_control(uses, arena, &control);
    }
}

static void find_uses(const es_expr *expr, unsigned depth, es_arena *arena, plan_uses *uses)
{
    if (!expr || uses->too_deep)
        return;
    if (depth > DEPTH_MAX) {
        uses->too_deep = true;
        return;
    }
    if (expr->kind == ES_EXPR_WRITE || expr->kind == ES_EXPR_REFERENCE || expr->kind == ES_EXPR_OLD || expr->kind == ES_EXPR_AGE)
        uses->named[expr->index] = true;
    if (expr->kind == ES_EXPR_WRITE)
        uses->write[expr->index] = true;
    else if (expr->kind == ES_EXPR_READ)
        uses->read[expr->index] = uses->reads = true;
    else if (expr->kind == ES_EXPR_OLD)
        uses->old[expr->index] = true;
    else if (expr->kind == ES_EXPR_AGE)
        uses->age[expr->index] = true;
    else if (expr->kind == ES_EXPR_UNCHANGED)
        uses->unchanged = true;
    else if (expr->kind == ES_EXPR_ENTER || expr->kind == ES_EXPR_LEAVE || expr->kind == ES_EXPR_AT) {
        plan_control control = plan_control_of(expr);
        use_control(uses, arena, &control);
    } else if (expr->kind == ES_EXPR_ACTIVE) {
        uses->substates = true;
    } else if (expr->kind == ES_EXPR_UNARY || expr->kind == ES_EXPR_BINARY || expr->kind == ES_EXPR_CONVERT ||
               expr->kind == ES_EXPR_CHOICE) {
        find_uses(expr->condition, depth + 1, arena, uses);
        find_uses(expr->lhs, depth + 1, arena, uses);
        find_uses(expr->rhs, depth + 1, arena, uses);
    }
}

/* Of all conditions. */
static void find_event_uses(const es_event_tree *event, es_arena *arena, plan_uses *uses)
{
    if (event->kind == ES_EVENT_WHEN) {
        find_uses(event->condition->expr, 0, arena, uses);
        return;
    }
    find_event_uses(event->first, arena, uses);
    find_event_uses(event->second, arena, uses);
}

/* --- one statement --------------------------------------------------------------------------------------- */

static bool check_places(const es_statement *statement, const es_probe_limits *limits, es_error *err)
{
    for (size_t i = 0; i < statement->reference_count; i++) {
        const es_reference *reference = &statement->references[i];
        if (reference->frame || reference->via)
            continue;
        es_reference last = element_at(reference, element_count(reference) - 1);
        uint32_t offset = last.address - limits->window_base;
        if (offset >= limits->window_size || reference->size > limits->window_size - offset)
            return plan_fail(statement, err, "%s at 0x%08x lies outside of the probe's phantom memory (0x%08x to "
                             "0x%08x)", reference->text,
                             (unsigned)reference->address, (unsigned)limits->window_base,
                             (unsigned)(limits->window_base + limits->window_size - 1));
    }
    return true;
}

static void add_frame(image_plan *plan, const es_reference *reference)
{
    if (!reference->frame)
        return;
    size_t k = 0;
    while (k < plan->frame_count && plan->frames[k].procedure != reference->frame)
        k++;
    if (k == plan->frame_count) {
        plan->frames = es_arena_grow(plan->arena, plan->frames, plan->frame_count, sizeof *plan->frames);
        plan->frames[plan->frame_count++] = (plan_frame){.procedure = reference->frame, .path = reference->path,
                                                          .moves = moving_why(plan, reference->frame) != NULL};
        if (plan->frames[k].moves)
            plan->frames[k].slot = slots_add(plan);
    }
    plan_frame *frame = &plan->frames[k];
    frame->anywhere |= !reference->path;
    if (!paths_same(frame->path, reference->path))
        frame->path = NULL;
    if (reference->path) {
        paths_ask(plan, reference->path, AUTOMATON_DENOTES | AUTOMATON_EXISTS);
        plan->paths[paths_find(plan, reference->path)].refers = true;
    }
}

void plan_add_frames(image_plan *plan, const es_statement *statement)
{
    for (size_t i = 0; i < statement->reference_count; i++)
        add_frame(plan, &statement->references[i]);
    for (size_t k = 0; k < es_image_snapshot_count(statement); k++)
        add_frame(plan, &es_image_snapshot(statement, k)->place);
}

/* What substates ask of their paths. */
static void ask_in(image_plan *plan, const es_expr *expr)
{
    if (!expr)
        return;
    if (expr->kind == ES_EXPR_ACTIVE)
        paths_ask(plan, expr->path, expr->exact ? AUTOMATON_DENOTES : AUTOMATON_EXISTS);
    ask_in(plan, expr->condition);
    ask_in(plan, expr->lhs);
    ask_in(plan, expr->rhs);
}

static void ask_in_event(image_plan *plan, const es_event_tree *event)
{
    if (event->kind == ES_EVENT_WHEN) {
        ask_in(plan, event->condition->expr);
        return;
    }
    ask_in_event(plan, event->first);
    ask_in_event(plan, event->second);
}

static void ask_substates(image_plan *plan, const es_statement *statement)
{
    if (statement->predicate)
        ask_in(plan, statement->predicate);
    else
        ask_in_event(plan, statement->event);
}

/* All in the same lanes of one word: the write that completes one of them makes every byte known, whatever else of
 * the word is not. */
static bool is_direct(const es_statement *statement, size_t controls)
{
    if (controls || statement->reference_count == 0 || es_image_snapshot_count(statement) || plan_is_large(&statement->references[0]) || statement->references[0].via ||
        statement->references[0].subscript_count)
        return false;
    for (size_t i = 1; i < statement->reference_count; i++)
        if (!same_word(&statement->references[0], &statement->references[i]) ||
            plan_lanes(&statement->references[0]) != plan_lanes(&statement->references[i]))
            return false;
    return true;
}

static bool in_one_frame(const es_statement *statement)
{
    for (size_t i = 0; i < statement->reference_count; i++)
        if (!statement->references[i].frame || statement->references[i].frame != statement->references[0].frame)
            return false;
    return true;
}

static void add_write(image_plan *plan, const plan_write *write)
{
    plan->writes = es_arena_grow(plan->arena, plan->writes, plan->write_count, sizeof *plan->writes);
    plan->writes[plan->write_count++] = *write;
}

const plan_age *plan_age_of(const image_plan *plan, const es_reference *reference)
{
    for (size_t i = 0; i < plan->age_count; i++)
        if (plan->ages[i].reference->frame == reference->frame && first_byte(plan->ages[i].reference) == first_byte(reference) &&
            byte_count(plan->ages[i].reference) == byte_count(reference))
            return &plan->ages[i];
    return NULL;
}

/* What plan_write.slot is for a procedure's locals. */
static uint16_t slot_of(const image_plan *plan, const es_procedure *procedure)
{
    const plan_frame *frame = procedure ? plan_frame_of(plan, procedure) : NULL;
    return (uint16_t)(frame && frame->moves ? frame->slot + 1 : 0);
}

void plan_add_writes(image_plan *plan, plan_write write, const es_reference *reference)
{
    bool by_bytes = (write.pointer && (plan->pointers[write.pointer - 1].align < 4 || write.old) && byte_count(reference) > 1) ||
                    (plan_is_large(reference) && write.old);
    if (plan_words(reference) > 1 || by_bytes) {
        write.start = first_byte(reference);
        write.bytes = (uint8_t)byte_count(reference);
    }
    if (!write.slot)
        write.slot = slot_of(plan, write.frame);
    for (unsigned word = 0; word < plan_words(reference); word++) {
        write.word = plan_first_word(reference) + 4 * word;
        write.lanes = lanes_in(reference, word);
        add_write(plan, &write);
    }
}

/* One event of a procedure may be several of the statement's, told apart by paths: all of them count or none. */
static bool control_matters(const plan_statement *planned, const plan_uses *uses, const plan_control *control)
{
    const es_statement *statement = planned->statement;
    const struct compound_event *compound = planned->compound;
    for (size_t i = 0; i < uses->control_count; i++) {
        const plan_control *other = &uses->controls[i];
        assumption event = {.statement = statement, .control = *other};
        bool same = other->procedure == control->procedure && other->leave == control->leave &&
                    position_same(other->position, control->position);
        if ((same || position_may_coincide(other, control)) &&
            (compound ? compound_has_control(compound, other) : can_be_true(statement->predicate, &event)))
            return true;
    }
    return false;
}

static void plan_controls(image_plan *plan, size_t number, const plan_uses *uses, int first_bit, uint16_t others)
{
    for (size_t i = 0; i < uses->control_count; i++) {
        plan_control control = uses->controls[i];
        if (!control_matters(&plan->statements[number], uses, &control))
            continue;
        if (control.path)
            paths_ask(plan, control.path, AUTOMATON_DENOTES);
        control.statement = number;
        control.events = (uint16_t)(1u << (first_bit + (int)i) | others);
        plan->controls = es_arena_grow(plan->arena, plan->controls, plan->control_count, sizeof *plan->controls);
        plan->controls[plan->control_count++] = control;
    }
}

static void add_age(image_plan *plan, const es_statement *statement, const es_reference *reference)
{
    if (plan_age_of(plan, reference))
        return;
    size_t number = plan->program->statement_count + plan->age_count;
    plan->ages = es_arena_grow(plan->arena, plan->ages, plan->age_count, sizeof *plan->ages);
    plan->ages[plan->age_count++] = (plan_age){.reference = reference};
    plan->statements[number] = (plan_statement){.statement = statement, .direct = true};
    plan_add_writes(plan, (plan_write){.statement = number, .frame = reference->frame}, reference);
}

static bool plan_one(image_plan *plan, size_t number, const es_probe_limits *limits, es_error *err)
{
    const es_statement *statement = &plan->program->statements[number];
    plan_statement *out = &plan->statements[number];
    size_t count = statement->reference_count;
    out->statement = statement;
    out->write_bit = es_arena_alloc(plan->arena, count + 1);
    out->old_bit = es_arena_alloc(plan->arena, count + 1);
    memset(out->write_bit, -1, count + 1);
    memset(out->old_bit, -1, count + 1);
    out->read_bit = es_arena_alloc(plan->arena, count + 1);
    memset(out->read_bit, -1, count + 1);
    plan_uses uses = {.write = es_arena_alloc(plan->arena, count + 1), .old = es_arena_alloc(plan->arena, count + 1),
                      .age = es_arena_alloc(plan->arena, count + 1), .read = es_arena_alloc(plan->arena, count + 1),
                      .named = es_arena_alloc(plan->arena, count + 1)};
    if (compound_is(statement)) {
        if (!compound_plan(plan, out, limits->bus_hz, err))
            return false;
        find_event_uses(statement->event, plan->arena, &uses);
        for (size_t i = 0; i < statement->predicate_count; i++) /* they tell which conditions an event concerns */
            uses.write[i] |= compound_has_write(out->compound, i);
    } else {
        find_uses(holds_is(statement) ? statement->event->condition->expr : statement->predicate, 0, plan->arena, &uses);
    }
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < statement->references[i].subscript_count; k++)
            find_uses(statement->references[i].subscripts[k].index, 0, plan->arena, &uses);
    if (statement->event)
        find_triggers(statement->event, plan->arena, &uses);
    if (uses.too_deep)
        return plan_fail(statement, err, "the predicate has more than %d nested operations: split it into several "
                         "statements", DEPTH_MAX);
    for (size_t a = 0; a < statement->action_count; a++)
        if (statement->actions[a].kind == ES_ACTION_PRINT)
            for (size_t i = 0; i < statement->actions[a].item_count; i++)
                if (statement->actions[a].items[i].kind == ES_ITEM_VALUE)
                    uses.old[statement->actions[a].items[i].index] |= statement->actions[a].items[i].old;
    for (size_t k = 0, items = es_image_value_count(statement); k < items; k++)
        if (es_image_value(statement, k)->kind == ES_ITEM_AGE)
            uses.age[es_image_value(statement, k)->index] = true;
    for (size_t i = 0; i < count; i++)
        if (!element_check(statement, &statement->references[i], uses.old[i] || uses.age[i], out->compound != NULL, err))
            return false;
    if (!check_places(statement, limits, err) || !snapshot_check(plan, statement, limits, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (uses.read[i] && !reads_check(plan, statement, i, uses.unchanged, err))
            return false;
    if (uses.unchanged || holds_is(statement))
        return deadline_plan(plan, number, !uses.substates && memchr(uses.age, 1, count) == NULL, limits->bus_hz, err);
    plan_add_frames(plan, statement);
    for (size_t i = 0; i < count; i++)
        if (uses.age[i])
            add_age(plan, statement, &statement->references[i]);
    if (!pointers_plan(plan, number, uses.old, uses.age, err))
        return false;
    if (uses.substates)
        ask_substates(plan, statement);
    out->asks_paths = uses.substates;
    for (size_t i = 0; i < count; i++)
        out->asks_paths |= statement->references[i].path != NULL;
    for (size_t k = 0; k < es_image_snapshot_count(statement); k++)
        out->asks_paths |= es_image_snapshot(statement, k)->place.path != NULL;
    for (size_t i = 0; i < uses.control_count; i++)
        out->asks_paths |= uses.controls[i].path != NULL;
    out->direct = !out->compound && !uses.reads && is_direct(statement, uses.control_count);
    out->needs_known = !out->direct;
    for (size_t i = 0; i < count; i++)
        out->needs_known |= uses.old[i];

    int bits = 0;
    for (size_t i = 0; i < count && !out->direct; i++)
        if (uses.old[i])
            out->old_bit[i] = (int8_t)(bits++ & 0x7F);
    bool elements = false;
    for (size_t i = 0; i < statement->predicate_count; i++)
        elements |= statement->references[i].subscript_count > 0;
    for (size_t i = 0; i < statement->predicate_count; i++)
        if (uses.write[i] || statement->references[i].subscript_count)
            out->write_bit[i] = (int8_t)(bits++ & 0x7F);
    for (size_t i = 0; i < count; i++)
        if (uses.read[i])
            out->read_bit[i] = (int8_t)(bits++ & 0x7F);
    int control_bits = bits;
    bits += (int)uses.control_count;
    uint32_t others = elements ? 1u << bits++ : 0; /* told at all events but writes to what may be another element */
    out->has_events = bits > 0;
    out->has_controls = uses.control_count > 0;
    out->own_frame = !out->has_controls && !uses.reads && in_one_frame(statement);
    if (bits > (int)ES_MI_EVENTS_MAX)
        return plan_fail(statement, err, "it tells %d events apart with write(), read(), enter(), leave() and old(); at "
                         "most %u are possible: "
                         "split it into several statements", bits, ES_MI_EVENTS_MAX);

    for (size_t i = 0; i < statement->predicate_count; i++) {
        const es_reference *reference = &statement->references[i];
        assumption event = {.statement = statement, .written = reference};
        if (out->compound ? !compound_has_write(out->compound, i) : !can_be_true(statement->predicate, &event))
            continue;
        if (uses.read[i] && !uses.named[i])
            continue;
        plan_write write = {.statement = number, .frame = reference->frame};
        for (size_t k = 0; k < count; k++) {
            const es_reference *other = &statement->references[k];
            bool same = plan_is_large(reference)
                            ? plan_is_large(other) && other->frame == reference->frame && first_byte(other) == first_byte(reference) &&
                                  byte_count(other) == byte_count(reference)
                            : same_word(reference, other);
            if (!uses.old[k] || !(reference->via || other->via ? i == k : same))
                continue;
            write.old = true;
            if (out->old_bit[k] >= 0)
                write.events |= (uint16_t)(1u << out->old_bit[k]);
        }
        if (out->write_bit[i] >= 0)
            write.events |= (uint16_t)(1u << out->write_bit[i]);
        if (!reference->subscript_count)
            write.events |= (uint16_t)others;
        if (reference->via)
            pointers_add_writes(plan, write, reference, out->pointers[i] - 1u);
        for (size_t n = reference->via ? 0 : element_count(reference); n-- > 0;) {
            es_reference element = element_at(reference, n);
            plan_add_writes(plan, write, &element);
        }
    }
    for (size_t i = 0; i < count; i++) {
        assumption event = {.statement = statement, .read = &statement->references[i]};
        if (uses.read[i] && (out->compound ? compound_has_read(out->compound, i) : can_be_true(statement->predicate, &event)))
            reads_add(plan, number, &statement->references[i], (uint16_t)(1u << out->read_bit[i] | others));
    }
    plan_controls(plan, number, &uses, control_bits, (uint16_t)others);
    return true;
}

/* --- all statements -------------------------------------------------------------------------------------- */

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
    if (a->early != b->early)
        return a->early ? -1 : 1;
    if (a->statement != b->statement)
        return a->statement < b->statement ? -1 : 1;
    if (a->lanes != b->lanes)
        return (int)a->lanes - (int)b->lanes;
    if (a->bytes != b->bytes)
        return (int)a->bytes - (int)b->bytes;
    return a->start == b->start ? 0 : a->start < b->start ? -1 : 1;
}

static bool same_place(const plan_write *a, const plan_write *b)
{
    return plan_same_word(a, b) && a->cover == b->cover && a->statement == b->statement && plan_same_bytes(a, b);
}

/* The words of a local, as what covers would have. */
static void note_local(const image_plan *plan, plan_write **locals, size_t *count, size_t statement, const es_procedure *frame,
                       const es_reference *reference)
{
    for (size_t n = element_count(reference); n-- > 0;) {
        es_reference element = element_at(reference, n);
        for (unsigned word = 0; word < plan_words(&element); word++) {
            *locals = es_arena_grow(plan->arena, *locals, *count, sizeof **locals);
            (*locals)[(*count)++] = (plan_write){.statement = statement, .cover = true, .frame = frame, .slot = slot_of(plan, frame),
                                                 .word = plan_first_word(&element) + 4 * word, .lanes = lanes_in(&element, word)};
        }
    }
}

/* Hardware knows a stack word once it was written as a whole. Where no referenced local fills its word, the bytes
 * beside the locals may never be written: such a word gets a cover, when a statement needs it to be known. */
static void add_covers(image_plan *plan)
{
    plan_write *locals = NULL;
    size_t count = 0;
    for (size_t s = 0; s < plan->program->statement_count; s++) {
        const es_statement *statement = &plan->program->statements[s];
        for (size_t i = 0; i < statement->reference_count; i++) {
            const es_reference *reference = &statement->references[i];
            if (!reference->frame)
                continue;
            for (size_t k = 0; k < plan->frame_count; k++) /* several, when they move */
                if (plan->frames[k].procedure->low == reference->frame->low)
                    note_local(plan, &locals, &count, s, plan->frames[k].procedure, reference);
        }
    }
    if (count)
        qsort(locals, count, sizeof *locals, compare_writes);
    for (size_t i = 0; i < count;) {
        plan_write cover = locals[i];
        bool filled = false, needed = false;
        for (; i < count && locals[i].frame == cover.frame && locals[i].word == cover.word; i++) {
            filled |= locals[i].lanes == 15;
            needed |= plan->statements[locals[i].statement].needs_known;
            cover.lanes |= locals[i].lanes;
        }
        if (needed && !filled)
            add_write(plan, &cover);
    }
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

/* Bits for sets of several lanes, beside the lanes in HIT_FLAGS. Lanes of a variable are neighbours, so there are no more
 * sets than these: 01 12 23 012 123 0123; what lies across words takes from the same bits. */
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
            return plan_fail(plan->statements[write->statement].statement, err, "the word at 0x%08x holds parts of more than %zu "
                             "variables that lie across words: watch fewer of them", (unsigned)write->word, sets);
        else
            write->bit = (uint16_t)(1u << set_bits[sets++]);
    }
    return true;
}

const plan_write *plan_first_part(const image_plan *plan, const es_reference *reference, size_t pointer)
{
    for (size_t i = 0; i < plan->write_count; i++) {
        const plan_write *write = &plan->writes[i];
        if (write->cover || write->pointer != pointer || write->frame != reference->frame)
            continue;
        if (pointer || plan_is_large(reference) ? write->start == first_byte(reference) && write->bytes == byte_count(reference)
                                     : !write->bytes && write->word == (reference->address & ~3u) &&
                                           write->lanes == plan_lanes(reference))
            return write->first ? write : NULL;
    }
    return NULL;
}

static uint32_t in_words(uint32_t bytes)
{
    return (bytes + 3) / 4;
}

/* Pending bytes of a frame's variables or covers, of what a pointer (1 + its number) points to, or of static variables, from `at`
 * on. Returns their number. */
static uint32_t place_pending(image_plan *plan, const es_procedure *frame, size_t pointer, bool covers, uint32_t at)
{
    uint32_t count = 0;
    for (size_t i = 0; i < plan->write_count; i++) {
        plan_write *write = &plan->writes[i];
        if (write->frame == frame && write->pointer == pointer && write->cover == covers && plan_in_parts(write) && variable(plan, i) == write)
            write->pending = at + count++;
    }
    return count;
}

/* RAM behind the counters: cells, covers, what was there before first parts, pending bytes. */
static void place_ram(image_plan *plan)
{
    plan->unknown = 4 * (uint32_t)(plan->program->counter_count + plan->program->statement_count);
    plan->incomplete = plan->unknown + 4;
    uint32_t at = slots_place(plan, pointers_place(plan, plan->incomplete + 4));
    at = compound_place(plan, element_place(plan, actions_place(plan, at)));
    for (size_t i = 0; i < plan->age_count; i++, at += PLAN_AGE_BYTES)
        plan->ages[i].record = at;
    at = deadline_place(plan, at);
    for (size_t i = 0; i < plan->frame_count; i++) {
        plan_frame *frame = &plan->frames[i];
        frame->cell = frame->moves ? plan->slots[frame->slot].state : at;
        frame->meant = at;
        at += frame->moves ? moving_ram(plan, frame) : 4;
    }
    at = tasks_place(plan, at);
    for (size_t i = 0; i < plan->write_count; i++) {
        plan_write *first = variable(plan, i);
        if (plan->writes[i].old && plan_in_parts(first) && !first->first) {
            first->first = at;
            at += !first->bytes ? 8 : 8 * (((first->pointer ? 3 : first->start % 4) + first->bytes + 3) / 4);
        }
    }
    for (size_t i = 0; i < plan->frame_count; i++) {
        plan_frame *frame = &plan->frames[i];
        frame->covers = at;
        frame->cover_words = in_words(place_pending(plan, frame->procedure, 0, true, at));
        at += 4 * frame->cover_words;
    }
    plan->pending = at;
    for (size_t i = 0; i < plan->frame_count; i++) {
        plan_frame *frame = &plan->frames[i];
        frame->pending = at;
        frame->pending_words = in_words(place_pending(plan, frame->procedure, 0, false, at));
        at += 4 * frame->pending_words;
    }
    for (size_t i = 0; i < plan->pointer_count; i++) {
        plan->pointers[i].pending = at;
        plan->pointers[i].pending_words = in_words(place_pending(plan, NULL, i + 1, false, at));
        at += 4 * plan->pointers[i].pending_words;
    }
    at += 4 * in_words(place_pending(plan, NULL, 0, false, at));
    plan->pending_words = (at - plan->pending) / 4;
    plan->ram_size = at;
    for (size_t i = 0; i < plan->write_count; i++) {
        const plan_write *first = variable(plan, i);
        plan->writes[i].pending = first->pending;
        plan->writes[i].first = first->first;
    }
}

/* Sorts writes by place and joins those that always fire together. */
static bool settle_writes(image_plan *plan, es_error *err)
{
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
    place_ram(plan);
    return true;
}

bool plan_make(image_plan *plan, es_arena *arena, const es_symbols *symbols, const es_program *program, const es_probe_limits *limits,
               uint16_t task_places, es_error *err)
{
    *plan = (struct image_plan){.arena = arena, .program = program, .tells_times = limits->times, .task_places = task_places};
    if (program->statement_count > 0xFFFF)
        return es_fail(err, ES_USAGE, "%zu statements: at most 65535 are possible", program->statement_count);
    moving_find(plan, symbols, limits);
    program = plan->program;
    size_t entries = 2 * program->statement_count + 2; /* at most a deadline for each statement, an age for each reference, the task */
    for (size_t i = 0; i < program->statement_count; i++)
        entries += 2 * program->statements[i].reference_count; /* ... and a pointer */
    plan->statements = es_arena_alloc(arena, entries * sizeof *plan->statements);
    for (size_t i = 0; i < program->statement_count; i++)
        if (!plan_one(plan, i, limits, err))
            return false;
    deadline_add_notes(plan, program->statement_count + plan->age_count);
    pointers_add_notes(plan, program->statement_count + plan->age_count + plan->deadline_count);
    if (!tasks_plan(plan, limits, err))
        return false;
    add_covers(plan);
    reads_settle(plan);
    if (!moving_check(plan, symbols, limits, err))
        return false;
    return settle_writes(plan, err);
}
