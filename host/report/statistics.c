#include "report/statistics.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/times.h"
#include "record/value.h"
#include "report/parts.h"
#include "report/profile.h"

#define VALUES_SHOWN 10 /* of what a statement prints and is no number: the most frequent ones */

struct es_statistics {
    es_statistic_table *tables;
    size_t count;
    size_t *first; /* by statement: of its tables; then the number of all */
    es_arena *arena;
    es_text_buffer key;
    es_profile *profile;
};

static enum es_stats_kind kind_of(const es_schema_statement *statement, const es_aggregate *aggregate)
{
    if (aggregate->kind >= ES_AGGREGATE_COUNT)
        return ES_STATS_UINT;
    const es_field *field = &statement->fields[aggregate->value];
    return field->kind == ES_FIELD_FLOAT                                                          ? ES_STATS_REAL
           : field->kind == ES_FIELD_LENGTH || (field->kind == ES_FIELD_INT && !field->is_signed) ? ES_STATS_UINT
                                                                                                  : ES_STATS_INT;
}

static void add_table(es_statistics *statistics, const es_schema *schema, const es_schema_statement *statement,
                      const es_aggregate *aggregate, bool of_value)
{
    statistics->tables =
        es_arena_grow(statistics->arena, statistics->tables, statistics->count, sizeof *statistics->tables);
    statistics->tables[statistics->count++] =
        (es_statistic_table){.schema = schema,
                             .statement = statement,
                             .aggregate = aggregate,
                             .of_value = of_value,
                             .stats = es_stats_new(kind_of(statement, aggregate), ES_STATISTICS_KEYS)};
    if (!aggregate->cover)
        return;
    statistics->tables[statistics->count - 1].covered = es_covered_new();
    es_covered_add(statistics->tables[statistics->count - 1].covered, aggregate->cover);
}

static bool is_number(const es_field *field)
{
    return field->kind == ES_FIELD_INT || field->kind == ES_FIELD_FLOAT || field->kind == ES_FIELD_LENGTH;
}

/* Of a value that is printed. */
static const es_aggregate *aggregate_of(es_arena *arena, const es_schema_statement *statement, size_t field)
{
    es_aggregate *made = es_arena_alloc(arena, sizeof *made);
    es_text_buffer name = {0};
    if (is_number(&statement->fields[field])) {
        *made = (es_aggregate){.kind = ES_AGGREGATE_STATS, .value = field};
        es_text_format(&name, "stats(%s)", statement->fields[field].name);
    } else {
        *made =
            (es_aggregate){.kind = ES_AGGREGATE_COUNT, .by = ES_AGGREGATE_BY_VALUE, .key = field, .top = VALUES_SHOWN};
        es_text_format(&name, "count by %s", statement->fields[field].name);
    }
    made->name = es_arena_copy(arena, name.text, name.length);
    es_text_free(&name);
    return made;
}

/* The user asks for the same by an action. */
static bool is_asked_for(const es_schema_statement *statement, const es_field *field)
{
    for (size_t i = 0; i < statement->aggregate_count; i++) {
        const es_aggregate *made = &statement->aggregates[i];
        if (made->kind == ES_AGGREGATE_STATS && made->by == ES_AGGREGATE_ALL && is_number(field) &&
            strcmp(statement->fields[made->value].name, field->name) == 0)
            return true;
    }
    return false;
}

/* Numbers first, so that they are one table for people. */
static void add_values(es_statistics *statistics, const es_schema *schema, const es_schema_statement *statement)
{
    size_t added = 0, left = 0;
    for (unsigned numbers = 2; numbers-- > 0;)
        for (size_t i = 0; i < statement->field_count; i++) {
            const es_field *field = &statement->fields[i];
            if (is_number(field) != numbers || field->is_aggregated || field->kind == ES_FIELD_BYTE ||
                is_asked_for(statement, field))
                continue;
            if (added == ES_STATISTICS_FIELDS) {
                left++;
                continue;
            }
            add_table(statistics, schema, statement, aggregate_of(statistics->arena, statement, i), true);
            added++;
        }
    if (added)
        statistics->tables[statistics->count - 1].values_left = left;
}

es_statistics *es_statistics_new(const es_schema *schema, bool values)
{
    es_statistics *statistics = es_malloc(sizeof *statistics);
    *statistics = (es_statistics){.arena = es_arena_new()};
    statistics->first = es_arena_alloc(statistics->arena, (schema->statement_count + 1) * sizeof *statistics->first);
    for (size_t i = 0; i < schema->statement_count; i++) {
        const es_schema_statement *statement = &schema->statements[i];
        statistics->first[i] = statistics->count;
        for (size_t k = 0; k < statement->aggregate_count; k++)
            add_table(statistics, schema, statement, &statement->aggregates[k], false);
        if (values)
            add_values(statistics, schema, statement);
    }
    statistics->first[schema->statement_count] = statistics->count;
    statistics->profile = es_profile_new(schema);
    if (statistics->count)
        return statistics;
    es_statistics_free(statistics);
    return NULL;
}

void es_statistics_free(es_statistics *statistics)
{
    if (!statistics)
        return;
    for (size_t i = 0; i < statistics->count; i++) {
        es_stats_free(statistics->tables[i].stats);
        es_covered_free(statistics->tables[i].covered);
    }
    es_profile_free(statistics->profile);
    es_text_free(&statistics->key);
    es_arena_free(statistics->arena);
    free(statistics);
}

/* --- hits ------------------------------------------------------------------------------------------------------- */

static void add_key(es_text_buffer *out, const es_statistic_table *table, const es_hit *hit)
{
    const es_aggregate *aggregate = table->aggregate;
    es_text_clear(out);
    es_text_add(out, "", 0);
    switch (aggregate->by) {
    case ES_AGGREGATE_ALL: return;
    case ES_AGGREGATE_BY_PATH: es_part_path(out, table->schema, hit, true); return;
    case ES_AGGREGATE_BY_TASK: es_text_format(out, "%s", es_part_task(table->schema, hit)); return;
    case ES_AGGREGATE_BY_PLACE: es_part_place(out, table->schema, hit); return;
    case ES_AGGREGATE_BY_VALUE:
        if (aggregate->key < hit->value_count)
            es_value_text(out, table->schema, &table->statement->fields[aggregate->key], &hit->values[aggregate->key],
                          true);
        return;
    }
}

/* False: it is not known. */
static bool value_of(const es_statistic_table *table, const es_hit *hit, es_stats_value *value)
{
    const es_aggregate *aggregate = table->aggregate;
    if (aggregate->kind == ES_AGGREGATE_COUNT)
        return true;
    if (aggregate->value >= hit->value_count || !hit->values[aggregate->value].known)
        return false;
    const es_field *field = &table->statement->fields[aggregate->value];
    const es_value *given = &hit->values[aggregate->value];
    if (field->kind == ES_FIELD_LENGTH)
        value->u = es_time_ns(given->bits, table->schema->clock_hz);
    else if (field->kind == ES_FIELD_FLOAT)
        value->real = es_value_double(field, given);
    else
        value->i = es_value_int(field, given);
    return true;
}

static const char *kept(es_statistics *statistics)
{
    const char *text = es_arena_copy(statistics->arena, statistics->key.text, statistics->key.length);
    es_text_clear(&statistics->key);
    es_text_add(&statistics->key, "", 0);
    return text;
}

/* A stack was deeper than ever before. */
static void take_deeper(es_statistics *statistics, es_statistic_table *table, const es_hit *hit)
{
    es_stats_value value = {0};
    if (!value_of(table, hit, &value) || value.u <= table->mark.used)
        return;
    es_stack_mark *mark = &table->mark;
    *mark = (es_stack_mark){value.u, true, es_time_ns(hit->time, table->schema->clock_hz), NULL, NULL, NULL};
    kept(statistics);
    es_part_path(&statistics->key, table->schema, hit, true);
    mark->path = kept(statistics);
    es_part_place(&statistics->key, table->schema, hit);
    mark->place = kept(statistics);
    if (table->schema->tasks_by) {
        es_text_format(&statistics->key, "%s", es_part_task(table->schema, hit));
        mark->task = kept(statistics);
    }
}

void es_statistics_end(es_statistics *statistics, const es_summary *summary)
{
    for (size_t i = 0; statistics && i < statistics->count; i++) {
        es_statistic_table *table = &statistics->tables[i];
        if (table->aggregate->kind != ES_AGGREGATE_STACK || !summary->complete)
            continue;
        const char *counter = table->statement->fields[table->aggregate->value].name;
        for (size_t k = 0; k < table->schema->counter_count; k++)
            if (strcmp(table->schema->counters[k], counter) == 0 && summary->counters[k] > table->mark.used)
                table->mark = (es_stack_mark){.used = summary->counters[k]};
    }
}

/* A beginning or an end of a procedure. */
static void take_call(es_statistics *statistics, es_statistic_table *table, const es_hit *hit)
{
    bool begins;
    es_profiled call;
    table->uncertain += (hit->flags & ES_HIT_UNCERTAIN) != 0;
    if (es_profile_take(statistics->profile, table->aggregate, hit, &begins, &call)) {
        es_stats_add(table->stats, "", (es_stats_value){.u = call.inclusive_ns});
        table->inclusive_ns += call.outermost ? call.inclusive_ns : 0;
        table->self_ns += call.self_ns;
    }
    table->calls += begins;
    table->unknown += begins && hit->flags & (ES_HIT_NO_PATH | ES_HIT_CUT_PATH | ES_HIT_NO_TASK);
}

void es_statistics_take(es_statistics *statistics, const es_hit *hit)
{
    size_t first = statistics->first[hit->statement], count = statistics->first[hit->statement + 1] - first;
    es_statistic_table *table = statistics->tables + first;
    for (; count > 0; count--, table++) {
        es_stats_value value = {0};
        if (table->aggregate->kind == ES_AGGREGATE_PROFILE) {
            take_call(statistics, table, hit);
            continue;
        }
        if (table->aggregate->kind == ES_AGGREGATE_STACK) {
            take_deeper(statistics, table, hit);
            continue;
        }
        if (table->covered) {
            es_covered_ran(table->covered, table->aggregate->cover, hit->pc);
            table->uncertain += (hit->flags & ES_HIT_UNCERTAIN) != 0;
            continue;
        }
        if (!value_of(table, hit, &value)) {
            table->unknown++;
            continue;
        }
        table->uncertain += (hit->flags & ES_HIT_UNCERTAIN) != 0;
        add_key(&statistics->key, table, hit);
        es_stats_add(table->stats, statistics->key.text, value);
    }
}

/* --- what is shown ---------------------------------------------------------------------------------------------- */

size_t es_statistics_tables(const es_statistics *statistics, const es_statistic_table **tables)
{
    *tables = statistics ? statistics->tables : NULL;
    return statistics ? statistics->count : 0;
}

const es_stats_group **es_statistic_groups(const es_statistic_table *table, size_t *count, size_t *left)
{
    const es_stats_group **groups = es_stats_sorted(table->stats, count);
    *left = 0;
    if (table->aggregate->top && *count > table->aggregate->top) {
        *left = *count - table->aggregate->top;
        *count = table->aggregate->top;
    }
    return groups;
}

bool es_statistic_is_time(const es_statistic_table *table)
{
    return table->aggregate->kind == ES_AGGREGATE_PROFILE ||
           (table->aggregate->kind < ES_AGGREGATE_COUNT &&
            table->statement->fields[table->aggregate->value].kind == ES_FIELD_LENGTH);
}
