#include "image/planner/actions.h"

#include <stdlib.h>

#include "image/hit/expected.h"
#include "image/image.h"
#include "image/plan/plan.h"
#include "lang/statement.h"

uint32_t es_actions_place(image_plan *plan, uint32_t at)
{
    const es_program *program = plan->program;
    size_t most = 0, elements = 0;
    bool *switched = es_expected_switched(program);
    for (size_t s = 0; s < program->statement_count; s++) {
        const es_statement *statement = &program->statements[s];
        if (switched[s] && !plan->statements[s].expected) { /* else it stands there */
            plan->statements[s].switch_record = at;
            at += EXPECTED_SWITCH_BYTES;
        }
        size_t counters = 0, count = es_image_value_count(statement);
        for (size_t k = 0; k < count; k++)
            counters += es_image_value(statement, k)->kind == ES_ITEM_COUNTER;
        most = counters ? (count > most ? count : most) : most;
        size_t indexed = 0;
        for (size_t k = 0; k < es_image_snapshot_count(statement); k++)
            indexed += es_image_snapshot(statement, k)->place.subscript_count > 0;
        elements = indexed > elements ? indexed : elements;
    }
    free(switched);
    plan->shots = at;
    at += PLAN_SHOT_BYTES * (uint32_t)elements;
    plan->kept = at;
    at += 4 * (uint32_t)most;
    plan->times = at;
    return at + (plan->tells_times ? 4 * (ES_IMAGE_TIMES - 1) : 0);
}
