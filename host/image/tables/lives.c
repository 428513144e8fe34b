#include "image/tables/lives.h"

#include <stddef.h>

#include "image/image.h"
#include "image/lower/lives.h"
#include "image/plan/plan.h"
#include "image/tables/dump.h"
#include "image/tables/layout.h"
#include "ir/ir.h"
#include "lang/statement.h"

enum { MOMENT = ES_IR_T5 };

/* Puts into MOMENT what the event says about where the procedure is; jumps to `none` when it is not active, to `lost`
 * when the path is not known. */
static void find_moment(const image_builder *b, es_ir_code *code, unsigned none, unsigned lost)
{
    unsigned write = es_ir_label(code), have = es_ir_label(code), next = es_ir_label(code), inside = es_ir_label(code),
             called = es_ir_label(code), found = es_ir_label(code), read = es_ir_label(code);
    es_ir_load(code, ES_IR_LOAD, ES_IR_T3, LIVES_TABLE, (int32_t)offsetof(struct es_mi_life, low));
    es_ir_load(code, ES_IR_LOAD, ES_IR_T4, LIVES_TABLE, (int32_t)offsetof(struct es_mi_life, size));
    es_ir_load(code, ES_IR_LOAD, ES_IR_T2, ES_IR_ZERO, (int32_t)b->routines.control_pc);
    es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T2, ES_IR_ZERO, write);
    es_ir_here(code, read);
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T6, ES_IR_ZERO, ES_MOMENT_BEFORE);
    es_ir_jump(code, have);
    es_ir_here(code, write);
    es_ir_load(code, ES_IR_LOAD, ES_IR_T2, ES_IR_HIT, (int32_t)ES_REG_HIT_PC);
    if (b->plan.read_count) { /* before one that reads: it may be the last that needs it */
        es_ir_load(code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_HIT_FLAGS);
        es_ir_immediate(code, ES_IR_AND_I, ES_IR_T6, ES_IR_T6, ES_HIT_KIND_MASK);
        es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T6, ES_IR_T6, -ES_KIND_READ);
        es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, read);
    }
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T6, ES_IR_ZERO, ES_MOMENT_AFTER); /* the instruction that wrote */
    es_ir_here(code, have);
    es_ir_value(code, ES_IR_SUB, ES_IR_T2, ES_IR_T2, ES_IR_T3);
    es_ir_branch(code, ES_IR_IF_BELOW, ES_IR_T2, ES_IR_T4, found);
    es_ir_load(code, ES_IR_LOAD, ES_IR_T2, ES_IR_HIT, (int32_t)ES_REG_EV_FLAGS);
    es_ir_immediate(code, ES_IR_AND_I, ES_IR_T2, ES_IR_T2, ES_HITF_PATH_CUT | ES_HITF_PATH_UNKNOWN);
    es_ir_branch(code, ES_IR_IF_NE, ES_IR_T2, ES_IR_ZERO, lost);
    es_ir_immediate(code, ES_IR_ADD_I, MOMENT, ES_IR_TOP, 0);
    es_ir_here(code, next); /* at most ES_MI_STACK_DEPTH times */
    es_ir_const(code, ES_IR_T2, b->routines.shadow_stack);
    es_ir_branch(code, ES_IR_IF_NOT_BELOW, ES_IR_T2, MOMENT, none);
    es_ir_immediate(code, ES_IR_ADD_I, MOMENT, MOMENT, -ES_MI_ACTIVATION_SIZE);
    es_ir_load(code, ES_IR_LOAD_HALF, ES_IR_T6, MOMENT, ES_MI_ACTIVATION_PROCEDURE);
    es_ir_load(code, ES_IR_LOAD, ES_IR_T2, MOMENT, 0);
    es_ir_immediate(code, ES_IR_AND_I, ES_IR_T6, ES_IR_T6, ES_MI_AWAITS_NONE);
    es_ir_immediate(code, ES_IR_AND_I, ES_IR_T2, ES_IR_T2, -2);
    es_ir_value(code, ES_IR_SUB, ES_IR_T2, ES_IR_T2, ES_IR_T3);
    es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T6, ES_IR_ZERO, called);
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T6, ES_IR_ZERO, ES_MOMENT_SURELY); /* an interrupt came there */
    es_ir_branch(code, ES_IR_IF_BELOW, ES_IR_T2, ES_IR_T4, found);
    es_ir_jump(code, next);
    es_ir_here(code, called); /* it returns to after the site; a call lies before that */
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T2, ES_IR_T2, ES_SITE_RETURN - 2);
    es_ir_branch(code, ES_IR_IF_BELOW, ES_IR_T2, ES_IR_T4, inside);
    es_ir_jump(code, next);
    es_ir_here(code, inside);
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T2, ES_IR_T2, 2);
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T6, ES_IR_ZERO, ES_MOMENT_DURING);
    es_ir_here(code, found);
    es_ir_immediate(code, ES_IR_SHL_I, MOMENT, ES_IR_T2, ES_MOMENT_SHIFT);
    es_ir_value(code, ES_IR_OR, MOMENT, MOMENT, ES_IR_T6);
}

/* In: t1 an es_mi_life. Out: t1 1: the variable is in memory at this event, 0: it is not, -1: unknown. Goes on at t0,
 * takes t2 to t6. */
static void write_routine(const image_builder *b, es_ir_code *code)
{
    unsigned no = es_ir_label(code), lost = es_ir_label(code), search = es_ir_label(code), next = es_ir_label(code),
             yes = es_ir_label(code), other = es_ir_label(code);
    find_moment(b, code, no, lost);
    es_ir_here(code, search);
    es_ir_load(code, ES_IR_LOAD, ES_IR_T2, LIVES_TABLE, (int32_t)offsetof(struct es_mi_life, count));
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T3, LIVES_TABLE, (int32_t)sizeof(struct es_mi_life));
    es_ir_here(code, next); /* es_mi_life.count times */
    es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T2, ES_IR_ZERO, other);
    es_ir_load(code, ES_IR_LOAD, ES_IR_T4, ES_IR_T3, 0);
    es_ir_load(code, ES_IR_LOAD, ES_IR_T6, ES_IR_T3, 4);
    es_ir_value(code, ES_IR_SUB, ES_IR_T4, MOMENT, ES_IR_T4);
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T2, ES_IR_T2, -1);
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T3, ES_IR_T3, 8);
    es_ir_branch(code, ES_IR_IF_NOT_BELOW, ES_IR_T4, ES_IR_T6, next);
    es_ir_immediate(code, ES_IR_AND_I, ES_IR_T2, MOMENT, ES_MOMENT_MASK); /* found, and not just "perhaps" */
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T2, ES_IR_T2, -ES_MOMENT_PERHAPS);
    es_ir_branch(code, ES_IR_IF_NE, ES_IR_T2, ES_IR_ZERO, yes);
    es_ir_here(code, lost);
    es_ir_immediate(code, ES_IR_ADD_I, LIVES_TABLE, ES_IR_ZERO, -1);
    es_ir_return(code, ES_IR_T0, ES_IR_SET(LIVES_TABLE));
    es_ir_here(code, yes);
    es_ir_immediate(code, ES_IR_ADD_I, LIVES_TABLE, ES_IR_ZERO, 1);
    es_ir_return(code, ES_IR_T0, ES_IR_SET(LIVES_TABLE));
    es_ir_here(code, other); /* not surely: perhaps? */
    es_ir_immediate(code, ES_IR_AND_I, ES_IR_T2, MOMENT, ES_MOMENT_MASK);
    es_ir_immediate(code, ES_IR_ADD_I, ES_IR_T2, ES_IR_T2, -ES_MOMENT_SURELY);
    es_ir_immediate(code, ES_IR_AND_I, MOMENT, MOMENT,
                    ~ES_MOMENT_MASK); /* and no sum: host/check sees that it is not SURELY any more */
    es_ir_immediate(code, ES_IR_OR_I, MOMENT, MOMENT, ES_MOMENT_PERHAPS);
    es_ir_branch(code, ES_IR_IF_EQ, ES_IR_T2, ES_IR_ZERO, search);
    es_ir_here(code, no);
    es_ir_immediate(code, ES_IR_ADD_I, LIVES_TABLE, ES_IR_ZERO, 0);
    es_ir_return(code, ES_IR_T0, ES_IR_SET(LIVES_TABLE));
}

static void add_table(image_builder *b, const es_reference *place)
{
    image_plan *plan = &b->plan;
    const es_variable *variable = place->variable;
    const es_life *life = lives_of(place);
    if (!life)
        return;
    for (size_t i = 0; i < plan->life_count; i++)
        if (plan->lives[i].life == life)
            return;
    struct es_mi_life head = {variable->procedure->low, variable->procedure->high - variable->procedure->low,
                              (uint32_t)life->count};
    uint32_t at = es_layout_put(b, &head, sizeof head);
    for (size_t i = 0; i < life->count; i++) {
        uint32_t span[] = {life->spans[i].low, life->spans[i].high - life->spans[i].low};
        es_layout_put(b, span, sizeof span);
    }
    plan->lives = es_arena_grow(plan->arena, plan->lives, plan->life_count, sizeof *plan->lives);
    plan->lives[plan->life_count++] = (plan_life){life, at};
}

void es_lives_reserve(image_builder *b)
{
    const es_program *program = b->plan.program;
    for (size_t s = 0; s < program->statement_count; s++) {
        const es_statement *statement = &program->statements[s];
        for (size_t i = 0; i < statement->reference_count; i++)
            add_table(b, &statement->references[i]);
        for (size_t k = 0; k < es_image_snapshot_count(statement); k++)
            add_table(b, &es_image_snapshot(statement, k)->place);
    }
    if (!b->plan.life_count)
        return;
    es_code_begin(b);
    b->code.allowed = ES_IR_TEMPORARIES & ~ES_IR_SET(ES_IR_T0);
    write_routine(b, &b->code);
    es_dump_title(b, "whether a variable that is held at times is held now");
    b->plan.lives_at = es_code_put(b);
}
