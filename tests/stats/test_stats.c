/* Properties of histograms and statistics. Values are drawn over all magnitudes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check_main.h"
#include "draw.h"
#include "stats/stats.h"

static uint64_t draw_wide(void)
{
    uint64_t bits = (uint64_t)draw(1u << 30) << 34 ^ (uint64_t)draw(1u << 30) << 15 ^ draw(1u << 15);
    return bits >> draw(64);
}

static es_stats_value draw_value(enum es_stats_kind kind)
{
    es_stats_value value = {.u = draw_wide()};
    if (kind == ES_STATS_INT && draw(2))
        value.u = 0 - value.u;
    if (kind == ES_STATS_REAL)
        value.real = ldexp((double)draw(1u << 30) - (1 << 29), (int)draw(80) - 50);
    return value;
}

/* What a bucket says is wrong by at most 1/256, greater values have no lower bucket, and its power of two encloses it. */
START_TEST(buckets_are_near_their_values)
{
    for (int kind = ES_STATS_INT; kind <= ES_STATS_REAL; kind++)
        for (int i = 0; i < 20000; i++) {
            es_stats_value a = draw_value(kind), b = draw_value(kind);
            int32_t bucket = es_bucket_of(kind, a);
            double value = es_stats_double(kind, a), middle = es_stats_double(kind, es_bucket_middle(kind, bucket));
            ck_assert_msg(fabs(middle - value) <= fabs(value) / 256 + ldexp(1, -64), "%d: %.17g, %.17g", kind, value,
                          middle);
            ck_assert(kind == ES_STATS_REAL || fabs(value) >= 256 || middle == value);
            if (es_stats_compare(kind, a, b) <= 0)
                ck_assert_int_le(bucket, es_bucket_of(kind, b));
            int power = es_bucket_power(kind, bucket);
            double low = es_power_low(kind, power);
            ck_assert(power || fabs(value) < ldexp(1, -64));
            ck_assert(!power || (fabs(value) >= low && (fabs(value) < 2 * low || value >= 0x1p63)));
            ck_assert_int_eq(power < 0, bucket < 0);
        }
}
END_TEST

START_TEST(extreme_values)
{
    static const uint64_t edges[] = {0, 1, 255, 256, 257, 511, 512, UINT64_MAX, (uint64_t)INT64_MAX};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        es_stats_value value = {.u = edges[i]};
        double middle =
            es_stats_double(ES_STATS_UINT, es_bucket_middle(ES_STATS_UINT, es_bucket_of(ES_STATS_UINT, value)));
        ck_assert(fabs(middle - (double)edges[i]) <= (double)edges[i] / 256);
    }
    es_stats_value least = {.i = INT64_MIN};
    ck_assert(es_stats_double(ES_STATS_INT, es_bucket_middle(ES_STATS_INT, es_bucket_of(ES_STATS_INT, least))) <=
              -0x1p63);
    es_stats *stats = es_stats_new(ES_STATS_INT, 1);
    for (int i = 0; i < 4; i++)
        es_stats_add(stats, "a", least);
    size_t count;
    const es_stats_group **groups = es_stats_sorted(stats, &count);
    ck_assert(es_stats_mean(stats, groups[0]) == -0x1p63);
    ck_assert_int_eq(es_stats_percentile(stats, groups[0], 50).i, INT64_MIN);
    free(groups);
    es_stats_free(stats);
    stats = es_stats_new(ES_STATS_REAL, 1);
    static const double reals[] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, 1e-320, -1e-320, 0};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        es_stats_add(stats, "a", (es_stats_value){.real = reals[i]});
    groups = es_stats_sorted(stats, &count);
    ck_assert_uint_eq(groups[0]->count, 5);
    ck_assert_uint_eq(groups[0]->strange, 3);
    ck_assert(groups[0]->least.real == -1e300 && groups[0]->most.real == 1e300);
    ck_assert(es_stats_mean(stats, groups[0]) == 0); /* the sums of 1e300 cancel out */
    ck_assert(es_stats_percentile(stats, groups[0], 100).real <= 1e300);
    free(groups);
    es_stats_free(stats);
}
END_TEST

/* No more groups than allowed; no value is lost. */
START_TEST(further_keys_are_others)
{
    es_stats *stats = es_stats_new(ES_STATS_UINT, 100);
    for (unsigned i = 0; i < 100000; i++) {
        char key[16];
        snprintf(key, sizeof key, "%u", draw(1000));
        es_stats_add(stats, key, (es_stats_value){.u = i});
    }
    size_t count;
    uint64_t sum = 0;
    const es_stats_group **groups = es_stats_sorted(stats, &count);
    ck_assert_uint_eq(count, 101);
    for (size_t i = 0; i < count; i++) {
        sum += groups[i]->count;
        ck_assert(i == 0 || !groups[i]->key || groups[i]->count <= groups[i - 1]->count);
    }
    ck_assert(!groups[100]->key);
    ck_assert_uint_eq(sum, 100000);
    free(groups);
    es_stats_free(stats);
}
END_TEST

START_TEST(ranges_hold_all_values)
{
    for (int kind = ES_STATS_INT; kind <= ES_STATS_REAL; kind++) {
        es_stats *stats = es_stats_new(kind, 1);
        double values[500];
        for (size_t i = 0; i < 500; i++) {
            es_stats_value value = draw_value(kind);
            values[i] = es_stats_double(kind, value);
            es_stats_add(stats, "", value);
        }
        size_t count;
        const es_stats_group **groups = es_stats_sorted(stats, &count);
        es_stats_range ranges[ES_STATS_RANGES_MAX];
        count = es_stats_ranges(stats, groups[0], ranges);
        uint64_t sum = 0;
        for (size_t i = 0; i < count; i++) {
            uint64_t inside = 0;
            for (size_t k = 0; k < 500; k++) {
                double value = values[k], low = ranges[i].low, high = ranges[i].high;
                inside += low == high ? fabs(value) < 0x1p-64
                          : low < 0   ? value > low && value <= high
                                      : value >= low && value < high;
            }
            /* a negative range ends at its greater end, and doubles round the largest integers up to a power of two */
            ck_assert_msg(inside == ranges[i].count || ranges[i].high >= 0x1p62, "%d: %g to %g: %d, not %d", kind,
                          ranges[i].low, ranges[i].high, (int)ranges[i].count, (int)inside);
            sum += ranges[i].count;
        }
        ck_assert_uint_eq(sum, 500);
        free(groups);
        es_stats_free(stats);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("statistics");
    TCase *tcase = tcase_create("statistics");
    tcase_add_test(tcase, buckets_are_near_their_values);
    tcase_add_test(tcase, extreme_values);
    tcase_add_test(tcase, further_keys_are_others);
    tcase_add_test(tcase, ranges_hold_all_values);
    suite_add_tcase(suite, tcase);
    return check_main(suite);
}
