/* earshot net simulate */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/net/private.h"
#include "net/formats/format.h"
#include "net/formats/trace.h"
#include "net/model/engine.h"

static const char usage[] =
    "usage: earshot net simulate NET [OPTION]...\n\n"
    "Plays the net from its initial state and prints the firings of its monitors: what a trace of the monitored\n"
    "program would hold.\n\n"
    "  -t, --for TICKS   end after this time\n"
    "  -n, --firings N   end after N firings (default 1000 without --for)\n"
    "  -a, --all         print the firings of all transitions\n"
    "      --no-marks    the program without monitoring: marks take no time\n"
    "  -j, --json        JSON Lines on stdout: a trace for `earshot net recover`\n"
    "      --help        this text\n\n"
    "Free places, which have several outputs and no routing rules, send their tokens to the outputs in turn.\n";

#define FIRINGS 1000

struct simulation {
    const es_net *net;
    bool json, all;
    es_text_buffer line;
};

static void print_firing(void *context, const es_net_firing *firing)
{
    struct simulation *s = context;
    const es_net_transition *transition = &s->net->transitions[firing->transition];
    if (!s->all && !transition->monitor)
        return;
    es_text_clear(&s->line);
    if (s->json) {
        es_json json = {.out = &s->line};
        es_net_trace_write(&json, s->net, firing);
    } else {
        es_text_format(&s->line, "%12" PRId64 "  %s %" PRIu64, firing->time, transition->name, firing->number);
        if (transition->monitor && firing->mark)
            es_text_format(&s->line, "  mark %" PRId64, firing->mark);
    }
    es_text_add(&s->line, "\n", 1);
    fwrite(s->line.text, 1, s->line.length, stdout);
}

static int simulate(const es_net *net, struct simulation *simulation, bool marks, int64_t until, uint64_t firings)
{
    es_error err = {0};
    es_net_engine_options options = {.marks = marks, .on_firing = print_firing, .context = simulation};
    es_net_engine *engine = es_net_engine_new(net, &options, &err);
    bool good = engine && es_net_engine_run(engine, until, firings, &err);
    if (good && simulation->json)
        printf("{\"event\":\"end\",\"complete\":%s}\n", es_net_engine_dead(engine) ? "true" : "false");
    if (good && !simulation->json) {
        fflush(stdout);
        fprintf(stderr, "earshot: %" PRIu64 " %s up to time %" PRId64 "%s\n", es_net_engine_firings(engine),
                es_plural(es_net_engine_firings(engine), "firing", "firings"), es_net_engine_time(engine),
                es_net_engine_dead(engine) ? "; nothing more can fire" : "");
    }
    es_net_engine_free(engine);
    return good ? ES_OK : es_cli_fail(&err);
}

static int run(int argc, char **argv)
{
    enum { OPT_NO_MARKS = 256, OPT_HELP };
    static const struct option long_options[] = {
        {"for", required_argument, NULL, 't'},
        {"firings", required_argument, NULL, 'n'},
        {"all", no_argument, NULL, 'a'},
        {"no-marks", no_argument, NULL, OPT_NO_MARKS},
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, OPT_HELP},
        {NULL, 0, NULL, 0},
    };
    static char name[] = "earshot net simulate";
    struct simulation simulation = {0};
    es_error err = {0};
    int64_t until = -1, firings = -1;
    bool marks = true, good = true;
    int option;
    argv[0] = name;
    while (good && (option = getopt_long(argc, argv, "t:n:aj", long_options, NULL)) != -1) {
        switch (option) {
        case 't': good = es_option_number("--for", 0, ES_NET_TICKS_MAX, &until, &err); break;
        case 'n': good = es_option_number("--firings", 1, INT64_MAX, &firings, &err); break;
        case 'a': simulation.all = true; break;
        case 'j': simulation.json = true; break;
        case OPT_NO_MARKS: marks = false; break;
        case OPT_HELP: fputs(usage, stdout); return ES_OK;
        default: good = es_fail(&err, ES_USAGE, "see `earshot net simulate --help`");
        }
    }
    if (firings < 0)
        firings = until < 0 ? FIRINGS : INT64_MAX;
    const char *path = good ? es_net_operand(argc, argv, "which net? earshot net simulate NET.pnml", &err) : NULL;
    es_net *net = path ? es_net_load(path, &err) : NULL;
    if (!net)
        return es_cli_fail(&err);
    simulation.net = net;
    int code = simulate(net, &simulation, marks, until < 0 ? ES_NET_TICKS_MAX : until, (uint64_t)firings);
    es_text_free(&simulation.line);
    es_net_free(net);
    return code;
}

const es_command es_net_command_simulate = {"simulate", "plays a net and prints its firings", usage, run};
