#include "image/tables/tells.h"

#include "image/lower/deadline.h"
#include "image/lower/generator.h"
#include "image/lower/paths.h"
#include "image/lower/routines.h"
#include "image/lower/times.h"
#include "image/plan/plan.h"
#include "image/tables/dump.h"
#include "image/tables/layout.h"
#include "image/times/holds.h"
#include "image/times/tells.h"
#include "ir/ir.h"

static uint32_t kept(const generator *g, size_t word, uint32_t what)
{
    return g->plan->tells + TELLS_WORD_BYTES * (uint32_t)word + what;
}

/* rd becomes the bits of a word that matter, as NP tells them. */
static void load_bits(generator *g, size_t word, es_ir_reg rd)
{
    es_ir_load(g->code, ES_IR_LOAD, rd, ES_IR_NP, ES_MI_NODE_TELLS + 4 * (int32_t)word);
    es_ir_const(g->code, ES_IR_T6, es_tells_mask(g->plan, NULL, word));
    es_ir_value(g->code, ES_IR_AND, rd, rd, ES_IR_T6);
}

/* Notes which bits have changed; jumps to `same` when none has. */
static void compare(generator *g, unsigned same)
{
    es_ir_code *code = g->code;
    unsigned now_known = es_ir_label(code), unknown = es_ir_label(code), some = es_ir_label(code);
    es_paths_unless_known(code, unknown);
    es_times_load(g, ES_IR_T1, g->plan->tells + TELLS_UNKNOWN);
    es_ir_branch(code, ES_IR_IF_NE, ES_IR_T1, ES_IR_ZERO, now_known);
    es_ir_const(code, ES_IR_T2, 0);
    for (size_t word = 0; word < es_tells_words(g->plan); word++) {
        if (!es_tells_mask(g->plan, NULL, word))
            continue;
        load_bits(g, word, ES_IR_T1);
        es_times_load(g, ES_IR_T3, kept(g, word, TELLS_BITS));
        es_ir_value(code, ES_IR_XOR, ES_IR_T1, ES_IR_T1, ES_IR_T3);
        es_times_store(g, ES_IR_T1, kept(g, word, TELLS_CHANGED));
        es_ir_value(code, ES_IR_OR, ES_IR_T2, ES_IR_T2, ES_IR_T1);
    }
    es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T2, ES_IR_ZERO, same);
    es_ir_jump(code, some);
    es_ir_here(code, unknown);
    es_times_load(g, ES_IR_T1, g->plan->tells + TELLS_UNKNOWN);
    es_ir_branch(code, ES_IR_IF_NE, ES_IR_T1, ES_IR_ZERO, same);
    es_ir_here(code, now_known);
    es_ir_const(code, ES_IR_T1, 0xFFFFFFFFu);
    for (size_t word = 0; word < es_tells_words(g->plan); word++)
        es_times_store(g, ES_IR_T1, kept(g, word, TELLS_CHANGED));
    es_ir_here(code, some);
}

/* What NP tells is what counts from now on. */
static void keep(generator *g)
{
    es_ir_code *code = g->code;
    unsigned unknown = es_ir_label(code), done = es_ir_label(code);
    es_paths_unless_known(code, unknown);
    es_times_store(g, ES_IR_ZERO, g->plan->tells + TELLS_UNKNOWN);
    for (size_t word = 0; word < es_tells_words(g->plan); word++) {
        if (!es_tells_mask(g->plan, NULL, word))
            continue;
        load_bits(g, word, ES_IR_T1);
        es_times_store(g, ES_IR_T1, kept(g, word, TELLS_BITS));
    }
    es_ir_jump(code, done);
    es_ir_here(code, unknown);
    es_ir_const(code, ES_IR_T1, 1);
    es_times_store(g, ES_IR_T1, g->plan->tells + TELLS_UNKNOWN);
    es_ir_here(code, done);
}

/* Jumps unless one of the bits that a condition asks for has changed. */
static void unless_changed(generator *g, const es_expr *expr, unsigned label)
{
    es_ir_code *code = g->code;
    bool all = true;
    for (size_t word = 0; word < es_tells_words(g->plan); word++)
        all &= es_tells_mask(g->plan, expr, word) == es_tells_mask(g->plan, NULL, word);
    if (all)
        return;
    es_ir_const(code, ES_IR_T3, 0);
    for (size_t word = 0; word < es_tells_words(g->plan); word++) {
        uint32_t mask = es_tells_mask(g->plan, expr, word);
        if (!mask)
            continue;
        es_times_load(g, ES_IR_T1, kept(g, word, TELLS_CHANGED));
        es_ir_const(code, ES_IR_T2, mask);
        es_ir_value(code, ES_IR_AND, ES_IR_T1, ES_IR_T1, ES_IR_T2);
        es_ir_value(code, ES_IR_OR, ES_IR_T3, ES_IR_T3, ES_IR_T1);
    }
    es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T3, ES_IR_ZERO, label);
}

/* Those whose conditions are evaluated when they are told. */
static void tell_unchanged(generator *g)
{
    for (size_t i = 0; i < g->plan->deadline_count; i++) {
        const plan_deadline *deadline = &g->plan->deadlines[i];
        unsigned next = es_ir_label(g->code);
        if (deadline->holds || !es_tells_asks(deadline->condition->expr))
            continue;
        unless_changed(g, deadline->condition->expr, next);
        es_deadline_ask(g, deadline);
        es_ir_here(g->code, next);
    }
}

/* The routine of a deadline's handler. */
static uint32_t note_at(const image_builder *b, size_t deadline)
{
    size_t i = 0;
    while (b->plan.handlers[i].purpose != PLAN_DEADLINE || b->plan.handlers[i].number != deadline)
        i++;
    return b->routine_at[i];
}

static void note_holds(const image_builder *b, generator *g)
{
    for (size_t i = 0; i < g->plan->deadline_count; i++) {
        const plan_deadline *deadline = &g->plan->deadlines[i];
        unsigned next = es_ir_label(g->code);
        if (!deadline->holds || !es_tells_asks(deadline->condition->expr))
            continue;
        unless_changed(g, deadline->condition->expr, next);
        es_ir_const(g->code, ES_IR_A0, HOLDS_EVENT);
        es_routine_run(g->code, ES_IR_RA, note_at(b, i));
        es_ir_here(g->code, next);
    }
}

void es_tells_write(image_builder *b)
{
    image_plan *plan = &b->plan;
    es_ir_code *code = &b->code;
    generator g = {.plan = plan, .code = code};
    if (!es_tells_any(plan))
        return;
    es_code_begin(b);
    unsigned same = es_ir_label(code);
    compare(&g, same);
    es_times_store(&g, ES_IR_RA, plan->tells + TELLS_BACK);
    tell_unchanged(&g);
    keep(&g);
    note_holds(b, &g);
    es_times_load(&g, ES_IR_RA, plan->tells + TELLS_BACK);
    es_times_store(&g, ES_IR_ZERO, plan->tells + TELLS_BACK);
    es_ir_here(code, same);
    es_ir_return(code, ES_IR_RA, 0);
    es_dump_title(b, "the truth of paths may have changed");
    plan->tells_at = es_code_put(b);
}
