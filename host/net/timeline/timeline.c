#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "net/timeline/private.h"

#define FLAGS_MAX 500u

const char *es_net_class_name(enum es_net_class certainty)
{
    static const char *const names[] = {"totally", "possibly", "pasted", "lost"};
    return names[certainty];
}

/* A lane for each process; without processes, and for what belongs to none, for each monitor. */
static void make_lanes(es_net_timeline *t)
{
    const es_net *net = t->net;
    uint32_t *by_process = es_arena_alloc(t->arena, (UINT16_MAX + 2) * sizeof *by_process); /* lane + 1 */
    for (uint32_t i = 0; i < net->transition_count; i++)
        if (net->transitions[i].monitor && net->transitions[i].process >= 0 &&
            net->transitions[i].process <= UINT16_MAX)
            by_process[net->transitions[i].process] = 1;
    for (uint32_t p = 0; p <= UINT16_MAX; p++) {
        if (!by_process[p])
            continue;
        const char *name = p < net->process_count ? net->processes[p] : NULL;
        t->lanes = es_arena_grow(t->arena, t->lanes, t->lane_count, sizeof *t->lanes);
        t->lanes[t->lane_count++] = name && *name ? name : es_arena_format(t->arena, "process %u", p);
        by_process[p] = t->lane_count;
    }
    for (uint32_t i = 0; i < net->transition_count; i++) {
        const es_net_transition *transition = &net->transitions[i];
        t->lane_of[i] = ES_NET_NONE;
        if (!transition->monitor)
            continue;
        if (transition->process >= 0 && transition->process <= UINT16_MAX) {
            t->lane_of[i] = by_process[transition->process] - 1;
            continue;
        }
        t->lanes = es_arena_grow(t->arena, t->lanes, t->lane_count, sizeof *t->lanes);
        t->lanes[t->lane_count] = transition->name;
        t->lane_of[i] = t->lane_count++;
    }
}

struct named {
    const char *name;
    uint32_t lane, transition;
};

static int by_name(const void *a, const void *b)
{
    const struct named *one = a, *other = b;
    if (one->lane != other->lane)
        return one->lane < other->lane ? -1 : 1;
    int order = strcmp(one->name, other->name);
    return order ? order : one->transition < other->transition ? -1 : 1;
}

/* What has one name in a lane is one kind, however often a mark was put in line: one fill, and one label. */
static void make_kinds(es_net_timeline *t)
{
    uint32_t count = t->net->transition_count, *first = es_arena_alloc(t->arena, (count + 1) * sizeof *first),
             *kinds = es_arena_alloc(t->arena, (t->lane_count + 1) * sizeof *kinds);
    struct named *names = es_arena_alloc(t->arena, (count + 1) * sizeof *names);
    for (uint32_t i = 0; i < count; i++)
        names[i] = (struct named){t->net->transitions[i].name, t->lane_of[i], i};
    qsort(names, count, sizeof *names, by_name);
    for (uint32_t i = 0; i < count; i++) {
        bool same = i && names[i].lane == names[i - 1].lane && strcmp(names[i].name, names[i - 1].name) == 0;
        first[names[i].transition] = same ? first[names[i - 1].transition] : names[i].transition;
    }
    t->kind_of = es_arena_alloc(t->arena, (count + 1) * sizeof *t->kind_of);
    for (uint32_t i = 0; i < count; i++) /* numbers in the net's order, which is the program's */
        if (t->lane_of[i] != ES_NET_NONE)
            t->kind_of[i] = first[i] == i ? kinds[t->lane_of[i]]++ : t->kind_of[first[i]];
}

es_net_timeline *es_net_timeline_new(const es_net *net, int64_t from, int64_t to)
{
    es_arena *arena = es_arena_new();
    es_net_timeline *t = es_arena_alloc(arena, sizeof *t);
    *t = (es_net_timeline){.net = net, .arena = arena, .from = from, .to = to};
    t->automatic = from == -ES_NET_TICKS_MAX && to == ES_NET_TICKS_MAX;
    t->lane_of = es_arena_alloc(arena, (net->transition_count + 1) * sizeof *t->lane_of);
    make_lanes(t);
    make_kinds(t);
    es_net_overview_start(&t->overview, t->lane_count, arena);
    t->observed_before = es_arena_alloc(arena, (t->lane_count + 1) * sizeof *t->observed_before);
    t->recovered_before = es_arena_alloc(arena, (t->lane_count + 1) * sizeof *t->recovered_before);
    t->observed_after = es_arena_alloc(arena, t->lane_count + 1);
    t->recovered_after = es_arena_alloc(arena, t->lane_count + 1);
    for (uint32_t i = 0; i < t->lane_count; i++)
        t->observed_before[i] = t->recovered_before[i] = INT64_MIN;
    return t;
}

void es_net_timeline_free(es_net_timeline *timeline)
{
    if (timeline)
        es_arena_free(timeline->arena);
}

/* Is there room for one more? When nobody has chosen a part, and as long as there was no change, the older half
 * makes room: an excerpt begins before the first change, however late it comes. */
static bool make_room(es_net_timeline *t, es_net_bar *bars, size_t *count, int64_t *before)
{
    if (*count < ES_NET_TIMELINE_EVENTS_MAX)
        return true;
    if (!t->automatic || t->flag_count) {
        t->left_out++;
        return false;
    }
    size_t half = *count / 2;
    for (size_t i = 0; i < half; i++)
        if (bars[i].time > before[bars[i].lane])
            before[bars[i].lane] = bars[i].time;
    memmove(bars, bars + half, (*count - half) * sizeof *bars);
    *count -= half;
    return true;
}

/* Is the event after the window, and not the lane's first one there? Its stretch is drawn as far as the window goes. */
static bool too_late(const es_net_timeline *t, int64_t time, bool *after)
{
    bool late = time > t->to && *after;
    *after = *after || time > t->to;
    return late;
}

void es_net_timeline_observed(es_net_timeline *t, const es_net_observation *o)
{
    uint32_t lane = t->lane_of[o->transition];
    if (lane == ES_NET_NONE || too_late(t, o->time, &t->observed_after[lane]))
        return;
    if (o->time < t->from) {
        t->observed_before[lane] = o->time;
        return;
    }
    if (!make_room(t, t->observed, &t->observed_count, t->observed_before))
        return;
    int64_t mark = o->mark == ES_NET_UNKNOWN ? t->net->transitions[o->transition].mark : o->mark;
    t->observed = es_arena_grow(t->arena, t->observed, t->observed_count, sizeof *t->observed);
    t->observed[t->observed_count++] = (es_net_bar){.lane = lane,
                                                    .transition = o->transition,
                                                    .time = o->time,
                                                    .mark = mark,
                                                    .line = o->serial,
                                                    .beyond = o->time > t->to};
}

void es_net_timeline_recovered(es_net_timeline *t, const es_net_recovered *e)
{
    uint32_t lane = t->lane_of[e->transition];
    if (lane == ES_NET_NONE || too_late(t, e->time, &t->recovered_after[lane]))
        return;
    if (e->time < t->from) {
        if (e->time > t->recovered_before[lane])
            t->recovered_before[lane] = e->time;
        return;
    }
    if (e->time <= t->to)
        es_net_overview_event(&t->overview, lane, t->lane_count, e->time, e->certainty);
    if (!make_room(t, t->recovered, &t->recovered_count, t->recovered_before))
        return;
    t->recovered = es_arena_grow(t->arena, t->recovered, t->recovered_count, sizeof *t->recovered);
    t->recovered[t->recovered_count++] =
        (es_net_bar){.lane = lane,
                     .transition = e->transition,
                     .time = e->time,
                     .number = e->number,
                     .line = e->serial,
                     .observed = e->serial == ES_NET_NO_SERIAL ? INT64_MIN : e->observed,
                     .certainty = e->certainty,
                     .flags = e->flags,
                     .beyond = e->time > t->to};
}

static void add_flag(es_net_timeline *t, es_net_flag flag)
{
    if (flag.recovered < t->from || flag.recovered > t->to)
        return;
    es_net_overview_change(&t->overview, t->lane_count, flag.recovered);
    if (t->flag_count == FLAGS_MAX) {
        t->left_out++;
        return;
    }
    t->flags = es_arena_grow(t->arena, t->flags, t->flag_count, sizeof *t->flags);
    t->flags[t->flag_count++] = flag;
}

static const char *name_of(const es_net_timeline *t, uint32_t transition)
{
    return transition == ES_NET_NONE ? "nothing" : t->net->transitions[transition].name;
}

void es_net_timeline_change(es_net_timeline *t, const es_net_change *c)
{
    uint32_t lane = c->transition == ES_NET_NONE ? ES_NET_NONE : t->lane_of[c->transition];
    bool computed = c->serial == ES_NET_NO_SERIAL; /* when it was observed is not kept */
    const char *when = computed ? "" : es_arena_format(t->arena, " (%" PRId64 ")", c->observed);
    const char *text = es_arena_format(
        t->arena,
        "%s, after %s %" PRIu64 ": observed \xE2\x86\x92 %s%s"
        ", without monitoring \xE2\x86\x92 %s (%" PRId64 ")%s%s",
        t->net->places[c->place].name, c->transition == ES_NET_NONE ? "the start" : name_of(t, c->transition),
        c->number, name_of(t, c->observed_to), when, name_of(t, c->recovered_to), c->recovered,
        c->flags & ES_NET_TIED ? ", tied" : "", c->consequence ? "; a consequence of the above" : "");
    add_flag(t, (es_net_flag){lane, c->observed, c->recovered, !computed, c->consequence, text});
}

void es_net_timeline_order(es_net_timeline *t, const es_net_order_change *c)
{
    uint32_t lane = c->recovered_from == ES_NET_NONE ? ES_NET_NONE : t->lane_of[c->recovered_from];
    const char *text = es_arena_format(
        t->arena, "%s, arrival %" PRIu64 ": observed from %s, without monitoring from %s (%" PRId64 ")%s%s",
        t->net->places[c->place].name, c->number, name_of(t, c->observed_from), name_of(t, c->recovered_from),
        c->recovered, c->flags & ES_NET_TIED ? ", tied" : "", c->consequence ? "; a consequence of the above" : "");
    add_flag(t, (es_net_flag){lane, 0, c->recovered, false, c->consequence, text});
}
