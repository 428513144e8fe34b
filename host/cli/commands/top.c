/* earshot top: a session as a full screen of figures, or as lines of JSON from time to time. */
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands/screen_run.h"
#include "terminal/full.h"
#include "terminal/top.h"

#define SNAPSHOT_STEPS 10 /* between lines of JSON */

static const es_option_set options = {
    "earshot top",
    "usage: earshot top PROGRAM.elf [-e STATEMENT]... [-s FILE.watch]... [OPTION]...\n\n"
    "Runs the program on the simulated target, or listens to a real one, and shows of each statement how often it is\n"
    "true, its last values, and its worst times, on the whole screen.\n",
    "\nKeys: ? shows them. Everything else: man earshot-top.\n",
    ES_OF_TOP,
    {es_common_option_table},
};

typedef struct top_run {
    es_model *model;
    es_top *top; /* NULL: lines of JSON */
    es_top_view view;
    unsigned steps;
} top_run;

static void take(void *context, const es_record *record)
{
    const top_run *t = context;
    es_model_take(t->model, record);
}

static void end(void *context)
{
    const top_run *t = context;
    es_model_end(t->model);
}

static bool step_screen(void *context, int ms)
{
    top_run *t = context;
    bool goes_on = es_top_step(t->top, t->model, ms);
    es_model_look(t->model, &t->view);
    return goes_on && !t->view.over;
}

static bool step_lines(void *context, int ms)
{
    top_run *t = context;
    usleep((useconds_t)ms * 1000);
    es_model_look(t->model, &t->view);
    if (++t->steps % SNAPSHOT_STEPS || !t->view.schema || t->view.over)
        return !t->view.over;
    es_text_buffer line = {0};
    es_top_json(&line, &t->view);
    bool written = fwrite(line.text, 1, line.length, stdout) == line.length && fflush(stdout) == 0;
    es_text_free(&line);
    return written;
}

static int run(es_common_options *o)
{
    bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0, json = o->run.json;
    bool color = es_run_shows_color(&o->run);
    top_run t = {0};
    es_error err;
    if (!json && !es_screen_run_possible()) {
        es_fail(&err, ES_USAGE, "earshot top needs a terminal: elsewhere take --json, or earshot watch");
        return es_cli_fail(&err);
    }
    t.top = json ? NULL : es_top_new(o->session.program, color, utf8);
    if (!json && !t.top) {
        es_fail(&err, ES_USAGE, "this terminal has no full screen (TERM=%s): take --json, or earshot watch",
                getenv("TERM") ? getenv("TERM") : "");
        return es_cli_fail(&err);
    }
    t.model = es_model_new(utf8);
    es_report_config config = {.json = json, .color = color, .utf8 = utf8, .every_ns = o->run.every_ns};
    es_screen_view view = {.take = take,
                           .end = end,
                           .step = json ? step_lines : step_screen,
                           .close = json ? NULL : es_full_close,
                           .context = &t};
    int code = es_screen_run(o, &config, &view, json);
    es_top_view_free(&t.view);
    es_top_free(t.top);
    es_model_free(t.model);
    return code;
}

static int top(int argc, char **argv)
{
    es_common_options o = {0};
    es_error err = {0};
    int rest, code = ES_OK;
    es_common_options_begin(&o);
    enum es_options_read read = es_options_read(&options, argc, argv, &o, &rest, &err);
    bool good = read == ES_OPTIONS_READ;
    if (good && argc - rest > 1)
        good = es_fail(&err, ES_USAGE, "one program at a time: unexpected argument '%s'", argv[rest + 1]);
    good = good && es_common_options_finish(&o, options.command, argc > rest ? argv[rest] : NULL, &err);
    if (read == ES_OPTIONS_HELP)
        es_options_help(&options, stdout);
    else
        code = good ? run(&o) : es_cli_fail(&err);
    es_common_options_free(&o);
    return code;
}

const es_command es_command_top = {
    .name = "top",
    .summary = "shows on the whole screen how often statements are true, and their last values",
    .run = top,
};
