/* Where events and losses lead a scenario. All of it is inline: it is what the check does with each event. */
#ifndef ES_INFER_MOVES_H
#define ES_INFER_MOVES_H

#include "infer/check.h"

#define ES_INFER_FAR 12u /* so many lost events may lead anywhere that can be reached at all */

/* Of sets here only as many words count as the machine has; most have one. */
static inline void es_infer_reach(const es_infer_machine *machine, const es_infer_set *states, es_infer_set *to)
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
static inline void es_infer_reach_within(const es_infer_machine *machine, const es_infer_set *states, uint64_t lost,
                                         es_infer_set *to)
{
    if (lost > ES_INFER_FAR || lost >= machine->state_count) {
        es_infer_reach(machine, states, to);
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

typedef struct es_infer_taken {
    es_infer_set states;
    uint32_t count;
    uint16_t transition; /* the last one that may be taken */
} es_infer_taken;

/* Where the event may lead from a state. A transition without doubt excludes those after it in its state. */
static inline void es_infer_take_from(const es_infer_machine *machine, uint32_t role, uint32_t state,
                                      const es_infer_event *event, const es_infer_scenario *scenario, uint32_t known,
                                      es_infer_taken *result)
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
static inline void es_infer_take(const es_infer_machine *machine, uint32_t role, const es_infer_set *from,
                                 const es_infer_event *event, const es_infer_scenario *scenario, uint32_t known,
                                 es_infer_taken *result)
{
    uint32_t words = es_infer_set_words(machine->state_count);
    if (words == 1) {
        for (uint64_t left = from->words[0] & machine->from[role].words[0]; left; left &= left - 1)
            es_infer_take_from(machine, role, (uint32_t)__builtin_ctzll(left), event, scenario, known, result);
        return;
    }
    for (uint32_t state = es_infer_set_next(from, 0, words); state < machine->state_count;
         state = es_infer_set_next(from, state + 1, words))
        if (es_infer_set_has(&machine->from[role], state))
            es_infer_take_from(machine, role, state, event, scenario, known, result);
}

#endif
