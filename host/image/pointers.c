#include "image/pointers.h"

#include <stddef.h>
#include <string.h>

#include "image/holds.h"
#include "image/indexed.h"
#include "image/moving.h"
#include "image/paths.h"
#include "image/slots.h"
#include "image/times.h"
#include "image/words.h"

#define TYPES_MAX 32 /* types within each other that are looked through */

/* --- plan -------------------------------------------------------------------------------------------------------- */

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
    return !pointer->index && pointer->base == base && other->frame == reference->frame && other->address == reference->address &&
           paths_same(other->path, reference->path) && pointer->align == alignment(reference->type->of, 0);
}

/* Adds a record of the pointer references[index], or of it as an element: 1 + its number. 0: refused. */
static size_t add_pointer(image_plan *plan, size_t number, size_t index, plan_pointer made, es_error *err)
{
    const es_statement *statement = plan->statements[number].statement;
    if (plan->pointer_count == ES_MI_POINTERS_MAX || plan->slot_count + 4 / made.align > ES_MI_SLOTS_MAX) {
        plan_refuse(plan, statement, index, err, "watch fewer objects through pointers in one run",
                    "%s: the statements follow more than %u pointers (pointers to char count as four, to short as two, of %u; an index that is no "
                    "constant counts as one more)", statement->references[index].text, ES_MI_POINTERS_MAX, ES_MI_SLOTS_MAX);
        return 0;
    }
    made.reference = &statement->references[index];
    made.statement = number;
    made.slot = plan->slot_count;
    plan->pointers = es_arena_grow(plan->arena, plan->pointers, plan->pointer_count, sizeof *plan->pointers);
    plan->pointers[plan->pointer_count++] = made;
    for (unsigned phase = 0; phase < 4; phase += made.align) {
        size_t slot = slots_add(plan);
        plan->slots[slot].pointer = made.index ? made.base : plan->pointer_count;
        plan->slots[slot].guards = !made.index;
    }
    return plan->pointer_count;
}

/* The element references[index], behind pointer `base` (1 + its number; 0: of static storage): 1 + its number. 0: refused. */
static size_t find_element(image_plan *plan, size_t number, size_t index, size_t base, const uint16_t *pointers, es_error *err)
{
    const plan_index *of = indexed_of(plan, number, index);
    for (size_t i = 0; i < plan->pointer_count; i++)
        if (plan->pointers[i].index && plan->pointers[i].base == base && indexed_same(plan, &plan->pointers[i], number, of, pointers))
            return i + 1;
    unsigned align = indexed_align(of, base ? plan->pointers[base - 1].align : 4);
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
        plan_refuse(plan, statement, index, err, "leave out the packed attribute, or move it inside its struct",
                    "%s is not aligned: a pointer that is followed has to be", reference->text);
        return 0;
    }
    return add_pointer(plan, number, index, (plan_pointer){.base = base, .align = align}, err);
}

static bool check_target(const image_plan *plan, const es_statement *statement, size_t index, unsigned align,
                         es_error *err)
{
    const es_reference *reference = &statement->references[index];
    unsigned unit = reference->size < 4 ? reference->size : 4;
    if (align < 4 && (unit > align || reference->address % unit))
        return plan_refuse(plan, statement, index, err, "leave out the packed attribute, or move it inside its struct",
                           "%s is not aligned in what the pointer points to", reference->text);
    return true;
}

static bool is_two_words(const es_reference *reference)
{
    return reference->size == 8 && !reference->bit_size && reference->address % 4 == 0;
}

/* old() is known of what is made of words of the object. */
static bool check_old(const image_plan *plan, const plan_statement *planned, size_t index, unsigned align,
                      es_error *err)
{
    const es_statement *statement = planned->statement;
    const es_reference *reference = &statement->references[index];
    static const char hint[] = "a counter or another statement can keep what was";
    bool word = !plan_is_large(reference) && plan_words(reference) == 1;
    if (align < 4 || !(word || is_two_words(reference)))
        return plan_refuse(plan, statement, index, err, hint, "%s: old() through a pointer is available in this "
                           "version of values that are not packed, in what begins at a multiple of 4, and not of bit-fields across words",
                           reference->text);
    return true;
}

/* Pointers to what is shown as a whole: so it is known when that has been freed. */
static bool follow_shown(image_plan *plan, size_t number, const uint16_t *pointers, es_error *err)
{
    plan_statement *planned = &plan->statements[number];
    size_t count = es_image_snapshot_count(planned->statement);
    uint16_t *shown = es_arena_alloc(plan->arena, (count + 1) * sizeof *shown);
    for (size_t k = 0; k < count && plan->allocates; k++) {
        const es_reference *place = &es_image_snapshot(planned->statement, k)->place;
        if (!place->via || plan_is_large(&planned->statement->references[place->base]))
            continue;
        shown[k] = (uint16_t)find_pointer(plan, number, place->base, pointers, err);
        if (!shown[k])
            return false;
        planned->shown = shown;
    }
    return true;
}

bool pointers_plan(image_plan *plan, size_t number, const bool *old, es_error *err)
{
    plan_statement *planned = &plan->statements[number];
    const es_statement *statement = planned->statement;
    uint16_t *pointers = es_arena_alloc(plan->arena, (statement->reference_count + 1) * sizeof *pointers);
    for (size_t i = 0; i < statement->reference_count; i++) {
        const es_reference *reference = &statement->references[i];
        if (!reference->via)
            continue;
        const plan_index *of = indexed_of(plan, number, i);
        size_t base = of && of->fixed ? 0 : find_pointer(plan, number, reference->base, pointers, err), found = base;
        planned->pointers = pointers;
        if (of && (of->fixed || base))
            found = find_element(plan, number, i, base, pointers, err);
        if (!found)
            return false;
        plan_pointer *pointer = &plan->pointers[found - 1];
        if (!check_target(plan, statement, i, pointer->align, err))
            return false;
        if (old[i] && !check_old(plan, planned, i, pointer->align, err))
            return false;
        pointers[i] = (uint16_t)found;
        int64_t low = (int32_t)reference->address, high = low + reference->size;
        pointer->low = low < pointer->low ? low : pointer->low;
        pointer->high = high > pointer->high ? high : pointer->high;
    }
    for (size_t i = statement->predicate_count; planned->pointers && i < statement->reference_count; i++)
        if (old[i] && (statement->references[i].subscript_count ||
                       (plan_is_large(&statement->references[i]) && !is_two_words(&statement->references[i]))))
            /* the event may have been a write to it, through a pointer */
            return plan_refuse(plan, statement, i, err,
                               "print it from a statement of its own: when write(x) { print old(x) }",
                               "%s: old() of what is not aligned, or has a variable index, cannot be printed beside pointers in "
                               "this version where the condition does not name it", statement->references[i].text);
    return follow_shown(plan, number, pointers, err);
}

void pointers_add_writes(image_plan *plan, plan_write write, const es_reference *reference, size_t pointer)
{
    const plan_pointer *of = &plan->pointers[pointer];
    for (unsigned phase = 0; phase < 4; phase += of->align) {
        es_reference here = *reference; /* from the slot's base */
        here.address += phase;
        write.slot = (uint16_t)(of->slot + phase / of->align + 1);
        write.pointer = (uint16_t)(pointer + 1);
        write.phase = (uint8_t)phase;
        plan_add_writes(plan, write, &here);
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
        pointers_add_writes(note->plan, write, reference, of->pointers[index] - 1u);
    else
        plan_add_writes(note->plan, write, reference);
}

void pointers_add_notes(image_plan *plan, size_t first)
{
    for (size_t i = 0; i < plan->pointer_count; i++) {
        const plan_pointer *pointer = &plan->pointers[i];
        plan_write note = {.statement = first + i, .early = true, .frame = pointer->reference->frame};
        plan->statements[first + i] = (plan_statement){.statement = plan->statements[pointer->statement].statement};
        index_note of_index = {plan, pointer, note};
        if (pointer->index)
            indexed_references(plan, pointer, add_index_note, &of_index);
        else if (pointer->base)
            pointers_add_writes(plan, note, pointer->reference, pointer->base - 1);
        else
            plan_add_writes(plan, note, pointer->reference);
    }
}

uint32_t pointers_place(image_plan *plan, uint32_t at)
{
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

uint32_t pointers_in_frame(const image_plan *plan, const es_procedure *frame)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < plan->pointer_count; i++) {
        const plan_pointer *pointer = &plan->pointers[i];
        frame_search search = {plan->statements[pointer->statement].statement, frame, false};
        indexed_references(plan, pointer, is_in_frame, &search);
        if (search.found || (!pointer->base && !pointer->index && pointer->reference->frame == frame))
            bits |= 1u << i;
    }
    return bits;
}

/* --- code -------------------------------------------------------------------------------------------------------- */

void pointers_note_write(generator *g, size_t pointer)
{
    rv_li(g->code, RV_A0, 1u << pointer);
    rv_call(g->code, RV_ZERO, g->routines->pointer_written);
}

static void load_value(generator *g, const plan_pointer *pointer, unsigned rd)
{
    int32_t low;
    unsigned base = codegen_ram(g->code, g->plan, pointer->state, rd, &low);
    rv_i(g->code, RV_LW, rd, base, low);
}

void pointers_check(generator *g, size_t index, unsigned no)
{
    const uint16_t *pointers = g->statement->pointers;
    if (!pointers || !pointers[index])
        return;
    load_value(g, &g->plan->pointers[pointers[index] - 1], RV_T6);
    rv_branch(g->code, RV_BEQ, RV_T6, RV_ZERO, no);
}

/* Goes on when the pointer has moved at this event, else jumps. Takes rd and t6. */
static void unless_moved(generator *g, const plan_pointer *pointer, unsigned rd, unsigned label)
{
    times_load(g, rd, pointer->state + (uint32_t)offsetof(struct es_mi_pointer_state, moved_low));
    rv_i(g->code, RV_LW, RV_T6, RV_REGS, (int32_t)ES_REG_HIT_TIME);
    rv_branch(g->code, RV_BNE, rd, RV_T6, label);
    times_load(g, rd, pointer->state + (uint32_t)offsetof(struct es_mi_pointer_state, moved_high));
    rv_i(g->code, RV_XORI, rd, rd, -1);
    rv_i(g->code, RV_LW, RV_T6, RV_REGS, (int32_t)ES_REG_TIME_HIGH);
    rv_branch(g->code, RV_BNE, rd, RV_T6, label);
}

void pointers_check_old(generator *g, size_t index, unsigned no)
{
    const uint16_t *pointers = g->statement->pointers;
    if (!pointers || !pointers[index] || g->statement->old_bit[index] < 0)
        return;
    const plan_pointer *pointer = &g->plan->pointers[pointers[index] - 1];
    unsigned same = rv_label(g->code), rd = codegen_register(g, 0);
    unless_moved(g, pointer, rd, same);
    times_load(g, rd, pointer->state + (uint32_t)offsetof(struct es_mi_pointer_state, before));
    rv_branch(g->code, RV_BEQ, rd, RV_ZERO, no);
    rv_place(g->code, same);
}

void pointers_base_before(generator *g, size_t index, unsigned rd)
{
    const plan_pointer *pointer = &g->plan->pointers[g->statement->pointers[index] - 1];
    unsigned same = rv_label(g->code), done = rv_label(g->code);
    unless_moved(g, pointer, rd, same);
    times_load(g, rd, pointer->state + (uint32_t)offsetof(struct es_mi_pointer_state, before));
    rv_jump(g->code, done);
    rv_place(g->code, same);
    load_value(g, pointer, rd);
    rv_place(g->code, done);
}

void pointers_check_expr(generator *g, const es_expr *expr, unsigned no)
{
    if (!expr || !g->statement->pointers)
        return;
    if (expr->kind == ES_EXPR_REFERENCE || expr->kind == ES_EXPR_OLD || expr->kind == ES_EXPR_WRITE ||
        expr->kind == ES_EXPR_AGE || expr->kind == ES_EXPR_READ)
        pointers_check(g, expr->index, no);
    pointers_check_expr(g, expr->condition, no);
    pointers_check_expr(g, expr->lhs, no);
    pointers_check_expr(g, expr->rhs, no);
}

void pointers_check_old_expr(generator *g, const es_expr *expr, unsigned no)
{
    if (!expr || !g->statement->pointers)
        return;
    if (expr->kind == ES_EXPR_OLD)
        pointers_check_old(g, expr->index, no);
    pointers_check_old_expr(g, expr->condition, no);
    pointers_check_old_expr(g, expr->lhs, no);
    pointers_check_old_expr(g, expr->rhs, no);
}

void pointers_check_shown(generator *g, unsigned no)
{
    const es_statement *statement = g->statement->statement;
    for (size_t k = 0, count = es_image_value_count(statement); k < count; k++) {
        const es_print_item *item = es_image_value(statement, k);
        if (item->kind == ES_ITEM_VALUE || item->kind == ES_ITEM_AGE)
            pointers_check(g, item->index, no);
        if (item->kind == ES_ITEM_VALUE && item->old)
            pointers_check_old(g, item->index, no);
    }
}

void pointers_base(generator *g, const es_reference *reference, unsigned rd)
{
    if (reference->via) {
        size_t index = (size_t)(reference - g->statement->statement->references);
        load_value(g, &g->plan->pointers[g->statement->pointers[index] - 1], rd);
    } else {
        codegen_cell(g, reference->frame, rd);
    }
}

/* --- tables ------------------------------------------------------------------------------------------------------ */

/* Code that ends what needs what the pointer pointed to, and forgets ages and what was written of it in parts; 0: there is nothing of these. */
static uint16_t write_moved(image_builder *b, const plan_pointer *pointer)
{
    words_begin(b);
    holds_end(&b->code, &b->plan, NULL, (size_t)(pointer - b->plan.pointers) + 1);
    times_forget(&b->code, &b->plan, NULL, (size_t)(pointer - b->plan.pointers) + 1);
    if (!pointer->pending_words && !b->code.count)
        return 0;
    words_forget(b, pointer->pending, pointer->pending_words);
    rv_return(&b->code, RV_RA);
    return words_put(b);
}

void pointers_moved(image_builder *b)
{
    for (size_t i = 0; i < b->plan.pointer_count; i++) {
        uint16_t moved = write_moved(b, &b->plan.pointers[i]);
        for (size_t k = 0; k < 4 / b->plan.pointers[i].align; k++)
            b->plan.slots[b->plan.pointers[i].slot + k].moved_at = moved;
    }
}

typedef struct index_use {
    const plan_statement *statement;
    uint32_t follows;
    uint8_t count;
} index_use;

static void use_index(void *context, size_t reference)
{
    index_use *use = context;
    use->count = (uint8_t)(use->count < UINT8_MAX ? use->count + 1 : use->count);
    if (use->statement->statement->references[reference].via)
        use->follows |= 1u << (use->statement->pointers[reference] - 1);
}

static uint16_t base_at(const image_plan *plan, const plan_pointer *pointer)
{
    if (pointer->base)
        return (uint16_t)(plan->ram_at + plan->pointers[pointer->base - 1].state);
    if (pointer->index)
        return 0;
    const es_procedure *frame = pointer->reference->frame;
    return frame ? (uint16_t)(plan->ram_at + plan_frame_of(plan, frame)->cell) : 0;
}

/* For host/check. */
static void note_pointers(const image_plan *plan, es_image *image)
{
    image->pointers = es_malloc((plan->pointer_count + 1) * sizeof *image->pointers);
    image->pointer_count = plan->pointer_count;
    for (size_t i = 0; i < plan->pointer_count; i++) {
        const plan_pointer *pointer = &plan->pointers[i];
        const es_reference *reference = pointer->reference;
        const plan_index *index = pointer->index;
        const es_type *to = index ? reference->type : reference->type->of;
        es_image_pointer *out = &image->pointers[i];
        *out = (es_image_pointer){.frame = moving_original(plan, reference->frame), .base = pointer->base,
                                  .address = index ? index->address : reference->address, .size = to ? to->size : 0,
                                  .element = index != NULL, .bounded = index != NULL};
        for (size_t k = 0; index && k < index->count; k++)
            out->bounded &= index->subscripts[k].count > 0;
    }
}

bool pointers_write(image_builder *b, struct es_mi_header *header)
{
    const image_plan *plan = &b->plan;
    struct es_mi_pointer *out = es_arena_alloc(b->arena, (plan->pointer_count + 1) * sizeof *out);
    for (size_t i = 0; i < plan->pointer_count; i++) {
        const plan_pointer *pointer = &plan->pointers[i];
        uint16_t base = base_at(plan, pointer), index_at = 0;
        index_use use = {&plan->statements[pointer->statement], pointer->base ? 1u << (pointer->base - 1) : 0, 0};
        indexed_references(plan, pointer, use_index, &use);
        if (pointer->index && !indexed_write(b, pointer, &index_at))
            return false;
        out[i] = (struct es_mi_pointer){
            .offset = pointer->index ? 0 : pointer->reference->address + (base ? 0 : ES_PHANTOM_BASE - b->limits->window_base),
            .base_at = base,
            .state_at = (uint16_t)(plan->ram_at + pointer->state),
            .slot_at = slots_address(b, pointer->slot),
            .phases = (uint8_t)(4 / pointer->align),
            .index_count = use.count,
            .low = (uint32_t)pointer->low,
            .span = (uint32_t)(pointer->high - pointer->low),
            .index_at = index_at,
            .follows = use.follows,
        };
    }
    note_pointers(plan, b->image);
    header->pointer_count = (uint16_t)plan->pointer_count;
    header->pointers_at = (uint16_t)layout_put(b, out, plan->pointer_count * sizeof *out);
    uint32_t first = UINT32_MAX, end = 0;
    for (size_t i = 0; i < b->allocator_count; i++) {
        first = b->allocator[i].first < first ? b->allocator[i].first : first;
        end = b->allocator[i].first + b->allocator[i].size > end ? b->allocator[i].first + b->allocator[i].size : end;
    }
    header->allocator_first = first;
    header->allocator_size = b->allocator_count ? end - first : 0;
    header->allocator_count = (uint16_t)b->allocator_count;
    header->allocator_at = (uint16_t)layout_put(b, b->allocator, b->allocator_count * sizeof *b->allocator);
    return true;
}
