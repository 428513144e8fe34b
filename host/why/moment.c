#include "why/moment.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "replay/moment.h"
#include "replay/past.h"

typedef struct rows {
    const char *file;
    unsigned line;
    es_past *past;
    size_t count;
    bool before; /* the row before was of the line, too */
} rows;

/* One execution of a line begins at the first of its rows. */
static void take_row(void *context, const es_begin_row *row)
{
    rows *r = context;
    bool matches = row->line == r->line && row->file && es_file_matches(row->file, r->file);
    if (matches && !r->before)
        r->count += es_past_point_set(r->past, (es_past_point){ES_PAST_AT, row->address, 1}, true);
    r->before = matches;
}

/* "3", "3rd", "3rd time", "time 3"; nothing: 0, the last one. */
static bool parse_time(const char *text, uint64_t *time)
{
    static const char *const afters[] = {"", "st", "nd", "rd", "th"};
    bool before = strncmp(text, "time ", 5) == 0;
    *time = 0;
    if (!*text)
        return true;
    text += before ? 5 : 0;
    size_t digits = strspn(text, "0123456789");
    *time = strtoull(text, NULL, 10);
    text += digits;
    for (size_t i = 0; i < sizeof afters / sizeof *afters; i++) {
        size_t length = strlen(afters[i]);
        if (strncmp(text, afters[i], length) == 0 &&
            (!text[length] || (!before && strcmp(text + length, " time") == 0)))
            return digits && *time > 0;
    }
    return false;
}

static bool go_to_time(es_past *past, uint64_t time, const char *when, es_error *err)
{
    enum es_past_stop stop = es_past_go(past, time ? 0 : es_timeline_end(past->timeline));
    if (stop != ES_PAST_WRONG && !time)
        stop = es_past_backward(past);
    for (uint64_t i = 0; i < time && (!i || stop == ES_PAST_BREAK); i++)
        stop = es_past_forward(past);
    if (stop == ES_PAST_WRONG)
        return es_fail(err, ES_PROBE, "%s", past->error.text);
    return stop == ES_PAST_BREAK ||
           es_fail(err, ES_USAGE, "%s: the program did not come there%s", when, time > 1 ? " so often" : "");
}

/* file.c:42, with what may follow. */
static bool go_to_line(es_timeline *timeline, const es_symbols *symbols, const es_isa *isa, const char *when,
                       const char *colon, es_error *err)
{
    es_past past;
    uint64_t time;
    char *rest;
    es_text_buffer file = {0};
    es_text_add(&file, when, (size_t)(colon - when));
    es_past_init(&past, timeline, isa);
    rows r = {file.text, (unsigned)strtoul(colon + 1, &rest, 10), &past, 0, false};
    es_symbols_each_statement(symbols, 0, UINT32_MAX, take_row, &r);
    bool good = false;
    rest += strspn(rest, " ");
    if (!parse_time(rest, &time))
        es_fail(err, ES_USAGE, "'%s' after the line is not understood: for example %s:%u 3rd time", rest, r.file,
                r.line);
    else if (!r.count)
        es_fail(err, ES_USAGE, "%s:%u: no code of the program begins at that line", r.file, r.line);
    else
        good = go_to_time(&past, time, when, err);
    es_past_free(&past);
    es_text_free(&file);
    return good;
}

bool es_why_go(es_timeline *timeline, const es_symbols *symbols, const es_isa *isa, const char *when, es_error *err)
{
    const char *colon = strrchr(when, ':');
    uint64_t moment;
    if (colon && colon > when && colon[1] >= '0' && colon[1] <= '9')
        return go_to_line(timeline, symbols, isa, when, colon, err);
    return es_replay_moment_parse(timeline, es_timeline_hz(timeline), when, &moment, err) &&
           es_timeline_seek(timeline, moment, err);
}
