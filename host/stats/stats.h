/* Statistics of values, apart for each of some keys: how many, least, mean, most, percentiles.
 *
 * Count, least and most are exact; so is the sum of integers (128 bits), and with it the mean but for its rounding to a
 * double. Sums of real numbers are kept in two doubles. Percentiles are those of the histogram: by nearest rank, wrong
 * by at most 1/256 of the value. Memory is bounded by the number of keys: values of further keys count as `others`.
 */
#ifndef ES_STATS_STATS_H
#define ES_STATS_STATS_H

#include <stdbool.h>

#include "stats/histogram.h"

/* All values of a key. */
typedef struct es_stats_group {
    const char *key; /* NULL: of the others */
    uint64_t count;
    uint64_t strange; /* not among these: NaN, infinite */
    es_stats_value least, most;
    uint64_t sum_low; /* of integers */
    int64_t sum_high;
    double sum, sum_rest; /* of real numbers: their sum is that of both */
    es_histogram histogram;
} es_stats_group;

typedef struct es_stats es_stats;

/* keys_most: at least 1. */
es_stats *es_stats_new(enum es_stats_kind kind, size_t keys_most);
void es_stats_free(es_stats *stats);
enum es_stats_kind es_stats_kind_of(const es_stats *stats);

/* A value of a key, any text. One that is not finite is counted as strange. */
void es_stats_add(es_stats *stats, const char *key, es_stats_value value);

/* The groups, those with the most values first, of as many the one whose key comes first; the others last. The array is
 * to be freed, its groups are the table's. */
const es_stats_group **es_stats_sorted(const es_stats *stats, size_t *count);

/* NaN without any value. */
double es_stats_mean(const es_stats *stats, const es_stats_group *group);

/* The least value that `percent` (0 to 100) of the values do not exceed, as near as the histogram knows. The group has
 * a value. */
es_stats_value es_stats_percentile(const es_stats *stats, const es_stats_group *group, double percent);

/* How many values lay from low on, below high. */
typedef struct es_stats_range {
    double low, high; /* the range of 0 is 0 to 0 */
    uint64_t count;
} es_stats_range;

#define ES_STATS_RANGES_MAX 400

/* Between powers of two, from the range of the least value to that of the most. Returns how many ranges. */
size_t es_stats_ranges(const es_stats *stats, const es_stats_group *group, es_stats_range ranges[ES_STATS_RANGES_MAX]);

#endif
