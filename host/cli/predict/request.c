/* What `earshot predict` is asked: its options. */
#include <getopt.h>
#include <string.h>

#include "cli/predict/private.h"

const char es_predict_usage[] =
    "usage: earshot predict PROGRAM.elf RECORDING|HITS [OPTION]...\n"
    "       earshot predict PROGRAM.elf --points\n\n"
    "Predicts from a run on one core what a program with threads takes on other machines. RECORDING is what\n"
    "`earshot record PROGRAM.elf --inputs RECORDING --probe sim:cores=1` has kept; HITS, without a recorder, what\n"
    "`earshot watch PROGRAM.elf -s FILE --json` tells with the statements that --points has written. With one machine\n"
    "its cores, waiting, the critical path and what would pay are told, with several a table.\n\n"
    "LIST is 4, or 1,2,4, or 1..16, or 0..100:20; of several lists all combinations are told.\n\n"
    "  -n, --cores LIST        1 to 32 (default 1,2,4,8)\n"
    "      --speed LIST        of the cores, for that of the bus: 1, 2, 1.5 (with commas between them)\n"
    "      --ports LIST        memory: each (a port for each core; default), data (one for data), one (one for all)\n"
    "      --wait LIST         wait states of memory, 0 to 15\n"
    "      --latency LIST      clocks from sending into a queue to its receiving, 0 to 1000000\n"
    "      --bell LIST         clocks from waking another core to when it hears that, 0 to 1000000\n"
    "      --kernel LIST       percent of what the library's functions take, 0 to 1000\n"
    "      --scheduler NAME    fifo, priority (default where threads have some: the best first, when a core is free),\n"
    "                          preemptive (at once), round-robin or work (a queue for each core, from which others "
    "take;\n"
    "                          default where the library has such)\n"
    "      --quantum CLOCKS    of round-robin\n"
    "      --order NAME        of those who wait for the same thing: first (default), last or best (by priority)\n"
    "      --barge             what is given back is free for whoever comes first, not handed to who waits\n"
    "      --svg FILE          a picture: speed-ups over cores, or of one machine who has run when\n"
    "      --html FILE         a page with it\n"
    "      --net FILE          the net of a function: .svg, .dot or .pnml\n"
    "      --function NAME     ... which one (default main)\n"
    "      --points            writes statements whose hits tell which way the program goes, at the fewest places\n"
    "      --save FILE         keeps the trace without times, which may be given instead of the recording\n"
    "      --keep F,G          basic blocks of these functions stay places of their own\n"
    "      --verify            runs the reduced net and that of all blocks, and compares them\n"
    "      --costs             what the library's functions take, as found in the recording\n"
    "  -j, --json              JSON Lines on stdout\n"
    "      --help              this text\n\n"
    "Exit status 0: done, 1: --verify has found a difference, 2: usage error. How it is computed, and how far it is\n"
    "right: docs/predict.md. Everything else: man earshot-predict.\n";

enum {
    OPT_SPEED = 256,
    OPT_PORTS,
    OPT_WAIT,
    OPT_LATENCY,
    OPT_BELL,
    OPT_KERNEL,
    OPT_SCHEDULER,
    OPT_QUANTUM,
    OPT_ORDER,
    OPT_BARGE,
    OPT_KEEP,
    OPT_SAVE,
    OPT_POINTS,
    OPT_SVG,
    OPT_HTML,
    OPT_NET,
    OPT_FUNCTION,
    OPT_VERIFY,
    OPT_COSTS,
    OPT_HELP
};

/* One of several words; `names` ends with NULL. */
static bool take_word(const char *option, const char *text, size_t length, const char *const *names, uint32_t *value,
                      es_error *err)
{
    es_text_buffer all = {0};
    for (uint32_t i = 0; names[i]; i++) {
        if (strlen(names[i]) == length && memcmp(names[i], text, length) == 0) {
            es_text_free(&all);
            *value = i;
            return true;
        }
        es_text_format(&all, "%s%s", !i ? "" : names[i + 1] ? ", " : " or ", names[i]);
    }
    es_fail(err, ES_USAGE, "%s takes %s, not '%.*s'", option, all.text, (int)length, text);
    es_text_free(&all);
    return false;
}

static bool take_ports(predict_request *q, const char *text, es_error *err)
{
    static const char *const names[] = {"each", "data", "one", NULL};
    for (q->ports.count = 0; q->ports.count < PREDICT_VALUES;) {
        size_t length = strcspn(text, ",");
        if (!take_word("--ports", text, length, names, &q->ports.values[q->ports.count++], err))
            return false;
        if (!text[length])
            return true;
        text += length + 1;
    }
    return es_fail(err, ES_USAGE, "--ports: at most %u values", PREDICT_VALUES);
}

static bool take_speeds(predict_request *q, char *text, es_error *err)
{
    for (char *word = strtok(text, ","); word; word = strtok(NULL, ",")) {
        if (q->speed_count == PREDICT_VALUES)
            return es_fail(err, ES_USAGE, "--speed: at most %u values", PREDICT_VALUES);
        if (!es_predict_speed_parse(word, &q->speeds[q->speed_count], err))
            return false;
        q->speed_texts[q->speed_count++] = word;
    }
    return true;
}

static bool take_name(predict_request *q, int option, const char *text, es_error *err)
{
    static const char *const schedulers[] = {"fifo", "preemptive", "round-robin", "work", "priority", NULL};
    static const char *const orders[] = {"first", "last", "best", NULL};
    uint32_t value;
    bool scheduler = option == OPT_SCHEDULER;
    if (!take_word(scheduler ? "--scheduler" : "--order", text, strlen(text), scheduler ? schedulers : orders, &value,
                   err))
        return false;
    if (scheduler) {
        q->base.scheduler = value;
        q->scheduled = true;
    } else {
        q->base.order = value;
    }
    return true;
}

static bool take_option(predict_request *q, int option, es_error *err)
{
    predict_list one;
    switch (option) {
    case 'n': return es_predict_list_parse("--cores", optarg, 1, ES_PREDICT_CORES, &q->cores, err);
    case OPT_SPEED: return take_speeds(q, optarg, err);
    case OPT_PORTS: return take_ports(q, optarg, err);
    case OPT_WAIT: return es_predict_list_parse("--wait", optarg, 0, 15, &q->wait, err);
    case OPT_LATENCY: return es_predict_list_parse("--latency", optarg, 0, 1000000, &q->latency, err);
    case OPT_BELL: return es_predict_list_parse("--bell", optarg, 0, 1000000, &q->bell, err);
    case OPT_KERNEL: return es_predict_list_parse("--kernel", optarg, 0, 1000, &q->kernel, err);
    case OPT_SCHEDULER:
    case OPT_ORDER: return take_name(q, option, optarg, err);
    case OPT_QUANTUM:
        if (!es_predict_list_parse("--quantum", optarg, 1, 1000000000, &one, err))
            return false;
        q->base.quantum = one.values[0];
        return true;
    case OPT_BARGE: return q->base.barge = true;
    case OPT_KEEP: q->keep = optarg; return true;
    case OPT_SAVE: q->save = optarg; return true;
    case OPT_SVG: q->svg = optarg; return true;
    case OPT_HTML: q->html = optarg; return true;
    case OPT_NET: q->net = optarg; return true;
    case OPT_FUNCTION: q->function = optarg; return true;
    case OPT_POINTS: return q->points = true;
    case OPT_VERIFY: return q->verify = true;
    case OPT_COSTS: return q->costs = true;
    case 'j': return q->json = true;
    default: return es_fail(err, ES_USAGE, "see `earshot predict --help`");
    }
}

static bool finish_request(predict_request *q, int argc, char **argv, es_error *err)
{
    static const uint32_t usual[] = {1, 2, 4, 8};
    if (q->points && argc - optind != 1)
        return es_fail(err, ES_USAGE, "--points takes a program alone: earshot predict PROGRAM.elf --points > FILE");
    if (!q->points && argc - optind != 2)
        return es_fail(
            err, ES_USAGE,
            "which program and which recording? earshot predict PROGRAM.elf RECORDING (made by `earshot record "
            "PROGRAM.elf --inputs RECORDING --probe sim:cores=1`)");
    q->program = argv[optind];
    q->recording = argv[optind + 1]; /* NULL with --points */
    if (!q->cores.count) {
        memcpy(q->cores.values, usual, sizeof usual);
        q->cores.count = sizeof usual / sizeof *usual;
    }
    q->own_latency = !q->latency.count;
    predict_list *lists[] = {&q->wait, &q->ports, &q->latency, &q->bell};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (!lists[i]->count)
            *lists[i] = (predict_list){{0}, 1};
    if (!q->kernel.count)
        q->kernel = (predict_list){{100}, 1};
    size_t speeds = q->speed_count ? q->speed_count : 1;
    double all = (double)q->cores.count * (double)q->wait.count * (double)q->ports.count * (double)q->latency.count *
                 (double)q->bell.count * (double)q->kernel.count * (double)speeds;
    if (all > PREDICT_MACHINES)
        return es_fail(err, ES_USAGE, "%.0f machines are too many: at most %u", all, PREDICT_MACHINES);
    return true;
}

bool es_predict_request_take(predict_request *q, int argc, char **argv, bool *help, es_error *err)
{
    static const struct option options[] = {
        {"cores", required_argument, NULL, 'n'},
        {"speed", required_argument, NULL, OPT_SPEED},
        {"ports", required_argument, NULL, OPT_PORTS},
        {"wait", required_argument, NULL, OPT_WAIT},
        {"latency", required_argument, NULL, OPT_LATENCY},
        {"bell", required_argument, NULL, OPT_BELL},
        {"kernel", required_argument, NULL, OPT_KERNEL},
        {"scheduler", required_argument, NULL, OPT_SCHEDULER},
        {"quantum", required_argument, NULL, OPT_QUANTUM},
        {"order", required_argument, NULL, OPT_ORDER},
        {"barge", no_argument, NULL, OPT_BARGE},
        {"keep", required_argument, NULL, OPT_KEEP},
        {"save", required_argument, NULL, OPT_SAVE},
        {"points", no_argument, NULL, OPT_POINTS},
        {"svg", required_argument, NULL, OPT_SVG},
        {"html", required_argument, NULL, OPT_HTML},
        {"net", required_argument, NULL, OPT_NET},
        {"function", required_argument, NULL, OPT_FUNCTION},
        {"verify", no_argument, NULL, OPT_VERIFY},
        {"costs", no_argument, NULL, OPT_COSTS},
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, OPT_HELP},
        {NULL, 0, NULL, 0},
    };
    static char name[] = "earshot predict";
    int option;
    argv[0] = name;
    while ((option = getopt_long(argc, argv, "n:j", options, NULL)) != -1) {
        if (option == OPT_HELP)
            return *help = true;
        if (!take_option(q, option, err))
            return false;
    }
    return finish_request(q, argc, argv, err);
}
