/* earshot net record */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/net_private.h"
#include "multi/recorder.h"

static const char usage[] =
    "usage: earshot net record PROGRAM.elf... [OPTION]...\n\n"
    "Runs a message-passing program with marks (docs/marks.md) on the simulated multi-core target, and writes the "
    "marks as\n"
    "its taps see them: JSON Lines with time (at the mark's end), core, id, value, site and delay, for\n"
    "`earshot net from-program --marks`. One PROGRAM for all cores, or one for each.\n\n"
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

struct record {
    FILE *out;
    es_text_buffer line;
};

static void write_mark(struct record *r, const es_net_mark *mark, bool store)
{
    es_text_clear(&r->line);
    es_text_format(&r->line, "{\"%s\": %" PRId64 ", \"core\": %u, \"id\": %u, \"value\": %u, \"site\": %u",
                   store ? "store" : "time", mark->time,
                   mark->core, (unsigned)mark->id, (unsigned)mark->value, (unsigned)mark->site);
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

static bool run_program(const es_recorder_options *options, int64_t limit, es_error *err)
{
    es_recorder *recorder = es_recorder_new(options, err);
    bool ended = false;
    bool good = recorder && es_recorder_run(recorder, (uint64_t)limit, &ended, err);
    if (recorder && !ended) {
        es_recorder_flush(recorder);
        if (good)
            fprintf(stderr, "earshot: ended after %" PRId64 " clocks, before the program did; --for allows more\n",
                    limit);
    }
    es_recorder_free(recorder);
    return good;
}

/* A file is there under its name only once the run is over. What was seen of one that did not end well is of use, too. */
static bool write_trace(es_recorder_options options, const char *path, bool stores, int64_t limit, es_error *err)
{
    struct record r = {.out = stdout};
    es_text_buffer part = {0};
    options.context = &r;
    if (stores)
        options.on_store = on_store;
    else
        options.on_mark = on_mark;
    if (path) {
        es_text_format(&part, "%s.part", path);
        r.out = fopen(part.text, "we");
    }
    bool good = r.out || es_fail(err, ES_OUTPUT, "%s: cannot be written", path);
    good = good && run_program(&options, limit, err);
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

enum { OPT_FOR = 256, OPT_STORES, OPT_HELP };

static int run(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"cores", required_argument, NULL, 'c'},
        {"latency", required_argument, NULL, 'l'},
        {"for", required_argument, NULL, OPT_FOR},
        {"stores", no_argument, NULL, OPT_STORES},
        {"truth", required_argument, NULL, 't'},
        {"output", required_argument, NULL, 'o'},
        {"help", no_argument, NULL, OPT_HELP},
        {NULL, 0, NULL, 0},
    };
    static char name[] = "earshot net record";
    es_error err = {0};
    int64_t cores = 0, latency = 16, limit = 50000000;
    const char *output = NULL, *programs[ES_MULTI_CORES], *markless[ES_MULTI_CORES];
    size_t markless_count = 0;
    bool good = true, stores = false;
    argv[0] = name;
    for (int option; good && (option = getopt_long(argc, argv, "c:l:o:t:", long_options, NULL)) != -1;) {
        switch (option) {
        case 'c': good = es_net_option_number("--cores", 1, ES_MULTI_CORES, &cores, &err); break;
        case 'l': good = es_net_option_number("--latency", 1, ES_MULTI_LATENCY, &latency, &err); break;
        case OPT_FOR: good = es_net_option_number("--for", 1, INT64_MAX, &limit, &err); break;
        case OPT_STORES: stores = true; break;
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
        good = es_fail(&err, ES_USAGE, "%d programs and %zu --truth: each PROGRAM needs its own", given,
                       markless_count);
    if (good && markless_count && stores)
        good = es_fail(&err, ES_USAGE, "--truth has no --stores: without marks nothing is stored");
    for (int i = 0; good && i < given; i++)
        programs[i] = argv[optind + i];
    es_recorder_options options = {.cores = (unsigned)(cores ? cores : given),
                                   .latency = (unsigned)latency,
                                   .programs = programs,
                                   .count = (size_t)given,
                                   .markless = markless_count ? markless : NULL};
    good = good && write_trace(options, output, stores, limit, &err);
    return good ? ES_OK : es_cli_fail(&err);
}

const es_command es_net_command_record = {"record", "records the marks of a program on the simulated target", usage,
    run};
