#include "infer/holders.h"

#define CHANGES_MAX 32u /* by one event; where there are more, nothing is known after it */

/* A scenario that was in the states; all since the last loss. */
typedef struct holding {
    es_infer_scenario *scenario;
    es_infer_value value;
    int64_t until; /* INT64_MAX: it still is */
} holding;

/* Of one of a machine's exclusives. A scenario without an event of its own stays where it is, so one that came and
 * went since the last loss rules out as much as one that is still there. */
typedef struct group {
    holding list[ES_INFER_VALUES_HELD_MAX];
    uint32_t count;
} group;

typedef struct change {
    es_infer_scenario *scenario;
    uint32_t machine, left, entered; /* numbers of exclusives; ES_INFER_NONE: none */
    es_infer_value left_value, entered_value;
} change;

struct es_infer_holders {
    const es_infer_model *model;
    group **groups; /* [machine][exclusive] */
    change changes[CHANGES_MAX];
    uint32_t change_count;
    bool too_many;
};

es_infer_holders *es_infer_holders_new(const es_infer_model *model, es_arena *arena)
{
    uint32_t total = 0;
    for (uint32_t m = 0; m < model->machine_count; m++)
        total += model->machines[m].exclusive_count;
    if (!total)
        return NULL;
    es_infer_holders *holders = es_arena_alloc(arena, sizeof *holders);
    holders->model = model;
    holders->groups = es_arena_alloc(arena, model->machine_count * sizeof *holders->groups);
    for (uint32_t m = 0; m < model->machine_count; m++)
        holders->groups[m] = es_arena_alloc(arena, (model->machines[m].exclusive_count + 1) * sizeof(group));
    return holders;
}

void es_infer_holders_gap(es_infer_holders *holders)
{
    for (uint32_t m = 0; m < holders->model->machine_count; m++)
        for (uint32_t i = 0; i < holders->model->machines[m].exclusive_count; i++)
            holders->groups[m][i].count = 0;
}

/* The value by which the scenario is in the states now, if that is known. */
static bool held_value(const group *g, const es_infer_scenario *scenario, es_infer_value *value)
{
    for (uint32_t i = 0; i < g->count; i++)
        if (g->list[i].scenario == scenario && g->list[i].until == INT64_MAX) {
            *value = g->list[i].value;
            return true;
        }
    return false;
}

void es_infer_holders_step(es_infer_holders *holders, const es_infer_step *step, es_infer_scenario *scenario, bool open)
{
    const es_infer_machine *machine = step->machine;
    if (!machine->exclusive_count)
        return;
    holders->too_many |= holders->change_count == CHANGES_MAX;
    if (holders->too_many)
        return;
    change c = {scenario, step->machine_number, ES_INFER_NONE, ES_INFER_NONE, 0, 0};
    bool certain = open && step->verdict == ES_INFER_CERTAIN;
    if (certain && step->transition != ES_INFER_NO_TRANSITION) {
        uint32_t from = es_infer_exclusive_of(machine, machine->transitions[step->transition].from);
        if (from != ES_INFER_NONE && es_infer_exclusive_value(machine, from, step->role, step->event, &c.left_value))
            c.left = from;
    }
    if (certain) {
        uint32_t to = es_infer_exclusive_of(machine, es_infer_set_first(step->after));
        if (to != ES_INFER_NONE &&
            (es_infer_exclusive_value(machine, to, step->role, step->event, &c.entered_value) ||
             (!step->doubt && held_value(&holders->groups[c.machine][to], scenario, &c.entered_value))))
            c.entered = to;
    }
    holders->changes[holders->change_count++] = c;
}

static void add(group *g, holding h)
{
    uint32_t place = 0;
    for (; place < g->count; place++)
        if (g->list[place].scenario == h.scenario && g->list[place].value == h.value)
            break;
    if (place == g->count && g->count == ES_INFER_VALUES_HELD_MAX) /* in place of one that is over, if there is one */
        for (place = 0; place < g->count && g->list[place].until == INT64_MAX;)
            place++;
    if (place == ES_INFER_VALUES_HELD_MAX)
        return;
    g->list[place] = h;
    g->count += place == g->count;
}

static void leave(group *g, const es_infer_scenario *scenario, int64_t time)
{
    for (uint32_t i = 0; i < g->count; i++)
        if (g->list[i].scenario == scenario && g->list[i].until == INT64_MAX)
            g->list[i].until = time;
}

static uint32_t oust_others(group *g, const es_infer_scenario *scenario, es_infer_value value, int64_t time)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->count; i++)
        if (g->list[i].scenario != scenario && g->list[i].value == value && g->list[i].until == INT64_MAX) {
            g->list[i].until = time;
            g->list[i].scenario->ousted = true;
            count++;
        }
    return count;
}

uint32_t es_infer_holders_event(es_infer_holders *holders, int64_t time)
{
    uint32_t ousted = 0;
    for (uint32_t i = 0; i < holders->change_count; i++) {
        const change *c = &holders->changes[i];
        for (uint32_t k = 0; k < holders->model->machines[c->machine].exclusive_count; k++)
            leave(&holders->groups[c->machine][k], c->scenario, time);
        if (c->left != ES_INFER_NONE)
            add(&holders->groups[c->machine][c->left], (holding){c->scenario, c->left_value, time});
    }
    for (uint32_t i = 0; i < holders->change_count; i++) {
        const change *c = &holders->changes[i];
        if (c->entered == ES_INFER_NONE)
            continue;
        group *g = &holders->groups[c->machine][c->entered];
        ousted += oust_others(g, c->scenario, c->entered_value, time);
        add(g, (holding){c->scenario, c->entered_value, INT64_MAX});
    }
    if (holders->too_many)
        es_infer_holders_gap(holders);
    holders->too_many = false;
    holders->change_count = 0;
    return ousted;
}

static bool holds(const holding *h, const es_infer_scenario *but)
{
    return h->scenario != but && (!but->begun || h->until > but->time);
}

/* Are all values that there are others'? */
static bool all_held(const group *g, uint32_t values, const es_infer_scenario *but)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->count; i++) {
        bool counts = holds(&g->list[i], but);
        for (uint32_t k = 0; k < i && counts; k++)
            counts = !holds(&g->list[k], but) || g->list[k].value != g->list[i].value;
        count += counts;
    }
    return count >= values;
}

void es_infer_holders_rule_out(const es_infer_holders *holders, uint32_t machine, uint32_t role,
                               const es_infer_scenario *scenario, const es_infer_event *event, es_infer_set *states)
{
    const es_infer_machine *m = &holders->model->machines[machine];
    for (uint32_t i = 0; i < m->exclusive_count; i++) {
        const es_infer_exclusive *exclusive = &m->exclusives[i];
        const group *g = &holders->groups[machine][i];
        es_infer_value value;
        uint32_t values = exclusive->field == ES_INFER_NONE ? 1 : exclusive->values;
        bool out = values && all_held(g, values, scenario);
        if (!out && es_infer_exclusive_value(m, i, role, event, &value))
            for (uint32_t k = 0; k < g->count && !out; k++)
                out = g->list[k].value == value && holds(&g->list[k], scenario);
        for (uint32_t k = 0; k < ES_INFER_SET_WORDS && out; k++)
            states->words[k] &= ~exclusive->states.words[k];
    }
}
