/* earshot read: what a trace tells, as `earshot watch` showed it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/commands/read_several.h"
#include "cli/commands/trace_show.h"
#include "replay/recording.h"

typedef struct read_options {
    es_trace_part part;
    bool json, quiet, no_color, repair;
} read_options;

static bool take_json(void *options, const char *value, es_error *err)
{
    (void)value, (void)err;
    return ((read_options *)options)->json = true;
}

static bool take_quiet(void *options, const char *value, es_error *err)
{
    (void)value, (void)err;
    return ((read_options *)options)->quiet = true;
}

static bool take_no_color(void *options, const char *value, es_error *err)
{
    (void)value, (void)err;
    return ((read_options *)options)->no_color = true;
}

static bool take_repair(void *options, const char *value, es_error *err)
{
    (void)value, (void)err;
    return ((read_options *)options)->repair = true;
}

static const es_option own_options[] = {
    {"json", 'j', false, ES_OF_READ, NULL, "JSON Lines on stdout", take_json},
    {"quiet", 'q', false, ES_OF_READ, NULL, "hits only: no notes, no summary", take_quiet},
    {"no-color", 0, false, ES_OF_READ, NULL, "no colours on a terminal", take_no_color},
    {"repair", 0, false, ES_OF_READ, NULL, "shows nothing: cuts off what was half written when the writer was killed",
     take_repair},
    {.name = NULL},
};

static const es_option_set options = {
    "earshot read",
    "usage: earshot read DIR... [OPTION]...\n"
    "       earshot read RECORDING PROGRAM.elf -e STATEMENT... [OPTION]...\n\n"
    "Shows a trace that `earshot watch --out DIR` or earshotd has written, or one of its chunks, as it was shown "
    "then. Several traces, of real probes at\none computer: on one time axis, with how far off each time may be.\n"
    "Of a recording that `earshot record --inputs` has made: evaluates statements on it, as `earshot watch "
    "PROGRAM.elf\n"
    "--probe file:RECORDING` does, whose options it takes.\n",
    "\nWhat a trace consists of: docs/traces.md. Everything else: man earshot-read.\n",
    ES_OF_READ,
    {own_options, es_trace_part_table},
};

static int repair(const char *directory)
{
    uint64_t cut;
    es_error err;
    if (!es_trace_mend(directory, &cut, &err))
        return es_cli_fail(&err);
    if (cut)
        fprintf(stderr, "earshot: %s: a torn end of %llu bytes was cut off\n", directory, (unsigned long long)cut);
    else
        fprintf(stderr, "earshot: %s: nothing to repair\n", directory);
    return ES_OK;
}

static int show_several(char **directories, size_t count, const read_options *o)
{
    const es_trace_part *part = &o->part;
    es_error err = {0};
    es_report_config config = {.json = o->json, .quiet = o->quiet};
    if (!o->repair && !part->from_ns && !part->to_ns && !part->statement_count && !part->task_count)
        return es_read_several(directories, count, &config, o->no_color);
    es_fail(&err, ES_USAGE, "--repair, --from, --to, --statement and --task are for one trace at a time");
    return es_cli_fail(&err);
}

static int show(const char *directory, read_options *o)
{
    es_report_config config = {.json = o->json, .quiet = o->quiet};
    return es_trace_show(directory, &o->part, &config, o->no_color);
}

/* The recording of a target's inputs among the arguments; 0: there is none. */
static int find_recording(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (argv[i][0] != '-' && es_recording_is(argv[i]))
            return i;
    return 0;
}

/* Statements on it: as `earshot watch PROGRAM.elf --probe file:RECORDING`. */
static int read_recording(int argc, char **argv, int recording)
{
    es_text_buffer probe = {0};
    char **arguments = es_malloc(((size_t)argc + 3) * sizeof *arguments);
    int count = 0;
    es_text_format(&probe, "--probe=file:%s", argv[recording]);
    for (int i = 0; i < argc; i++)
        arguments[count++] = i == recording ? probe.text : argv[i];
    arguments[count] = NULL;
    int code = es_command_watch.run(count, arguments);
    free(arguments);
    es_text_free(&probe);
    return code;
}

/* Statements make sense on a recording alone: so what is given is to be one. */
static bool means_recording(int argc, char **argv)
{
    static const char *const words[] = {"--expression", "--statements"};
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (argv[i][0] == '-' && (argv[i][1] == 'e' || argv[i][1] == 's'))
            return true;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            size_t length = strlen(words[k]);
            if (strncmp(argv[i], words[k], length) == 0 && (!argv[i][length] || argv[i][length] == '='))
                return true;
        }
    }
    return false;
}

/* ... and is none: says why. */
static int refuse_recording(int argc, char **argv)
{
    es_error err = {0};
    int at = 1;
    while (at < argc && argv[at][0] == '-' && argv[at][1]) /* an option, and its value where that is a word by itself */
        at += at + 1 < argc && argv[at][1] != '-' && !argv[at][2] && strchr("esnt", argv[at][1]) ? 2 : 1;
    struct stat status;
    if (at >= argc)
        es_fail(&err, ES_USAGE, "which recording? earshot read RECORDING PROGRAM.elf -e 'temp > 80'");
    else if (stat(argv[at], &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        es_fail(&err, ES_USAGE, "%s is no file: statements are evaluated on recordings that are files", argv[at]);
    else
        es_recording_reader_free(es_recording_open(argv[at], &err));
    return es_cli_fail(&err);
}

static int run_read(int argc, char **argv)
{
    int recording = find_recording(argc, argv);
    if (recording)
        return read_recording(argc, argv, recording);
    if (means_recording(argc, argv))
        return refuse_recording(argc, argv);
    read_options o = {0};
    es_error err = {0};
    int rest, code;
    struct stat status;
    es_trace_part_begin(&o.part);
    enum es_options_read read = es_options_read(&options, argc, argv, &o, &rest, &err);
    if (read == ES_OPTIONS_READ && rest == argc) {
        es_fail(&err, ES_USAGE, "which trace? earshot read DIR");
        read = ES_OPTIONS_WRONG;
    }
    for (int i = rest; read == ES_OPTIONS_READ && i < argc; i++)
        if (stat(argv[i], &status) == 0 && S_ISREG(status.st_mode)) {
            es_fail(&err, ES_USAGE,
                    "%s is no trace: a trace is a directory. Of a recording, statements are evaluated: earshot read "
                    "RECORDING PROGRAM.elf -e 'temp > 80'",
                    argv[i]);
            read = ES_OPTIONS_WRONG;
        }
    if (read == ES_OPTIONS_HELP) {
        es_options_help(&options, stdout);
        code = ES_OK;
    } else if (read == ES_OPTIONS_WRONG) {
        code = es_cli_fail(&err);
    } else {
        code = rest + 1 < argc ? show_several(argv + rest, (size_t)(argc - rest), &o)
               : o.repair      ? repair(argv[rest])
                               : show(argv[rest], &o);
    }
    es_trace_part_end(&o.part);
    return code;
}

const es_command es_command_read = {
    .name = "read",
    .summary = "shows a trace that was written earlier",
    .run = run_read,
};
