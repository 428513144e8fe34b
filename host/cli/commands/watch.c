/* earshot watch: the command line of es_session_run. */
#include <getopt.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/commands/dump.h"
#include "cli/commands/number.h"
#include "cli/commands/probe_option.h"
#include "cli/commands/texts.h"
#include "cli/net/private.h"
#include "cli/report/value.h"
#include "cli/session/session.h"

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

static bool take_probe(es_session_options *options, es_error *err)
{
    es_probe_choice choice;
    if (!es_probe_parse(optarg, &choice, err))
        return false;
    options->probe = choice.probe;
    options->probe_name = choice.name;
    options->baud = choice.baud;
    return true;
}

static bool parse_option(int option, es_session_options *options, es_texts *texts, es_error *err)
{
    int64_t number;
    switch (option) {
    case 'e': es_texts_add(texts, optarg); return true;
    case 's': return es_texts_add_file(texts, optarg, err);
    case 'p': return take_probe(options, err);
    case 'n':
        if (!es_option_number("--count", 1, INT64_MAX, &number, err))
            return false;
        options->count = (uint64_t)number;
        return true;
    case 't': return es_time_parse("--for", optarg, &options->for_ns, err);
    case 'j': options->json = true; return true;
    case 'q': options->quiet = true; return true;
    case 'o': options->record = optarg; return true;
    case OPT_RATIO:
        if (!es_option_number("--ratio", 1, 1000, &number, err))
            return false;
        options->ratio = (unsigned)number;
        return true;
    case OPT_SEED:
        if (!es_option_number("--seed", 0, UINT32_MAX, &number, err))
            return false;
        options->seed = (uint32_t)number;
        return true;
    case OPT_CLOCK:
        if (!es_option_number("--clock", 1, 10000000000, &number, err))
            return false;
        options->clock_hz = (uint64_t)number;
        return true;
    case OPT_TASK: es_texts_add_task(texts, optarg); return true;
    case OPT_TIMES: options->times = true; return true;
    case OPT_ATTACH: options->attach = true; return true;
    case OPT_LOADED: options->loaded = true; return true;
    case OPT_START_UP: options->start_up = true; return true;
    case OPT_ALLOW_HALT: options->allow_halt = true; return true;
    case OPT_ALLOW_UNKNOWN: options->allow_unknown = true; return true;
    case OPT_FAIL_ON_LOSS: options->fail_on_loss = true; return true;
    case OPT_EXIT_CODE: options->pass_exit_code = true; return true;
    case OPT_NO_COLOR: options->color = false; return true;
    case OPT_DUMP_IR: return es_dump_option(options, optarg, err);
    default: return es_fail(err, ES_USAGE, "see `earshot watch --help`");
    }
}

static bool check_options(const es_session_options *options, es_error *err)
{
    if (!options->program)
        return es_fail(err, ES_USAGE, "which program? earshot watch PROGRAM.elf -e 'temp > 80'");
    if (options->text_count == 0)
        return es_fail(err, ES_USAGE,
                       "what to watch for? give a statement with -e 'temp > 80' or a file of statements with -s");
    if (options->probe != ES_PROBE_SIM && (options->ratio || options->pass_exit_code))
        return es_fail(err, ES_USAGE, "%s is for --probe sim only", options->ratio ? "--ratio" : "--exit-code");
    if (options->probe == ES_PROBE_SIM && (options->attach || options->loaded))
        return es_fail(err, ES_USAGE, "the simulated target starts with the probe: %s is for real ones",
                       options->attach ? "--attach" : "--loaded");
    if (options->attach && options->loaded)
        return es_fail(err, ES_USAGE,
                       "--attach and --loaded cannot be combined: a target that runs has changed its data");
    if (options->probe == ES_PROBE_FILE && options->record)
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
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    es_session_options options = {
        .seed = 1,
        .color = isatty(STDOUT_FILENO) && !(no_color && *no_color) && terminal && strcmp(terminal, "dumb") != 0,
        .utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
    };
    es_texts texts = {0};
    es_error err = {0};
    bool good = true;
    int option;
    while (good && (option = getopt_long(argc, argv, "e:s:p:n:t:jqo:", long_options, NULL)) != -1) {
        if (option == OPT_HELP) {
            fputs(usage, stdout);
            es_texts_free(&texts);
            return ES_OK;
        }
        good = parse_option(option, &options, &texts, &err);
    }
    if (good && optind < argc)
        options.program = argv[optind++];
    if (good && optind < argc)
        good = es_fail(&err, ES_USAGE, "one program at a time: unexpected argument '%s'%s", argv[optind],
                       strpbrk(argv[optind], "<>={") ? " (a statement goes after -e)" : "");
    options.texts = texts.items;
    options.text_count = texts.count;
    good = good && check_options(&options, &err);
    if (options.times && options.probe == ES_PROBE_SIM && !options.ratio)
        options.ratio = TIMES_RATIO;
    int code = !good ? es_cli_fail(&err) : options.dump_ir ? es_dump_run(&options) : es_session_run(&options);
    es_texts_free(&texts);
    return code;
}

const es_command es_command_watch = {"watch", "runs or listens to a target and reports when statements become true",
                                     usage, watch};
