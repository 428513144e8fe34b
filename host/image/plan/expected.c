#include "image/plan/expected.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/arena.h"
#include "image/plan/plan.h"
#include "lang/statement.h"

#define SWITCH_WORDS (PLAN_SWITCH_BYTES / 4)

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
    return EXPECTED_RECORD_WORDS + (switched ? SWITCH_WORDS : 0);
}

uint32_t es_expected_place(image_plan *plan)
{
    const es_program *program = plan->program;
    uint32_t at = 4 * (uint32_t)(program->counter_count + program->statement_count);
    bool *switched = es_expected_switched(program);
    for (size_t s = 0; s < program->statement_count; s++) {
        size_t words = es_expected_words(&program->statements[s], switched[s]);
        if (!words)
            continue;
        bool expects = words >= EXPECTED_RECORD_WORDS;
        plan->statements[s].expected = expects ? at : 0;
        plan->statements[s].unknown = at + (expects ? (uint32_t)offsetof(struct es_mi_expected, unknown) : 0);
        if (words > EXPECTED_RECORD_WORDS)
            plan->statements[s].switch_record = at + (uint32_t)sizeof(struct es_mi_expected);
        at += 4 * (uint32_t)words;
    }
    free(switched);
    return at;
}
