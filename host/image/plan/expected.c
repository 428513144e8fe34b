#include "image/plan/expected.h"

#include <stddef.h>
#include <stdlib.h>

#include "image/hit/expected.h"
#include "image/plan/plan.h"
#include "lang/statement.h"

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
