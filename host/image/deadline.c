#include "image/deadline.h"

#include <string.h>

#include "image/holds.h"
#include "image/times.h"

/* RAM shared by all: the time that is asked for; the deadline that has passed. */
#define NOW 0u
#define PASSED 8u
#define SHARED_BYTES 16u

/* --- plan ---------------------------------------------------------------------------------------------------------------- */

/* *where: the reference that is the first to make it impossible. */
static bool is_available(const es_statement *statement, size_t *where)
{
    *where = 0;
    if (!statement->predicate || statement->reference_count == 0)
        return false;
    const es_condition *condition = statement->event->condition;
    const es_reference *first = &statement->references[0];
    if (first->frame || first->via || first->subscript_count || plan_is_large(first) || plan_words(first) > 1)
        return false;
    for (size_t i = 0; i < condition->trigger_count; i++)
        if (condition->triggers[i].kind != ES_TRIGGER_UNCHANGED ||
            memcmp(&condition->triggers[i].duration.count, &condition->triggers[0].duration.count, sizeof(uint64_t)) != 0 ||
            condition->triggers[i].duration.cycles != condition->triggers[0].duration.cycles)
            return false;
    for (size_t i = 1; i < statement->reference_count; i++)
        if (statement->references[i].address != first->address || statement->references[i].size != first->size ||
            statement->references[i].frame || statement->references[i].bit_offset != first->bit_offset ||
            statement->references[i].bit_size != first->bit_size) {
            *where = i;
            return false;
        }
    size_t count = es_image_value_count(statement);
    for (size_t k = 0; k < count; k++) {
        const es_print_item *item = es_image_value(statement, k);
        if (item->old || (item->kind != ES_ITEM_VALUE && item->kind != ES_ITEM_COUNTER))
            return false;
    }
    return condition->trigger_count > 0;
}

void deadline_add_notes(image_plan *plan, size_t first)
{
    for (size_t i = 0; i < plan->deadline_count; i++) {
        const plan_deadline *deadline = &plan->deadlines[i];
        const es_statement *statement = plan->statements[deadline->statement].statement;
        size_t variables = deadline->holds ? statement->predicate_count : 1;
        plan->statements[first + i] = (plan_statement){.statement = statement, .direct = !deadline->holds, .needs_known = deadline->holds};
        for (size_t k = 0; k < variables; k++)
            plan_add_writes(plan, (plan_write){.statement = first + i, .early = true}, &statement->references[k]);
    }
}

bool deadline_plan(image_plan *plan, size_t number, bool plain, uint64_t bus_hz, es_error *err)
{
    plan_statement *out = &plan->statements[number];
    const es_statement *statement = out->statement;
    bool holds = holds_is(statement);
    size_t where;
    if (holds && !holds_check(plan, statement, err))
        return false;
    if (!holds && (!is_available(statement, &where) || !plain)) {
        static const char hint[] = "when x unchanged for 10ms && x > 3 { print x }", message[] =
            "in this version `unchanged for` stands in statements about that one variable, of static storage and at most 32 bits, without old()";
        return statement->reference_count ? plan_refuse(plan, statement, where, err, hint, "%s", message) : plan_fail(plan, statement, err, "%s", message);
    }
    plan->deadlines = es_arena_grow(plan->arena, plan->deadlines, plan->deadline_count, sizeof *plan->deadlines);
    plan->deadlines[plan->deadline_count++] = (plan_deadline){
        .reference = &statement->references[0], .statement = number,
        .holds = holds,
        .clocks = es_duration_cycles(holds ? statement->event->condition->holds_for
                                           : statement->event->condition->triggers[0].duration, bus_hz)};
    out->deadline = plan->deadline_count;
    return true;
}

void deadline_initial(image_plan *plan, const es_symbols *symbols)
{
    const es_segment *segments;
    size_t count = plan->deadline_count ? es_symbols_segments(symbols, &segments) : 0;
    for (size_t i = 0; i < plan->deadline_count; i++) {
        plan_deadline *deadline = &plan->deadlines[i];
        uint32_t address = deadline->reference->address & ~3u;
        if (deadline->holds)
            continue;
        for (size_t k = 0; k < count; k++)
            if (address >= segments[k].address && segments[k].size >= 4 && address - segments[k].address <= segments[k].size - 4) {
                memcpy(&deadline->initial, segments[k].bytes + (address - segments[k].address), 4);
                deadline->known = true;
            }
    }
}

uint32_t deadline_place(image_plan *plan, uint32_t at)
{
    if (!plan->deadline_count)
        return at;
    plan->deadline_shared = at;
    at += SHARED_BYTES;
    for (size_t i = 0; i < plan->deadline_count; i++) {
        plan_deadline *deadline = &plan->deadlines[i];
        deadline->record = at;
        at += DEADLINE_RECORD_BYTES;
        if (deadline->holds)
            at += holds_copies(plan->statements[deadline->statement].statement);
    }
    return at;
}

/* --- code ------------------------------------------------------------------------------------------------------------------ */

/* The bits of its word that a variable takes. */
static uint32_t mask(const es_reference *reference)
{
    unsigned bits = plan_bits(reference);
    return (bits == 32 ? 0xFFFFFFFFu : (1u << bits) - 1) << plan_first_bit(reference);
}

void deadline_note_write(generator *g, const plan_deadline *deadline)
{
    rv_code *code = g->code;
    unsigned unwritten = rv_label(code), compare = rv_label(code), changed = rv_label(code), same = rv_label(code);
    uint32_t record = deadline->record;
    times_store(g, RV_RA, record + DEADLINE_BACK);
    times_now(g, RV_T1, RV_T2);
    times_store(g, RV_T1, g->plan->deadline_shared + NOW);
    times_store(g, RV_T2, g->plan->deadline_shared + NOW + 4);
    rv_call(code, RV_RA, deadline->check_at);
    rv_i(code, RV_LW, RV_T1, RV_REGS, (int32_t)ES_REG_HIT_NEW);
    times_load(g, RV_T2, record + DEADLINE_STATE);
    rv_i(code, RV_ANDI, RV_T3, RV_T2, DEADLINE_WRITTEN);
    rv_branch(code, RV_BEQ, RV_T3, RV_ZERO, unwritten);
    times_load(g, RV_T3, record + DEADLINE_VALUE);
    rv_jump(code, compare);
    rv_place(code, unwritten);
    if (deadline->known)
        rv_li(code, RV_T3, deadline->initial);
    else
        rv_jump(code, changed);
    rv_place(code, compare);
    rv_r(code, RV_XOR, RV_T3, RV_T3, RV_T1);
    rv_li(code, RV_T4, mask(deadline->reference));
    rv_r(code, RV_AND, RV_T3, RV_T3, RV_T4);
    rv_branch(code, RV_BEQ, RV_T3, RV_ZERO, same);
    rv_place(code, changed);
    times_now(g, RV_T3, RV_T4);
    times_store(g, RV_T3, record);
    times_store(g, RV_T4, record + 4);
    rv_i(code, RV_ANDI, RV_T2, RV_T2, ~DEADLINE_DONE);
    rv_place(code, same);
    rv_i(code, RV_ORI, RV_T2, RV_T2, DEADLINE_WRITTEN);
    times_store(g, RV_T2, record + DEADLINE_STATE);
    times_store(g, RV_T1, record + DEADLINE_VALUE);
    times_load(g, RV_RA, record + DEADLINE_BACK);
    rv_return(code, RV_RA);
}

void deadline_check(generator *g, unsigned no)
{
    rv_code *code = g->code;
    const plan_deadline *deadline = &g->plan->deadlines[g->statement->deadline - 1];
    uint32_t shared = g->plan->deadline_shared;
    unsigned passed = rv_label(code);
    times_load(g, RV_T0, deadline->record + DEADLINE_STATE);
    if (deadline->holds) {
        rv_i(code, RV_ANDI, RV_T1, RV_T0, DEADLINE_HOLDS);
        rv_branch(code, RV_BEQ, RV_T1, RV_ZERO, no);
    }
    rv_i(code, RV_ANDI, RV_T1, RV_T0, DEADLINE_DONE);
    rv_branch(code, RV_BNE, RV_T1, RV_ZERO, no);
    times_load(g, RV_T1, deadline->record);
    times_load(g, RV_T2, deadline->record + 4);
    rv_li(code, RV_T3, (uint32_t)deadline->clocks);
    rv_li(code, RV_T4, (uint32_t)(deadline->clocks >> 32));
    rv_r(code, RV_ADD, RV_T1, RV_T1, RV_T3);
    rv_r(code, RV_SLTU, RV_T3, RV_T1, RV_T3);
    rv_r(code, RV_ADD, RV_T2, RV_T2, RV_T4);
    rv_r(code, RV_ADD, RV_T2, RV_T2, RV_T3);
    times_load(g, RV_T3, shared + NOW);
    times_load(g, RV_T4, shared + NOW + 4);
    rv_branch(code, RV_BLTU, RV_T2, RV_T4, passed);
    rv_branch(code, RV_BNE, RV_T2, RV_T4, no);
    rv_branch(code, RV_BLTU, RV_T3, RV_T1, no);
    rv_place(code, passed);
    rv_i(code, RV_ORI, RV_T0, RV_T0, DEADLINE_DONE);
    times_store(g, RV_T0, deadline->record + DEADLINE_STATE);
    times_store(g, RV_T1, shared + PASSED);
    times_store(g, RV_T2, shared + PASSED + 4);
}

void deadline_head(generator *g, uint32_t words)
{
    uint32_t shared = g->plan->deadline_shared;
    rv_li(g->code, RV_T1, (words - 1) << 8 | ES_FRAME_HIT);
    rv_store(g->code, RV_SW, RV_T1, RV_REGS, (int32_t)ES_REG_EV_HEAD);
    for (uint32_t half = 0; half < 8; half += 4) {
        times_load(g, RV_T1, shared + PASSED + half);
        rv_store(g->code, RV_SW, RV_T1, RV_REGS, (int32_t)ES_REG_EV_DATA);
    }
    rv_i(g->code, RV_LW, RV_T1, RV_REGS, (int32_t)ES_REG_EV_FLAGS);
    rv_i(g->code, RV_ORI, RV_T1, RV_T1, ES_HITF_PATH_UNKNOWN);
    rv_i(g->code, RV_SLLI, RV_T1, RV_T1, 16);
    rv_li(g->code, RV_T2, (uint32_t)g->number);
    rv_r(g->code, RV_OR, RV_T1, RV_T1, RV_T2);
    rv_store(g->code, RV_SW, RV_T1, RV_REGS, (int32_t)ES_REG_EV_DATA);
    rv_li(g->code, RV_T1, ES_HIT_NOWHERE);
    rv_store(g->code, RV_SW, RV_T1, RV_REGS, (int32_t)ES_REG_EV_DATA);
}

/* Jumps unless the switch at t1 was set at the deadline's own time, which is in t4, t5 then. */
static void unless_at_once(generator *g, unsigned label)
{
    for (uint32_t half = 0; half < 8; half += 4) {
        times_load(g, half ? RV_T5 : RV_T4, g->plan->deadline_shared + PASSED + half);
        rv_i(g->code, RV_LW, RV_T3, RV_T1, 4 + (int32_t)half);
        rv_branch(g->code, RV_BNE, RV_T3, half ? RV_T5 : RV_T4, label);
    }
}

void deadline_switch_now(generator *g)
{
    unsigned later = rv_label(g->code), done = rv_label(g->code);
    unless_at_once(g, later);
    rv_i(g->code, RV_LW, RV_T1, RV_T1, 0);
    rv_i(g->code, RV_SRLI, RV_T1, RV_T1, 1);
    rv_jump(g->code, done);
    rv_place(g->code, later);
    rv_i(g->code, RV_LW, RV_T1, RV_T1, 0);
    rv_i(g->code, RV_ANDI, RV_T1, RV_T1, 1);
    rv_place(g->code, done);
}

void deadline_switch_set(generator *g)
{
    unsigned later = rv_label(g->code), done = rv_label(g->code);
    unless_at_once(g, later);
    rv_i(g->code, RV_LW, RV_T3, RV_T1, 0);
    rv_i(g->code, RV_ANDI, RV_T3, RV_T3, 2); /* another action at this time */
    rv_jump(g->code, done);
    rv_place(g->code, later);
    times_load(g, RV_T4, g->plan->deadline_shared + PASSED);
    times_load(g, RV_T5, g->plan->deadline_shared + PASSED + 4);
    rv_store(g->code, RV_SW, RV_T4, RV_T1, 4);
    rv_store(g->code, RV_SW, RV_T5, RV_T1, 8);
    rv_i(g->code, RV_LW, RV_T3, RV_T1, 0);
    rv_i(g->code, RV_ANDI, RV_T3, RV_T3, 1);
    rv_i(g->code, RV_SLLI, RV_T3, RV_T3, 1);
    rv_place(g->code, done);
    rv_r(g->code, RV_OR, RV_T3, RV_T3, RV_T2);
    rv_store(g->code, RV_SW, RV_T3, RV_T1, 0);
}

void deadline_load(generator *g, const es_reference *reference, unsigned rd)
{
    const plan_deadline *deadline = &g->plan->deadlines[g->statement->deadline - 1];
    unsigned unwritten = rv_label(g->code), done = rv_label(g->code);
    int up = (int)(32 - plan_first_bit(reference) - plan_bits(reference)), down = (int)(32 - plan_bits(reference));
    times_load(g, rd, deadline->record + DEADLINE_STATE);
    rv_i(g->code, RV_ANDI, rd, rd, DEADLINE_WRITTEN);
    rv_branch(g->code, RV_BEQ, rd, RV_ZERO, unwritten);
    times_load(g, rd, deadline->record + DEADLINE_VALUE);
    rv_jump(g->code, done);
    rv_place(g->code, unwritten);
    if (deadline->known)
        rv_li(g->code, rd, deadline->initial);
    else if (g->checks_old)
        rv_jump(g->code, g->unknown);
    rv_place(g->code, done);
    if (up)
        rv_i(g->code, RV_SLLI, rd, rd, up);
    if (down)
        rv_i(g->code, codegen_is_signed(reference->type) ? RV_SRAI : RV_SRLI, rd, rd, down);
}

void deadline_list(rv_code *code, const image_plan *plan)
{
    image_plan *of = (image_plan *)plan; /* the generator only reads it */
    generator g = {.plan = of, .code = code};
    rv_i(code, RV_ADDI, RV_LIST, RV_RA, 0);
    times_store(&g, RV_A0, plan->deadline_shared + NOW);
    times_store(&g, RV_A1, plan->deadline_shared + NOW + 4);
    for (size_t i = 0; i < plan->deadline_count; i++)
        rv_call(code, RV_RA, plan->deadlines[i].check_at);
    rv_return(code, RV_LIST);
}
