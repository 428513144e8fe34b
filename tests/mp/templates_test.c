/* The nets of the message-passing primitives against real runs.
 *
 * A traced run as a net (run_net.h), simulated with marks, must do what was observed, and without what the markless run did: to the clock, up to
 * the first test or wait that goes another way, which the markless run must have gone too. */
#include <stdio.h>
#include <string.h>

#include "../support/check_main.h"
#include "net/analysis/conditions.h"
#include "run_net.h"

/* True when firing i of a core is the run's event i. */
static bool same(const run_firing *fired, const es_net_mark *e, size_t i)
{
    bool about_peer = e->id >= ES_NET_MP_SEND_BEGIN && e->id <= ES_NET_MP_ANY_FOUND && e->id != ES_NET_MP_ANY_BEGIN;
    return fired->site == i && (!about_peer || fired->peer == e->value);
}

static void compare_marked(const run_net *f, const events *marked)
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
static bool compare_truth(const run_net *f, const events *marked, const events *truth)
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
    const es_net_mark *was = &marked[changed].items[at], *is = &truth[changed].items[at];
    ck_assert(was->id == ES_NET_MP_ANY_FOUND || was->id == ES_NET_MP_TEST_NONE || was->id == ES_NET_MP_RECV_BEGIN);
    ck_assert(was->id != is->id || was->value != is->value);
    if (is->id == ES_NET_MP_ANY_FOUND)
        ck_assert_uint_eq(is->value, f->fired[changed][at].peer);
    return true;
}

static const char *const programs[] = {"producer", "pipeline", "workers", "ring", "stencil", "corners"};
static const unsigned cores_of[] = {2, 3, 4, 8};
static const unsigned latencies[] = {4, 16, 33, 5};

START_TEST(runs)
{
    const char *program = programs[_i % 6];
    unsigned cores = cores_of[_i / 6 % 4], latency = latencies[(_i + _i / 6) % 4];
    const char *kind = _i / 24 % 2 ? ".pad" : "";
    char options[60], name[40], bare[300];
    snprintf(options, sizeof options, "-c %u -l %u", cores, latency);
    snprintf(name, sizeof name, "%s-%d", program, _i % 2);
    snprintf(bare, sizeof bare, "-t %s/mp/%s.bare.elf", TESTS_BUILD, name);
    events marked[ES_NET_MP_CORES], truth[ES_NET_MP_CORES];
    run_events(marked, options, name, kind, "");
    run_events(truth, options, name, kind, bare);

    run_net f;
    run_net_build(&f, cores, latency, marked);
    es_arena *arena = es_arena_new();
    es_net_findings findings = es_net_check(f.net, arena);
    ck_assert_msg(findings.count == 0, "%s",
                  findings.count ? es_net_violation_text(f.net, &findings.violations[0], arena) : "");
    es_arena_free(arena);

    run_simulate(&f, true);
    compare_marked(&f, marked);
    run_simulate(&f, false);
    bool changed = compare_truth(&f, marked, truth);
    if (strcmp(program, "pipeline") == 0 || strcmp(program, "ring") == 0 || strcmp(program, "stencil") == 0)
        ck_assert(!changed);
    run_net_free(&f);
    run_events_free(marked);
    run_events_free(truth);
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
    tcase_add_loop_test(tests, runs, 0, 48);
    tcase_add_test(tests, refused);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
