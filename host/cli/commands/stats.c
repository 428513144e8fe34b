/* earshot stats: statistics alone, of a session, of a run of the daemon's, or of a trace. */
#include <langinfo.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/commands/screen_run.h"
#include "cli/commands/trace_show.h"
#include "terminal/full.h"
#include "terminal/tables.h"

static const char synopsis[] = "usage: earshot stats PROGRAM.elf [-e STATEMENT]... [-s FILE.watch]... [OPTION]...\n"
                               "       earshot stats --run NAME [OPTION]...\n"
                               "       earshot stats DIR [OPTION]...\n\n"
                               "Shows how often statements are true, and statistics of their values, without the hits: "
                               "of a program that it runs or\n"
                               "listens to, of a run of earshotd's, or of a trace on disk.\n";

/* --- of a trace ------------------------------------------------------------------------------------------------- */

typedef struct trace_options {
    es_trace_part part;
    bool json, no_color;
} trace_options;

static bool take_json(void *options, const char *value, es_error *err)
{
    (void)value, (void)err;
    return ((trace_options *)options)->json = true;
}

static bool take_no_color(void *options, const char *value, es_error *err)
{
    (void)value, (void)err;
    return ((trace_options *)options)->no_color = true;
}

static const es_option trace_table[] = {
    {"json", 'j', false, ES_OF_TRACE_STATS, NULL, "JSON Lines on stdout", take_json},
    {"no-color", 0, false, ES_OF_TRACE_STATS, NULL, "no colours on a terminal", take_no_color},
    {.name = NULL},
};

static const es_option_set of_trace = {
    "earshot stats", synopsis, "", ES_OF_TRACE_STATS, {trace_table, es_trace_part_table},
};

static int show_trace(int argc, char **argv)
{
    trace_options o = {0};
    es_error err = {0};
    int rest, code;
    es_trace_part_begin(&o.part);
    enum es_options_read read = es_options_read(&of_trace, argc, argv, &o, &rest, &err);
    if (read == ES_OPTIONS_READ && rest + 1 != argc) {
        es_fail(&err, ES_USAGE, "one trace at a time: unexpected argument '%s'", argv[rest + 1]);
        read = ES_OPTIONS_WRONG;
    }
    es_report_config config = {.json = o.json, .statistics = true};
    if (read == ES_OPTIONS_HELP) {
        es_options_help(&of_trace, stdout);
        code = ES_OK;
    } else if (read == ES_OPTIONS_WRONG) {
        code = es_cli_fail(&err);
    } else {
        code = es_trace_show(argv[rest], &o.part, &config, o.no_color);
    }
    es_trace_part_end(&o.part);
    return code;
}

/* --- of a session ----------------------------------------------------------------------------------------------- */

static const es_option_set of_run = {
    "earshot stats",
    synopsis,
    "\nOf a trace, DIR: --from, --to, --statement, --task, --json, --no-color as of `earshot read`.\n"
    "Everything else: man earshot-stats.\n",
    ES_OF_STATS,
    {es_common_option_table},
};

static void take(void *context, const es_record *record)
{
    es_tables_take(context, record);
}

static void end(void *context)
{
    es_tables_end(context);
}

static void look(void *context, es_report *report)
{
    es_tables_look(context, report);
}

static bool step(void *context, int ms)
{
    return es_tables_step(context, ms);
}

/* In a pipe, and where statistics are asked for from time to time, in lines; else on the screen. */
static int run(es_common_options *o)
{
    bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0, color = es_run_shows_color(&o->run);
    o->run.statistics = true;
    bool on_screen = !o->run.json && !o->run.every_ns && es_screen_run_possible();
    const char *title = o->run.joined ? o->run.joined : o->session.program;
    es_tables *tables = on_screen ? es_tables_new(title, color, utf8) : NULL;
    if (!tables)
        return es_run(&o->session, &o->access, &o->run);
    es_report_config config = es_run_report(&o->run);
    es_screen_view view = {
        .take = take, .end = end, .look = look, .step = step, .close = es_full_close, .context = tables};
    int code = es_screen_run(o, &config, &view, false);
    es_tables_free(tables);
    return code;
}

static int show_run(int argc, char **argv)
{
    es_common_options o = {0};
    es_error err = {0};
    int rest, code = ES_OK;
    es_common_options_begin(&o);
    enum es_options_read read = es_options_read(&of_run, argc, argv, &o, &rest, &err);
    bool good = read == ES_OPTIONS_READ;
    if (good && argc - rest > 1)
        good = es_fail(&err, ES_USAGE, "one program at a time: unexpected argument '%s'", argv[rest + 1]);
    good = good && es_common_options_finish(&o, of_run.command, argc > rest ? argv[rest] : NULL, &err);
    if (read == ES_OPTIONS_HELP)
        es_options_help(&of_run, stdout);
    else
        code = good ? run(&o) : es_cli_fail(&err);
    es_common_options_free(&o);
    return code;
}

/* A directory among the arguments: no option of a session's takes one. */
static bool names_trace(int argc, char **argv)
{
    struct stat about;
    for (int i = 1; i < argc; i++)
        if (argv[i][0] != '-' && stat(argv[i], &about) == 0 && S_ISDIR(about.st_mode))
            return true;
    return false;
}

static int stats(int argc, char **argv)
{
    return names_trace(argc, argv) ? show_trace(argc, argv) : show_run(argc, argv);
}

const es_command es_command_stats = {
    .name = "stats",
    .summary = "shows how often statements are true, and statistics of their values",
    .run = stats,
};
