#include "image/planner/events.h"

#include "image/image.h"
#include "image/paths/automaton.h"
#include "image/places/element.h"
#include "image/places/pointers.h"
#include "image/places/reads.h"
#include "image/plan/paths.h"
#include "image/plan/position.h"
#include "image/plan/refuse.h"
#include "image/plan/triggers.h"
#include "image/plan/writes.h"
#include "image/times/compound.h"

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

static void add_controls_of(image_plan *plan, size_t number, const plan_uses *uses, int first_bit, uint16_t others)
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

bool es_events_add(image_plan *plan, size_t number, const plan_uses *uses, es_error *err)
{
    event_bits bits;
    if (!number_events(plan, &plan->statements[number], uses, &bits, err))
        return false;
    add_writes_of(plan, number, uses, bits.others);
    if (!add_reads_of(plan, number, uses, bits.others, err))
        return false;
    add_controls_of(plan, number, uses, bits.controls, bits.others);
    return true;
}
