/* earshot runs: what the daemon monitors. */
#include <inttypes.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/json.h"
#include "base/sizes.h"
#include "base/times.h"
#include "cli/cli.h"
#include "cli/option.h"
#include "client/client.h"
#include "record/clock_text.h"

#define OF_RUNS 1u

typedef struct runs_options {
    const char *socket, *stop;
    bool json;
} runs_options;

static bool take_socket(void *options, const char *value, es_error *err)
{
    (void)err;
    ((runs_options *)options)->socket = value;
    return true;
}

static bool take_stop(void *options, const char *value, es_error *err)
{
    (void)err;
    ((runs_options *)options)->stop = value;
    return true;
}

static bool take_json(void *options, const char *value, es_error *err)
{
    (void)value, (void)err;
    ((runs_options *)options)->json = true;
    return true;
}

static const es_option table[] = {
    {"socket", 's', false, OF_RUNS, "PATH", "the daemon's socket (default: where it usually is)", take_socket},
    {"stop", 0, false, OF_RUNS, "NAME", "ends a run, and waits until its trace is complete", take_stop},
    {"json", 'j', false, OF_RUNS, NULL, "one JSON object a run and line", take_json},
    {0},
};

static const es_option_set options = {
    "earshot runs",
    "usage: earshot runs [OPTION]...\n\n"
    "Lists what the daemon earshotd monitors, and what it did: each run's name, program, state, hits, losses and "
    "trace.\n"
    "Runs that have ended are listed after the others, the latest first: ended, lost (something was), or failed.\n",
    "\nTo look at one: earshot watch --run NAME. To begin one that stays: earshot record.\n",
    OF_RUNS,
    {table},
};

static const char *text_of(const json_t *run, const char *key)
{
    const char *text = json_string_value(json_object_get(run, key));
    return text ? text : "";
}

static uint64_t number_of(const json_t *run, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(run, key));
}

/* Of a probe whose clock is compared with the computer's. */
static void add_clock(es_text_buffer *line, const json_t *clock)
{
    if (!clock)
        return;
    const json_t *error = json_object_get(clock, "error_ns");
    es_clock_told told = {.known = json_is_integer(error),
                          .error_ns = json_integer_value(error),
                          .drift_ppm = json_number_value(json_object_get(clock, "drift_ppm")),
                          .drift_error_ppm = json_number_value(json_object_get(clock, "drift_error_ppm")),
                          .restarts = (uint32_t)number_of(clock, "restarts")};
    es_text_format(line, "  clock ");
    es_clock_told_text(line, &told, strcmp(nl_langinfo(CODESET), "UTF-8") == 0);
}

/* "2026-11-22T17:15:00Z" as a clock on the wall shows it. */
static void add_local_time(es_text_buffer *line, const char *utc)
{
    struct tm when = {0};
    char text[32];
    if (!strptime(utc, "%Y-%m-%dT%H:%M:%SZ", &when))
        return;
    time_t seconds = timegm(&when);
    localtime_r(&seconds, &when);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &when);
    es_text_format(line, "  until %s", text);
}

/* Why it failed, below its line. */
static void print_reason(const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        printf("    %.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

static void print_run(const json_t *run, int name_width, int program_width)
{
    es_text_buffer line = {0};
    uint64_t lost = number_of(run, "lost") + number_of(run, "not_stored");
    es_text_format(&line, "%-*s  %-*s  %-8s  %10" PRIu64 " %-4s  ", name_width, text_of(run, "name"), program_width,
                   text_of(run, "program"), text_of(run, "state"), number_of(run, "hits"),
                   es_plural(number_of(run, "hits"), "hit", "hits"));
    if (lost)
        es_text_format(&line, "LOST %" PRIu64, lost);
    else
        es_text_format(&line, "nothing lost");
    add_clock(&line, json_object_get(run, "clock"));
    if (json_object_get(run, "trace")) {
        es_text_format(&line, "  %s (", text_of(run, "trace"));
        es_size_text(&line, number_of(run, "stored_bytes"));
        es_text_format(&line, ")");
    }
    add_local_time(&line, text_of(run, "ended_at"));
    puts(line.text);
    print_reason(text_of(run, "text"));
    es_text_free(&line);
}

static void widen(const json_t *run, int *name_width, int *program_width)
{
    int name = (int)strlen(text_of(run, "name")), program = (int)strlen(text_of(run, "program"));
    *name_width = name > *name_width ? name : *name_width;
    *program_width = program > *program_width ? program : *program_width;
}

/* Those that go on, then those that have ended, the latest first. */
static void print_runs(const json_t *answer, bool json)
{
    const json_t *lists[] = {json_object_get(answer, "runs"), json_object_get(answer, "ended")}, *run;
    int name_width = 4, program_width = 7;
    size_t i;
    if (!json && !json_array_size(lists[0]))
        fputs("earshot: the daemon monitors nothing at present\n", stderr);
    for (size_t k = 0; k < 2; k++) {
        json_array_foreach(lists[k], i, run)
        {
            widen(run, &name_width, &program_width);
        }
    }
    for (size_t k = 0; k < 2; k++)
        json_array_foreach(lists[k], i, run)
        {
            if (json) {
                json_dumpf(run, stdout, JSON_COMPACT);
                putchar('\n');
            } else {
                print_run(run, name_width, program_width);
            }
        }
}

/* Waits for the run that was asked to end. False: the trace could not be written as a whole, or nobody can tell. */
static bool wait_for_end(es_connection *connection, es_error *err)
{
    json_t *end = es_connection_wait(connection, "end", err);
    bool good = end && strcmp(text_of(end, "code"), es_code_name(ES_OUTPUT)) != 0;
    if (end && !good)
        es_fail(err, ES_OUTPUT, "%s", text_of(end, "text"));
    json_decref(end);
    return good;
}

static bool carry_out(const runs_options *o, const char *socket, es_error *err)
{
    es_connection *connection = es_connection_new(socket, err);
    es_text_buffer request = {0};
    es_json json = {.out = &request};
    es_json_begin(&json, '{');
    es_json_key(&json, "do");
    es_json_string(&json, o->stop ? "stop" : "runs");
    if (o->stop) {
        es_json_key(&json, "run");
        es_json_string(&json, o->stop);
    }
    es_json_end(&json, '}');
    json_t *answer = connection ? es_connection_ask(connection, request.text, err) : NULL;
    if (answer && !o->stop)
        print_runs(answer, o->json);
    bool good = answer && (!o->stop || wait_for_end(connection, err));
    json_decref(answer);
    es_text_free(&request);
    es_connection_free(connection);
    return good;
}

static int runs(int argc, char **argv)
{
    runs_options o = {0};
    es_error err = {0};
    int rest;
    enum es_options_read read = es_options_read(&options, argc, argv, &o, &rest, &err);
    if (read == ES_OPTIONS_HELP) {
        es_options_help(&options, stdout);
        return ES_OK;
    }
    bool good = read == ES_OPTIONS_READ;
    if (good && rest < argc)
        good = es_fail(&err, ES_USAGE, "earshot runs takes no arguments: unexpected '%s'", argv[rest]);
    char *found = o.socket ? NULL : es_daemon_socket();
    const char *socket = o.socket ? o.socket : found;
    if (good && !socket)
        good = es_fail(&err, ES_PROBE, "no daemon runs: start earshotd, or name its socket with --socket");
    good = good && carry_out(&o, socket, &err);
    free(found);
    return good ? ES_OK : es_cli_fail(&err);
}

const es_command es_command_runs = {
    .name = "runs", .summary = "lists what the daemon monitors, and how runs ended", .run = runs};
