#include "infer/learn.h"

#include <stdlib.h>
#include <string.h>

#include "infer/delays.h"

#define ROWS_MAX (1u << 20)   /* contexts that are kept; 2^20 take about 100 MiB with few ways on */
#define DELAYS_MAX (1u << 15) /* pairs of transitions whose delays are kept apart */
#define UNSEEN 0.5            /* of an observation, for each transition that a state may be left by */

/* How a context went on. */
typedef struct row {
    uint64_t hash;
    uint32_t total, distinct;
    uint32_t counts[]; /* by the transition's place among those that leave the state */
} row;

typedef struct statistics {
    const es_infer_machine *machine;
    uint16_t *place;          /* [transition]: among those that leave its state */
    uint64_t *taken;          /* [transition] */
    uint64_t *left;           /* [state] */
    es_infer_delays **delays; /* [transition]; NULL: none */
    es_infer_delays *all;     /* of all transitions; NULL: none */
    row **rows;
    es_infer_delays **pairs;
    uint64_t *pair_hashes;
    uint32_t row_slots, row_count, pair_slots, pair_count;
} statistics;

struct es_infer_learned {
    es_arena *arena;
    uint32_t machine_count;
    statistics *machines;
};

es_infer_learned *es_infer_learned_new(const es_infer_model *model)
{
    es_arena *arena = es_arena_new();
    es_infer_learned *learned = es_arena_alloc(arena, sizeof *learned);
    learned->arena = arena;
    learned->machine_count = model->machine_count;
    learned->machines = es_arena_alloc(arena, (model->machine_count + 1) * sizeof *learned->machines);
    for (uint32_t m = 0; m < model->machine_count; m++) {
        statistics *s = &learned->machines[m];
        const es_infer_machine *machine = s->machine = &model->machines[m];
        s->place = es_arena_alloc(arena, (machine->transition_count + 1) * sizeof *s->place);
        s->taken = es_arena_alloc(arena, (machine->transition_count + 1) * sizeof *s->taken);
        s->left = es_arena_alloc(arena, (machine->state_count + 1) * sizeof *s->left);
        s->delays = es_arena_alloc(arena, (machine->transition_count + 1) * sizeof(es_infer_delays *));
        for (uint32_t state = 0; state < machine->state_count; state++)
            for (uint32_t i = machine->out_first[state]; i < machine->out_first[state + 1]; i++)
                s->place[machine->out[i]] = (uint16_t)(i - machine->out_first[state]);
    }
    return learned;
}

void es_infer_learned_free(es_infer_learned *learned)
{
    if (!learned)
        return;
    for (uint32_t m = 0; m < learned->machine_count; m++) {
        free(learned->machines[m].rows);
        free(learned->machines[m].pairs);
        free(learned->machines[m].pair_hashes);
    }
    es_arena *arena = learned->arena;
    es_arena_free(arena);
}

static void *zeroed(size_t size)
{
    return memset(es_malloc(size), 0, size);
}

/* --- contexts -------------------------------------------------------------------------------------------------- */

/* Of the newest `order` transitions; never 0. */
static uint64_t hash_of(const uint16_t context[ES_INFER_CONTEXT], uint32_t order, uint32_t state)
{
    uint64_t hash = order ? order : UINT64_C(0x10000) + state;
    for (uint32_t i = 0; i < order; i++)
        hash = (hash ^ (context[i] + UINT64_C(1))) * UINT64_C(0x9E3779B97F4A7C15);
    hash ^= hash >> 31;
    return hash ? hash : 1;
}

static row **find_row(const statistics *s, uint64_t hash)
{
    uint32_t mask = s->row_slots - 1, i = (uint32_t)(hash * UINT64_C(0xD6E8FEB86659FD93) >> 32) & mask;
    while (s->rows[i] && s->rows[i]->hash != hash)
        i = (i + 1) & mask;
    return &s->rows[i];
}

static void grow_rows(statistics *s)
{
    row **old = s->rows;
    uint32_t count = s->row_slots;
    if (count && s->row_count * 2 < count)
        return;
    s->row_slots = count ? count * 2 : 256;
    s->rows = zeroed(s->row_slots * sizeof(row *));
    for (uint32_t i = 0; i < count; i++)
        if (old[i])
            *find_row(s, old[i]->hash) = old[i];
    free(old);
}

static void count_row(es_infer_learned *learned, statistics *s, uint64_t hash, uint32_t place)
{
    grow_rows(s);
    row **found = find_row(s, hash);
    if (!*found) {
        if (s->row_count == ROWS_MAX)
            return;
        *found = es_arena_alloc(learned->arena, sizeof(row) + s->machine->out_max * sizeof(uint32_t));
        (*found)->hash = hash;
        s->row_count++;
    }
    if ((*found)->total == UINT32_MAX)
        return;
    (*found)->total++;
    (*found)->distinct += (*found)->counts[place]++ == 0;
}

/* --- delays of pairs ------------------------------------------------------------------------------------------- */

static uint32_t find_pair(const statistics *s, uint64_t hash)
{
    uint32_t mask = s->pair_slots - 1, i = (uint32_t)(hash * UINT64_C(0xD6E8FEB86659FD93) >> 32) & mask;
    while (s->pair_hashes[i] && s->pair_hashes[i] != hash)
        i = (i + 1) & mask;
    return i;
}

static uint64_t pair_hash(uint16_t before, uint16_t transition)
{
    return ((uint64_t)before << 16 | transition) + 1;
}

static es_infer_delays *pair_of(es_infer_learned *learned, statistics *s, uint64_t hash)
{
    if ((s->pair_count + 1) * 2 > s->pair_slots) {
        uint64_t *hashes = s->pair_hashes;
        es_infer_delays **pairs = s->pairs;
        uint32_t count = s->pair_slots;
        s->pair_slots = count ? count * 2 : 64;
        s->pair_hashes = zeroed(s->pair_slots * sizeof *hashes);
        s->pairs = zeroed(s->pair_slots * sizeof(es_infer_delays *));
        for (uint32_t i = 0; i < count; i++)
            if (hashes[i]) {
                uint32_t to = find_pair(s, hashes[i]);
                s->pair_hashes[to] = hashes[i];
                s->pairs[to] = pairs[i];
            }
        free(hashes);
        free(pairs);
    }
    uint32_t i = find_pair(s, hash);
    if (!s->pair_hashes[i]) {
        if (s->pair_count == DELAYS_MAX)
            return NULL;
        s->pair_hashes[i] = hash;
        s->pairs[i] = es_arena_alloc(learned->arena, sizeof(es_infer_delays));
        s->pair_count++;
    }
    return s->pairs[i];
}

/* --- learning -------------------------------------------------------------------------------------------------- */

es_infer_lesson es_infer_lesson_of(const es_infer_step *step, const es_infer_scenario *scenario)
{
    es_infer_lesson lesson = {.ns = -1, .transition = ES_INFER_NO_TRANSITION};
    if (step->doubt || step->transition == ES_INFER_NO_TRANSITION || step->verdict == ES_INFER_FOREIGN)
        return lesson;
    lesson.transition = step->transition;
    memcpy(lesson.context, scenario->context, sizeof lesson.context);
    if (scenario->begun && scenario->context[0] != ES_INFER_NO_TRANSITION && step->event->time >= step->time_before)
        lesson.ns = step->event->time - step->time_before;
    return lesson;
}

void es_infer_learn(es_infer_learned *learned, const es_infer_step *step, const es_infer_scenario *scenario)
{
    es_infer_lesson lesson = es_infer_lesson_of(step, scenario);
    if (lesson.transition == ES_INFER_NO_TRANSITION)
        return;
    statistics *s = &learned->machines[step->machine_number];
    uint16_t transition = lesson.transition;
    uint32_t state = s->machine->transitions[transition].from, place = s->place[transition];
    s->taken[transition]++;
    s->left[state]++;
    count_row(learned, s, hash_of(lesson.context, 0, state), place);
    for (uint32_t order = 1; order <= ES_INFER_CONTEXT && lesson.context[order - 1] != ES_INFER_NO_TRANSITION; order++)
        count_row(learned, s, hash_of(lesson.context, order, 0), place);
    if (lesson.ns < 0)
        return;
    if (!s->delays[transition])
        s->delays[transition] = es_arena_alloc(learned->arena, sizeof(es_infer_delays));
    es_infer_delays_add(s->delays[transition], lesson.ns);
    if (!s->all)
        s->all = es_arena_alloc(learned->arena, sizeof(es_infer_delays));
    es_infer_delays_add(s->all, lesson.ns);
    es_infer_delays *pair = pair_of(learned, s, pair_hash(lesson.context[0], transition));
    if (pair)
        es_infer_delays_add(pair, lesson.ns);
}

static void unlearn_row(const statistics *s, uint64_t hash, uint32_t place, bool back)
{
    row *found = *find_row(s, hash);
    if (!found || (!back && !found->counts[place]))
        return;
    found->distinct -= !back && found->counts[place] == 1;
    found->distinct += back && found->counts[place] == 0;
    found->counts[place] += back ? 1 : UINT32_MAX; /* one less */
    found->total += back ? 1 : UINT32_MAX;
}

void es_infer_unlearn(es_infer_learned *learned, uint32_t machine, const es_infer_lesson *lesson, bool back)
{
    const statistics *s = &learned->machines[machine];
    uint16_t transition = lesson->transition;
    if (transition == ES_INFER_NO_TRANSITION)
        return;
    uint32_t state = s->machine->transitions[transition].from, place = s->place[transition];
    unlearn_row(s, hash_of(lesson->context, 0, state), place, back);
    for (uint32_t order = 1; order <= ES_INFER_CONTEXT && lesson->context[order - 1] != ES_INFER_NO_TRANSITION; order++)
        unlearn_row(s, hash_of(lesson->context, order, 0), place, back);
    if (lesson->ns < 0 || !s->delays[transition] || !s->pair_slots)
        return;
    es_infer_delays_move(s->delays[transition], lesson->ns, back);
    es_infer_delays *pair = s->pairs[find_pair(s, pair_hash(lesson->context[0], transition))];
    if (pair)
        es_infer_delays_move(pair, lesson->ns, back);
}

void es_infer_learned_finish(es_infer_learned *learned)
{
    for (uint32_t m = 0; m < learned->machine_count; m++) {
        statistics *s = &learned->machines[m];
        grow_rows(s);
        if (s->all)
            es_infer_delays_finish(s->all);
        for (uint32_t t = 0; t < s->machine->transition_count; t++)
            if (s->delays[t])
                es_infer_delays_finish(s->delays[t]);
        for (uint32_t i = 0; i < s->pair_slots; i++)
            if (s->pairs[i])
                es_infer_delays_finish(s->pairs[i]);
    }
}

uint64_t es_infer_times_taken(const es_infer_learned *learned, uint32_t machine, uint32_t transition)
{
    return learned->machines[machine].taken[transition];
}

uint64_t es_infer_times_left(const es_infer_learned *learned, uint32_t machine, uint32_t state)
{
    return learned->machines[machine].left[state];
}

void es_infer_next(const es_infer_learned *learned, uint32_t machine, uint32_t state,
                   const uint16_t context[ES_INFER_CONTEXT], double *probabilities)
{
    const statistics *s = &learned->machines[machine];
    uint32_t ways = (uint32_t)s->machine->out_first[state + 1] - s->machine->out_first[state];
    const row *found = *find_row(s, hash_of(context, 0, state));
    for (uint32_t i = 0; i < ways; i++)
        probabilities[i] = ((found ? found->counts[i] : 0) + UNSEEN) / ((found ? found->total : 0) + UNSEEN * ways);
    for (uint32_t order = 1; order <= ES_INFER_CONTEXT && context[order - 1] != ES_INFER_NO_TRANSITION; order++) {
        found = *find_row(s, hash_of(context, order, 0));
        if (!found || !found->total)
            break;
        double total = (double)found->total + found->distinct;
        for (uint32_t i = 0; i < ways; i++)
            probabilities[i] = (found->counts[i] + found->distinct * probabilities[i]) / total;
    }
}

es_infer_delay es_infer_delay_of(const es_infer_learned *learned, uint32_t machine, uint16_t before,
                                 uint16_t transition)
{
    const statistics *s = &learned->machines[machine];
    es_infer_delay delay = {.of_one = s->delays[transition] ? s->delays[transition] : s->all};
    if (before != ES_INFER_NO_TRANSITION && s->pair_slots)
        delay.of_pair = s->pairs[find_pair(s, pair_hash(before, transition))];
    return delay;
}
