/* earshot test: whether expectations are met, of any number of programs and seeds, for people and for CI services. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/times.h"
#include "cli/cli.h"
#include "cli/commands/lcov.h"
#include "cli/commands/options.h"
#include "cli/commands/seeds.h"
#include "cli/commands/test_run.h"
#include "cli/signals.h"
#include "report/junit.h"
#include "report/verdicts.h"

#define LIMIT_NS 600000000000u /* ten minutes: a program that hangs does not hang its CI for hours */

typedef struct test_options {
    es_common_options common; /* first: the shared table's functions take it */
    const char *junit, *recordings;
    bool annotate, wall_times;
    uint64_t limit_ns; /* of each run, on this computer's clock; 0: none */
    es_seeds seeds;
} test_options;

static bool take_junit(void *options, const char *value, es_error *err)
{
    (void)err;
    ((test_options *)options)->junit = value;
    return true;
}

static bool take_recordings(void *options, const char *value, es_error *err)
{
    (void)err;
    ((test_options *)options)->recordings = value;
    return true;
}

static bool take_annotate(void *options, const char *value, es_error *err)
{
    (void)value, (void)err;
    ((test_options *)options)->annotate = true;
    return true;
}

static bool take_wall_times(void *options, const char *value, es_error *err)
{
    (void)value, (void)err;
    ((test_options *)options)->wall_times = true;
    return true;
}

static bool take_limit(void *options, const char *value, es_error *err)
{
    test_options *o = options;
    if (strcmp(value, "none") != 0)
        return es_time_parse("--limit", value, &o->limit_ns, err);
    o->limit_ns = 0;
    return true;
}

static bool take_seeds(void *options, const char *value, es_error *err)
{
    return es_seeds_parse(&((test_options *)options)->seeds, "--seeds", value, err);
}

static const es_option own_options[] = {
    {"junit", 0, false, ES_OF_TEST, "FILE", "results as JUnit XML", take_junit},
    {"annotate", 0, false, ES_OF_TEST, NULL,
     "GitHub's annotations, for what is not met, on stderr (default: when GITHUB_ACTIONS is set)", take_annotate},
    {"seeds", 0, false, ES_OF_TEST, "LIST", "sim: runs each program with each of these: 1..8 or 1,5,9 (default 1)",
     take_seeds},
    {"limit", 0, false, ES_OF_TEST, "TIME",
     "ends a run that takes longer than this here, as an error: 30s, 500ms, none (default 600s)", take_limit},
    {"recordings", 'o', false, ES_OF_TEST, "FOLDER",
     "keeps what the probe sent in each run, for --probe file:", take_recordings},
    {"wall-times", 0, false, ES_OF_TEST, NULL, "JUnit: times of this computer, not the target's", take_wall_times},
    {0},
};

static const es_option_set options = {
    "earshot test",
    "usage: earshot test PROGRAM.elf... [-s FILE.watch]... [-e STATEMENT]... [OPTION]...\n\n"
    "Runs programs and says which of the statements' expectations were met: `expect never speed > 120 && brake`.\n",
    "\nStatements: docs/statements.md. CI services: docs/ci.md. Everything else: man earshot-test.\n",
    ES_OF_TEST,
    {own_options, es_common_option_table},
};

/* --- what comes out -------------------------------------------------------------------------------------------- */

/* All runs, and what is said of them. */
typedef struct test {
    const test_options *options;
    es_verdicts_config shown;
    es_results results;
    es_lcov lcov;
    FILE *junit; /* open from the beginning: results of an earlier call must not be taken for these */
} test;

static bool open_outputs(test *t, es_error *err)
{
    const test_options *o = t->options;
    if (o->recordings && mkdir(o->recordings, 0777) != 0 && errno != EEXIST)
        return es_fail(err, ES_OUTPUT, "%s: cannot be made: %s", o->recordings, strerror(errno));
    t->junit = o->junit ? fopen(o->junit, "w") : NULL;
    if (o->junit && !t->junit)
        return es_fail(err, ES_OUTPUT, "%s: cannot be written: %s", o->junit, strerror(errno));
    return es_lcov_begin(&t->lcov, o->common.run.lcov, err);
}

static bool write_junit(test *t, es_error *err)
{
    if (!t->junit)
        return true;
    es_text_buffer text = {0};
    const es_junit_config config = {t->shown.allow_unknown, t->options->wall_times};
    es_junit_write(&text, &t->results, &config);
    bool written = fwrite(text.text, 1, text.length, t->junit) == text.length;
    int error = errno;
    if (fclose(t->junit) != 0) {
        error = written ? errno : error;
        written = false;
    }
    es_text_free(&text);
    return written || error == EPIPE ||
           es_fail(err, ES_OUTPUT, "%s: cannot be written: %s", t->options->junit, strerror(error));
}

static void print(FILE *file, es_text_buffer *text)
{
    fwrite(text->text ? text->text : "", 1, text->length, file);
    fflush(file);
    es_text_free(text);
}

static void tell_run(const test *t)
{
    const es_run_results *run = &t->results.runs[t->results.count - 1];
    es_text_buffer text = {0}, annotations = {0};
    if (!t->options->common.run.json)
        es_verdicts_text(&text, &t->results, run, &t->shown);
    print(stdout, &text);
    if (t->options->annotate)
        es_verdicts_annotate(&annotations, run, &t->shown);
    print(stderr, &annotations);
}

/* The exit code: what makes results worthless before what they say. */
static int exit_code(const test *t)
{
    static const enum es_code order[] = {ES_USAGE, ES_OUTPUT, ES_PROBE, ES_LOST, ES_EXPECTATION};
    es_tally tally = es_results_tally(&t->results, NULL);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        for (size_t k = 0; k < t->results.count; k++)
            if (t->results.runs[k].trouble && t->results.runs[k].code == order[i])
                return (int)order[i];
    return tally.failed || (tally.unknown && !t->shown.allow_unknown) ? ES_EXPECTATION : ES_OK;
}

static void tell_total(const test *t, int code)
{
    es_text_buffer text = {0};
    if (!t->options->common.run.json) {
        es_verdicts_total(&text, &t->results, &t->shown);
    } else {
        es_tally tally = es_results_tally(&t->results, NULL);
        es_json json = {.out = &text};
        const struct {
            const char *key;
            size_t value;
        } counts[] = {{"runs", t->results.count},
                      {"met", tally.met},
                      {"failed", tally.failed},
                      {"unknown", tally.unknown},
                      {"errors", tally.troubles}};
        es_json_begin(&json, '{');
        es_json_key(&json, "event");
        es_json_string(&json, "result");
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            es_json_key(&json, counts[i].key);
            es_json_uint(&json, counts[i].value);
        }
        es_json_key(&json, "code");
        es_json_int(&json, code);
        es_json_end(&json, '}');
        es_text_format(&text, "\n");
    }
    print(stdout, &text);
}

/* --- all runs -------------------------------------------------------------------------------------------------- */

/* Each program with each seed. What could not even begin is not tried again, and neither is anything after a signal:
 * those runs are reported as such, for a run that is left out silently looks like one that went well. */
static void run_all(test *t, char **programs, size_t count)
{
    const test_options *o = t->options;
    bool seeded = o->seeds.count > 0;
    const es_test_run_config config = {.common = &o->common,
                                       .limit_ns = o->limit_ns,
                                       .recordings = o->recordings,
                                       .lcov = &t->lcov,
                                       .progress = !o->common.run.json && isatty(STDERR_FILENO)};
    uint32_t one = 1;
    const es_seeds seeds = o->seeds.count ? o->seeds : (es_seeds){&one, 1};
    for (size_t i = 0; i < count; i++) {
        bool impossible = false;
        for (size_t k = 0; k < seeds.count; k++) {
            if (impossible || es_cli_stop_asked())
                es_test_skip(&config, &t->results, programs[i], seeded, seeds.items[k],
                             impossible ? "not run: an earlier one could not begin"
                                        : "not run: a signal ended the test");
            else
                es_test_run(&config, &t->results, programs[i], seeded, seeds.items[k]);
            enum es_code code = t->results.runs[t->results.count - 1].code;
            impossible = impossible || code == ES_USAGE || code == ES_OUTPUT;
            tell_run(t);
        }
    }
}

static bool check(test_options *o, char **programs, size_t count, es_error *err)
{
    bool simulated = o->common.access.choice.probe == ES_PROBE_SIM;
    if (!es_common_options_finish(&o->common, options.command, count ? programs[0] : NULL, err))
        return false;
    if (!simulated && (count > 1 || o->seeds.count))
        return es_fail(err, ES_USAGE, "%s for --probe sim only", count > 1 ? "several programs are" : "--seeds is");
    for (size_t i = 0; o->recordings && i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(es_base_name(programs[i]), es_base_name(programs[k])) == 0)
                return es_fail(err, ES_USAGE, "%s and %s: their recordings would have the same names", programs[k],
                               programs[i]);
    return true;
}

static int run_tests(const test_options *o, char **programs, size_t count)
{
    const es_run_options *run = &o->common.run;
    test t = {.options = o, .shown = {es_run_shows_color(run), run->allow_unknown}, .results = es_results_new()};
    es_error err = {0};
    int code = ES_OK;
    es_cli_catch_signals();
    if (open_outputs(&t, &err)) {
        run_all(&t, programs, count);
        code = exit_code(&t);
        tell_total(&t, code);
    }
    if (err.code || !write_junit(&t, &err) || !es_lcov_end(&t.lcov, &err))
        code = es_cli_fail(&err);
    es_results_free(&t.results);
    return code;
}

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value && strcmp(value, "false") != 0;
}

static int test_command(int argc, char **argv)
{
    test_options o = {.limit_ns = LIMIT_NS, .annotate = is_set("GITHUB_ACTIONS")};
    es_error err = {0};
    int rest, code = ES_OK;
    es_common_options_begin(&o.common);
    enum es_options_read read = es_options_read(&options, argc, argv, &o, &rest, &err);
    size_t count = argc > rest ? (size_t)(argc - rest) : 0;
    if (read == ES_OPTIONS_HELP)
        es_options_help(&options, stdout);
    else if (read == ES_OPTIONS_WRONG || !check(&o, argv + rest, count, &err))
        code = es_cli_fail(&err);
    else
        code = run_tests(&o, argv + rest, count);
    es_common_options_free(&o.common);
    es_seeds_free(&o.seeds);
    return code;
}

const es_command es_command_test = {
    .name = "test",
    .summary = "runs programs and says which expectations were met, for CI",
    .run = test_command,
};
