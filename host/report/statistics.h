/* Hits aggregated as their statements' actions hist, stats and count ask for; and, where statistics alone are shown,
 * the values of all other statements. */
#ifndef ES_REPORT_STATISTICS_H
#define ES_REPORT_STATISTICS_H

#include <stdbool.h>

#include "base/json.h"
#include "base/text.h"
#include "record/cover.h"
#include "record/record.h"
#include "stats/stats.h"

#define ES_STATISTICS_KEYS 4096  /* groups of one statistic; what comes beyond is one more */
#define ES_STATISTICS_FIELDS 256 /* printed values of one statement that have statistics */

/* How much of a stack was in use, and where that was. */
typedef struct es_stack_mark {
    uint64_t used; /* bytes, at most */
    bool placed;   /* the rest is known */
    uint64_t ns;
    const char *path, *place, *task;
} es_stack_mark;

/* One action's, or one value's. */
typedef struct es_statistic_table {
    const es_schema *schema;
    const es_schema_statement *statement;
    const es_aggregate *aggregate;
    bool of_value;                         /* no action asked for it: it is of what the statement prints */
    size_t values_left;                    /* of_value: so many more values the statement has */
    es_stats *stats;                       /* lengths of time in nanoseconds */
    uint64_t unknown;                      /* hits whose value was not known */
    uint64_t uncertain;                    /* among those that are counted */
    uint64_t calls, inclusive_ns, self_ns; /* of a procedure's profile; inclusive: of outermost calls */
    es_covered *covered;                   /* of a cover; else NULL */
    es_stack_mark mark;                    /* of a stack */
} es_statistic_table;

typedef struct es_statistics es_statistics;

/* NULL when no statement has any. The schema outlives it. values: also of what statements print, numbers as stats(x),
 * all else as count by x. */
es_statistics *es_statistics_new(const es_schema *schema, bool values);
void es_statistics_free(es_statistics *statistics);

void es_statistics_take(es_statistics *statistics, const es_hit *hit);

/* The totals of the run: what its hits have not told, as some were lost. */
void es_statistics_end(es_statistics *statistics, const es_summary *summary);

/* All tables, those of one statement together. */
size_t es_statistics_tables(const es_statistics *statistics, const es_statistic_table **tables);

/* The groups that are to be shown, as es_stats_sorted, to be freed; *left: how many more there are. */
const es_stats_group **es_statistic_groups(const es_statistic_table *table, size_t *count, size_t *left);

/* The profiles' tables as one, the procedures that take longest first; nothing when there are none. */
void es_statistics_profile_text(es_text_buffer *out, const es_statistics *statistics, size_t width, bool utf8);

/* What a value is: a length of time. */
bool es_statistic_is_time(const es_statistic_table *table);

/* For people: a heading, a table or bars, no wider than `width` if that is not 0. Returns how many of the `count`
 * tables were shown: numbers that a statement prints are rows of one. */
size_t es_statistic_text(es_text_buffer *out, const es_statistic_table *tables, size_t count, size_t width, bool utf8);

/* Of a cover: a line for each file, shortened to `width`; and as the value of "files". */
void es_cover_text(es_text_buffer *out, const es_covered *covered, size_t width, bool utf8);
void es_cover_json(es_json *json, const es_covered *covered);

/* Of a stack: its use, and where it was deepest; as values of "size", "used", ... */
void es_stack_text(es_text_buffer *out, const es_statistic_table *table, size_t width, bool utf8);
void es_stack_json(es_json *json, const es_statistic_table *table);

/* One object on a line: {"event":"statistic", ...}, keys as earshot-watch(1) lists them. `last`: monitoring is over. */
void es_statistic_json(es_text_buffer *out, const es_statistic_table *table, bool last, const char *probe);

#endif
