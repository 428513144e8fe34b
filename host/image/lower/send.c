#include "image/lower/send.h"

#include "image/image.h"
#include "image/lower/actions.h"
#include "image/lower/cover.h"
#include "image/lower/deadline.h"
#include "image/lower/place.h"
#include "image/lower/routines.h"
#include "image/lower/snapshot.h"
#include "image/lower/times.h"
#include "image/lower/which.h"
#include "image/plan/plan.h"
#include "ir/ir.h"
#include "lang/statement.h"

/* --- what may be unknown ---------------------------------------------------------------------------------- */

/* Marks what an expression surely reads whenever it is evaluated: bit 0 the value, bit 1 the old value. */
static void mark_read(const es_expr *expr, uint8_t *marks)
{
    if (expr->kind == ES_EXPR_REFERENCE)
        marks[expr->index] |= 1;
    else if (expr->kind == ES_EXPR_OLD)
        marks[expr->index] |= 2;
    else if (expr->kind == ES_EXPR_CHOICE) {
        mark_read(expr->condition, marks);
    } else if (expr->kind == ES_EXPR_UNARY || expr->kind == ES_EXPR_BINARY || expr->kind == ES_EXPR_CONVERT) {
        mark_read(expr->lhs, marks);
        if (expr->kind == ES_EXPR_BINARY && expr->op != ES_OP_LOGAND && expr->op != ES_OP_LOGOR)
            mark_read(expr->rhs, marks);
    }
}

/* The same of one that is true: so are all that `&&` joins. */
static void mark_true(const es_expr *expr, uint8_t *marks)
{
    if (expr->kind == ES_EXPR_BINARY && expr->op == ES_OP_LOGAND) {
        mark_true(expr->lhs, marks);
        mark_true(expr->rhs, marks);
    } else {
        mark_read(expr, marks);
    }
}

/* What the condition has read: then it is known. */
static uint8_t *marks_of(const generator *g)
{
    const es_statement *statement = g->statement->statement;
    uint8_t *marks = es_arena_alloc(g->plan->arena, statement->reference_count + 1);
    if (statement->predicate && !g->statement->compound)
        mark_true(statement->predicate, marks);
    return marks;
}

static bool may_be_unknown(const generator *g, const es_print_item *item, const uint8_t *marks)
{
    if (item->kind == ES_ITEM_AGE)
        return true;
    return item->kind == ES_ITEM_VALUE && !(marks[item->index] & (item->old ? 2 : 1)) &&
           !(g->statement->direct && !item->old);
}

static bool any_unknown(generator *g)
{
    const es_statement *statement = g->statement->statement;
    const uint8_t *marks = marks_of(g);
    for (size_t k = 0, count = es_image_value_count(statement); k < count; k++)
        if (may_be_unknown(g, es_image_value(statement, k), marks))
            return !g->statement->covered && !g->statement->stack;
    return false;
}

/* Reads what will be printed and may be unknown: then g->unknown is gone to, or REG_UNKNOWN is set. */
static void read_printed(generator *g)
{
    const es_statement *statement = g->statement->statement;
    uint8_t *marks = marks_of(g);
    for (size_t k = 0, count = es_image_value_count(statement); k < count; k++) {
        const es_print_item *item = es_image_value(statement, k);
        if (!may_be_unknown(g, item, marks))
            continue;
        if (item->kind == ES_ITEM_AGE) {
            es_times_check_written(g, item->index);
            continue;
        }
        marks[item->index] |= item->old ? 2 : 1;
        es_place_value(g, item->index, item->old);
    }
}

void es_send_check_late(generator *g)
{
    read_printed(g);
}

/* --- words -------------------------------------------------------------------------------------------------- */

static void send_word(generator *g, unsigned rs, bool last)
{
    es_ir_store(g->code, ES_IR_STORE, rs, ES_IR_HIT, (int32_t)(last ? ES_REG_EV_LAST : ES_REG_EV_DATA));
}

static uint32_t times_words(const image_plan *plan)
{
    return plan->tells_times ? ES_IMAGE_TIMES : 0;
}

size_t es_send_besides(generator *g)
{
    bool marked = !g->late && any_unknown(g);
    return 5 + times_words(g->plan) + (marked ? es_image_unknown_words(g->statement->statement) : 0);
}

static void send_times(generator *g, bool last)
{
    es_ir_reg rd = es_codegen_register(g, 0);
    for (uint32_t number = 0; number < ES_IMAGE_TIMES - 1; number++) {
        es_ir_load(g->code, ES_IR_LOAD, rd, ES_IR_RAM_BASE, (int32_t)(g->plan->times + 4 * number));
        send_word(g, rd, false);
    }
    es_ir_load(g->code, ES_IR_LOAD, rd, ES_IR_HIT, (int32_t)ES_REG_TIME_NOW);
    send_word(g, rd, last);
}

/* The frame's head with so many words, when there is room: else it does not come back. */
static void send_head(generator *g, uint32_t words)
{
    unsigned wait = es_ir_label(g->code), go = es_ir_label(g->code);
    es_ir_const(g->code, ES_IR_T1, (words - 1) << 16 | (uint32_t)g->number);
    es_ir_branch(g->code, ES_IR_IF_NE, ES_IR_TOP, ES_IR_KNOWN, wait);
    es_ir_branch(g->code, ES_IR_IF_NE, ES_IR_TOP, ES_IR_SENT, wait);
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_T0, ES_IR_HIT, (int32_t)ES_REG_EV_ROOM);
    es_ir_branch(g->code, ES_IR_IF_NOT_BELOW, ES_IR_T0, ES_IR_ROOM, go);
    es_ir_here(g->code, wait);
    es_routine_call(g->code, g->routines, ROUTINE_ready);
    es_ir_here(g->code, go);
    if (g->late)
        es_deadline_head(g, words);
    else if (g->statement->has_controls && !g->statement->stack)
        es_routine_call(g->code, g->routines, ROUTINE_head);
    else
        es_ir_store(g->code, ES_IR_STORE, ES_IR_T1, ES_IR_HIT, (int32_t)ES_REG_EV_HIT);
    if (g->statement->covered)
        es_cover_told(g);
}

/* The k-th value. It has two words when value.high is not zero. */
static codegen_pair value_of(generator *g, size_t k)
{
    const es_print_item *item = es_image_value(g->statement->statement, k);
    codegen_pair value = {ES_IR_ZERO, ES_IR_ZERO};
    if (item->kind == ES_ITEM_COUNTER) {
        value.low = es_codegen_register(g, 0);
        es_actions_counter(g, k, value.low);
    } else {
        value = item->kind == ES_ITEM_VALUE ? es_place_value(g, item->index, item->old) : es_times_item(g, item);
    }
    return value;
}

/* All is known. Registers hold nothing any more: what goes before the frame may have used them. */
static void send_known(generator *g)
{
    const es_statement *statement = g->statement->statement;
    size_t count = es_image_value_count(statement), snapshots = es_image_snapshot_count(statement);
    const es_print_item *end = count ? es_image_value(statement, count - 1) : NULL;
    bool shows = snapshots || (end && (end->kind == ES_ITEM_WHICH || end->kind == ES_ITEM_BACKTRACE));
    bool times = g->plan->tells_times;
    send_head(g, 5 + (uint32_t)es_image_words(statement) + times_words(g->plan));
    g->checks_old = false;
    for (size_t k = 0; k < count; k++) {
        const es_print_item *item = es_image_value(statement, k);
        bool two = es_image_value_words(statement, item) == 2, last = k + 1 == count && !shows && !times;
        if (item->kind == ES_ITEM_WHICH)
            es_which_send(g, item);
        if (item->kind == ES_ITEM_WHICH || item->kind == ES_ITEM_BACKTRACE)
            continue;
        codegen_pair value = value_of(g, k);
        send_word(g, value.low, last && !two);
        if (two)
            send_word(g, value.high, last);
    }
    if (snapshots)
        es_snapshot_send(g);
    if (times) {
        send_times(g, true);
    } else if (shows && es_image_words(statement)) {
        es_ir_store(g->code, ES_IR_STORE, ES_IR_ZERO, ES_IR_HIT, (int32_t)ES_REG_EV_END);
    } else if (!es_image_words(statement)) {
        es_ir_load(g->code, ES_IR_LOAD, ES_IR_T1, ES_IR_HIT, (int32_t)ES_REG_EV_ROOM); /* the head takes its time */
        es_ir_store(g->code, ES_IR_STORE, ES_IR_ZERO, ES_IR_HIT, (int32_t)ES_REG_EV_END);
    }
    es_ir_return(g->code, ES_IR_RA, 0);
}

/* --- what is not known --------------------------------------------------------------------------------------- */

/* The k-th value, and in `unknown` its bit in the word when it is not known: the words are then what memory holds. */
static void send_or_mark(generator *g, size_t k, es_ir_reg unknown)
{
    es_ir_code *code = g->code;
    const es_print_item *item = es_image_value(g->statement->statement, k);
    bool two = es_image_value_words(g->statement->statement, item) == 2;
    unsigned none = es_ir_label(code), there = es_ir_label(code);
    es_ir_reg low = es_ir_new(code), high = es_ir_new(code), met = es_ir_new(code);
    g->unknown = none;
    if (item->kind == ES_ITEM_AGE)
        es_times_check_written(g, item->index);
    codegen_pair value = value_of(g, k);
    es_ir_copy(code, low, value.low);
    if (two)
        es_ir_copy(code, high, value.high);
    es_ir_load(code, ES_IR_LOAD, met, ES_IR_HIT, (int32_t)ES_REG_UNKNOWN);
    es_ir_jump(code, there);
    es_ir_here(code, none);
    es_ir_load(code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_UNKNOWN); /* from here on */
    es_ir_const(code, low, 0);
    if (two)
        es_ir_const(code, high, 0);
    es_ir_const(code, met, 1);
    es_ir_here(code, there);
    send_word(g, low, false);
    if (two)
        send_word(g, high, false);
    if (k % 32)
        es_ir_immediate(code, ES_IR_SHL_I, met, met, k % 32);
    es_ir_value(code, ES_IR_OR, unknown, unknown, met);
}

/* The same frame with words at its end whose bits tell which values are not known. */
static void send_marked(generator *g, const uint8_t *marks)
{
    const es_statement *statement = g->statement->statement;
    size_t count = es_image_value_count(statement), mark_words = es_image_unknown_words(statement);
    es_ir_reg unknown[ES_FRAME_MAX_WORDS / 32 + 1] = {0};
    send_head(g, 5 + (uint32_t)(es_image_words(statement) + times_words(g->plan) + mark_words));
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_UNKNOWN); /* from here on */
    for (size_t i = 0; i < mark_words; i++) {
        unknown[i] = es_ir_new(g->code);
        es_ir_const(g->code, unknown[i], 0);
    }
    for (size_t k = 0; k < count; k++) {
        const es_print_item *item = es_image_value(statement, k);
        if (item->kind == ES_ITEM_BACKTRACE) {
            continue;
        } else if (item->kind == ES_ITEM_WHICH) {
            es_which_send(g, item);
        } else if (may_be_unknown(g, item, marks)) {
            g->checks_old = true;
            send_or_mark(g, k, unknown[k / 32]);
        } else {
            g->checks_old = false;
            codegen_pair value = value_of(g, k);
            send_word(g, value.low, false);
            if (es_image_value_words(statement, item) == 2)
                send_word(g, value.high, false);
        }
    }
    es_snapshot_send(g);
    if (g->plan->tells_times)
        send_times(g, false);
    for (size_t i = 0; i < mark_words; i++)
        send_word(g, unknown[i], i + 1 == mark_words);
    es_ir_return(g->code, ES_IR_RA, 0);
}

void es_send_hit(generator *g)
{
    unsigned marked = es_ir_label(g->code), before = g->unknown;
    bool any = !g->late && any_unknown(g), reads = g->reads;
    if (any) {
        g->unknown = marked;
        g->checks_old = true;
        g->reads = false;
        read_printed(g);
        if (g->reads) {
            es_ir_load(g->code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_UNKNOWN);
            es_ir_branch(g->code, ES_IR_IF_NE, ES_IR_T6, ES_IR_ZERO, marked);
        }
    }
    send_known(g);
    if (any) {
        es_ir_here(g->code, marked);
        send_marked(g, marks_of(g));
    }
    g->unknown = before;
    g->reads = reads;
}
