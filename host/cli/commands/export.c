/* earshot export: a trace in the formats of other programs. */
#include "export/export.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands/export_recording.h"
#include "cli/commands/trace_part.h"
#include "cli/signals.h"

typedef struct export_options {
    es_trace_part part;
    enum es_export_format format;
    bool has_format;
    const char *output; /* NULL: stdout */
} export_options;

static bool take_format(void *options, const char *value, es_error *err)
{
    static const char *const names[] = {[ES_EXPORT_JSON] = "json",
                                        [ES_EXPORT_CSV] = "csv",
                                        [ES_EXPORT_VCD] = "vcd",
                                        [ES_EXPORT_PERFETTO] = "perfetto",
                                        [ES_EXPORT_LCOV] = "lcov"};
    export_options *o = options;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(value, names[i]) == 0) {
            o->format = (enum es_export_format)i;
            return o->has_format = true;
        }
    if (es_export_is_of_recordings(value))
        return es_fail(err, ES_USAGE,
                       "%s is made of a recording of inputs, and none is given that can be read: earshot export "
                       "RECORDING PROGRAM.elf --format %s",
                       value, value);
    return es_fail(err, ES_USAGE, "--format takes json, csv, vcd, perfetto or lcov, not '%s'", value);
}

static bool take_output(void *options, const char *value, es_error *err)
{
    (void)err;
    ((export_options *)options)->output = value;
    return true;
}

static const es_option own_options[] = {
    {"format", 'f', false, ES_OF_EXPORT, "FORMAT",
     "json, csv, vcd (GTKWave), perfetto (ui.perfetto.dev) or lcov (genhtml)", take_format},
    {"output", 'o', false, ES_OF_EXPORT, "FILE", "there instead of on standard output", take_output},
    {.name = NULL},
};

static const es_option_set options = {
    "earshot export",
    "usage: earshot export DIR --format FORMAT [-o FILE] [OPTION]...\n"
    "       earshot export RECORDING PROGRAM.elf --format FORMAT [-o FILE] [--from MOMENT] [--to MOMENT]\n\n"
    "Writes a trace that `earshot watch --out DIR` or earshotd has kept in the format of another program.\n"
    "Of a recording that `earshot record --inputs` has made, what the whole program did: FORMAT "
    "is\n" ES_EXPORT_RECORDING_FORMATS ".\n",
    "\nWhat stands where in each format: man earshot-export.\n",
    ES_OF_EXPORT,
    {own_options, es_trace_part_table},
};

static bool stop_asked(void *context)
{
    return es_cli_stop_asked() || es_export_failed(context);
}

/* Of a trace without coverage, an empty file would say that nothing has run. */
static bool has_coverage(const es_schema *schema, es_error *err)
{
    for (size_t i = 0; i < schema->statement_count; i++)
        for (size_t k = 0; k < schema->statements[i].aggregate_count; k++)
            if (schema->statements[i].aggregates[k].cover)
                return true;
    return es_fail(err, ES_USAGE,
                   "no statement of the trace says which lines ran: watch with -e 'cover control.c' --out DIR");
}

static bool write_records(es_trace_reader *reader, export_options *o, FILE *file, es_error *err)
{
    es_trace_filter filter;
    if (!es_trace_part_filter(&o->part, reader, &filter, err) ||
        (o->format == ES_EXPORT_LCOV && !has_coverage(es_trace_schema(reader), err)))
        return false;
    es_export *export = es_export_new(o->format, file, es_trace_about_of(reader)->origin_ns);
    es_sink sink = es_export_sink(export);
    filter.stop = stop_asked;
    filter.context = export;
    es_cli_catch_signals();
    bool good = es_trace_read(reader, &filter, &sink, err);
    es_error late;
    if (es_export_end(export, o->output ? o->output : "standard output", &late) || errno == EPIPE || !good)
        return good;
    if (errno != EINTR || !es_cli_stop_asked())
        return es_fail(err, late.code, "%s", late.text);
    fputs("earshot: interrupted while nobody read: not all is written\n", stderr);
    clearerr(file); /* it is told */
    return true;
}

static int write_trace(const char *directory, export_options *o)
{
    es_error err = {0};
    es_trace_reader *reader = es_trace_open(directory, &err);
    if (!reader)
        return es_cli_fail(&err);
    bool good = true;
    FILE *file = o->output ? fopen(o->output, "we") : stdout;
    if (!file)
        good = es_fail(&err, ES_OUTPUT, "%s: cannot be written: %s", o->output, strerror(errno));
    if (good)
        es_trace_part_tell(reader, directory);
    good = good && write_records(reader, o, file, &err);
    if (file && o->output && fclose(file) != 0 && errno != EPIPE && good)
        good = es_fail(&err, ES_OUTPUT, "%s: cannot be written: %s", o->output, strerror(errno));
    es_trace_reader_free(reader);
    return good ? ES_OK : es_cli_fail(&err);
}

static bool check(const export_options *o, int arguments, es_error *err)
{
    if (arguments != 1)
        return es_fail(err, ES_USAGE, "which trace? earshot export DIR --format vcd -o run.vcd");
    if (!o->has_format)
        return es_fail(err, ES_USAGE, "in which format? --format json, csv, vcd, perfetto or lcov");
    if (o->format == ES_EXPORT_PERFETTO && !o->output && isatty(STDOUT_FILENO))
        return es_fail(err, ES_USAGE, "perfetto's traces are no text for a terminal: name a file with -o");
    return true;
}

static int run_export(int argc, char **argv)
{
    export_options o = {0};
    es_error err = {0};
    int rest, code = ES_OK;
    if (es_export_find_recording(argc, argv))
        return es_export_recording(argc, argv);
    es_trace_part_begin(&o.part);
    enum es_options_read read = es_options_read(&options, argc, argv, &o, &rest, &err);
    if (read == ES_OPTIONS_HELP)
        es_options_help(&options, stdout);
    else if (read == ES_OPTIONS_WRONG || !check(&o, argc - rest, &err))
        code = es_cli_fail(&err);
    else
        code = write_trace(argv[rest], &o);
    es_trace_part_end(&o.part);
    return code;
}

const es_command es_command_export = {
    .name = "export",
    .summary = "writes a trace as JSON, CSV, VCD, for Perfetto or lcov; of a recording, profiles and instructions",
    .run = run_export,
};
