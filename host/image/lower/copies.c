#include "image/lower/copies.h"

#include <string.h>

#include "image/image.h"
#include "image/lower/generator.h"
#include "image/lower/times.h"
#include "image/lower/turn.h"
#include "image/plan/plan.h"
#include "image/times/deadline.h"
#include "image/times/holds.h"
#include "ir/ir.h"
#include "lang/statement.h"

void es_deadline_load(generator *g, const es_reference *reference, es_ir_reg rd)
{
    const plan_deadline *deadline = g->late;
    unsigned unwritten = es_ir_label(g->code), done = es_ir_label(g->code);
    int up = (int)(32 - plan_first_bit(reference) - plan_bits(reference)), down = (int)(32 - plan_bits(reference));
    if (plan_is_turned(reference))
        up = (int)plan_first_bit(reference);
    es_times_load(g, rd, deadline->record + DEADLINE_STATE);
    es_ir_immediate(g->code, ES_IR_AND_I, rd, rd, DEADLINE_WRITTEN);
    es_ir_branch(g->code, ES_IR_IF_EQ, rd, ES_IR_ZERO, unwritten);
    es_times_load(g, rd, deadline->record + DEADLINE_VALUE);
    es_ir_jump(g->code, done);
    es_ir_here(g->code, unwritten);
    if (deadline->known)
        es_ir_const(g->code, rd, deadline->initial);
    else if (g->checks_old)
        es_ir_jump(g->code, g->unknown);
    es_ir_here(g->code, done);
    if (plan_is_turned(reference))
        es_place_turn(g->code, rd, 4, false);
    if (up)
        es_ir_immediate(g->code, ES_IR_SHL_I, rd, rd, up);
    if (down)
        es_ir_immediate(g->code, plan_is_signed(reference->type) ? ES_IR_SAR_I : ES_IR_SHR_I, rd, rd, down);
}

void es_holds_check_shown(generator *g, const plan_deadline *deadline)
{
    const es_statement *statement = g->statement->statement;
    int32_t unknown = 0;
    if (!deadline->evaluated)
        return;
    if (es_holds_shows(deadline, statement))
        unknown |= DEADLINE_UNKNOWN;
    bool unseen = deadline->from_start && !deadline->held[es_holds_index(deadline, statement)].known;
    if (!unseen && !unknown)
        return;
    es_times_load(g, ES_IR_T1, deadline->record + DEADLINE_STATE);
    if (unseen) {
        es_ir_immediate(g->code, ES_IR_AND_I, ES_IR_T1, ES_IR_T1, unknown | DEADLINE_UNSEEN | DEADLINE_WRITTEN);
        es_ir_immediate(g->code, ES_IR_ADD_I, ES_IR_T1, ES_IR_T1, -DEADLINE_WRITTEN);
    } else {
        es_ir_immediate(g->code, ES_IR_AND_I, ES_IR_T1, ES_IR_T1, unknown);
    }
    es_ir_branch(g->code, ES_IR_IF_NE, ES_IR_T1, ES_IR_ZERO, g->unknown);
}

void es_holds_load(generator *g, const plan_deadline *deadline, size_t index, es_ir_reg rd, es_ir_reg high)
{
    es_ir_code *code = g->code;
    const plan_held *held = &deadline->held[index];
    unsigned written = es_ir_label(code), done = es_ir_label(code);
    bool wide = plan_is_wide(&g->statement->statement->references[index]);
    if (deadline->from_start) {
        es_times_load(g, rd, deadline->record + DEADLINE_STATE);
        es_ir_immediate(code, ES_IR_AND_I, rd, rd, DEADLINE_WRITTEN);
        es_ir_branch(code, ES_IR_IF_NE, rd, ES_IR_ZERO, written);
        if (held->known) {
            es_ir_const(code, rd, held->initial[0]);
            if (wide)
                es_ir_const(code, high, held->initial[1]);
            es_ir_jump(code, done);
        } else if (g->checks_old) {
            es_ir_jump(code, g->unknown);
        }
        es_ir_here(code, written);
    }
    uint32_t at = g->decides ? holds_copy(deadline, index) : holds_shown(deadline, index);
    es_times_load(g, rd, at);
    if (wide)
        es_times_load(g, high, at + 4);
    es_ir_here(code, done);
}
