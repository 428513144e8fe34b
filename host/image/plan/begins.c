#include "image/plan/begins.h"

#include "image/plan/plan.h"
#include "lang/statement.h"

/* Whether a place on the stack has bytes in the procedure's own frame: what lies above is what its caller has put there
 * before the call. */
static bool is_local(const es_reference *place, const es_procedure *procedure)
{
    return place->frame && place->frame->low == procedure->low && (int32_t)place->address < 0;
}

static bool names_locals(const es_statement *statement, const es_procedure *procedure)
{
    for (size_t i = 0; i < statement->reference_count; i++)
        if (is_local(&statement->references[i], procedure))
            return true;
    for (size_t i = 0; i < statement->action_count; i++)
        if (statement->actions[i].snapshot && is_local(&statement->actions[i].snapshot->place, procedure))
            return true;
    return false;
}

void es_begins_settle(const image_plan *plan, const es_statement *statement, plan_control *control)
{
    const es_procedure *procedure = control->procedure;
    for (size_t i = 0; control->position && i < control->position->count && !procedure; i++) {
        uint32_t address = control->position->addresses[i];
        procedure = es_symbols_procedure_at(plan->symbols, address);
        if (procedure && (procedure->low != address || !names_locals(statement, procedure)))
            procedure = NULL;
    }
    if (control->leave || !procedure || !names_locals(statement, procedure))
        return;
    uint32_t begin = es_symbols_begin(plan->symbols, procedure);
    if (begin == procedure->low)
        return;
    control->begin = begin;
    control->instead = procedure->low;
}
