#include "image/lower/holds.h"

#include "image/image.h"
#include "image/lower/deadline.h"
#include "image/lower/element.h"
#include "image/lower/expected.h"
#include "image/lower/expression.h"
#include "image/lower/generator.h"
#include "image/lower/order.h"
#include "image/lower/paths.h"
#include "image/lower/place.h"
#include "image/lower/times.h"
#include "image/plan/plan.h"
#include "image/plan/writes.h"
#include "image/times/deadline.h"
#include "image/times/holds.h"
#include "image/times/tells.h"
#include "ir/ir.h"
#include "lang/statement.h"

static void store_value(generator *g, size_t index, codegen_pair value, uint32_t at)
{
    if (!at)
        return;
    es_times_store(g, value.low, at);
    if (plan_is_wide(&g->statement->statement->references[index]))
        es_times_store(g, value.high, at + 4);
}

/* Copies what the condition names, or all else. */
static void copy_shown(generator *g, const plan_deadline *deadline, bool event)
{
    const es_statement *statement = g->statement->statement;
    for (size_t i = 0; i < statement->reference_count; i++) {
        uint32_t copy = holds_copy(deadline, i), shown = holds_shown(deadline, i);
        if ((!copy && !shown) || deadline->held[i].event != event)
            continue;
        codegen_pair value = es_place_value(g, i, false);
        store_value(g, i, value, copy);
        store_value(g, i, value, shown == copy ? 0 : shown);
    }
}

static void unless_known(generator *g)
{
    if (!g->reads)
        return;
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_UNKNOWN);
    es_ir_branch(g->code, ES_IR_IF_NE, ES_IR_T6, ES_IR_ZERO, g->unknown);
}

/* Of a condition that is evaluated where paths change, a local that is only shown: the condition may begin to be true
 * with the activation, before anybody knows where that has its frame. */
static bool is_shown_later(const plan_deadline *deadline, const es_statement *statement, size_t index)
{
    const es_reference *reference = &statement->references[index];
    const plan_held *held = &deadline->held[index];
    return held->needed && !held->event && !held->aged && reference->frame && !reference->via &&
           !reference->subscript_count && es_tells_asks(deadline->condition->expr);
}

/* Jumps to `nowhere` where a frame is not known yet of which something is shown. */
static void unless_located(generator *g, const plan_deadline *deadline, unsigned nowhere)
{
    const es_statement *statement = g->statement->statement;
    for (size_t i = 0; i < statement->reference_count; i++) {
        if (!is_shown_later(deadline, statement, i) ||
            !es_plan_frame_of(g->plan, statement->references[i].frame)->moves)
            continue;
        es_codegen_cell(g, statement->references[i].frame, ES_IR_T1);
        es_ir_branch(g->code, ES_IR_IF_EQ, ES_IR_T1, ES_IR_ZERO, nowhere);
    }
}

/* Jumps to `lost` when a path that is asked for is not known, to `gone` unless all exists, to `no` when that is so or
 * the write was to other elements (a0 is 0 then). */
static void check_exists(generator *g, const plan_deadline *deadline, unsigned lost, unsigned gone, unsigned no)
{
    const es_statement *statement = g->statement->statement;
    uint8_t *used = es_arena_alloc(g->plan->arena, statement->reference_count + 1);
    bool paths = false, elements = false;
    for (size_t i = 0; i < statement->reference_count; i++) {
        used[i] = is_shown_later(deadline, statement, i) ? PLACE_LATER : deadline->held[i].needed ? PLACE_VALUE : 0;
        paths |= deadline->held[i].needed && statement->references[i].path != NULL;
        elements |= deadline->held[i].needed && statement->references[i].subscript_count > 0;
    }
    if (es_tells_asks(deadline->condition->expr))
        es_paths_unless_known(g->code, lost);
    else if (paths && g->plan->path_count) /* too deep for NP to be known */
        es_ir_branch(g->code, ES_IR_IF_EQ, ES_IR_NP, ES_IR_ZERO, g->unknown);
    es_place_check(g, used, gone);
    if (elements) {
        if (es_element_find(g, used, no))
            es_ir_branch(g->code, ES_IR_IF_EQ, ES_IR_A0, ES_IR_ZERO, no);
        unless_known(g); /* an index */
    }
}

/* Jumps to `begin` unless elements with a variable index are those of the event before; stores them when `store`. */
static void elements_same(generator *g, const plan_deadline *deadline, unsigned begin, bool store)
{
    for (size_t i = 0; i < g->statement->statement->reference_count; i++) {
        uint32_t at = deadline->held[i].element;
        if (!at)
            continue;
        es_ir_copy(g->code, ES_IR_T1, es_place_address(g, i, false, 0).base);
        if (store) {
            es_times_store(g, ES_IR_T1, deadline->record + at);
        } else {
            es_times_load(g, ES_IR_T3, deadline->record + at);
            es_ir_branch(g->code, ES_IR_IF_NE, ES_IR_T1, ES_IR_T3, begin);
        }
    }
}

/* Jumps to `begin` unless it has been so since the event before. The state is in t2. */
static void goes_on(generator *g, const plan_deadline *deadline, unsigned begin)
{
    es_ir_immediate(g->code, ES_IR_AND_I, ES_IR_T1, ES_IR_T2, DEADLINE_HOLDS | DEADLINE_ENDED);
    es_ir_immediate(g->code, ES_IR_ADD_I, ES_IR_T1, ES_IR_T1, -DEADLINE_HOLDS);
    es_ir_branch(g->code, ES_IR_IF_NE, ES_IR_T1, ES_IR_ZERO, begin);
    elements_same(g, deadline, begin, false);
}

/* Jumps to `begin` unless x is what it was. The state is in t2. */
static void compare(generator *g, const plan_deadline *deadline, codegen_pair x, unsigned begin)
{
    es_ir_code *code = g->code;
    const es_statement *statement = g->statement->statement;
    size_t index = es_holds_index(deadline, statement);
    const plan_held *held = &deadline->held[index];
    unsigned written = es_ir_label(code), same = es_ir_label(code);
    bool wide = plan_is_wide(&statement->references[index]);
    if (deadline->from_start) {
        es_ir_immediate(code, ES_IR_AND_I, ES_IR_T1, ES_IR_T2, DEADLINE_WRITTEN);
        es_ir_branch(code, ES_IR_IF_NE, ES_IR_T1, ES_IR_ZERO, written);
        if (held->known) {
            for (unsigned word = 0; word < (wide ? 2u : 1u); word++) {
                es_ir_const(code, ES_IR_T1, held->initial[word]);
                es_ir_branch(code, ES_IR_IF_NE, word ? x.high : x.low, ES_IR_T1, begin);
            }
            es_ir_immediate(code, ES_IR_OR_I, ES_IR_T2, ES_IR_T2, DEADLINE_WRITTEN | DEADLINE_HOLDS);
            es_ir_jump(code, same);
        } else {
            es_ir_jump(code, begin);
        }
        es_ir_here(code, written);
        if (!held->known) {
            es_ir_immediate(code, ES_IR_AND_I, ES_IR_T1, ES_IR_T2, DEADLINE_UNSEEN);
            es_ir_branch(code, ES_IR_IF_NE, ES_IR_T1, ES_IR_ZERO, begin);
        }
    }
    goes_on(g, deadline, begin);
    for (unsigned word = 0; word < (wide ? 2u : 1u); word++) {
        es_times_load(g, ES_IR_T1, holds_copy(deadline, index) + 4 * word);
        es_ir_branch(code, ES_IR_IF_NE, word ? x.high : x.low, ES_IR_T1, begin);
    }
    es_ir_here(code, same);
}

/* An event of the condition. Jumps to `no` when it is not so. */
static void evaluate_event(generator *g, const plan_deadline *deadline, unsigned no)
{
    es_ir_code *code = g->code;
    const es_statement *statement = g->statement->statement;
    unsigned begin = es_ir_label(code), done = es_ir_label(code);
    if (deadline->holds) {
        es_codegen_condition(g, deadline->condition->expr, no, false);
        copy_shown(g, deadline, true);
        unless_known(g);
        es_times_load(g, ES_IR_T2, deadline->record + DEADLINE_STATE);
        goes_on(g, deadline, begin);
    } else {
        size_t index = es_holds_index(deadline, statement);
        codegen_pair x = es_place_value(g, index, false);
        unless_known(g);
        es_times_load(g, ES_IR_T2, deadline->record + DEADLINE_STATE);
        compare(g, deadline, x, begin);
    }
    es_ir_jump(code, done);
    es_ir_here(code, begin);
    es_times_now(g, ES_IR_T1, ES_IR_T2);
    es_times_store(g, ES_IR_T1, deadline->record);
    es_times_store(g, ES_IR_T2, deadline->record + 4);
    es_order_begun(g, ES_IR_T1);
    elements_same(g, deadline, 0, true);
    es_ir_const(code, ES_IR_T2, DEADLINE_HOLDS | DEADLINE_WRITTEN);
    es_ir_here(code, done);
    es_times_store(g, ES_IR_T2, deadline->record + DEADLINE_STATE);
    if (!deadline->holds)
        copy_shown(g, deadline, true); /* what x is found by may be shown, too */
}

/* The first write that matters is to something that is only shown: x is still as the program file has it. The
 * state is in t2. */
static void copy_initial(generator *g, const plan_deadline *deadline)
{
    es_ir_code *code = g->code;
    const es_statement *statement = g->statement->statement;
    size_t index = es_holds_index(deadline, statement);
    const plan_held *held = &deadline->held[index];
    unsigned written = es_ir_label(code);
    es_ir_immediate(code, ES_IR_AND_I, ES_IR_T1, ES_IR_T2, DEADLINE_WRITTEN);
    es_ir_branch(code, ES_IR_IF_NE, ES_IR_T1, ES_IR_ZERO, written);
    for (unsigned word = 0; held->known && word < (plan_is_wide(&statement->references[index]) ? 2u : 1u); word++) {
        es_ir_const(code, ES_IR_T1, held->initial[word]);
        es_times_store(g, ES_IR_T1, holds_copy(deadline, index) + 4 * word);
        if (deadline->part && holds_shown(deadline, index))
            es_times_store(g, ES_IR_T1, holds_shown(deadline, index) + 4 * word);
    }
    es_ir_immediate(code, ES_IR_OR_I, ES_IR_T2, ES_IR_T2,
                    DEADLINE_WRITTEN | DEADLINE_HOLDS | (held->known ? 0 : DEADLINE_UNSEEN));
    es_times_store(g, ES_IR_T2, deadline->record + DEADLINE_STATE);
    es_ir_here(code, written);
}

/* What is only shown, while it is so; `done`: it is not. The state is in RAM. */
static void copy_others(generator *g, const plan_deadline *deadline, unsigned done)
{
    es_ir_code *code = g->code;
    uint32_t state = deadline->record + DEADLINE_STATE;
    unsigned known = es_ir_label(code), nowhere = es_ir_label(code);
    es_times_load(g, ES_IR_T2, state);
    if (deadline->from_start)
        copy_initial(g, deadline);
    es_ir_immediate(code, ES_IR_AND_I, ES_IR_T1, ES_IR_T2, DEADLINE_HOLDS | DEADLINE_ENDED);
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T1, ES_IR_T1, -DEADLINE_HOLDS);
    es_ir_branch(code, ES_IR_IF_NE, ES_IR_T1, ES_IR_ZERO, done);
    unless_located(g, deadline, nowhere);
    copy_shown(g, deadline, false);
    es_times_load(g, ES_IR_T2, state);
    es_ir_immediate(code, ES_IR_AND_I, ES_IR_T2, ES_IR_T2, ~DEADLINE_UNKNOWN);
    es_ir_load(code, ES_IR_LOAD, ES_IR_T1, ES_IR_HIT, (int32_t)ES_REG_UNKNOWN);
    es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T1, ES_IR_ZERO, known);
    es_ir_here(code, nowhere);
    es_ir_immediate(code, ES_IR_OR_I, ES_IR_T2, ES_IR_T2, DEADLINE_UNKNOWN);
    es_ir_here(code, known);
    es_times_store(g, ES_IR_T2, state);
}

/* Whether a condition that is evaluated where paths change names locals. */
static bool names_locals(const plan_deadline *deadline, const es_statement *statement)
{
    bool locals = false;
    for (size_t i = 0; i < statement->reference_count; i++)
        locals |= deadline->held[i].event && statement->references[i].frame;
    return locals && es_tells_asks(deadline->condition->expr);
}

void es_holds_note_write(generator *g, const plan_deadline *deadline)
{
    es_ir_code *code = g->code;
    const es_statement *statement = g->statement->statement;
    uint32_t state = deadline->record + DEADLINE_STATE;
    bool events = es_holds_has_events(deadline, statement), others = es_holds_shows(deadline, statement);
    unsigned no = es_ir_label(code), gone = es_ir_label(code), other = es_ir_label(code), shown = es_ir_label(code);
    unsigned done = es_ir_label(code), lost = es_ir_label(code);
    g->unknown = es_ir_label(code);
    es_times_store(g, ES_IR_RA, deadline->record + DEADLINE_BACK);
    if (events)
        es_times_store(g, ES_IR_A0, deadline->record + DEADLINE_EVENTS);
    es_deadline_ask(g, deadline);
    if (events)
        es_times_load(g, ES_IR_A0, deadline->record + DEADLINE_EVENTS);
    check_exists(g, deadline, lost, gone, other);
    if (events) {
        es_ir_immediate(code, ES_IR_AND_I, ES_IR_T6, ES_IR_A0, ~(int32_t)HOLDS_SHOWN);
        es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, shown);
    }
    evaluate_event(g, deadline, no);
    es_ir_jump(code, shown);
    es_ir_here(code, g->unknown);
    if (names_locals(deadline, statement)) { /* one that is not written yet: its first write is an event */
        es_ir_load(code, ES_IR_LOAD, ES_IR_T1, ES_IR_HIT, (int32_t)ES_REG_UNKNOWN);
        es_times_load(g, ES_IR_T1, g->plan->tells + TELLS_BACK);
        es_ir_branch(code, ES_IR_IF_NE, ES_IR_T1, ES_IR_ZERO, gone);
    }
    es_ir_here(code, lost);
    es_expected_count_unknown(g, ES_IR_T1);
    es_ir_jump(code, gone);
    es_ir_here(code, other); /* an index is out of range, or the write was to other elements */
    if (events) {
        unless_known(g);
        es_ir_branch(code, ES_IR_IF_EQ, ES_IR_A0, ES_IR_ZERO, done);
        es_ir_jump(code, gone);
    }
    es_ir_here(code, no);
    unless_known(g);
    es_ir_here(code, gone);
    es_ir_const(code, ES_IR_T2, DEADLINE_WRITTEN);
    es_times_store(g, ES_IR_T2, state);
    es_ir_here(code, shown);
    if (others)
        copy_others(g, deadline, done);
    es_ir_here(code, done);
    es_times_load(g, ES_IR_RA, deadline->record + DEADLINE_BACK);
    es_ir_return(code, ES_IR_RA, 0);
}
