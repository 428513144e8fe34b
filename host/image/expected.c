#include "image/expected.h"
#include "image/routines.h"

#include <stddef.h>

#include "image/times.h"

#define RECORD_WORDS (sizeof(struct es_mi_expected) / 4)
#define DOUBTS_WORDS (sizeof(struct es_mi_doubts) / 4)
#define SWITCH_WORDS (PLAN_SWITCH_BYTES / 4)

bool es_expected_switched(const es_program *program, size_t statement)
{
    if (program->statements[statement].disabled)
        return true;
    for (size_t i = 0; i < program->statement_count; i++)
        for (size_t k = 0; k < program->statements[i].action_count; k++) {
            const es_action *action = &program->statements[i].actions[k];
            if ((action->kind == ES_ACTION_ENABLE || action->kind == ES_ACTION_DISABLE) &&
                action->statement == statement)
                return true;
        }
    return false;
}

/* Words of its record and switch. */
static size_t words_of(const es_program *program, size_t statement)
{
    if (program->statements[statement].expect == ES_EXPECT_NONE)
        return 0;
    return RECORD_WORDS + (es_expected_switched(program, statement) ? SWITCH_WORDS : 0);
}

uint32_t es_expected_place(image_plan *plan)
{
    const es_program *program = plan->program;
    uint32_t at = 4 * (uint32_t)(program->counter_count + program->statement_count);
    for (size_t s = 0; s < program->statement_count; s++) {
        size_t words = words_of(program, s);
        if (!words)
            continue;
        plan->statements[s].expected = at;
        if (words > RECORD_WORDS)
            plan->statements[s].switch_record = at + (uint32_t)sizeof(struct es_mi_expected);
        at += 4 * (uint32_t)words;
    }
    return at;
}

void es_expected_hit(generator *g)
{
    uint32_t record = g->statement->expected;
    if (!record)
        return;
    es_ir_ram(g->code, ES_IR_T1, record);
    es_times_now(g, ES_IR_T3, ES_IR_T4);
    es_ir_const(g->code, ES_IR_T5,
                ES_HITF_UNCERTAIN | (es_image_needs_path(g->statement->statement) ? ES_HITF_PATH_UNKNOWN : 0));
    es_routine_call(g->code, g->routines, ROUTINE_expected);
}

void es_expected_unknown(generator *g, unsigned rd)
{
    if (!g->statement || !g->statement->expected)
        return;
    uint32_t count = g->statement->expected + (uint32_t)offsetof(struct es_mi_expected, unknown);
    es_times_load(g, rd, count);
    es_ir_immediate(g->code, ES_IR_ADD_I, rd, rd, 1);
    es_times_store(g, rd, count);
}

/* --- the host's side ------------------------------------------------------------------------------------- */

static bool event_needs_path(const es_event_tree *event)
{
    if (!event)
        return false;
    if (event->kind != ES_EVENT_WHEN)
        return event_needs_path(event->first) || event_needs_path(event->second);
    const es_condition *condition = event->condition;
    if (condition->exists_count)
        return true;
    for (size_t i = 0; i < condition->trigger_count; i++)
        if (condition->triggers[i].kind == ES_TRIGGER_LEAVE || condition->triggers[i].path)
            return true;
    return false;
}

bool es_image_needs_path(const es_statement *statement)
{
    if (statement->features & (ES_FEATURE(PATH) | ES_FEATURE(SUBSTATE)))
        return true;
    for (size_t i = 0; i < statement->reference_count; i++)
        if (statement->references[i].frame || statement->references[i].path)
            return true;
    return event_needs_path(statement->event);
}

size_t es_image_figures(const es_program *program)
{
    size_t count = program->counter_count + program->statement_count + DOUBTS_WORDS;
    for (size_t s = 0; s < program->statement_count; s++)
        count += words_of(program, s);
    return count;
}

static es_image_expected read_record(const uint32_t *words, bool switched, bool disabled)
{
    return (es_image_expected){
        .hit = words[1] & ES_MI_EXPECTED_FIRST,
        .first = words[0] | (uint64_t)(words[1] & ~ES_MI_EXPECTED_FIRST) << 32,
        .uncertain = words[2],
        .unknown = words[3],
        .disabled = disabled != (switched && words[RECORD_WORDS] & 1),
    };
}

es_image_doubts es_image_expected_read(const es_program *program, const uint32_t *figures, es_image_expected *expected)
{
    const uint32_t *at = figures + program->counter_count + program->statement_count;
    for (size_t s = 0; s < program->statement_count; s++) {
        size_t words = words_of(program, s);
        expected[s] =
            words ? read_record(at, words > RECORD_WORDS, program->statements[s].disabled) : (es_image_expected){0};
        at += words;
    }
    return (es_image_doubts){.nobodys = at[2], .paths = at[3] != 0, .end = at[4] | (uint64_t)at[5] << 32};
}
