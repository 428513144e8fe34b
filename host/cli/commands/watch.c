/* earshot watch: the command line of a session. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "access/open.h"
#include "base/times.h"
#include "cli/cli.h"
#include "cli/commands/dump.h"
#include "cli/commands/number.h"
#include "cli/commands/run.h"
#include "cli/commands/texts.h"
#include "cli/net/private.h"

#define TIMES_RATIO 4 /* an elastic clock of the probe has no times worth telling; earshot check assumes the same */

static const char usage[] =
    "usage: earshot watch PROGRAM.elf [-e STATEMENT]... [-s FILE.watch]... [OPTION]...\n"
    "       earshot watch PROGRAM.elf... --net NET [OPTION]...       see `earshot net watch --help`\n\n"
    "Runs the program on the simulated target, or listens to a real one, and reports when statements become true.\n\n"
    "  -e, --expression STATEMENT  a statement: 'temp > 80 && mode == ARMED { print temp, mode }'\n"
    "  -s, --statements FILE       statements from a file\n"
    "  -p, --probe PROBE           sim (default), ftdi, ftdi:SERIAL, uart:DEVICE[@BAUD], file:RECORDING\n"
    "  -n, --count N               end after N hits\n"
    "  -t, --for TIME              end after TIME: 500us, 5ms, 2s\n"
    "  -j, --json                  JSON Lines on stdout\n"
    "  -q, --quiet                 hits only: no notes, no summary\n"
    "  -o, --record FILE           keep what the probe sends; replay it with --probe file:FILE\n"
    "      --task VARIABLE         names the running task: a call path for each task (default: that of a usual "
    "kernel; none)\n"
    "      --ratio N               sim: N probe clocks per bus clock (default: as many as the probe needs)\n"
    "      --seed N                sim: seed of the target's random numbers (default 1)\n"
    "      --clock HZ              frequency of the target's bus clock, for times (default: the simulation's, "
    "10000000)\n"
    "      --times                 with each hit, when it was recognised and when its actions began and ended; sim: "
    "--ratio 4 unless given\n"
    "      --attach                a board's target already runs: do not wait for its reset\n"
    "      --loaded                a board's target was loaded and has not run: data in RAM is as the program file has "
    "it\n"
    "      --start-up              what start-up code copies and clears is an event, too\n"
    "      --allow-halt            the action `halt` may stop the target\n"
    "      --allow-unknown         an expectation of which a loss or an early end leaves open whether it was met does "
    "not fail the run\n"
    "      --fail-on-loss          exit with 4 when anything was lost\n"
    "      --exit-code             sim: exit with the program's exit code\n"
    "      --no-color              no colours on a terminal\n"
    "      --dump-ir[=PASS]        runs nothing: prints the code that the statements become, as built or after a pass\n"
    "      --help                  this text\n\n"
    "Statements: docs/statements.md. Everything else: man earshot-watch.\n";

enum {
    OPT_TIMES = 512,
    OPT_ALLOW_HALT,
    OPT_ALLOW_UNKNOWN,
    OPT_DUMP_IR,
    OPT_TASK,
    OPT_START_UP,
    OPT_ATTACH,
    OPT_LOADED,
    OPT_RATIO = 256,
    OPT_SEED,
    OPT_CLOCK,
    OPT_FAIL_ON_LOSS,
    OPT_EXIT_CODE,
    OPT_NO_COLOR,
    OPT_HELP
};

static const struct option long_options[] = {
    {"expression", required_argument, NULL, 'e'},
    {"statements", required_argument, NULL, 's'},
    {"probe", required_argument, NULL, 'p'},
    {"count", required_argument, NULL, 'n'},
    {"for", required_argument, NULL, 't'},
    {"json", no_argument, NULL, 'j'},
    {"quiet", no_argument, NULL, 'q'},
    {"record", required_argument, NULL, 'o'},
    {"task", required_argument, NULL, OPT_TASK},
    {"ratio", required_argument, NULL, OPT_RATIO},
    {"seed", required_argument, NULL, OPT_SEED},
    {"clock", required_argument, NULL, OPT_CLOCK},
    {"times", no_argument, NULL, OPT_TIMES},
    {"attach", no_argument, NULL, OPT_ATTACH},
    {"loaded", no_argument, NULL, OPT_LOADED},
    {"start-up", no_argument, NULL, OPT_START_UP},
    {"allow-halt", no_argument, NULL, OPT_ALLOW_HALT},
    {"allow-unknown", no_argument, NULL, OPT_ALLOW_UNKNOWN},
    {"fail-on-loss", no_argument, NULL, OPT_FAIL_ON_LOSS},
    {"exit-code", no_argument, NULL, OPT_EXIT_CODE},
    {"no-color", no_argument, NULL, OPT_NO_COLOR},
    {"dump-ir", optional_argument, NULL, OPT_DUMP_IR},
    {"help", no_argument, NULL, OPT_HELP},
    {NULL, 0, NULL, 0},
};

typedef struct watch_options {
    es_session_options session;
    es_access access;
    es_run_options run;
    const char *dump_ir; /* no run: prints the monitor IR after this pass; NULL: a run */
    es_texts texts;
} watch_options;

/* A number for an option, from least to most. */
static bool take_number(const char *option, int64_t least, int64_t most, uint64_t *value, es_error *err)
{
    int64_t number;
    if (!es_option_number(option, least, most, &number, err))
        return false;
    *value = (uint64_t)number;
    return true;
}

/* Options with a value. */
static bool parse_value(int option, watch_options *o, es_error *err)
{
    uint64_t number = 0;
    bool good = true;
    switch (option) {
    case 'e': es_texts_add(&o->texts, optarg); return true;
    case 's': return es_texts_add_file(&o->texts, optarg, err);
    case 'p': return es_probe_parse(optarg, &o->access.choice, err);
    case 'n': return take_number("--count", 1, INT64_MAX, &o->session.count, err);
    case 't': return es_time_parse("--for", optarg, &o->session.for_ns, err);
    case 'o': o->access.record = optarg; return true;
    case OPT_RATIO:
        good = take_number("--ratio", 1, 1000, &number, err);
        o->access.ratio = (unsigned)number;
        return good;
    case OPT_SEED:
        good = take_number("--seed", 0, UINT32_MAX, &number, err);
        o->access.seed = (uint32_t)number;
        return good;
    case OPT_CLOCK: return take_number("--clock", 1, 10000000000, &o->session.clock_hz, err);
    case OPT_TASK: es_texts_add_task(&o->texts, optarg); return true;
    case OPT_DUMP_IR: o->dump_ir = es_dump_pass(optarg, err); return o->dump_ir;
    default: return es_fail(err, ES_USAGE, "see `earshot watch --help`");
    }
}

static bool parse_option(int option, watch_options *o, es_error *err)
{
    switch (option) {
    case 'j': o->run.json = true; return true;
    case 'q': o->run.quiet = true; return true;
    case OPT_TIMES: o->session.times = true; return true;
    case OPT_ATTACH: o->session.attach = true; return true;
    case OPT_LOADED: o->session.loaded = true; return true;
    case OPT_START_UP: o->session.start_up = true; return true;
    case OPT_ALLOW_HALT: o->session.allow_halt = true; return true;
    case OPT_ALLOW_UNKNOWN: o->run.allow_unknown = true; return true;
    case OPT_FAIL_ON_LOSS: o->run.fail_on_loss = true; return true;
    case OPT_EXIT_CODE: o->run.pass_exit_code = true; return true;
    case OPT_NO_COLOR: o->run.no_color = true; return true;
    default: return parse_value(option, o, err);
    }
}

static bool check_options(const watch_options *o, es_error *err)
{
    enum es_probe_kind probe = o->access.choice.probe;
    if (!o->session.program)
        return es_fail(err, ES_USAGE, "which program? earshot watch PROGRAM.elf -e 'temp > 80'");
    if (o->session.text_count == 0)
        return es_fail(err, ES_USAGE,
                       "what to watch for? give a statement with -e 'temp > 80' or a file of statements with -s");
    if (probe != ES_PROBE_SIM && (o->access.ratio || o->run.pass_exit_code))
        return es_fail(err, ES_USAGE, "%s is for --probe sim only", o->access.ratio ? "--ratio" : "--exit-code");
    if (probe == ES_PROBE_SIM && (o->session.attach || o->session.loaded))
        return es_fail(err, ES_USAGE, "the simulated target starts with the probe: %s is for real ones",
                       o->session.attach ? "--attach" : "--loaded");
    if (o->session.attach && o->session.loaded)
        return es_fail(err, ES_USAGE,
                       "--attach and --loaded cannot be combined: a target that runs has changed its data");
    if (probe == ES_PROBE_FILE && o->access.record)
        return es_fail(err, ES_USAGE, "--record and --probe file: cannot be combined");
    return true;
}

/* Whether it is the times without marks that are asked for, of several cores: `earshot net watch`. */
static bool names_net(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--net") == 0 || strncmp(argv[i], "--net=", 6) == 0)
            return true;
    return false;
}

static int watch(int argc, char **argv)
{
    if (names_net(argc, argv))
        return es_net_command_watch.run(argc, argv);
    static char name[] = "earshot watch"; /* what getopt's messages begin with */
    argv[0] = name;
    watch_options o = {.access = {.seed = 1}};
    es_error err = {0};
    bool good = true;
    int option;
    while (good && (option = getopt_long(argc, argv, "e:s:p:n:t:jqo:", long_options, NULL)) != -1) {
        if (option == OPT_HELP) {
            fputs(usage, stdout);
            es_texts_free(&o.texts);
            return ES_OK;
        }
        good = parse_option(option, &o, &err);
    }
    if (good && optind < argc)
        o.session.program = o.access.program = argv[optind++];
    if (good && optind < argc)
        good = es_fail(&err, ES_USAGE, "one program at a time: unexpected argument '%s'%s", argv[optind],
                       strpbrk(argv[optind], "<>={") ? " (a statement goes after -e)" : "");
    o.session.texts = o.texts.items;
    o.session.text_count = o.texts.count;
    good = good && check_options(&o, &err);
    if (!o.session.clock_hz)
        o.session.clock_hz = ES_SIM_BUS_HZ;
    if (o.session.times && o.access.choice.probe == ES_PROBE_SIM && !o.access.ratio)
        o.access.ratio = TIMES_RATIO;
    int code = !good       ? es_cli_fail(&err)
               : o.dump_ir ? es_dump_run(&o.session, o.dump_ir)
                           : es_run(&o.session, &o.access, &o.run);
    es_texts_free(&o.texts);
    return code;
}

const es_command es_command_watch = {"watch", "runs or listens to a target and reports when statements become true",
                                     usage, watch};
