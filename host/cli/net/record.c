/* earshot net record */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "access/choice.h"
#include "base/text.h"
#include "cli/net/mark_source.h"
#include "cli/net/private.h"

static const char usage[] =
    "usage: earshot net record PROGRAM.elf... [OPTION]...\n\n"
    "Runs a message-passing program with marks (docs/marks.md) on the simulated multi-core target, or listens to a "
    "real one,\n"
    "and writes the marks: JSON Lines with time (at the mark's end), core, id, value, site and delay, for\n"
    "`earshot net from-program --marks`. Where marks were lost, a line says when and of which cores. One PROGRAM for "
    "all\n"
    "cores, or one for each.\n\n"
    "  -p, --probe PROBE   sim (default), ftdi[:SERIAL], usb[:SERIAL], uart:DEVICE[@BAUD], file:RECORDING\n"
    "      --ratio N       sim: N probe clocks per bus clock (default: as many as the probe needs)\n"
    "      --taps          sim: what the taps see, without a probe\n"
    "  -r, --record FILE   keep what the probe sends; replay it with --probe file:FILE\n"
    "  -k, --calibration FILE    what each mark costs, for marks of several instructions (sim: measured)\n"
    "  -c, --cores N       cores, 1 to 8 (as many as there are PROGRAMs)\n"
    "  -l, --latency N     clocks that a message takes, 1 to 255 (16)\n"
    "      --for CLOCKS    end after so many clocks (50000000); else when all cores have exited\n"
    "      --stores        write what is seen of a mark where its instructions are not visible: the time of its store, "
    "as\n"
    "                      `store`, and no delay; `earshot net calibrate` measures what is missing\n"
    "  -t, --truth MARKLESS.elf    run this program instead, the same assembled without marks, and write when it "
    "passed\n"
    "                      the places of PROGRAM's marks; once for each PROGRAM\n"
    "  -o, --output TRACE  write to this file (stdout)\n"
    "      --help          this text\n";

#define STEP 100000u /* clocks between looks at what has come */

struct record {
    FILE *out;
    es_text_buffer line;
    uint64_t lost;
};

static void write_mark(struct record *r, const es_net_mark *mark, bool store)
{
    es_text_clear(&r->line);
    es_text_format(&r->line, "{\"%s\": %" PRId64 ", \"core\": %u, \"id\": %u, \"value\": %u, \"site\": %u",
                   store ? "store" : "time", mark->time, mark->core, (unsigned)mark->id, (unsigned)mark->value,
                   (unsigned)mark->site);
    if (!store)
        es_text_format(&r->line, ", \"delay\": %" PRId64, mark->delay);
    es_text_format(&r->line, "}\n");
    fwrite(r->line.text, 1, r->line.length, r->out);
}

static void on_mark(void *context, const es_net_mark *mark)
{
    write_mark(context, mark, false);
}

static void on_store(void *context, const es_net_mark *mark)
{
    write_mark(context, mark, true);
}

static void on_gap(void *context, const es_mark_gap *gap)
{
    struct record *r = context;
    r->lost += gap->lost;
    es_text_clear(&r->line);
    es_text_format(&r->line, "{\"event\": \"gap\", \"cores\": [");
    for (unsigned c = 0, told = 0; c < ES_MULTI_CORES; c++)
        if (gap->cores >> c & 1)
            es_text_format(&r->line, told++ ? ", %u" : "%u", c);
    es_text_format(&r->line, "], \"first\": %" PRId64 ", \"last\": ", gap->first);
    if (gap->last == INT64_MAX)
        es_text_format(&r->line, "null");
    else
        es_text_format(&r->line, "%" PRId64, gap->last);
    es_text_format(&r->line, ", \"lost\": %" PRIu64 ", \"where\": \"%s\"}\n", gap->lost, gap->where);
    fwrite(r->line.text, 1, r->line.length, r->out);
}

static bool run_source(struct record *r, const es_mark_source_options *options, int64_t limit, es_error *err)
{
    es_mark_source *source = es_mark_source_open(options, err);
    bool ended = false, good = source != NULL;
    while (good && !ended && es_mark_source_clocks(source) < (uint64_t)limit) {
        uint64_t left = (uint64_t)limit - es_mark_source_clocks(source);
        good = es_mark_source_run(source, left < STEP ? left : STEP, &ended, err);
    }
    es_error own = {0};
    if (source && !ended && !es_mark_source_finish(source, &own) && good)
        good = es_fail(err, own.code, "%s", own.text);
    if (good && !ended && options->probe == ES_PROBE_SIM)
        fprintf(stderr, "earshot: ended after %" PRId64 " clocks, before the program did; --for allows more\n", limit);
    if (r->lost)
        fprintf(stderr, "earshot: marks were lost, %" PRIu64 " %s of them; the trace says where\n", r->lost,
                es_plural(r->lost, "record", "records"));
    es_mark_source_close(source);
    return good;
}

/* A file is there under its name only once the run is over. What was seen of one that did not end well is of use,
 * too. */
static bool write_trace(es_mark_source_options options, const char *path, bool stores, int64_t limit, es_error *err)
{
    struct record r = {.out = stdout};
    es_text_buffer part = {0};
    options.target.context = &r;
    options.on_gap = on_gap;
    if (stores)
        options.target.on_store = on_store;
    else
        options.target.on_mark = on_mark;
    if (path) {
        es_text_format(&part, "%s.part", path);
        r.out = fopen(part.text, "we");
    }
    bool good = r.out || es_fail(err, ES_OUTPUT, "%s: cannot be written", path);
    good = good && run_source(&r, &options, limit, err);
    if (path && r.out) {
        bool written = !ferror(r.out);
        written = fclose(r.out) == 0 && written;
        bool keep = good || err->code == ES_PROBE;
        if (keep && (!written || rename(part.text, path) != 0))
            keep = good = es_fail(err, ES_OUTPUT, "%s: cannot be written", path);
        if (!keep)
            unlink(part.text);
    }
    es_text_free(&part);
    es_text_free(&r.line);
    return good;
}

/* What does not go together. */
static bool check_options(const es_mark_source_options *o, bool stores, es_error *err)
{
    const es_recorder_options *target = &o->target;
    if (target->markless && stores)
        return es_fail(err, ES_USAGE, "--truth has no --stores: without marks nothing is stored");
    if (o->probe == ES_PROBE_SIM && o->probe_name)
        return es_fail(err, ES_USAGE,
                       "the simulated target of `earshot net` has messages and no shared memory: --probe sim");
    if (o->probe != ES_PROBE_SIM && (target->markless || o->taps || o->ratio))
        return es_fail(err, ES_USAGE, "%s is for --probe sim only",
                       target->markless ? "--truth"
                       : o->taps        ? "--taps"
                                        : "--ratio");
    if (o->taps && (o->ratio || o->record))
        return es_fail(err, ES_USAGE, "%s needs a probe, and --taps and --truth have none",
                       o->ratio ? "--ratio" : "--record");
    if (o->probe == ES_PROBE_FILE && o->record)
        return es_fail(err, ES_USAGE, "--record and --probe file: cannot be combined");
    if (o->costs && target->count > 1)
        return es_fail(err, ES_USAGE, "--calibration is for one PROGRAM on all cores: each program has its own costs");
    return true;
}

enum { OPT_FOR = 256, OPT_STORES, OPT_RATIO, OPT_TAPS, OPT_HELP };

static int run(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"cores", required_argument, NULL, 'c'},
        {"latency", required_argument, NULL, 'l'},
        {"for", required_argument, NULL, OPT_FOR},
        {"stores", no_argument, NULL, OPT_STORES},
        {"truth", required_argument, NULL, 't'},
        {"output", required_argument, NULL, 'o'},
        {"probe", required_argument, NULL, 'p'},
        {"record", required_argument, NULL, 'r'},
        {"calibration", required_argument, NULL, 'k'},
        {"ratio", required_argument, NULL, OPT_RATIO},
        {"taps", no_argument, NULL, OPT_TAPS},
        {"help", no_argument, NULL, OPT_HELP},
        {NULL, 0, NULL, 0},
    };
    static char name[] = "earshot net record";
    es_error err = {0};
    int64_t cores = 0, latency = 16, limit = 50000000, ratio = 0;
    es_probe_choice probe = {ES_PROBE_SIM, NULL, 0};
    es_net_cost *costs = NULL;
    size_t cost_count = 0;
    const char *output = NULL, *record = NULL, *calibration = NULL, *programs[ES_MULTI_CORES],
               *markless[ES_MULTI_CORES];
    size_t markless_count = 0;
    bool good = true, stores = false, taps = false;
    argv[0] = name;
    for (int option; good && (option = getopt_long(argc, argv, "c:l:o:t:p:r:k:", long_options, NULL)) != -1;) {
        switch (option) {
        case 'c': good = es_option_number("--cores", 1, ES_MULTI_CORES, &cores, &err); break;
        case 'l': good = es_option_number("--latency", 1, ES_MULTI_LATENCY, &latency, &err); break;
        case OPT_FOR: good = es_option_number("--for", 1, INT64_MAX, &limit, &err); break;
        case OPT_STORES: stores = true; break;
        case OPT_TAPS: taps = true; break;
        case OPT_RATIO: good = es_option_number("--ratio", 1, 1000, &ratio, &err); break;
        case 'p': good = es_probe_parse(optarg, &probe, &err); break;
        case 'r': record = optarg; break;
        case 'k': calibration = optarg; break;
        case 't':
            if (markless_count == ES_MULTI_CORES)
                good = es_fail(&err, ES_USAGE, "--truth is given more than %u times", ES_MULTI_CORES);
            else
                markless[markless_count++] = optarg;
            break;
        case 'o': output = optarg; break;
        case OPT_HELP: fputs(usage, stdout); return ES_OK;
        default: good = es_fail(&err, ES_USAGE, "see `earshot net record --help`");
        }
    }
    int given = argc - optind;
    if (good && given < 1)
        good = es_fail(&err, ES_USAGE, "which program? earshot net record PROGRAM.elf --cores 4 -o TRACE");
    if (good && given > (int)ES_MULTI_CORES)
        good = es_fail(&err, ES_USAGE, "%d programs, and there are at most %u cores", given, ES_MULTI_CORES);
    if (good && markless_count && markless_count != (size_t)given)
        good =
            es_fail(&err, ES_USAGE, "%d programs and %zu --truth: each PROGRAM needs its own", given, markless_count);
    for (int i = 0; good && i < given; i++)
        programs[i] = argv[optind + i];
    if (good && calibration)
        good = (costs = es_net_costs_read(calibration, &cost_count, &err)) != NULL;
    es_mark_source_options options = {.probe = probe.probe,
                                      .probe_name = probe.name,
                                      .baud = probe.baud,
                                      .taps = taps || markless_count,
                                      .ratio = (unsigned)ratio,
                                      .record = record,
                                      .costs = costs,
                                      .cost_count = cost_count,
                                      .target = {.cores = (unsigned)(cores ? cores : given),
                                                 .latency = (unsigned)latency,
                                                 .programs = programs,
                                                 .count = (size_t)given,
                                                 .markless = markless_count ? markless : NULL}};
    good = good && check_options(&options, stores, &err) && write_trace(options, output, stores, limit, &err);
    free(costs);
    return good ? ES_OK : es_cli_fail(&err);
}

const es_command es_net_command_record = {"record", "records the marks of a program", usage, run};
