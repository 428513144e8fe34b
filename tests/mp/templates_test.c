/* The nets of the message-passing primitives against real runs.
 *
 * The events of a traced run become a net in which every call is a call of its own (the loops are unrolled), with the times between the marks as
 * delays. Simulated with marks it must do what was observed, and without what the markless run did: to the clock, up to the first test or
 * wait that goes another way, which the markless run must have gone too. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/check_main.h"
#include "net/conditions.h"
#include "net/engine.h"
#include "net/templates.h"

#define OTHER 1000000u /* sites of marks that the traced run did not come to */

typedef struct event {
    int64_t time;
    unsigned id, value;
    int64_t delay;
} event;

typedef struct events {
    event *items;
    size_t count;
} events;

typedef struct shown { /* what the mark of a transition is, by transition */
    unsigned core;
    uint32_t site, peer;
    bool is_mark;
} shown;

typedef struct firing {
    int64_t time;
    uint32_t site, peer;
} firing;

typedef struct fixture {
    unsigned cores;
    es_net *net;
    es_net_mp *mp;
    int64_t mark;
    shown *of;
    firing *fired[ES_NET_MP_CORES];
    size_t fired_count[ES_NET_MP_CORES], room;
} fixture;

static void read_events(events *cores, const char *options, const char *name, const char *kind, const char *truth)
{
    char command[400], line[200];
    snprintf(command, sizeof command, "%s/mp/trace %s %s %s/mp/%s%s.elf", TESTS_BUILD, options, truth, TESTS_BUILD, name, kind);
    FILE *pipe = popen(command, "r"); // NOLINT: the test's own programs
    ck_assert_ptr_nonnull(pipe);
    memset(cores, 0, ES_NET_MP_CORES * sizeof *cores);
    while (fgets(line, sizeof line, pipe)) {
        unsigned core, site;
        event e;
        ck_assert_int_eq(sscanf(line, "{\"time\": %" SCNd64 ", \"core\": %u, \"id\": %u, \"value\": %u, \"site\": %u, \"delay\": %" SCNd64, &e.time,
                                &core, &e.id, &e.value, &site, &e.delay), 6);
        ck_assert_uint_lt(core, ES_NET_MP_CORES);
        events *c = &cores[core];
        if ((c->count & (c->count + 1)) == 0) {
            c->items = realloc(c->items, (2 * c->count + 2) * sizeof *c->items);
            ck_assert_ptr_nonnull(c->items);
        }
        c->items[c->count++] = e;
    }
    ck_assert_int_eq(pclose(pipe), 0);
}

/* --- the net of a run ------------------------------------------------------------------------------ */

static uint32_t own_mark(fixture *f, unsigned core, uint32_t site, int64_t delay, uint32_t before)
{
    es_error err = {0};
    char id[40];
    snprintf(id, sizeof id, "own %u.%u", core, (unsigned)site);
    uint32_t t = es_net_transition_add(f->net, id, NULL, delay, NULL, &err);
    ck_assert(es_net_monitor(f->net, t, f->mark, f->mark, &err));
    snprintf(id, sizeof id, "after %u.%u", core, (unsigned)site);
    uint32_t behind = es_net_place_add(f->net, id, NULL, 0, NULL, &err);
    ck_assert(es_net_arc_in(f->net, before, t, 1, &err) && es_net_arc_out(f->net, t, behind, 1, &err));
    return behind;
}

/* Adds the call that begins with event i; *i goes to its last one. Returns the place behind. */
static uint32_t add_call(fixture *f, unsigned core, const events *own, size_t *i, uint32_t before)
{
    es_error err = {0};
    const event *e = &own->items[*i], *next = *i + 1 < own->count ? e + 1 : NULL;
    int64_t delay = e->time - e->delay - (*i ? e[-1].time : 0);
    es_net_mp_call call = {core, e->value, (uint32_t)*i, delay, before, ES_NET_NONE, NULL};
    uint32_t behind = ES_NET_NONE;
    switch (e->id) {
    case ES_NET_MP_SEND_BEGIN:
        if (*i + 2 < own->count && e[2].id == ES_NET_MP_TAKEN_END) {
            behind = es_net_mp_sync_send(f->mp, &call, &err);
            *i += 2;
        } else {
            behind = es_net_mp_async_send(f->mp, &call, &err);
            *i += 1;
        }
        break;
    case ES_NET_MP_RECV_BEGIN:
        behind = es_net_mp_recv(f->mp, &call, &err);
        *i += 1;
        break;
    case ES_NET_MP_TEST_BEGIN: {
        ck_assert_ptr_nonnull(next);
        bool hit = next->id == ES_NET_MP_RECV_BEGIN;
        int64_t then = next->time - next->delay - e->time;
        uint32_t test = es_net_mp_test(f->mp, &call, hit ? OTHER + 4 * call.site : call.site + 1, hit ? 0 : then, &err);
        es_net_mp_call recv = {core, e->value, hit ? call.site + 1 : OTHER + 4 * call.site, hit ? then : 0, test, ES_NET_NONE, NULL};
        behind = es_net_mp_recv(f->mp, &recv, &err);
        if (!hit)
            behind = call.behind;
        *i += hit ? 2 : 1;
        break;
    }
    case ES_NET_MP_ANY_BEGIN: {
        uint32_t found[ES_NET_MP_CORES];
        call.peer = 0;
        ck_assert_msg(es_net_mp_any(f->mp, &call, ((1u << f->cores) - 1) & ~(1u << core), found, &err), "%s", err.text);
        ck_assert_ptr_nonnull(next);
        ck_assert_uint_eq(next->id, ES_NET_MP_ANY_FOUND);
        behind = found[next->value];
        *i += 1;
        break;
    }
    default: behind = own_mark(f, core, (uint32_t)*i, delay, before);
    }
    ck_assert_msg(behind != ES_NET_NONE, "%s", err.text);
    return behind;
}

static void build(fixture *f, unsigned cores, int64_t latency, const events *marked)
{
    es_error err = {0};
    memset(f, 0, sizeof *f);
    f->cores = cores;
    f->mark = marked[0].items[0].delay;
    f->net = es_net_new("run");
    f->mp = es_net_mp_new(f->net, cores, latency, f->mark, &err);
    ck_assert_msg(f->mp != NULL, "%s", err.text);
    for (unsigned c = 0; c < cores; c++) {
        char id[20];
        snprintf(id, sizeof id, "start %u", c);
        uint32_t at = es_net_place_add(f->net, id, NULL, 1, NULL, &err);
        for (size_t i = 0; i < marked[c].count; i++)
            at = add_call(f, c, &marked[c], &i, at);
    }
    ck_assert_msg(es_net_mp_finish(f->mp, &err), "%s", err.text);
    ck_assert_msg(es_net_finish(f->net, &err), "%s", err.text);

    f->of = calloc(f->net->transition_count, sizeof *f->of);
    ck_assert_ptr_nonnull(f->of);
    const es_net_mp_step *steps;
    size_t count = es_net_mp_steps(f->mp, &steps);
    for (size_t i = 0; i < count; i++)
        if (steps[i].seen == ES_NET_SEEN_END)
            f->of[steps[i].transition] = (shown){steps[i].core, steps[i].site, steps[i].peer, true};
    for (uint32_t t = 0; t < f->net->transition_count; t++) {
        unsigned core, site;
        if (sscanf(f->net->transitions[t].id, "own %u.%u", &core, &site) == 2)
            f->of[t] = (shown){core, site, marked[core].items[site].value, true};
    }
    for (unsigned c = 0; c < cores; c++)
        f->room += marked[c].count + 10;
    for (unsigned c = 0; c < cores; c++) {
        f->fired[c] = calloc(f->room, sizeof *f->fired[c]);
        ck_assert_ptr_nonnull(f->fired[c]);
    }
}

static void release(fixture *f)
{
    for (unsigned c = 0; c < ES_NET_MP_CORES; c++)
        free(f->fired[c]);
    free(f->of);
    es_net_free(f->net);
}

static void on_firing(void *context, const es_net_firing *firing_)
{
    fixture *f = context;
    const shown *s = &f->of[firing_->transition];
    if (!s->is_mark)
        return;
    ck_assert_uint_lt(f->fired_count[s->core], f->room);
    f->fired[s->core][f->fired_count[s->core]++] = (firing){firing_->time, s->site, s->peer};
}

static void simulate(fixture *f, bool marks)
{
    es_error err = {0};
    es_net_engine_options options = {.marks = marks, .on_firing = on_firing, .context = f};
    es_net_engine *engine = es_net_engine_new(f->net, &options, &err);
    ck_assert_msg(engine != NULL, "%s", err.text);
    memset(f->fired_count, 0, sizeof f->fired_count);
    ck_assert_msg(es_net_engine_run(engine, ES_NET_TICKS_MAX, UINT64_MAX, &err), "%s", err.text);
    ck_assert(es_net_engine_dead(engine));
    es_net_engine_free(engine);
}

/* --- tests ---------------------------------------------------------------------------------------- */

/* True when firing i of a core is the run's event i. */
static bool same(const firing *fired, const event *e, size_t i)
{
    bool about_peer = e->id >= ES_NET_MP_SEND_BEGIN && e->id <= ES_NET_MP_ANY_FOUND && e->id != ES_NET_MP_ANY_BEGIN;
    return fired->site == i && (!about_peer || fired->peer == e->value);
}

static void compare_marked(const fixture *f, const events *marked)
{
    for (unsigned c = 0; c < f->cores; c++) {
        ck_assert_uint_eq(f->fired_count[c], marked[c].count);
        for (size_t i = 0; i < marked[c].count; i++) {
            ck_assert(same(&f->fired[c][i], &marked[c].items[i], i));
            ck_assert_int_eq(f->fired[c][i].time, marked[c].items[i].time);
        }
    }
}

/* Returns whether there was a change. */
static bool compare_truth(const fixture *f, const events *marked, const events *truth)
{
    int64_t change = INT64_MAX;
    size_t alike[ES_NET_MP_CORES];
    unsigned changed = 0;
    for (unsigned c = 0; c < f->cores; c++) {
        size_t i = 0;
        while (i < f->fired_count[c] && i < marked[c].count && same(&f->fired[c][i], &marked[c].items[i], i))
            i++;
        alike[c] = i;
        if (i < f->fired_count[c] && f->fired[c][i - 1].time < change) {
            change = f->fired[c][i - 1].time;
            changed = c;
        }
    }
    for (unsigned c = 0; c < f->cores; c++) {
        for (size_t i = 0; i < alike[c] && f->fired[c][i].time < change; i++) {
            ck_assert_uint_lt(i, truth[c].count);
            ck_assert_int_eq(f->fired[c][i].time, truth[c].items[i].time);
            ck_assert_uint_eq(marked[c].items[i].id, truth[c].items[i].id);
        }
        if (change == INT64_MAX)
            ck_assert_uint_eq(f->fired_count[c], truth[c].count);
    }
    if (change == INT64_MAX)
        return false;
    /* At the change the truth is with the net, not with the observed run. */
    size_t at = alike[changed];
    const event *was = &marked[changed].items[at], *is = &truth[changed].items[at];
    ck_assert(was->id == ES_NET_MP_ANY_FOUND || was->id == ES_NET_MP_TEST_NONE || was->id == ES_NET_MP_RECV_BEGIN);
    ck_assert(was->id != is->id || was->value != is->value);
    if (is->id == ES_NET_MP_ANY_FOUND)
        ck_assert_uint_eq(is->value, f->fired[changed][at].peer);
    return true;
}

static const char *const programs[] = {"producer", "pipeline", "workers", "ring", "stencil"};
static const unsigned cores_of[] = {2, 3, 4, 8};
static const unsigned latencies[] = {4, 16, 33, 5};

START_TEST(runs)
{
    const char *program = programs[_i % 5];
    unsigned cores = cores_of[_i / 5 % 4], latency = latencies[(_i + _i / 5) % 4];
    const char *kind = _i / 20 % 2 ? ".pad" : "";
    char options[60], name[40], bare[300];
    snprintf(options, sizeof options, "-c %u -l %u", cores, latency);
    snprintf(name, sizeof name, "%s-%d", program, _i % 2);
    snprintf(bare, sizeof bare, "-t %s/mp/%s.bare.elf", TESTS_BUILD, name);
    events marked[ES_NET_MP_CORES], truth[ES_NET_MP_CORES];
    read_events(marked, options, name, kind, "");
    read_events(truth, options, name, kind, bare);

    fixture f;
    build(&f, cores, latency, marked);
    es_arena *arena = es_arena_new();
    es_net_findings findings = es_net_check(f.net, arena);
    ck_assert_msg(findings.count == 0, "%s", findings.count ? es_net_violation_text(f.net, &findings.violations[0], arena) : "");
    es_arena_free(arena);

    simulate(&f, true);
    compare_marked(&f, marked);
    simulate(&f, false);
    bool changed = compare_truth(&f, marked, truth);
    if (strcmp(program, "producer") != 0 && strcmp(program, "workers") != 0)
        ck_assert(!changed);
    release(&f);
    for (unsigned c = 0; c < ES_NET_MP_CORES; c++) {
        free(marked[c].items);
        free(truth[c].items);
    }
}
END_TEST

START_TEST(refused)
{
    es_error err = {0};
    es_net *net = es_net_new(NULL);
    ck_assert_ptr_null(es_net_mp_new(net, 0, 16, 3, &err));
    ck_assert_ptr_null(es_net_mp_new(net, 9, 16, 3, &err));
    ck_assert_ptr_null(es_net_mp_new(net, 2, 3, 3, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "4 clocks or more"));
    es_net_mp *mp = es_net_mp_new(net, 2, 16, 3, &err);
    ck_assert_ptr_nonnull(mp);
    uint32_t at = es_net_place_add(net, "a", NULL, 1, NULL, &err), found[ES_NET_MP_CORES];
    es_net_mp_call call = {0, 2, 0, 0, at, ES_NET_NONE, "x.c:3"};
    ck_assert_uint_eq(es_net_mp_recv(mp, &call, &err), ES_NET_NONE);
    ck_assert_str_eq(err.text, "x.c:3: a message-passing call names core 2, and there are 2");
    ck_assert(!es_net_mp_any(mp, &call, 4, found, &err));
    ck_assert(!es_net_mp_any(mp, &call, 0, found, &err));
    call.peer = 1;
    ck_assert_uint_ne(es_net_mp_test(mp, &call, 1, 0, &err), ES_NET_NONE);
    ck_assert(!es_net_mp_finish(mp, &err));
    ck_assert_str_eq(err.text, "core 0 tests for a message from core 1, and no receive of it follows");
    call.before = 12345; /* no such place */
    ck_assert_uint_eq(es_net_mp_recv(mp, &call, &err), ES_NET_NONE);
    ck_assert(!es_net_mp_finish(mp, &err));
    es_net_free(net);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("templates");
    TCase *tests = tcase_create("templates");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, runs, 0, 40);
    tcase_add_test(tests, refused);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
