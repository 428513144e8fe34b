#include "image/lives.h"

#include <stddef.h>

#include "image/indexed.h"

/* A local that has a life in an expression; NULL: there is none. */
static const es_reference *named_in(const es_statement *statement, const es_expr *expr)
{
    const es_reference *found = NULL;
    if (!expr)
        return NULL;
    if (expr->kind == ES_EXPR_REFERENCE)
        return lives_of(&statement->references[expr->index]) ? &statement->references[expr->index] : NULL;
    const es_expr *const parts[] = {expr->condition, expr->lhs, expr->rhs};
    for (size_t i = 0; i < 3 && !found; i++)
        found = named_in(statement, parts[i]);
    return found;
}

/* What a pointer, or an index that is followed like one, needs and is there at times only; NULL: nothing. */
static const es_reference *needs_life(const image_plan *plan, const es_statement *statement, size_t index)
{
    const es_reference *reference = &statement->references[index], *found = NULL;
    const plan_index *place = indexed_of(plan, (size_t)(statement - plan->program->statements), index);
    for (size_t i = 0; place && i < place->count && !found; i++)
        found = named_in(statement, place->subscripts[i].index);
    if (!found && reference->via && lives_of(&statement->references[reference->base]))
        found = &statement->references[reference->base];
    return found;
}

bool lives_refuse(const image_plan *plan, const es_statement *statement, size_t index, bool old, bool age, bool read,
                  bool deadline, bool traps, es_error *err)
{
    static const char hint[] = "compile its file with -O0, make it volatile, or copy it to a global";
    const es_reference *reference = &statement->references[index];
    const es_life *life = lives_of(reference);
    const es_reference *needed = needs_life(plan, statement, index);
    if (needed)
        return plan_refuse(plan, statement, index, err, hint,
                           "%s is in memory only in %s: where it leads to cannot be followed", needed->text,
                           needed->variable->life->observed);
    if (!life)
        return true;
    const char *what = old        ? "old() and `becomes` need what it was before"
                       : age      ? "age() needs all of its writes"
                       : read     ? "read() needs all of its reads"
                       : deadline ? "`for` needs it until the time is over"
                                  : NULL;
    if (what)
        return plan_refuse(plan, statement, index, err, hint, "%s is in memory only in %s, and %s", reference->text,
                           life->observed, what);
    if (reference->path && (traps || reference->variable->procedure->is_recursive))
        return plan_refuse(
            plan, statement, index, err, "leave out the path: the innermost activation is meant then",
            "%s is in memory only in %s, and where an activation is that is not the innermost of its procedure cannot be told",
            reference->text, life->observed);
    return true;
}

/* --- the routine
 * ---------------------------------------------------------------------------------------------------------- */

enum { TABLE = RV_T1, MOMENT = RV_T5 };

static void load_address(rv_code *code, unsigned rd, uint32_t address)
{
    rv_lui(code, rd, rv_high(address));
    rv_i(code, RV_ADDI, rd, rd, rv_low(address));
}

/* Puts into MOMENT what the event says about where the procedure is; jumps to `none` when it is not active, to `lost`
 * when the path is not known. */
static void find_moment(const image_builder *b, rv_code *code, unsigned none, unsigned lost)
{
    unsigned write = rv_label(code), have = rv_label(code), found = rv_label(code), next = rv_label(code);
    rv_i(code, RV_LW, RV_T3, TABLE, (int32_t)offsetof(struct es_mi_life, low));
    rv_i(code, RV_LW, RV_T4, TABLE, (int32_t)offsetof(struct es_mi_life, size));
    rv_i(code, RV_LW, RV_T2, RV_ZERO, (int32_t)b->routines.control_pc);
    rv_branch(code, RV_BEQ, RV_T2, RV_ZERO, write);
    rv_i(code, RV_ADDI, MOMENT, RV_T2, ES_MOMENT_BEFORE);
    rv_jump(code, have);
    rv_place(code, write);
    rv_i(code, RV_LW, RV_T2, RV_REGS, (int32_t)ES_REG_HIT_PC);
    rv_i(code, RV_ADDI, MOMENT, RV_T2, 4 + ES_MOMENT_BEFORE); /* behind the instruction that wrote */
    rv_place(code, have);
    rv_r(code, RV_SUB, RV_T2, RV_T2, RV_T3);
    rv_branch(code, RV_BLTU, RV_T2, RV_T4, found);
    rv_i(code, RV_LW, RV_T2, RV_REGS, (int32_t)ES_REG_EV_FLAGS);
    rv_i(code, RV_ANDI, RV_T2, RV_T2, ES_HITF_PATH_CUT | ES_HITF_PATH_UNKNOWN);
    rv_branch(code, RV_BNE, RV_T2, RV_ZERO, lost);
    rv_i(code, RV_ADDI, MOMENT, RV_TOP, 0);
    rv_place(code, next); /* at most ES_MI_STACK_DEPTH times */
    load_address(code, RV_T2, b->routines.shadow_stack);
    rv_branch(code, RV_BGEU, RV_T2, MOMENT, none);
    rv_i(code, RV_ADDI, MOMENT, MOMENT, -ES_MI_ACTIVATION_SIZE);
    rv_i(code, RV_LW, RV_T2, MOMENT, 0);
    rv_i(code, RV_ANDI, RV_T6, RV_T2, -4);
    rv_r(code, RV_SUB, RV_T6, RV_T6, RV_T3);
    rv_branch(code, RV_BGEU, RV_T6, RV_T4, next);
    rv_i(code, RV_ANDI, RV_T6, RV_T2, ES_SITE_INTERRUPT);
    rv_i(code, RV_ORI, MOMENT, RV_T2, ES_MOMENT_DURING);
    rv_r(code, RV_SUB, MOMENT, MOMENT, RV_T6); /* ES_MOMENT_SURELY of an interrupt */
    rv_place(code, found);
}

/* In: t1 an es_mi_life. Out: t1 1: the variable is in memory at this event, 0: it is not, -1: unknown. Goes on at t0,
 * takes t2 to t6. */
static void write_routine(const image_builder *b, rv_code *code)
{
    unsigned no = rv_label(code), lost = rv_label(code), search = rv_label(code), next = rv_label(code),
             yes = rv_label(code), other = rv_label(code);
    find_moment(b, code, no, lost);
    rv_place(code, search);
    rv_i(code, RV_LW, RV_T2, TABLE, (int32_t)offsetof(struct es_mi_life, count));
    rv_i(code, RV_ADDI, RV_T3, TABLE, (int32_t)sizeof(struct es_mi_life));
    rv_place(code, next); /* es_mi_life.count times */
    rv_branch(code, RV_BEQ, RV_T2, RV_ZERO, other);
    rv_i(code, RV_LW, RV_T4, RV_T3, 0);
    rv_i(code, RV_LW, RV_T6, RV_T3, 4);
    rv_r(code, RV_SUB, RV_T4, MOMENT, RV_T4);
    rv_i(code, RV_ADDI, RV_T2, RV_T2, -1);
    rv_i(code, RV_ADDI, RV_T3, RV_T3, 8);
    rv_branch(code, RV_BGEU, RV_T4, RV_T6, next);
    rv_i(code, RV_ANDI, RV_T2, MOMENT, 3); /* found, and not just "perhaps" */
    rv_i(code, RV_ADDI, RV_T2, RV_T2, -ES_MOMENT_PERHAPS);
    rv_branch(code, RV_BNE, RV_T2, RV_ZERO, yes);
    rv_place(code, lost);
    rv_i(code, RV_ADDI, TABLE, RV_ZERO, -1);
    rv_return(code, RV_T0);
    rv_place(code, yes);
    rv_i(code, RV_ADDI, TABLE, RV_ZERO, 1);
    rv_return(code, RV_T0);
    rv_place(code, other); /* not surely: perhaps? */
    rv_i(code, RV_ANDI, RV_T2, MOMENT, 3);
    rv_i(code, RV_ADDI, RV_T2, RV_T2, -ES_MOMENT_SURELY);
    rv_i(code, RV_ANDI, MOMENT, MOMENT, -4); /* and no sum: host/check sees that it is not SURELY any more */
    rv_i(code, RV_ORI, MOMENT, MOMENT, ES_MOMENT_PERHAPS);
    rv_branch(code, RV_BEQ, RV_T2, RV_ZERO, search);
    rv_place(code, no);
    rv_i(code, RV_ADDI, TABLE, RV_ZERO, 0);
    rv_return(code, RV_T0);
}

static void add_table(image_builder *b, const es_variable *variable)
{
    image_plan *plan = &b->plan;
    const es_life *life = variable->life;
    for (size_t i = 0; i < plan->life_count; i++)
        if (plan->lives[i].life == life)
            return;
    struct es_mi_life head = { variable->procedure->low, variable->procedure->high - variable->procedure->low,
                               (uint32_t)life->count };
    uint32_t at = layout_put(b, &head, sizeof head);
    for (size_t i = 0; i < life->count; i++) {
        uint32_t span[] = {life->spans[i].low, life->spans[i].high - life->spans[i].low};
        layout_put(b, span, sizeof span);
    }
    plan->lives = es_arena_grow(plan->arena, plan->lives, plan->life_count, sizeof *plan->lives);
    plan->lives[plan->life_count++] = (plan_life){life, at};
}

void lives_reserve(image_builder *b)
{
    const es_program *program = b->plan.program;
    for (size_t s = 0; s < program->statement_count; s++)
        for (size_t i = 0; i < program->statements[s].reference_count; i++)
            if (lives_of(&program->statements[s].references[i]))
                add_table(b, program->statements[s].references[i].variable);
    if (!b->plan.life_count)
        return;
    b->code.base = ES_IMAGE_BASE + (uint32_t)b->size;
    rv_reset(&b->code);
    write_routine(b, &b->code);
    rv_finish(&b->code);
    b->plan.lives_at = layout_put(b, b->code.words, b->code.count * 4);
}

void lives_check(generator *g, size_t index, unsigned no)
{
    const es_life *life = lives_of(&g->statement->statement->references[index]);
    if (!life)
        return;
    size_t i = 0;
    while (g->plan->lives[i].life != life)
        i++;
    rv_li(g->code, TABLE, g->plan->lives[i].at);
    rv_call(g->code, RV_T0, g->plan->lives_at);
    rv_branch(g->code, RV_BEQ, TABLE, RV_ZERO, no);
    rv_branch(g->code, RV_BLT, TABLE, RV_ZERO, g->unknown);
}
