#include "image/plan/plan.h"

#include <string.h>

#include "image/image.h"
#include "image/paths/automaton.h"
#include "image/plan/arrange.h"
#include "image/plan/begins.h"
#include "image/plan/compound.h"
#include "image/plan/cover.h"
#include "image/plan/deadline.h"
#include "image/plan/element.h"
#include "image/plan/frames.h"
#include "image/plan/holds.h"
#include "image/plan/indexed.h"
#include "image/plan/lives.h"
#include "image/plan/moving.h"
#include "image/plan/order.h"
#include "image/plan/paths.h"
#include "image/plan/plan_private.h"
#include "image/plan/pointers.h"
#include "image/plan/position.h"
#include "image/plan/proven.h"
#include "image/plan/reads.h"
#include "image/plan/refuse.h"
#include "image/plan/snapshot.h"
#include "image/plan/tasks.h"
#include "image/plan/triggers.h"
#include "image/plan/writes.h"
#include "image/plan/written.h"
#include "lang/statement.h"
#include "symbols/allocator.h"

static bool check_places(const image_plan *plan, const es_statement *statement, const es_probe_limits *limits,
                         es_error *err)
{
    for (size_t i = 0; i < statement->reference_count; i++) {
        const es_reference *reference = &statement->references[i];
        if (reference->frame || reference->via)
            continue;
        es_reference last = es_element_at(reference, es_element_count(reference) - 1);
        uint32_t offset = last.address - limits->window_base;
        if (offset >= limits->window_size || reference->size > limits->window_size - offset)
            return es_plan_refuse(plan, statement, i, err, NULL,
                                  "%s at 0x%08x lies outside of the probe's phantom memory (0x%08x to "
                                  "0x%08x)",
                                  reference->text, (unsigned)reference->address, (unsigned)limits->window_base,
                                  (unsigned)(limits->window_base + limits->window_size - 1));
    }
    return true;
}

/* What substates ask of their paths. */
static bool ask_of_path(void *context, const es_expr *expr)
{
    if (expr->kind == ES_EXPR_ACTIVE)
        es_paths_ask(context, expr->path, expr->exact ? AUTOMATON_DENOTES : AUTOMATON_EXISTS);
    return false;
}

/* All in the same lanes of one word: the write that completes one of them makes every byte known, whatever else of
 * the word is not. */
static bool is_direct(const es_statement *statement, size_t controls)
{
    if (controls || statement->reference_count == 0 || statement->area_count || es_image_snapshot_count(statement) ||
        plan_is_large(&statement->references[0]) || statement->references[0].via ||
        statement->references[0].subscript_count)
        return false;
    for (size_t i = 1; i < statement->reference_count; i++)
        if (!plan_in_same_word(&statement->references[0], &statement->references[i]) ||
            es_plan_lanes(&statement->references[0]) != es_plan_lanes(&statement->references[i]))
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

/* One event of a procedure may be several of the statement's, told apart by paths: all of them count or none. */
static bool control_matters(const plan_statement *planned, const plan_uses *uses, const plan_control *control)
{
    const es_statement *statement = planned->statement;
    const struct compound_event *compound = planned->compound;
    for (size_t i = 0; i < uses->control_count; i++) {
        const plan_control *other = &uses->controls[i];
        plan_assumption event = {.statement = statement, .control = *other};
        bool same = other->procedure == control->procedure && other->leave == control->leave &&
                    es_position_same(other->position, control->position);
        if ((same || es_position_may_coincide(other, control)) &&
            (compound ? es_compound_has_control(compound, other) : es_plan_can_be_true(statement->predicate, &event)))
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
            es_paths_ask(plan, control.path, AUTOMATON_DENOTES);
        control.handler = number;
        control.events = (uint16_t)(1u << (first_bit + (int)i) | others);
        plan->controls = es_arena_grow(plan->arena, plan->controls, plan->control_count, sizeof *plan->controls);
        plan->controls[plan->control_count++] = control;
    }
}

/* What a variable's place holds is another's from the first byte on that is written for that. */
static void add_bytes(image_plan *plan, size_t handler, const es_reference *reference)
{
    plan_write write = {.handler = handler, .frame = reference->frame, .events = PLAN_AGE_SOME};
    write.slot = es_plan_slot_of(plan, write.frame);
    write.word = plan_first_word(reference);
    for (unsigned lane = 0; lane < 4; lane++) {
        write.lanes = (uint8_t)(es_plan_lanes(reference) & 1u << lane);
        if (write.lanes)
            es_plan_add_write(plan, &write);
    }
}

static void add_age(image_plan *plan, const plan_statement *of, size_t index, bool old)
{
    const es_statement *statement = of->statement;
    const es_reference *reference = &statement->references[index];
    const plan_age *known = es_plan_age_of(plan, of, index);
    size_t number = known ? (size_t)(known - plan->ages) : plan->age_count;
    if (!known) {
        plan_handler handler = {PLAN_AGE, number, (size_t)(of - plan->statements), false, false, 0};
        plan_write write = {.handler = es_plan_add_handler(plan, handler), .events = PLAN_AGE_WHOLE};
        plan->ages = es_arena_grow(plan->arena, plan->ages, plan->age_count, sizeof *plan->ages);
        plan->ages[plan->age_count++] =
            (plan_age){.reference = reference, .pointer = plan_pointer_of(of, index), .handler = write.handler};
        if (reference->via)
            es_pointers_add_writes(plan, write, reference, plan_pointer_of(of, index) - 1);
        else
            write.frame = reference->frame, es_plan_add_writes(plan, write, reference);
    }
    if (old && !plan->ages[number].stays) {
        plan->ages[number].stays = plan->handlers[plan->ages[number].handler].has_events = true;
        add_bytes(plan, plan->ages[number].handler, reference);
    }
}

static int8_t *no_bits(image_plan *plan, size_t count)
{
    int8_t *bits = es_arena_alloc(plan->arena, count + 1);
    memset(bits, -1, count + 1);
    return bits;
}

static bool *no_marks(image_plan *plan, size_t count)
{
    return es_arena_alloc(plan->arena, count + 1);
}

/* What is on the way to a reference stands before it: its writes are events where that's are. */
static void find_uses_on_the_way(image_plan *plan, size_t number, plan_uses *uses)
{
    const es_statement *statement = &plan->program->statements[number];
    size_t count = statement->reference_count;
    bool *named = uses->named, *elsewhere = no_marks(plan, count);
    for (size_t i = count; i-- > 0;) {
        const es_reference *reference = &statement->references[i];
        bool event = i < statement->predicate_count && named[i];
        uses->named = event ? named : elsewhere;
        for (size_t k = 0; k < reference->subscript_count; k++)
            es_plan_find_uses(reference->subscripts[k].index, plan->arena, uses);
        es_indexed_uses(plan, number, i, uses);
        if (event && reference->via)
            named[reference->base] = true;
    }
    uses->named = elsewhere;
    for (size_t k = 0; k < es_image_snapshot_count(statement); k++) {
        const es_reference *place = &es_image_snapshot(statement, k)->place;
        for (size_t i = 0; i < place->subscript_count; i++)
            es_plan_find_uses(place->subscripts[i].index, plan->arena, uses);
    }
    uses->named = named;
}

static void find_uses_of_actions(const es_statement *statement, plan_uses *uses)
{
    for (size_t k = 0; k < es_image_value_count(statement); k++) {
        const es_print_item *item = es_image_value(statement, k);
        if (item->kind == ES_ITEM_VALUE)
            uses->old[item->index] |= item->old;
        else if (item->kind == ES_ITEM_AGE)
            uses->age[item->index] = true;
    }
}

/* Finds what a statement names; makes the plan of its compound event, if it is one. */
static bool find_uses(image_plan *plan, size_t number, const es_probe_limits *limits, plan_uses *uses, es_error *err)
{
    plan_statement *out = &plan->statements[number];
    const es_statement *statement = out->statement;
    size_t count = statement->reference_count;
    *uses = (plan_uses){.statement = statement,
                        .write = no_marks(plan, count),
                        .old = no_marks(plan, count),
                        .age = no_marks(plan, count),
                        .read = no_marks(plan, count),
                        .named = no_marks(plan, count),
                        .write_any = no_marks(plan, statement->area_count),
                        .read_any = no_marks(plan, statement->area_count),
                        .read_member = no_marks(plan, count)};
    if (es_compound_is(statement)) {
        if (!es_compound_plan(plan, out, limits->bus_hz, err))
            return false;
        es_plan_find_event_uses(statement->event, plan->arena, uses);
        for (size_t i = 0; i < statement->predicate_count; i++) /* they tell which conditions an event concerns */
            uses->write[i] |= es_compound_tells_write(out->compound, statement, i);
    } else {
        es_plan_find_uses(es_holds_is(statement) ? statement->event->condition->expr : statement->predicate,
                          plan->arena, uses);
    }
    find_uses_on_the_way(plan, number, uses);
    if (statement->event)
        es_plan_find_triggers(statement->event, plan->arena, uses);
    for (size_t i = 0; i < uses->control_count; i++)
        es_begins_settle(plan, statement, &uses->controls[i]);
    if (uses->too_deep)
        return es_plan_fail(plan, statement, err,
                            "the predicate has more than %d nested operations: split it into several statements",
                            PLAN_DEPTH_MAX);
    find_uses_of_actions(statement, uses);
    return true;
}

/* Whether a statement is a single condition that occurs at its deadline. */
static bool has_deadline(const plan_statement *of, const plan_uses *uses)
{
    return !of->compound && (uses->unchanged || es_holds_is(of->statement));
}

static bool check(image_plan *plan, size_t number, const es_probe_limits *limits, plan_uses *uses, es_error *err)
{
    plan_statement *out = &plan->statements[number];
    const es_statement *statement = out->statement;
    size_t count = statement->reference_count;
    bool deadline = has_deadline(out, uses), waits = out->compound && out->compound->deadlines;
    if (deadline && !es_deadline_check(plan, statement, err))
        return false;
    out->olds = uses->old;
    if (deadline) /* nothing is written then: what was before is what is */
        memset(uses->old, 0, count);
    for (size_t i = 0; i < count; i++)
        if (!es_element_check(plan, statement, i, deadline || waits, err))
            return false;
    if (!check_places(plan, statement, limits, err) || !es_snapshot_check(plan, statement, limits, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!es_lives_refuse(plan, statement, i, deadline || waits, plan->traps, err))
            return false;
    return true;
}

static bool asks_paths(const es_statement *statement, const plan_uses *uses)
{
    bool asks = uses->substates;
    for (size_t i = 0; i < statement->reference_count; i++)
        asks |= statement->references[i].path != NULL;
    for (size_t k = 0; k < es_image_snapshot_count(statement); k++)
        asks |= es_image_snapshot(statement, k)->place.path != NULL;
    for (size_t i = 0; i < uses->control_count; i++)
        asks |= uses->controls[i].path != NULL;
    return asks;
}

/* Which bit of the events stands for the first control event; that of events which are no write to what may be another
 * element, 0: there is none. */
typedef struct event_bits {
    int controls;
    uint16_t others;
} event_bits;

/* The event "a write to its word" is the same of all references in the word. */
static int8_t old_bit_of_word(const plan_statement *out, size_t index, int *bits)
{
    const es_reference *references = out->statement->references;
    for (size_t k = 0; k < index; k++)
        if (out->old_bit[k] >= 0 && !references[k].frame && plan_in_same_word(&references[k], &references[index]))
            return out->old_bit[k];
    return (int8_t)((*bits)++ & 0x7F);
}

/* Numbers the events that the routine tells apart. */
static bool number_events(const image_plan *plan, plan_statement *out, const plan_uses *uses, event_bits *numbered,
                          es_error *err)
{
    const es_statement *statement = out->statement;
    int bits = 0;
    bool elements = false;
    for (size_t i = 0; i < statement->reference_count && !out->direct; i++)
        if (uses->old[i])
            out->old_bit[i] = old_bit_of_word(out, i, &bits);
    for (size_t i = 0; i < statement->predicate_count; i++)
        elements |= statement->references[i].subscript_count > 0;
    for (size_t i = 0; i < statement->predicate_count; i++)
        if (uses->write[i] || statement->references[i].subscript_count)
            out->write_bit[i] = (int8_t)(bits++ & 0x7F);
    for (size_t i = 0; i < statement->reference_count; i++)
        if (uses->read[i])
            out->read_bit[i] = (int8_t)(bits++ & 0x7F);
    for (size_t a = 0; a < statement->area_count; a++) {
        if (uses->write_any[a])
            out->write_any_bit[a] = (int8_t)(bits++ & 0x7F);
        if (uses->read_any[a])
            out->read_any_bit[a] = (int8_t)(bits++ & 0x7F);
    }
    numbered->controls = bits;
    bits += (int)uses->control_count;
    numbered->others = (uint16_t)(elements ? 1u << (bits++ & 31) : 0);
    plan->handlers[out - plan->statements].has_events = bits > 0;
    return bits <= (int)ES_MI_EVENTS_MAX ||
           es_plan_fail(plan, statement, err,
                        "it tells %d events apart with write(), read(), enter(), leave() and old(); at most %u are "
                        "possible: split it into several statements",
                        bits, ES_MI_EVENTS_MAX);
}

/* Whether the write to one reference is that of another's old value. */
static bool is_old_of(const es_reference *written, const es_reference *other, bool itself)
{
    if (other->subscript_count)
        return true; /* the event's word is taken, if it is the one (es_element_find) */
    if (written->via || other->via)
        return itself;
    if (!plan_is_large(written))
        return plan_in_same_word(written, other);
    return plan_is_large(other) && other->frame == written->frame &&
           plan_first_byte(other) == plan_first_byte(written) && plan_byte_count(other) == plan_byte_count(written);
}

/* Of an access to a reference that is a member of areas. */
static uint16_t events_of_areas(const es_statement *statement, const int8_t *bits, size_t index)
{
    unsigned events = 0;
    for (size_t a = 0; a < statement->area_count; a++)
        if (bits[a] >= 0 && es_area_has(statement, a + 1, index))
            events |= 1u << bits[a];
    return (uint16_t)events;
}

/* The events of a write to a reference. */
static plan_write events_of_write(const plan_statement *of, size_t number, size_t index, const plan_uses *uses,
                                  uint16_t others)
{
    const es_statement *statement = of->statement;
    const es_reference *reference = &statement->references[index];
    plan_write write = {.handler = number, .frame = reference->frame};
    for (size_t k = 0; k < statement->reference_count; k++) {
        if (!uses->old[k] || !is_old_of(reference, &statement->references[k], k == index))
            continue;
        write.old |= !statement->references[k].subscript_count || es_element_keeps(&statement->references[k]);
        if (of->old_bit[k] >= 0)
            write.events |= (uint16_t)(1u << of->old_bit[k]);
    }
    if (of->write_bit[index] >= 0)
        write.events |= (uint16_t)(1u << of->write_bit[index]);
    if (!reference->subscript_count)
        write.events |= others;
    write.events |= events_of_areas(statement, of->write_any_bit, index);
    return write;
}

static void add_writes_of(image_plan *plan, size_t number, const plan_uses *uses, uint16_t others)
{
    plan_statement *out = &plan->statements[number];
    const es_statement *statement = out->statement;
    for (size_t i = 0; i < statement->predicate_count; i++) {
        const es_reference *reference = &statement->references[i];
        plan_assumption event = {.statement = statement, .written = reference};
        if (!uses->named[i] || (out->compound ? !es_compound_has_write(out->compound, i)
                                              : !es_plan_can_be_true(statement->predicate, &event)))
            continue;
        plan_write write = events_of_write(out, number, i, uses, others);
        if (reference->via)
            es_pointers_add_writes(plan, write, reference, out->pointers[i] - 1u);
        for (size_t n = reference->via ? 0 : es_element_count(reference); n-- > 0;) {
            es_reference element = es_element_at(reference, n);
            es_plan_add_writes(plan, write, &element);
        }
    }
}

static bool add_reads_of(image_plan *plan, size_t number, const plan_uses *uses, uint16_t others, es_error *err)
{
    plan_statement *out = &plan->statements[number];
    const es_statement *statement = out->statement;
    for (size_t i = 0; i < statement->reference_count; i++) {
        plan_assumption event = {.statement = statement, .read = &statement->references[i]};
        if (!(uses->read[i] || uses->read_member[i]) ||
            (out->compound ? !es_compound_has_read(out->compound, i)
                           : !es_plan_can_be_true(statement->predicate, &event)))
            continue;
        unsigned own = out->read_bit[i] >= 0 ? 1u << out->read_bit[i] : 0;
        uint16_t events = (uint16_t)(own | (statement->references[i].subscript_count ? 0 : others) |
                                     events_of_areas(statement, out->read_any_bit, i));
        if (!es_reads_add(plan, number, i, events, err))
            return false;
    }
    return true;
}

static bool plan_one(image_plan *plan, size_t number, const es_probe_limits *limits, es_error *err)
{
    const es_statement *statement = &plan->program->statements[number];
    plan_statement *out = &plan->statements[number];
    size_t count = statement->reference_count;
    plan_uses uses;
    event_bits bits;
    out->statement = statement;
    out->write_bit = no_bits(plan, count);
    out->old_bit = no_bits(plan, count);
    out->read_bit = no_bits(plan, count);
    out->write_any_bit = no_bits(plan, statement->area_count);
    out->read_any_bit = no_bits(plan, statement->area_count);
    if (!find_uses(plan, number, limits, &uses, err) || !es_proven_check(plan, statement, &uses, err) ||
        !check(plan, number, limits, &uses, err))
        return false;
    es_plan_add_frames(plan, statement);
    if (uses.substates)
        es_statement_find(statement, ask_of_path, plan);
    if (!es_pointers_plan(plan, number, uses.old, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (uses.age[i] || (uses.old[i] && lives_of(&statement->references[i])))
            add_age(plan, out, i, uses.old[i] && lives_of(&statement->references[i]));
    if (has_deadline(out, &uses))
        return es_deadline_plan(plan, number, limits->bus_hz, err);
    if (out->compound && !es_deadline_plan_parts(plan, number, limits->bus_hz, err))
        return false;
    out->asks_paths = asks_paths(statement, &uses);
    out->direct = !limits->unsure && !out->compound && !uses.reads && is_direct(statement, uses.control_count);
    plan->handlers[number].locks = !out->direct || es_indexed_counts(plan, number);
    out->needs_known |= !out->direct;
    for (size_t i = 0; i < count; i++)
        out->needs_known |= uses.old[i];
    out->has_controls = uses.control_count > 0;
    out->own_frame = !out->has_controls && !uses.reads && in_one_frame(statement);
    if (!number_events(plan, out, &uses, &bits, err))
        return false;
    add_writes_of(plan, number, &uses, bits.others);
    if (!add_reads_of(plan, number, &uses, bits.others, err))
        return false;
    plan_controls(plan, number, &uses, bits.controls, bits.others);
    return true;
}

bool es_plan_make(image_plan *plan, es_arena *arena, const es_symbols *symbols, const es_program *program,
                  const es_probe_limits *limits, const plan_options *options, es_error *err)
{
    *plan = (struct image_plan){.arena = arena,
                                .symbols = symbols,
                                .program = program,
                                .narrow = limits->narrow && !es_image_blindness(limits, symbols) &&
                                          !es_symbols_compressed(symbols),
                                .blind = es_image_blindness(limits, symbols),
                                .tells_times = limits->times,
                                .task_places = options->task_places,
                                .lean = options->lean,
                                .spill_words = options->spill_words,
                                .traps = es_symbols_traps(symbols)};
    if (program->statement_count > 0xFFFF)
        return es_fail(err, ES_USAGE, "%zu statements: at most 65535 are possible", program->statement_count);
    es_code_piece *pieces;
    plan->allocates = es_symbols_allocator(symbols, arena, &pieces) > 0;
    if (!es_indexed_find(plan, err))
        return false;
    plan->untracked = plan->blind || es_cover_only(program);
    es_moving_find(plan, symbols, limits);
    if (plan->untracked) { /* no hit tells a task */
        es_program *same = es_arena_alloc(arena, sizeof *same);
        *same = *plan->program;
        same->task = NULL;
        plan->program = same;
    }
    program = plan->program;
    plan->statements = es_arena_alloc(arena, (program->statement_count + 1) * sizeof *plan->statements);
    for (size_t i = 0; i < program->statement_count; i++) {
        plan->statements[i].stack = es_statement_stack(&program->statements[i]);
        plan->stacks |= plan->statements[i].stack != NULL;
    }
    for (size_t i = 0; i < program->statement_count; i++)
        es_plan_add_handler(plan, (plan_handler){PLAN_STATEMENT, i, i, true, false, 0});
    for (size_t i = 0; i < program->statement_count; i++)
        if (!plan_one(plan, i, limits, err))
            return false;
    es_order_plan(plan);
    es_pointers_add_notes(plan);
    es_deadline_add_notes(plan);
    if (!es_tasks_plan(plan, limits, err))
        return false;
    es_written_plan(plan);
    es_reads_settle(plan);
    if (!es_moving_check(plan, symbols, limits, err))
        return false;
    return es_plan_arrange(plan, err);
}
