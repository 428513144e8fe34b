/* What lost marks hide, and what nobody can know after them. For one trace with a gap there are many programs: a lost
 * mark may have cost less, and its step have taken that much longer, or the other way round, and all that was seen is
 * the same. Each of them has times of its own without marks. What recovery calls certain has to be so in every one; and
 * where they differ, no method can be certain. So they also tell how much of what can be known recovery gives up.
 * Random nets as in test_spins.c, and rings in which each process waits for the one before it. Arguments: how many nets
 * (300), the first seed (1). */
#include <stdio.h>
#include <stdlib.h>

#include "life.h"
#include "net/recovery/recovery.h"

#define FIRINGS 400
#define MORE (FIRINGS * 6)
#define WORLDS 4

typedef struct totals {
    uint64_t events, certain, knowable, certain_of_all, wrong, nets;
} totals;

typedef struct gap {
    size_t from, to; /* firings, */
    int32_t process; /* whose are lost */
} gap;

/* By transition and number: the true time; -1: none. `end`: what comes from then on is not known. */
typedef struct truth {
    int64_t *times, end;
} truth;

typedef struct run {
    const life *observed;
    const truth *worlds;
    totals *sum;
    bool *certain; /* by observed firing */
    bool failed;
} run;

static bool is_lost(const life *l, const gap *g, size_t at)
{
    return at >= g->from && at < g->to && life_step(l, l->firings[at].transition)->process == g->process;
}

static int64_t time_in(const truth *t, uint32_t transition, uint64_t number)
{
    return number < MORE + 2 ? t->times[transition * (MORE + 2) + number] : -1;
}

static truth truth_of(const random_net *made, const life_shift *shifts, size_t shift_count)
{
    life l = life_live(made, false, MORE, shifts, shift_count);
    const size_t size = (size_t)made->net->transition_count * (MORE + 2);
    truth t = {malloc(size * sizeof *t.times), l.count == MORE ? l.firings[MORE - 1].time : INT64_MAX};
    for (size_t i = 0; i < size; i++)
        t.times[i] = -1;
    for (size_t i = 0; i < l.count; i++)
        t.times[l.firings[i].transition * (MORE + 2) + l.firings[i].number] = l.firings[i].time;
    life_end(&l);
    return t;
}

/* What else the lost marks may have cost. World 0: what they did; 1: nothing; 2: as much as can be; others: at random.
 */
static size_t shift_lost(const life *l, const gap *g, unsigned world, life_shift *shifts)
{
    size_t count = 0;
    for (size_t i = g->from; i < g->to && i < l->count && world; i++) {
        const es_net_firing *f = &l->firings[i];
        const es_net_transition *t = life_step(l, f->transition);
        if (!is_lost(l, g, i) || !t->monitor || t->untimed || !l->computes[i])
            continue;
        int64_t less = f->delay; /* the mark may have cost that much more */
        if (t->mark_max != ES_NET_UNKNOWN && less > t->mark_max - f->mark)
            less = t->mark_max - f->mark;
        int64_t more = f->mark;
        if (world == 2)
            more = -less;
        else if (world > 2)
            more = (int64_t)(random_mix(l->made.seed ^ i << 8 ^ world) % (uint64_t)(more + less + 1)) - less;
        if (more)
            shifts[count++] = (life_shift){f->transition, l->made_of[i], f->number, more};
    }
    return count;
}

/* Do both runs show the same, but for the marks that are lost? */
static bool looks_the_same(const life *l, const life *other, const gap *g)
{
    for (size_t i = 0; i < l->count; i++) {
        const es_net_firing *a = &l->firings[i], *b = &other->firings[i];
        if (i >= other->count || a->transition != b->transition || a->time != b->time ||
            (a->mark != b->mark && !is_lost(l, g, i)))
            return false;
    }
    return true;
}

static void on_event(void *context, const es_net_recovered *e)
{
    run *r = context;
    if (e->certainty != ES_NET_TOTALLY)
        return;
    if (e->serial != ES_NET_NO_SERIAL)
        r->certain[e->serial] = true;
    r->sum->certain_of_all++;
    for (unsigned w = 0; w < WORLDS; w++) {
        int64_t want = time_in(&r->worlds[w], e->transition, e->number);
        if (want == e->time || (want < 0 && e->time >= r->worlds[w].end))
            continue;
        r->sum->wrong++;
        if (!r->failed)
            printf("FAIL seed %llu: %s#%llu recovered %lld, in world %u it is %lld\n",
                   (unsigned long long)r->observed->made.seed, life_step(r->observed, e->transition)->id,
                   (unsigned long long)e->number, (long long)e->time, w, (long long)want);
        r->failed = true;
        return;
    }
}

static bool recover(run *r, const gap *g)
{
    const life *l = r->observed;
    es_net_recovery_options options = {.on_event = on_event, .context = r, .in_order = true};
    es_error err;
    es_net_recovery *recovery = es_net_recovery_new(l->made.net, &options, &err);
    bool good = recovery != NULL;
    for (size_t i = 0; i < l->count && good; i++) {
        const es_net_firing *f = &l->firings[i];
        if (i == g->from)
            good = es_net_recovery_gap(recovery, &g->process, 1, &err);
        if (good && life_step(l, f->transition)->monitor && !is_lost(l, g, i))
            good = es_net_recovery_push(recovery, &(es_net_observation){f->transition, f->time, f->mark, i}, &err);
    }
    good = good && es_net_recovery_finish(recovery, false, &err);
    if (!good)
        printf("FAIL seed %llu: %s\n", (unsigned long long)l->made.seed, err.text);
    es_net_recovery_free(recovery);
    return good && !r->failed;
}

/* Of the observed events after the gap: which are certain, and which could be at most. */
static void count_after(const run *r, const gap *g)
{
    const life *l = r->observed;
    for (size_t i = g->from; i < l->count; i++) {
        const es_net_firing *f = &l->firings[i];
        const es_net_transition *t = life_step(l, f->transition);
        if (!t->monitor || t->fixed || is_lost(l, g, i))
            continue;
        bool same = true;
        for (unsigned w = 1; w < WORLDS; w++)
            same &=
                time_in(&r->worlds[w], f->transition, f->number) == time_in(&r->worlds[0], f->transition, f->number);
        r->sum->events++;
        r->sum->certain += r->certain[i];
        r->sum->knowable += same;
    }
}

static bool test_net(random_net made, totals *sum)
{
    life observed = life_live(&made, true, FIRINGS, NULL, 0);
    const uint64_t random = random_mix(made.seed ^ 77);
    gap g = {.from = observed.count / 4 + random % (observed.count / 4 + 1), .process = (int32_t)((random >> 40) % 3)};
    g.to = g.from + 10 + (random >> 20) % 40;
    life_shift *shifts = malloc((observed.count + 1) * sizeof *shifts);
    truth worlds[WORLDS];
    bool good = true;
    for (unsigned w = 0; w < WORLDS; w++) {
        size_t count = shift_lost(&observed, &g, w, shifts);
        life other = life_live(&made, true, FIRINGS, shifts, count);
        if (!looks_the_same(&observed, &other, &g)) {
            printf("FAIL seed %llu: world %u shows something else\n", (unsigned long long)made.seed, w);
            good = false;
        }
        life_end(&other);
        worlds[w] = truth_of(&made, shifts, count);
    }
    run r = {&observed, worlds, sum, calloc(observed.count + 1, sizeof *r.certain), false};
    good &= recover(&r, &g);
    count_after(&r, &g);
    sum->nets++;
    for (unsigned w = 0; w < WORLDS; w++)
        free(worlds[w].times);
    free(r.certain);
    free(shifts);
    life_end(&observed);
    es_net_free(made.net);
    return good;
}

/* --- rings -------------------------------------------------------------------------------------------------------- */

static void need(bool good, const es_error *err)
{
    if (good)
        return;
    fprintf(stderr, "test_lost: %s\n", err->text);
    exit(EXIT_FAILURE);
}

/* Each process works, sends to the next one, and receives from the one before it, over slots of one message. */
static random_net ring(uint64_t seed)
{
    es_error err;
    const uint32_t processes = 3 + (uint32_t)(random_mix(seed) % 4);
    es_net *net = es_net_new("ring");
    uint32_t message[8], room[8], serial = 0;
    char id[24];
    for (uint32_t i = 0; i < 2 * processes; i++) {
        snprintf(id, sizeof id, "slot%u", i);
        uint32_t made = es_net_place_add(net, id, NULL, i % 2, NULL, &err);
        need(made != ES_NET_NONE, &err);
        (i % 2 ? room : message)[i / 2] = made;
    }
    for (uint32_t i = 0; i < processes; i++) {
        uint32_t at[4], step[4];
        for (uint32_t k = 0; k < 4; k++) {
            snprintf(id, sizeof id, "p%u", serial);
            need((at[k] = es_net_place_add(net, id, NULL, k == 0, NULL, &err)) != ES_NET_NONE, &err);
            snprintf(id, sizeof id, "t%u", serial++);
            need((step[k] = es_net_transition_add(net, id, NULL, 1, NULL, &err)) != ES_NET_NONE, &err);
            need(es_net_monitor(net, step[k], 1, 20, &err), &err);
            net->transitions[step[k]].process = (int32_t)i;
        }
        for (uint32_t k = 0; k < 4; k++)
            need(es_net_arc_in(net, at[k], step[k], 1, &err) && es_net_arc_out(net, step[k], at[(k + 1) % 4], 1, &err),
                 &err);
        const uint32_t before = (i + processes - 1) % processes;
        need(es_net_arc_in(net, room[i], step[1], 1, &err) && es_net_arc_out(net, step[1], message[i], 1, &err), &err);
        need(es_net_arc_in(net, message[before], step[3], 1, &err) &&
                 es_net_arc_out(net, step[3], room[before], 1, &err),
             &err);
    }
    need(es_net_finish(net, &err), &err);
    return (random_net){.net = net, .seed = seed, .delay_range = 100, .mark_range = 20};
}

static void report(const char *what, const totals *sum)
{
    printf("%s: %llu nets, %llu certain events, %llu wrong; after the gap %llu of %llu certain, and %llu at most can "
           "be known\n",
           what, (unsigned long long)sum->nets, (unsigned long long)sum->certain_of_all, (unsigned long long)sum->wrong,
           (unsigned long long)sum->certain, (unsigned long long)sum->events, (unsigned long long)sum->knowable);
}

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 300;
    const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    totals spins = {0}, others = {0}, rings = {0};
    uint64_t failed = 0;
    for (uint64_t seed = first; seed < first + count; seed++) {
        bool good = test_net(random_net_with_spins(seed), &spins);
        good &= test_net(random_net_new(seed), &others);
        good &= test_net(ring(seed), &rings);
        failed += !good;
    }
    report("loops that ask", &spins);
    report("others", &others);
    report("rings", &rings);
    printf("%llu passed, %llu failed\n", (unsigned long long)(count - failed), (unsigned long long)failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
