#include "infer/automaton.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEYS_MAX (4u << 20)
#define WORDS (ES_INFER_LEARNED_EVENTS_MAX / 64)

typedef struct last_event {
    es_infer_value key;
    uint32_t event; /* ES_INFER_NONE: none since the last loss */
    uint32_t losses;
    bool used;
} last_event;

typedef struct follower_set {
    uint64_t events[WORDS];
} follower_set;

struct es_infer_automaton {
    uint32_t key, max, losses, slot_count, count;
    last_event *slots;
    follower_set followers[ES_INFER_LEARNED_EVENTS_MAX];
    follower_set seen;
};

es_infer_automaton *es_infer_automaton_new(uint32_t key, uint32_t scenarios_max)
{
    es_infer_automaton *a = es_malloc(sizeof *a);
    memset(a, 0, sizeof *a);
    a->key = key;
    a->max = scenarios_max ? scenarios_max : KEYS_MAX;
    a->slot_count = 64;
    a->slots = es_malloc(a->slot_count * sizeof *a->slots);
    memset(a->slots, 0, a->slot_count * sizeof *a->slots);
    return a;
}

void es_infer_automaton_free(es_infer_automaton *a)
{
    if (!a)
        return;
    free(a->slots);
    free(a);
}

static last_event *slot_of(const es_infer_automaton *a, es_infer_value key)
{
    uint32_t mask = a->slot_count - 1, i = (uint32_t)((uint64_t)key * UINT64_C(0x9E3779B97F4A7C15) >> 32) & mask;
    while (a->slots[i].used && a->slots[i].key != key)
        i = (i + 1) & mask;
    return &a->slots[i];
}

static void grow(es_infer_automaton *a)
{
    last_event *old = a->slots;
    uint32_t count = a->slot_count;
    a->slot_count *= 2;
    a->slots = es_malloc(a->slot_count * sizeof *a->slots);
    memset(a->slots, 0, a->slot_count * sizeof *a->slots);
    for (uint32_t i = 0; i < count; i++)
        if (old[i].used)
            *slot_of(a, old[i].key) = old[i];
    free(old);
}

bool es_infer_automaton_event(es_infer_automaton *a, const es_infer_event *event, es_error *err)
{
    if (a->key != ES_INFER_NONE && !(event->present >> a->key & 1))
        return true;
    if (event->event >= ES_INFER_LEARNED_EVENTS_MAX)
        return es_fail(err, ES_USAGE, "the trace has more than %u names of events: too many for a machine",
                       ES_INFER_LEARNED_EVENTS_MAX);
    es_infer_value key = a->key == ES_INFER_NONE ? 0 : event->values[a->key];
    last_event *last = slot_of(a, key);
    if (!last->used) {
        if (a->count == a->max)
            return es_fail(err, ES_USAGE, "more than %u keys: is it the right field?", a->max);
        if (++a->count * 2 > a->slot_count)
            grow(a);
        last = slot_of(a, key);
        *last = (last_event){.key = key, .event = ES_INFER_NONE, .used = true};
    }
    if (last->event != ES_INFER_NONE && last->losses == a->losses)
        a->followers[last->event].events[event->event / 64] |= UINT64_C(1) << event->event % 64;
    a->seen.events[event->event / 64] |= UINT64_C(1) << event->event % 64;
    last->event = event->event;
    last->losses = a->losses;
    return true;
}

void es_infer_automaton_gap(es_infer_automaton *a)
{
    a->losses++;
}

static bool has(const follower_set *set, uint32_t event)
{
    return set->events[event / 64] >> event % 64 & 1;
}

/* States by what may follow; a state has the name of the first event that leads there. */
static bool add_states(const es_infer_automaton *a, es_infer_model *model, es_infer_machine *machine,
                       uint32_t state_of[ES_INFER_LEARNED_EVENTS_MAX], es_error *err)
{
    uint32_t first[ES_INFER_STATES_MAX] = {0};
    char name[300];
    for (uint32_t e = 0; e < ES_INFER_LEARNED_EVENTS_MAX; e++) {
        if (!has(&a->seen, e))
            continue;
        state_of[e] = ES_INFER_NONE;
        for (uint32_t s = 0; s < machine->state_count && state_of[e] == ES_INFER_NONE; s++)
            if (memcmp(&a->followers[first[s]], &a->followers[e], sizeof(follower_set)) == 0)
                state_of[e] = s;
        if (state_of[e] != ES_INFER_NONE)
            continue;
        snprintf(name, sizeof name, "after_%.280s", es_infer_event_name(&model->words, e));
        uint32_t state = es_infer_state(model, machine, name, true);
        if (state == ES_INFER_NONE)
            return es_fail(err, ES_USAGE, "the machine would have more than %u states", ES_INFER_STATES_MAX);
        first[state] = e;
        state_of[e] = state;
    }
    return true;
}

bool es_infer_automaton_finish(es_infer_automaton *a, es_infer_model *model, es_error *err)
{
    uint32_t state_of[ES_INFER_LEARNED_EVENTS_MAX] = {0};
    es_infer_machine *machine = es_infer_machine_add(model, "learned");
    if (!machine || !add_states(a, model, machine, state_of, err))
        return machine ? false : es_fail(err, ES_USAGE, "there are too many machines");
    uint64_t done[ES_INFER_STATES_MAX][WORDS] = {{0}};
    for (uint32_t from = 0; from < ES_INFER_LEARNED_EVENTS_MAX; from++)
        for (uint32_t e = 0; has(&a->seen, from) && e < ES_INFER_LEARNED_EVENTS_MAX; e++) {
            uint32_t state = state_of[from];
            if (!has(&a->followers[from], e) || done[state][e / 64] >> e % 64 & 1)
                continue;
            done[state][e / 64] |= UINT64_C(1) << e % 64;
            uint32_t role = es_infer_role_of(model, machine, e, a->key);
            es_infer_transition made = {.from = (uint16_t)state, .to = (uint16_t)state_of[e], .role = (uint16_t)role};
            if (!es_infer_transition_add(model, machine, &made))
                return es_fail(err, ES_USAGE, "the machine would have more than %u transitions",
                               ES_INFER_TRANSITIONS_MAX);
        }
    if (!machine->transition_count)
        return es_fail(err, ES_USAGE, "no two events follow each other%s",
                       a->key == ES_INFER_NONE ? "" : " in one scenario: is it the right key?");
    es_infer_machine_finish(model, machine);
    return true;
}
