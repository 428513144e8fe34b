/* Certain again after lost marks (worlds.h), of programs that send and receive: from their marks to the firings
 * (net/marks), and from these to the times without marks. Random programs on three to five cores: each core works, sends
 * to one or both of its neighbours in a ring or a line, from one place of the program or another, and receives. Marks
 * inside the library's calls take longer than messages do, now and then. Arguments: how many programs (300), the first
 * seed (1). */
#include <stdio.h>
#include <stdlib.h>

#include "net/marks/marks.h"
#include "worlds.h"

#define MARK_MOST 20
#define STEPS_MAX 1000u

typedef struct program {
    es_net *net;
    es_net_mp *mp;
    es_net_mp_step steps[STEPS_MAX];
    size_t step_count;
    unsigned cores;
    uint32_t site;
} program;

static void need(bool good, const es_error *err)
{
    if (good)
        return;
    fprintf(stderr, "test_lost_calls: %s\n", err->text);
    exit(EXIT_FAILURE);
}

static uint32_t place_of(program *p, uint32_t tokens)
{
    es_error err;
    char id[24];
    snprintf(id, sizeof id, "p%u", p->site++);
    const uint32_t made = es_net_place_add(p->net, id, NULL, tokens, NULL, &err);
    need(made != ES_NET_NONE, &err);
    return made;
}

/* A mark of the program's own. */
static void work(program *p, unsigned core, uint32_t from, uint32_t to)
{
    es_error err;
    char id[24];
    const uint32_t site = p->site++;
    snprintf(id, sizeof id, "work %u.%u", core, site);
    const uint32_t made = es_net_transition_add(p->net, id, NULL, 1, NULL, &err);
    need(made != ES_NET_NONE && es_net_monitor(p->net, made, MARK_MOST, MARK_MOST, &err), &err);
    p->net->transitions[made].process = (int32_t)core;
    need(es_net_arc_in(p->net, from, made, 1, &err) && es_net_arc_out(p->net, made, to, 1, &err), &err);
    p->steps[p->step_count++] = (es_net_mp_step){made, ES_NET_SEEN_END, core, 1, site, 0};
}

/* Returns the place after it: `to`, or a new one. */
static uint32_t call(program *p, unsigned core, unsigned peer, bool sends, uint32_t from, uint32_t to)
{
    es_error err;
    const es_net_mp_call c = {.core = core, .peer = peer, .site = p->site, .delay = 1, .before = from, .after = to};
    const uint32_t after = sends ? es_net_mp_async_send(p->mp, &c, &err) : es_net_mp_recv(p->mp, &c, &err);
    p->site += 2;
    need(after != ES_NET_NONE, &err);
    return after;
}

/* In a line, the first core hears of nobody before it, and the last one sends nothing on. */
static void core_of(program *p, unsigned core, uint64_t kind)
{
    const unsigned next = (core + 1) % p->cores, before = (core + p->cores - 1) % p->cores;
    const bool line = kind & 4, has_next = !line || next, has_before = !line || core;
    const bool both_ways = kind & 1 && p->cores > 2;
    const bool sends[] = {has_next, has_before && both_ways}, receives[] = {has_next && both_ways, has_before};
    const uint32_t start = place_of(p, 1);
    uint32_t at = place_of(p, 0);
    work(p, core, start, at);
    if (kind >> (8 + core) & 1) /* the data decide what it does, */
        work(p, core, start, at);
    for (unsigned i = 0; i < 2; i++) {
        if (!sends[i])
            continue;
        const uint32_t sent = call(p, core, i ? before : next, true, at, ES_NET_NONE);
        if (kind >> (16 + core) & 1) /* and where it sends */
            call(p, core, i ? before : next, true, at, sent);
        at = sent;
    }
    if (kind >> (24 + core) & 1) {
        const uint32_t worked = place_of(p, 0);
        work(p, core, at, worked);
        at = worked;
    }
    for (unsigned i = 0; i < 2; i++)
        if (receives[i])
            at = call(p, core, i ? before : next, false, at, ES_NET_NONE);
    work(p, core, at, start);
}

/* `real`: as the target runs it, where what the library does inside of a call takes the same time in every run. */
static program make(uint64_t seed, bool real)
{
    es_error err;
    const uint64_t kind = random_mix(seed ^ 9);
    program p = {.net = es_net_new("calls"), .cores = 3 + (unsigned)(kind >> 40) % 3};
    const int64_t latency = kind & 2 ? 4 : 4 + (int64_t)(kind >> 48) % 60;
    p.mp = es_net_mp_new(p.net, p.cores, latency, MARK_MOST, &err);
    need(p.mp != NULL, &err);
    for (unsigned core = 0; core < p.cores; core++)
        core_of(&p, core, kind);
    need(es_net_mp_finish(p.mp, &err), &err);
    const es_net_mp_step *steps;
    const size_t count = es_net_mp_steps(p.mp, &steps);
    for (size_t i = 0; i < count; i++) {
        es_net_transition *t = &p.net->transitions[steps[i].transition];
        const bool begins = steps[i].id == ES_NET_MP_SEND_BEGIN || steps[i].id == ES_NET_MP_RECV_BEGIN;
        if (p.step_count == STEPS_MAX)
            abort();
        p.steps[p.step_count++] = steps[i];
        t->fixed |= real && (steps[i].seen == ES_NET_SEEN_BEGIN || !begins);
    }
    need(es_net_finish(p.net, &err), &err);
    return p;
}

/* --- from marks to recovery ------------------------------------------------------------------------------------- */

typedef struct feed {
    es_net_recovery *recovery;
    const size_t *firing_of; /* by mark */
    size_t others;           /* a serial of firings that no mark shows at its end */
    es_error err;
    bool failed;
} feed;

static void on_firing(void *context, const es_net_firing *firing, size_t index)
{
    feed *f = context;
    const uint64_t serial = index == SIZE_MAX ? f->others : f->firing_of[index];
    f->failed =
        f->failed ||
        !es_net_recovery_push(f->recovery,
                              &(es_net_observation){firing->transition, firing->time, firing->mark, serial}, &f->err);
}

static void on_gap(void *context, const int32_t *processes, size_t count)
{
    feed *f = context;
    f->failed = f->failed || !es_net_recovery_gap(f->recovery, processes, count, &f->err);
}

static const es_net_mp_step *step_of(const program *p, uint32_t transition)
{
    for (size_t i = 0; i < p->step_count; i++)
        if (p->steps[i].transition == transition && p->steps[i].seen == ES_NET_SEEN_END)
            return &p->steps[i];
    return NULL;
}

/* Two marks of a core at one time, one before the gap and one after it: no core makes them. */
static bool is_possible(const life *l, const gaps *g)
{
    for (size_t i = 0; i < g->count; i++)
        for (size_t k = g->of[i].from; k-- > 0 && l->firings[k].time == l->firings[g->of[i].from].time;)
            if (life_step(l, l->firings[k].transition)->process == g->of[i].process)
                return false;
    return true;
}

static bool recover(run *r, const gaps *g, void *context)
{
    const program *p = context;
    const life *l = r->observed;
    if (!is_possible(l, g))
        return true;
    feed f = {.others = l->count};
    es_net_recovery_options options = {.on_event = worlds_on_event, .context = r};
    es_net_marks_options marks = {p->steps, p->step_count, on_firing, on_gap, &f};
    size_t *firing_of = malloc((l->count + 1) * sizeof *firing_of), pushed = 0;
    f.firing_of = firing_of;
    f.recovery = es_net_recovery_new(p->net, &options, &f.err);
    need(f.recovery != NULL, &f.err);
    es_net_marks *made = es_net_marks_new(p->net, &marks, &f.err);
    need(made != NULL, &f.err);
    bool good = true;
    es_error err;
    for (size_t i = 0; i < l->count && good && !f.failed; i++) {
        const es_net_firing *fired = &l->firings[i];
        const es_net_mp_step *step = step_of(p, fired->transition);
        for (size_t k = 0; k < g->count && good; k++)
            if (g->of[k].from == i)
                good = es_net_marks_gap(made, 1u << g->of[k].process, &err);
        if (!step || worlds_is_lost(l, g, i) || !good)
            continue;
        firing_of[pushed++] = i;
        good = es_net_marks_push(
            made, &(es_net_mark){fired->time, fired->mark, step->core, step->id, step->peer, step->site}, &err);
    }
    good = good && es_net_marks_finish(made, &err);
    if (!good || f.failed)
        printf("FAIL seed %llu: %s\n", (unsigned long long)l->made.seed, f.failed ? f.err.text : err.text);
    good = good && !f.failed && es_net_recovery_finish(f.recovery, false, &err);
    es_net_marks_free(made);
    es_net_recovery_free(f.recovery);
    free(firing_of);
    return good && !r->failed;
}

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 300;
    const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    totals calls = {0};
    uint64_t failed = 0;
    for (uint64_t seed = first; seed < first + count; seed++) {
        program real = make(seed, true), known = make(seed, false);
        const random_net made = {.net = real.net,
                                 .seed = seed,
                                 .delay_range = 2 + (int64_t)(random_mix(seed) % 150),
                                 .mark_range = MARK_MOST};
        failed += !worlds_test(made, &calls, true, recover, &known);
        es_net_free(known.net);
    }
    const bool enough = worlds_report("calls", &calls, count >= 300 ? 25 : 0);
    printf("%llu passed, %llu failed\n", (unsigned long long)(count - failed), (unsigned long long)failed);
    return failed || !enough ? EXIT_FAILURE : EXIT_SUCCESS;
}
