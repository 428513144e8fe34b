/* earshot infer: was something lost in a trace, and what? */
#include "infer/infer.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/infer/private.h"
#include "infer/compound.h"
#include "infer/program.h"

static const char usage[] =
    "usage: earshot infer TRACE --machine FILE [OPTION]...\n\n"
    "Holds a trace against state machines: which events do not fit, after which losses is a state not certain, and\n"
    "what was most likely lost. TRACE is a directory in CTF (of earshot, LTTng, ...) or a list of events as text.\n"
    "What is inferred is never a fact: each alternative has its probability.\n\n"
    "  -m, --machine FILE      state machines, in the text format (transitions, `exclusive` states) or Trace\n"
    "                          Compass's XML; the calls of a program: its ELF; statements' compound events:\n"
    "                          FILE.watch, with --program; processes of a net: NET.pnml. May be there several\n"
    "                          times.\n"
    "                          Ready ones: /usr/share/doc/earshot/examples/machines\n"
    "      --method METHOD     joint (default) or paper: that of Martin and Dagenais, 2018\n"
    "      --statistics TRACE  how often and how fast transitions are taken is learned from this trace instead\n"
    "      --hidden            losses may be anywhere, told or not: certain is only what an event makes so by itself\n"
    "      --told              all losses are told: what does not fit is the program's or the machine's mistake\n"
    "  -a, --alternatives N    how many are shown of each loss, 1 to 16 (default 3)\n"
    "      --check             only checks, and infers nothing\n"
    "  -p, --picture FILE      draws what was lost: FILE.svg or FILE.html\n"
    "      --ctf DIR           writes the inferred events as a trace of their own\n"
    "      --scenarios N       at most so many keys (default 4194304)\n"
    "      --learn             prints a machine that is made from a complete TRACE\n"
    "      --key FIELD         ... whose scenarios, or those of a program's calls, have this field as their key\n"
    "      --program FILE      the ELF that the statements of FILE.watch are about\n"
    "      --statements        TRACE is a program: prints the statements by which `earshot watch` traces its calls;\n"
    "                          or a FILE.watch: ... the parts of its compound events\n"
    "  -j, --json              JSON Lines on stdout\n"
    "      --help              this text\n\n"
    "Exit status 0: done, 2: usage error. What is computed and how: docs/infer.md. Everything else: man "
    "earshot-infer.\n";

static bool take_number(const char *option, const char *text, uint32_t max, uint32_t *number, es_error *err)
{
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || value < 1 || value > max)
        return es_fail(err, ES_USAGE, "%s takes a number from 1 to %u, not '%s'", option, max, text);
    *number = (uint32_t)value;
    return true;
}

static bool take_method(es_infer_request *q, const char *name, es_error *err)
{
    q->method = strcmp(name, "paper") == 0 ? ES_INFER_PAPER : ES_INFER_JOINT;
    return q->method == ES_INFER_PAPER || strcmp(name, "joint") == 0 ||
           es_fail(err, ES_USAGE, "--method takes joint or paper, not '%s'", name);
}

static bool add_machine(es_infer_request *q, const char *file, es_error *err)
{
    if (q->file_count == ES_INFER_FILES_MAX)
        return es_fail(err, ES_USAGE, "at most %u files of machines", ES_INFER_FILES_MAX);
    q->files[q->file_count++] = file;
    return true;
}

enum {
    OPT_METHOD = 256,
    OPT_STATISTICS,
    OPT_HIDDEN,
    OPT_TOLD,
    OPT_CHECK,
    OPT_CTF,
    OPT_SCENARIOS,
    OPT_LEARN,
    OPT_KEY,
    OPT_STATEMENTS,
    OPT_PROGRAM,
    OPT_HELP
};

static bool take_option(es_infer_request *q, int option, es_error *err)
{
    switch (option) {
    case 'm': return add_machine(q, optarg, err);
    case 'a': return take_number("--alternatives", optarg, ES_INFER_ALTERNATIVES_MAX, &q->alternatives, err);
    case OPT_METHOD: return take_method(q, optarg, err);
    case OPT_STATISTICS: q->statistics = optarg; return true;
    case OPT_HIDDEN: return q->hidden = true;
    case OPT_TOLD: return q->told = true;
    case OPT_CHECK: return q->check_only = true;
    case OPT_CTF: q->ctf = optarg; return true;
    case 'p': q->picture = optarg; return true;
    case OPT_SCENARIOS: return take_number("--scenarios", optarg, 1u << 28, &q->scenarios_max, err);
    case OPT_LEARN: return q->learn = true;
    case OPT_KEY: q->key = optarg; return true;
    case OPT_STATEMENTS: return q->statements = true;
    case OPT_PROGRAM: q->elf = optarg; return true;
    case 'j': return q->json = true;
    default: return es_fail(err, ES_USAGE, "see `earshot infer --help`");
    }
}

static bool check_request(es_infer_request *q, int argc, char **argv, es_error *err)
{
    if (argc - optind != 1)
        return es_fail(err, ES_USAGE, "which trace? earshot infer TRACE --machine FILE");
    q->trace = argv[optind];
    if (q->hidden && q->told)
        return es_fail(err, ES_USAGE, "--hidden and --told contradict each other");
    if (q->picture && !es_infer_is_ending(q->picture, ".svg") && !es_infer_is_ending(q->picture, ".html"))
        return es_fail(err, ES_USAGE, "%s: the name's ending selects the format of a picture: .svg or .html",
                       q->picture);
    if (q->picture && (q->check_only || q->learn))
        return es_fail(err, ES_USAGE, "--picture shows what is inferred: not with --check or --learn");
    if (q->learn && q->file_count)
        return es_fail(err, ES_USAGE, "--learn makes a machine, and takes none");
    if (!q->learn && !q->statements && !q->file_count)
        return es_fail(err, ES_USAGE, "which machine? --machine FILE, or --learn makes one from a complete trace");
    return true;
}

static bool print_statements(const es_infer_request *q, es_error *err)
{
    es_text_buffer out = {0};
    bool good = es_infer_is_ending(q->trace, ".watch") ? es_infer_has_program(q, q->trace, err) &&
                                                             es_infer_compound_statements(q->trace, q->elf, &out, err)
                                                       : es_infer_program_statements(q->trace, &out, err);
    if (good)
        fwrite(out.text ? out.text : "", 1, out.length, stdout);
    es_text_free(&out);
    return good;
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"machine", required_argument, NULL, 'm'},
        {"method", required_argument, NULL, OPT_METHOD},
        {"statistics", required_argument, NULL, OPT_STATISTICS},
        {"hidden", no_argument, NULL, OPT_HIDDEN},
        {"alternatives", required_argument, NULL, 'a'},
        {"check", no_argument, NULL, OPT_CHECK},
        {"told", no_argument, NULL, OPT_TOLD},
        {"ctf", required_argument, NULL, OPT_CTF},
        {"scenarios", required_argument, NULL, OPT_SCENARIOS},
        {"picture", required_argument, NULL, 'p'},
        {"learn", no_argument, NULL, OPT_LEARN},
        {"key", required_argument, NULL, OPT_KEY},
        {"statements", no_argument, NULL, OPT_STATEMENTS},
        {"program", required_argument, NULL, OPT_PROGRAM},
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, OPT_HELP},
        {NULL, 0, NULL, 0},
    };
    static char name[] = "earshot infer";
    es_infer_request q = {.method = ES_INFER_JOINT};
    es_error err = {0};
    bool good = true;
    int option;
    argv[0] = name;
    while (good && (option = getopt_long(argc, argv, "m:a:jp:", options, NULL)) != -1) {
        if (option == OPT_HELP) {
            fputs(usage, stdout);
            return ES_OK;
        }
        good = take_option(&q, option, &err);
    }
    if (!good || !check_request(&q, argc, argv, &err))
        return es_cli_fail(&err);
    if (q.learn)
        return es_infer_learn_machine(&q, &err) ? ES_OK : es_cli_fail(&err);
    if (q.statements)
        return print_statements(&q, &err) ? ES_OK : es_cli_fail(&err);
    es_infer_model *model = es_infer_model_new();
    es_infer_program *program = NULL;
    good = es_infer_load_machines(&q, model, &program, &err) && es_infer_run(&q, model, program, &err);
    es_infer_program_free(program);
    es_infer_model_free(model);
    return good ? ES_OK : es_cli_fail(&err);
}

const es_command es_command_infer = {
    .name = "infer", .summary = "infers what was lost in a trace, by state machines", .usage = usage, .run = run};
