#include "net/program/templates.h"

#include "net/program/template_parts.h"

static uint32_t call_place(es_net_mp *mp, const char *what, const es_net_mp_call *call, es_error *err)
{
    const char *full = es_arena_format(mp->net->arena, "%s %u.%u", what, call->core, mp->places++);
    uint32_t index = mp->failed ? ES_NET_NONE : es_net_place_add(mp->net, full, NULL, 0, call->source, err);
    mp->failed |= index == ES_NET_NONE;
    return index;
}

static uint32_t after_of(es_net_mp *mp, const es_net_mp_call *call, es_error *err)
{
    return call->after != ES_NET_NONE ? call->after : call_place(mp, "after", call, err);
}

/* A mark of a call. */
static uint32_t mark(es_net_mp *mp, const char *name, const es_net_mp_call *call, uint32_t id, uint32_t site,
                     unsigned peer, int64_t delay, const uint32_t inputs[2], const uint32_t outputs[3], es_error *err)
{
    es_net_mp_step what = {0, ES_NET_SEEN_END, call->core, id, site, peer};
    const char *id_text = es_arena_format(mp->net->arena, "%s %u.%u peer %u", name, call->core, (unsigned)site, peer),
               *full = id_text;
    /* compilers join the ends of calls */
    for (unsigned i = 2; es_net_transition_find(mp->net, full) != ES_NET_NONE; i++)
        full = es_arena_format(mp->net->arena, "%s (%u)", id_text, i);
    return es_mp_step(mp, full, call->source, delay, TURN_PROGRAM, what, inputs, outputs, err);
}

static void need(es_net_mp *mp, uint32_t *at, const char *id, unsigned source, unsigned destination, es_error *err)
{
    if (*at == ES_NET_NONE)
        *at = es_mp_place(mp, 0, err, id, source, destination);
}

static void add_asker(es_net_mp *mp, askers *list, uint32_t at, uint32_t end)
{
    list->items = es_arena_grow(mp->net->arena, list->items, list->count, sizeof *list->items);
    list->items[list->count++] = (asker){at, end};
}

static bool in_range(const es_net_mp *mp, const es_net_mp_call *call, bool with_peer, es_error *err)
{
    if (mp->failed)
        return es_fail(err, ES_USAGE, "a call was added after one that could not be");
    unsigned core = call->core < mp->cores ? call->peer : call->core;
    if (call->core < mp->cores && (!with_peer || call->peer < mp->cores))
        return true;
    return es_fail(err, ES_USAGE, "%s: a message-passing call names core %u, and there are %u",
                   call->source ? call->source : "the net", core, mp->cores);
}

es_net_mp *es_net_mp_new(es_net *net, unsigned cores, int64_t latency, int64_t mark_delay, es_error *err)
{
    if (cores < 1 || cores > ES_NET_MP_CORES) {
        es_fail(err, ES_USAGE, "message passing is between 1 to %u cores, not %u", ES_NET_MP_CORES, cores);
        return NULL;
    }
    if (latency < LEAD || latency > ES_NET_TICKS_MAX || mark_delay < 0 || mark_delay > ES_NET_TICKS_MAX) {
        es_fail(err, ES_USAGE,
                "the model of message passing is for latencies of %d clocks or more and marks of 0 clocks or more",
                LEAD);
        return NULL;
    }
    es_net_mp *mp = es_arena_alloc(net->arena, sizeof *mp);
    *mp = (es_net_mp){.net = net, .cores = cores, .latency = latency, .mark = mark_delay};
    for (unsigned s = 0; s < ES_NET_MP_CORES; s++) {
        mp->bells[s] = ES_NET_NONE;
        for (unsigned d = 0; d < ES_NET_MP_CORES; d++) {
            channel *c = &mp->channels[s][d];
            c->request = c->sending = c->done = c->message = c->wanted = c->got = c->in = ES_NET_NONE;
        }
    }
    return mp;
}

static uint32_t send_call(es_net_mp *mp, const es_net_mp_call *call, bool synchronous, es_error *err)
{
    if (!in_range(mp, call, true, err))
        return ES_NET_NONE;
    unsigned s = call->core, d = call->peer;
    channel *c = &mp->channels[s][d];
    need(mp, &c->request, "request", s, d, err);
    need(mp, &c->sending, "sending", s, d, err);
    need(mp, &c->done, "done", s, d, err);
    need(mp, &c->message, "message", s, d, err);
    c->synchronous |= synchronous;
    uint32_t at = call_place(mp, "at", call, err), after = after_of(mp, call, err);
    mark(mp, "send", call, ES_NET_MP_SEND_BEGIN, call->site, d, call->delay, PLACES2(call->before, ES_NET_NONE),
         PLACES3(c->request, c->sending, at), err);
    if (synchronous) {
        uint32_t at2 = call_place(mp, "at2", call, err);
        uint32_t end = mark(mp, "sent", call, ES_NET_MP_SEND_END, call->site + 1, d, 0, PLACES2(c->done, at),
                            PLACES3(c->request, at2, ES_NET_NONE), err);
        add_asker(mp, &c->senders, at, end);
        at = at2;
    }
    uint32_t end = mark(mp, synchronous ? "taken" : "sent", call,
                        synchronous ? ES_NET_MP_TAKEN_END : ES_NET_MP_SEND_END, call->site + (synchronous ? 2 : 1), d,
                        0, PLACES2(c->done, at), PLACES3(after, ES_NET_NONE, ES_NET_NONE), err);
    add_asker(mp, &c->senders, at, end);
    return mp->failed ? ES_NET_NONE : after;
}

uint32_t es_net_mp_async_send(es_net_mp *mp, const es_net_mp_call *call, es_error *err)
{
    return send_call(mp, call, false, err);
}

uint32_t es_net_mp_sync_send(es_net_mp *mp, const es_net_mp_call *call, es_error *err)
{
    return send_call(mp, call, true, err);
}

uint32_t es_net_mp_recv(es_net_mp *mp, const es_net_mp_call *call, es_error *err)
{
    if (!in_range(mp, call, true, err))
        return ES_NET_NONE;
    unsigned s = call->peer, d = call->core;
    channel *c = &mp->channels[s][d];
    need(mp, &c->message, "message", s, d, err);
    need(mp, &c->wanted, "wanted", s, d, err);
    need(mp, &c->got, "got", s, d, err);
    uint32_t at = call_place(mp, "at", call, err), after = after_of(mp, call, err);
    uint32_t begin = mark(mp, "receive", call, ES_NET_MP_RECV_BEGIN, call->site, s, call->delay,
                          PLACES2(call->before, ES_NET_NONE), PLACES3(c->wanted, at, ES_NET_NONE), err);
    uint32_t end = mark(mp, "received", call, ES_NET_MP_RECV_END, call->site + 1, s, 0, PLACES2(c->got, at),
                        PLACES3(after, ES_NET_NONE, ES_NET_NONE), err);
    add_asker(mp, &c->receivers, at, end);
    for (size_t i = 0; i < mp->test_count; i++)
        if (mp->tests[i].place == call->before && mp->tests[i].peer == s)
            mp->tests[i].hit = begin;
    return mp->failed ? ES_NET_NONE : after;
}

uint32_t es_net_mp_test(es_net_mp *mp, es_net_mp_call *call, uint32_t none_site, int64_t none_delay, es_error *err)
{
    if (!in_range(mp, call, true, err))
        return ES_NET_NONE;
    need(mp, &mp->channels[call->peer][call->core].message, "message", call->peer, call->core, err);
    uint32_t at = call_place(mp, "test", call, err);
    call->after = after_of(mp, call, err);
    mark(mp, "test", call, ES_NET_MP_TEST_BEGIN, call->site, call->peer, call->delay,
         PLACES2(call->before, ES_NET_NONE), PLACES3(at, ES_NET_NONE, ES_NET_NONE), err);
    uint32_t none = mark(mp, "none", call, ES_NET_MP_TEST_NONE, none_site, call->peer, none_delay,
                         PLACES2(at, ES_NET_NONE), PLACES3(call->after, ES_NET_NONE, ES_NET_NONE), err);
    mp->tests = es_arena_grow(mp->net->arena, mp->tests, mp->test_count, sizeof *mp->tests);
    mp->tests[mp->test_count++] = (test){call->core, call->peer, at, none, ES_NET_NONE};
    return mp->failed ? ES_NET_NONE : at;
}

bool es_net_mp_test_again(es_net_mp *mp, const es_net_mp_call *call, uint32_t at, es_error *err)
{
    if (!in_range(mp, call, true, err))
        return false;
    mark(mp, "test", call, ES_NET_MP_TEST_BEGIN, call->site, call->peer, call->delay,
         PLACES2(call->before, ES_NET_NONE), PLACES3(at, ES_NET_NONE, ES_NET_NONE), err);
    return !mp->failed;
}

bool es_net_mp_any(es_net_mp *mp, const es_net_mp_call *call, unsigned sources, uint32_t found[ES_NET_MP_CORES],
                   es_error *err)
{
    if (!in_range(mp, call, false, err))
        return false;
    if (sources == 0 || sources >= 1u << mp->cores)
        return es_fail(err, ES_USAGE, "%s: a wait for any message names none of the %u cores or one that is not there",
                       call->source ? call->source : "the net", mp->cores);
    unsigned d = call->core;
    any a = {.core = d, .sources = sources};
    need(mp, &mp->bells[d], "bell", d, d, err);
    if (!mp->failed)
        mp->net->places[mp->bells[d]].signal = true; /* who rang is nothing to the one who waits: it looks for itself */
    a.asking = call_place(mp, "asking", call, err);
    a.finding = call_place(mp, "finding", call, err);
    mark(mp, "any", call, ES_NET_MP_ANY_BEGIN, call->site, 0, call->delay, PLACES2(call->before, ES_NET_NONE),
         PLACES3(a.asking, ES_NET_NONE, ES_NET_NONE), err);
    es_net_mp_step what = {.seen = ES_NET_SEEN_COMPUTED, .core = d};
    const char *id = es_arena_format(mp->net->arena, "now %u.%u", d, (unsigned)call->site);
    a.now = es_mp_step(mp, id, call->source, 0, TURN_WAIT, what, PLACES2(a.asking, ES_NET_NONE),
                       PLACES3(a.finding, ES_NET_NONE, ES_NET_NONE), err);
    id = es_arena_format(mp->net->arena, "wait %u.%u", d, (unsigned)call->site);
    a.wait = es_mp_step(mp, id, call->source, 0, TURN_WAIT, what, PLACES2(a.asking, mp->bells[d]),
                        PLACES3(a.finding, ES_NET_NONE, ES_NET_NONE), err);
    for (unsigned s = 0; s < mp->cores; s++) {
        found[s] = ES_NET_NONE;
        if (!(sources >> s & 1))
            continue;
        need(mp, &mp->channels[s][d].message, "message", s, d, err);
        found[s] = call_place(mp, "found", call, err);
        a.found[s] = mark(mp, "found", call, ES_NET_MP_ANY_FOUND, call->site + 1, s, ACCESS,
                          PLACES2(a.finding, ES_NET_NONE), PLACES3(found[s], ES_NET_NONE, ES_NET_NONE), err);
    }
    mp->anys = es_arena_grow(mp->net->arena, mp->anys, mp->any_count, sizeof *mp->anys);
    mp->anys[mp->any_count++] = a;
    return !mp->failed;
}

bool es_net_mp_finish(es_net_mp *mp, es_error *err)
{
    for (size_t i = 0; i < mp->test_count; i++) {
        const test *t = &mp->tests[i];
        if (t->hit == ES_NET_NONE)
            return es_fail(err, ES_USAGE, "core %u tests for a message from core %u, and no receive of it follows",
                           t->core, t->peer);
        es_net_condition condition = {.place = mp->channels[t->peer][t->core].message};
        es_mp_rule(mp, t->place, t->hit, &condition, 1, err);
        es_mp_rule(mp, t->place, t->none, NULL, 0, err);
    }
    es_mp_add_channels(mp, err);
    es_mp_set_order(mp, err);
    return !mp->failed;
}

size_t es_net_mp_steps(const es_net_mp *mp, const es_net_mp_step **steps)
{
    *steps = mp->steps;
    return mp->step_count;
}
