/* earshot net watch: recovery while marks come in. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/choice.h"
#include "cli/net/mark_source.h"
#include "cli/net/private.h"
#include "cli/net/recover.h"
#include "net/formats/format.h"
#include "net/marks/calibration.h"
#include "net/program/program.h"

static const char usage[] =
    "usage: earshot net watch PROGRAM.elf... [-n NET] [OPTION]...\n"
    "       earshot watch PROGRAM.elf... --net NET [OPTION]...\n\n"
    "Runs a message-passing program with marks on the simulated multi-core target, or listens to a real one, and "
    "prints\n"
    "the times that its events would have had without the marks, and where it would have done something else, while "
    "it\n"
    "runs. Memory does not grow with the run.\n\n"
    "  -p, --probe PROBE   sim (default), ftdi[:SERIAL], usb[:SERIAL], uart:DEVICE[@BAUD], file:RECORDING\n"
    "      --ratio N       sim: N probe clocks per bus clock (default: as many as the probe needs)\n"
    "      --taps          sim: what the taps see, without a probe\n"
    "      --fail-on-loss  exit with 4 when marks were lost\n"
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

#define STEP 16u /* clocks between looks at what has come */

struct watch {
    const char *net_path, *calibration, *programs[ES_MULTI_CORES];
    size_t program_count;
    es_probe_choice probe;
    int64_t cores, latency, limit, ratio;
    bool strict, fail_on_change, fail_on_loss, taps;
    es_net_printer printer;
    es_net_program program;
    es_net_cost *costs;
    size_t cost_count;
    es_net_mp_step *steps; /* the program's, in terms of the net */
    es_net *loaded;        /* NULL: the net is the program's own */
    es_net_marks *marks;
    es_net_recovery *recovery;
    es_mark_source *source;
    uint64_t pushed; /* observed events */
    int64_t now;     /* all before this clock has been seen */
    int64_t lag_most;
    uint64_t lag_sum, told, memory_most;
    uint64_t changes, lost;
    bool failed;
    es_error err;
};

/* --- what is found ---------------------------------------------------------------------------------- */

static void on_event(void *context, const es_net_recovered *event)
{
    struct watch *w = context;
    if (event->serial != ES_NET_NO_SERIAL) {
        int64_t lag = w->now - event->observed;
        w->lag_most = lag > w->lag_most ? lag : w->lag_most;
        w->lag_sum += (uint64_t)(lag > 0 ? lag : 0);
        w->told++;
    }
    w->printer.known = w->now;
    es_net_print_event(&w->printer, event);
}

static void on_cut(void *context, const es_net_cut *cut)
{
    struct watch *w = context;
    w->printer.known = w->now;
    es_net_print_cut(&w->printer, cut);
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

static void on_process_gap(void *context, const int32_t *processes, size_t count)
{
    struct watch *w = context;
    if (!w->failed)
        w->failed = !es_net_recovery_gap(w->recovery, processes, count, &w->err);
}

static void on_gap(void *context, const es_mark_gap *gap)
{
    struct watch *w = context;
    es_text_buffer cores = {0};
    for (unsigned c = 0; c < ES_MULTI_CORES; c++)
        if (gap->cores >> c & 1)
            es_text_format(&cores, cores.length ? ", %u" : "%u", c);
    es_text_buffer when = {0};
    es_text_format(&when, gap->last == INT64_MAX ? "after %" PRId64 : "between %" PRId64 " and ", gap->first);
    if (gap->last != INT64_MAX)
        es_text_format(&when, "%" PRId64, gap->last);
    fprintf(stderr, "earshot: marks of core %s were lost %s (%" PRIu64 ", %s)\n", cores.text, when.text, gap->lost,
            gap->where);
    es_text_free(&when);
    es_text_free(&cores);
    w->lost += gap->lost;
    if (!w->failed)
        w->failed = !es_net_marks_gap(w->marks, gap->cores, &w->err);
}

static void on_mark(void *context, const es_net_mark *mark)
{
    struct watch *w = context;
    es_error err = {0};
    if (w->failed)
        return;
    int64_t clock = (int64_t)es_mark_source_clocks(w->source);
    w->now = mark->time > clock ? mark->time : clock;
    if (!es_net_marks_push(w->marks, mark, &err) && !w->failed) {
        w->failed = true;
        w->err = err;
    }
}

/* All marks before `clock` have been seen. */
static bool advance(struct watch *w, int64_t clock)
{
    es_error err = {0};
    int64_t now = (int64_t)es_mark_source_clocks(w->source);
    w->now = now > clock ? now : clock;
    if (!w->failed && !es_net_marks_advance(w->marks, clock, &err) && !w->failed) {
        w->failed = true;
        w->err = err;
    }
    if (!w->failed)
        w->failed = !es_net_recovery_advance(w->recovery, es_net_marks_settled(w->marks), &w->err);
    es_net_recovery_totals totals;
    es_net_recovery_totals_get(w->recovery, &totals);
    w->memory_most = totals.memory > w->memory_most ? totals.memory : w->memory_most;
    return !w->failed && !totals.has_stopped;
}

static bool run_target(struct watch *w, bool *ended)
{
    bool more = true, good = true;
    *ended = false;
    while (good && more && !*ended && es_mark_source_clocks(w->source) < (uint64_t)w->limit) {
        uint64_t left = (uint64_t)w->limit - es_mark_source_clocks(w->source);
        good = es_mark_source_run(w->source, left < STEP ? left : STEP, ended, &w->err);
        more = good && advance(w, (int64_t)es_mark_source_seen(w->source));
        fflush(stdout);
    }
    if (more && !*ended) {
        good = es_mark_source_finish(w->source, &w->err);
        if (good)
            advance(w, (int64_t)es_mark_source_seen(w->source));
    }
    if (good && !w->failed)
        w->failed = !es_net_marks_finish(w->marks, &w->err);
    return good && !w->failed;
}

static void print_lag(const struct watch *w)
{
    if (!w->printer.json && w->told)
        fprintf(stderr,
                "earshot: known %.1f clocks after it was observed, %" PRId64 " at most; %" PRIu64
                " bytes of memory at most\n",
                (double)w->lag_sum / (double)w->told, w->lag_most, w->memory_most);
}

static bool watch_run(struct watch *w, const es_net *net)
{
    es_net_recovery_options options = {.strict = w->strict,
                                       .on_event = on_event,
                                       .on_change = on_change,
                                       .on_order = on_order,
                                       .on_cut = on_cut,
                                       .context = w};
    es_net_marks_options marks = {w->steps, w->program.step_count, on_firing, on_process_gap, w};
    es_mark_source_options source_options = {.probe = w->probe.probe,
                                             .probe_name = w->probe.name,
                                             .baud = w->probe.baud,
                                             .taps = w->taps,
                                             .ratio = (unsigned)w->ratio,
                                             .costs = w->costs,
                                             .cost_count = w->cost_count,
                                             .on_gap = on_gap,
                                             .target = {.cores = (unsigned)w->cores,
                                                        .latency = (unsigned)w->latency,
                                                        .programs = w->programs,
                                                        .count = w->program_count,
                                                        .on_mark = on_mark,
                                                        .context = w}};
    w->printer.net = net;
    w->printer.live = true;
    w->recovery = es_net_recovery_new(net, &options, &w->err);
    w->marks = w->recovery ? es_net_marks_new(net, &marks, &w->err) : NULL;
    w->source = w->marks ? es_mark_source_open(&source_options, &w->err) : NULL;
    bool ended = false;
    bool good = w->source && run_target(w, &ended) &&
                es_net_recovery_finish(w->recovery, es_mark_source_complete(w->source), &w->err);
    if (good) {
        es_net_recovery_totals totals;
        es_net_recovery_totals_get(w->recovery, &totals);
        es_net_print_totals(&w->printer, &totals);
        print_lag(w);
    }
    es_mark_source_close(w->source);
    es_net_marks_free(w->marks);
    es_net_recovery_free(w->recovery);
    es_net_print_end(&w->printer);
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
    w->costs = w->calibration ? es_net_costs_read(w->calibration, &w->cost_count, &w->err) : NULL;
    bool good = (w->costs || !w->calibration) &&
                es_net_from_program(&w->program, paths, (unsigned)w->cores, w->latency, 3, &w->err);
    good = good && (!w->costs || es_net_costs_apply(&w->program, w->costs, w->cost_count, &w->err));
    if (good && w->net_path)
        good = (w->loaded = es_net_load(w->net_path, &w->err)) != NULL;
    const es_net *net = w->loaded ? w->loaded : w->program.net;
    if (good) {
        w->steps = es_arena_alloc(w->program.net->arena, (w->program.step_count + 1) * sizeof *w->steps);
        good = translate(w, net) && watch_run(w, net);
    }
    es_net_free(w->loaded);
    es_net_free(w->program.net);
    free(w->costs);
    return good;
}

/* --- the command ---------------------------------------------------------------------------------------- */

enum { OPT_FOR = 256, OPT_STRICT, OPT_FAIL, OPT_FAIL_ON_LOSS, OPT_RATIO, OPT_TAPS, OPT_HELP };

static bool take_option(struct watch *w, int option)
{
    switch (option) {
    case 'n': w->net_path = optarg; return true;
    case 'c': return es_option_number("--cores", 1, ES_MULTI_CORES, &w->cores, &w->err);
    case 'l': return es_option_number("--latency", 4, ES_MULTI_LATENCY, &w->latency, &w->err);
    case 'k': w->calibration = optarg; return true;
    case 'j': w->printer.json = true; return true;
    case 'q': w->printer.quiet = true; return true;
    case OPT_FOR: return es_option_number("--for", 1, INT64_MAX, &w->limit, &w->err);
    case OPT_STRICT: w->strict = true; return true;
    case OPT_FAIL: w->fail_on_change = true; return true;
    case OPT_FAIL_ON_LOSS: w->fail_on_loss = true; return true;
    case OPT_TAPS: w->taps = true; return true;
    case OPT_RATIO: return es_option_number("--ratio", 1, 1000, &w->ratio, &w->err);
    case 'p': return es_probe_parse(optarg, &w->probe, &w->err);
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
                       given, (long long)w->cores, ES_MULTI_CORES);
    if (w->calibration && given != 1)
        return es_fail(&w->err, ES_USAGE,
                       "--calibration is for one PROGRAM on all cores: each program has its own costs");
    if (w->probe.probe == ES_PROBE_SIM && w->probe.name)
        return es_fail(&w->err, ES_USAGE,
                       "the simulated target of `earshot net` has messages and no shared memory: --probe sim");
    if (w->probe.probe != ES_PROBE_SIM && (w->taps || w->ratio))
        return es_fail(&w->err, ES_USAGE, "%s is for --probe sim only", w->taps ? "--taps" : "--ratio");
    if (w->taps && w->ratio)
        return es_fail(&w->err, ES_USAGE, "--ratio needs a probe, and --taps has none");
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
        {"fail-on-loss", no_argument, NULL, OPT_FAIL_ON_LOSS},
        {"probe", required_argument, NULL, 'p'},
        {"ratio", required_argument, NULL, OPT_RATIO},
        {"taps", no_argument, NULL, OPT_TAPS},
        {"help", no_argument, NULL, OPT_HELP},
        {NULL, 0, NULL, 0},
    };
    static char name[] = "earshot net watch";
    struct watch w = {.latency = 16, .limit = INT64_MAX, .probe = {ES_PROBE_SIM, NULL, 0}};
    bool good = true;
    argv[0] = name;
    for (int option; good && (option = getopt_long(argc, argv, "n:c:l:k:jqp:", options, NULL)) != -1;) {
        if (option == OPT_HELP) {
            fputs(usage, stdout);
            return ES_OK;
        }
        good = take_option(&w, option);
    }
    good = good && take_programs(&w, argc, argv) && watch_program(&w);
    if (!good)
        return es_cli_fail(&w.err);
    if (w.fail_on_loss && w.lost)
        return ES_LOST;
    return w.fail_on_change && w.changes ? ES_EXPECTATION : ES_OK;
}

const es_command es_net_command_watch = {"watch", "recovers a program's times while it runs", usage, run};
