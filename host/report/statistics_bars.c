/* Statistics for people: their parts, and bars. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/times.h"
#include "report/columns.h"
#include "report/statistics_private.h"

#define BAR_MOST 40
#define BAR_LEAST 8
#define LABEL_LEAST 8
#define EMPTY_MOST 4 /* ranges without any value, one after the other, are shown as dots */
#define DIGITS 6     /* of means */

void es_table_text(es_text_buffer *out, const char *text)
{
    es_text_add(out, text, strlen(text));
}

void es_table_blanks(es_text_buffer *out, size_t count)
{
    es_text_format(out, "%*s", (int)count, "");
}

void es_table_number(es_text_buffer *out, const es_statistic_table *table, double number, bool utf8)
{
    if (es_statistic_is_time(table) && number < 0x1p63)
        es_length_text(out, (uint64_t)llround(number), utf8);
    else if (number == floor(number) && fabs(number) < 1e15)
        es_text_format(out, "%.0f", number);
    else
        es_text_format(out, "%.*g", DIGITS, number);
}

void es_table_value(es_text_buffer *out, const es_statistic_table *table, es_stats_value value, bool utf8)
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

const char *es_table_key(const es_stats_group *group)
{
    return !group->key ? "(all others)" : *group->key ? group->key : "(all)";
}

void es_table_short(es_text_buffer *out, const char *key, size_t room, bool utf8)
{
    es_text_buffer shown = {0};
    es_table_text(&shown, key);
    if (room && es_shown_width(shown.text) > room)
        es_text_shorten(&shown, room, utf8);
    es_text_format(out, "%s", shown.text);
    es_text_free(&shown);
}

/* --- hist, count: bars ------------------------------------------------------------------------------------------ */

typedef struct bar {
    es_text_buffer label;
    uint64_t count;
} bar;

/* What a bar has in front of it. */
typedef struct bar_widths {
    size_t label, digits, bar;
} bar_widths;

/* A narrow screen takes from the bars first, then from their labels. */
static bar_widths bar_widths_of(const bar *bars, size_t count, size_t width)
{
    bar_widths w = {.digits = 1, .bar = BAR_MOST};
    for (size_t i = 0; i < count; i++) {
        char number[24];
        size_t length = (size_t)snprintf(number, sizeof number, "%" PRIu64, bars[i].count);
        size_t shown = es_shown_width(bars[i].label.text);
        w.label = shown > w.label ? shown : w.label;
        w.digits = length > w.digits ? length : w.digits;
    }
    size_t taken = ES_TABLE_INDENT + w.label + 2 + w.digits + 3;
    if (width && taken + w.bar > width)
        w.bar = width > taken + BAR_LEAST ? width - taken : BAR_LEAST;
    if (width && taken + w.bar > width)
        w.label = w.label > taken + w.bar - width + LABEL_LEAST ? w.label - (taken + w.bar - width) : LABEL_LEAST;
    return w;
}

static void add_bars(es_text_buffer *out, const bar *bars, size_t count, bool label_right, size_t width, bool utf8)
{
    const bar_widths w = bar_widths_of(bars, count, width);
    uint64_t most = 1;
    for (size_t i = 0; i < count; i++)
        most = bars[i].count > most ? bars[i].count : most;
    for (size_t i = 0; i < count; i++) {
        size_t shown = es_shown_width(bars[i].label.text), blanks = shown < w.label ? w.label - shown : 0;
        size_t length = (size_t)((double)bars[i].count / (double)most * (double)w.bar + 0.5);
        length = bars[i].count && !length ? 1 : length;
        es_table_blanks(out, ES_TABLE_INDENT + (label_right ? blanks : 0));
        es_table_short(out, bars[i].label.text, w.label, utf8);
        es_table_blanks(out, label_right ? 0 : blanks);
        es_text_format(out, "  %*" PRIu64 " |", (int)w.digits, bars[i].count);
        for (size_t k = 0; k < length; k++)
            es_text_add(out, "@", 1);
        es_table_blanks(out, w.bar - length);
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
        es_table_number(out, table, range->low, utf8);
        es_text_add(out, "]", 1);
        return;
    }
    es_text_add(out, range->low < 0 ? "(" : "[", 1);
    es_table_number(out, table, range->low, utf8);
    es_text_add(out, ", ", 2);
    es_table_number(out, table, range->high, utf8);
    es_text_add(out, range->low < 0 ? "]" : ")", 1);
}

void es_table_hist(es_text_buffer *out, const es_statistic_table *table, const es_stats_group *group, size_t width,
                   bool utf8)
{
    es_stats_range ranges[ES_STATS_RANGES_MAX];
    size_t count = es_stats_ranges(table->stats, group, ranges);
    bar *bars = new_bars(count);
    if (table->aggregate->by) {
        es_table_blanks(out, ES_TABLE_INDENT);
        es_table_short(out, es_table_key(group), width > ES_TABLE_INDENT ? width - ES_TABLE_INDENT : 0, utf8);
        es_text_add(out, "\n", 1);
    }
    size_t shown = 0;
    for (size_t i = 0; i < count; i++) {
        size_t empty = 0;
        while (!ranges[i + empty].count) /* the last one is not empty */
            empty++;
        if (empty >= EMPTY_MOST) {
            es_table_text(&bars[shown++].label, "...");
            i += empty;
        }
        bars[shown].count = ranges[i].count;
        add_range(&bars[shown++].label, table, &ranges[i], utf8);
    }
    add_bars(out, bars, shown, true, width, utf8);
    free_bars(bars, shown);
}

void es_table_counts(es_text_buffer *out, const es_stats_group **groups, size_t count, size_t width, bool utf8)
{
    bar *bars = new_bars(count);
    for (size_t i = 0; i < count; i++) {
        bars[i].count = groups[i]->count;
        es_table_text(&bars[i].label, es_table_key(groups[i]));
    }
    add_bars(out, bars, count, false, width, utf8);
    free_bars(bars, count);
}
