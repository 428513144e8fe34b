#include "image/lower/ends.h"

#include "image/image.h"
#include "image/lower/generator.h"
#include "image/lower/times.h"
#include "image/plan/plan.h"
#include "image/times/deadline.h"
#include "ir/ir.h"
#include "lang/statement.h"

static void end_one(generator *g, const plan_deadline *deadline, uint32_t unless_nowhere)
{
    es_ir_code *code = g->code;
    unsigned past = es_ir_label(code);
    es_times_load(g, ES_IR_T2, deadline->record + DEADLINE_STATE);
    es_ir_immediate(code, ES_IR_AND_I, ES_IR_T1, ES_IR_T2, DEADLINE_HOLDS | DEADLINE_ENDED);
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T1, ES_IR_T1, -DEADLINE_HOLDS);
    es_ir_branch(code, ES_IR_IF_NE, ES_IR_T1, ES_IR_ZERO, past);
    if (unless_nowhere) {
        es_times_load(g, ES_IR_T1, unless_nowhere);
        es_ir_branch(code, ES_IR_IF_NE, ES_IR_T1, ES_IR_ZERO, past);
    }
    es_ir_immediate(code, ES_IR_OR_I, ES_IR_T2, ES_IR_T2, DEADLINE_ENDED);
    es_times_store(g, ES_IR_T2, deadline->record + DEADLINE_STATE);
    es_times_now(g, ES_IR_T1, ES_IR_T2);
    es_times_store(g, ES_IR_T1, deadline->record + DEADLINE_END);
    es_times_store(g, ES_IR_T2, deadline->record + DEADLINE_END + 4);
    es_ir_here(code, past);
}

void es_holds_end(es_ir_code *code, const image_plan *plan, const es_procedure *frame, size_t pointer)
{
    generator g = {.plan = (image_plan *)plan, .code = code}; /* the generator only reads it */
    for (size_t i = 0; i < plan->deadline_count; i++) {
        const plan_deadline *deadline = &plan->deadlines[i];
        const es_statement *statement = plan->statements[deadline->statement].statement;
        const uint16_t *pointers = plan->statements[deadline->statement].pointers;
        bool needs = false, names = false;
        for (size_t k = 0; deadline->ends && k < statement->reference_count; k++) {
            bool is = frame ? statement->references[k].frame == frame : pointers && pointers[k] == pointer;
            is &= deadline->held[k].needed;
            needs |= is;
            names |= is && (frame || deadline->held[k].event);
        }
        /* what is only shown may become another object, as long as there is one */
        if (needs)
            end_one(&g, deadline, names ? 0 : plan->pointers[pointer - 1].state);
    }
}
