/* Pointers that statements follow: what statements' code asks of them, and the tables of the image. */
#include "image/lower/pointers.h"

#include <stddef.h>

#include "image/image.h"
#include "image/lower/generator.h"
#include "image/lower/pointers_load.h"
#include "image/lower/routines.h"
#include "image/lower/times.h"
#include "image/plan/plan.h"
#include "ir/ir.h"
#include "lang/statement.h"

void es_pointers_note_write(generator *g, size_t pointer)
{
    es_ir_const(g->code, ES_IR_A0, 1u << pointer);
    es_routine_call(g->code, g->routines, ROUTINE_pointer_written);
}

void es_pointers_check(generator *g, size_t index, unsigned no)
{
    const uint16_t *pointers = g->statement->pointers;
    if (!pointers || !pointers[index])
        return;
    es_pointers_load(g, &g->plan->pointers[pointers[index] - 1], ES_IR_T6);
    es_ir_branch(g->code, ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, no);
}

void es_pointers_check_old(generator *g, size_t index, unsigned no)
{
    const uint16_t *pointers = g->statement->pointers;
    if (!pointers || !pointers[index] || g->statement->old_bit[index] < 0)
        return;
    const plan_pointer *pointer = &g->plan->pointers[pointers[index] - 1];
    unsigned same = es_ir_label(g->code), rd = es_codegen_register(g, 0);
    es_pointers_unless_moved(g, pointer, rd, same);
    es_times_load(g, rd, pointer->state + (uint32_t)offsetof(struct es_mi_pointer_state, before));
    es_ir_branch(g->code, ES_IR_IF_EQ, rd, ES_IR_ZERO, no);
    es_ir_here(g->code, same);
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
