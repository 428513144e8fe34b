#include "lang/remembers.h"

/* Constructs that need nothing but memory and path at the event. */
#define OF_THE_MOMENT \
    (ES_FEATURE(PATH) | ES_FEATURE(NESTED) | ES_FEATURE(SUBSTATE) | ES_FEATURE(AT) | ES_FEATURE(READ) | \
     ES_FEATURE(FLOAT) | ES_FEATURE(FLOAT_SUM) | ES_FEATURE(MULTIPLY) | ES_FEATURE(DIVIDE) | ES_FEATURE(CHOICE) | \
     ES_FEATURE(OR) | ES_FEATURE(EXPECT) | ES_FEATURE(TRIGGER) | ES_FEATURE(SNAPSHOT))

static const char *kept_by_action(const es_action *action)
{
    switch (action->kind) {
    case ES_ACTION_PRINT:
    case ES_ACTION_TRIGGER: return NULL;
    case ES_ACTION_STATISTIC:
        return action->statistic->kind == ES_STATISTIC_COVER   ? "tells each line once"
               : action->statistic->kind == ES_STATISTIC_STACK ? "tells what is deeper than all before"
                                                               : NULL;
    case ES_ACTION_COUNT:
    case ES_ACTION_SET:
    case ES_ACTION_DECREMENT: return "counts";
    case ES_ACTION_ENABLE:
    case ES_ACTION_DISABLE: return "switches statements";
    case ES_ACTION_STOP:
    case ES_ACTION_HALT: return "may have ended the run before";
    default:
        return action->snapshot->place.via || action->snapshot->place.frame || action->snapshot->place.subscript_count
                   ? "follows pointers or indices"
                   : NULL;
    }
}

static const char *kept_by_references(const es_statement *statement)
{
    for (size_t i = 0; i < statement->reference_count; i++) {
        const es_reference *reference = &statement->references[i];
        if (reference->frame)
            return "names a local, whose life begins earlier";
        if (reference->via || reference->subscript_count)
            return "follows pointers or indices";
        if (reference->size > 4)
            return "names a variable that is written in parts";
    }
    return NULL;
}

static const char *kept_by(const es_statement *statement)
{
    const char *what = kept_by_references(statement);
    for (size_t i = 0; i < statement->action_count && !what; i++)
        what = kept_by_action(&statement->actions[i]);
    if (what)
        return what;
    if (statement->expect == ES_EXPECT_WITHIN || statement->disabled)
        return "counts from the start";
    return statement->features & ~OF_THE_MOMENT ? "depends on times, counters or events before" : NULL;
}

const es_statement *es_program_remembers(const es_program *program, const char **what)
{
    for (size_t i = 0; i < program->statement_count; i++) {
        *what = kept_by(&program->statements[i]);
        if (*what)
            return &program->statements[i];
    }
    *what = program->task ? "tells tasks, each with a stack of its own" : NULL;
    return program->task && program->statement_count ? &program->statements[0] : NULL;
}
