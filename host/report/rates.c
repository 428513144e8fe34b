#include "report/rates.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/times.h"
#include "report/columns.h"

#define NUMBER_WIDTH ((size_t)12) /* of the columns of numbers */
#define NAME_LEAST 8
#define WORDS_LEAST 70 /* columns of a screen on which there is room for words */

void es_rates_begin(es_rates *rates, const es_schema *schema, uint64_t from, uint64_t to, bool whole)
{
    es_rates_free(rates);
    *rates = (es_rates){.schema = schema, .from = from, .to = to, .begin = ES_NO_TIME, .whole = whole};
    rates->statements = es_malloc((schema->statement_count + 1) * sizeof *rates->statements);
    for (size_t i = 0; i < schema->statement_count; i++)
        rates->statements[i] = (es_rate){.first = ES_NO_TIME, .last = ES_NO_TIME};
}

void es_rates_free(es_rates *rates)
{
    free(rates->statements);
    rates->statements = NULL;
}

static void see(es_rates *rates, uint64_t time)
{
    rates->begin = time < rates->begin ? time : rates->begin;
    rates->end = time > rates->end ? time : rates->end;
}

static void take_summary(es_rates *rates, const es_record *record)
{
    const es_summary *summary = record->summary;
    if (summary->cycles)
        see(rates, summary->cycles);
    for (size_t i = 0; i < rates->schema->statement_count; i++)
        if (rates->whole && summary->statement_hits[i] > rates->statements[i].hits)
            rates->statements[i].hits = summary->statement_hits[i];
}

void es_rates_take(es_rates *rates, const es_record *record)
{
    switch (record->kind) {
    case ES_RECORD_HIT: {
        es_rate *rate = &rates->statements[record->hit->statement];
        rate->hits++;
        rate->first = rate->first == ES_NO_TIME ? record->hit->time : rate->first;
        rate->last = record->hit->time;
        see(rates, record->hit->time);
        return;
    }
    case ES_RECORD_PROGRESS:
        if (record->progress->time)
            see(rates, record->progress->time);
        return;
    case ES_RECORD_SUMMARY: take_summary(rates, record); return;
    default: return;
    }
}

/* The stretch as far as it is known: from *begin to *end, in clocks. */
static void stretch_of(const es_rates *rates, uint64_t *begin, uint64_t *end)
{
    uint64_t seen = rates->begin == ES_NO_TIME ? 0 : rates->begin;
    *begin = rates->from == ES_NO_TIME ? seen : rates->from;
    *end = rates->to == ES_NO_TIME ? rates->end : rates->to;
    if (*end < *begin)
        *end = *begin;
}

/* Hits a second of the target's time. */
static double rate_of(const es_rates *rates, size_t statement)
{
    uint64_t begin, end;
    stretch_of(rates, &begin, &end);
    return end > begin
               ? (double)rates->statements[statement].hits * (double)rates->schema->clock_hz / (double)(end - begin)
               : 0;
}

/* --- for people --------------------------------------------------------------------------------------------------- */

/* Three digits at least, and no more after the point than are needed for them. */
static void add_rate(es_text_buffer *out, double rate)
{
    int decimals = rate <= 0 || rate >= 99.95 ? 0 : rate >= 9.995 ? 1 : 2;
    if (rate > 0 && rate < 0.995)
        es_text_format(out, "%*.3g", (int)NUMBER_WIDTH, rate);
    else
        es_text_format(out, "%*.*f", (int)NUMBER_WIDTH, decimals, rate);
}

static void add_time(es_text_buffer *out, const es_rates *rates, uint64_t time)
{
    es_time_unit unit = es_time_unit_of(rates->schema->clock_hz, rates->schema->origin != ES_ORIGIN_HARDWARE);
    es_text_buffer text = {0};
    es_text_format(&text, "%s", time == ES_NO_TIME ? "-" : "");
    if (time != ES_NO_TIME)
        es_time_in(&text, unit, es_time_ns(time, rates->schema->clock_hz), 0);
    es_text_format(out, "  %*s%s",
                   (int)(es_shown_width(text.text) < NUMBER_WIDTH ? NUMBER_WIDTH - es_shown_width(text.text) : 0), "",
                   text.text);
    es_text_free(&text);
}

static void add_name(es_text_buffer *out, const char *name, size_t width, bool utf8)
{
    es_text_buffer text = {0};
    es_text_format(&text, "%s", name);
    if (es_shown_width(text.text) > width)
        es_text_shorten(&text, width, utf8);
    es_text_format(out, "  %s%*s", text.text, (int)(width - es_shown_width(text.text)), "");
    es_text_free(&text);
}

void es_rates_text(es_text_buffer *out, const es_rates *rates, size_t width, bool utf8)
{
    const es_schema *schema = rates->schema;
    size_t name = strlen("statement"), numbers = 2 + 2 * (NUMBER_WIDTH + 1), times = 2 * (NUMBER_WIDTH + 2);
    uint64_t begin, end;
    for (size_t i = 0; i < schema->statement_count; i++) {
        size_t shown = es_shown_width(schema->statements[i].name);
        name = shown > name ? shown : name;
    }
    bool with_times = !width || name + numbers + times <= width;
    if (width && !with_times && name + numbers > width)
        name = width > numbers + NAME_LEAST ? width - numbers : NAME_LEAST;
    es_text_add(out, "\n", 1);
    add_name(out, "statement", name, utf8);
    es_text_format(out, " %*s %*s", (int)NUMBER_WIDTH, "hits", (int)NUMBER_WIDTH, "a second");
    if (with_times)
        es_text_format(out, "  %*s  %*s", (int)NUMBER_WIDTH, "first", (int)NUMBER_WIDTH, "last");
    es_text_add(out, "\n", 1);
    for (size_t i = 0; i < schema->statement_count; i++) {
        add_name(out, schema->statements[i].name, name, utf8);
        es_text_format(out, " %*" PRIu64 " ", (int)NUMBER_WIDTH, rates->statements[i].hits);
        add_rate(out, rate_of(rates, i));
        if (with_times) {
            add_time(out, rates, rates->statements[i].first);
            add_time(out, rates, rates->statements[i].last);
        }
        es_text_add(out, "\n", 1);
    }
    es_time_unit unit = es_time_unit_of(schema->clock_hz, schema->origin != ES_ORIGIN_HARDWARE);
    stretch_of(rates, &begin, &end);
    es_text_format(out, width && width < WORDS_LEAST ? "  from " : "  in the target's time from ");
    es_time_in(out, unit, es_time_ns(begin, schema->clock_hz), 0);
    es_text_format(out, " to ");
    es_time_in(out, unit, es_time_ns(end, schema->clock_hz), 0);
    es_text_add(out, "\n", 1);
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static void json_time(es_json *json, const es_rates *rates, const char *key, uint64_t time)
{
    es_json_key(json, key);
    es_json_uint(json, es_time_ns(time, rates->schema->clock_hz));
}

void es_rates_json(es_text_buffer *out, const es_rates *rates, bool last, const char *probe)
{
    es_json json = {.out = out};
    uint64_t begin, end;
    es_json_begin(&json, '{');
    es_json_key(&json, "event");
    es_json_string(&json, "rates");
    if (probe) {
        es_json_key(&json, "probe");
        es_json_string(&json, probe);
    }
    es_json_key(&json, "last");
    es_json_bool(&json, last);
    stretch_of(rates, &begin, &end);
    json_time(&json, rates, "from_ns", begin);
    json_time(&json, rates, "to_ns", end);
    es_json_key(&json, "statements");
    es_json_begin(&json, '{');
    for (size_t i = 0; i < rates->schema->statement_count; i++) {
        const es_rate *rate = &rates->statements[i];
        es_json_key(&json, rates->schema->statements[i].name);
        es_json_begin(&json, '{');
        es_json_key(&json, "hits");
        es_json_uint(&json, rate->hits);
        es_json_key(&json, "rate");
        es_json_double(&json, rate_of(rates, i));
        if (rate->first != ES_NO_TIME) {
            json_time(&json, rates, "first_ns", rate->first);
            json_time(&json, rates, "last_ns", rate->last);
        }
        es_json_end(&json, '}');
    }
    es_json_end(&json, '}');
    es_json_end(&json, '}');
    es_text_add(out, "\n", 1);
}
