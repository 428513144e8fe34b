#include "image/lower/written.h"

#include <stdlib.h>

#include "image/lower/generator.h"
#include "image/places/element.h"
#include "image/places/written.h"
#include "image/plan/plan.h"
#include "image/plan/writes.h"
#include "ir/ir.h"
#include "lang/statement.h"

void es_written_forget(es_ir_code *code, const plan_frame *frame)
{
    if (frame->mark_words)
        es_ir_const(code, ES_IR_T1, ES_MI_MARKS_NONE);
    for (uint32_t i = 0; i < frame->mark_words; i++) {
        es_ir_store(code, ES_IR_STORE, ES_IR_T1, ES_IR_RAM_BASE, (int32_t)(frame->marks + 4 * i));
    }
}

void es_written_note(es_ir_code *code, const image_plan *plan, const plan_write *cover, bool some, es_ir_reg begins)
{
    if (!cover->marks)
        return;
    if (cover->old || some) {
        es_ir_load(code, ES_IR_LOAD_BYTE, ES_IR_T4, ES_IR_RAM_BASE, (int32_t)cover->pending);
    }
    if (cover->old) {
        unsigned further = es_ir_label(code);
        if (begins != ES_IR_ZERO)
            es_ir_branch(code, ES_IR_IF_EQ, begins, ES_IR_ZERO, further);
        es_ir_store(code, ES_IR_STORE_BYTE, ES_IR_T4, ES_IR_RAM_BASE,
                    (int32_t)es_plan_frame_of(plan, cover->frame)->before);
        if (begins != ES_IR_ZERO)
            es_ir_here(code, further);
    }
    if (some) {
        es_ir_load(code, ES_IR_LOAD, ES_IR_T1, ES_IR_HIT, (int32_t)ES_REG_HIT_FLAGS);
        es_ir_immediate(code, ES_IR_SHR_I, ES_IR_T1, ES_IR_T1, ES_HIT_LANES_SHIFT);
        es_ir_immediate(code, ES_IR_XOR_I, ES_IR_T1, ES_IR_T1, -1);
        es_ir_value(code, ES_IR_AND, ES_IR_T4, ES_IR_T4, ES_IR_T1);
    }
    es_ir_store(code, ES_IR_STORE_BYTE, some ? ES_IR_T4 : ES_IR_ZERO, ES_IR_RAM_BASE, (int32_t)cover->pending);
}

/* The cover with the mark of a word. */
static const plan_write *cover_of(const image_plan *plan, const es_procedure *frame, uint32_t word)
{
    for (size_t i = 0; i < plan->write_count; i++)
        if (plan->writes[i].cover && plan->writes[i].frame == frame && plan->writes[i].word == word)
            return &plan->writes[i];
    return NULL;
}

static bool written_is_checked(const generator *g, const es_reference *reference, bool old)
{
    const plan_statement *planned = g->statement;
    return planned && planned->checks && g->checks_old &&
           planned->checks[reference - planned->statement->references] &
               (old ? WRITTEN_CHECK_BEFORE : WRITTEN_CHECK_NOW);
}

#define BEYOND 24 /* an address in phantom memory to which 1 << BEYOND is added is out of any window, so not known */

static void take_lanes(es_ir_code *code, es_ir_reg rd, unsigned lanes)
{
    if (lanes != 15)
        es_ir_immediate(code, ES_IR_AND_I, rd, rd, (int32_t)lanes);
}

static void leave_window(es_ir_code *code, es_ir_reg rd)
{
    es_ir_immediate(code, ES_IR_SHL_I, ES_IR_T6, ES_IR_T6, BEYOND);
    es_ir_value(code, ES_IR_ADD, rd, rd, ES_IR_T6);
}

void es_written_check(generator *g, const es_reference *reference, unsigned word, es_ir_reg rd)
{
    if (!written_is_checked(g, reference, false) || reference->subscript_count ||
        (int32_t)(plan_first_word(reference) + 4 * word) >= 0)
        return;
    const plan_write *cover = cover_of(g->plan, reference->frame, plan_first_word(reference) + 4 * word);
    es_ir_load(g->code, ES_IR_LOAD_BYTE, ES_IR_T6, ES_IR_RAM_BASE, (int32_t)cover->pending);
    take_lanes(g->code, ES_IR_T6, es_plan_lanes_in(reference, word));
    leave_window(g->code, rd);
}

void es_written_check_element(generator *g, const es_reference *reference, unsigned at, unsigned temporary)
{
    es_ir_code *code = g->code;
    if (!written_is_checked(g, reference, false))
        return;
    es_reference first = es_element_at(reference, 0);
    uint32_t start = plan_first_word(&first);
    const plan_write *cover = cover_of(g->plan, reference->frame, start);
    int32_t low;
    es_codegen_cell(g, reference->frame, ES_IR_T6);
    es_ir_value(code, ES_IR_SUB, temporary, at, ES_IR_T6);
    es_ir_const(code, ES_IR_T6, start);
    es_ir_value(code, ES_IR_SUB, temporary, temporary, ES_IR_T6);
    es_ir_immediate(code, ES_IR_SHR_I, temporary, temporary, 2); /* its word's number from the first element's on */
    low = (int32_t)(cover->pending - ES_MI_RAM_POINTER);
    es_ir_value(code, ES_IR_ADD, temporary, temporary, ES_IR_TP);
    es_ir_load(code, ES_IR_LOAD_BYTE, ES_IR_T6, temporary, low);
    if (reference->size > 4) {
        es_ir_load(code, ES_IR_LOAD_BYTE, temporary, temporary, low + 1);
        es_ir_value(code, ES_IR_OR, ES_IR_T6, ES_IR_T6, temporary);
    } else if (reference->size < 4) {
        es_ir_immediate(code, ES_IR_AND_I, temporary, at, 3);
        es_ir_value(code, ES_IR_SHR, ES_IR_T6, ES_IR_T6, temporary);
        es_ir_immediate(code, ES_IR_AND_I, ES_IR_T6, ES_IR_T6, (1 << reference->size) - 1);
    }
    leave_window(code, at);
}

void es_written_check_before(generator *g, const es_reference *reference, unsigned first_lane)
{
    if (!written_is_checked(g, reference, true))
        return;
    unsigned lanes = 0;
    for (unsigned word = 0; word < plan_words(reference); word++)
        lanes |= es_plan_lanes_in(reference, word);
    es_ir_load(g->code, ES_IR_LOAD_BYTE, ES_IR_T6, ES_IR_RAM_BASE,
               (int32_t)es_plan_frame_of(g->plan, reference->frame)->before);
    if (first_lane) {
        es_ir_value(g->code, ES_IR_SHR, ES_IR_T6, ES_IR_T6, first_lane);
        lanes = (1u << reference->size) - 1;
    }
    take_lanes(g->code, ES_IR_T6, lanes & 15);
    es_ir_branch(g->code, ES_IR_IF_NE, ES_IR_T6, ES_IR_ZERO, g->unknown);
}
