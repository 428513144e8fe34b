/* earshot check: can the probe keep up with this program and these statements? */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/boards.h"
#include "check/check.h"
#include "cli/cli.h"
#include "cli/commands/check_print.h"
#include "cli/commands/check_replay.h"
#include "cli/commands/check_sides.h"
#include "cli/commands/texts.h"
#include "cli/number.h"
#include "replay/recorder.h"
#include "session/task.h"

static const char usage[] =
    "usage: earshot check PROGRAM.elf [-e STATEMENT]... [-s FILE.watch]... [OPTION]...\n\n"
    "Proves, before anything runs, that the probe keeps up with the program whatever it does; or names the place\n"
    "where it may not, and what would make it fit. Where the probe has a recorder, says for each statement whether "
    "the\n"
    "monitor or the replay is sure to miss nothing. Exit status 0: one of them is, of all statements; 1: not.\n\n"
    "  -e, --expression STATEMENT  a statement\n"
    "  -s, --statements FILE       statements from a file\n"
    "  -b, --board BOARD           which probe: sim (default), icebreaker, ulx3s, ulx3s-85f, ulx3s-85f-256k, "
    "icebreaker-recorder, ulx3s-recorder\n"
    "      --task VARIABLE         names the running task, as for earshot watch\n"
    "      --ratio N[/M]           soft core clocks per clock of the target's bus (default: the board's)\n"
    "      --interrupts N          bus clocks between two interrupts, at least (default: they may come back to back)\n"
    "      --nest N                activations that nest, interrupts among them, at most (default: as many as the "
    "probe keeps)\n"
    "      --levels N              handlers active at once, where they let others interrupt them (default: as many as "
    "nest)\n"
    "      --tasks N               tasks that ever run, main's stack counted, at most (default: as many as the probe "
    "keeps, 9)\n"
    "      --clock HZ              frequency of the target's bus clock, for times in statements (default 10000000)\n"
    "      --wait N                states that every access of the target waits (default 0)\n"
    "      --instruction N         bus clocks that the target takes for an instruction, at least (default: as the "
    "reference target)\n"
    "      --fifo N                records that the FIFO holds (default: the board's)\n"
    "      --start-up              what start-up code copies and clears is an event, too\n"
    "      --any-store             stores through pointers may go anywhere, whatever their address was made from\n"
    "      --replay                no statements: whether the probe's recorder keeps up, so that any can be evaluated "
    "on\n"
    "                              the replay\n"
    "      --probe-only            the verdict on the monitor alone\n"
    "  -v, --events                all events with their worst case and holding time\n"
    "  -j, --json                  one JSON object on stdout\n"
    "      --help                  this text\n\n"
    "What is computed and how: docs/check.md. Everything else: man earshot-check.\n";

enum {
    OPT_RATIO = 256,
    OPT_INTERRUPTS,
    OPT_NEST,
    OPT_LEVELS,
    OPT_CLOCK,
    OPT_WAIT,
    OPT_INSTRUCTION,
    OPT_FIFO,
    OPT_ANY_STORE,
    OPT_TASK,
    OPT_TASKS,
    OPT_START_UP,
    OPT_REPLAY,
    OPT_PROBE_ONLY,
    OPT_HELP
};

static const struct option long_options[] = {
    {"expression", required_argument, NULL, 'e'},
    {"statements", required_argument, NULL, 's'},
    {"board", required_argument, NULL, 'b'},
    {"ratio", required_argument, NULL, OPT_RATIO},
    {"interrupts", required_argument, NULL, OPT_INTERRUPTS},
    {"nest", required_argument, NULL, OPT_NEST},
    {"levels", required_argument, NULL, OPT_LEVELS},
    {"tasks", required_argument, NULL, OPT_TASKS},
    {"clock", required_argument, NULL, OPT_CLOCK},
    {"wait", required_argument, NULL, OPT_WAIT},
    {"instruction", required_argument, NULL, OPT_INSTRUCTION},
    {"fifo", required_argument, NULL, OPT_FIFO},
    {"task", required_argument, NULL, OPT_TASK},
    {"start-up", no_argument, NULL, OPT_START_UP},
    {"any-store", no_argument, NULL, OPT_ANY_STORE},
    {"replay", no_argument, NULL, OPT_REPLAY},
    {"probe-only", no_argument, NULL, OPT_PROBE_ONLY},
    {"events", no_argument, NULL, 'v'},
    {"json", no_argument, NULL, 'j'},
    {"help", no_argument, NULL, OPT_HELP},
    {NULL, 0, NULL, 0},
};

static bool parse_ratio(es_check_request *q, es_error *err)
{
    char *end;
    long core = strtol(optarg, &end, 10), bus = 1;
    if (*optarg < '0' || *optarg > '9')
        core = 0;
    if (*end == '/' && end[1] >= '0' && end[1] <= '9')
        bus = strtol(end + 1, &end, 10);
    if (*end || core < 1 || bus < 1 || core > 100000 || bus > 100000)
        return es_fail(err, ES_USAGE, "--ratio takes a number, or two like 5/2, not '%s'", optarg);
    q->options.ratio = (es_check_ratio){core, bus};
    return true;
}

static bool parse_board(es_check_request *q, es_error *err)
{
    const es_check_board *board = es_check_board_named(optarg);
    if (!board)
        return es_fail(err, ES_USAGE, "there is no board '%s': use " ES_CHECK_BOARD_NAMES, optarg);
    q->limits = board->limits;
    q->options = board->options;
    return true;
}

static bool parse_option(int option, es_check_request *q, es_error *err)
{
    int64_t number;
    switch (option) {
    case 'e': es_texts_add(&q->texts, optarg); return true;
    case 's': return es_texts_add_file(&q->texts, optarg, err);
    case 'b': return parse_board(q, err);
    case OPT_TASK: es_texts_add_task(&q->texts, optarg); return true;
    case OPT_RATIO: return parse_ratio(q, err);
    case OPT_INTERRUPTS:
        if (!es_option_number("--interrupts", 1, 1 << 30, &number, err))
            return false;
        q->options.interrupt_gap = number;
        return true;
    case OPT_NEST:
        if (!es_option_number("--nest", 1, 1 << 20, &number, err))
            return false;
        q->options.nest = (uint32_t)number;
        return true;
    case OPT_LEVELS:
        if (!es_option_number("--levels", 1, 1 << 20, &number, err))
            return false;
        q->options.levels = (uint32_t)number;
        return true;
    case OPT_TASKS:
        if (!es_option_number("--tasks", 1, 1000, &number, err))
            return false;
        q->options.tasks = (uint32_t)number;
        return true;
    case OPT_CLOCK:
        if (!es_option_number("--clock", 1, 1000000000, &number, err))
            return false;
        q->limits.bus_hz = (uint64_t)number;
        return true;
    case OPT_WAIT:
        if (!es_option_number("--wait", 0, 1000, &number, err))
            return false;
        q->options.wait = (uint32_t)number;
        return true;
    case OPT_INSTRUCTION:
        if (!es_option_number("--instruction", 1, 1000, &number, err))
            return false;
        q->options.instruction = (uint32_t)number;
        return true;
    case OPT_FIFO:
        if (!es_option_number("--fifo", 1, 1 << 20, &number, err))
            return false;
        q->options.fifo = (uint32_t)number;
        return true;
    case OPT_START_UP: q->limits.start_up = true; return true;
    case OPT_ANY_STORE: q->options.any_store = true; return true;
    case OPT_REPLAY: q->replay = true; return true;
    case OPT_PROBE_ONLY: q->probe_only = true; return true;
    case 'v': q->events = true; return true;
    case 'j': q->json = true; return true;
    default: return es_fail(err, ES_USAGE, "see `earshot check --help`");
    }
}

/* What is known of the tasks, and what the user should know of the statements, as `earshot watch` tells it. */
static void tell_notes(const es_program *program)
{
    es_text_buffer tasks = {0};
    if (es_task_default(&tasks, program))
        fprintf(stderr, "earshot: %s\n", tasks.text);
    es_text_free(&tasks);
    for (size_t i = 0; i < program->warning_count; i++)
        fprintf(stderr, "earshot: warning: %s\n", program->warnings[i]);
}

/* Both sides. */
static bool run_sides(const es_check_request *q, bool *guaranteed, es_error *err)
{
    es_check_sides sides;
    es_text_buffer earlier = {0};
    bool good =
        es_check_sides_run(q->program, q->texts.items, q->texts.count, &q->limits, &q->options, &sides, &earlier, err);
    if (earlier.length)
        fputs(earlier.text, stderr);
    es_text_free(&earlier);
    if (!good)
        return false;
    tell_notes(sides.program);
    if (q->json) {
        es_check_print_json(&sides.monitor, q, &sides);
    } else {
        if (sides.judged)
            es_check_print_figures(&sides.monitor, q);
        es_check_sides_print(&sides);
        if (sides.side == ES_CHECK_MONITOR)
            es_check_print_verdict(&sides.monitor, q);
        else
            es_check_sides_verdict(&sides);
    }
    *guaranteed = sides.side != ES_CHECK_NEITHER;
    es_check_sides_free(&sides);
    return true;
}

/* The monitor alone. */
static bool run_monitor(const es_check_request *q, bool *guaranteed, es_error *err)
{
    es_program program;
    es_image image;
    es_check_report report;
    es_symbols *symbols = es_symbols_open(q->program, err);
    if (!symbols)
        return false;
    bool parsed = es_texts_parse(symbols, q->texts.items, q->texts.count, &program, err);
    bool built = parsed && es_image_build(symbols, &program, &q->limits, &image, err);
    bool good = built && es_check_run(symbols, &program, &image, &q->limits, &q->options, &report, err);
    if (good) {
        tell_notes(&program);
        if (q->json) {
            es_check_print_json(&report, q, NULL);
        } else {
            es_check_print_figures(&report, q);
            es_check_print_verdict(&report, q);
        }
        *guaranteed = report.guaranteed;
        es_check_report_free(&report);
    }
    if (built)
        es_image_free(&image);
    if (parsed)
        es_program_free(&program);
    es_symbols_close(symbols);
    return good;
}

static int check(int argc, char **argv)
{
    static char name[] = "earshot check";
    argv[0] = name;
    const es_check_board *usual = es_check_board_named("sim");
    es_check_request q = {.limits = usual->limits, .options = usual->options};
    es_error err = {0};
    bool good = true, guaranteed = false;
    int option;
    while (good && (option = getopt_long(argc, argv, "e:s:b:vj", long_options, NULL)) != -1) {
        if (option == OPT_HELP) {
            fputs(usage, stdout);
            es_texts_free(&q.texts);
            return ES_OK;
        }
        good = parse_option(option, &q, &err);
    }
    if (good && optind < argc)
        q.program = argv[optind++];
    if (good && optind < argc)
        good = es_fail(&err, ES_USAGE, "one program at a time: unexpected argument '%s'", argv[optind]);
    if (good && !q.program)
        good = es_fail(&err, ES_USAGE, "which program? earshot check PROGRAM.elf -s FILE.watch");
    if (good && q.replay && q.texts.count)
        good = es_fail(&err, ES_USAGE, "--replay is about the probe's recorder: it takes no statements");
    if (good && q.replay && !q.options.recorder_bytes)
        good = es_fail(&err, ES_USAGE,
                       "this board's probe has no recorder: --replay is for --board sim, ulx3s-85f, "
                       "ulx3s-85f-256k, icebreaker-recorder and ulx3s-recorder");
    if (good && !q.replay && q.limits.memory_size == 0)
        good = es_fail(&err, ES_USAGE,
                       "this board's probe has no monitor: statements are evaluated on the replay of what it records, "
                       "and --replay, without statements, says whether it keeps up");
    if (good && !q.replay && !q.texts.count)
        good = es_fail(&err, ES_USAGE, "which statements? give them with -s FILE.watch or -e 'temp > 80'");
    if (good && q.replay && q.probe_only)
        good = es_fail(&err, ES_USAGE, "--replay and --probe-only cannot be combined");
    q.options.recorder_period = ES_RECORDER_PERIOD;
    q.options.progress = isatty(STDERR_FILENO) ? es_check_sides_progress : NULL;
    good = good && (q.replay ? es_check_replay(q.program, &q.limits, &q.options, q.json, &guaranteed, &err)
                    : q.probe_only || !q.options.recorder_bytes ? run_monitor(&q, &guaranteed, &err)
                                                                : run_sides(&q, &guaranteed, &err));
    es_texts_free(&q.texts);
    if (!good)
        return es_cli_fail(&err);
    errno = 0;
    if ((fflush(stdout) != 0 || ferror(stdout)) && !es_cli_has_reader_left()) {
        es_fail(&err, ES_OUTPUT, "results cannot be written: %s",
                errno ? strerror(errno) : "standard output does not accept more");
        return es_cli_fail(&err);
    }
    return guaranteed ? ES_OK : ES_EXPECTATION;
}

const es_command es_command_check = {"check", "proves that the probe keeps up with a program, or says where not", usage,
                                     check};
