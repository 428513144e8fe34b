/* Nets compared in all that a file has to keep; nets read from text; for the tests of files. */
#ifndef TESTS_NET_FILES_COMPARE_H
#define TESTS_NET_FILES_COMPARE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/formats/format.h"
#include "net/formats/tina.h"

static inline bool same_text(const char *a, const char *b)
{
    return (a && *a ? a : NULL) == (b && *b ? b : NULL) || (a && b && strcmp(a, b) == 0);
}

static inline bool same_set(const es_net_set *a, const es_net_set *b)
{
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->transitions, b->transitions, a->count * sizeof *a->transitions) == 0);
}

static inline bool same_rule(const es_net_rule *a, const es_net_rule *b)
{
    bool same = a->transition == b->transition && a->condition_count == b->condition_count;
    for (uint32_t i = 0; same && i < a->condition_count; i++) {
        const es_net_condition *x = &a->conditions[i], *y = &b->conditions[i];
        same = x->place == y->place && x->absent == y->absent && same_set(&x->to, &y->to) &&
               same_set(&x->from, &y->from) && same_set(&x->last, &y->last);
    }
    return same;
}

static inline bool same_place(const es_net_place *a, const es_net_place *b)
{
    bool same = same_text(a->id, b->id) && same_text(a->name, b->name) && same_text(a->source, b->source) &&
                a->tokens == b->tokens && a->signal == b->signal && a->initial_route == b->initial_route &&
                a->rule_count == b->rule_count;
    for (uint32_t i = 0; same && i < a->rule_count; i++)
        same = same_rule(&a->rules[i], &b->rules[i]);
    return same;
}

static inline bool same_transition(const es_net_transition *a, const es_net_transition *b)
{
    return same_text(a->id, b->id) && same_text(a->name, b->name) && same_text(a->source, b->source) &&
           a->process == b->process && a->priority == b->priority && a->delay == b->delay && a->mark == b->mark &&
           a->mark_max == b->mark_max && a->monitor == b->monitor && a->untimed == b->untimed && a->fixed == b->fixed;
}

/* What differs, or NULL. Ids of the nets themselves are not looked at: formats have their own rules for them. */
static inline const char *difference(const es_net *a, const es_net *b)
{
    if (a->place_count != b->place_count || a->transition_count != b->transition_count || a->arc_count != b->arc_count)
        return "sizes";
    for (uint32_t i = 0; i < a->place_count; i++)
        if (!same_place(&a->places[i], &b->places[i]))
            return a->places[i].id;
    for (uint32_t i = 0; i < a->transition_count; i++)
        if (!same_transition(&a->transitions[i], &b->transitions[i]))
            return a->transitions[i].id;
    for (uint32_t i = 0; i < a->arc_count; i++)
        if (memcmp(&a->arcs[i], &b->arcs[i], sizeof a->arcs[i]) != 0 &&
            (a->arcs[i].place != b->arcs[i].place || a->arcs[i].transition != b->arcs[i].transition ||
             a->arcs[i].to_place != b->arcs[i].to_place || a->arcs[i].weight != b->arcs[i].weight))
            return "an arc";
    for (uint32_t i = 0; i < a->process_count || i < b->process_count; i++)
        if (!same_text(i < a->process_count ? a->processes[i] : NULL, i < b->process_count ? b->processes[i] : NULL))
            return "a process";
    return same_text(a->tick, b->tick) ? NULL : "the tick";
}

/* A net in TINA's format; the process ends when it is none. */
static inline es_net *net_of(const char *text)
{
    es_error err = {0};
    es_net *net = es_tina_read("text", text, strlen(text), &err);
    if (!net) {
        fprintf(stderr, "%s\n", err.text);
        abort();
    }
    return net;
}

/* Numbers for tests: the same on each run. */
static inline uint32_t next_number(uint64_t *state, uint32_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 33) % below);
}

#endif
