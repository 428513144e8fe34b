#include "image/places/pointers.h"

#include <stddef.h>
#include <string.h>

#include "image/image.h"
#include "image/places/indexed.h"
#include "image/places/slots.h"
#include "image/plan/paths.h"
#include "image/plan/plan.h"
#include "image/plan/refuse.h"
#include "image/plan/writes.h"
#include "lang/statement.h"

#define TYPES_MAX 32 /* types within each other that are looked through */

/* How objects of a type are aligned, as far as words of 4 bytes are concerned: 1, 2, 4. What DWARF does not say of
 * packed structs shows in offsets that do not fit. */
static unsigned alignment(const es_type *type, unsigned depth)
{
    unsigned align = 1;
    if (!type || depth > TYPES_MAX)
        return 1;
    if (type->kind == ES_TYPE_ARRAY)
        return alignment(type->of, depth + 1);
    if (type->kind != ES_TYPE_STRUCT)
        return type->size >= 4 ? 4 : type->size == 2 ? 2 : 1;
    for (size_t i = 0; i < type->member_count; i++) {
        unsigned inner = alignment(type->members[i].type, depth + 1);
        if (type->members[i].offset % inner)
            return 1;
        align = inner > align ? inner : align;
    }
    return type->size % align ? 1 : align;
}

static bool same_variable(const plan_pointer *pointer, const es_reference *reference, size_t base)
{
    const es_reference *other = pointer->reference;
    return !pointer->index && pointer->base == base && other->frame == reference->frame &&
           other->address == reference->address && es_paths_same(other->path, reference->path) &&
           pointer->align == alignment(reference->type->of, 0);
}

/* Adds a record of the pointer references[index], or of it as an element: 1 + its number. 0: refused. */
static size_t add_pointer(image_plan *plan, size_t number, size_t index, plan_pointer made, es_error *err)
{
    const es_statement *statement = plan->statements[number].statement;
    if (plan->pointer_count == ES_MI_POINTERS_MAX || plan->slot_count + 4 / made.align > ES_MI_SLOTS_MAX) {
        es_plan_refuse(
            plan, statement, index, err, "watch fewer objects through pointers in one run",
            "%s: the statements follow more than %u pointers (pointers to char count as four, to short as two, "
            "of %u; an index that is no constant counts as one more)",
            statement->references[index].text, ES_MI_POINTERS_MAX, ES_MI_SLOTS_MAX);
        return 0;
    }
    made.reference = &statement->references[index];
    made.statement = number;
    made.slot = plan->slot_count;
    plan->pointers = es_arena_grow(plan->arena, plan->pointers, plan->pointer_count, sizeof *plan->pointers);
    plan->pointers[plan->pointer_count++] = made;
    for (unsigned phase = 0; phase < 4; phase += made.align) {
        size_t slot = es_slots_add(plan);
        plan->slots[slot].pointer = made.index ? made.base : plan->pointer_count;
        plan->slots[slot].guards = !made.index;
    }
    return plan->pointer_count;
}

/* The element references[index], after pointer `base` (1 + its number; 0: of static storage): 1 + its number. 0:
 * refused. */
static size_t find_element(image_plan *plan, size_t number, size_t index, size_t base, const uint16_t *pointers,
                           es_error *err)
{
    const plan_index *of = es_indexed_of(plan, number, index);
    for (size_t i = 0; i < plan->pointer_count; i++)
        if (plan->pointers[i].index && plan->pointers[i].base == base &&
            es_indexed_same(plan, &plan->pointers[i], number, of, pointers))
            return i + 1;
    unsigned align = es_indexed_align(of, base ? plan->pointers[base - 1].align : 4);
    return add_pointer(plan, number, index, (plan_pointer){.base = base, .align = align, .index = of}, err);
}

/* The pointer whose variable is references[index]: 1 + its number. 0: refused. */
static size_t find_pointer(image_plan *plan, size_t number, size_t index, const uint16_t *pointers, es_error *err)
{
    const es_statement *statement = plan->statements[number].statement;
    const es_reference *reference = &statement->references[index];
    size_t base = reference->via ? pointers[index] : 0;
    for (size_t i = 0; i < plan->pointer_count; i++)
        if (same_variable(&plan->pointers[i], reference, base))
            return i + 1;
    unsigned align = alignment(reference->type->of, 0);
    if (plan_is_large(reference)) {
        es_plan_refuse(plan, statement, index, err, "leave out the packed attribute, or move it inside its struct",
                       "%s is not aligned: a pointer that is followed has to be", reference->text);
        return 0;
    }
    return add_pointer(plan, number, index, (plan_pointer){.base = base, .align = align}, err);
}

static bool check_target(const image_plan *plan, const es_statement *statement, size_t index, unsigned align,
                         es_error *err)
{
    const es_reference *reference = &statement->references[index];
    if (align < 4 && (reference->size > align || reference->address % reference->size))
        return es_plan_refuse(plan, statement, index, err,
                              "leave out the packed attribute, or move it inside its struct",
                              "%s is not aligned in what the pointer points to", reference->text);
    return true;
}

static bool is_two_words(const es_reference *reference)
{
    return reference->size == 8 && !reference->bit_size && reference->address % 4 == 0;
}

/* Pointers to what is shown as a whole, which are followed where it may have been freed, and where what lies in a local
 * is that of another activation until it is written. */
static bool follow_shown(image_plan *plan, size_t number, const uint16_t *pointers, es_error *err)
{
    plan_statement *planned = &plan->statements[number];
    size_t count = es_image_snapshot_count(planned->statement);
    uint16_t *shown = es_arena_alloc(plan->arena, (count + 1) * sizeof *shown);
    for (size_t k = 0; k < count; k++) {
        const es_reference *place = &es_image_snapshot(planned->statement, k)->place,
                           *base = place->via ? &planned->statement->references[place->base] : NULL;
        if (!base || plan_is_large(base) || !(plan->allocates || base->frame))
            continue;
        shown[k] = (uint16_t)find_pointer(plan, number, place->base, pointers, err);
        if (!shown[k])
            return false;
        planned->shown = shown;
    }
    return true;
}

bool es_pointers_plan(image_plan *plan, size_t number, const bool *old, es_error *err)
{
    plan_statement *planned = &plan->statements[number];
    const es_statement *statement = planned->statement;
    uint16_t *pointers = es_arena_alloc(plan->arena, (statement->reference_count + 1) * sizeof *pointers);
    for (size_t i = 0; i < statement->reference_count; i++) {
        const es_reference *reference = &statement->references[i];
        if (!reference->via)
            continue;
        const plan_index *of = es_indexed_of(plan, number, i);
        size_t base = of && of->fixed ? 0 : find_pointer(plan, number, reference->base, pointers, err), found = base;
        planned->pointers = pointers;
        if (of && (of->fixed || base))
            found = find_element(plan, number, i, base, pointers, err);
        if (!found)
            return false;
        plan_pointer *pointer = &plan->pointers[found - 1];
        if (!check_target(plan, statement, i, pointer->align, err))
            return false;
        pointers[i] = (uint16_t)found;
        int64_t low = (int32_t)reference->address, high = low + reference->size;
        pointer->low = low < pointer->low ? low : pointer->low;
        pointer->high = high > pointer->high ? high : pointer->high;
    }
    for (size_t i = statement->predicate_count; planned->pointers && i < statement->reference_count; i++)
        if (old[i] && plan_is_large(&statement->references[i]) &&
            (statement->references[i].subscript_count || !is_two_words(&statement->references[i])))
            /* the event may have been a write to it, through a pointer */
            return es_plan_refuse(
                plan, statement, i, err, "print it from a statement of its own: when write(x) { print old(x) }",
                "%s: old() of what lies across words cannot be printed beside pointers in this version where the "
                "condition does not name it",
                statement->references[i].text);
    return follow_shown(plan, number, pointers, err);
}

void es_pointers_add_writes(image_plan *plan, plan_write write, const es_reference *reference, size_t pointer)
{
    const plan_pointer *of = &plan->pointers[pointer];
    for (unsigned phase = 0; phase < 4; phase += of->align) {
        es_reference here = *reference; /* from the slot's base */
        here.address += phase;
        write.slot = (uint16_t)(of->slot + phase / of->align + 1);
        write.pointer = (uint16_t)(pointer + 1);
        write.phase = (uint8_t)phase;
        es_plan_add_writes(plan, write, &here);
    }
}

typedef struct index_note {
    image_plan *plan;
    const plan_pointer *pointer;
    plan_write write;
} index_note;

static void add_index_note(void *context, size_t index)
{
    const index_note *note = context;
    const plan_statement *of = &note->plan->statements[note->pointer->statement];
    const es_reference *reference = &of->statement->references[index];
    plan_write write = note->write;
    write.frame = reference->frame;
    if (reference->via)
        es_pointers_add_writes(note->plan, write, reference, of->pointers[index] - 1u);
    else
        es_plan_add_writes(note->plan, write, reference);
}

void es_pointers_add_notes(image_plan *plan)
{
    for (size_t i = 0; i < plan->pointer_count; i++) {
        const plan_pointer *pointer = &plan->pointers[i];
        plan_handler handler = {PLAN_POINTER, i, pointer->statement, true, false, 0};
        plan_write note = {.handler = es_plan_add_handler(plan, handler), .frame = pointer->reference->frame};
        index_note of_index = {plan, pointer, note};
        if (pointer->index)
            es_indexed_references(plan, pointer, add_index_note, &of_index);
        else if (pointer->base)
            es_pointers_add_writes(plan, note, pointer->reference, pointer->base - 1);
        else
            es_plan_add_writes(plan, note, pointer->reference);
    }
}

uint32_t es_pointers_place(image_plan *plan, uint32_t at)
{
    plan->moving_on = at;
    at += plan->counts ? 4 : 0;
    for (size_t i = 0; i < plan->pointer_count; i++, at += sizeof(struct es_mi_pointer_state))
        plan->pointers[i].state = at;
    return at;
}

typedef struct frame_search {
    const es_statement *statement;
    const es_procedure *frame;
    bool found;
} frame_search;

static void is_in_frame(void *context, size_t reference)
{
    frame_search *search = context;
    search->found |= search->statement->references[reference].frame == search->frame;
}

uint32_t es_pointers_in_frame(const image_plan *plan, const es_procedure *frame)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < plan->pointer_count; i++) {
        const plan_pointer *pointer = &plan->pointers[i];
        frame_search search = {plan->statements[pointer->statement].statement, frame, false};
        es_indexed_references(plan, pointer, is_in_frame, &search);
        if (search.found || (!pointer->base && !pointer->index && pointer->reference->frame == frame))
            bits |= 1u << i;
    }
    return bits;
}
