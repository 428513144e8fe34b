/* Statistics as JSON Lines. */
#include <stdlib.h>

#include "report/statistics.h"

static void json_value(es_json *json, const es_statistic_table *table, es_stats_value value)
{
    switch (es_stats_kind_of(table->stats)) {
    case ES_STATS_INT: es_json_int(json, value.i); return;
    case ES_STATS_UINT: es_json_uint(json, value.u); return;
    case ES_STATS_REAL: es_json_double(json, value.real); return;
    }
}

static void json_stats(es_json *json, const es_statistic_table *table, const es_stats_group *group)
{
    static const struct {
        const char *name;
        double percent;
    } percentiles[] = {{"p50", 50}, {"p90", 90}, {"p99", 99}, {"p99.9", 99.9}};
    if (!group->count)
        return;
    es_json_key(json, "min");
    json_value(json, table, group->least);
    es_json_key(json, "mean");
    es_json_double(json, es_stats_mean(table->stats, group));
    es_json_key(json, "max");
    json_value(json, table, group->most);
    for (size_t i = 0; i < sizeof percentiles / sizeof *percentiles; i++) {
        es_json_key(json, percentiles[i].name);
        json_value(json, table, es_stats_percentile(table->stats, group, percentiles[i].percent));
    }
}

static void json_hist(es_json *json, const es_statistic_table *table, const es_stats_group *group)
{
    es_stats_range ranges[ES_STATS_RANGES_MAX];
    size_t count = es_stats_ranges(table->stats, group, ranges);
    es_json_key(json, "ranges");
    es_json_begin(json, '[');
    for (size_t i = 0; i < count; i++) {
        if (!ranges[i].count)
            continue;
        es_json_begin(json, '[');
        es_json_double(json, ranges[i].low);
        es_json_double(json, ranges[i].high);
        es_json_uint(json, ranges[i].count);
        es_json_end(json, ']');
    }
    es_json_end(json, ']');
}

static void json_group(es_json *json, const es_statistic_table *table, const es_stats_group *group)
{
    es_json_begin(json, '{');
    if (table->aggregate->by) {
        es_json_key(json, "key");
        es_json_string(json, group->key);
    }
    es_json_key(json, "n");
    es_json_uint(json, group->count);
    if (group->strange) {
        es_json_key(json, "not_finite");
        es_json_uint(json, group->strange);
    }
    if (table->aggregate->kind == ES_AGGREGATE_STATS || table->aggregate->kind == ES_AGGREGATE_PROFILE)
        json_stats(json, table, group);
    else if (table->aggregate->kind == ES_AGGREGATE_HIST)
        json_hist(json, table, group);
    es_json_end(json, '}');
}

static void json_profile(es_json *json, const es_statistic_table *table)
{
    es_json_key(json, "calls");
    es_json_uint(json, table->calls);
    es_json_key(json, "inclusive_ns");
    es_json_uint(json, table->inclusive_ns);
    es_json_key(json, "self_ns");
    es_json_uint(json, table->self_ns);
}

void es_statistic_json(es_text_buffer *out, const es_statistic_table *table, bool last, const char *probe)
{
    es_json json = {.out = out};
    size_t count, left;
    const es_stats_group **groups = es_statistic_groups(table, &count, &left);
    es_json_begin(&json, '{');
    es_json_key(&json, "event");
    es_json_string(&json, "statistic");
    if (probe) {
        es_json_key(&json, "probe");
        es_json_string(&json, probe);
    }
    es_json_key(&json, "statement");
    es_json_string(&json, table->statement->name);
    es_json_key(&json, "statistic");
    es_json_string(&json, table->aggregate->name);
    es_json_key(&json, "last");
    es_json_bool(&json, last);
    if (es_statistic_is_time(table)) {
        es_json_key(&json, "unit");
        es_json_string(&json, "ns");
    }
    if (table->aggregate->kind == ES_AGGREGATE_PROFILE)
        json_profile(&json, table);
    if (table->aggregate->kind == ES_AGGREGATE_STACK) {
        es_stack_json(&json, table);
    } else if (table->covered) {
        es_cover_json(&json, table->covered);
    } else {
        es_json_key(&json, "groups");
        es_json_begin(&json, '[');
        for (size_t i = 0; i < count; i++)
            json_group(&json, table, groups[i]);
        es_json_end(&json, ']');
    }
    const struct {
        const char *key;
        uint64_t count;
    } also[] = {{"groups_left_out", left},
                {"unknown", table->unknown},
                {"uncertain", table->uncertain},
                {"values_left_out", table->values_left}};
    for (size_t i = 0; i < sizeof also / sizeof *also; i++) {
        if (!also[i].count)
            continue;
        es_json_key(&json, also[i].key);
        es_json_uint(&json, also[i].count);
    }
    es_json_end(&json, '}');
    es_text_add(out, "\n", 1);
    free((void *)groups);
}
