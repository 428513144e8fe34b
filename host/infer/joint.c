/* Our method: all paths from the last certain state to the first certain one at once, a beam of them. A path costs the
 * negative logarithms of its transitions' probabilities after those before them, of what the loss rate says, and of how
 * well its delays fit the times of what was observed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "infer/segment.h"

#define BEAM 128u        /* paths of a length that are followed */
#define CLUSTER 6.0      /* how even the rate of events is: 1 not at all, infinite always the same */
#define BEST_MARGIN 12.0 /* a path costlier than the best one by more has no share worth looking at */

typedef struct es_infer_hypothesis {
    double cost, time_cost; /* of its transitions; of the times up to the last observed event */
    double mean, variance;  /* of the time since then; ns */
    uint32_t parent, known, lost, observed;
    uint16_t transition, state, context[ES_INFER_CONTEXT];
    bool is_lost;
    es_infer_value variables[ES_INFER_VARIABLES_MAX];
} hypothesis;

typedef struct ranked {
    double rank;
    uint32_t index;
} ranked;

typedef struct search {
    es_infer_solver *solver;
    const es_infer_segment *segment;
    const es_infer_machine *machine;
    size_t count;              /* hypotheses in the solver's pool */
    ranked *now, *next, *done; /* of a layer; of the one after it; those that have taken the observed event */
    uint32_t now_count, next_count, done_count, room; /* room of each of the three */
    double best;                                      /* of `done` */
    double *ways;
} search;

static int by_rank(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    return a->rank != b->rank ? (a->rank < b->rank ? -1 : 1) : (a->index > b->index) - (a->index < b->index);
}

/* The least cost from each state until an event of the role is taken, by the states' own probabilities. */
static const double *ahead_of(const search *s, uint32_t role)
{
    const es_infer_machine *machine = s->machine;
    uint32_t states = machine->state_count, number = s->segment->machine_number;
    double *ahead = s->solver->ahead[number] + (size_t)role * states;
    if (!isnan(ahead[0]))
        return ahead;
    static const uint16_t nothing[ES_INFER_CONTEXT] = {ES_INFER_NO_TRANSITION, ES_INFER_NO_TRANSITION,
                                                       ES_INFER_NO_TRANSITION};
    for (uint32_t i = 0; i < states; i++)
        ahead[i] = INFINITY;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t state = 0; state < states; state++) {
            es_infer_next(s->solver->learned, number, state, nothing, s->ways);
            for (uint32_t i = machine->out_first[state]; i < machine->out_first[state + 1]; i++) {
                const es_infer_transition *t = &machine->transitions[machine->out[i]];
                double cost = -log(s->ways[i - machine->out_first[state]]) + (t->role == role ? 0 : ahead[t->to]);
                if (cost < ahead[state] - 1e-12) {
                    ahead[state] = cost;
                    more = true;
                }
            }
        }
    }
    return ahead;
}

static uint32_t new_hypothesis(search *s, uint32_t parent)
{
    es_infer_solver *solver = s->solver;
    if (s->count == solver->pool_size) {
        solver->pool_size = solver->pool_size ? solver->pool_size * 2 : 1024;
        solver->pool = es_realloc(solver->pool, solver->pool_size * sizeof *solver->pool);
    }
    solver->pool[s->count] = solver->pool[parent];
    solver->pool[s->count].parent = parent;
    return (uint32_t)s->count++;
}

/* Appends a transition; `event` NULL: a lost one. */
static hypothesis *append(search *s, uint32_t parent, uint16_t transition, double probability,
                          const es_infer_event *event, uint32_t observed, uint32_t *index)
{
    const es_infer_transition *t = &s->machine->transitions[transition];
    *index = new_hypothesis(s, parent);
    hypothesis *h = &s->solver->pool[*index];
    es_infer_delay delay = es_infer_delay_of(s->solver->learned, s->segment->machine_number, h->context[0], transition);
    if (es_infer_delay_known(delay)) {
        double mean, variance;
        es_infer_delay_moments(delay, &mean, &variance);
        h->mean += mean;
        h->variance += variance;
    }
    h->cost -= log(probability);
    h->transition = transition;
    h->state = t->to;
    h->is_lost = !event;
    h->observed = observed;
    h->lost += !event;
    for (uint32_t i = ES_INFER_CONTEXT - 1; i > 0; i--)
        h->context[i] = h->context[i - 1];
    h->context[0] = transition;
    es_infer_assign(t, event, h->variables, &h->known);
    return h;
}

static void add_ranked(ranked **list, uint32_t *count, uint32_t *room, ranked entry)
{
    if (*count == *room) {
        *room *= 2;
        *list = es_realloc(*list, *room * sizeof **list);
    }
    (*list)[(*count)++] = entry;
}

/* How well delays with these moments fill the time, as that of one transition, or as a lognormal distribution. */
static double time_cost(const search *s, const hypothesis *h, uint16_t before, uint32_t lost, double time)
{
    es_infer_delay delay = es_infer_delay_of(s->solver->learned, s->segment->machine_number, before, h->transition);
    if (!es_infer_delay_known(delay) || time <= 0)
        return 0;
    if (!lost)
        return -log(es_infer_delay_density(delay, time) * time + 1e-12);
    double squared = log(1 + h->variance / (h->mean * h->mean)), sigma = sqrt(squared < 0.0025 ? 0.0025 : squared);
    double z = (log(time) - log(h->mean) + squared / 2) / sigma;
    return -log(exp(-0.5 * z * z) / (sigma * sqrt(2 * M_PI)) + 1e-12);
}

/* When the tracer has counted the lost events: all that are not of this scenario are of others, of which so many
 * were to be expected; negative binomial, because rates change. */
double es_infer_count_cost(const es_infer_between *between, uint32_t lost)
{
    return between->count ? es_infer_rest_cost(between, (double)between->count - lost) : 0;
}

double es_infer_rest_cost(const es_infer_between *between, double rest)
{
    double expected = fmax(between->others + between->outside, 1e-6), part = expected / (expected + CLUSTER);
    return lgamma(CLUSTER) + lgamma(rest + 1) - lgamma(rest + CLUSTER) - rest * log(part) - CLUSTER * log1p(-part);
}

/* The observed event follows the hypothesis at once. */
static void take_observed(search *s, uint32_t parent, uint32_t observed, uint32_t lost)
{
    const es_infer_segment *segment = s->segment;
    const es_infer_machine *machine = s->machine;
    const es_infer_event *event = &segment->observed[observed];
    uint32_t state = s->solver->pool[parent].state, role = segment->roles[observed];
    int64_t begin = observed ? segment->observed[observed - 1].time : segment->begin;
    bool have = false;
    for (uint32_t i = machine->first[role * machine->state_count + state];
         i < machine->first[role * machine->state_count + state + 1]; i++) {
        const hypothesis *p = &s->solver->pool[parent];
        enum es_infer_truth truth = es_infer_holds(&machine->transitions[i], event, p->variables, p->known);
        if (truth == ES_INFER_FALSE)
            continue;
        if (!have)
            es_infer_next(s->solver->learned, segment->machine_number, state, p->context, s->ways);
        have = true;
        uint32_t place = 0, index;
        while (machine->out[machine->out_first[state] + place] != i)
            place++;
        uint16_t before = p->context[0];
        hypothesis *h = append(s, parent, (uint16_t)i, s->ways[place], event, observed, &index);
        h->time_cost += time_cost(s, h, before, lost, (double)(event->time - begin));
        h->cost += es_infer_count_cost(&segment->between[observed], lost);
        h->mean = h->variance = 0;
        double rank = h->cost + h->time_cost;
        s->best = rank < s->best ? rank : s->best;
        add_ranked(&s->done, &s->done_count, &s->room, (ranked){rank, index});
        if (truth == ES_INFER_TRUE)
            break;
    }
}

/* One more event was lost after each hypothesis of the layer, which has lost so many since the last observed one. */
static void lose_one(search *s, uint32_t observed, uint32_t lost, double time, uint32_t *room)
{
    const es_infer_machine *machine = s->machine;
    const es_infer_between *between = &s->segment->between[observed];
    const double *ahead = ahead_of(s, s->segment->roles[observed]), rate = lost ? between->more : between->rate;
    s->next_count = 0;
    for (uint32_t k = 0; k < s->now_count; k++) {
        uint32_t parent = s->now[k].index, state = s->solver->pool[parent].state;
        es_infer_next(s->solver->learned, s->segment->machine_number, state, s->solver->pool[parent].context, s->ways);
        for (uint32_t i = machine->out_first[state]; i < machine->out_first[state + 1]; i++) {
            uint16_t transition = machine->out[i];
            const es_infer_transition *t = &machine->transitions[transition];
            const hypothesis *p = &s->solver->pool[parent];
            if (!isfinite(ahead[t->to]) || es_infer_holds(t, NULL, p->variables, p->known) == ES_INFER_FALSE)
                continue;
            uint32_t index;
            hypothesis *h =
                append(s, parent, transition, s->ways[i - machine->out_first[state]] * rate, NULL, observed, &index);
            double over = time > 0 && h->mean > time ? (h->mean - time) * (h->mean - time) / (2 * h->variance + 1) : 0;
            ranked entry = {h->cost + h->time_cost + ahead[t->to] + over, index};
            if (entry.rank < s->best + BEST_MARGIN)
                add_ranked(&s->next, &s->next_count, room, entry);
        }
    }
    qsort(s->next, s->next_count, sizeof *s->next, by_rank);
    s->next_count = s->next_count < BEAM ? s->next_count : BEAM;
}

/* From the hypotheses in `now`, after one observed event, to those after the next. */
static void pass_interval(search *s, uint32_t observed, uint32_t *now_room, uint32_t *next_room)
{
    const es_infer_between *between = &s->segment->between[observed];
    int64_t begin = observed ? s->segment->observed[observed - 1].time : s->segment->begin;
    double time = (double)(s->segment->observed[observed].time - begin);
    s->done_count = 0;
    s->best = INFINITY;
    for (uint32_t lost = 0; s->now_count; lost++) {
        for (uint32_t k = 0; k < s->now_count; k++)
            take_observed(s, s->now[k].index, observed, lost);
        if (!between->may_lose || lost == ES_INFER_LOST_MAX || (between->count && lost == between->count))
            break;
        lose_one(s, observed, lost, time, next_room);
        if (lost + 1 == ES_INFER_LOST_MAX && s->next_count && s->next[0].rank < s->best + 3)
            s->solver->too_long = true;
        ranked *swap = s->now;
        s->now = s->next;
        s->next = swap;
        uint32_t room = *now_room;
        *now_room = *next_room;
        *next_room = room;
        s->now_count = s->next_count;
    }
}

static void write_path(const search *s, uint32_t index, es_infer_path *path)
{
    const hypothesis *pool = s->solver->pool, *last = &pool[index];
    *path = (es_infer_path){.cost = last->cost, .time_cost = last->time_cost, .lost = last->lost};
    for (uint32_t i = index; i; i = pool[i].parent)
        path->count++;
    path->passed = es_arena_alloc(s->solver->arena, (path->count + 1) * sizeof *path->passed);
    uint32_t place = path->count;
    for (uint32_t i = index; i; i = pool[i].parent) {
        int64_t time = s->segment->observed[pool[i].observed].time;
        path->passed[--place] =
            (es_infer_passed){pool[i].transition, pool[i].is_lost, pool[i].observed, time, time, time};
    }
}

static uint32_t write_paths(search *s, es_infer_path *paths)
{
    uint32_t count = s->done_count < ES_INFER_PATHS_MAX ? s->done_count : ES_INFER_PATHS_MAX;
    uint32_t timed = s->solver->facts ? ES_INFER_EXCLUSIVE_PATHS : ES_INFER_TIMED_PATHS;
    for (uint32_t i = 0; i < count; i++) {
        write_path(s, s->done[i].index, &paths[i]);
        if (i < timed)
            es_infer_time_path(s->solver, s->segment, &paths[i], false);
    }
    es_infer_sort_paths(paths, count);
    return count;
}

uint32_t es_infer_solve_joint(es_infer_solver *solver, const es_infer_segment *segment, es_infer_path *paths)
{
    const es_infer_machine *machine = &solver->model->machines[segment->machine_number];
    uint32_t now_room = 256, next_room = 256;
    search s = {.solver = solver, .segment = segment, .machine = machine, .room = 256};
    s.now = es_malloc(now_room * sizeof *s.now);
    s.next = es_malloc(next_room * sizeof *s.next);
    s.done = es_malloc(s.room * sizeof *s.done);
    s.ways = es_malloc((machine->out_max + 1) * sizeof *s.ways);
    if (!solver->pool) {
        solver->pool_size = 1024;
        solver->pool = es_malloc(solver->pool_size * sizeof *solver->pool);
    }
    hypothesis *root = &solver->pool[s.count++];
    *root = (hypothesis){.state = segment->state, .known = segment->known};
    memcpy(root->context, segment->context, sizeof root->context);
    memcpy(root->variables, segment->variables, sizeof root->variables);
    s.now[s.now_count++] = (ranked){0, 0};
    for (uint32_t i = 0; i < segment->count && s.now_count; i++) {
        pass_interval(&s, i, &now_room, &next_room);
        qsort(s.done, s.done_count, sizeof *s.done, by_rank);
        if (i + 1 == segment->count)
            break;
        s.now_count = s.done_count < BEAM ? s.done_count : BEAM;
        if (s.now_count > now_room) {
            now_room = s.now_count;
            s.now = es_realloc(s.now, now_room * sizeof *s.now);
        }
        memcpy(s.now, s.done, s.now_count * sizeof *s.now);
    }
    uint32_t count = write_paths(&s, paths);
    free(s.now);
    free(s.next);
    free(s.done);
    free(s.ways);
    return count;
}
