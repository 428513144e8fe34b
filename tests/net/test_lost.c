/* What lost marks hide, and what nobody can know after them. For one trace with a gap there are many programs: a lost
 * mark may have cost less, and its step have taken that much longer, or the other way round, and all that was seen is
 * the same. Each of them has times of its own without marks. What recovery calls certain has to be so in every one; and
 * where they differ, no method can be certain. So they also tell how much of what can be known recovery gives up.
 * Random nets as in test_spins.c, and rings in which each process waits for the one before it: plain ones, and others
 * with messages under way, free choices, two gaps, and events at one time in any order. Arguments: how many nets (300),
 * the first seed (1). */
#include <stdio.h>
#include <stdlib.h>

#include "life.h"
#include "net/recovery/recovery.h"

#define FIRINGS 400
#define MORE ((size_t)FIRINGS * 6)
#define WORLDS 8   /* half of them with other times of the lost steps */
#define REPAIRS 40 /* steps whose lengths hang on those, at most */
#define GAPS_MAX 2
#define PROCESSES_MAX 8

typedef struct totals {
    uint64_t events, certain, knowable, certain_of_all, wrong, nets;
} totals;

typedef struct gap {
    size_t from, to; /* firings, */
    int32_t process; /* whose are lost */
} gap;

typedef struct gaps {
    gap of[GAPS_MAX]; /* by `from` */
    size_t count;
    bool any_order; /* events at one time are told process by process */
} gaps;

/* By transition and number: the true time; -1: none. `end`: what comes from then on is not known. */
typedef struct truth {
    int64_t *times, end;
} truth;

typedef struct run {
    const life *observed;
    const truth *worlds;
    totals *sum;
    bool *certain; /* by observed firing */
    bool *told;    /* by transition and number */
    bool failed;
} run;

static bool is_lost(const life *l, const gaps *g, size_t at)
{
    bool lost = false;
    for (size_t i = 0; i < g->count; i++)
        lost |= at >= g->of[i].from && at < g->of[i].to &&
                life_step(l, l->firings[at].transition)->process == g->of[i].process;
    return lost;
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
static size_t shift_lost(const life *l, const gaps *g, unsigned world, life_shift *shifts)
{
    size_t count = 0;
    for (size_t i = g->of[0].from; i < l->count && world; i++) {
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
            shifts[count++] = (life_shift){f->transition, l->made_of[i], f->number, more, 0};
    }
    return count;
}

/* By transition and number: is it lost? */
static bool *hidden_of(const life *l, const gaps *g)
{
    bool *hidden = calloc((size_t)l->made.net->transition_count * (MORE + 2), sizeof *hidden);
    for (size_t i = 0; i < l->count; i++)
        hidden[l->firings[i].transition * (MORE + 2) + l->firings[i].number] = is_lost(l, g, i);
    return hidden;
}

static size_t next_shown(const life *l, const bool *hidden, size_t from)
{
    while (from < l->count && hidden[l->firings[from].transition * (MORE + 2) + l->firings[from].number])
        from++;
    return from;
}

/* Do both runs show the same, but for what is lost? Otherwise *first is the first firing of `other` that differs, by
 * *late ticks, or of another step. */
static bool looks_the_same(const life *l, const life *other, const bool *hidden, size_t *first, int64_t *late)
{
    size_t i = next_shown(l, hidden, 0), k = next_shown(other, hidden, 0);
    for (; i < l->count && k < other->count; i = next_shown(l, hidden, i + 1), k = next_shown(other, hidden, k + 1)) {
        const es_net_firing *a = &l->firings[i], *b = &other->firings[k];
        *first = k;
        *late = b->time - a->time;
        if (a->transition != b->transition || a->number != b->number || a->time != b->time || a->mark != b->mark)
            return false;
    }
    return true;
}

/* When a lost step was made is not known either. In other worlds each of them takes no time, and the first or the last
 * one all that is left; or some take more, and some less. Where another process shows that by a firing at another time,
 * it took so much less or more for it: its length is only known from what is lost. Returns how many shifts there are
 * with those of such a world; without them, where there is none that shows the same. */
static size_t move_lost(const life *l, const gaps *g, const bool *hidden, unsigned kind, life_shift *shifts,
                        size_t count)
{
    size_t added = count, of[FIRINGS], lost = 0;
    int64_t left = 0;
    for (size_t i = g->of[0].from; i < l->count; i++)
        if (is_lost(l, g, i) && l->computes[i] && l->firings[i].delay > 0)
            of[lost++] = i;
    for (size_t i = 0; i < lost; i++) {
        const es_net_firing *f = &l->firings[of[i]];
        const uint64_t random = random_mix(l->made.seed ^ of[i] << 9 ^ kind);
        int64_t late = -f->delay;
        if (kind > 1 && random & 3)
            late = 0;
        if (kind > 2 && (random & 7) == 4)
            late = left > 0 ? (int64_t)(random >> 8 & 0xFFFF) % left : 0;
        left -= late;
        shifts[added++] = (life_shift){f->transition, l->made_of[of[i]], f->number, 0, late};
    }
    if (!lost)
        return count;
    const size_t rest = kind ? lost - 1 : 0;
    shifts[added] = shifts[count + rest];
    shifts[added].late = left;
    added++;
    for (unsigned repair = 0; repair < REPAIRS; repair++) {
        size_t first = 0;
        int64_t late = 0;
        life other = life_live(&l->made, true, FIRINGS, shifts, added);
        const bool same = looks_the_same(l, &other, hidden, &first, &late);
        const es_net_firing f = other.firings[first];
        const uint64_t data = other.made_of[first];
        const bool possible = late && late <= f.delay && other.computes[first] && life_step(l, f.transition)->monitor;
        life_end(&other);
        if (same)
            return added;
        if (!possible)
            return count;
        shifts[added++] = (life_shift){f.transition, data, f.number, 0, -late};
    }
    return count;
}

/* Its number; of one that is not counted the true one, which must not be less. */
static uint64_t number_of(const run *r, const es_net_recovered *e)
{
    if (!(e->flags & ES_NET_UNCOUNTED))
        return e->number;
    if (e->serial != ES_NET_NO_SERIAL)
        return r->observed->firings[e->serial].number;
    for (uint64_t number = e->number; number < MORE + 2; number++)
        if (time_in(&r->worlds[0], e->transition, number) == e->time)
            return number;
    return e->number;
}

static void on_event(void *context, const es_net_recovered *e)
{
    run *r = context;
    if (e->certainty != ES_NET_TOTALLY)
        return;
    if (e->serial != ES_NET_NO_SERIAL)
        r->certain[e->serial] = true;
    r->sum->certain_of_all++;
    const uint64_t number = number_of(r, e);
    bool *told = &r->told[e->transition * (MORE + 2) + (number < MORE + 2 ? number : 0)];
    if (number < e->number || (*told && number < MORE + 2)) {
        printf("FAIL seed %llu: %s#%llu is told twice\n", (unsigned long long)r->observed->made.seed,
               life_step(r->observed, e->transition)->id, (unsigned long long)e->number);
        r->failed = true;
    }
    *told = true;
    for (unsigned w = 0; w < WORLDS; w++) {
        int64_t want = time_in(&r->worlds[w], e->transition, number);
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

static bool recover(run *r, const gaps *g)
{
    const life *l = r->observed;
    es_net_recovery_options options = {.on_event = on_event, .context = r, .in_order = !g->any_order};
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
                if (t->monitor && !is_lost(l, g, i) && (!g->any_order || t->process == process))
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

/* Of the observed events after the gap: which are certain, and which could be at most. */
static void count_after(const run *r, const gaps *g)
{
    const life *l = r->observed;
    for (size_t i = g->of[0].from; i < l->count; i++) {
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

static gaps gaps_of(const life *l, bool several)
{
    const uint64_t random = random_mix(l->made.seed ^ 77), more = random_mix(random);
    gap first = {.from = l->count / 4 + random % (l->count / 4 + 1), .process = (int32_t)((random >> 40) % 3)};
    first.to = first.from + 10 + (random >> 20) % 40;
    gaps g = {{first}, 1, several && (more & 1)};
    if (!several || (more & 2))
        return g;
    g.of[1] = (gap){.from = first.from + more % (l->count / 4 + 1) / (more & 4 ? 8 : 1),
                    .process = (int32_t)((more >> 40) % 3)};
    g.of[1].to = g.of[1].from + 1 + (more >> 20) % 40;
    g.count = 2;
    return g;
}

static bool test_net(random_net made, totals *sum, bool several)
{
    life observed = life_live(&made, true, FIRINGS, NULL, 0);
    const gaps g = gaps_of(&observed, several);
    life_shift *shifts = malloc((2 * observed.count + REPAIRS + 2) * sizeof *shifts);
    bool *hidden = hidden_of(&observed, &g);
    truth worlds[WORLDS];
    bool good = true;
    for (unsigned w = 0; w < WORLDS; w++) {
        size_t count = shift_lost(&observed, &g, w % (WORLDS / 2), shifts);
        if (w >= WORLDS / 2)
            count = move_lost(&observed, &g, hidden, w - WORLDS / 2, shifts, count);
        life other = life_live(&made, true, FIRINGS, shifts, count);
        size_t first;
        int64_t late;
        if (!looks_the_same(&observed, &other, hidden, &first, &late)) {
            printf("FAIL seed %llu: world %u shows something else\n", (unsigned long long)made.seed, w);
            good = false;
        }
        life_end(&other);
        worlds[w] = truth_of(&made, shifts, count);
    }
    run r = {&observed,
             worlds,
             sum,
             calloc(observed.count + 1, sizeof *r.certain),
             calloc((size_t)made.net->transition_count * (MORE + 2), sizeof *r.told),
             false};
    good &= recover(&r, &g);
    count_after(&r, &g);
    sum->nets++;
    for (unsigned w = 0; w < WORLDS; w++)
        free(worlds[w].times);
    free(r.certain);
    free(r.told);
    free(shifts);
    free(hidden);
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

/* Of the events after gaps at least so much is certain. */
static bool report(const char *what, const totals *sum, unsigned percent)
{
    printf("%s: %llu nets, %llu certain events, %llu wrong; after the gap %llu of %llu certain, and %llu at most can "
           "be known\n",
           what, (unsigned long long)sum->nets, (unsigned long long)sum->certain_of_all, (unsigned long long)sum->wrong,
           (unsigned long long)sum->certain, (unsigned long long)sum->events, (unsigned long long)sum->knowable);
    if (sum->certain * 100 >= sum->events * percent)
        return true;
    printf("FAIL %s: less than %u %% of the events after gaps are certain\n", what, percent);
    return false;
}

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 300;
    const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    totals spins = {0}, others = {0}, rings = {0}, richer = {0};
    uint64_t failed = 0;
    for (uint64_t seed = first; seed < first + count; seed++) {
        bool good = test_net(random_net_with_spins(seed), &spins, false);
        good &= test_net(random_net_new(seed), &others, false);
        good &= test_net(ring(seed, false), &rings, false);
        good &= test_net(ring(seed, true), &richer, true);
        failed += !good;
    }
    const bool many = count >= 300; /* a few nets may be any */
    bool enough = report("loops that ask", &spins, many ? 33 : 0);
    enough &= report("others", &others, many ? 18 : 0);
    enough &= report("rings", &rings, many ? 30 : 0);
    enough &= report("richer rings", &richer, many ? 28 : 0);
    printf("%llu passed, %llu failed\n", (unsigned long long)(count - failed), (unsigned long long)failed);
    return failed || !enough ? EXIT_FAILURE : EXIT_SUCCESS;
}
