#include "stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

struct es_stats {
    enum es_stats_kind kind;
    size_t keys_most;
    es_arena *arena;         /* of keys */
    es_stats_group **groups; /* in the order of their coming */
    size_t count, room;
    uint32_t *places; /* by hash: 1 + the number of a group */
    size_t place_count;
    es_stats_group others;
};

es_stats *es_stats_new(enum es_stats_kind kind, size_t keys_most)
{
    es_stats *stats = es_malloc(sizeof *stats);
    *stats = (es_stats){.kind = kind, .keys_most = keys_most, .arena = es_arena_new()};
    return stats;
}

void es_stats_free(es_stats *stats)
{
    if (!stats)
        return;
    for (size_t i = 0; i < stats->count; i++)
        es_histogram_free(&stats->groups[i]->histogram);
    es_histogram_free(&stats->others.histogram);
    free(stats->groups);
    free(stats->places);
    es_arena_free(stats->arena);
    free(stats);
}

enum es_stats_kind es_stats_kind_of(const es_stats *stats)
{
    return stats->kind;
}

/* --- keys ------------------------------------------------------------------------------------------------------- */

static uint32_t hash_of(const char *key)
{
    uint32_t hash = 2166136261u;
    for (; *key; key++)
        hash = (hash ^ (unsigned char)*key) * 16777619u;
    return hash ^ hash >> 15;
}

static size_t place_of(const es_stats *stats, const char *key)
{
    size_t at = hash_of(key) & (stats->place_count - 1);
    while (stats->places[at] && strcmp(stats->groups[stats->places[at] - 1]->key, key) != 0)
        at = (at + 1) & (stats->place_count - 1);
    return at;
}

static void make_places(es_stats *stats)
{
    stats->place_count = stats->place_count ? 2 * stats->place_count : 64;
    free(stats->places);
    stats->places = es_malloc(stats->place_count * sizeof *stats->places);
    memset(stats->places, 0, stats->place_count * sizeof *stats->places);
    for (size_t i = 0; i < stats->count; i++)
        stats->places[place_of(stats, stats->groups[i]->key)] = (uint32_t)i + 1;
}

/* The group of a key, NULL of the others. */
static es_stats_group *group_of(es_stats *stats, const char *key)
{
    if (!key)
        return &stats->others;
    if (2 * (stats->count + 1) > stats->place_count)
        make_places(stats);
    size_t at = place_of(stats, key);
    if (stats->places[at])
        return stats->groups[stats->places[at] - 1];
    if (stats->count == stats->keys_most)
        return &stats->others;
    if (stats->count == stats->room) {
        stats->room = stats->room ? 2 * stats->room : 16;
        stats->groups = es_realloc(stats->groups, stats->room * sizeof *stats->groups);
    }
    es_stats_group *group = es_arena_alloc(stats->arena, sizeof *group);
    group->key = es_arena_copy(stats->arena, key, strlen(key));
    stats->groups[stats->count++] = group;
    stats->places[at] = (uint32_t)stats->count;
    return group;
}

/* --- values ----------------------------------------------------------------------------------------------------- */

static void add_integer(es_stats_group *group, uint64_t low, int64_t high)
{
    uint64_t sum = group->sum_low + low;
    group->sum_high += high + (sum < low);
    group->sum_low = sum;
}

/* Knuth's sum: what a sum of two doubles leaves out is kept in the second one. */
static void add_real(es_stats_group *group, double value)
{
    double sum = group->sum + value, part = sum - group->sum;
    group->sum_rest += (group->sum - (sum - part)) + (value - part);
    group->sum = sum;
}

static void note_bounds(enum es_stats_kind kind, es_stats_group *group, es_stats_value least, es_stats_value most)
{
    if (!group->count || es_stats_compare(kind, least, group->least) < 0)
        group->least = least;
    if (!group->count || es_stats_compare(kind, most, group->most) > 0)
        group->most = most;
}

void es_stats_add(es_stats *stats, const char *key, es_stats_value value)
{
    es_stats_group *group = group_of(stats, key);
    if (stats->kind == ES_STATS_REAL && !isfinite(value.real)) {
        group->strange++;
        return;
    }
    note_bounds(stats->kind, group, value, value);
    group->count++;
    if (stats->kind == ES_STATS_REAL)
        add_real(group, value.real);
    else
        add_integer(group, value.u, stats->kind == ES_STATS_INT && value.i < 0 ? -1 : 0);
    es_histogram_add(&group->histogram, es_bucket_of(stats->kind, value), 1);
}

/* --- what they say ---------------------------------------------------------------------------------------------- */

static int compare_groups(const void *left, const void *right)
{
    const es_stats_group *const *a = left, *const *b = right;
    if ((*a)->count != (*b)->count)
        return (*a)->count > (*b)->count ? -1 : 1;
    return strcmp((*a)->key, (*b)->key);
}

const es_stats_group **es_stats_sorted(const es_stats *stats, size_t *count)
{
    const es_stats_group **sorted = es_malloc((stats->count + 1) * sizeof *sorted);
    *count = stats->count;
    for (size_t i = 0; i < stats->count; i++)
        sorted[i] = stats->groups[i];
    qsort(sorted, *count, sizeof *sorted, compare_groups);
    if (stats->others.count || stats->others.strange)
        sorted[(*count)++] = &stats->others;
    return sorted;
}

double es_stats_mean(const es_stats *stats, const es_stats_group *group)
{
    if (!group->count)
        return (double)NAN;
    if (stats->kind == ES_STATS_REAL)
        return (group->sum + group->sum_rest) / (double)group->count;
    long double sum = ldexpl((long double)group->sum_high, 64) + (long double)group->sum_low;
    return (double)(sum / (long double)group->count);
}

es_stats_value es_stats_percentile(const es_stats *stats, const es_stats_group *group, double percent)
{
    uint64_t *counts, seen = 0;
    int32_t *buckets = es_histogram_sorted(&group->histogram, &counts);
    double rank = ceil(percent / 100 * (double)group->count);
    size_t i = 0;
    while (i + 1 < group->histogram.count && (double)(seen += counts[i]) < rank)
        i++;
    es_stats_value value = es_bucket_middle(stats->kind, buckets[i]);
    free(buckets);
    free(counts);
    if (es_stats_compare(stats->kind, value, group->least) < 0)
        return group->least;
    return es_stats_compare(stats->kind, value, group->most) > 0 ? group->most : value;
}

static es_stats_range range_of(enum es_stats_kind kind, int power)
{
    double least = es_power_low(kind, power), most = power ? 2 * least : 0;
    return power < 0 ? (es_stats_range){-most, -least, 0} : (es_stats_range){least, most, 0};
}

size_t es_stats_ranges(const es_stats *stats, const es_stats_group *group, es_stats_range ranges[ES_STATS_RANGES_MAX])
{
    if (!group->count)
        return 0;
    int first = es_bucket_power(stats->kind, es_bucket_of(stats->kind, group->least));
    int last = es_bucket_power(stats->kind, es_bucket_of(stats->kind, group->most));
    for (int power = first; power <= last; power++)
        ranges[power - first] = range_of(stats->kind, power);
    for (size_t i = 0; i < group->histogram.room; i++)
        if (group->histogram.counts[i])
            ranges[es_bucket_power(stats->kind, group->histogram.buckets[i]) - first].count +=
                group->histogram.counts[i];
    return (size_t)(last - first) + 1;
}
