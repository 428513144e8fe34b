/* Pointers that statements follow: what statements' code asks of them, and the tables of the image. */
#include "image/pointers.h"
#include "image/routines.h"

#include <stddef.h>

#include "image/holds.h"
#include "image/indexed.h"
#include "image/layout.h"
#include "image/moving.h"
#include "image/slots.h"
#include "image/times.h"
#include "image/words.h"

/* --- code -------------------------------------------------------------------------------------------------------- */

void es_pointers_note_write(generator *g, size_t pointer)
{
    es_ir_const(g->code, ES_IR_A0, 1u << pointer);
    es_routine_call(g->code, g->routines, ROUTINE_pointer_written);
}

static void load_value(generator *g, const plan_pointer *pointer, unsigned rd)
{
    int32_t low;
    unsigned base = es_codegen_ram(g->code, g->plan, pointer->state, rd, &low);
    es_ir_load(g->code, ES_IR_LOAD, rd, base, low);
}

void es_pointers_check(generator *g, size_t index, unsigned no)
{
    const uint16_t *pointers = g->statement->pointers;
    if (!pointers || !pointers[index])
        return;
    load_value(g, &g->plan->pointers[pointers[index] - 1], ES_IR_T6);
    es_ir_branch(g->code, ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, no);
}

/* Goes on when the pointer has moved at this event, else jumps. Takes rd and t6. */
static void unless_moved(generator *g, const plan_pointer *pointer, unsigned rd, unsigned label)
{
    es_times_load(g, rd, pointer->state + (uint32_t)offsetof(struct es_mi_pointer_state, moved_low));
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_HIT_TIME);
    es_ir_branch(g->code, ES_IR_IF_NE, rd, ES_IR_T6, label);
    es_times_load(g, rd, pointer->state + (uint32_t)offsetof(struct es_mi_pointer_state, moved_high));
    es_ir_immediate(g->code, ES_IR_XOR_I, rd, rd, -1);
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_TIME_HIGH);
    es_ir_branch(g->code, ES_IR_IF_NE, rd, ES_IR_T6, label);
}

void es_pointers_check_old(generator *g, size_t index, unsigned no)
{
    const uint16_t *pointers = g->statement->pointers;
    if (!pointers || !pointers[index] || g->statement->old_bit[index] < 0)
        return;
    const plan_pointer *pointer = &g->plan->pointers[pointers[index] - 1];
    unsigned same = es_ir_label(g->code), rd = es_codegen_register(g, 0);
    unless_moved(g, pointer, rd, same);
    es_times_load(g, rd, pointer->state + (uint32_t)offsetof(struct es_mi_pointer_state, before));
    es_ir_branch(g->code, ES_IR_IF_EQ, rd, ES_IR_ZERO, no);
    es_ir_here(g->code, same);
}

void es_pointers_base_before(generator *g, size_t index, unsigned rd)
{
    const plan_pointer *pointer = &g->plan->pointers[g->statement->pointers[index] - 1];
    unsigned same = es_ir_label(g->code), done = es_ir_label(g->code);
    unless_moved(g, pointer, rd, same);
    es_times_load(g, rd, pointer->state + (uint32_t)offsetof(struct es_mi_pointer_state, before));
    es_ir_jump(g->code, done);
    es_ir_here(g->code, same);
    load_value(g, pointer, rd);
    es_ir_here(g->code, done);
}

void es_pointers_check_expr(generator *g, const es_expr *expr, unsigned no)
{
    if (!expr || !g->statement->pointers)
        return;
    if (expr->kind == ES_EXPR_REFERENCE || expr->kind == ES_EXPR_OLD || expr->kind == ES_EXPR_WRITE ||
        expr->kind == ES_EXPR_AGE || expr->kind == ES_EXPR_READ)
        es_pointers_check(g, expr->index, no);
    es_pointers_check_expr(g, expr->condition, no);
    es_pointers_check_expr(g, expr->lhs, no);
    es_pointers_check_expr(g, expr->rhs, no);
}

void es_pointers_check_old_expr(generator *g, const es_expr *expr, unsigned no)
{
    if (!expr || !g->statement->pointers)
        return;
    if (expr->kind == ES_EXPR_OLD)
        es_pointers_check_old(g, expr->index, no);
    es_pointers_check_old_expr(g, expr->condition, no);
    es_pointers_check_old_expr(g, expr->lhs, no);
    es_pointers_check_old_expr(g, expr->rhs, no);
}

void es_pointers_check_shown(generator *g, unsigned no)
{
    const es_statement *statement = g->statement->statement;
    for (size_t k = 0, count = es_image_value_count(statement); k < count; k++) {
        const es_print_item *item = es_image_value(statement, k);
        if (item->kind == ES_ITEM_VALUE || item->kind == ES_ITEM_AGE)
            es_pointers_check(g, item->index, no);
        if (item->kind == ES_ITEM_VALUE && item->old)
            es_pointers_check_old(g, item->index, no);
    }
}

void es_pointers_base(generator *g, const es_reference *reference, unsigned rd)
{
    if (reference->via) {
        size_t index = (size_t)(reference - g->statement->statement->references);
        load_value(g, &g->plan->pointers[g->statement->pointers[index] - 1], rd);
    } else {
        es_codegen_cell(g, reference->frame, rd);
    }
}

/* --- tables ------------------------------------------------------------------------------------------------------ */

/* Code that ends what needs what the pointer pointed to, and forgets ages and what was written of it in parts; 0:
 * there is nothing of these. */
static uint16_t write_moved(image_builder *b, const plan_pointer *pointer)
{
    es_code_begin(b);
    b->code.allowed = ES_IR_TEMPORARIES & ~ES_IR_SET(ES_IR_T0);
    es_holds_end(&b->code, &b->plan, NULL, (size_t)(pointer - b->plan.pointers) + 1);
    es_times_forget(&b->code, &b->plan, NULL, (size_t)(pointer - b->plan.pointers) + 1);
    if (!pointer->pending_words && !b->code.count)
        return 0;
    es_words_forget(b, pointer->pending, pointer->pending_words);
    es_ir_return(&b->code, ES_IR_RA, 0);
    return es_code_put(b);
}

void es_pointers_moved(image_builder *b)
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
    return frame ? (uint16_t)(plan->ram_at + es_plan_frame_of(plan, frame)->cell) : 0;
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
        *out = (es_image_pointer){.frame = es_moving_original(plan, reference->frame),
                                  .base = pointer->base,
                                  .address = index ? index->address : reference->address,
                                  .size = to ? to->size : 0,
                                  .element = index != NULL,
                                  .bounded = index != NULL};
        for (size_t k = 0; index && k < index->count; k++)
            out->bounded &= index->subscripts[k].count > 0;
    }
}

bool es_pointers_write(image_builder *b, struct es_mi_header *header)
{
    const image_plan *plan = &b->plan;
    struct es_mi_pointer *out = es_arena_alloc(b->arena, (plan->pointer_count + 1) * sizeof *out);
    for (size_t i = 0; i < plan->pointer_count; i++) {
        const plan_pointer *pointer = &plan->pointers[i];
        uint16_t base = base_at(plan, pointer), index_at = 0;
        index_use use = {&plan->statements[pointer->statement], pointer->base ? 1u << (pointer->base - 1) : 0, 0};
        es_indexed_references(plan, pointer, use_index, &use);
        if (pointer->index)
            es_indexed_write(b, pointer, &index_at);
        out[i] = (struct es_mi_pointer){
            .offset = pointer->index
                          ? 0
                          : pointer->reference->address + (base ? 0 : ES_PHANTOM_BASE - b->limits->window_base),
            .base_at = base,
            .state_at = (uint16_t)(plan->ram_at + pointer->state),
            .slot_at = es_slots_address(b, pointer->slot),
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
    header->pointers_at = (uint16_t)es_layout_put(b, out, plan->pointer_count * sizeof *out);
    uint32_t first = UINT32_MAX, end = 0;
    for (size_t i = 0; i < b->allocator_count; i++) {
        first = b->allocator[i].first < first ? b->allocator[i].first : first;
        end = b->allocator[i].first + b->allocator[i].size > end ? b->allocator[i].first + b->allocator[i].size : end;
    }
    header->allocator_first = first;
    header->allocator_size = b->allocator_count ? end - first : 0;
    header->allocator_count = (uint16_t)b->allocator_count;
    header->allocator_at = (uint16_t)es_layout_put(b, b->allocator, b->allocator_count * sizeof *b->allocator);
    return true;
}
