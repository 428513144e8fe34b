#include "image/tables/anew.h"

#include "image/lower/generator.h"
#include "image/lower/times.h"
#include "image/plan/plan.h"
#include "image/tables/dump.h"
#include "image/tables/forget.h"
#include "image/tables/layout.h"
#include "image/times/compound.h"
#include "image/times/deadline.h"
#include "image/times/tells.h"
#include "ir/ir.h"

/* What is waited for begins with the next event: a value from before may have been replaced by start-up code. */
static void forget_deadline(generator *g, const plan_deadline *deadline)
{
    es_ir_const(g->code, ES_IR_T1, deadline->evaluated ? DEADLINE_WRITTEN : DEADLINE_DONE | DEADLINE_ANEW);
    es_times_store(g, ES_IR_T1, deadline->record + DEADLINE_STATE);
}

/* Nothing is active, or, where a running target is taken, not known. */
static void forget_paths(generator *g)
{
    es_ir_immediate(g->code, ES_IR_BELOW_I, ES_IR_T1, ES_IR_NP, 1);
    es_times_store(g, ES_IR_T1, g->plan->tells + TELLS_UNKNOWN);
    for (size_t i = 0; i < es_tells_words(g->plan); i++)
        es_times_store(g, ES_IR_ZERO, g->plan->tells + TELLS_WORD_BYTES * (uint32_t)i + TELLS_BITS);
}

uint16_t es_anew_write(image_builder *b)
{
    const image_plan *plan = &b->plan;
    generator g = {.plan = &b->plan, .code = &b->code};
    bool any = plan->age_count || plan->deadline_count || plan->pending_words;
    es_code_begin(b);
    es_words_forget(b, plan->pending, plan->pending_words);
    for (size_t i = 0; i < plan->program->statement_count; i++) {
        const compound_event *event = plan->statements[i].compound;
        if (!event)
            continue;
        any = true;
        es_times_store(&g, ES_IR_ZERO, event->state + COMPOUND_FLAGS);
    }
    for (size_t i = 0; i < plan->age_count; i++)
        es_times_store(&g, ES_IR_ZERO, plan->ages[i].record + PLAN_AGE_WRITTEN);
    for (size_t i = 0; i < plan->deadline_count; i++)
        forget_deadline(&g, &plan->deadlines[i]);
    if (es_tells_any(plan))
        forget_paths(&g);
    if (plan->store) { /* the rest of a store does not come any more */
        any = true;
        es_times_store(&g, ES_IR_ZERO, plan->store + PLAN_STORE_CAME);
    }
    es_ir_return(&b->code, ES_IR_RA, 0);
    es_dump_title(b, "the program begins anew");
    return any ? es_code_put(b) : 0;
}
