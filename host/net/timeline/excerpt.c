/* Which part of what was collected is drawn. */
#include <stdlib.h>
#include <string.h>

#include "net/timeline/private.h"

#define EXCERPT_BARS 60u  /* observed in the busiest lane: what a screen shows without moving */
#define BEFORE_CHANGE 15u /* of them, before the first change */

/* Those of the lanes that are kept: `to` says as which. */
static es_net_bar *moved(const es_net_bar *bars, size_t *count, const uint32_t *to, es_arena *arena)
{
    es_net_bar *copy = es_arena_alloc(arena, (*count + 1) * sizeof *copy);
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++)
        if (to[bars[i].lane] != ES_NET_NONE) {
            copy[kept] = bars[i];
            copy[kept++].lane = to[bars[i].lane];
        }
    *count = kept;
    return copy;
}

es_net_timeline *es_net_timeline_seen(const es_net_timeline *t, es_arena *arena)
{
    es_net_timeline *copy = es_arena_alloc(arena, sizeof *copy);
    uint32_t *to = es_arena_alloc(arena, (t->lane_count + 1) * sizeof *to);
    bool *seen = es_arena_alloc(arena, t->lane_count + 1), any = false;
    for (size_t i = 0; i < t->observed_count; i++)
        any = (seen[t->observed[i].lane] |= !t->observed[i].beyond) || any;
    for (size_t i = 0; i < t->recovered_count; i++)
        any = (seen[t->recovered[i].lane] |= !t->recovered[i].beyond) || any;
    for (size_t i = 0; i < t->flag_count; i++)
        if (t->flags[i].lane != ES_NET_NONE)
            any = seen[t->flags[i].lane] = true;
    *copy = *t;
    copy->lane_count = 0;
    copy->lanes = es_arena_alloc(arena, (t->lane_count + 1) * sizeof *copy->lanes);
    copy->origins = es_arena_alloc(arena, (t->lane_count + 1) * sizeof *copy->origins);
    copy->observed_before = es_arena_alloc(arena, (t->lane_count + 1) * sizeof *copy->observed_before);
    copy->recovered_before = es_arena_alloc(arena, (t->lane_count + 1) * sizeof *copy->recovered_before);
    for (uint32_t lane = 0; lane < t->lane_count; lane++) {
        to[lane] = ES_NET_NONE;
        if (any && !seen[lane])
            continue;
        to[lane] = copy->lane_count++;
        copy->lanes[to[lane]] = t->lanes[lane];
        copy->origins[to[lane]] = lane;
        copy->observed_before[to[lane]] = t->observed_before[lane];
        copy->recovered_before[to[lane]] = t->recovered_before[lane];
    }
    copy->observed = moved(t->observed, &copy->observed_count, to, arena);
    copy->recovered = moved(t->recovered, &copy->recovered_count, to, arena);
    copy->flags = es_arena_alloc(arena, (t->flag_count + 1) * sizeof *copy->flags);
    for (size_t i = 0; i < t->flag_count; i++) {
        copy->flags[i] = t->flags[i];
        if (t->flags[i].lane != ES_NET_NONE)
            copy->flags[i].lane = to[t->flags[i].lane];
    }
    copy->lane_of = es_arena_alloc(arena, (t->net->transition_count + 1) * sizeof *copy->lane_of);
    for (uint32_t i = 0; i < t->net->transition_count; i++) {
        uint32_t lane = t->lane_of[i];
        copy->lane_of[i] = lane == ES_NET_NONE || (any && !seen[lane]) ? ES_NET_NONE : to[lane];
    }
    return copy;
}

static int by_time(const void *a, const void *b)
{
    const es_net_bar *one = a, *other = b;
    if (one->lane != other->lane)
        return one->lane < other->lane ? -1 : 1;
    if (one->time != other->time)
        return one->time < other->time ? -1 : 1;
    if (one->line != other->line)
        return one->line < other->line ? -1 : 1;
    return one->number < other->number ? -1 : one->number > other->number;
}

es_net_bar *es_net_timeline_sorted(const es_net_bar *bars, size_t count, es_arena *arena)
{
    es_net_bar *sorted = es_arena_alloc(arena, (count + 1) * sizeof *sorted);
    if (count) {
        memcpy(sorted, bars, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, by_time);
    }
    return sorted;
}

/* The observed events of the busiest lane, of those sorted. */
static const es_net_bar *busiest(const es_net_bar *sorted, size_t count, size_t *length)
{
    const es_net_bar *found = sorted;
    *length = 0;
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin; end < count && sorted[end].lane == sorted[begin].lane; end++)
            ;
        if (end - begin > *length)
            found = sorted + begin, *length = end - begin;
    }
    return found;
}

/* Those from `from` up to `to`, and of each lane the first one after that; the last time before them, by lane. */
static es_net_bar *within(const es_net_timeline *t, const es_net_bar *bars, size_t *count, int64_t *before,
                          es_arena *arena)
{
    es_net_bar *kept = es_arena_alloc(arena, (*count + 1) * sizeof *kept);
    bool *after = es_arena_alloc(arena, t->lane_count + 1);
    size_t kept_count = 0;
    const es_net_bar *sorted = es_net_timeline_sorted(bars, *count, arena);
    for (const es_net_bar *bar = sorted; bar < sorted + *count; bar++) {
        if (bar->time < t->from) {
            before[bar->lane] = bar->time > before[bar->lane] ? bar->time : before[bar->lane];
        } else if (bar->time <= t->to || !after[bar->lane]) {
            kept[kept_count] = *bar;
            kept[kept_count++].beyond = after[bar->lane] = bar->time > t->to;
        }
    }
    *count = kept_count;
    return kept;
}

static int64_t *copy_of(const int64_t *times, uint32_t count, es_arena *arena)
{
    int64_t *copy = es_arena_alloc(arena, (count + 1) * sizeof *copy);
    memcpy(copy, times, count * sizeof *copy);
    return copy;
}

const es_net_timeline *es_net_timeline_excerpt(const es_net_timeline *t, es_arena *arena)
{
    size_t length;
    const es_net_bar *sorted = es_net_timeline_sorted(t->observed, t->observed_count, arena),
                     *lane = busiest(sorted, t->observed_count, &length);
    if (!t->automatic || length <= EXCERPT_BARS)
        return t;
    size_t first = 0;
    int64_t change = t->flag_count ? t->flags[0].recovered : INT64_MIN;
    while (first < length && lane[first].time < change)
        first++;
    first = first > BEFORE_CHANGE ? first - BEFORE_CHANGE : 0;
    first = first + EXCERPT_BARS > length ? length - EXCERPT_BARS : first;
    es_net_timeline *part = es_arena_alloc(arena, sizeof *part);
    *part = *t;
    part->excerpt = true;
    part->from = first ? lane[first - 1].time + 1 : t->from;
    part->to = lane[first + EXCERPT_BARS - 1].time;
    part->observed_before = copy_of(t->observed_before, t->lane_count, arena);
    part->recovered_before = copy_of(t->recovered_before, t->lane_count, arena);
    part->observed = within(part, t->observed, &part->observed_count, part->observed_before, arena);
    part->recovered = within(part, t->recovered, &part->recovered_count, part->recovered_before, arena);
    part->flags = es_arena_alloc(arena, (t->flag_count + 1) * sizeof *part->flags);
    part->flag_count = 0;
    for (size_t i = 0; i < t->flag_count; i++)
        if (t->flags[i].recovered >= part->from && t->flags[i].recovered <= part->to)
            part->flags[part->flag_count++] = t->flags[i];
    return part;
}
