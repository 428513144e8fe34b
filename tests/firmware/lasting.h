/* Statements about what lasts, and what is expected of them. */
#ifndef TESTS_FIRMWARE_LASTING_H
#define TESTS_FIRMWARE_LASTING_H

#include "harness.h"

#include <stdlib.h>

static inline es_event_tree *when(es_expr *expr, const es_trigger *trigger, uint64_t clocks)
{
    es_condition *condition = calloc(1, sizeof *condition);
    es_event_tree *event = calloc(1, sizeof *event);
    *condition = (es_condition){
        .expr = expr, .triggers = trigger, .trigger_count = trigger != NULL, .holds_for = {clocks, true}};
    *event = (es_event_tree){.kind = ES_EVENT_WHEN, .condition = condition, .depth = 1};
    return event;
}

/* `expr for 100 cycles { print references[shown] }`; predicate: how many of them it names. */
static inline void holds(es_expr *expr, const es_reference *references, size_t count, size_t predicate, size_t shown)
{
    es_statement *made = tree_statement(&program, NULL, references, count, 1);
    made->event = when(expr, NULL, 100);
    made->predicate_count = predicate;
    made->actions[0].items[0].index = shown;
}

/* `references[x] unchanged for 100 cycles { print references[shown] }` */
static inline void unchanged(const es_reference *references, size_t count, size_t x, size_t shown)
{
    es_expr *expr = tree_write(x);
    expr->kind = ES_EXPR_UNCHANGED;
    expr->duration = (es_duration){100, true};
    es_trigger *trigger = calloc(1, sizeof *trigger);
    *trigger = (es_trigger){.kind = ES_TRIGGER_UNCHANGED, .index = x, .duration = expr->duration};
    es_statement *made = tree_statement(&program, expr, references, count, 1);
    made->event = when(expr, trigger, 0);
    made->actions[0].items[0].index = shown;
}

static inline es_expr *above(size_t index, uint32_t value)
{
    return tree_binary(ES_OP_GT, tree_ref(index), tree_const(value));
}

static inline void begin(void)
{
    start();
    m->time_bits = 16;
}

static inline void at(uint32_t time, uint32_t address, uint32_t value)
{
    m->time = time - 1;
    model_store(m, address, value, 4);
}

/* A deadline's hit, whatever path is told before it. */
static inline const model_frame *expect_hit_of(unsigned statement, uint32_t time, uint32_t value)
{
    const model_frame *frame = model_next(m);
    while (frame && (frame->words[0] & 0xFF) == ES_FRAME_PATH)
        frame = model_next(m);
    ck_assert_ptr_nonnull(frame);
    ck_assert_uint_eq(frame->words[0] & 0xFF, ES_FRAME_HIT);
    ck_assert_uint_eq(frame->words[1], time);
    ck_assert_uint_eq(frame->words[3], ES_HITF_PATH_UNKNOWN << 16 | statement);
    ck_assert_uint_eq(frame->words[4], ES_HIT_NOWHERE);
    ck_assert_uint_eq(frame->words[5], value);
    return frame;
}

static inline const model_frame *expect_told(uint32_t time, uint32_t value)
{
    return expect_hit_of(0, time, value);
}

static inline void mark(uint32_t number)
{
    model_mark(m, ES_MARK_EPOCH, number, 0);
}

#endif
