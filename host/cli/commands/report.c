/* earshot report: a trace as a page for browsers. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "base/times.h"
#include "cli/cli.h"
#include "cli/commands/trace_part.h"
#include "cli/signals.h"
#include "export/html/html.h"

typedef struct page_options {
    es_trace_part part; /* first: the shared table's functions take it */
    const char *output;
} page_options;

static bool take_output(void *options, const char *value, es_error *err)
{
    (void)err;
    ((page_options *)options)->output = value;
    return true;
}

static const es_option own_options[] = {
    {"output", 'o', false, ES_OF_REPORT, "FILE", "the page; - is standard output", take_output},
    {.name = NULL},
};

static const es_option_set options = {
    "earshot report",
    "usage: earshot report DIR -o FILE.html [OPTION]...\n\n"
    "Writes what a trace holds as one page for browsers: timelines, values, latencies, call paths, losses, with zoom "
    "and\n"
    "search. It needs no server and loads nothing.\n",
    "\nWhat the page shows: docs/report.md. Everything else: man earshot-report.\n",
    ES_OF_REPORT,
    {own_options, es_trace_part_table},
};

/* --- the file ----------------------------------------------------------------------------------------------------- */

/* A page takes the place of an older one when it is whole. What is no ordinary file is written itself. */
typedef struct page_file {
    FILE *out;
    const char *path;
    char *made; /* a new file beside it; NULL: none */
} page_file;

static bool is_ordinary(const char *path)
{
    struct stat status;
    return stat(path, &status) != 0 || S_ISREG(status.st_mode);
}

static bool open_beside(page_file *file)
{
    es_text_buffer name = {0};
    es_text_format(&name, "%s.XXXXXX", file->path);
    file->made = name.text;
    int fd = mkstemp(file->made);
    mode_t mask = umask(0);
    umask(mask);
    if (fd < 0)
        return false;
    fchmod(fd, 0666 & ~mask);
    file->out = fdopen(fd, "w");
    return file->out != NULL;
}

static bool open_page(page_file *file, const char *path, es_error *err)
{
    *file = (page_file){.path = path};
    if (strcmp(path, "-") == 0)
        file->out = stdout;
    else if (!is_ordinary(path))
        file->out = fopen(path, "w");
    else if (!open_beside(file)) {
        free(file->made);
        file->made = NULL;
    }
    return file->out || es_fail(err, ES_OUTPUT, "%s cannot be written: %s", path, strerror(errno));
}

/* An older page stays where this one is not `good`. */
static bool close_page(page_file *file, bool good, es_error *err)
{
    if (file->out != stdout && fclose(file->out) != 0 && good)
        good = es_fail(err, ES_OUTPUT, "%s cannot be written: %s", file->path, strerror(errno));
    if (file->made && good && rename(file->made, file->path) != 0)
        good = es_fail(err, ES_OUTPUT, "%s cannot be written: %s", file->path, strerror(errno));
    if (file->made && !good)
        unlink(file->made);
    free(file->made);
    return good;
}

/* --- the page ----------------------------------------------------------------------------------------------------- */

static bool is_enough(void *context)
{
    return es_cli_stop_asked() || es_html_is_full(context);
}

/* "--from 5ms --task idle", or nothing. */
static void tell_part(es_text_buffer *out, const es_trace_part *part)
{
    if (part->from_ns) {
        es_text_format(out, " from ");
        es_length_text(out, part->from_ns, true);
    }
    if (part->to_ns) {
        es_text_format(out, " until ");
        es_length_text(out, part->to_ns, true);
    }
    for (size_t i = 0; i < part->statement_count; i++)
        es_text_format(out, "%s%s", i ? ", " : " of ", part->statements[i]);
    for (size_t i = 0; i < part->task_count; i++)
        es_text_format(out, "%s%s", i ? ", " : " in task ", part->tasks[i]);
}

static bool write_page(es_html *html, const es_trace_reader *reader, const page_options *o, es_error *err)
{
    const es_trace_about *trace = es_trace_about_of(reader);
    es_text_buffer part = {0};
    page_file file;
    tell_part(&part, &o->part);
    es_html_about about = {.probe = trace->probe,
                           .part = part.length ? part.text + 1 : NULL,
                           .origin_ns = trace->origin_ns,
                           .removed = trace->first_chunk - 1,
                           .torn_bytes = trace->torn_bytes,
                           .unfinished = !trace->finished};
    bool good = open_page(&file, o->output, err);
    if (good) {
        errno = 0;
        good = es_html_write(html, &about, file.out, err);
        bool has_reader_left = !good && err->code == ES_OUTPUT && errno == EPIPE;
        good = close_page(&file, good, err) || has_reader_left;
    }
    es_text_free(&part);
    return good;
}

static bool make_page(es_trace_reader *reader, page_options *o, es_error *err)
{
    es_html *html = es_html_new();
    es_sink sink = es_html_sink(html);
    es_trace_filter filter;
    bool good = es_trace_part_filter(&o->part, reader, &filter, err);
    filter.stop = is_enough;
    filter.context = html;
    es_cli_catch_signals();
    good = good && es_trace_read(reader, &filter, &sink, err);
    if (good && es_cli_stop_asked())
        good = es_fail(err, ES_OUTPUT, "interrupted: no page was written");
    good = good && write_page(html, reader, o, err);
    es_html_free(html);
    return good;
}

static int make(const char *directory, page_options *o)
{
    es_error err = {0};
    es_trace_reader *reader = es_trace_open(directory, &err);
    bool good = reader && make_page(reader, o, &err);
    if (good)
        es_trace_part_tell(reader, directory);
    es_trace_reader_free(reader);
    return good ? ES_OK : es_cli_fail(&err);
}

static int run_report(int argc, char **argv)
{
    page_options o = {.output = NULL};
    es_error err = {0};
    int rest, code;
    es_trace_part_begin(&o.part);
    enum es_options_read read = es_options_read(&options, argc, argv, &o, &rest, &err);
    if (read == ES_OPTIONS_READ && (rest + 1 != argc || !o.output)) {
        es_fail(&err, ES_USAGE, "which trace, and where does its page go? earshot report DIR -o FILE.html");
        read = ES_OPTIONS_WRONG;
    }
    if (read == ES_OPTIONS_HELP) {
        es_options_help(&options, stdout);
        code = ES_OK;
    } else {
        code = read == ES_OPTIONS_WRONG ? es_cli_fail(&err) : make(argv[rest], &o);
    }
    es_trace_part_end(&o.part);
    return code;
}

const es_command es_command_report = {
    .name = "report",
    .summary = "makes a web page of a trace that was written earlier",
    .run = run_report,
};
