#include "run_net.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/model/engine.h"

void run_events(events *cores, const char *options, const char *name, const char *kind, const char *truth)
{
    char command[400], line[200];
    snprintf(command, sizeof command, "%s/earshot net record %s %s %s/mp/%s%s.elf", TESTS_BUILD, options, truth,
             TESTS_BUILD, name, kind);
    FILE *pipe = popen(command, "r"); // NOLINT: the test's own programs
    ck_assert_ptr_nonnull(pipe);
    memset(cores, 0, ES_NET_MP_CORES * sizeof *cores);
    while (fgets(line, sizeof line, pipe)) {
        unsigned core, site;
        es_net_mark e = {0};
        ck_assert_int_eq(sscanf(line,
                                "{\"time\": %" SCNd64 ", \"core\": %u, \"id\": %" SCNu32 ", \"value\": %" SCNu32
                                ", \"site\": %u, \"delay\": %" SCNd64,
                                &e.time, &core, &e.id, &e.value, &site, &e.delay),
                         6);
        ck_assert_uint_lt(core, ES_NET_MP_CORES);
        events *c = &cores[core];
        if ((c->count & (c->count + 1)) == 0) {
            c->items = realloc(c->items, (2 * c->count + 2) * sizeof *c->items);
            c->sites = realloc(c->sites, (2 * c->count + 2) * sizeof *c->sites);
            ck_assert(c->items != NULL && c->sites != NULL);
        }
        e.core = core;
        e.site = (uint32_t)c->count;
        c->sites[c->count] = site;
        c->items[c->count++] = e;
    }
    ck_assert_int_eq(pclose(pipe), 0);
}

void run_events_free(events *cores)
{
    for (unsigned c = 0; c < ES_NET_MP_CORES; c++) {
        free(cores[c].items);
        free(cores[c].sites);
    }
}

static int by_time(const void *left, const void *right)
{
    const es_net_mark *a = left, *b = right;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    if (a->core != b->core)
        return a->core < b->core ? -1 : 1;
    return (a->site > b->site) - (a->site < b->site);
}

es_net_mark *run_merged(const events *cores, size_t *count)
{
    *count = 0;
    for (unsigned c = 0; c < ES_NET_MP_CORES; c++)
        *count += cores[c].count;
    es_net_mark *all = calloc(*count + 1, sizeof *all);
    ck_assert_ptr_nonnull(all);
    size_t used = 0;
    for (unsigned c = 0; c < ES_NET_MP_CORES; c++)
        for (size_t i = 0; i < cores[c].count; i++)
            all[used++] = cores[c].items[i];
    qsort(all, *count, sizeof *all, by_time);
    return all;
}

/* --- the net of a run ------------------------------------------------------------------------------ */

static uint32_t own_mark(run_net *f, unsigned core, uint32_t site, int64_t delay, uint32_t before)
{
    es_error err = {0};
    char id[40];
    snprintf(id, sizeof id, "own %u.%u", core, (unsigned)site);
    uint32_t t = es_net_transition_add(f->net, id, NULL, delay, NULL, &err);
    ck_assert(es_net_monitor(f->net, t, f->mark, f->mark, &err));
    snprintf(id, sizeof id, "past %u.%u", core, (unsigned)site);
    uint32_t after = es_net_place_add(f->net, id, NULL, 0, NULL, &err);
    ck_assert(es_net_arc_in(f->net, before, t, 1, &err) && es_net_arc_out(f->net, t, after, 1, &err));
    return after;
}

/* Adds the call that begins with event i; *i goes to its last one. Returns the place after. */
static uint32_t add_call(run_net *f, unsigned core, const events *own, size_t *i, uint32_t before)
{
    es_error err = {0};
    const es_net_mark *e = &own->items[*i], *next = *i + 1 < own->count ? e + 1 : NULL;
    int64_t delay = e->time - e->delay - (*i ? e[-1].time : 0);
    es_net_mp_call call = {core, e->value, (uint32_t)*i, delay, before, ES_NET_NONE, NULL};
    uint32_t after = ES_NET_NONE;
    switch (e->id) {
    case ES_NET_MP_SEND_BEGIN:
        if (*i + 2 < own->count && e[2].id == ES_NET_MP_TAKEN_END) {
            after = es_net_mp_sync_send(f->mp, &call, &err);
            *i += 2;
        } else {
            after = es_net_mp_async_send(f->mp, &call, &err);
            *i += 1;
        }
        break;
    case ES_NET_MP_RECV_BEGIN:
        after = es_net_mp_recv(f->mp, &call, &err);
        *i += 1;
        break;
    case ES_NET_MP_TEST_BEGIN: {
        ck_assert_ptr_nonnull(next);
        bool hit = next->id == ES_NET_MP_RECV_BEGIN;
        int64_t then = next->time - next->delay - e->time;
        uint32_t test =
            es_net_mp_test(f->mp, &call, hit ? RUN_OTHER + 4 * call.site : call.site + 1, hit ? 0 : then, &err);
        es_net_mp_call recv = {
            core, e->value, hit ? call.site + 1 : RUN_OTHER + 4 * call.site, hit ? then : 0, test, ES_NET_NONE, NULL};
        after = es_net_mp_recv(f->mp, &recv, &err);
        if (!hit)
            after = call.after;
        *i += hit ? 2 : 1;
        break;
    }
    case ES_NET_MP_ANY_BEGIN: {
        uint32_t found[ES_NET_MP_CORES];
        call.peer = 0;
        ck_assert_msg(es_net_mp_any(f->mp, &call, ((1u << f->cores) - 1) & ~(1u << core), found, &err), "%s", err.text);
        ck_assert_ptr_nonnull(next);
        ck_assert_uint_eq(next->id, ES_NET_MP_ANY_FOUND);
        after = found[next->value];
        *i += 1;
        break;
    }
    default: after = own_mark(f, core, (uint32_t)*i, delay, before);
    }
    ck_assert_msg(after != ES_NET_NONE, "%s", err.text);
    return after;
}

void run_net_build(run_net *f, unsigned cores, int64_t latency, const events *marked)
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

    const es_net_mp_step *steps;
    size_t count = es_net_mp_steps(f->mp, &steps);
    f->of = calloc(f->net->transition_count, sizeof *f->of);
    f->steps = calloc(f->net->transition_count, sizeof *f->steps);
    ck_assert(f->of != NULL && f->steps != NULL);
    memcpy(f->steps, steps, count * sizeof *steps);
    for (uint32_t t = 0; t < f->net->transition_count; t++) {
        unsigned core, site;
        if (sscanf(f->net->transitions[t].id, "own %u.%u", &core, &site) == 2)
            f->steps[count++] = (es_net_mp_step){t, ES_NET_SEEN_END, core, marked[core].items[site].id, site, 0};
    }
    f->step_count = count;
    for (size_t i = 0; i < count; i++)
        if (f->steps[i].seen == ES_NET_SEEN_END)
            f->of[f->steps[i].transition] = &f->steps[i];
    for (unsigned c = 0; c < cores; c++)
        f->room += marked[c].count + 10;
    for (unsigned c = 0; c < cores; c++) {
        f->fired[c] = calloc(f->room, sizeof *f->fired[c]);
        ck_assert_ptr_nonnull(f->fired[c]);
    }
}

void run_net_free(run_net *f)
{
    for (unsigned c = 0; c < ES_NET_MP_CORES; c++)
        free(f->fired[c]);
    free(f->of);
    free(f->steps);
    es_net_free(f->net);
}

static void on_firing(void *context, const es_net_firing *firing)
{
    run_net *f = context;
    const es_net_mp_step *s = f->of[firing->transition];
    if (!s)
        return;
    ck_assert_uint_lt(f->fired_count[s->core], f->room);
    f->fired[s->core][f->fired_count[s->core]++] = (run_firing){firing->time, s->site, s->peer};
}

void run_simulate(run_net *f, bool marks)
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
