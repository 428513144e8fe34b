#include "cli/commands/export_recording.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/cli.h"
#include "cli/commands/past.h"
#include "cli/commands/trace_part.h"
#include "cli/signals.h"
#include "itrace/itrace.h"
#include "prof/records.h"
#include "prof/write.h"
#include "replay/moment.h"
#include "replay/recording.h"
#include "store/trace.h"

enum format { PROFILE, CALLGRIND, FOLDED, LCOV, PERFETTO, CTF, INSTRUCTIONS, SPIKE, FORMATS };

typedef struct recording_options {
    enum format format; /* FORMATS: not said */
    const char *output; /* NULL: stdout */
    es_replay_moment from, to;
} recording_options;

static const char *const names[FORMATS] = {"profile",  "callgrind", "folded",       "lcov",
                                           "perfetto", "ctf",       "instructions", "spike"};

static enum format format_of(const char *name)
{
    enum format format = 0;
    while (format < FORMATS && strcmp(name, names[format]) != 0)
        format++;
    return format;
}

bool es_export_is_of_recordings(const char *format)
{
    return format_of(format) != FORMATS;
}

static bool take_format(void *options, const char *value, es_error *err)
{
    recording_options *o = options;
    o->format = format_of(value);
    return o->format != FORMATS ||
           es_fail(err, ES_USAGE, "of a recording, --format takes " ES_EXPORT_RECORDING_FORMATS ", not '%s'", value);
}

static bool take_output(void *options, const char *value, es_error *err)
{
    (void)err;
    ((recording_options *)options)->output = value;
    return true;
}

static bool take_from(void *options, const char *value, es_error *err)
{
    return es_replay_moment_read("--from", value, &((recording_options *)options)->from, err);
}

static bool take_to(void *options, const char *value, es_error *err)
{
    return es_replay_moment_read("--to", value, &((recording_options *)options)->to, err);
}

static const es_option own_options[] = {
    {"format", 'f', false, ES_OF_EXPORT, "FORMAT",
     "profile (flat, with callers), callgrind (KCachegrind), folded (flame graphs), lcov, perfetto, ctf (a trace, as "
     "of earshot watch --out), instructions or spike",
     take_format},
    {"output", 'o', false, ES_OF_EXPORT, "FILE", "there instead of on standard output; ctf: the directory",
     take_output},
    {"from", 0, false, ES_OF_EXPORT, "MOMENT", "from then on: 1.5ms, a number of instructions, start, end", take_from},
    {"to", 0, false, ES_OF_EXPORT, "MOMENT", "... and before that", take_to},
    {.name = NULL},
};

static const es_option_set options = {
    "earshot export",
    "usage: earshot export RECORDING PROGRAM.elf --format FORMAT [-o FILE] [OPTION]...\n\n"
    "Writes what a program did, from a recording that `earshot record --inputs` has made.\n",
    "\nWhat stands where in each format: man earshot-export.\n",
    ES_OF_EXPORT,
    {own_options},
};

/* --- what is written ---------------------------------------------------------------------------------------------- */

typedef struct part {
    uint64_t from, to;
} part;

static bool part_of(es_past_file *file, const recording_options *o, part *it, es_error *err)
{
    if (!es_replay_moment_of(file->timeline, file->hz, &o->from, &it->from, err) ||
        !es_replay_moment_of(file->timeline, file->hz, &o->to, &it->to, err))
        return false;
    return it->from < it->to || es_fail(err, ES_USAGE, "nothing lies between --from and --to");
}

static bool write_failed(const char *output, es_error *err)
{
    if (!output && errno == EPIPE) /* who has read enough has not failed */
        return true;
    return es_fail(err, ES_OUTPUT, "%s: cannot be written: %m", output ? output : "standard output");
}

static bool end_output(FILE *out)
{
    return out == stdout ? fflush(stdout) == 0 : fclose(out) == 0;
}

static bool write_instructions(es_past_file *file, part it, const recording_options *o, uint64_t *reached,
                               es_error *err)
{
    enum es_itrace_format format = o->format == SPIKE ? ES_ITRACE_SPIKE : ES_ITRACE_TEXT;
    FILE *out = o->output ? fopen(o->output, "we") : stdout;
    if (!out)
        return write_failed(o->output, err);
    bool good =
        es_itrace_write(out, format, file->timeline, file->symbols, it.from, it.to, es_cli_stop_asked, reached, err);
    if (!good && err->code == ES_OUTPUT)
        good = write_failed(o->output, err);
    bool written = end_output(out);
    return good && (written || write_failed(o->output, err));
}

static bool write_perfetto(es_past_file *file, es_prof *profile, part it, const char *output, es_error *err)
{
    FILE *out = output ? fopen(output, "we") : stdout;
    if (!out)
        return write_failed(output, err);
    es_prof_perfetto *perfetto = es_prof_perfetto_begin(out, es_base_name(file->program), profile);
    bool good = es_prof_take(profile, file->timeline, file->symbols, it.from, it.to, es_cli_stop_asked, err);
    bool written = es_prof_perfetto_end(perfetto);
    written = end_output(out) && written;
    return good && (written || write_failed(output, err));
}

static void give_note(const es_sink *sink, const char *text)
{
    es_sink_give(sink, &(es_record){.kind = ES_RECORD_NOTE, .text = {text, strlen(text)}});
}

static bool write_ctf(es_past_file *file, es_prof *profile, part it, const recording_options *o, es_error *err)
{
    const es_procedure *const *procedures;
    size_t count = es_symbols_procedures(file->symbols, &procedures);
    if (count > ES_PROF_RECORDS_PROCEDURES)
        return es_fail(err, ES_USAGE,
                       "%s: a trace has the calls of %u procedures at most, and these are %zu: take "
                       "--format perfetto",
                       file->program, ES_PROF_RECORDS_PROCEDURES, count);
    es_trace *trace = es_trace_create(&(es_trace_options){.directory = o->output, .waits = true}, err);
    if (!trace)
        return false;
    es_sink sink = es_trace_sink(trace);
    es_prof_records *records = es_prof_records_begin(&sink, file->program, profile);
    bool good = es_prof_take(profile, file->timeline, file->symbols, it.from, it.to, es_cli_stop_asked, err);
    if (good && profile->to < it.to)
        give_note(&sink, "interrupted: the recording has more");
    else if (good && o->to.kind == ES_MOMENT_END && !es_timeline_is_whole(file->timeline))
        give_note(&sink, es_timeline_ended(file->timeline));
    es_prof_records_end(records);
    es_error late;
    bool written = es_trace_close(trace, good ? err : &late);
    return good && written;
}

static bool write_profile(es_past_file *file, es_prof *profile, part it, const recording_options *o, es_error *err)
{
    es_text_buffer text = {0};
    profile->keep_paths = o->format == FOLDED;
    if (!es_prof_take(profile, file->timeline, file->symbols, it.from, it.to, es_cli_stop_asked, err))
        return false;
    switch (o->format) {
    case CALLGRIND: es_prof_callgrind(&text, profile, file->program); break;
    case FOLDED: es_prof_folded(&text, profile); break;
    case LCOV: es_prof_lcov(&text, profile); break;
    default: es_prof_text(&text, profile, es_base_name(file->program)); break;
    }
    bool good = es_cli_write_out(&text, o->output, err);
    es_text_free(&text);
    return good;
}

static bool write_format(es_past_file *file, const recording_options *o, es_error *err)
{
    part it;
    es_prof profile = {0};
    bool good;
    if (!part_of(file, o, &it, err))
        return false;
    if (o->format == SPIKE || o->format == INSTRUCTIONS)
        good = write_instructions(file, it, o, &profile.to, err);
    else if (o->format == CTF)
        good = write_ctf(file, &profile, it, o, err);
    else if (o->format == PERFETTO)
        good = write_perfetto(file, &profile, it, o->output, err);
    else
        good = write_profile(file, &profile, it, o, err);
    if (good && es_cli_stop_asked() && profile.to < it.to)
        fprintf(stderr, "earshot: interrupted: what is written ends after instruction %" PRIu64 "\n", profile.to);
    es_prof_free(&profile);
    return good;
}

static bool check(const recording_options *o, int arguments, es_error *err)
{
    if (arguments != 2)
        return es_fail(err, ES_USAGE,
                       "of a recording, the program is needed: earshot export RECORDING PROGRAM.elf --format profile");
    if (o->format == FORMATS)
        return es_fail(err, ES_USAGE, "in which format? --format " ES_EXPORT_RECORDING_FORMATS);
    if (o->format == PERFETTO && !o->output && isatty(STDOUT_FILENO))
        return es_fail(err, ES_USAGE, "perfetto's traces are no text for a terminal: name a file with -o");
    if (o->format == CTF && !o->output)
        return es_fail(err, ES_USAGE, "a trace is a directory: name one with -o");
    return true;
}

static bool run(int arguments, char **argv, const recording_options *o, es_error *err)
{
    es_past_file file;
    if (!check(o, arguments, err))
        return false;
    bool first = es_recording_is(argv[0]);
    if (!es_past_file_open(&file, argv[first ? 0 : 1], argv[first ? 1 : 0], err))
        return false;
    es_cli_catch_signals();
    bool good = write_format(&file, o, err);
    const char *ended = es_timeline_ended(file.timeline);
    if (good && o->to.kind == ES_MOMENT_END && !es_timeline_is_whole(file.timeline))
        fprintf(stderr, "earshot: %s\n", ended);
    es_past_file_close(&file);
    return good;
}

int es_export_find_recording(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (argv[i][0] != '-' && es_recording_is(argv[i]))
            return i;
    return 0;
}

int es_export_recording(int argc, char **argv)
{
    recording_options o = {.format = FORMATS, .to = {.kind = ES_MOMENT_END}};
    es_error err = {0};
    int rest, code = ES_OK;
    enum es_options_read read = es_options_read(&options, argc, argv, &o, &rest, &err);
    if (read == ES_OPTIONS_HELP)
        es_options_help(&options, stdout);
    else if (read == ES_OPTIONS_WRONG || !run(argc - rest, argv + rest, &o, &err))
        code = es_cli_fail(&err);
    return code;
}
