/* Statistics for people: tables, and bars. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/times.h"
#include "report/columns.h"
#include "report/statistics.h"

#define COLUMNS 9
#define BAR_MOST 40
#define BAR_LEAST 8
#define INDENT 2
#define EMPTY_MOST 4 /* ranges without any value, one after the other, are shown as dots */
#define DIGITS 6     /* of means */

static void add_text(es_text_buffer *out, const char *text)
{
    es_text_add(out, text, strlen(text));
}

static void add_blanks(es_text_buffer *out, size_t count)
{
    es_text_format(out, "%*s", (int)count, "");
}

/* A number that may be no value but a bound of one or a mean. */
static void add_number(es_text_buffer *out, const es_statistic_table *table, double number, bool utf8)
{
    if (es_statistic_is_time(table) && number < 0x1p63)
        es_length_text(out, (uint64_t)llround(number), utf8);
    else if (number == floor(number) && fabs(number) < 1e15)
        es_text_format(out, "%.0f", number);
    else
        es_text_format(out, "%.*g", DIGITS, number);
}

static void add_value(es_text_buffer *out, const es_statistic_table *table, es_stats_value value, bool utf8)
{
    char text[32];
    if (es_statistic_is_time(table)) {
        es_length_text(out, value.u, utf8);
        return;
    }
    switch (es_stats_kind_of(table->stats)) {
    case ES_STATS_INT: es_text_format(out, "%" PRId64, value.i); return;
    case ES_STATS_UINT: es_text_format(out, "%" PRIu64, value.u); return;
    case ES_STATS_REAL:
        es_double_text(text, value.real);
        es_text_format(out, "%s", text);
        return;
    }
}

static const char *key_of(const es_stats_group *group)
{
    return !group->key ? "(all others)" : *group->key ? group->key : "(all)";
}

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
    add_value(&cells[2], table, group->least, utf8);
    add_number(&cells[3], table, es_stats_mean(table->stats, group), utf8);
    for (size_t i = 0; i < sizeof percents / sizeof *percents; i++)
        add_value(&cells[4 + i], table, es_stats_percentile(table->stats, group, percents[i]), utf8);
    add_value(&cells[8], table, group->most, utf8);
}

static void add_rows(es_text_buffer *out, es_text_buffer (*rows)[COLUMNS], size_t count, size_t width)
{
    size_t widths[COLUMNS] = {0}, all = INDENT;
    for (size_t r = 0; r < count; r++)
        for (size_t c = 0; c < COLUMNS; c++) {
            size_t shown = es_shown_width(rows[r][c].text);
            widths[c] = shown > widths[c] ? shown : widths[c];
        }
    for (size_t c = 0; c < COLUMNS; c++)
        all += widths[c] + 2;
    bool own_line = width && all > width + 2; /* keys above their numbers */
    for (size_t r = 0; r < count; r++) {
        add_blanks(out, INDENT);
        if (own_line)
            es_text_format(out, "%s\n%*s", rows[r][0].text, INDENT, "");
        else
            es_text_format(out, "%s%*s", rows[r][0].text, (int)(widths[0] - es_shown_width(rows[r][0].text)), "");
        for (size_t c = 1; c < COLUMNS; c++) {
            add_blanks(out, 2 + widths[c] - es_shown_width(rows[r][c].text));
            es_text_format(out, "%s", rows[r][c].text);
        }
        es_text_add(out, "\n", 1);
    }
}

static void add_stats(es_text_buffer *out, const es_statistic_table *table, const es_stats_group **groups, size_t count,
                      size_t width, bool utf8)
{
    static const char *const heads[COLUMNS] = {"", "n", "min", "mean", "p50", "p90", "p99", "p99.9", "max"};
    es_text_buffer(*rows)[COLUMNS] = calloc(count + 1, sizeof *rows);
    if (!rows)
        abort();
    for (size_t c = 0; c < COLUMNS; c++)
        add_text(&rows[0][c], heads[c]);
    for (size_t i = 0; i < count; i++) {
        add_text(&rows[i + 1][0], table->aggregate->by ? key_of(groups[i]) : "");
        fill_row(rows[i + 1], table, groups[i], utf8);
    }
    add_rows(out, rows, count + 1, width);
    for (size_t i = 0; i <= count; i++)
        for (size_t c = 0; c < COLUMNS; c++)
            es_text_free(&rows[i][c]);
    free(rows);
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
    add_text(&cells[0], table->statement->name);
    es_text_format(&cells[1], "%" PRIu64, table->calls);
    es_length_text(&cells[2], table->inclusive_ns, utf8);
    es_length_text(&cells[3], table->self_ns, utf8);
    for (size_t c = 4; c < COLUMNS; c++)
        add_text(&cells[c], "");
    if (count) {
        add_value(&cells[4], table, groups[0]->least, utf8);
        add_number(&cells[5], table, es_stats_mean(table->stats, groups[0]), utf8);
        add_value(&cells[6], table, es_stats_percentile(table->stats, groups[0], 90), utf8);
        add_value(&cells[7], table, es_stats_percentile(table->stats, groups[0], 99), utf8);
        add_value(&cells[8], table, groups[0]->most, utf8);
    }
    free((void *)groups);
}

void es_statistics_profile_text(es_text_buffer *out, const es_statistics *statistics, size_t width, bool utf8)
{
    static const char *const heads[COLUMNS] = {"", "calls", "inclusive", "self", "min", "mean", "p90", "p99", "max"};
    const es_statistic_table *tables;
    size_t all = es_statistics_tables(statistics, &tables), count = 0;
    const es_statistic_table **sorted = calloc(all + 1, sizeof *sorted);
    es_text_buffer(*rows)[COLUMNS] = calloc(all + 1, sizeof *rows);
    if (!sorted || !rows)
        abort();
    for (size_t i = 0; i < all; i++)
        if (tables[i].aggregate->kind == ES_AGGREGATE_PROFILE)
            sorted[count++] = &tables[i];
    qsort((void *)sorted, count, sizeof *sorted, compare_profiles);
    for (size_t c = 0; c < COLUMNS; c++)
        add_text(&rows[0][c], heads[c]);
    for (size_t i = 0; i < count; i++)
        fill_profile(rows[i + 1], sorted[i], utf8);
    if (count) {
        es_text_format(out, "\nprofile\n");
        add_rows(out, rows, count + 1, width);
    }
    for (size_t i = 0; i <= count; i++)
        for (size_t c = 0; c < COLUMNS; c++)
            es_text_free(&rows[i][c]);
    free(rows);
    free((void *)sorted);
}

/* --- hist, count: bars ------------------------------------------------------------------------------------------ */

typedef struct bar {
    es_text_buffer label;
    uint64_t count;
} bar;

static void add_bars(es_text_buffer *out, const bar *bars, size_t count, bool label_right, size_t width)
{
    uint64_t most = 1;
    size_t label = 0, digits = 1, room = BAR_MOST;
    for (size_t i = 0; i < count; i++) {
        char number[24];
        size_t length = (size_t)snprintf(number, sizeof number, "%" PRIu64, bars[i].count);
        size_t shown = es_shown_width(bars[i].label.text);
        most = bars[i].count > most ? bars[i].count : most;
        label = shown > label ? shown : label;
        digits = length > digits ? length : digits;
    }
    size_t taken = INDENT + label + 2 + digits + 4;
    if (width && taken + room > width)
        room = width > taken + BAR_LEAST ? width - taken : BAR_LEAST;
    for (size_t i = 0; i < count; i++) {
        size_t blanks = label - es_shown_width(bars[i].label.text);
        size_t length = (size_t)((double)bars[i].count / (double)most * (double)room + 0.5);
        length = bars[i].count && !length ? 1 : length;
        add_blanks(out, INDENT + (label_right ? blanks : 0));
        es_text_format(out, "%s", bars[i].label.text);
        add_blanks(out, label_right ? 0 : blanks);
        es_text_format(out, "  %*" PRIu64 " |", (int)digits, bars[i].count);
        for (size_t k = 0; k < length; k++)
            es_text_add(out, "@", 1);
        add_blanks(out, room - length);
        es_text_add(out, "|\n", 2);
    }
}

static void free_bars(bar *bars, size_t count)
{
    for (size_t i = 0; i < count; i++)
        es_text_free(&bars[i].label);
    free(bars);
}

static bar *new_bars(size_t count)
{
    bar *bars = calloc(count + 1, sizeof *bars);
    if (!bars)
        abort();
    return bars;
}

/* "[4, 8)"; below 0 "(-8, -4]" */
static void add_range(es_text_buffer *out, const es_statistic_table *table, const es_stats_range *range, bool utf8)
{
    bool whole = es_stats_kind_of(table->stats) != ES_STATS_REAL;
    if (range->low == range->high || (whole && range->low == 1)) {
        es_text_add(out, "[", 1);
        add_number(out, table, range->low, utf8);
        es_text_add(out, "]", 1);
        return;
    }
    es_text_add(out, range->low < 0 ? "(" : "[", 1);
    add_number(out, table, range->low, utf8);
    es_text_add(out, ", ", 2);
    add_number(out, table, range->high, utf8);
    es_text_add(out, range->low < 0 ? "]" : ")", 1);
}

static void add_hist(es_text_buffer *out, const es_statistic_table *table, const es_stats_group *group, size_t width,
                     bool utf8)
{
    es_stats_range ranges[ES_STATS_RANGES_MAX];
    size_t count = es_stats_ranges(table->stats, group, ranges);
    bar *bars = new_bars(count);
    if (table->aggregate->by)
        es_text_format(out, "%*s%s\n", INDENT, "", key_of(group));
    size_t shown = 0;
    for (size_t i = 0; i < count; i++) {
        size_t empty = 0;
        while (!ranges[i + empty].count) /* the last one is not empty */
            empty++;
        if (empty >= EMPTY_MOST) {
            add_text(&bars[shown++].label, "...");
            i += empty;
        }
        bars[shown].count = ranges[i].count;
        add_range(&bars[shown++].label, table, &ranges[i], utf8);
    }
    add_bars(out, bars, shown, true, width);
    free_bars(bars, shown);
}

static void add_counts(es_text_buffer *out, const es_stats_group **groups, size_t count, size_t width)
{
    bar *bars = new_bars(count);
    for (size_t i = 0; i < count; i++) {
        bars[i].count = groups[i]->count;
        add_text(&bars[i].label, key_of(groups[i]));
    }
    add_bars(out, bars, count, false, width);
    free_bars(bars, count);
}

static void add_remarks(es_text_buffer *out, const es_statistic_table *table, size_t left)
{
    if (left)
        es_text_format(out, "%*s%zu more left out\n", INDENT, "", left);
    if (table->unknown)
        es_text_format(out, "%*s%" PRIu64 " hits whose value is not known\n", INDENT, "", table->unknown);
    if (table->uncertain)
        es_text_format(out, "%*s%" PRIu64 " of these hits are uncertain\n", INDENT, "", table->uncertain);
}

void es_statistic_text(es_text_buffer *out, const es_statistic_table *table, size_t width, bool utf8)
{
    size_t count, left;
    const es_stats_group **groups = es_statistic_groups(table, &count, &left);
    es_text_format(out, "\n%s: %s\n", table->statement->name, table->aggregate->name);
    if (!count)
        es_text_format(out, "%*sno hits\n", INDENT, "");
    else if (table->aggregate->kind == ES_AGGREGATE_STATS)
        add_stats(out, table, groups, count, width, utf8);
    else if (table->aggregate->kind == ES_AGGREGATE_COUNT)
        add_counts(out, groups, count, width);
    for (size_t i = 0; i < count && table->aggregate->kind == ES_AGGREGATE_HIST; i++)
        add_hist(out, table, groups[i], width, utf8);
    add_remarks(out, table, left);
    free((void *)groups);
}
