/* The routines of statements. */
#include "image/lower/routine.h"
#include "image/times/compound.h"

#include "image/firmware.h"
#include "image/image.h"
#include "image/lower/actions.h"
#include "image/lower/compound.h"
#include "image/lower/compound_due.h"
#include "image/lower/copies.h"
#include "image/lower/cover.h"
#include "image/lower/deadline.h"
#include "image/lower/element.h"
#include "image/lower/expected.h"
#include "image/lower/expression.h"
#include "image/lower/generator.h"
#include "image/lower/holds.h"
#include "image/lower/order.h"
#include "image/lower/place.h"
#include "image/lower/pointers.h"
#include "image/lower/routines.h"
#include "image/lower/send.h"
#include "image/lower/slots.h"
#include "image/lower/snapshot.h"
#include "image/lower/stack.h"
#include "image/lower/tasks.h"
#include "image/lower/times.h"
#include "image/places/indexed.h"
#include "image/plan/plan.h"
#include "image/plan/refuse.h"
#include "image/times/holds.h"
#include "ir/ir.h"
#include "lang/statement.h"

/* Jumps to `unknown` when phantom memory was read that is not known. */
static void check_known(generator *g)
{
    if (!g->reads)
        return;
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_T6, ES_IR_HIT, (int32_t)ES_REG_UNKNOWN);
    es_ir_branch(g->code, ES_IR_IF_NE, ES_IR_T6, ES_IR_ZERO, g->unknown);
}

/* Notes the time: number 0 or 1 of plan.times. */
static void note_time(generator *g, uint32_t number)
{
    if (!g->plan->tells_times)
        return;
    es_ir_reg rd = es_codegen_register(g, 0);
    es_ir_load(g->code, ES_IR_LOAD, rd, ES_IR_HIT, (int32_t)ES_REG_TIME_NOW);
    es_ir_store(g->code, ES_IR_STORE, rd, ES_IR_RAM_BASE, (int32_t)(g->plan->times + 4 * number));
}

/* What follows is run, shown or dropped, before what the statement's counters lead to moves. */
static void move_counted(generator *g)
{
    uint32_t moved = es_indexed_moved_by(g->plan, g->number);
    unsigned rest = es_ir_label(g->code);
    if (!moved)
        return;
    es_ir_store(g->code, ES_IR_STORE, ES_IR_RA, ES_IR_RAM_BASE, (int32_t)g->plan->moving_on);
    es_routine_run_label(g->code, ES_IR_RA, rest);
    es_ir_load(g->code, ES_IR_LOAD, ES_IR_RA, ES_IR_RAM_BASE, (int32_t)g->plan->moving_on);
    es_ir_const(g->code, ES_IR_A0, moved);
    es_routine_call(g->code, g->routines, ROUTINE_pointer_written);
    es_ir_entry(g->code, rest);
}

/* What is told at most once of a place: of `cover`, with a0 as es_cover_told takes it, or of a stack's word. `unless`
 * goes on at the label where there is nothing to tell. */
static void tell_once(generator *g, void (*unless)(generator *g, unsigned label))
{
    unsigned no = es_ir_label(g->code);
    note_time(g, 0);
    if (g->statement->after_deadlines)
        es_order_settle(g);
    es_actions_check_enabled(g, no);
    unless(g, no);
    note_time(g, 1);
    es_actions_run(g);
    es_send_hit(g);
    es_ir_here(g->code, no);
    es_ir_return(g->code, ES_IR_RA, 0);
}

static void evaluate(generator *g)
{
    unsigned no = es_ir_label(g->code), not_evaluable = es_ir_label(g->code);
    g->unknown = es_ir_label(g->code);
    es_slots_gather(g);
    note_time(g, 0);
    if (g->late && g->late->part)
        es_compound_due(g, not_evaluable);
    else if (g->late)
        es_deadline_passed(g, not_evaluable);
    else if (g->statement->compound && g->statement->compound->deadlines)
        es_compound_before(g);
    else if (g->statement->after_deadlines)
        es_order_settle(g);
    es_actions_check_enabled(g, not_evaluable);
    if (g->late && !g->late->part)
        es_holds_check_shown(g, g->late);
    if (g->statement->asks_paths && g->plan->path_count && !g->late) /* too deep for NP to be known */
        es_ir_branch(g->code, ES_IR_IF_EQ, ES_IR_NP, ES_IR_ZERO, g->unknown);
    if (g->statement->compound) {
        es_compound_evaluate(g, not_evaluable);
        if (g->late)
            es_compound_check_shown(g);
    } else if (!es_holds_is(g->statement->statement)) { /* which was evaluated at the events before the deadline */
        if (!g->late) {                                 /* what it shows of then has been copied */
            es_place_check(g, NULL, not_evaluable);
            es_snapshot_exists(g, not_evaluable);
            if (es_element_find(g, NULL, no))
                es_ir_branch(g->code, ES_IR_IF_EQ, ES_IR_A0, ES_IR_ZERO, no);
        }
        es_codegen_condition(g, g->statement->statement->predicate, no, false);
    }
    if (g->late)
        es_send_check_late(g);
    check_known(g);
    bool reads = g->reads;
    note_time(g, 1);
    es_snapshot_find(g);
    es_actions_run(g);
    move_counted(g);
    if (es_image_reports(g->statement->statement))
        es_send_hit(g);
    else
        es_ir_return(g->code, ES_IR_RA, 0);
    g->reads = reads;
    es_ir_here(g->code, no);
    check_known(g);
    es_ir_here(g->code, not_evaluable);
    es_ir_return(g->code, ES_IR_RA, 0);
    es_ir_here(g->code, g->unknown);
    es_expected_unknown(g, ES_IR_T1);
    es_routine_call(g->code, g->routines, ROUTINE_unknown);
}

/* What statements' routines are made for. */
enum purpose { EVENT, LATE, NOTE };

/* The routine of a statement's events, of its deadline g.late, or of the note of this. */
static bool generate(generator g, enum purpose purpose, es_error *err)
{
    image_plan *plan = g.plan;
    const es_statement *statement = g.statement->statement;
    const plan_deadline *deadline = g.late;
    size_t room = ES_FRAME_MAX_WORDS - es_send_besides(&g);
    if (es_image_words(statement) > room)
        return es_plan_fail(plan, statement, err,
                            "it prints %zu words of values; at most %zu fit into a hit: split it into several "
                            "statements",
                            es_image_words(statement), room);
    g.checks_old = true;
    if (purpose == NOTE)
        g.late = NULL, g.note = deadline;
    if (purpose == NOTE) {
        es_slots_gather(&g);
        es_holds_note_write(&g, deadline);
    } else if (g.statement->covered) {
        tell_once(&g, es_cover_room);
    } else if (g.statement->stack) {
        tell_once(&g, es_stack_deeper);
    } else {
        evaluate(&g);
    }
    return true;
}

/* Unless a counter has moved on after the write what it was to. */
static void note_age(generator *g, const plan_age *age)
{
    unsigned stays = es_ir_label(g->code);
    if (age->pointer && g->plan->counts) {
        es_pointers_unless_moved(g, &g->plan->pointers[age->pointer - 1], es_ir_new(g->code), stays);
        es_ir_return(g->code, ES_IR_RA, 0);
    }
    es_ir_here(g->code, stays);
    es_times_note_write(g, age);
}

bool es_routine_late(image_plan *plan, size_t deadline, const es_probe_limits *limits,
                     const firmware_routines *routines, es_ir_code *code, es_error *err)
{
    const plan_deadline *late = &plan->deadlines[deadline], *end = plan->deadlines + plan->deadline_count;
    /* the copies of what is shown are the same for all parts that it is shown with; one from the start knows, too, what
     * was not written since */
    for (const plan_deadline *part = late; part < end && part->statement == late->statement; part++)
        if (part->part && part->shows && (!late->shows || (part->from_start && !late->from_start)))
            late = part;
    return generate((generator){.plan = plan,
                                .statement = &plan->statements[late->statement],
                                .number = late->statement,
                                .handler = late->statement,
                                .limits = limits,
                                .routines = routines,
                                .code = code,
                                .late = late},
                    LATE, err);
}

bool es_routine_write(image_plan *plan, size_t number, const es_probe_limits *limits, const firmware_routines *routines,
                      es_ir_code *code, es_error *err)
{
    const plan_handler *handler = &plan->handlers[number];
    const plan_deadline *deadline = handler->purpose == PLAN_DEADLINE ? &plan->deadlines[handler->number] : NULL;
    generator g = {.plan = plan, .handler = number, .limits = limits, .routines = routines, .code = code};
    if (handler->purpose == PLAN_STATEMENT || (deadline && deadline->evaluated))
        g.statement = &plan->statements[handler->statement], g.number = handler->statement;
    if (handler->purpose == PLAN_STATEMENT)
        return g.statement->deadline ? es_routine_late(plan, g.statement->deadline - 1, limits, routines, code, err)
                                     : generate(g, EVENT, err);
    if (g.statement) {
        g.late = deadline;
        return generate(g, NOTE, err);
    }
    es_slots_gather(&g);
    switch (handler->purpose) {
    case PLAN_DEADLINE: es_deadline_note_write(&g, deadline); break;
    case PLAN_AGE: note_age(&g, &plan->ages[handler->number]); break;
    case PLAN_POINTER: es_pointers_note_write(&g, handler->number); break;
    default: es_tasks_written(code, routines, plan->program->task); break;
    }
    return true;
}
