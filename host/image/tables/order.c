#include "image/tables/order.h"

#include "image/lower/deadline.h"
#include "image/lower/generator.h"
#include "image/lower/routines.h"
#include "image/lower/times.h"
#include "image/tables/dump.h"
#include "image/tables/layout.h"
#include "image/times/deadline.h"
#include "ir/ir.h"

/* A deadline that is farther away than this counts as one that has to be asked for again then: the low halves of times
 * tell which of two is the later one. */
#define FAR 0x40000000u

/* The earliest deadline, in registers that es_deadline_pending leaves alone. */
enum { FIRST_LOW = 15, FIRST_HIGH = 16 };

static void push(es_ir_code *code, const unsigned *registers, int32_t count)
{
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_SP, ES_IR_SP, -16);
    for (int32_t i = 0; i < count; i++)
        es_ir_store(code, ES_IR_STORE, registers[i], ES_IR_SP, 4 * i);
}

static void pop(es_ir_code *code, const unsigned *registers, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        es_ir_load(code, ES_IR_LOAD, registers[i], ES_IR_SP, 4 * i);
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_SP, ES_IR_SP, 16);
}

/* FIRST becomes the earliest deadline that something waits for. */
static void find_first(generator *g)
{
    es_ir_const(g->code, FIRST_LOW, 0xFFFFFFFFu);
    es_ir_const(g->code, FIRST_HIGH, 0xFFFFFFFFu);
    for (size_t i = 0; i < g->plan->deadline_count; i++) {
        unsigned next = es_ir_label(g->code), take = es_ir_label(g->code);
        es_deadline_pending(g, &g->plan->deadlines[i], next);
        es_ir_branch(g->code, ES_IR_IF_BELOW, ES_IR_T2, FIRST_HIGH, take);
        es_ir_branch(g->code, ES_IR_IF_NE, ES_IR_T2, FIRST_HIGH, next);
        es_ir_branch(g->code, ES_IR_IF_NOT_BELOW, ES_IR_T1, FIRST_LOW, next);
        es_ir_here(g->code, take);
        es_ir_immediate(g->code, ES_IR_ADD_I, FIRST_LOW, ES_IR_T1, 0);
        es_ir_immediate(g->code, ES_IR_ADD_I, FIRST_HIGH, ES_IR_T2, 0);
        es_ir_here(g->code, next);
    }
}

/* Notes before which time none is over: FIRST, or what is not too far away; LIMIT is in t3, t4. */
static void note_next(generator *g)
{
    unsigned far = es_ir_label(g->code), done = es_ir_label(g->code);
    es_ir_immediate(g->code, ES_IR_ADD_I, ES_IR_T1, FIRST_LOW, 0);
    es_ir_immediate(g->code, ES_IR_ADD_I, ES_IR_T2, FIRST_HIGH, 0);
    es_times_subtract(g->code, ES_IR_T1, ES_IR_T2, ES_IR_T3, ES_IR_T4);
    es_ir_branch(g->code, ES_IR_IF_NE, ES_IR_T2, ES_IR_ZERO, far);
    es_ir_const(g->code, ES_IR_T2, FAR);
    es_ir_branch(g->code, ES_IR_IF_BELOW, ES_IR_T1, ES_IR_T2, done);
    es_ir_here(g->code, far);
    es_ir_const(g->code, FIRST_LOW, FAR);
    es_ir_value(g->code, ES_IR_ADD, FIRST_LOW, FIRST_LOW, ES_IR_T3);
    es_ir_here(g->code, done);
    es_times_store(g, FIRST_LOW, g->plan->deadline_shared + DEADLINE_NEXT);
}

/* The routine that header.marks_at names: deadlines up to the time in a0, a1. Each round tells at least one. */
static void write_ordered(generator *g)
{
    static const unsigned kept[] = {ES_IR_RA};
    es_ir_code *code = g->code;
    uint32_t shared = g->plan->deadline_shared;
    unsigned round = es_ir_label(code), tell = es_ir_label(code), done = es_ir_label(code), end = es_ir_label(code);
    push(code, kept, 1);
    es_times_store(g, ES_IR_A0, shared + DEADLINE_LIMIT);
    es_times_store(g, ES_IR_A1, shared + DEADLINE_LIMIT + 4);
    es_ir_const(code, ES_IR_LIST, (uint32_t)g->plan->deadline_count);
    es_ir_here(code, round);
    find_first(g);
    es_times_load(g, ES_IR_T3, shared + DEADLINE_LIMIT);
    es_times_load(g, ES_IR_T4, shared + DEADLINE_LIMIT + 4);
    es_ir_branch(code, ES_IR_IF_BELOW, FIRST_HIGH, ES_IR_T4, tell);
    es_ir_branch(code, ES_IR_IF_NE, FIRST_HIGH, ES_IR_T4, done);
    es_ir_branch(code, ES_IR_IF_BELOW, ES_IR_T3, FIRST_LOW, done);
    es_ir_here(code, tell);
    es_times_store(g, FIRST_LOW, shared + DEADLINE_NOW);
    es_times_store(g, FIRST_HIGH, shared + DEADLINE_NOW + 4);
    es_deadline_check_all(g);
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_LIST, ES_IR_LIST, -1);
    es_ir_branch(code, ES_IR_IF_NE, ES_IR_LIST, ES_IR_ZERO, round);
    es_times_load(g, ES_IR_T1, shared + DEADLINE_LIMIT); /* all may have been told: the next one to ask looks again */
    es_times_store(g, ES_IR_T1, shared + DEADLINE_NEXT);
    es_ir_jump(code, end);
    es_ir_here(code, done);
    note_next(g);
    es_ir_here(code, end);
    pop(code, kept, 1);
    es_ir_return(code, ES_IR_RA, 0);
}

/* The same as of the event, called with t0. */
static void write_settle(generator *g)
{
    static const unsigned kept[] = {ES_IR_RA, ES_IR_T0, ES_IR_A0, ES_IR_LIST};
    push(g->code, kept, 4);
    es_times_now(g, ES_IR_A0, ES_IR_A1);
    es_routine_run(g->code, ES_IR_RA, g->plan->ordered_at);
    pop(g->code, kept, 4);
    es_ir_return(g->code, ES_IR_T0, ES_IR_SET(ES_IR_A0));
}

void es_order_write(image_builder *b)
{
    generator g = {.plan = &b->plan, .code = &b->code};
    if (!b->plan.ordered)
        return;
    es_code_begin(b);
    write_ordered(&g);
    es_dump_title(b, "deadlines that are over, in their order");
    b->plan.ordered_at = es_code_put(b);
    es_code_begin(b);
    write_settle(&g);
    es_dump_title(b, "deadlines that were over before an event");
    b->plan.settle_at = es_code_put(b);
}
