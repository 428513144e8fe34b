#include "image/planner/proven.h"

#include "image/image.h"
#include "image/plan/refuse.h"
#include "lang/statement.h"

#define EXACT "writes to variables of static storage are exact here; "
#define NEEDS "needs to know which instructions are executed, and "

static const es_blindness ahead = {
    NEEDS "on this probe's bus the processor fetches ahead of them",
    EXACT "a retire tap makes all of it so (docs/attach-core.md, \"What a fetch proves\")",
};
static const es_blindness whole_words = {
    NEEDS "this probe is built for instructions of four bytes, while the program has compressed ones",
    EXACT "a probe with es_probe's parameter COMPRESSED makes all of it so, or a program without C (-march=rv32i)",
};

static const es_blindness untold = {
    NEEDS
    "the program has instructions that push, pop and return, or jump through a table, at once (Zcmp, Zcmt): where "
    "these lead the probe is not told",
    EXACT "compile the program, libraries too, without zcmp and zcmt",
};

const es_blindness *es_image_blindness(const es_probe_limits *limits, const es_symbols *symbols)
{
    if (limits->lacks & ES_LACKS_FETCHES)
        return &ahead;
    if (limits->lacks & ES_LACKS_COMPRESSED && es_symbols_compressed(symbols))
        return &whole_words;
    return es_symbols_untold(symbols) ? &untold : NULL;
}

static bool check_reference(const image_plan *plan, const es_statement *statement, size_t index, es_error *err)
{
    const es_reference *reference = &statement->references[index];
    if (reference->frame || reference->path)
        return es_plan_refuse(plan, statement, index, err, plan->blind->remedy,
                              "%s is a local: where it is in memory, and when it exists, %s", reference->text,
                              plan->blind->why);
    if (reference->via)
        return es_plan_refuse(plan, statement, index, err, plan->blind->remedy,
                              "%s is reached through a pointer: which writes there are the program's own and not its "
                              "allocator's, %s",
                              reference->text, plan->blind->why);
    return true;
}

static bool check_action(const image_plan *plan, const es_action *action, es_error *err)
{
    static const char *const by[] = {[ES_BY_PATH] = "path", [ES_BY_TASK] = "task", [ES_BY_PLACE] = "place"};
    const es_statistic *statistic = action->kind == ES_ACTION_STATISTIC ? action->statistic : NULL;
    if (action->snapshot && (action->snapshot->place.frame || action->snapshot->place.via))
        return es_plan_refuse_at(plan, action->source, 1, err, plan->blind->remedy, "where %s is in memory, %s",
                                 action->snapshot->name, plan->blind->why);
    if (statistic && statistic->by != ES_BY_NOTHING && statistic->by != ES_BY_VALUE)
        return es_plan_refuse_at(plan, action->source, 1, err, plan->blind->remedy, "`by %s` %s", by[statistic->by],
                                 plan->blind->why);
    return true;
}

bool es_proven_check(const image_plan *plan, const es_statement *statement, const plan_uses *uses, es_error *err)
{
    if (!plan->blind)
        return true;
    if (uses->control_count || uses->substates)
        return es_plan_refuse_at(plan, statement->source, 1, err, plan->blind->remedy,
                                 "a call, a return, a position or a path %s", plan->blind->why);
    if (uses->reads)
        return es_plan_refuse_at(plan, statement->source, 1, err, plan->blind->remedy, "read() %s", plan->blind->why);
    for (size_t i = 0; i < statement->reference_count; i++)
        if (!check_reference(plan, statement, i, err))
            return false;
    for (size_t i = 0; i < statement->action_count; i++)
        if (!check_action(plan, &statement->actions[i], err))
            return false;
    return true;
}

bool es_proven_program(const es_program *program, const es_blindness *blind, es_error *err)
{
    if (!blind || !program->task || program->kernel)
        return true;
    return es_fail(err, ES_USAGE, "which task runs, by %s, %s: %s", program->task->text, blind->why, blind->remedy);
}
