/* Nets of the primitives: channels between the cores, the rules of all places that choose, and the order of
 * simultaneous firings. */
#include <stdlib.h>

#include "net/program/template_parts.h"

/* The place `at` sends its token on to the caller that waits for it. */
static void answer(es_net_mp *mp, uint32_t at, const askers *list, es_error *err)
{
    for (size_t i = 0; list->count > 1 && i < list->count; i++) {
        es_net_condition condition = {.place = list->items[i].at};
        es_mp_rule(mp, at, list->items[i].end, &condition, i + 1 < list->count, err);
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
    uint32_t store = es_mp_step(mp, es_arena_format(arena, "store %u>%u", s, d), NULL, 0, TURN_SETTLE, what,
                                PLACES2(c->in, ES_NET_NONE), PLACES3(c->message, ES_NET_NONE, ES_NET_NONE), err);
    uint32_t ring = es_mp_step(mp, es_arena_format(arena, "ring %u>%u", s, d), NULL, 0, TURN_SETTLE, what,
                               PLACES2(c->in, ES_NET_NONE), PLACES3(c->message, mp->bells[d], ES_NET_NONE), err);
    for (size_t i = 0; i < mp->any_count; i++) {
        const any *a = &mp->anys[i];
        if (a->core != d || !(a->sources >> s & 1))
            continue;
        es_net_condition conditions[2] = {{.place = a->asking, .to = {&a->wait, 1}},
                                          {.place = mp->bells[d], .absent = true}};
        es_mp_rule(mp, c->in, ring, conditions, 2, err);
    }
    es_mp_rule(mp, c->in, store, NULL, 0, err);
}

static void add_channel(es_net_mp *mp, unsigned s, unsigned d, es_error *err)
{
    channel *c = &mp->channels[s][d];
    es_arena *arena = mp->net->arena;
    const es_net_mp_step computed = {.seen = ES_NET_SEEN_COMPUTED, .core = channel_process(s, d)};
    uint32_t free_slot = es_mp_place(mp, 1, err, "free", s, d);
    const char *name = es_arena_format(arena, "messages %u to %u", s, d);
    mp->failed |= !mp->failed && !es_net_process_name(mp->net, (int32_t)channel_process(s, d), name, err);
    if (c->senders.count) {
        uint32_t flying = es_mp_place(mp, 0, err, "flying", s, d);
        es_net_mp_step what = {0, ES_NET_SEEN_BEGIN, s, ES_NET_MP_SEND_END, ES_NET_NONE, d};
        uint32_t granted = es_mp_place(mp, 0, err, "granted", s, d);
        es_mp_step(mp, es_arena_format(arena, "grant %u>%u", s, d), NULL, ACCESS, TURN_ACCESS, what,
                   PLACES2(c->request, free_slot), PLACES3(granted, ES_NET_NONE, ES_NET_NONE), err);
        uint32_t put = es_mp_step(mp, es_arena_format(arena, "put %u>%u", s, d), NULL, 0, TURN_ACCESS, computed,
                                  PLACES2(granted, c->sending), PLACES3(flying, c->done, ES_NET_NONE), err);
        if (c->synchronous) {
            uint32_t ok = es_mp_step(mp, es_arena_format(arena, "ok %u>%u", s, d), NULL, 0, TURN_ACCESS, computed,
                                     PLACES2(granted, ES_NET_NONE), PLACES3(free_slot, c->done, ES_NET_NONE), err);
            es_net_condition condition = {.place = c->sending};
            es_mp_rule(mp, granted, put, &condition, 1, err);
            es_mp_rule(mp, granted, ok, NULL, 0, err);
        }
        bool bell = waited_for(mp, s, d);
        if (bell)
            c->in = es_mp_place(mp, 0, err, "in", s, d);
        es_mp_step(mp, es_arena_format(arena, "arrive %u>%u", s, d), NULL, mp->latency - LEAD, TURN_ARRIVE, computed,
                   PLACES2(flying, ES_NET_NONE), PLACES3(bell ? c->in : c->message, ES_NET_NONE, ES_NET_NONE), err);
        if (bell)
            add_bell(mp, s, d, err);
        answer(mp, c->done, &c->senders, err);
    }
    if (c->receivers.count) {
        uint32_t returning = es_mp_place(mp, 0, err, "returning", s, d);
        es_net_mp_step what = {0, ES_NET_SEEN_BEGIN, d, ES_NET_MP_RECV_END, ES_NET_NONE, s};
        es_mp_step(mp, es_arena_format(arena, "take %u>%u", s, d), NULL, ACCESS, TURN_ACCESS, what,
                   PLACES2(c->wanted, c->message), PLACES3(returning, c->got, ES_NET_NONE), err);
        es_mp_step(mp, es_arena_format(arena, "credit %u>%u", s, d), NULL, mp->latency - LEAD, TURN_ARRIVE, computed,
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
        es_mp_rule(mp, a->asking, a->now, &condition, 1, err);
        if (last != (unsigned)__builtin_ctz(a->sources))
            es_mp_rule(mp, a->finding, a->found[s], &condition, s != last, err);
    }
    es_mp_rule(mp, a->asking, a->wait, NULL, 0, err);
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
            es_mp_rule(mp, mp->bells[core], mp->anys[i].wait, &condition, --left > 0, err);
    }
}

void es_mp_add_channels(es_net_mp *mp, es_error *err)
{
    for (unsigned s = 0; s < mp->cores; s++)
        for (unsigned d = 0; d < mp->cores; d++)
            if (mp->channels[s][d].senders.count || mp->channels[s][d].receivers.count)
                add_channel(mp, s, d, err);
    for (size_t i = 0; i < mp->any_count; i++)
        add_any_rules(mp, &mp->anys[i], err);
    for (unsigned d = 0; d < mp->cores; d++)
        add_bell_rules(mp, d, err);
}

/* All transitions by their class; those that were not made here are the program's. */
void es_mp_set_order(es_net_mp *mp, es_error *err)
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
