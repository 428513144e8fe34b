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
    holding list[ES_INFER_VALUES_HELD_MAX]; /* those that still are there, then the others */
    uint32_t live, count;
    int64_t loss_end; /* of losses whose events may have had any value */
} group;

/* Until when a loss is of one value. */
typedef struct loss_of {
    uint32_t field;
    es_infer_value value;
    int64_t end;
} loss_of;

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
    loss_of losses[ES_INFER_VALUES_HELD_MAX];
    uint32_t loss_count;
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
    for (uint32_t m = 0; m < model->machine_count; m++)
        for (uint32_t i = 0; i < model->machines[m].exclusive_count; i++)
            holders->groups[m][i].loss_end = INT64_MIN;
    return holders;
}

static void forget_all(es_infer_holders *holders)
{
    for (uint32_t m = 0; m < holders->model->machine_count; m++)
        for (uint32_t i = 0; i < holders->model->machines[m].exclusive_count; i++)
            holders->groups[m][i].live = holders->groups[m][i].count = 0;
}

/* Notes until when the loss is. False: there are too many values. */
static bool note_loss(es_infer_holders *holders, const es_infer_loss *loss)
{
    uint32_t i = 0;
    while (i < holders->loss_count &&
           (holders->losses[i].field != loss->field || holders->losses[i].value != loss->value))
        i++;
    if (i == ES_INFER_VALUES_HELD_MAX)
        return false;
    if (i == holders->loss_count)
        holders->losses[holders->loss_count++] = (loss_of){loss->field, loss->value, loss->end};
    else if (loss->end > holders->losses[i].end)
        holders->losses[i].end = loss->end;
    return true;
}

void es_infer_holders_loss(es_infer_holders *holders, const es_infer_loss *loss)
{
    bool of_one = loss->of_one && note_loss(holders, loss);
    for (uint32_t m = 0; m < holders->model->machine_count; m++)
        for (uint32_t i = 0; i < holders->model->machines[m].exclusive_count; i++) {
            const es_infer_machine *machine = &holders->model->machines[m];
            group *g = &holders->groups[m][i];
            bool any = !of_one || machine->exclusives[i].field != loss->field || machine->exclusives[i].values == 1;
            if (any && loss->end > g->loss_end)
                g->loss_end = loss->end;
            uint32_t kept = 0, live = 0;
            for (uint32_t k = 0; k < g->count && !any; k++) {
                const es_infer_scenario *s = g->list[k].scenario;
                bool stays = g->list[k].until != INT64_MAX ||
                             (s->only != ES_INFER_STATES_MAX && es_infer_set_has(&machine->staying, s->only));
                if (g->list[k].value != loss->value && stays) {
                    live += g->list[k].until == INT64_MAX;
                    g->list[kept++] = g->list[k];
                }
            }
            g->live = live;
            g->count = kept;
        }
}

/* Is no loss told at a time, whose events may have had the value? */
static bool is_open(const es_infer_holders *holders, uint32_t machine, uint32_t exclusive, es_infer_value value,
                    int64_t time)
{
    uint32_t field = holders->model->machines[machine].exclusives[exclusive].field;
    if (time < holders->groups[machine][exclusive].loss_end)
        return false;
    for (uint32_t i = 0; i < holders->loss_count; i++)
        if (holders->losses[i].field == field && holders->losses[i].value == value)
            return time >= holders->losses[i].end;
    return true;
}

/* The value by which the scenario is in the states now, if that is known. */
static bool value_in(const group *g, const es_infer_scenario *scenario, es_infer_value *value)
{
    for (uint32_t i = 0; i < g->live; i++)
        if (g->list[i].scenario == scenario) {
            *value = g->list[i].value;
            return true;
        }
    return false;
}

bool es_infer_holders_value(const es_infer_holders *holders, uint32_t machine, uint32_t exclusive,
                            const es_infer_scenario *scenario, es_infer_value *value)
{
    return value_in(&holders->groups[machine][exclusive], scenario, value);
}

void es_infer_holders_step(es_infer_holders *holders, const es_infer_step *step, es_infer_scenario *scenario)
{
    const es_infer_machine *machine = step->machine;
    if (!machine->exclusive_count)
        return;
    holders->too_many |= holders->change_count == CHANGES_MAX;
    if (holders->too_many)
        return;
    change c = {scenario, step->machine_number, ES_INFER_NONE, ES_INFER_NONE, 0, 0};
    bool certain = step->verdict == ES_INFER_CERTAIN;
    int64_t time = step->event->time;
    if (certain && step->transition != ES_INFER_NO_TRANSITION) {
        uint32_t from = es_infer_exclusive_of(machine, machine->transitions[step->transition].from);
        if (from != ES_INFER_NONE && es_infer_exclusive_value(machine, from, step->role, step->event, &c.left_value) &&
            is_open(holders, c.machine, from, c.left_value, time))
            c.left = from;
    }
    if (certain) {
        uint32_t to = es_infer_exclusive_of(machine, es_infer_set_first(step->after));
        if (to != ES_INFER_NONE &&
            (es_infer_exclusive_value(machine, to, step->role, step->event, &c.entered_value) ||
             (!step->doubt && value_in(&holders->groups[c.machine][to], scenario, &c.entered_value))) &&
            is_open(holders, c.machine, to, c.entered_value, time))
            c.entered = to;
    }
    holders->changes[holders->change_count++] = c;
}

static uint32_t place_over(const group *g, const holding *h)
{
    uint32_t place = g->live;
    while (place < g->count && (g->list[place].scenario != h->scenario || g->list[place].value != h->value))
        place++;
    return place;
}

/* Where there are too many, in place of one that is over. */
static void add_over(group *g, holding h)
{
    uint32_t place = place_over(g, &h);
    if (place == ES_INFER_VALUES_HELD_MAX)
        place = g->live;
    if (place == ES_INFER_VALUES_HELD_MAX)
        return;
    g->count += place == g->count;
    g->list[place] = h;
}

static void add_live(group *g, holding h)
{
    if (g->live == ES_INFER_VALUES_HELD_MAX)
        return;
    if (g->live < g->count && g->count < ES_INFER_VALUES_HELD_MAX)
        g->list[g->count] = g->list[g->live];
    g->count += g->count < ES_INFER_VALUES_HELD_MAX;
    g->list[g->live++] = h;
}

/* One that still was there is over. */
static void end_live(group *g, uint32_t number, int64_t time)
{
    holding h = g->list[number];
    h.until = time;
    g->list[number] = g->list[g->live - 1];
    uint32_t place = place_over(g, &h);
    g->live--;
    if (place == g->count) {
        g->list[g->live] = h;
        return;
    }
    g->list[place] = h;
    g->list[g->live] = g->list[--g->count];
}

static void leave(group *g, const es_infer_scenario *scenario, int64_t time)
{
    for (uint32_t i = g->live; i-- > 0;)
        if (g->list[i].scenario == scenario)
            end_live(g, i, time);
}

static uint32_t oust_others(group *g, const es_infer_scenario *scenario, es_infer_value value, int64_t time)
{
    uint32_t count = 0;
    for (uint32_t i = g->live; i-- > 0;)
        if (g->list[i].scenario != scenario && g->list[i].value == value) {
            g->list[i].scenario->ousted = true;
            end_live(g, i, time);
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
            add_over(&holders->groups[c->machine][c->left], (holding){c->scenario, c->left_value, time});
    }
    for (uint32_t i = 0; i < holders->change_count; i++) {
        const change *c = &holders->changes[i];
        if (c->entered == ES_INFER_NONE)
            continue;
        group *g = &holders->groups[c->machine][c->entered];
        ousted += oust_others(g, c->scenario, c->entered_value, time);
        add_live(g, (holding){c->scenario, c->entered_value, INT64_MAX});
    }
    if (holders->too_many)
        forget_all(holders);
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
