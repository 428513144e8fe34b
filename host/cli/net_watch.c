/* earshot net watch: recovery while marks come in. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/net_private.h"
#include "cli/net_recover.h"
#include "multi/recorder.h"
#include "net/calibration.h"
#include "net/format.h"
#include "net/program.h"

static const char usage[] =
    "usage: earshot net watch PROGRAM.elf... [-n NET] [OPTION]...\n"
    "       earshot watch PROGRAM.elf... --net NET [OPTION]...\n\n"
    "Runs a message-passing program with marks on the simulated multi-core target, and prints the times that its "
    "events\n"
    "would have had without the marks, and where it would have done something else, while it runs. Memory does not "
    "grow\n"
    "with the run.\n\n"
    "  -n, --net NET       the program's net, from `earshot net from-program` (made on the spot)\n"
    "  -c, --cores N       cores, 1 to 8 (as many as there are PROGRAMs)\n"
    "  -l, --latency N     clocks that a message takes, 4 to 255 (16)\n"
    "  -k, --calibration FILE    what each mark costs, from `earshot net calibrate`\n"
    "      --for CLOCKS    end after so many clocks; else when all cores have exited\n"
    "  -j, --json          JSON Lines, as of `earshot net recover`, with `known`: the clock at which it was told\n"
    "  -q, --quiet         changes of behaviour only\n"
    "      --strict        stop at the first change of behaviour\n"
    "      --fail-on-change    exit with 1 when there was one\n"
    "      --help          this text\n";

#define STEP 16u /* clocks: so late at most is recovery told of a time in which nothing was marked */

struct watch {
    const char *net_path, *calibration, *programs[ES_MULTI_CORES];
    size_t program_count;
    int64_t cores, latency, limit;
    bool strict, fail_on_change;
    es_net_printer printer;
    es_net_program program;
    es_net_mp_step *steps; /* the program's, in terms of the net */
    es_net *loaded;        /* NULL: the net is the program's own */
    es_net_marks *marks;
    es_net_recovery *recovery;
    uint64_t pushed; /* observed events */
    int64_t now;     /* all before this clock has been seen */
    int64_t lag_most;
    uint64_t lag_sum, told, memory_most;
    uint64_t changes;
    bool failed;
    es_error err;
};

/* --- what is found ---------------------------------------------------------------------------------- */

static void on_event(void *context, const es_net_recovered *event)
{
    struct watch *w = context;
    int64_t lag = w->now - event->observed;
    w->lag_most = lag > w->lag_most ? lag : w->lag_most;
    w->lag_sum += (uint64_t)(lag > 0 ? lag : 0);
    w->told++;
    w->printer.known = w->now;
    es_net_print_event(&w->printer, event);
}

static void on_change(void *context, const es_net_change *change)
{
    struct watch *w = context;
    w->changes++;
    w->printer.known = w->now;
    es_net_print_change(&w->printer, change);
}

static void on_order(void *context, const es_net_order_change *change)
{
    struct watch *w = context;
    w->changes++;
    w->printer.known = w->now;
    es_net_print_order(&w->printer, change);
}

/* --- what comes in ------------------------------------------------------------------------------------ */

static void on_firing(void *context, const es_net_firing *firing, size_t index)
{
    struct watch *w = context;
    (void)index;
    es_net_observation observation = {
        .transition = firing->transition, .time = firing->time, .mark = firing->mark, .serial = ++w->pushed};
    if (!w->failed)
        w->failed = !es_net_recovery_push(w->recovery, &observation, &w->err);
}

static void on_mark(void *context, const es_net_mark *mark)
{
    struct watch *w = context;
    es_error err = {0};
    if (w->failed)
        return;
    w->now = mark->time;
    if (!es_net_marks_push(w->marks, mark, &err) && !w->failed) {
        w->failed = true;
        w->err = err;
    }
}

/* All marks before `clock` have been seen. */
static bool advance(struct watch *w, int64_t clock)
{
    es_error err = {0};
    w->now = clock;
    if (!w->failed && !es_net_marks_advance(w->marks, clock, &err) && !w->failed) {
        w->failed = true;
        w->err = err;
    }
    if (!w->failed)
        w->failed = !es_net_recovery_advance(w->recovery, clock, &w->err);
    es_net_recovery_totals totals;
    es_net_recovery_totals_get(w->recovery, &totals);
    w->memory_most = totals.memory > w->memory_most ? totals.memory : w->memory_most;
    return !w->failed && !totals.has_stopped;
}

static bool run_target(struct watch *w, es_recorder *recorder, bool *ended)
{
    bool more = true;
    *ended = false;
    while (more && !*ended && es_recorder_clocks(recorder) < (uint64_t)w->limit) {
        uint64_t left = (uint64_t)w->limit - es_recorder_clocks(recorder);
        if (!es_recorder_run(recorder, left < STEP ? left : STEP, ended, &w->err))
            return false;
        more = advance(w, (int64_t)es_recorder_clocks(recorder) + *ended);
        fflush(stdout);
    }
    return !w->failed;
}

static bool watch_run(struct watch *w, const es_net *net)
{
    es_net_recovery_options options = {
        .strict = w->strict, .on_event = on_event, .on_change = on_change, .on_order = on_order, .context = w};
    es_net_marks_options marks = {w->steps, w->program.step_count, on_firing, w};
    es_recorder_options target = {.cores = (unsigned)w->cores,
                                  .latency = (unsigned)w->latency,
                                  .programs = w->programs,
                                  .count = w->program_count,
                                  .on_mark = on_mark,
                                  .context = w};
    w->printer.net = net;
    w->printer.live = true;
    w->recovery = es_net_recovery_new(net, &options, &w->err);
    w->marks = w->recovery ? es_net_marks_new(net, &marks, &w->err) : NULL;
    es_recorder *recorder = w->marks ? es_recorder_new(&target, &w->err) : NULL;
    bool ended = false;
    bool good = recorder && run_target(w, recorder, &ended) && es_net_recovery_finish(w->recovery, ended, &w->err);
    if (good) {
        es_net_recovery_totals totals;
        es_net_recovery_totals_get(w->recovery, &totals);
        es_net_print_totals(&w->printer, &totals);
        if (!w->printer.json && w->told)
            fprintf(stderr,
                    "earshot: known %.1f clocks after it was observed, %" PRId64 " at most; %" PRIu64
                    " bytes of memory at most\n",
                    (double)w->lag_sum / (double)w->told, w->lag_most, w->memory_most);
    }
    es_recorder_free(recorder);
    es_net_marks_free(w->marks);
    es_net_recovery_free(w->recovery);
    es_text_free(&w->printer.line);
    return good;
}

/* --- the net ------------------------------------------------------------------------------------------- */

/* The program's transitions by those of the net that was given, which bear the same ids. */
static bool translate(struct watch *w, const es_net *net)
{
    for (size_t i = 0; i < w->program.step_count; i++) {
        const char *id = w->program.net->transitions[w->program.steps[i].transition].id;
        w->steps[i] = w->program.steps[i];
        w->steps[i].transition = es_net_transition_find(net, id);
        if (w->steps[i].transition == ES_NET_NONE)
            return es_fail(&w->err, ES_USAGE,
                           "%s: has no transition '%s': it is not the net of this program on %u cores", w->net_path, id,
                           (unsigned)w->cores);
    }
    return true;
}

static bool watch_program(struct watch *w)
{
    const char *paths[ES_MULTI_CORES];
    for (int64_t c = 0; c < w->cores; c++)
        paths[c] = w->programs[w->program_count == 1 ? 0 : c];
    size_t cost_count = 0;
    es_net_cost *costs = w->calibration ? es_net_costs_read(w->calibration, &cost_count, &w->err) : NULL;
    bool good = (costs || !w->calibration) && es_net_from_program(&w->program, paths, (unsigned)w->cores, w->latency,
                                                                  3, &w->err);
    good = good && (!costs || es_net_costs_apply(&w->program, costs, cost_count, &w->err));
    free(costs);
    if (good && w->net_path)
        good = (w->loaded = es_net_load(w->net_path, &w->err)) != NULL;
    const es_net *net = w->loaded ? w->loaded : w->program.net;
    if (good) {
        w->steps = es_arena_alloc(w->program.net->arena, (w->program.step_count + 1) * sizeof *w->steps);
        good = translate(w, net) && watch_run(w, net);
    }
    es_net_free(w->loaded);
    es_net_free(w->program.net);
    return good;
}

/* --- the command ---------------------------------------------------------------------------------------- */

enum { OPT_FOR = 256, OPT_STRICT, OPT_FAIL, OPT_HELP };

static bool take_option(struct watch *w, int option)
{
    switch (option) {
    case 'n': w->net_path = optarg; return true;
    case 'c': return es_net_option_number("--cores", 1, ES_MULTI_CORES, &w->cores, &w->err);
    case 'l': return es_net_option_number("--latency", 4, ES_MULTI_LATENCY, &w->latency, &w->err);
    case 'k': w->calibration = optarg; return true;
    case 'j': w->printer.json = true; return true;
    case 'q': w->printer.quiet = true; return true;
    case OPT_FOR: return es_net_option_number("--for", 1, INT64_MAX, &w->limit, &w->err);
    case OPT_STRICT: w->strict = true; return true;
    case OPT_FAIL: w->fail_on_change = true; return true;
    default: return es_fail(&w->err, ES_USAGE, "see `earshot net watch --help`");
    }
}

static bool take_programs(struct watch *w, int argc, char **argv)
{
    int given = argc - optind;
    if (given < 1)
        return es_fail(&w->err, ES_USAGE, "which program? earshot net watch PROGRAM.elf --cores 4");
    if (!w->cores)
        w->cores = given;
    if (w->cores > ES_MULTI_CORES || (given != 1 && given != w->cores))
        return es_fail(&w->err, ES_USAGE, "%d programs for %lld cores: give one for all, or one for each of 1 to %u",
                       given, (long long)w->cores,
                       ES_MULTI_CORES);
    if (w->calibration && given != 1)
        return es_fail(&w->err, ES_USAGE,
                       "--calibration is for one PROGRAM on all cores: each program has costs of its own");
    w->program_count = (size_t)given;
    for (int i = 0; i < given; i++)
        w->programs[i] = argv[optind + i];
    return true;
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"net", required_argument, NULL, 'n'},
        {"cores", required_argument, NULL, 'c'},
        {"latency", required_argument, NULL, 'l'},
        {"calibration", required_argument, NULL, 'k'},
        {"for", required_argument, NULL, OPT_FOR},
        {"json", no_argument, NULL, 'j'},
        {"quiet", no_argument, NULL, 'q'},
        {"strict", no_argument, NULL, OPT_STRICT},
        {"fail-on-change", no_argument, NULL, OPT_FAIL},
        {"help", no_argument, NULL, OPT_HELP},
        {NULL, 0, NULL, 0},
    };
    static char name[] = "earshot net watch";
    struct watch w = {.latency = 16, .limit = INT64_MAX};
    bool good = true;
    argv[0] = name;
    for (int option; good && (option = getopt_long(argc, argv, "n:c:l:k:jq", options, NULL)) != -1;) {
        if (option == OPT_HELP) {
            fputs(usage, stdout);
            return ES_OK;
        }
        good = take_option(&w, option);
    }
    good = good && take_programs(&w, argc, argv) && watch_program(&w);
    if (!good)
        return es_cli_fail(&w.err);
    return w.fail_on_change && w.changes ? ES_EXPECTATION : ES_OK;
}

const es_command es_net_command_watch = {"watch", "recovers a program's times while it runs on the simulated target",
    usage, run};
