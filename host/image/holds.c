#include "image/holds.h"

#include "image/deadline.h"
#include "image/image.h"
#include "image/times.h"

bool holds_is(const es_statement *statement)
{
    return statement->event && statement->event->kind == ES_EVENT_WHEN && statement->event->condition->holds_for.count;
}

/* --- plan ---------------------------------------------------------------------------------------------------------------- */

/* The first part of an expression that is about a moment, or NULL. */
static const es_expr *momentary(const es_expr *expr)
{
    if (!expr)
        return NULL;
    switch (expr->kind) {
    case ES_EXPR_CONST: case ES_EXPR_REFERENCE: case ES_EXPR_COUNTER: case ES_EXPR_UNARY: case ES_EXPR_BINARY: case ES_EXPR_CONVERT:
    case ES_EXPR_CHOICE: break;
    default: return expr;
    }
    const es_expr *found = momentary(expr->condition);
    if (!found)
        found = momentary(expr->lhs);
    return found || expr->kind == ES_EXPR_UNARY || expr->kind == ES_EXPR_CONVERT ? found : momentary(expr->rhs);
}

bool holds_check(const image_plan *plan, const es_statement *statement, es_error *err)
{
    const es_expr *part = momentary(statement->event->condition->expr);
    if (part)
        return plan_refuse_at(plan, part->source, 1, err, "x > 80 for 10ms; or A then B && elapsed > 10ms",
                              "in this version `for` takes a condition on values of variables and counters");
    for (size_t i = 0; i < statement->reference_count; i++) {
        const es_reference *reference = &statement->references[i];
        if (reference->frame || reference->via || reference->subscript_count)
            return plan_refuse(plan, statement, i, err, "copy it to a global",
                               "%s: in this version `for` takes variables of static storage, without variable index", reference->text);
        if (i >= statement->predicate_count)
            return plan_refuse(plan, statement, i, err, "have the condition name it: x > 80 && (y == y) for 10ms",
                               "%s: in this version a statement with `for` prints variables that its condition names", reference->text);
    }
    for (size_t k = 0; k < es_image_value_count(statement); k++) {
        const es_print_item *item = es_image_value(statement, k);
        if (item->old || (item->kind != ES_ITEM_VALUE && item->kind != ES_ITEM_COUNTER))
            return plan_refuse_at(plan, statement->source, 1, err, "print x",
                                  "%s: in this version a statement with `for` prints values and counters", item->name);
    }
    return true;
}

/* Where the copies are, behind the record; the whole statement's when index is no reference's. */
static uint32_t copy_of(const es_statement *statement, size_t index)
{
    uint32_t at = DEADLINE_RECORD_BYTES;
    for (size_t k = 0; k < es_image_value_count(statement); k++) {
        const es_print_item *item = es_image_value(statement, k);
        if (item->kind != ES_ITEM_VALUE)
            continue;
        if (item->index == index)
            break;
        at += 4 * (uint32_t)es_image_value_words(statement, item);
    }
    return at;
}

uint32_t holds_copies(const es_statement *statement)
{
    return copy_of(statement, SIZE_MAX) - DEADLINE_RECORD_BYTES;
}

/* --- code ------------------------------------------------------------------------------------------------------------------ */

static void copy_printed(generator *g, const plan_deadline *deadline)
{
    const es_statement *statement = g->statement->statement;
    for (size_t k = 0; k < es_image_value_count(statement); k++) {
        const es_print_item *item = es_image_value(statement, k);
        unsigned rd = codegen_register(g, 0), high = codegen_register(g, 1);
        if (item->kind != ES_ITEM_VALUE)
            continue;
        codegen_reference(g, item->index, false, rd, high);
        times_store(g, rd, deadline->record + copy_of(statement, item->index));
        if (es_image_value_words(statement, item) == 2)
            times_store(g, high, deadline->record + copy_of(statement, item->index) + 4);
    }
}

static void unless_known(generator *g)
{
    if (!g->reads)
        return;
    rv_i(g->code, RV_LW, RV_T6, RV_REGS, (int32_t)ES_REG_UNKNOWN);
    rv_branch(g->code, RV_BNE, RV_T6, RV_ZERO, g->unknown);
}

void holds_note_write(generator *g, const plan_deadline *deadline)
{
    rv_code *code = g->code;
    uint32_t record = deadline->record;
    unsigned no = rv_label(code), done = rv_label(code), store = rv_label(code);
    g->unknown = rv_label(code);
    times_store(g, RV_RA, record + DEADLINE_BACK);
    times_now(g, RV_T1, RV_T2);
    times_store(g, RV_T1, g->plan->deadline_shared);
    times_store(g, RV_T2, g->plan->deadline_shared + 4);
    rv_call(code, RV_RA, deadline->check_at);
    codegen_condition(g, g->statement->statement->event->condition->expr, 0, no, false);
    copy_printed(g, deadline);
    unless_known(g);
    times_load(g, RV_T2, record + DEADLINE_STATE);
    rv_i(code, RV_ANDI, RV_T1, RV_T2, DEADLINE_HOLDS);
    rv_branch(code, RV_BNE, RV_T1, RV_ZERO, done);
    times_now(g, RV_T1, RV_T2);
    times_store(g, RV_T1, record);
    times_store(g, RV_T2, record + 4);
    rv_li(code, RV_T2, DEADLINE_HOLDS);
    rv_jump(code, store);
    rv_place(code, g->unknown);
    rv_i(code, RV_LW, RV_T1, RV_REGS, (int32_t)ES_REG_UNKNOWN);
    times_load(g, RV_T1, g->plan->unknown);
    rv_i(code, RV_ADDI, RV_T1, RV_T1, 1);
    times_store(g, RV_T1, g->plan->unknown);
    g->reads = false;
    rv_li(code, RV_T2, 0);
    rv_jump(code, store);
    rv_place(code, no);
    g->reads = true;
    unless_known(g);
    rv_li(code, RV_T2, 0);
    rv_place(code, store);
    times_store(g, RV_T2, record + DEADLINE_STATE);
    rv_place(code, done);
    times_load(g, RV_RA, record + DEADLINE_BACK);
    rv_return(code, RV_RA);
}

void holds_load(generator *g, const plan_deadline *deadline, size_t index, unsigned rd, unsigned high)
{
    const es_statement *statement = g->statement->statement;
    uint32_t at = deadline->record + copy_of(statement, index);
    times_load(g, rd, at);
    if (plan_bits(&statement->references[index]) > 32)
        times_load(g, high, at + 4);
}
