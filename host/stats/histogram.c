#include "stats/histogram.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define SUB_BITS 7 /* of SUBS, the buckets in a power of two */
#define SUBS 128
#define EXACT 256        /* integers below have a bucket each */
#define REAL_LEAST (-64) /* powers of two of real numbers */
#define REAL_MOST 127
#define ROOM_FIRST 16u

double es_stats_double(enum es_stats_kind kind, es_stats_value value)
{
    return kind == ES_STATS_INT ? (double)value.i : kind == ES_STATS_UINT ? (double)value.u : value.real;
}

int es_stats_compare(enum es_stats_kind kind, es_stats_value a, es_stats_value b)
{
    switch (kind) {
    case ES_STATS_INT: return (a.i > b.i) - (a.i < b.i);
    case ES_STATS_UINT: return (a.u > b.u) - (a.u < b.u);
    default: return (a.real > b.real) - (a.real < b.real);
    }
}

/* --- buckets: of magnitudes from 0 on, below 0 those of negative values ----------------------------------------- */

static int32_t signed_bucket(bool negative, int32_t magnitude)
{
    return negative ? -magnitude : magnitude;
}

static int32_t bucket_of_magnitude(uint64_t magnitude)
{
    if (magnitude < EXACT)
        return (int32_t)magnitude;
    int power = 63 - __builtin_clzll(magnitude);
    int32_t sub = (int32_t)(magnitude >> (power - SUB_BITS)) & (SUBS - 1);
    return EXACT + (power - SUB_BITS - 1) * SUBS + sub;
}

static int32_t bucket_of_real(double value)
{
    int power;
    double fraction = frexp(fabs(value), &power); /* 0.5 to 1 */
    power--;
    if (value == 0 || power < REAL_LEAST)
        return 0;
    if (power > REAL_MOST)
        return signed_bucket(value < 0, (REAL_MOST - REAL_LEAST + 1) * SUBS);
    int32_t sub = (int32_t)((2 * fraction - 1) * SUBS);
    return signed_bucket(value < 0, 1 + (power - REAL_LEAST) * SUBS + sub);
}

int32_t es_bucket_of(enum es_stats_kind kind, es_stats_value value)
{
    if (kind == ES_STATS_REAL)
        return bucket_of_real(value.real);
    bool negative = kind == ES_STATS_INT && value.i < 0;
    return signed_bucket(negative, bucket_of_magnitude(negative ? 0 - (uint64_t)value.i : value.u));
}

/* Of an integer's bucket: the power of two, and the least magnitude in it. */
static uint64_t least_magnitude(uint32_t bucket, int *power)
{
    if (bucket < EXACT) {
        *power = bucket ? 31 - __builtin_clz(bucket) : 0;
        return bucket;
    }
    *power = (int)((bucket - EXACT) / SUBS) + SUB_BITS + 1;
    return (uint64_t)(SUBS + (bucket - EXACT) % SUBS) << (*power - SUB_BITS);
}

es_stats_value es_bucket_middle(enum es_stats_kind kind, int32_t bucket)
{
    uint32_t magnitude = (uint32_t)(bucket < 0 ? -bucket : bucket);
    es_stats_value value = {0};
    int power;
    if (kind == ES_STATS_REAL) {
        uint32_t at = magnitude - 1;
        double middle = 1 + ((double)(at % SUBS) + 0.5) / SUBS;
        value.real = magnitude ? ldexp(bucket < 0 ? -middle : middle, (int)(at / SUBS) + REAL_LEAST) : 0;
        return value;
    }
    uint64_t least = least_magnitude(magnitude, &power);
    uint64_t middle = magnitude < EXACT ? least : least + (UINT64_C(1) << (power - SUB_BITS - 1));
    if (bucket < 0) /* the middle of the last bucket is less than the least integer */
        value.i = middle > INT64_MAX ? INT64_MIN : -(int64_t)middle;
    else
        value.u = middle;
    return value;
}

int es_bucket_power(enum es_stats_kind kind, int32_t bucket)
{
    uint32_t magnitude = (uint32_t)(bucket < 0 ? -bucket : bucket);
    int power;
    if (!magnitude)
        return 0;
    if (kind == ES_STATS_REAL)
        power = (int)((magnitude - 1) / SUBS);
    else
        least_magnitude(magnitude, &power);
    return bucket < 0 ? -power - 1 : power + 1;
}

double es_power_low(enum es_stats_kind kind, int power)
{
    int magnitude = power < 0 ? -power : power;
    return magnitude ? ldexp(1, magnitude - 1 + (kind == ES_STATS_REAL ? REAL_LEAST : 0)) : 0;
}

/* --- histograms ------------------------------------------------------------------------------------------------- */

void es_histogram_free(es_histogram *histogram)
{
    free(histogram->buckets);
    free(histogram->counts);
    *histogram = (es_histogram){0};
}

/* Where a bucket is, or is to be put. */
static size_t place_of(const es_histogram *histogram, int32_t bucket)
{
    size_t at = (uint32_t)bucket * 0x9E3779B1u >> 7 & (histogram->room - 1);
    while (histogram->counts[at] && histogram->buckets[at] != bucket)
        at = (at + 1) & (histogram->room - 1);
    return at;
}

static void grow(es_histogram *histogram)
{
    es_histogram old = *histogram;
    histogram->room = old.room ? 2 * old.room : ROOM_FIRST;
    histogram->buckets = es_malloc(histogram->room * sizeof *histogram->buckets);
    histogram->counts = es_malloc(histogram->room * sizeof *histogram->counts);
    memset(histogram->counts, 0, histogram->room * sizeof *histogram->counts);
    for (size_t i = 0; i < old.room; i++) {
        if (!old.counts[i])
            continue;
        size_t at = place_of(histogram, old.buckets[i]);
        histogram->buckets[at] = old.buckets[i];
        histogram->counts[at] = old.counts[i];
    }
    es_histogram_free(&old);
}

void es_histogram_add(es_histogram *histogram, int32_t bucket, uint64_t count)
{
    if (!count)
        return;
    if (2 * (histogram->count + 1) > histogram->room)
        grow(histogram);
    size_t at = place_of(histogram, bucket);
    histogram->count += !histogram->counts[at];
    histogram->buckets[at] = bucket;
    histogram->counts[at] += count;
}

static int compare_buckets(const void *left, const void *right)
{
    const int32_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

int32_t *es_histogram_sorted(const es_histogram *histogram, uint64_t **counts)
{
    int32_t *buckets = es_malloc((histogram->count + 1) * sizeof *buckets);
    size_t count = 0;
    for (size_t i = 0; i < histogram->room; i++)
        if (histogram->counts[i])
            buckets[count++] = histogram->buckets[i];
    qsort(buckets, count, sizeof *buckets, compare_buckets);
    *counts = es_malloc((count + 1) * sizeof **counts);
    for (size_t i = 0; i < count; i++)
        (*counts)[i] = histogram->counts[place_of(histogram, buckets[i])];
    return buckets;
}
