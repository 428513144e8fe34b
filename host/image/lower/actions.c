#include "image/lower/actions.h"

#include "image/lower/deadline.h"
#include "image/lower/expected.h"
#include "image/lower/generator.h"
#include "image/lower/routines.h"
#include "image/plan/plan.h"
#include "image/times/compound.h"
#include "ir/ir.h"
#include "lang/statement.h"

static void address(generator *g, es_ir_reg rd, uint32_t offset)
{
    es_ir_ram(g->code, rd, offset);
}

void es_actions_check_enabled(generator *g, unsigned label)
{
    uint32_t record = g->statement->switch_record;
    bool disabled = g->statement->statement->disabled;
    if (!record)
        return;
    unsigned as_at_start = es_ir_label(g->code);
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_T1, ES_IR_RAM_BASE, (int32_t)record);
    es_ir_branch(g->code, ES_IR_IF_EQ, ES_IR_T1, ES_IR_ZERO, disabled ? label : as_at_start);
    address(g, ES_IR_T1, record);
    if (g->late)
        es_deadline_switch_now(g);
    else
        es_routine_call(g->code, g->routines, ROUTINE_switch_now);
    es_ir_branch(g->code, disabled ? ES_IR_IF_EQ : ES_IR_IF_NE, ES_IR_T1, ES_IR_ZERO, label);
    es_ir_here(g->code, as_at_start);
}

static uint32_t counter_at(const generator *g, size_t counter)
{
    return 4 * (uint32_t)es_program_counter(g->plan->program, counter);
}

static void load(generator *g, es_ir_reg rd, uint32_t offset)
{
    es_ir_load(g->code, ES_IR_LOAD, rd, ES_IR_RAM_BASE, (int32_t)offset);
}

static void store(generator *g, unsigned rs, uint32_t offset)
{
    es_ir_store(g->code, ES_IR_STORE, rs, ES_IR_RAM_BASE, (int32_t)offset);
}

static void add(generator *g, uint32_t offset, int32_t number)
{
    es_ir_reg rd = es_codegen_register(g, 0);
    es_ir_load(g->code, ES_IR_LOAD, rd, ES_IR_RAM_BASE, (int32_t)offset);
    es_ir_immediate(g->code, ES_IR_ADD_I, rd, rd, number);
    es_ir_store(g->code, ES_IR_STORE, rd, ES_IR_RAM_BASE, (int32_t)offset);
}

/* Whether an action from number `from` on changes the counter. */
static bool changes_later(const es_statement *statement, size_t from, size_t counter)
{
    for (size_t i = from; i < statement->action_count; i++) {
        const es_action *action = &statement->actions[i];
        if ((action->kind == ES_ACTION_COUNT || action->kind == ES_ACTION_DECREMENT || action->kind == ES_ACTION_SET) &&
            action->counter == counter)
            return true;
    }
    return false;
}

/* The frame is sent when all is done: it may be that it is not sent at all, for lack of room. */
static void keep_counters(generator *g, size_t number, size_t first_item)
{
    const es_statement *statement = g->statement->statement;
    const es_action *action = &statement->actions[number];
    for (size_t i = 0; i < action->item_count; i++) {
        if (action->items[i].kind != ES_ITEM_COUNTER || !changes_later(statement, number + 1, action->items[i].index))
            continue;
        es_ir_reg rd = es_codegen_register(g, 0);
        load(g, rd, counter_at(g, action->items[i].index));
        store(g, rd, g->plan->kept + 4 * (uint32_t)(first_item + i));
    }
}

static void switch_statement(generator *g, size_t number, bool enable)
{
    const plan_statement *statement = &g->plan->statements[number];
    address(g, ES_IR_T1, statement->switch_record);
    if (enable && statement->compound) { /* what it had seen when it was disabled is forgotten */
        unsigned enabled = es_ir_label(g->code);
        es_ir_load(g->code, ES_IR_LOAD, ES_IR_T2, ES_IR_T1, 0);
        es_ir_immediate(g->code, ES_IR_AND_I, ES_IR_T2, ES_IR_T2, 1);
        es_ir_branch(g->code, statement->statement->disabled ? ES_IR_IF_NE : ES_IR_IF_EQ, ES_IR_T2, ES_IR_ZERO,
                     enabled);
        store(g, ES_IR_ZERO, statement->compound->state + COMPOUND_FLAGS);
        es_ir_here(g->code, enabled);
    }
    es_ir_const(g->code, ES_IR_T2, enable == statement->statement->disabled);
    if (g->late)
        es_deadline_switch_set(g);
    else
        es_routine_call(g->code, g->routines, ROUTINE_switch_set);
}

static void set_pin(generator *g, uint32_t offset, uint32_t value)
{
    es_ir_reg rd = es_codegen_register(g, 0);
    es_ir_const(g->code, rd, value);
    es_ir_store(g->code, ES_IR_STORE, rd, ES_IR_HIT, (int32_t)offset);
}

void es_actions_run(generator *g)
{
    const es_statement *statement = g->statement->statement;
    size_t items = 0;
    bool stops = false;
    add(g, 4 * (uint32_t)(g->plan->program->counter_count + g->number), 1);
    es_expected_hit(g);
    for (size_t i = 0; i < statement->action_count; i++) {
        const es_action *action = &statement->actions[i];
        switch (action->kind) {
        case ES_ACTION_PRINT:
        case ES_ACTION_STATISTIC:
            keep_counters(g, i, items);
            items += action->item_count;
            break;
        case ES_ACTION_COUNT: add(g, counter_at(g, action->counter), 1); break;
        case ES_ACTION_DECREMENT: add(g, counter_at(g, action->counter), -1); break;
        case ES_ACTION_SET: {
            es_ir_reg rd = es_codegen_register(g, 0);
            es_ir_const(g->code, rd, (uint32_t)action->value);
            store(g, action->value ? rd : ES_IR_ZERO, counter_at(g, action->counter));
            break;
        }
        case ES_ACTION_ENABLE:
        case ES_ACTION_DISABLE: switch_statement(g, action->statement, action->kind == ES_ACTION_ENABLE); break;
        case ES_ACTION_STOP: stops = true; break;
        case ES_ACTION_TRIGGER: set_pin(g, ES_REG_TRIGGER, 1u << action->pin); break;
        case ES_ACTION_HALT:
            set_pin(g, ES_REG_HALT, 1);
            stops = true; /* nothing comes after it but what the target does until it stands */
            break;
        default: break; /* es_image_build has refused what uses other actions */
        }
    }
    if (stops)
        es_ir_const(g->code, ES_IR_RA, g->routines->stop);
}

void es_actions_counter(generator *g, size_t k, es_ir_reg rd)
{
    const es_statement *statement = g->statement->statement;
    size_t first = 0;
    for (size_t i = 0; i < statement->action_count; i++) {
        const es_action *action = &statement->actions[i];
        if (action->kind != ES_ACTION_PRINT && action->kind != ES_ACTION_STATISTIC)
            continue;
        if (k - first < action->item_count) {
            size_t counter = action->items[k - first].index;
            load(g, rd,
                 changes_later(statement, i + 1, counter) ? g->plan->kept + 4 * (uint32_t)k : counter_at(g, counter));
            return;
        }
        first += action->item_count;
    }
}
