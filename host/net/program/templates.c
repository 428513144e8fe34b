#include "net/program/templates.h"

#include <stdlib.h>
#include <string.h>

/* From the fetch of an instruction that accesses the message device to the next fetch, and how much earlier than
 * `latency` a message counted between such fetches is in time: docs/marks.md, "Why the 4 and the L - 4". */
#define ACCESS 4
#define LEAD 4

/* Classes of simultaneous firings, in their order. */
enum turn { TURN_SETTLE, TURN_ARRIVE, TURN_ACCESS, TURN_PROGRAM, TURN_WAIT };

/* a call that waits for the answer of a channel: the place that remembers it, and where it goes on */
typedef struct asker {
    uint32_t at, end;
} asker;

typedef struct askers {
    asker *items;
    size_t count;
} askers;

typedef struct channel {             /* from one core to another; places are ES_NET_NONE until something needs them */
    uint32_t request, sending, done; /* the sender's */
    uint32_t message, wanted, got;   /* the receiver's */
    uint32_t in;
    askers senders, receivers;
    bool synchronous;
} channel;

typedef struct test {
    unsigned core, peer;
    uint32_t place, none, hit; /* transitions; hit: begin of the receive */
} test;

typedef struct any {
    unsigned core, sources;
    uint32_t asking, finding, now, wait;
    uint32_t found[ES_NET_MP_CORES]; /* transitions */
} any;

struct es_net_mp {
    es_net *net;
    unsigned cores;
    int64_t latency, mark;
    channel channels[ES_NET_MP_CORES][ES_NET_MP_CORES]; /* [source][destination] */
    uint32_t bells[ES_NET_MP_CORES];
    test *tests;
    any *anys;
    size_t test_count, any_count;
    es_net_mp_step *steps;
    enum turn *turns; /* of the steps */
    size_t step_count;
    unsigned places; /* made for calls, for their ids */
    bool failed;     /* an addition failed; err of that call tells */
};

/* --- building blocks. After a failure they do nothing, and the caller of the library function learns it at the end of
 * that function --- */

static uint32_t place(es_net_mp *mp, uint32_t tokens, es_error *err, const char *id, unsigned source,
                      unsigned destination)
{
    const char *full = es_arena_format(mp->net->arena, "%s %u>%u", id, source, destination);
    uint32_t index = mp->failed ? ES_NET_NONE : es_net_place_add(mp->net, full, NULL, tokens, NULL, err);
    mp->failed |= index == ES_NET_NONE;
    return index;
}

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

static void arc(es_net_mp *mp, uint32_t at, uint32_t transition, bool to_place, es_error *err)
{
    if (at != ES_NET_NONE && !mp->failed)
        mp->failed = !(to_place ? es_net_arc_out(mp->net, transition, at, 1, err)
                                : es_net_arc_in(mp->net, at, transition, 1, err));
}

static void rule(es_net_mp *mp, uint32_t at, uint32_t to, const es_net_condition *conditions, uint32_t count,
                 es_error *err)
{
    if (!mp->failed)
        mp->failed = !es_net_rule_add(mp->net, at, to, conditions, count, err);
}

/* A transition with its input and output places; those that are ES_NET_NONE are left out. */
static uint32_t step(es_net_mp *mp, const char *id, const char *source, int64_t delay, enum turn turn,
                     es_net_mp_step what, const uint32_t inputs[2], const uint32_t outputs[3], es_error *err)
{
    if (mp->failed)
        return ES_NET_NONE;
    es_net *net = mp->net;
    what.transition = es_net_transition_add(net, id, NULL, delay, source, err);
    if (what.transition == ES_NET_NONE) {
        mp->failed = true;
        return ES_NET_NONE;
    }
    int64_t mark = what.seen == ES_NET_SEEN_END ? mp->mark : 0;
    mp->failed = !es_net_monitor(net, what.transition, mark, mark, err);
    net->transitions[what.transition].process = (int32_t)what.core;
    net->transitions[what.transition].untimed = what.seen == ES_NET_SEEN_COMPUTED && delay == 0;
    net->transitions[what.transition].fixed = what.seen == ES_NET_SEEN_COMPUTED;
    for (size_t i = 0; i < 2; i++)
        arc(mp, inputs[i], what.transition, false, err);
    for (size_t i = 0; i < 3; i++)
        arc(mp, outputs[i], what.transition, true, err);
    mp->steps = es_arena_grow(net->arena, mp->steps, mp->step_count, sizeof *mp->steps);
    mp->turns = es_arena_grow(net->arena, mp->turns, mp->step_count, sizeof *mp->turns);
    mp->steps[mp->step_count] = what;
    mp->turns[mp->step_count++] = turn;
    return what.transition;
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
    return step(mp, full, call->source, delay, TURN_PROGRAM, what, inputs, outputs, err);
}

#define PLACES2(a, b) ((const uint32_t[2]){a, b})
#define PLACES3(a, b, c) ((const uint32_t[3]){a, b, c})

static void need(es_net_mp *mp, uint32_t *at, const char *id, unsigned source, unsigned destination, es_error *err)
{
    if (*at == ES_NET_NONE)
        *at = place(mp, 0, err, id, source, destination);
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

/* --- calls -------------------------------------------------------------------------------------- */

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
    a.now = step(mp, id, call->source, 0, TURN_WAIT, what, PLACES2(a.asking, ES_NET_NONE),
                 PLACES3(a.finding, ES_NET_NONE, ES_NET_NONE), err);
    id = es_arena_format(mp->net->arena, "wait %u.%u", d, (unsigned)call->site);
    a.wait = step(mp, id, call->source, 0, TURN_WAIT, what, PLACES2(a.asking, mp->bells[d]),
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

/* --- channels, rules, order --------------------------------------------------------------------- */

/* The place `at` sends its token on to the caller that waits for it. */
static void answer(es_net_mp *mp, uint32_t at, const askers *list, es_error *err)
{
    for (size_t i = 0; list->count > 1 && i < list->count; i++) {
        es_net_condition condition = {.place = list->items[i].at};
        rule(mp, at, list->items[i].end, &condition, i + 1 < list->count, err);
    }
}

static bool waited_for(const es_net_mp *mp, unsigned source, unsigned destination)
{
    for (size_t i = 0; i < mp->any_count; i++)
        if (mp->anys[i].core == destination && mp->anys[i].sources >> source & 1)
            return true;
    return false;
}

/* A channel's message and its slot are one token that goes round: a process of its own. */
static unsigned channel_process(unsigned source, unsigned destination)
{
    return ES_NET_MP_CORES * (1 + source) + destination;
}

/* Where messages of a channel are put for a core that may wait for any: with a ring of the bell when it does. */
static void add_bell(es_net_mp *mp, unsigned s, unsigned d, es_error *err)
{
    channel *c = &mp->channels[s][d];
    const es_net_mp_step what = {.seen = ES_NET_SEEN_COMPUTED, .core = channel_process(s, d)};
    es_arena *arena = mp->net->arena;
    uint32_t store = step(mp, es_arena_format(arena, "store %u>%u", s, d), NULL, 0, TURN_SETTLE, what,
                          PLACES2(c->in, ES_NET_NONE), PLACES3(c->message, ES_NET_NONE, ES_NET_NONE), err);
    uint32_t ring = step(mp, es_arena_format(arena, "ring %u>%u", s, d), NULL, 0, TURN_SETTLE, what,
                         PLACES2(c->in, ES_NET_NONE), PLACES3(c->message, mp->bells[d], ES_NET_NONE), err);
    for (size_t i = 0; i < mp->any_count; i++) {
        const any *a = &mp->anys[i];
        if (a->core != d || !(a->sources >> s & 1))
            continue;
        es_net_condition conditions[2] = {{.place = a->asking, .to = {&a->wait, 1}},
                                          {.place = mp->bells[d], .absent = true}};
        rule(mp, c->in, ring, conditions, 2, err);
    }
    rule(mp, c->in, store, NULL, 0, err);
}

static void add_channel(es_net_mp *mp, unsigned s, unsigned d, es_error *err)
{
    channel *c = &mp->channels[s][d];
    es_arena *arena = mp->net->arena;
    const es_net_mp_step computed = {.seen = ES_NET_SEEN_COMPUTED, .core = channel_process(s, d)};
    uint32_t free_slot = place(mp, 1, err, "free", s, d);
    const char *name = es_arena_format(arena, "messages %u to %u", s, d);
    mp->failed |= !mp->failed && !es_net_process_name(mp->net, (int32_t)channel_process(s, d), name, err);
    if (c->senders.count) {
        uint32_t flying = place(mp, 0, err, "flying", s, d);
        es_net_mp_step what = {0, ES_NET_SEEN_BEGIN, s, ES_NET_MP_SEND_END, ES_NET_NONE, d};
        uint32_t granted = place(mp, 0, err, "granted", s, d);
        step(mp, es_arena_format(arena, "grant %u>%u", s, d), NULL, ACCESS, TURN_ACCESS, what,
             PLACES2(c->request, free_slot), PLACES3(granted, ES_NET_NONE, ES_NET_NONE), err);
        uint32_t put = step(mp, es_arena_format(arena, "put %u>%u", s, d), NULL, 0, TURN_ACCESS, computed,
                            PLACES2(granted, c->sending), PLACES3(flying, c->done, ES_NET_NONE), err);
        if (c->synchronous) {
            uint32_t ok = step(mp, es_arena_format(arena, "ok %u>%u", s, d), NULL, 0, TURN_ACCESS, computed,
                               PLACES2(granted, ES_NET_NONE), PLACES3(free_slot, c->done, ES_NET_NONE), err);
            es_net_condition condition = {.place = c->sending};
            rule(mp, granted, put, &condition, 1, err);
            rule(mp, granted, ok, NULL, 0, err);
        }
        bool bell = waited_for(mp, s, d);
        if (bell)
            c->in = place(mp, 0, err, "in", s, d);
        step(mp, es_arena_format(arena, "arrive %u>%u", s, d), NULL, mp->latency - LEAD, TURN_ARRIVE, computed,
             PLACES2(flying, ES_NET_NONE), PLACES3(bell ? c->in : c->message, ES_NET_NONE, ES_NET_NONE), err);
        if (bell)
            add_bell(mp, s, d, err);
        answer(mp, c->done, &c->senders, err);
    }
    if (c->receivers.count) {
        uint32_t returning = place(mp, 0, err, "returning", s, d);
        es_net_mp_step what = {0, ES_NET_SEEN_BEGIN, d, ES_NET_MP_RECV_END, ES_NET_NONE, s};
        step(mp, es_arena_format(arena, "take %u>%u", s, d), NULL, ACCESS, TURN_ACCESS, what,
             PLACES2(c->wanted, c->message), PLACES3(returning, c->got, ES_NET_NONE), err);
        step(mp, es_arena_format(arena, "credit %u>%u", s, d), NULL, mp->latency - LEAD, TURN_ARRIVE, computed,
             PLACES2(returning, ES_NET_NONE), PLACES3(free_slot, ES_NET_NONE, ES_NET_NONE), err);
        answer(mp, c->got, &c->receivers, err);
    }
}

static void add_any_rules(es_net_mp *mp, const any *a, es_error *err)
{
    unsigned last = 0;
    for (unsigned s = 0; s < mp->cores; s++)
        if (a->sources >> s & 1)
            last = s;
    for (unsigned s = 0; s < mp->cores; s++) {
        if (!(a->sources >> s & 1))
            continue;
        es_net_condition condition = {.place = mp->channels[s][a->core].message};
        rule(mp, a->asking, a->now, &condition, 1, err);
        if (last != (unsigned)__builtin_ctz(a->sources))
            rule(mp, a->finding, a->found[s], &condition, s != last, err);
    }
    rule(mp, a->asking, a->wait, NULL, 0, err);
}

/* The bell wakes the call that waits. */
static void add_bell_rules(es_net_mp *mp, unsigned core, es_error *err)
{
    size_t left = 0;
    for (size_t i = 0; i < mp->any_count; i++)
        left += mp->anys[i].core == core;
    if (left < 2)
        return;
    for (size_t i = 0; i < mp->any_count; i++) {
        es_net_condition condition = {.place = mp->anys[i].asking, .to = {&mp->anys[i].wait, 1}};
        if (mp->anys[i].core == core)
            rule(mp, mp->bells[core], mp->anys[i].wait, &condition, --left > 0, err);
    }
}

/* All transitions by their class; those that were not made here are the program's. */
static void set_order(es_net_mp *mp, es_error *err)
{
    if (mp->failed)
        return;
    es_net *net = mp->net;
    uint32_t count = net->transition_count, used = 0;
    enum turn *turns = es_malloc(count * sizeof *turns);
    uint32_t *order = es_malloc(count * sizeof *order);
    for (uint32_t t = 0; t < count; t++)
        turns[t] = TURN_PROGRAM;
    for (size_t i = 0; i < mp->step_count; i++)
        turns[mp->steps[i].transition] = mp->turns[i];
    for (enum turn turn = TURN_SETTLE; turn <= TURN_WAIT; turn++)
        for (uint32_t t = 0; t < count; t++)
            if (turns[t] == turn)
                order[used++] = t;
    mp->failed = !es_net_order(net, order, err);
    free(order);
    free(turns);
}

bool es_net_mp_finish(es_net_mp *mp, es_error *err)
{
    for (size_t i = 0; i < mp->test_count; i++) {
        const test *t = &mp->tests[i];
        if (t->hit == ES_NET_NONE)
            return es_fail(err, ES_USAGE, "core %u tests for a message from core %u, and no receive of it follows",
                           t->core, t->peer);
        es_net_condition condition = {.place = mp->channels[t->peer][t->core].message};
        rule(mp, t->place, t->hit, &condition, 1, err);
        rule(mp, t->place, t->none, NULL, 0, err);
    }
    for (unsigned s = 0; s < mp->cores; s++)
        for (unsigned d = 0; d < mp->cores; d++)
            if (mp->channels[s][d].senders.count || mp->channels[s][d].receivers.count)
                add_channel(mp, s, d, err);
    for (size_t i = 0; i < mp->any_count; i++)
        add_any_rules(mp, &mp->anys[i], err);
    for (unsigned d = 0; d < mp->cores; d++)
        add_bell_rules(mp, d, err);
    set_order(mp, err);
    return !mp->failed;
}

size_t es_net_mp_steps(const es_net_mp *mp, const es_net_mp_step **steps)
{
    *steps = mp->steps;
    return mp->step_count;
}
