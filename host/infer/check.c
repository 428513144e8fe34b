#include "infer/check.h"
#include "infer/holders.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES (64u << 10)
#define FAR 12u /* so many lost events may lead anywhere that can be reached at all */

/* Which machines an event concerns, and in which roles. */
typedef struct concern {
    uint32_t machine, role;
} concern;

/* Scenarios of a machine by their keys. */
typedef struct population {
    const es_infer_machine *machine;
    es_infer_scenario **slots; /* by the key's hash; a power of two of them, at most half full */
    uint32_t slot_count, count;
    size_t size; /* of one scenario */
    char *block; /* where the next ones go */
    size_t room;
} population;

struct es_infer_check {
    const es_infer_model *model;
    es_infer_check_options options;
    es_infer_totals totals;
    es_arena *arena;
    population *populations;
    es_infer_holders *holders; /* NULL: no states are exclusive */
    concern *concerns;
    uint32_t *first; /* [event]: its first concern, and one more */
    uint32_t event_count, epoch, uncounted;
    int64_t now, gap_end; /* losses are told up to there */
};

static void find_concerns(es_infer_check *check)
{
    const es_infer_model *model = check->model;
    uint32_t total = 0, filled = 0;
    check->event_count = es_infer_event_count(&model->words);
    for (uint32_t m = 0; m < model->machine_count; m++)
        total += model->machines[m].role_count;
    check->concerns = es_arena_alloc(check->arena, (total + 1) * sizeof *check->concerns);
    check->first = es_arena_alloc(check->arena, (check->event_count + 1) * sizeof *check->first);
    for (uint32_t m = 0; m < model->machine_count; m++)
        for (uint32_t r = 0; r < model->machines[m].role_count; r++)
            check->first[model->machines[m].roles[r].event + 1]++;
    for (uint32_t e = 0; e < check->event_count; e++)
        check->first[e + 1] += check->first[e];
    uint32_t *place = es_arena_alloc(check->arena, (check->event_count + 1) * sizeof *place);
    for (uint32_t m = 0; m < model->machine_count; m++)
        for (uint32_t r = 0; r < model->machines[m].role_count; r++, filled++) {
            uint32_t event = model->machines[m].roles[r].event;
            check->concerns[check->first[event] + place[event]++] = (concern){m, r};
        }
}

static es_infer_scenario **new_slots(uint32_t count)
{
    es_infer_scenario **slots = es_malloc(count * sizeof *slots);
    for (uint32_t i = 0; i < count; i++)
        slots[i] = NULL;
    return slots;
}

es_infer_check *es_infer_check_new(const es_infer_model *model, const es_infer_check_options *options)
{
    es_infer_check *check = es_malloc(sizeof *check);
    *check = (es_infer_check){
        .model = model, .options = *options, .arena = es_arena_new(), .now = INT64_MIN, .gap_end = INT64_MIN};
    if (!check->options.scenarios_max)
        check->options.scenarios_max = ES_INFER_SCENARIOS_MAX;
    check->populations = es_arena_alloc(check->arena, (model->machine_count + 1) * sizeof *check->populations);
    for (uint32_t m = 0; m < model->machine_count; m++) {
        population *p = &check->populations[m];
        p->machine = &model->machines[m];
        p->size = sizeof(es_infer_scenario) + p->machine->variable_count * sizeof(es_infer_value);
        p->slot_count = 64;
        p->slots = new_slots(p->slot_count);
    }
    find_concerns(check);
    check->holders = es_infer_holders_new(model, check->arena);
    return check;
}

void es_infer_check_free(es_infer_check *check)
{
    if (!check)
        return;
    for (uint32_t m = 0; m < check->model->machine_count; m++)
        free(check->populations[m].slots);
    es_arena_free(check->arena);
    free(check);
}

const es_infer_totals *es_infer_check_totals(const es_infer_check *check)
{
    return &check->totals;
}

/* --- scenarios by their keys ----------------------------------------------------------------------------------- */

static uint32_t slot_of(const population *p, es_infer_value key)
{
    uint64_t hash = (uint64_t)key * UINT64_C(0x9E3779B97F4A7C15);
    uint32_t mask = p->slot_count - 1, i = (uint32_t)(hash >> 32) & mask;
    while (p->slots[i] && p->slots[i]->key != key)
        i = (i + 1) & mask;
    return i;
}

static void grow(population *p)
{
    es_infer_scenario **old = p->slots;
    uint32_t count = p->slot_count;
    p->slot_count *= 2;
    p->slots = new_slots(p->slot_count);
    for (uint32_t i = 0; i < count; i++)
        if (old[i])
            p->slots[slot_of(p, old[i]->key)] = old[i];
    free(old);
}

static es_infer_scenario *new_scenario(es_infer_check *check, population *p, es_infer_value key, es_error *err)
{
    if (check->totals.scenarios == check->options.scenarios_max) {
        es_fail(err, ES_USAGE, "more than %u scenarios: does the machine '%s' have the right field as its key?",
                check->options.scenarios_max, p->machine->name);
        return NULL;
    }
    if ((p->count + 1) * 2 > p->slot_count)
        grow(p);
    if (p->room < p->size) {
        p->room = p->count < 64 ? 16 * p->size : BLOCK_BYTES;
        p->block = es_arena_alloc(check->arena, p->room);
    }
    es_infer_scenario *scenario = (es_infer_scenario *)(void *)p->block;
    p->block += p->size;
    p->room -= p->size;
    p->count++;
    check->totals.scenarios++;
    uint32_t initial = p->machine->initial;
    scenario->key = key;
    scenario->states = initial != ES_INFER_NONE ? es_infer_set_of(initial) : es_infer_set_all(p->machine->state_count);
    bool one = initial != ES_INFER_NONE || p->machine->state_count == 1;
    scenario->only = (uint16_t)(one ? es_infer_set_first(&scenario->states) : ES_INFER_STATES_MAX);
    for (uint32_t i = 0; i < ES_INFER_CONTEXT; i++)
        scenario->context[i] = ES_INFER_NO_TRANSITION;
    if (check->options.hidden) {
        scenario->anywhere = es_arena_alloc(check->arena, sizeof *scenario->anywhere);
        *scenario->anywhere = scenario->states;
    }
    p->slots[slot_of(p, key)] = scenario;
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

/* --- steps ----------------------------------------------------------------------------------------------------- */

/* Of sets here only as many words count as the machine has; most have one. */
static inline void reach_of(const es_infer_machine *machine, const es_infer_set *states, es_infer_set *to)
{
    uint32_t words = es_infer_set_words(machine->state_count);
    if (words == 1) {
        uint64_t reach = 0;
        for (uint64_t left = states->words[0]; left; left &= left - 1)
            reach |= machine->reach[__builtin_ctzll(left)].words[0];
        to->words[0] = reach;
        return;
    }
    es_infer_set reach = {{0}};
    for (uint32_t s = es_infer_set_next(states, 0, words); s < ES_INFER_STATES_MAX;
         s = es_infer_set_next(states, s + 1, words))
        if (!es_infer_set_has(&reach, s)) /* otherwise all of it is there already */
            (void)es_infer_set_join(&reach, &machine->reach[s], words);
    *to = reach;
}

/* Where at most so many lost events lead. */
static inline void reach_within(const es_infer_machine *machine, const es_infer_set *states, uint64_t lost,
                                es_infer_set *to)
{
    if (lost > FAR || lost >= machine->state_count) {
        reach_of(machine, states, to);
        return;
    }
    uint32_t words = es_infer_set_words(machine->state_count);
    if (words == 1) {
        uint64_t all = states->words[0];
        for (uint64_t fresh = all; fresh && lost; lost--) {
            uint64_t next = 0;
            for (; fresh; fresh &= fresh - 1)
                next |= machine->next[__builtin_ctzll(fresh)].words[0];
            fresh = next & ~all;
            all |= next;
        }
        to->words[0] = all;
        return;
    }
    es_infer_set reach = *states;
    for (bool more = true; more && lost; lost--) {
        es_infer_set from = reach;
        more = false;
        for (uint32_t s = es_infer_set_next(&from, 0, words); s < ES_INFER_STATES_MAX;
             s = es_infer_set_next(&from, s + 1, words))
            more |= es_infer_set_join(&reach, &machine->next[s], words);
    }
    *to = reach;
}

typedef struct taken {
    es_infer_set states;
    uint32_t count;
    uint16_t transition; /* the last one that may be taken */
} taken;

/* Where the event may lead from a state. A transition without doubt excludes those after it in its state. */
static inline void take_from(const es_infer_machine *machine, uint32_t role, uint32_t state,
                             const es_infer_event *event, const es_infer_scenario *scenario, uint32_t known,
                             taken *result)
{
    const uint16_t *first = machine->first + (size_t)role * machine->state_count + state;
    for (uint32_t i = first[0]; i < first[1]; i++) {
        const es_infer_transition *t = &machine->transitions[i];
        enum es_infer_truth truth =
            t->test_count ? es_infer_holds(t, event, scenario->variables, known) : ES_INFER_TRUE;
        if (truth == ES_INFER_FALSE)
            continue;
        es_infer_set_add(&result->states, t->to);
        result->transition = (uint16_t)i;
        result->count++;
        if (truth == ES_INFER_TRUE)
            break;
    }
}

/* The same from several states; nothing is in the result yet. Most of them have no transition in this role. */
static inline void take(const es_infer_machine *machine, uint32_t role, const es_infer_set *from,
                        const es_infer_event *event, const es_infer_scenario *scenario, uint32_t known, taken *result)
{
    uint32_t words = es_infer_set_words(machine->state_count);
    if (words == 1) {
        for (uint64_t left = from->words[0] & machine->from[role].words[0]; left; left &= left - 1)
            take_from(machine, role, (uint32_t)__builtin_ctzll(left), event, scenario, known, result);
        return;
    }
    for (uint32_t state = es_infer_set_next(from, 0, words); state < machine->state_count;
         state = es_infer_set_next(from, state + 1, words))
        if (es_infer_set_has(&machine->from[role], state))
            take_from(machine, role, state, event, scenario, known, result);
}

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
        reach_within(machine, &scenario->states, lost, &from);
    else
        from = scenario->states;
    if (holders)
        es_infer_holders_rule_out(holders, step->machine_number, scenario, event, &from);
    if (result->count)
        *result = (taken){.transition = ES_INFER_NO_TRANSITION};
    if (!scenario->ousted)
        take(machine, step->role, &from, event, scenario, step->loss_told ? 0 : scenario->known, result);
    step->doubt = step->loss_told;
    if (result->count) {
        step->verdict = es_infer_set_is_one(&result->states, words) ? ES_INFER_CERTAIN : ES_INFER_UNCERTAIN;
        return;
    }
    /* What was lost, and when, nobody has told. Where it leads nowhere, not even its beginning was right. */
    step->doubt = true;
    step->verdict = ES_INFER_INCONSISTENT;
    reach_of(machine, &scenario->states, &from);
    take(machine, step->role, &from, event, scenario, 0, result);
    if (!result->count) {
        from = es_infer_set_all(machine->state_count);
        take(machine, step->role, &from, event, scenario, 0, result);
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
    reach_of(machine, anywhere, &all);
    take(machine, step->role, &all, step->event, scenario, 0, &result);
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
                          .loss_told = scenario->epoch != check->epoch || event->time < check->gap_end,
                          .certain_before = &scenario->states,
                          .time_before = scenario->time};
    uint64_t lost = scenario->uncounted != check->uncounted ? UINT64_MAX : check->totals.lost - scenario->lost;
    if (event->time >= check->gap_end) { /* within the time of a loss more may be lost after this event, too */
        scenario->epoch = check->epoch;
        scenario->uncounted = check->uncounted;
        scenario->lost = check->totals.lost;
    }
    if (!step.loss_told && scenario->only != ES_INFER_STATES_MAX && !scenario->ousted)
        take_from(machine, role, scenario->only, event, scenario, scenario->known, &result);
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
        es_infer_holders_step(check->holders, &step, scenario, event->time >= check->gap_end);
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
    if (event->event >= check->event_count)
        return true;
    for (uint32_t i = check->first[event->event]; i < check->first[event->event + 1]; i++) {
        const concern *c = &check->concerns[i];
        population *p = &check->populations[c->machine];
        uint32_t field = p->machine->roles[c->role].key;
        if (field != ES_INFER_NONE && !(event->present >> field & 1))
            continue;
        es_infer_value key = field == ES_INFER_NONE ? 0 : event->values[field];
        es_infer_scenario *scenario = p->slots[slot_of(p, key)];
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

void es_infer_check_gap(es_infer_check *check, int64_t begin, int64_t end, uint64_t count)
{
    check->totals.late += begin < check->now;
    check->epoch++;
    if (check->holders)
        es_infer_holders_gap(check->holders);
    check->totals.gaps++;
    check->totals.lost += count;
    check->uncounted += count == 0;
    check->gap_end = end > check->gap_end ? end : check->gap_end;
}
