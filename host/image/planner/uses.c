#include "image/planner/uses.h"

#include "image/image.h"
#include "image/places/indexed.h"
#include "image/plan/begins.h"
#include "image/plan/refuse.h"
#include "image/plan/triggers.h"
#include "image/times/compound.h"
#include "image/times/holds.h"

static bool *no_marks(image_plan *plan, size_t count)
{
    return es_arena_alloc(plan->arena, count + 1);
}

/* What is on the way to a reference stands before it: its writes are events where that's are. */
static void find_uses_on_the_way(image_plan *plan, size_t number, plan_uses *uses)
{
    const es_statement *statement = &plan->program->statements[number];
    size_t count = statement->reference_count;
    bool *named = uses->named, *elsewhere = no_marks(plan, count);
    for (size_t i = count; i-- > 0;) {
        const es_reference *reference = &statement->references[i];
        bool event = i < statement->predicate_count && named[i];
        uses->named = event ? named : elsewhere;
        for (size_t k = 0; k < reference->subscript_count; k++)
            es_plan_find_uses(reference->subscripts[k].index, plan->arena, uses);
        es_indexed_uses(plan, number, i, uses);
        if (event && reference->via)
            named[reference->base] = true;
    }
    uses->named = elsewhere;
    for (size_t k = 0; k < es_image_snapshot_count(statement); k++) {
        const es_reference *place = &es_image_snapshot(statement, k)->place;
        for (size_t i = 0; i < place->subscript_count; i++)
            es_plan_find_uses(place->subscripts[i].index, plan->arena, uses);
    }
    uses->named = named;
}

static void find_uses_of_actions(const es_statement *statement, plan_uses *uses)
{
    for (size_t k = 0; k < es_image_value_count(statement); k++) {
        const es_print_item *item = es_image_value(statement, k);
        if (item->kind == ES_ITEM_VALUE)
            uses->old[item->index] |= item->old;
        else if (item->kind == ES_ITEM_AGE)
            uses->age[item->index] = true;
    }
}

bool es_uses_find(image_plan *plan, size_t number, const es_probe_limits *limits, plan_uses *uses, es_error *err)
{
    plan_statement *out = &plan->statements[number];
    const es_statement *statement = out->statement;
    size_t count = statement->reference_count;
    *uses = (plan_uses){.statement = statement,
                        .write = no_marks(plan, count),
                        .old = no_marks(plan, count),
                        .age = no_marks(plan, count),
                        .read = no_marks(plan, count),
                        .named = no_marks(plan, count),
                        .write_any = no_marks(plan, statement->area_count),
                        .read_any = no_marks(plan, statement->area_count),
                        .read_member = no_marks(plan, count)};
    if (es_compound_is(statement)) {
        if (!es_compound_plan(plan, out, limits->bus_hz, err))
            return false;
        es_plan_find_event_uses(statement->event, plan->arena, uses);
        for (size_t i = 0; i < statement->predicate_count; i++) /* they tell which conditions an event concerns */
            uses->write[i] |= es_compound_tells_write(out->compound, statement, i);
    } else {
        es_plan_find_uses(es_holds_is(statement) ? statement->event->condition->expr : statement->predicate,
                          plan->arena, uses);
    }
    find_uses_on_the_way(plan, number, uses);
    if (statement->event)
        es_plan_find_triggers(statement->event, plan->arena, uses);
    for (size_t i = 0; i < uses->control_count; i++)
        es_begins_settle(plan, statement, &uses->controls[i]);
    if (uses->too_deep)
        return es_plan_fail(plan, statement, err,
                            "the predicate has more than %d nested operations: split it into several statements",
                            PLAN_DEPTH_MAX);
    find_uses_of_actions(statement, uses);
    return true;
}
