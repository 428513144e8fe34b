/* Certain again after lost marks (worlds.h): random nets as in test_spins.c, and rings in which each process waits for
 * the one before it: plain ones, and others with messages under way, free choices, two gaps, and events at one time in
 * any order. Arguments: how many nets (300), the first seed (1). */
#include <stdio.h>
#include <stdlib.h>

#include "worlds.h"

#define PROCESSES_MAX 8

/* The end of the firings from this one on that are at one time, without a gap between them. */
static size_t instant_end(const life *l, const gaps *g, size_t from)
{
    size_t to = from + 1;
    for (bool parted = false; to < l->count && l->firings[to].time == l->firings[from].time; to++) {
        for (size_t i = 0; i < g->count; i++)
            parted |= g->of[i].from == to;
        if (parted)
            break;
    }
    return to;
}

static bool recover(run *r, const gaps *g, void *context)
{
    const life *l = r->observed;
    (void)context;
    es_net_recovery_options options = {.on_event = worlds_on_event, .context = r, .in_order = !g->any_order};
    es_error err;
    es_net_recovery *recovery = es_net_recovery_new(l->made.net, &options, &err);
    bool good = recovery != NULL;
    for (size_t from = 0, to; from < l->count && good; from = to) {
        to = instant_end(l, g, from);
        for (size_t i = 0; i < g->count && good; i++)
            if (g->of[i].from == from)
                good = es_net_recovery_gap(recovery, &g->of[i].process, 1, &err);
        for (int32_t process = g->any_order ? PROCESSES_MAX : ES_NET_NO_PROCESS; process >= ES_NET_NO_PROCESS;
             process--)
            for (size_t i = from; i < to && good; i++) {
                const es_net_firing *f = &l->firings[i];
                const es_net_transition *t = life_step(l, f->transition);
                if (t->monitor && !worlds_is_lost(l, g, i) && (!g->any_order || t->process == process))
                    good =
                        es_net_recovery_push(recovery, &(es_net_observation){f->transition, f->time, f->mark, i}, &err);
            }
    }
    good = good && es_net_recovery_finish(recovery, false, &err);
    if (!good)
        printf("FAIL seed %llu: %s\n", (unsigned long long)l->made.seed, err.text);
    es_net_recovery_free(recovery);
    return good && !r->failed;
}

/* --- rings -------------------------------------------------------------------------------------------------------- */

static void need(bool good, const es_error *err)
{
    if (good)
        return;
    fprintf(stderr, "test_lost: %s\n", err->text);
    exit(EXIT_FAILURE);
}

typedef struct ring_maker {
    es_net *net;
    uint32_t serial;
} ring_maker;

static uint32_t place_of(ring_maker *make, uint32_t tokens)
{
    es_error err;
    char id[24];
    snprintf(id, sizeof id, "p%u", make->serial++);
    const uint32_t made = es_net_place_add(make->net, id, NULL, tokens, NULL, &err);
    need(made != ES_NET_NONE, &err);
    return made;
}

static uint32_t step_of(ring_maker *make, int32_t process, uint32_t from, uint32_t to)
{
    es_error err;
    char id[24];
    snprintf(id, sizeof id, "t%u", make->serial++);
    const uint32_t made = es_net_transition_add(make->net, id, NULL, 1, NULL, &err);
    need(made != ES_NET_NONE, &err);
    need(es_net_monitor(make->net, made, process < 0 ? 0 : 1, process < 0 ? 0 : 20, &err), &err);
    make->net->transitions[made].process = process;
    need(es_net_arc_in(make->net, from, made, 1, &err) && es_net_arc_out(make->net, made, to, 1, &err), &err);
    return made;
}

/* Each process works, sends to the next one, and receives from the one before it, over slots of one message. In richer
 * ones messages take time, and at some places a process goes one way or the other. */
static random_net ring(uint64_t seed, bool richer)
{
    es_error err;
    const uint32_t processes = 3 + (uint32_t)(random_mix(seed) % 4);
    const uint64_t kind = richer ? random_mix(seed ^ 5) : 0;
    ring_maker make = {es_net_new("ring"), 0};
    uint32_t message[8], sent[8], room[8];
    for (uint32_t i = 0; i < processes; i++) {
        message[i] = sent[i] = place_of(&make, 0);
        room[i] = place_of(&make, 1);
        if (!(kind >> i & 1))
            continue;
        sent[i] = place_of(&make, 0);
        const uint32_t flies = step_of(&make, ES_NET_NO_PROCESS, sent[i], message[i]);
        make.net->transitions[flies].fixed = true;
        make.net->transitions[flies].delay = (int64_t)(random_mix(seed ^ i) % 80);
    }
    for (uint32_t i = 0; i < processes; i++) {
        uint32_t at[4], step[4];
        for (uint32_t k = 0; k < 4; k++)
            at[k] = place_of(&make, k == 0);
        for (uint32_t k = 0; k < 4; k++)
            step[k] = step_of(&make, (int32_t)i, at[k], at[(k + 1) % 4]);
        for (uint32_t k = 0; k < 4; k += 2)
            if (kind >> (8 + i + 4 * k) & 1)
                step_of(&make, (int32_t)i, at[k], at[k + 1]);
        const uint32_t before = (i + processes - 1) % processes;
        need(es_net_arc_in(make.net, room[i], step[1], 1, &err) && es_net_arc_out(make.net, step[1], sent[i], 1, &err),
             &err);
        need(es_net_arc_in(make.net, message[before], step[3], 1, &err) &&
                 es_net_arc_out(make.net, step[3], room[before], 1, &err),
             &err);
    }
    need(es_net_finish(make.net, &err), &err);
    const int64_t range = richer ? 2 + (int64_t)(kind >> 40) % 150 : 100;
    return (random_net){.net = make.net, .seed = seed, .delay_range = range, .mark_range = 20};
}

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 300;
    const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    totals spins = {0}, others = {0}, rings = {0}, richer = {0};
    uint64_t failed = 0;
    for (uint64_t seed = first; seed < first + count; seed++) {
        bool good = worlds_test(random_net_with_spins(seed), &spins, false, recover, NULL);
        good &= worlds_test(random_net_new(seed), &others, false, recover, NULL);
        good &= worlds_test(ring(seed, false), &rings, false, recover, NULL);
        good &= worlds_test(ring(seed, true), &richer, true, recover, NULL);
        failed += !good;
    }
    const bool many = count >= 300; /* a few nets may be any */
    bool enough = worlds_report("loops that ask", &spins, many ? 33 : 0);
    enough &= worlds_report("others", &others, many ? 18 : 0);
    enough &= worlds_report("rings", &rings, many ? 30 : 0);
    enough &= worlds_report("richer rings", &richer, many ? 28 : 0);
    printf("%llu passed, %llu failed\n", (unsigned long long)(count - failed), (unsigned long long)failed);
    return failed || !enough ? EXIT_FAILURE : EXIT_SUCCESS;
}
