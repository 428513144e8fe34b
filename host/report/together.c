#include "report/together.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/times.h"
#include "report/columns.h"

#define NS 1000000000
#define TOLD "earshot: " /* how lines on stderr begin */

typedef struct shown {
    char *name;
    es_report *report; /* each has statements of its own */
    bool told_unknown; /* that lines cannot be placed */
} shown;

struct es_together {
    es_report_config config;
    bool live;
    shown *probes;
    size_t count, name_width;
    size_t current;         /* whose record is being shown */
    const es_axis_time *at; /* when that was; NULL: it has no time */
    bool late;
    bool summary; /* it is one */
    bool begun;   /* `origin` is known: the first time of all */
    bool explained_late;
    int64_t origin_ns;
    atomic_bool closed;
    int closed_errno;
};

/* --- lines ------------------------------------------------------------------------------------------------------- */

/* "   0.012345678 s \302\2611 us   LEFT  ": since the first record, how far off that may be, whose it is. */
static void add_place(const es_together *t, es_text_buffer *out)
{
    const char *name = t->probes[t->current].name;
    es_text_buffer error = {0};
    if (t->at && t->at->known) {
        int64_t since = t->at->steady_ns - t->origin_ns, whole = since < 0 ? -since : since;
        es_length_text(&error, (uint64_t)(t->at->error_ns + 999) / 1000 * 1000, t->config.utf8);
        es_text_format(out, "%c%5" PRId64 ".%06" PRId64 " s %s%s%*s %c", since < 0 ? '-' : ' ', whole / NS,
                       whole % NS / 1000, t->config.utf8 ? "\302\261" : "+-", error.text,
                       (int)(es_shown_width(error.text) < 6 ? 6 - es_shown_width(error.text) : 0), "",
                       t->late ? '^' : ' ');
    } else {
        es_text_format(out, "%16s%*s", t->at ? "? s" : "", t->config.utf8 ? 9 : 10, "");
    }
    es_text_format(out, "%s%*s ", name, (int)(t->name_width - es_shown_width(name)), "");
    es_text_free(&error);
}

/* How many columns that takes of a terminal. */
static size_t place_width(const es_together *t)
{
    return (t->config.utf8 ? 25 : 26) + t->name_width + 1;
}

/* Before the JSON object's end. */
static void add_members(const es_together *t, es_text_buffer *out)
{
    if (t->at->known)
        es_text_format(out, ",\"steady_ns\":%" PRId64 ",\"unix_ns\":%" PRId64 ",\"error_ns\":%" PRId64,
                       t->at->steady_ns, t->at->unix_ns, t->at->error_ns);
    else
        es_text_format(out, ",\"steady_ns\":null,\"unix_ns\":null,\"error_ns\":null");
    if (t->late)
        es_text_format(out, ",\"late\":true");
}

static void add_result(const es_together *t, es_text_buffer *out, const char *line, size_t size)
{
    bool object = t->config.json && t->at && size > 2 && line[size - 2] == '}';
    if (!t->config.json && !t->summary)
        add_place(t, out);
    es_text_add(out, line, object ? size - 2 : size);
    if (object) {
        add_members(t, out);
        es_text_add(out, "}\n", 2);
    }
}

/* "earshot: LEFT: no hits yet:" */
static void add_other(const es_together *t, es_text_buffer *out, const char *line, size_t size)
{
    size_t head = strlen(TOLD);
    bool told = size > head && memcmp(line, TOLD, head) == 0;
    es_text_format(out, "%s%s: ", told ? TOLD : "", t->probes[t->current].name);
    es_text_add(out, line + (told ? head : 0), size - (told ? head : 0));
}

static bool put(const es_together *t, bool result, const es_text_buffer *out)
{
    FILE *file = result ? stdout : stderr;
    if (!result)
        fflush(stdout);
    errno = 0;
    return fwrite(out->text, 1, out->length, file) == out->length && ((result && !t->live) || fflush(file) == 0);
}

static bool write_lines(void *context, bool result, const char *bytes, size_t size)
{
    es_together *t = context;
    es_text_buffer out = {0};
    for (size_t at = 0, length; at < size; at += length) {
        const char *end = memchr(bytes + at, '\n', size - at);
        length = end ? (size_t)(end - bytes) - at + 1 : size - at;
        if (result)
            add_result(t, &out, bytes + at, length);
        else
            add_other(t, &out, bytes + at, length);
    }
    bool good = put(t, result, &out);
    es_text_free(&out);
    return good;
}

static void tell(const es_together *t, const char *text)
{
    if (t->config.json || t->config.quiet)
        return;
    fflush(stdout);
    fputs(text, stderr);
}

static void tell_origin(const es_together *t, int64_t unix_ns)
{
    es_text_buffer line = {0};
    char text[64];
    time_t seconds = (time_t)(unix_ns / NS);
    struct tm utc;
    gmtime_r(&seconds, &utc);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &utc);
    es_text_format(&line,
                   "earshot: times begin at %s.%06" PRId64 " UTC by this computer's clock, to which the probes' %s "
                   "compared;\nafter each stands how far off it may be\n",
                   text, unix_ns % NS / 1000, t->live ? "are" : "were");
    tell(t, line.text);
    es_text_free(&line);
}

/* --- records ----------------------------------------------------------------------------------------------------- */

static void note_closed(es_together *t, const es_report *report)
{
    int error;
    if (atomic_load(&t->closed) || !es_report_closed(report, &error))
        return;
    t->closed_errno = error;
    atomic_store(&t->closed, true);
}

void es_together_take(es_together *t, size_t probe, const es_record *record, const es_axis_time *at, bool late)
{
    es_report *report = t->probes[probe].report;
    es_sink sink = es_report_sink(report);
    if (atomic_load(&t->closed))
        return;
    if (at && at->known && !t->begun) {
        t->begun = true;
        t->origin_ns = at->steady_ns;
        tell_origin(t, at->unix_ns);
    }
    if (late && !t->explained_late) {
        t->explained_late = true;
        tell(t, "earshot: what is marked ^ came too late to be put in its place: it belongs further up\n");
    }
    if (at && !at->known && t->live && !t->probes[probe].told_unknown && !t->config.json && !t->config.quiet) {
        t->probes[probe].told_unknown = true;
        es_together_tell(t, probe, "nothing is known of its clock (yet): its lines are shown as they come");
    }
    t->current = probe;
    t->at = at;
    t->late = late;
    t->summary = record->kind == ES_RECORD_SUMMARY;
    if (t->summary && !t->config.json && !t->config.quiet)
        printf("\n%s:\n", t->probes[probe].name);
    es_report_margin(report, place_width(t));
    es_sink_give(&sink, record);
    note_closed(t, report);
}

void es_together_tell(es_together *t, size_t probe, const char *text)
{
    es_text_buffer line = {0};
    t->current = probe;
    es_text_format(&line, TOLD "%s\n", text);
    write_lines(t, false, line.text, line.length);
    es_text_free(&line);
}

void es_together_finish(es_together *t, size_t probe)
{
    t->current = probe;
    t->at = NULL;
    t->summary = true;
    es_report_finish(t->probes[probe].report);
    note_closed(t, t->probes[probe].report);
}

bool es_together_closed(const es_together *t, int *error)
{
    bool closed = atomic_load(&t->closed);
    *error = closed ? t->closed_errno : 0;
    return closed;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

es_together *es_together_new(const es_report_config *config, bool live)
{
    es_together *t = es_malloc(sizeof *t);
    memset(t, 0, sizeof *t);
    t->config = *config;
    t->live = live;
    return t;
}

size_t es_together_add(es_together *t, const char *name)
{
    es_report_config config = t->config;
    t->probes = es_realloc(t->probes, (t->count + 1) * sizeof *t->probes);
    shown *probe = &t->probes[t->count];
    *probe = (shown){.name = strdup(name)};
    config.probe = probe->name;
    config.out = (es_report_out){.write = write_lines, .context = t};
    probe->report = es_report_new(&config);
    if (es_shown_width(name) > t->name_width)
        t->name_width = es_shown_width(name);
    return t->count++;
}

void es_together_free(es_together *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->count; i++) {
        es_report_free(t->probes[i].report);
        free(t->probes[i].name);
    }
    free(t->probes);
    free(t);
}
