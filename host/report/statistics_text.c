/* Statistics for people: tables. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/times.h"
#include "report/columns.h"
#include "report/statistics_private.h"

#define COLUMNS 9

/* --- stats: a table --------------------------------------------------------------------------------------------- */

/* A row's cells, all but the key; without any value they are empty. */
static void fill_row(es_text_buffer cells[COLUMNS], const es_statistic_table *table, const es_stats_group *group,
                     bool utf8)
{
    static const double percents[] = {50, 90, 99, 99.9};
    es_text_format(&cells[1], "%" PRIu64, group->count);
    for (size_t c = 2; c < COLUMNS; c++)
        es_text_add(&cells[c], "", 0);
    if (!group->count)
        return;
    es_table_value(&cells[2], table, group->least, utf8);
    es_table_number(&cells[3], table, es_stats_mean(table->stats, group), utf8);
    for (size_t i = 0; i < sizeof percents / sizeof *percents; i++)
        es_table_value(&cells[4 + i], table, es_stats_percentile(table->stats, group, percents[i]), utf8);
    es_table_value(&cells[8], table, group->most, utf8);
}

/* How rows stand in a width: which columns are shown, and whether keys have lines of their own. */
typedef struct layout {
    size_t widths[COLUMNS];
    bool left_out[COLUMNS], own_line;
} layout;

static size_t row_width(const layout *l, bool own_line)
{
    size_t sum = ES_TABLE_INDENT + (own_line ? 0 : l->widths[0]);
    for (size_t c = 1; c < COLUMNS; c++)
        sum += l->left_out[c] ? 0 : l->widths[c] + 2;
    return sum;
}

/* Keys above their numbers take less room; where that is not enough, the columns between the mean and the most go. */
static layout lay_out(es_text_buffer (*rows)[COLUMNS], size_t count, size_t width)
{
    layout l = {0};
    for (size_t r = 0; r < count; r++)
        for (size_t c = 0; c < COLUMNS; c++) {
            size_t shown = es_shown_width(rows[r][c].text);
            l.widths[c] = shown > l.widths[c] ? shown : l.widths[c];
        }
    for (size_t c = COLUMNS - 2; width && c > 3 && row_width(&l, true) > width; c--)
        l.left_out[c] = true;
    l.own_line = width && row_width(&l, false) > width;
    return l;
}

static void add_rows(es_text_buffer *out, es_text_buffer (*rows)[COLUMNS], size_t count, size_t width, bool utf8)
{
    const layout l = lay_out(rows, count, width);
    for (size_t r = 0; r < count; r++) {
        es_table_blanks(out, ES_TABLE_INDENT);
        if (l.own_line && *rows[r][0].text) {
            es_table_short(out, rows[r][0].text, width > ES_TABLE_INDENT ? width - ES_TABLE_INDENT : 1, utf8);
            es_text_format(out, "\n%*s", ES_TABLE_INDENT, "");
        } else if (!l.own_line) {
            es_text_format(out, "%s%*s", rows[r][0].text, (int)(l.widths[0] - es_shown_width(rows[r][0].text)), "");
        }
        for (size_t c = 1; c < COLUMNS; c++) {
            if (l.left_out[c])
                continue;
            es_table_blanks(out, 2 + l.widths[c] - es_shown_width(rows[r][c].text));
            es_text_format(out, "%s", rows[r][c].text);
        }
        es_text_add(out, "\n", 1);
    }
}

/* Rows of cells: the heads, and room for `count` more. */
static es_text_buffer (*new_rows(const char *const heads[COLUMNS], size_t count))[COLUMNS]
{
    es_text_buffer(*rows)[COLUMNS] = calloc(count + 1, sizeof *rows);
    if (!rows)
        abort();
    for (size_t c = 0; c < COLUMNS; c++)
        es_table_text(&rows[0][c], heads[c]);
    return rows;
}

static void free_rows(es_text_buffer (*rows)[COLUMNS], size_t count)
{
    for (size_t i = 0; i <= count; i++)
        for (size_t c = 0; c < COLUMNS; c++)
            es_text_free(&rows[i][c]);
    free(rows);
}

static const char *const stats_heads[COLUMNS] = {"", "n", "min", "mean", "p50", "p90", "p99", "p99.9", "max"};

static void add_stats(es_text_buffer *out, const es_statistic_table *table, const es_stats_group **groups, size_t count,
                      size_t width, bool utf8)
{
    es_text_buffer(*rows)[COLUMNS] = new_rows(stats_heads, count);
    for (size_t i = 0; i < count; i++) {
        es_table_text(&rows[i + 1][0], table->aggregate->by ? es_table_key(groups[i]) : "");
        fill_row(rows[i + 1], table, groups[i], utf8);
    }
    add_rows(out, rows, count + 1, width, utf8);
    free_rows(rows, count);
}

/* --- profile: a row for each procedure -------------------------------------------------------------------------- */

static int compare_profiles(const void *left, const void *right)
{
    const es_statistic_table *const *a = left, *const *b = right;
    if ((*a)->inclusive_ns != (*b)->inclusive_ns)
        return (*a)->inclusive_ns > (*b)->inclusive_ns ? -1 : 1;
    return strcmp((*a)->statement->name, (*b)->statement->name);
}

static void fill_profile(es_text_buffer cells[COLUMNS], const es_statistic_table *table, bool utf8)
{
    size_t count;
    const es_stats_group **groups = es_stats_sorted(table->stats, &count);
    es_table_text(&cells[0], table->statement->name);
    es_text_format(&cells[1], "%" PRIu64, table->calls);
    es_length_text(&cells[2], table->inclusive_ns, utf8);
    es_length_text(&cells[3], table->self_ns, utf8);
    for (size_t c = 4; c < COLUMNS; c++)
        es_table_text(&cells[c], "");
    if (count) {
        es_table_value(&cells[4], table, groups[0]->least, utf8);
        es_table_number(&cells[5], table, es_stats_mean(table->stats, groups[0]), utf8);
        es_table_value(&cells[6], table, es_stats_percentile(table->stats, groups[0], 90), utf8);
        es_table_value(&cells[7], table, es_stats_percentile(table->stats, groups[0], 99), utf8);
        es_table_value(&cells[8], table, groups[0]->most, utf8);
    }
    free((void *)groups);
}

void es_statistics_profile_text(es_text_buffer *out, const es_statistics *statistics, size_t width, bool utf8)
{
    static const char *const heads[COLUMNS] = {"", "calls", "inclusive", "self", "min", "mean", "p90", "p99", "max"};
    const es_statistic_table *tables;
    size_t all = es_statistics_tables(statistics, &tables), count = 0;
    const es_statistic_table **sorted = calloc(all + 1, sizeof *sorted);
    es_text_buffer(*rows)[COLUMNS] = new_rows(heads, all);
    if (!sorted)
        abort();
    for (size_t i = 0; i < all; i++)
        if (tables[i].aggregate->kind == ES_AGGREGATE_PROFILE)
            sorted[count++] = &tables[i];
    qsort((void *)sorted, count, sizeof *sorted, compare_profiles);
    for (size_t i = 0; i < count; i++)
        fill_profile(rows[i + 1], sorted[i], utf8);
    if (count) {
        es_text_format(out, "\nprofile\n");
        add_rows(out, rows, count + 1, width, utf8);
    }
    free_rows(rows, count);
    free((void *)sorted);
}

static void add_remarks(es_text_buffer *out, const es_statistic_table *table, size_t left)
{
    if (left)
        es_text_format(out, "%*s%zu more left out\n", ES_TABLE_INDENT, "", left);
    if (table->unknown)
        es_text_format(out, "%*s%" PRIu64 " %s whose value is not known\n", ES_TABLE_INDENT, "", table->unknown,
                       es_plural(table->unknown, "hit", "hits"));
    if (table->uncertain)
        es_text_format(out, "%*s%" PRIu64 " of these hits %s uncertain\n", ES_TABLE_INDENT, "", table->uncertain,
                       es_plural(table->uncertain, "is", "are"));
}

/* --- printed numbers: a row for each ---------------------------------------------------------------------------- */

static bool is_number(const es_statistic_table *table)
{
    return table->of_value && table->aggregate->kind == ES_AGGREGATE_STATS;
}

static void add_numbers(es_text_buffer *out, const es_statistic_table *tables, size_t count, size_t width, bool utf8)
{
    es_text_buffer(*rows)[COLUMNS] = new_rows(stats_heads, count);
    static const es_stats_group none;
    for (size_t i = 0; i < count; i++) {
        size_t found;
        const es_stats_group **groups = es_stats_sorted(tables[i].stats, &found);
        es_table_text(&rows[i + 1][0], tables[i].statement->fields[tables[i].aggregate->value].name);
        fill_row(rows[i + 1], &tables[i], found ? groups[0] : &none, utf8);
        free((void *)groups);
    }
    es_text_format(out, "\n%s\n", tables->statement->name);
    add_rows(out, rows, count + 1, width, utf8);
    for (size_t i = 0; i < count; i++) {
        const char *name = rows[i + 1][0].text;
        if (tables[i].unknown)
            es_text_format(out, "%*s%" PRIu64 " %s whose %s is not known\n", ES_TABLE_INDENT, "", tables[i].unknown,
                           es_plural(tables[i].unknown, "hit", "hits"), name);
        if (tables[i].uncertain)
            es_text_format(out, "%*s%" PRIu64 " of the hits with %s %s uncertain\n", ES_TABLE_INDENT, "",
                           tables[i].uncertain, name, es_plural(tables[i].uncertain, "is", "are"));
    }
    free_rows(rows, count);
}

static void add_values_left(es_text_buffer *out, const es_statistic_table *table)
{
    if (table->values_left)
        es_text_format(out, "%*s%zu more %s of it %s left out\n", ES_TABLE_INDENT, "", table->values_left,
                       es_plural(table->values_left, "value", "values"), es_plural(table->values_left, "is", "are"));
}

size_t es_statistic_text(es_text_buffer *out, const es_statistic_table *tables, size_t count, size_t width, bool utf8)
{
    size_t group_count, left, numbers = 0;
    while (numbers < count && is_number(&tables[numbers]) && tables[numbers].statement == tables->statement)
        numbers++;
    if (numbers) {
        add_numbers(out, tables, numbers, width, utf8);
        add_values_left(out, &tables[numbers - 1]);
        return numbers;
    }
    const es_stats_group **groups = es_statistic_groups(tables, &group_count, &left);
    es_text_format(out, "\n%s: %s\n", tables->statement->name, tables->aggregate->name);
    if (tables->aggregate->kind == ES_AGGREGATE_STACK)
        es_stack_text(out, tables, width, utf8);
    else if (tables->covered)
        es_cover_text(out, tables->covered, width, utf8);
    else if (!group_count)
        es_text_format(out, "%*sno hits\n", ES_TABLE_INDENT, "");
    else if (tables->aggregate->kind == ES_AGGREGATE_STATS)
        add_stats(out, tables, groups, group_count, width, utf8);
    else if (tables->aggregate->kind == ES_AGGREGATE_COUNT)
        es_table_counts(out, groups, group_count, width, utf8);
    for (size_t i = 0; i < group_count && tables->aggregate->kind == ES_AGGREGATE_HIST; i++)
        es_table_hist(out, tables, groups[i], width, utf8);
    add_remarks(out, tables, left);
    add_values_left(out, tables);
    free((void *)groups);
    return 1;
}
