#include "cli/report/private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "image/image.h"

#define CONSOLE_LINE_MAX 4096 /* a longer console line is shown in pieces */

es_report *es_report_new(const es_report_config *config)
{
    es_report *report = es_malloc(sizeof *report);
    memset(report, 0, sizeof *report);
    report->config = *config;
    for (size_t i = 0; i < config->program->statement_count; i++) {
        size_t width = strlen(config->program->statements[i].name);
        if (width > report->name_width)
            report->name_width = width < 24 ? width : 24;
    }
    return report;
}

/* Writes report->line to stdout and empties it. */
static void flush(es_report *report)
{
    if (!report->closed && report->line.length) {
        errno = 0;
        if (fwrite(report->line.text, 1, report->line.length, stdout) != report->line.length || fflush(stdout) != 0) {
            report->closed = true;
            report->closed_errno = errno;
        }
    }
    es_text_clear(&report->line);
}

static void show_console_line(es_report *report)
{
    report->config.form->console(report, report->console.text, report->console.length);
    flush(report);
    es_text_clear(&report->console);
}

void es_report_console(es_report *report, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '\n') {
            es_text_add(&report->console, "", 0);
            show_console_line(report);
        } else if (bytes[i] != '\r' && bytes[i] != 0) {
            es_text_add(&report->console, &bytes[i], 1);
            if (report->console.length == CONSOLE_LINE_MAX)
                show_console_line(report);
        }
    }
}

void es_report_free(es_report *report)
{
    if (!report)
        return;
    es_text_free(&report->line);
    es_text_free(&report->console);
    free(report);
}

bool es_report_closed(const es_report *report, int *error)
{
    *error = report->closed_errno;
    return report->closed;
}

static void tell(const char *what, const char *format, va_list args)
{
    fflush(stdout);
    fprintf(stderr, "earshot: %s", what);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

void es_report_note(es_report *report, const char *format, ...)
{
    if (report->config.quiet)
        return;
    va_list args;
    va_start(args, format);
    tell("", format, args);
    va_end(args);
}

void es_report_warn(es_report *report, const char *format, ...)
{
    (void)report;
    va_list args;
    va_start(args, format);
    tell("warning: ", format, args);
    va_end(args);
}

bool es_report_times(const es_report *report, const es_event *event, uint64_t times[4])
{
    size_t words = es_image_words(&report->config.program->statements[event->statement]);
    times[0] = event->time;
    if (!report->config.times || event->word_count != words + ES_IMAGE_TIMES)
        return false;
    for (size_t i = 0; i < ES_IMAGE_TIMES; i++)
        times[i + 1] = es_image_time(event->time, event->words[words + i]);
    return true;
}

void es_report_hit(es_report *report, const es_event *event)
{
    if ((event->flags & ES_HITF_UNCERTAIN) && !report->explained_uncertain) {
        report->explained_uncertain = true;
        es_report_note(
            report,
            "hits marked ? may be wrong: bus transactions were lost, and what they depend on has not been seen since");
    }
    if (((event->flags & ES_HITF_PATH_UNKNOWN) || !event->path_known) && event->pc != ES_HIT_NOWHERE &&
        !report->explained_path) {
        report->explained_path = true;
        es_report_note(report, "the call path could not be followed everywhere: it is shown as unknown there");
    }
    report->config.form->hit(report, event);
    flush(report);
}

void es_report_gap(es_report *report, const es_event *event)
{
    report->config.form->gap(report, event);
    flush(report);
}

void es_report_summary(es_report *report, const es_summary *summary)
{
    if (report->console.length)
        show_console_line(report);
    report->config.form->summary(report, summary);
    flush(report);
}
