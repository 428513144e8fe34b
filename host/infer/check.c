#include "infer/check.h"
#include "base/text.h"
#include "infer/concerns.h"
#include "infer/holders.h"
#include "infer/moves.h"
#include "infer/population.h"

#include <stdlib.h>
#include <string.h>

typedef es_infer_population population;
typedef es_infer_taken taken;

#define ES_INFER_LOSSES_KEPT 64u /* told losses that are looked at one by one */

struct es_infer_check {
    const es_infer_model *model;
    es_infer_check_options options;
    es_infer_totals totals;
    es_arena *arena;
    population *populations;
    es_infer_holders *holders; /* NULL: no states are exclusive */
    es_infer_concerns concerns;
    uint32_t epoch, uncounted;
    int64_t now, gap_end;                       /* losses are told up to there */
    es_infer_loss losses[ES_INFER_LOSSES_KEPT]; /* the newest is at (epoch - 1) % ES_INFER_LOSSES_KEPT */
    bool any_of_one;
};

es_infer_check *es_infer_check_new(const es_infer_model *model, const es_infer_check_options *options)
{
    es_infer_check *check = es_malloc(sizeof *check);
    *check = (es_infer_check){
        .model = model, .options = *options, .arena = es_arena_new(), .now = INT64_MIN, .gap_end = INT64_MIN};
    if (!check->options.scenarios_max)
        check->options.scenarios_max = ES_INFER_SCENARIOS_MAX;
    check->populations = es_arena_alloc(check->arena, (model->machine_count + 1) * sizeof *check->populations);
    for (uint32_t m = 0; m < model->machine_count; m++)
        es_infer_population_start(&check->populations[m], &model->machines[m]);
    es_infer_concerns_find(&check->concerns, model, check->arena);
    check->holders = es_infer_holders_new(model, check->arena);
    return check;
}

void es_infer_check_free(es_infer_check *check)
{
    if (!check)
        return;
    for (uint32_t m = 0; m < check->model->machine_count; m++)
        es_infer_population_end(&check->populations[m]);
    es_arena_free(check->arena);
    free(check);
}

const es_infer_totals *es_infer_check_totals(const es_infer_check *check)
{
    return &check->totals;
}

/* --- scenarios by their keys ----------------------------------------------------------------------------------- */

static es_infer_scenario *new_scenario(es_infer_check *check, population *p, es_infer_value key, es_error *err)
{
    if (check->totals.scenarios == check->options.scenarios_max) {
        es_fail(err, ES_USAGE, "more than %u %s: does the machine '%s' have the right field as its key?",
                check->options.scenarios_max, es_plural(check->options.scenarios_max, "scenario", "scenarios"),
                p->machine->name);
        return NULL;
    }
    es_infer_scenario *scenario = es_infer_population_add(p, key, check->arena);
    check->totals.scenarios++;
    if (check->options.hidden) {
        scenario->anywhere = es_arena_alloc(check->arena, sizeof *scenario->anywhere);
        *scenario->anywhere = scenario->states;
    }
    return scenario;
}

void es_infer_check_each(es_infer_check *check, uint32_t machine,
                         void (*call)(void *context, es_infer_scenario *scenario), void *context)
{
    const population *p = &check->populations[machine];
    for (uint32_t i = 0; i < p->slot_count; i++)
        if (p->slots[i])
            call(context, p->slots[i]);
}

/* --- losses ---------------------------------------------------------------------------------------------------- */

/* Can a loss have been of the scenario? */
static bool concerns(const es_infer_check *check, const es_infer_loss *loss, uint32_t machine_number,
                     const es_infer_scenario *scenario)
{
    const es_infer_machine *machine = &check->model->machines[machine_number];
    es_infer_value value;
    if (!loss->of_one)
        return true;
    if (es_infer_loss_spares(loss, machine, scenario->key))
        return false;
    if (!check->holders || scenario->only == ES_INFER_STATES_MAX || scenario->ousted ||
        !es_infer_set_has(&machine->staying, scenario->only))
        return true;
    uint32_t exclusive = es_infer_exclusive_of(machine, scenario->only);
    return machine->exclusives[exclusive].field != loss->field ||
           !es_infer_holders_value(check->holders, machine_number, exclusive, scenario, &value) || value == loss->value;
}

/* Whether something of the scenario may have been lost before its event, and how much at most. */
static bool may_have_lost(es_infer_check *check, uint32_t machine, const es_infer_event *event,
                          es_infer_scenario *scenario, uint64_t *lost)
{
    bool any = false;
    *lost = 0;
    if (check->epoch - scenario->epoch > ES_INFER_LOSSES_KEPT) {
        any = true;
        *lost = UINT64_MAX;
        scenario->epoch = check->epoch - ES_INFER_LOSSES_KEPT;
    }
    bool over = true;
    for (uint32_t i = scenario->epoch; i != check->epoch; i++) {
        const es_infer_loss *loss = &check->losses[i % ES_INFER_LOSSES_KEPT];
        if (concerns(check, loss, machine, scenario)) {
            any = true;
            *lost = loss->count && *lost < UINT64_MAX - loss->count ? *lost + loss->count : UINT64_MAX;
        }
        over = over && event->time >= loss->end; /* within the time of a loss more may be lost after this event, too */
        scenario->epoch += over;
    }
    return any;
}

/* --- steps ----------------------------------------------------------------------------------------------------- */

static void push_context(es_infer_scenario *scenario, bool continues, uint16_t transition)
{
    for (uint32_t i = ES_INFER_CONTEXT - 1; i > 0; i--)
        scenario->context[i] = continues ? scenario->context[i - 1] : ES_INFER_NO_TRANSITION;
    scenario->context[0] = transition;
}

/* Moves the scenario where its transitions lead: one of them, or several. */
static void move(const es_infer_machine *machine, es_infer_scenario *scenario, const es_infer_event *event,
                 const taken *result, bool continues)
{
    bool one = result->count == 1;
    uint32_t words = es_infer_set_words(machine->state_count);
    if (!continues)
        scenario->known = 0;
    if (one && machine->transitions[result->transition].update_count)
        es_infer_assign(&machine->transitions[result->transition], event, scenario->variables, &scenario->known);
    else if (!one)
        scenario->known = 0;
    push_context(scenario, continues && one, one ? result->transition : ES_INFER_NO_TRANSITION);
    scenario->states.words[0] = result->states.words[0];
    for (uint32_t i = 1; __builtin_expect(i < words, false); i++)
        scenario->states.words[i] = result->states.words[i];
    bool sure = one || es_infer_set_is_one(&result->states, words);
    scenario->only = (uint16_t)(one    ? machine->transitions[result->transition].to
                                : sure ? es_infer_set_next(&result->states, 0, words)
                                       : ES_INFER_STATES_MAX);
    scenario->time = event->time;
    scenario->begun = true;
    scenario->events += scenario->events < UINT32_MAX;
}

/* The event does not simply follow: a loss was told, several states are possible, or no transition takes it. `lost`:
 * at most so many events were lost, of all scenarios. `holders`: who is where others are not, if that is known. */
static void step_in_doubt(es_infer_step *step, es_infer_scenario *scenario, uint64_t lost,
                          const es_infer_holders *holders, taken *result)
{
    const es_infer_machine *machine = step->machine;
    const es_infer_event *event = step->event;
    es_infer_set from;
    uint32_t words = es_infer_set_words(machine->state_count);
    if (step->loss_told)
        es_infer_reach_within(machine, &scenario->states, lost, &from);
    else
        from = scenario->states;
    if (holders)
        es_infer_holders_rule_out(holders, step->machine_number, step->role, scenario, event, &from);
    if (result->count)
        *result = (taken){.transition = ES_INFER_NO_TRANSITION};
    if (!scenario->ousted)
        es_infer_take(machine, step->role, &from, event, scenario, step->loss_told ? 0 : scenario->known, result);
    step->doubt = step->loss_told;
    if (result->count) {
        step->verdict = es_infer_set_is_one(&result->states, words) ? ES_INFER_CERTAIN : ES_INFER_UNCERTAIN;
        return;
    }
    /* What was lost, and when, nobody has told. Where it leads nowhere, not even its beginning was right. */
    step->doubt = true;
    step->verdict = ES_INFER_INCONSISTENT;
    es_infer_reach(machine, &scenario->states, &from);
    es_infer_take(machine, step->role, &from, event, scenario, 0, result);
    if (!result->count) {
        from = es_infer_set_all(machine->state_count);
        es_infer_take(machine, step->role, &from, event, scenario, 0, result);
    }
    if (!result->count)
        step->verdict = ES_INFER_FOREIGN;
}

/* Without trust in the trace only that is certain which the event leads to wherever the scenario may have been. That is
 * more than what can be reached from where it seems to be: what was lost before may have led elsewhere. */
static void doubt_hidden(es_infer_step *step, es_infer_scenario *scenario)
{
    const es_infer_machine *machine = step->machine;
    taken result = {.transition = ES_INFER_NO_TRANSITION};
    es_infer_set all, *anywhere = scenario->anywhere;
    uint32_t words = es_infer_set_words(machine->state_count);
    if (step->verdict == ES_INFER_FOREIGN)
        return;
    if (es_infer_set_is_one(&machine->into[step->role], words)) {
        *anywhere = machine->into[step->role];
        return;
    }
    es_infer_reach(machine, anywhere, &all);
    es_infer_take(machine, step->role, &all, step->event, scenario, 0, &result);
    (void)es_infer_set_join(&result.states, step->after, words); /* only if not even its beginning was right */
    *anywhere = result.states;
    if (step->verdict == ES_INFER_CERTAIN && !es_infer_set_is_one(anywhere, words))
        step->verdict = ES_INFER_UNCERTAIN;
}

static bool step_scenario(es_infer_check *check, uint32_t machine_number, uint32_t role, const es_infer_event *event,
                          es_infer_scenario *scenario)
{
    const es_infer_machine *machine = &check->model->machines[machine_number];
    taken result = {.transition = ES_INFER_NO_TRANSITION};
    es_infer_step step = {.machine = machine,
                          .machine_number = machine_number,
                          .role = role,
                          .event = event,
                          .verdict = ES_INFER_CERTAIN,
                          .certain_before = &scenario->states,
                          .time_before = scenario->time};
    uint64_t lost = scenario->uncounted != check->uncounted ? UINT64_MAX : check->totals.lost - scenario->lost;
    if (scenario->epoch != check->epoch || event->time < check->gap_end)
        step.loss_told = !check->any_of_one || may_have_lost(check, machine_number, event, scenario, &lost);
    if (event->time >= check->gap_end) { /* within the time of a loss more may be lost after this event, too */
        scenario->epoch = check->epoch;
        scenario->uncounted = check->uncounted;
        scenario->lost = check->totals.lost;
    }
    if (!step.loss_told && scenario->only != ES_INFER_STATES_MAX && !scenario->ousted)
        es_infer_take_from(machine, role, scenario->only, event, scenario, scenario->known, &result);
    if (result.count != 1)
        step_in_doubt(&step, scenario, lost, check->options.hidden ? NULL : check->holders, &result);
    step.after = &result.states;
    if (check->options.hidden) {
        uint32_t words = es_infer_set_words(step.machine->state_count);
        step.hidden_before = !es_infer_set_is_one(scenario->anywhere, words);
        doubt_hidden(&step, scenario);
        step.hidden_after = !es_infer_set_is_one(scenario->anywhere, words);
    }
    step.transition = result.count == 1 ? result.transition : ES_INFER_NO_TRANSITION;
    check->totals.steps++;
    check->totals.verdicts[step.verdict]++;
    if (check->options.step && step.verdict != ES_INFER_FOREIGN &&
        !check->options.step(check->options.context, &step, scenario))
        return false;
    if (step.verdict == ES_INFER_FOREIGN)
        return true;
    if (check->holders)
        es_infer_holders_step(check->holders, &step, scenario);
    move(machine, scenario, event, &result, !step.doubt);
    scenario->ousted = false;
    return true;
}

bool es_infer_check_event(es_infer_check *check, const es_infer_event *event, es_error *err)
{
    if (!check->totals.events++)
        check->totals.first_time = event->time;
    check->totals.back += event->time < check->now;
    check->totals.last_time = check->now = event->time > check->now ? event->time : check->now;
    if (event->event >= check->concerns.event_count)
        return true;
    for (uint32_t i = check->concerns.first[event->event]; i < check->concerns.first[event->event + 1]; i++) {
        const es_infer_concern *c = &check->concerns.list[i];
        population *p = &check->populations[c->machine];
        uint32_t field = p->machine->roles[c->role].key;
        if (field != ES_INFER_NONE && !(event->present >> field & 1))
            continue;
        es_infer_value key = field == ES_INFER_NONE ? 0 : event->values[field];
        es_infer_scenario *scenario = p->slots[es_infer_population_slot(p, key)];
        if (!scenario) {
            scenario = new_scenario(check, p, key, err);
            if (!scenario)
                return false;
        }
        if (!step_scenario(check, c->machine, c->role, event, scenario))
            return false;
    }
    if (check->holders)
        check->totals.ousted += es_infer_holders_event(check->holders, event->time);
    return true;
}

void es_infer_check_loss(es_infer_check *check, const es_infer_loss *loss)
{
    check->totals.late += loss->begin < check->now;
    check->losses[check->epoch++ % ES_INFER_LOSSES_KEPT] = *loss;
    check->any_of_one |= loss->of_one;
    if (check->holders)
        es_infer_holders_loss(check->holders, loss);
    check->totals.gaps += !loss->again;
    check->totals.lost += loss->count;
    check->uncounted += loss->count == 0;
    check->gap_end = loss->end > check->gap_end ? loss->end : check->gap_end;
}
