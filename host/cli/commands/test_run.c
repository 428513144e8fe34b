#include "cli/commands/test_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/json.h"
#include "base/times.h"
#include "cli/cli.h"
#include "cli/signals.h"
#include "record/json.h"

#define PROGRESS_WIDTH 78

typedef struct test_run {
    const es_test_run_config *config;
    es_results *results;
    es_sink sink; /* of the results */
    es_access access;
    double begun; /* this computer's clock, seconds */
    bool timed_out, nothing_expected;
} test_run;

static const es_run_results *results_of(const test_run *r)
{
    return &r->results->runs[r->results->count - 1];
}

/* --- what is told while it runs -------------------------------------------------------------------------------- */

/* {"event":"run","program":"fw.elf","seed":1}, and the same with another event and its text */
static void print_json(const es_run_results *run, const char *event, const char *text)
{
    es_text_buffer line = {0};
    es_json json = {.out = &line};
    es_json_begin(&json, '{');
    es_json_key(&json, "event");
    es_json_string(&json, event);
    es_json_key(&json, "program");
    es_json_string(&json, run->program);
    es_json_key(&json, "seed");
    if (run->seeded)
        es_json_uint(&json, run->seed);
    else
        es_json_null(&json);
    if (text) {
        es_json_key(&json, "text");
        es_json_string(&json, text);
    }
    es_json_end(&json, '}');
    printf("%s\n", line.text);
    fflush(stdout);
    es_text_free(&line);
}

static void show_progress(const test_run *r, const es_record *record)
{
    es_text_buffer line = {0};
    es_results_name(&line, results_of(r));
    es_text_format(&line, ": ");
    es_length_text(&line, es_time_ns(record->progress->time, record->schema->clock_hz), false);
    es_text_format(&line, ", %" PRIu64 " %s", record->progress->hits, es_plural(record->progress->hits, "hit", "hits"));
    fprintf(stderr, "\r%.*s\033[K", PROGRESS_WIDTH, line.text);
    es_text_free(&line);
}

static void print_record(const es_record *record)
{
    es_text_buffer line = {0};
    es_record_json(&line, record, NULL);
    fwrite(line.text, 1, line.length, stdout);
    fflush(stdout);
    es_text_free(&line);
}

static void take(void *context, const es_record *record)
{
    test_run *r = context;
    es_sink_give(&r->sink, record);
    if (record->kind == ES_RECORD_BEGIN)
        r->nothing_expected = results_of(r)->count == 0;
    if (record->kind == ES_RECORD_PROGRESS && r->config->progress)
        show_progress(r, record);
    bool told = record->kind == ES_RECORD_HIT || record->kind == ES_RECORD_LOST || record->kind == ES_RECORD_CONSOLE ||
                record->kind == ES_RECORD_SUMMARY;
    if (r->config->common->run.json && told)
        print_record(record);
}

/* --- the run --------------------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static bool stop_asked(void *context)
{
    test_run *r = context;
    uint64_t limit = r->config->limit_ns;
    r->timed_out = r->timed_out || (limit && now() - r->begun > (double)limit * 1e-9);
    return r->timed_out || r->nothing_expected || es_cli_stop_asked();
}

static bool open_probe(void *context, const es_symbols *symbols, const es_session_console *console,
                       es_session_probe *probe, es_error *err)
{
    test_run *r = context;
    return es_access_open(&r->access, symbols, console, probe, err);
}

static bool find_shadows(void *context, const es_symbols *symbols, uint32_t *base, uint32_t *size, es_error *err)
{
    test_run *r = context;
    return es_access_shadows(&r->access, symbols, base, size, err);
}

/* "DIR/thermostat-O0-seed3.bin" */
static void name_recording(es_text_buffer *path, const char *folder, const es_run_results *run)
{
    const char *name = es_base_name(run->program), *dot = strrchr(name, '.');
    es_text_format(path, "%s/%.*s", folder, (int)(dot && dot > name ? dot - name : (ptrdiff_t)strlen(name)), name);
    if (run->seeded)
        es_text_format(path, "-seed%" PRIu32, run->seed);
    es_text_format(path, ".bin");
}

/* What ended it early leaves open what might have come later. */
static void judge_end(const test_run *r)
{
    es_text_buffer why = {0};
    if (r->timed_out) {
        es_text_format(&why, "the time limit of ");
        es_length_text(&why, r->config->limit_ns, false);
        es_text_format(&why, " on this computer ended the run%s",
                       r->config->common->session.for_ns ? "" : " (--for ends a program that does not end)");
    } else if (es_cli_stop_asked()) {
        es_text_format(&why, "a signal ended the run");
    }
    if (why.length) {
        es_results_cut(r->results, why.text);
        es_results_trouble(r->results, ES_EXPECTATION, why.text);
    }
    es_text_free(&why);
}

static void judge_run(const test_run *r, const es_session_result *result)
{
    judge_end(r);
    if (r->nothing_expected)
        es_results_trouble(r->results, ES_USAGE,
                           "nothing is expected: a test is about statements like `expect never temp > 120`");
    if (r->config->common->run.fail_on_loss && (result->lost || !result->complete))
        es_results_trouble(r->results, ES_LOST, "data was lost");
    if (result->trapped)
        es_results_trouble(r->results, ES_EXPECTATION, "a trap stopped the program");
}

static void run_session(test_run *r)
{
    const es_run_results *run = results_of(r);
    es_session_options session = r->config->common->session;
    es_session_result result;
    es_error err = {0};
    session.program = run->program;
    session.probe_name = r->access.choice.name;
    session.open = open_probe;
    session.shadows = find_shadows;
    session.stop = stop_asked;
    session.context = r;
    const es_sink own = {take, r};
    const es_sink sink = es_lcov_sink(r->config->lcov, &own);
    r->begun = now();
    bool good = es_session_run(&session, &sink, &result, &err);
    if (r->config->progress)
        fputs("\r\033[K", stderr);
    if (result.wrong.length)
        fwrite(result.wrong.text, 1, result.wrong.length, stderr);
    if (!good) {
        if (r->config->common->run.json)
            es_cli_fail(&err); /* else it is among the results */
        es_results_trouble(r->results, err.code, err.text);
    }
    judge_run(r, &result);
    es_text_free(&result.wrong);
}

void es_test_run(const es_test_run_config *config, es_results *results, const char *program, bool seeded, uint32_t seed)
{
    test_run r = {.config = config, .results = results, .access = config->common->access};
    es_text_buffer recording = {0};
    r.sink = es_results_begin(results, program, seeded, seed);
    r.access.program = program;
    r.access.seed = seed;
    if (config->recordings) {
        name_recording(&recording, config->recordings, results_of(&r));
        r.access.record = recording.text;
    }
    if (config->common->run.json)
        print_json(results_of(&r), "run", NULL);
    run_session(&r);
    es_access_close(&r.access);
    es_results_end(results);
    if (config->common->run.json && results_of(&r)->trouble)
        print_json(results_of(&r), "error", results_of(&r)->trouble);
    es_text_free(&recording);
}

void es_test_skip(const es_test_run_config *config, es_results *results, const char *program, bool seeded,
                  uint32_t seed, const char *why)
{
    es_results_begin(results, program, seeded, seed);
    es_results_trouble(results, ES_EXPECTATION, why);
    es_results_end(results);
    if (config->common->run.json)
        print_json(&results->runs[results->count - 1], "error", why);
}
