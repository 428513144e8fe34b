#include "infer/facts.h"

#include <stdlib.h>

#define KEPT 1024u          /* facts of an exclusive that are over; a power of two */
#define EXCLUSIONS_MAX 384u /* of one stretch; the newest */

typedef struct fact {
    es_infer_value key, value;
    int64_t begin, end; /* INT64_MAX: it goes on */
} fact;

typedef struct group {
    fact open[ES_INFER_VALUES_HELD_MAX], kept[KEPT]; /* kept: the newest is at (kept_count - 1) % KEPT */
    uint32_t open_count;
    uint64_t kept_count;
} group;

struct es_infer_facts {
    const es_infer_model *model;
    group **groups; /* [machine][exclusive] */
    int64_t loss_end;
    bool hidden;
};

es_infer_facts *es_infer_facts_new(const es_infer_model *model, bool hidden)
{
    uint32_t total = 0;
    for (uint32_t m = 0; m < model->machine_count; m++)
        total += model->machines[m].exclusive_count;
    if (!total)
        return NULL;
    es_infer_facts *facts = es_malloc(sizeof *facts);
    *facts = (es_infer_facts){.model = model, .loss_end = INT64_MIN, .hidden = hidden};
    facts->groups = es_malloc(model->machine_count * sizeof *facts->groups);
    for (uint32_t m = 0; m < model->machine_count; m++) {
        facts->groups[m] = es_malloc((model->machines[m].exclusive_count + 1) * sizeof(group));
        for (uint32_t i = 0; i < model->machines[m].exclusive_count; i++)
            facts->groups[m][i].open_count = 0, facts->groups[m][i].kept_count = 0;
    }
    return facts;
}

void es_infer_facts_free(es_infer_facts *facts)
{
    if (!facts)
        return;
    for (uint32_t m = 0; m < facts->model->machine_count; m++)
        free(facts->groups[m]);
    free(facts->groups);
    free(facts);
}

static void keep(group *g, fact f)
{
    g->kept[g->kept_count++ % KEPT] = f;
}

/* What goes on is not certain after the beginning of a loss. */
void es_infer_facts_loss(es_infer_facts *facts, const es_infer_loss *loss)
{
    facts->loss_end = loss->end > facts->loss_end ? loss->end : facts->loss_end;
    for (uint32_t m = 0; m < facts->model->machine_count; m++)
        for (uint32_t i = 0; i < facts->model->machines[m].exclusive_count; i++) {
            group *g = &facts->groups[m][i];
            for (uint32_t k = 0; k < g->open_count; k++) {
                fact f = g->open[k];
                f.end = loss->begin > f.begin ? loss->begin : f.begin;
                keep(g, f);
            }
            g->open_count = 0;
        }
}

/* The scenario's own fact that goes on ends; where it has turned out that something was lost, with its beginning. Was
 * there one? */
static bool close_own(group *g, es_infer_value key, int64_t time, bool whole, fact *was)
{
    for (uint32_t i = 0; i < g->open_count; i++)
        if (g->open[i].key == key) {
            *was = g->open[i];
            g->open[i] = g->open[--g->open_count];
            fact f = *was;
            f.end = whole ? time : f.begin;
            keep(g, f);
            return true;
        }
    return false;
}

void es_infer_facts_step(es_infer_facts *facts, const es_infer_step *step, const es_infer_scenario *scenario)
{
    const es_infer_machine *machine = step->machine;
    int64_t time = step->event->time;
    bool sure = step->verdict == ES_INFER_CERTAIN, within = time < facts->loss_end || facts->hidden, held = false;
    uint32_t from = ES_INFER_NONE;
    es_infer_value value;
    fact was = {0};
    if (sure && !facts->hidden && step->transition != ES_INFER_NO_TRANSITION)
        from = es_infer_exclusive_of(machine, machine->transitions[step->transition].from);
    for (uint32_t i = 0; i < machine->exclusive_count; i++)
        held |= close_own(&facts->groups[step->machine_number][i], scenario->key, time,
                          step->verdict != ES_INFER_INCONSISTENT, &was);
    if (from != ES_INFER_NONE && !held && es_infer_exclusive_value(machine, from, step->role, step->event, &value)) {
        int64_t begin = scenario->begun && step->time_before > facts->loss_end ? step->time_before : facts->loss_end;
        if (within || begin == INT64_MIN)
            begin = time;
        keep(&facts->groups[step->machine_number][from], (fact){scenario->key, value, begin, time});
    }
    uint32_t to = sure ? es_infer_exclusive_of(machine, es_infer_set_first(step->after)) : ES_INFER_NONE;
    if (to == ES_INFER_NONE)
        return;
    if (!es_infer_exclusive_value(machine, to, step->role, step->event, &value)) {
        if (!held || from != to || step->doubt)
            return;
        value = was.value;
    }
    group *g = &facts->groups[step->machine_number][to];
    if (within)
        keep(g, (fact){scenario->key, value, time, time});
    else if (g->open_count < ES_INFER_VALUES_HELD_MAX)
        g->open[g->open_count++] = (fact){scenario->key, value, time, INT64_MAX};
}

/* When each of so many values has a scenario: from the beginning of the last of them to the end of the first. */
static void add_all(es_infer_excluded *to, uint32_t first, uint32_t exclusive, uint32_t values)
{
    uint32_t last = to->count;
    for (uint32_t i = first; i < last && to->count < EXCLUSIONS_MAX; i++) {
        es_infer_exclusion *at = &to->list[i];
        int64_t end = INT64_MAX;
        uint32_t count = 0;
        for (uint32_t k = first; k < last; k++) {
            const es_infer_exclusion *e = &to->list[k];
            bool counts = e->begin <= at->begin && at->begin < e->end;
            for (uint32_t j = first; j < k && counts; j++)
                counts =
                    to->list[j].value != e->value || !(to->list[j].begin <= at->begin && at->begin < to->list[j].end);
            count += counts;
            end = counts && e->end < end ? e->end : end;
        }
        if (count >= values)
            to->list[to->count++] = (es_infer_exclusion){exclusive, true, 0, at->begin, end};
    }
}

static void add_fact(const fact *f, uint32_t exclusive, es_infer_value key, int64_t begin, int64_t end,
                     es_infer_excluded *to)
{
    if (f->key == key) {
        if (f->begin <= begin && f->end >= begin && to->own == ES_INFER_NONE) {
            to->own = exclusive;
            to->own_value = f->value;
        }
        return;
    }
    if (f->begin < end && f->end > begin && to->count < EXCLUSIONS_MAX)
        to->list[to->count++] = (es_infer_exclusion){exclusive, false, f->value, f->begin, f->end};
}

void es_infer_facts_exclude(const es_infer_facts *facts, uint32_t machine, es_infer_value key, int64_t begin,
                            int64_t end, es_arena *arena, es_infer_excluded *to)
{
    const es_infer_machine *m = &facts->model->machines[machine];
    *to = (es_infer_excluded){.own = ES_INFER_NONE};
    if (!m->exclusive_count)
        return;
    to->list = es_arena_alloc(arena, EXCLUSIONS_MAX * sizeof *to->list);
    for (uint32_t i = 0; i < m->exclusive_count; i++) {
        const group *g = &facts->groups[machine][i];
        uint32_t first = to->count;
        for (uint32_t k = 0; k < g->open_count; k++)
            add_fact(&g->open[k], i, key, begin, end, to);
        uint64_t oldest = g->kept_count > KEPT ? g->kept_count - KEPT : 0;
        for (uint64_t k = g->kept_count; k > oldest && g->kept[(k - 1) % KEPT].end >= begin; k--)
            add_fact(&g->kept[(k - 1) % KEPT], i, key, begin, end, to);
        if (m->exclusives[i].field == ES_INFER_NONE)
            for (uint32_t k = first; k < to->count; k++)
                to->list[k].all = true;
        else if (m->exclusives[i].values)
            add_all(to, first, i, m->exclusives[i].values);
    }
}

int64_t es_infer_excluded_until(const es_infer_excluded *excluded, uint32_t exclusive, const es_infer_value *value,
                                int64_t from)
{
    int64_t until = INT64_MAX;
    for (uint32_t i = 0; i < excluded->count; i++) {
        const es_infer_exclusion *e = &excluded->list[i];
        if (e->exclusive == exclusive && (e->all || (value && e->value == *value)) && from < e->end && e->begin < until)
            until = e->begin;
    }
    return until;
}
