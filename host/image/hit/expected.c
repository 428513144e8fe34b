#include "image/hit/expected.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/arena.h"
#include "image/image.h"
#include "lang/statement.h"

#define DOUBTS_WORDS (sizeof(struct es_mi_doubts) / 4)

bool *es_expected_switched(const es_program *program)
{
    bool *switched = es_malloc(program->statement_count + 1);
    for (size_t i = 0; i < program->statement_count; i++)
        switched[i] = program->statements[i].disabled;
    for (size_t i = 0; i < program->statement_count; i++)
        for (size_t k = 0; k < program->statements[i].action_count; k++) {
            const es_action *action = &program->statements[i].actions[k];
            if (action->kind == ES_ACTION_ENABLE || action->kind == ES_ACTION_DISABLE)
                switched[action->statement] = true;
        }
    return switched;
}

size_t es_expected_words(const es_statement *statement, bool switched)
{
    if (statement->expect == ES_EXPECT_NONE)
        return statement->reference_count ? 1 : 0;
    return EXPECTED_RECORD_WORDS + (switched ? EXPECTED_SWITCH_BYTES / 4 : 0);
}

static bool needs_path(const es_condition *condition)
{
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
    const es_condition *condition;
    for (size_t k = 0; (condition = es_statement_condition(statement, k)) != NULL; k++)
        if (needs_path(condition))
            return true;
    return false;
}

size_t es_image_figures(const es_program *program)
{
    size_t count = program->counter_count + program->statement_count + DOUBTS_WORDS;
    bool *switched = es_expected_switched(program);
    for (size_t s = 0; s < program->statement_count; s++)
        count += es_expected_words(&program->statements[s], switched[s]);
    free(switched);
    return count;
}

static es_image_expected read_record(const uint32_t *words, bool switched, bool disabled)
{
    return (es_image_expected){
        .hit = words[1] & ES_MI_EXPECTED_FIRST,
        .first = words[0] | (uint64_t)(words[1] & ~ES_MI_EXPECTED_FIRST) << 32,
        .uncertain = words[2],
        .unknown = words[3],
        .disabled = disabled != (switched && words[EXPECTED_RECORD_WORDS] & 1),
    };
}

es_image_doubts es_image_expected_read(const es_program *program, const uint32_t *figures, es_image_expected *expected)
{
    const uint32_t *at = figures + program->counter_count + program->statement_count;
    bool *switched = es_expected_switched(program);
    for (size_t s = 0; s < program->statement_count; s++) {
        size_t words = es_expected_words(&program->statements[s], switched[s]);
        expected[s] = words >= EXPECTED_RECORD_WORDS
                          ? read_record(at, words > EXPECTED_RECORD_WORDS, program->statements[s].disabled)
                          : (es_image_expected){.unknown = words ? at[0] : 0};
        at += words;
    }
    free(switched);
    return (es_image_doubts){.nobodys = at[2], .paths = at[3] != 0, .end = at[4] | (uint64_t)at[5] << 32};
}
