#include "image/lower/exists.h"

#include "image/image.h"
#include "image/lower/generator.h"
#include "image/lower/lives.h"
#include "image/lower/paths.h"
#include "image/paths/automaton.h"
#include "image/plan/indexed.h"
#include "image/plan/paths.h"
#include "image/plan/plan.h"
#include "image/plan/writes.h"
#include "ir/ir.h"
#include "lang/statement.h"

/* Each reference is asked for itself, not only the innermost path: where frames move, that of an outer activation may
 * be known while the inner one's is not, and the other way round. */
typedef struct checker {
    generator *g;
    unsigned no;
    uint8_t *seen; /* by reference */
} checker;

enum { SEEN_REFERENCE = 1, SEEN_FRAME = 2 };

static void check_frame(checker *c, const es_procedure *frame, const es_path *path)
{
    const es_statement *statement = c->g->statement->statement;
    for (size_t i = 0; i < statement->reference_count; i++) {
        const es_reference *other = &statement->references[i];
        if (other->frame != frame || !es_paths_same(other->path, path))
            continue;
        if (c->seen[i] & SEEN_FRAME)
            return;
        c->seen[i] |= SEEN_FRAME;
    }
    es_codegen_cell(c->g, frame, ES_IR_T6);
    es_ir_branch(c->g->code, ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, c->no);
    if (!path || es_plan_frame_of(c->g->plan, frame)->path)
        return; /* whichever way it was called; or the cell tells it */
    es_ir_branch(c->g->code, ES_IR_IF_NOT_LESS, es_paths_test(c->g->code, c->g->plan, path, AUTOMATON_EXISTS),
                 ES_IR_ZERO, c->no);
}

static void check_reference(checker *c, size_t index);

static void check_expr(checker *c, const es_expr *expr)
{
    if (!expr)
        return;
    if (expr->kind == ES_EXPR_REFERENCE || expr->kind == ES_EXPR_OLD || expr->kind == ES_EXPR_WRITE ||
        expr->kind == ES_EXPR_AGE || expr->kind == ES_EXPR_READ || expr->kind == ES_EXPR_UNCHANGED)
        check_reference(c, expr->index);
    check_expr(c, expr->condition);
    check_expr(c, expr->lhs);
    check_expr(c, expr->rhs);
}

/* A reference whose place is known; with what leads to it. */
static void check_place(checker *c, const es_reference *place)
{
    if (place->frame)
        check_frame(c, place->frame, place->path);
    if (place->via)
        check_reference(c, place->base);
    for (size_t i = 0; i < place->subscript_count; i++)
        check_expr(c, place->subscripts[i].index);
}

static void check_reference(checker *c, size_t index)
{
    if (c->seen[index] & SEEN_REFERENCE)
        return;
    c->seen[index] |= SEEN_REFERENCE;
    check_place(c, &c->g->statement->statement->references[index]);
    const plan_index *place = es_indexed_of(c->g->plan, (size_t)(c->g->statement - c->g->plan->statements), index);
    for (size_t i = 0; place && i < place->count; i++)
        check_expr(c, place->subscripts[i].index);
    es_lives_check(c->g, index, c->no);
}

void es_exists_check(generator *g, const es_expr *expr, bool shown, unsigned no)
{
    const es_statement *statement = g->statement->statement;
    checker c = {g, no, es_arena_alloc(g->plan->arena, statement->reference_count + 1)};
    check_expr(&c, expr);
    for (size_t k = 0, count = es_image_value_count(statement); shown && k < count; k++) {
        const es_print_item *item = es_image_value(statement, k);
        if (item->kind == ES_ITEM_VALUE || item->kind == ES_ITEM_AGE)
            check_reference(&c, item->index);
    }
    for (size_t k = 0, count = es_image_snapshot_count(statement); shown && k < count; k++)
        check_place(&c, &es_image_snapshot(statement, k)->place);
}
