/* earshot net from-program */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/net/private.h"
#include "net/formats/format.h"
#include "net/formats/trace.h"
#include "net/formats/trace_json.h"
#include "net/marks/calibration.h"
#include "net/marks/marks.h"
#include "net/program/program.h"

static const char usage[] =
    "usage: earshot net from-program PROGRAM.elf... [OPTION]...\n\n"
    "Makes the net of a message-passing program with marks (docs/marks.md): one process per core, the code between\n"
    "marks one place, the library's calls by their templates. One PROGRAM for all cores, or one for each.\n\n"
    "  -c, --cores N       cores (as many as there are PROGRAMs)\n"
    "  -l, --latency N     clocks that a message takes, 4 or more (16)\n"
    "  -m, --mark N        clocks that a mark takes (3)\n"
    "  -o, --output NET    write the net to this file, .pnml or .net (PNML to stdout)\n"
    "  -t, --marks TRACE   write no net, but the firings that this trace of marks tells of, for `earshot net "
    "recover`:\n"
    "                      JSON Lines with time (at the mark's end), delay, core, id, value and site, or with "
    "--calibration\n"
    "                      store (the time of the mark's store) in place of time and delay; a line with \"event\": "
    "\"gap\"\n"
    "                      says that marks of `cores` were lost; - is standard input\n"
    "  -k, --calibration FILE    what each mark costs, from `earshot net calibrate`; in place of --mark\n"
    "      --complete      with --marks: the trace goes to the program's end, nothing is open then\n"
    "      --help          this text\n";

struct firings {
    const es_net *net;
    es_net_marks *marks;
    const es_net_cost *costs; /* NULL: not calibrated */
    size_t cost_count;
    int64_t last; /* time of the last mark */
    es_text_buffer line;
};

static bool fail_line(const char *path, size_t line, const char *what, es_error *err)
{
    return es_fail(err, ES_USAGE, "%s:%zu: error: %s", path, line, what);
}

enum { TIME, DELAY, STORE, CORE, ID, VALUE, SITE, KEYS };

/* A mark of the trace, from the members of its line. Where they tell of the store only, the costs tell the rest. */
static bool complete_mark(const struct firings *f, int64_t values[KEYS], unsigned seen, es_net_mark *mark)
{
    const unsigned what = 1u << CORE | 1u << ID | 1u << VALUE | 1u << SITE, seen_whole = 1u << TIME | 1u << DELAY;
    if (!(seen & seen_whole) && seen & 1u << STORE) {
        const es_net_cost *cost = es_net_cost_of(f->costs, f->cost_count, (uint32_t)values[SITE]);
        if (cost) {
            values[TIME] = values[STORE] + cost->after;
            values[DELAY] = cost->delay;
            seen |= seen_whole;
        }
    }
    *mark = (es_net_mark){values[TIME],         values[DELAY],           (unsigned)values[CORE],
                          (uint32_t)values[ID], (uint32_t)values[VALUE], (uint32_t)values[SITE]};
    return (seen & (what | seen_whole)) == (what | seen_whole);
}

/* A line of the trace: a mark, or a gap, whose cores go to *cores. */
static bool read_line(const struct firings *f, es_json_reader *reader, const char *text, size_t length, bool *gap,
                      unsigned *cores, es_net_mark *mark)
{
    static const char *const keys[KEYS] = {"time", "delay", "store", "core", "id", "value", "site"};
    int64_t values[KEYS] = {0}, core;
    unsigned seen = 0;
    *gap = false;
    *cores = 0;
    if (!es_json_open(reader, text, length))
        return false;
    while (es_json_member(reader)) {
        const char *at = NULL;
        if (strcmp(reader->key.text, "event") == 0 && reader->kind == ES_JSON_STRING)
            *gap = strcmp(reader->string.text, "gap") == 0;
        if (strcmp(reader->key.text, "cores") == 0 && reader->kind == ES_JSON_ARRAY)
            while (es_json_integers(reader, &at, &core))
                *cores |= core >= 0 && core < (int64_t)ES_NET_MP_CORES ? 1u << core : 0;
        for (unsigned i = 0; i < KEYS; i++)
            if (strcmp(reader->key.text, keys[i]) == 0 && reader->kind == ES_JSON_INTEGER && reader->integer >= 0 &&
                reader->integer <= (i < CORE ? ES_NET_TICKS_MAX : (int64_t)UINT32_MAX)) {
                values[i] = reader->integer;
                seen |= 1u << i;
            }
    }
    if (*gap && !*cores)
        *cores = (1u << ES_NET_MP_CORES) - 1; /* not known whose */
    return !reader->problem && (*gap || complete_mark(f, values, seen, mark));
}

static bool take_line(struct firings *f, es_json_reader *reader, const char *path, size_t number, const char *text,
                      size_t length, es_error *err)
{
    bool gap;
    unsigned cores;
    es_net_mark mark;
    if (!read_line(f, reader, text, length, &gap, &cores, &mark))
        return fail_line(path, number,
                         f->costs ? "not a mark: expected time and delay, or store of a calibrated site, and core, id, "
                                    "value and site, whole numbers"
                                  : "not a mark: expected time, delay, core, id, value and site, whole numbers; "
                                    "--calibration makes store do for the first two",
                         err);
    if (gap)
        return es_net_marks_gap(f->marks, cores, err);
    f->last = mark.time;
    return es_net_marks_push(f->marks, &mark, err);
}

static bool read_marks(struct firings *f, const char *path, es_error *err)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
    if (!file)
        return es_fail(err, ES_USAGE, "%s: cannot be opened", path);
    es_json_reader reader = {0};
    char *line = NULL;
    size_t room = 0, number = 0;
    bool good = true;
    for (ssize_t length; good && (length = getline(&line, &room, file)) >= 0;)
        good = take_line(f, &reader, path, ++number, line, (size_t)length, err);
    if (good && ferror(file))
        good = fail_line(path, number, "cannot be read", err);
    good = good && es_net_marks_finish(f->marks, err);
    es_json_close(&reader);
    free(line);
    if (file != stdin)
        fclose(file);
    return good;
}

static void print_firing(void *context, const es_net_firing *firing, size_t index)
{
    struct firings *f = context;
    (void)index;
    es_text_clear(&f->line);
    es_json json = {.out = &f->line};
    es_net_trace_write(&json, f->net, firing);
    es_text_add(&f->line, "\n", 1);
    fwrite(f->line.text, 1, f->line.length, stdout);
}

static void print_gap(void *context, const int32_t *processes, size_t count)
{
    (void)context;
    printf("{\"event\":\"gap\",\"processes\":[");
    for (size_t i = 0; i < count; i++)
        printf(i ? ",%d" : "%d", (int)processes[i]);
    printf("]}\n");
}

static bool print_firings(const es_net_program *program, const char *path, const es_net_cost *costs, size_t cost_count,
                          es_error *err)
{
    struct firings firings = {.net = program->net, .costs = costs, .cost_count = cost_count};
    es_net_marks_options options = {program->steps, program->step_count, print_firing, print_gap, &firings};
    firings.marks = es_net_marks_new(program->net, &options, err);
    bool good = firings.marks && read_marks(&firings, path, err);
    es_net_marks_free(firings.marks);
    es_text_free(&firings.line);
    return good;
}

static bool print_net(const es_net *net, const char *path, es_error *err)
{
    enum es_net_format format = ES_NET_PNML;
    es_text_buffer text = {0};
    bool good = (!path || es_net_format_of(path, &format, err)) && es_net_print(net, format, &text, err) &&
                es_cli_write_out(&text, path, err);
    es_text_free(&text);
    return good;
}

static int from_program(int argc, char **argv)
{
    static const struct option options[] = {
        {"cores", required_argument, NULL, 'c'},
        {"latency", required_argument, NULL, 'l'},
        {"mark", required_argument, NULL, 'm'},
        {"output", required_argument, NULL, 'o'},
        {"calibration", required_argument, NULL, 'k'},
        {"marks", required_argument, NULL, 't'},
        {"complete", no_argument, NULL, 'e'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    static char name[] = "earshot net from-program";
    es_error err = {0};
    int64_t cores = 0, latency = 16, mark = 3;
    const char *output = NULL, *trace = NULL, *calibration = NULL;
    bool good = true, complete = false;
    int option;
    argv[0] = name;
    while (good && (option = getopt_long(argc, argv, "c:l:m:o:t:k:", options, NULL)) != -1) {
        switch (option) {
        case 'c': good = es_option_number("--cores", 1, ES_NET_MP_CORES, &cores, &err); break;
        case 'l': good = es_option_number("--latency", 4, ES_NET_TICKS_MAX, &latency, &err); break;
        case 'm': good = es_option_number("--mark", 0, ES_NET_TICKS_MAX, &mark, &err); break;
        case 'o': output = optarg; break;
        case 't': trace = optarg; break;
        case 'k': calibration = optarg; break;
        case 'e': complete = true; break;
        case 'h': fputs(usage, stdout); return ES_OK;
        default: good = es_fail(&err, ES_USAGE, "see `earshot net from-program --help`");
        }
    }
    int given = argc - optind;
    if (good && given < 1)
        good = es_fail(&err, ES_USAGE, "which program? earshot net from-program PROGRAM.elf --cores 4");
    if (good && cores == 0)
        cores = given;
    if (good && (cores > ES_NET_MP_CORES || (given != 1 && given != cores)))
        good = es_fail(&err, ES_USAGE, "%d programs for %lld cores: give one for all, or one for each of 1 to %u",
                       given, (long long)cores, ES_NET_MP_CORES);
    if (good && calibration && given != 1)
        good = es_fail(&err, ES_USAGE, "--calibration is for one PROGRAM on all cores: each program has its own costs");
    size_t cost_count = 0;
    es_net_cost *costs = good && calibration ? es_net_costs_read(calibration, &cost_count, &err) : NULL;
    good = good && (costs || !calibration);
    es_net_program program = {0};
    const char *paths[ES_NET_MP_CORES];
    for (int64_t c = 0; good && c < cores; c++)
        paths[c] = argv[optind + (given == 1 ? 0 : c)];
    good = good && es_net_from_program(&program, paths, (unsigned)cores, latency, mark, &err);
    good = good && (!costs || es_net_costs_apply(&program, costs, cost_count, &err));
    good = good &&
           (trace ? print_firings(&program, trace, costs, cost_count, &err) : print_net(program.net, output, &err));
    for (size_t i = 0; good && !trace && i < program.note_count; i++)
        fprintf(stderr, "earshot: %s\n", program.notes[i]);
    if (good && trace)
        printf("{\"event\":\"end\",\"complete\":%s}\n", complete ? "true" : "false");
    es_net_free(program.net);
    free(costs);
    return good ? ES_OK : es_cli_fail(&err);
}

const es_command es_net_command_from_program = {"from-program", "makes the net of a message-passing program", usage,
                                                from_program};
