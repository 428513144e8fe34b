#include "image/tables/controls.h"

#include "image/lower/paths.h"
#include "image/lower/routines.h"
#include "image/paths/automaton.h"
#include "image/tables/dump.h"
#include "image/times/tells.h"
#include "ir/ir.h"

static void move(es_ir_code *code, es_ir_reg rd, unsigned rs)
{
    es_ir_immediate(code, ES_IR_ADD_I, rd, rs, 0);
}

/* Of a cover: a0 becomes the address of the byte that says that this place was told; 0: the word is to be disarmed. */
static void find_covered(image_builder *b, const plan_control *control, unsigned none)
{
    es_ir_code *code = &b->code;
    if (!control->covered) {
        es_ir_const(code, ES_IR_A0, 0);
        return;
    }
    es_ir_ram(code, ES_IR_A0, control->covered);
    es_ir_load(code, ES_IR_LOAD_BYTE, ES_IR_T1, ES_IR_A0, 0);
    es_ir_branch(code, ES_IR_IF_NE, ES_IR_T1, ES_IR_ZERO, none);
}

/* a0 becomes the bits of those events of a statement that happen now, as NP's paths tell. Jumps to `none` when there is
 * none. Where NP is not known all of them are tried, and the statement finds that it cannot be evaluated. */
static void gather_events(image_builder *b, const plan_control *controls, size_t count, unsigned none)
{
    es_ir_code *code = &b->code;
    unsigned all = es_ir_label(code), done = es_ir_label(code);
    uint32_t always = 0, events = 0;
    bool paths = false;
    for (size_t i = 0; i < count; i++) {
        events |= controls[i].events;
        if (controls[i].path)
            paths = true;
        else
            always |= controls[i].events;
    }
    if (paths)
        es_ir_branch(code, ES_IR_IF_EQ, ES_IR_NP, ES_IR_ZERO, all);
    es_ir_const(code, ES_IR_A0, paths ? always : events);
    for (size_t i = 0; i < count && paths; i++) {
        unsigned no = es_ir_label(code);
        if (!controls[i].path)
            continue;
        es_ir_branch(code, ES_IR_IF_NOT_LESS, es_paths_test(code, &b->plan, controls[i].path, AUTOMATON_DENOTES),
                     ES_IR_ZERO, no);
        es_ir_const(code, ES_IR_T5, controls[i].events);
        es_ir_value(code, ES_IR_OR, ES_IR_A0, ES_IR_A0, ES_IR_T5);
        es_ir_here(code, no);
    }
    if (paths) {
        es_ir_branch(code, ES_IR_IF_EQ, ES_IR_A0, ES_IR_ZERO, none);
        es_ir_jump(code, done);
        es_ir_here(code, all);
        es_ir_const(code, ES_IR_A0, events);
        es_ir_here(code, done);
    }
}

uint16_t es_controls_write(image_builder *b, const plan_control *controls, size_t count)
{
    es_ir_code *code = &b->code;
    es_code_begin(b);
    bool one = controls[count - 1].handler == controls[0].handler;
    if (!one)
        move(code, ES_IR_LIST, ES_IR_RA);
    for (size_t i = 0, next; i < count; i = next) {
        unsigned none = es_ir_label(code);
        for (next = i; next < count && controls[next].handler == controls[i].handler; next++)
            ;
        if (controls[i].handler == PLAN_TELLS) { /* the last one; a return is told when it is done */
            if (!controls[i].leave && !one)
                move(code, ES_IR_RA, ES_IR_LIST);
            if (!controls[i].leave)
                es_routine_run(code, ES_IR_ZERO, b->plan.tells_at);
            continue;
        }
        if (b->plan.statements[controls[i].handler].covered)
            find_covered(b, &controls[i], none);
        else
            gather_events(b, &controls[i], next - i, none);
        if (next == count && !one)
            move(code, ES_IR_RA, ES_IR_LIST);
        es_routine_run(code, next == count ? ES_IR_ZERO : ES_IR_RA, b->routine_at[controls[i].handler]);
        es_ir_here(code, none);
    }
    es_ir_return(code, one ? ES_IR_RA : ES_IR_LIST, 0); /* the last one did not happen */
    es_dump_title(b, "%s%s%s",
                  controls->procedure ? controls->leave ? "leave(" : "enter(" : "a place in the code is reached",
                  controls->procedure ? controls->procedure->name : "", controls->procedure ? ")" : "");
    return es_code_put(b);
}
