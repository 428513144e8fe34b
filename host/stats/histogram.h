/* Log-linear histograms: how often values lay in which small range.
 *
 * Integers below 256 have a bucket each; above, and for real numbers, each power of two has 128 buckets of the same
 * width. So what a bucket says of a value, its middle, is wrong by at most 1/256 of the value, whatever its size. A
 * histogram keeps the buckets that have been met, 49,000 at most (800 KB), a few dozen as a rule.
 */
#ifndef ES_STATS_HISTOGRAM_H
#define ES_STATS_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

enum es_stats_kind { ES_STATS_INT, ES_STATS_UINT, ES_STATS_REAL };

/* A value, by its kind. */
typedef union es_stats_value {
    int64_t i;
    uint64_t u;
    double real; /* finite */
} es_stats_value;

double es_stats_double(enum es_stats_kind kind, es_stats_value value);

/* -1, 0 or 1: a is less than b, equal, greater. */
int es_stats_compare(enum es_stats_kind kind, es_stats_value a, es_stats_value b);

/* The number of a value's bucket: higher for greater values. Real numbers nearer to 0 than 2^-64 count as 0, those
 * beyond 2^128 as of the last bucket. */
int32_t es_bucket_of(enum es_stats_kind kind, es_stats_value value);

/* The middle of a bucket. */
es_stats_value es_bucket_middle(enum es_stats_kind kind, int32_t bucket);

/* Between which powers of two it lies: 0 of the value 0; else k + 1 of 2^k to 2^(k+1), with the value's sign. With real
 * numbers k counts from -64 on, as from 0: k + 65. */
int es_bucket_power(enum es_stats_kind kind, int32_t bucket);

/* The least magnitude of such a power: 2^k; of 0 it is 0. */
double es_power_low(enum es_stats_kind kind, int power);

typedef struct es_histogram {
    int32_t *buckets; /* by hash */
    uint64_t *counts; /* 0: none is there */
    size_t count, room;
} es_histogram;

/* All 0 is an empty histogram. */
void es_histogram_free(es_histogram *histogram);
void es_histogram_add(es_histogram *histogram, int32_t bucket, uint64_t count);

/* Its buckets in ascending order, and how often each was met; both of histogram->count. To be freed. */
int32_t *es_histogram_sorted(const es_histogram *histogram, uint64_t **counts);

#endif
