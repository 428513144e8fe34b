/* Streams: one for each process, because its events come in the order of their times; for what belongs to no process
 * one for each transition, and one for changes. Where time goes back all the same (a process with two tokens, a change
 * told late), another stream is opened beside. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "cli/net/recover.h"
#include "store/ctf.h"

#define LANES_MAX ES_CTF_STREAMS_MAX

enum { EVENT, CHANGE, ORDER };

struct es_net_ctf {
    const es_net *net;
    es_ctf *ctf;
    uint64_t keys[LANES_MAX]; /* what stream `i` is for */
    unsigned lanes;
};

static const char *const class_names[] = {"totally", "possibly", "pasted", "lost", NULL};

static const es_ctf_field event_fields[] = {
    {"process", ES_CTF_I64, NULL},   {"number", ES_CTF_U64, NULL},
    {"recovered", ES_CTF_I64, NULL}, {"observed", ES_CTF_I64, NULL},
    {"mark", ES_CTF_I64, NULL},      {"class", ES_CTF_ENUM, class_names},
    {"line", ES_CTF_U64, NULL},      {"observed_number", ES_CTF_U64, NULL},
    {"flags", ES_CTF_U64, NULL},     {"transition", ES_CTF_STRING, NULL},
    {"source", ES_CTF_STRING, NULL},
};

static const es_ctf_field change_fields[] = {
    {"place", ES_CTF_STRING, NULL},       {"transition", ES_CTF_STRING, NULL},   {"number", ES_CTF_U64, NULL},
    {"observed_to", ES_CTF_STRING, NULL}, {"recovered_to", ES_CTF_STRING, NULL}, {"observed", ES_CTF_I64, NULL},
    {"recovered", ES_CTF_I64, NULL},      {"consequence", ES_CTF_U64, NULL},
};

static const es_ctf_field order_fields[] = {
    {"place", ES_CTF_STRING, NULL},          {"number", ES_CTF_U64, NULL},    {"observed_from", ES_CTF_STRING, NULL},
    {"recovered_from", ES_CTF_STRING, NULL}, {"recovered", ES_CTF_I64, NULL}, {"consequence", ES_CTF_U64, NULL},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const es_ctf_class classes[] = {
    {"recovered", event_fields, COUNT(event_fields)},
    {"behavioural_change", change_fields, COUNT(change_fields)},
    {"order_change", order_fields, COUNT(order_fields)},
};

es_net_ctf *es_net_ctf_open(const es_net *net, const char *directory, uint64_t clock_hz, es_error *err)
{
    const char *const env[] = {"net", net->name, "tick", net->tick ? net->tick : "", NULL};
    es_ctf_options options = {.clock_hz = clock_hz, .classes = classes, .class_count = COUNT(classes), .env = env};
    es_ctf *trace = es_ctf_create(directory, &options, err);
    if (!trace)
        return NULL;
    es_net_ctf *ctf = es_malloc(sizeof *ctf);
    *ctf = (es_net_ctf){.net = net, .ctf = trace};
    return ctf;
}

/* Times before 0 stand at 0; the field `recovered` has the exact one. */
static bool add(es_net_ctf *c, uint64_t key, int64_t time, unsigned class, const es_ctf_value *values, es_error *err)
{
    uint64_t at = time < 0 ? 0 : (uint64_t)time;
    unsigned lane = 0;
    while (lane < c->lanes && (c->keys[lane] != key || es_ctf_last_time(c->ctf, lane) > at))
        lane++;
    if (lane == LANES_MAX)
        return es_fail(err, ES_OUTPUT, "the trace needs more than %u streams: give the net's transitions processes",
                       LANES_MAX);
    if (lane == c->lanes)
        c->keys[c->lanes++] = key;
    return es_ctf_event(c->ctf, lane, at, class, values, err);
}

static const char *id_of(const es_net_ctf *c, uint32_t transition)
{
    return transition == ES_NET_NONE ? "" : c->net->transitions[transition].id;
}

bool es_net_ctf_event(es_net_ctf *c, const es_net_recovered *e, es_error *err)
{
    const es_net_transition *t = &c->net->transitions[e->transition];
    uint64_t key = t->process != ES_NET_NO_PROCESS ? 1 + (uint64_t)t->process : (uint64_t)1 << 32 | e->transition;
    const es_ctf_value values[] = {
        {.i = t->process},  {.u = e->number},        {.i = e->time},
        {.i = e->observed}, {.i = e->mark},          {.u = (uint64_t)e->certainty},
        {.u = e->serial},   {.u = e->source_number}, {.u = e->flags},
        {.s = t->id},       {.s = t->source},
    };
    return add(c, key, e->time, EVENT, values, err);
}

bool es_net_ctf_change(es_net_ctf *c, const es_net_change *e, es_error *err)
{
    const es_ctf_value values[] = {
        {.s = c->net->places[e->place].id},
        {.s = id_of(c, e->transition)},
        {.u = e->number},
        {.s = id_of(c, e->observed_to)},
        {.s = id_of(c, e->recovered_to)},
        {.i = e->observed},
        {.i = e->recovered},
        {.u = e->consequence},
    };
    return add(c, 0, e->recovered, CHANGE, values, err);
}

bool es_net_ctf_order(es_net_ctf *c, const es_net_order_change *e, es_error *err)
{
    const es_ctf_value values[] = {
        {.s = c->net->places[e->place].id}, {.u = e->number},    {.s = id_of(c, e->observed_from)},
        {.s = id_of(c, e->recovered_from)}, {.i = e->recovered}, {.u = e->consequence},
    };
    return add(c, 0, e->recovered, ORDER, values, err);
}

bool es_net_ctf_close(es_net_ctf *c, es_error *err)
{
    if (!c)
        return true;
    bool good = es_ctf_close(c->ctf, err);
    free(c);
    return good;
}
