/* earshot infer: was something lost in a trace, and what? */
#include "infer/infer.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/cli.h"
#include "cli/infer/picture.h"
#include "cli/infer/private.h"

static const char usage[] =
    "usage: earshot infer TRACE --machine FILE [OPTION]...\n\n"
    "Holds a trace against state machines: which events do not fit, after which losses is a state not certain, and\n"
    "what was most likely lost. TRACE is a directory in CTF (of earshot, LTTng, ...) or a list of events as text.\n"
    "What is inferred is never a fact: each alternative has its probability.\n\n"
    "  -m, --machine FILE      state machines, in the text format or Trace Compass's XML; may be there several times\n"
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
    "      --key FIELD         ... whose scenarios have this field as their key\n"
    "  -j, --json              JSON Lines on stdout\n"
    "      --help              this text\n\n"
    "Exit status 0: done, 2: usage error. What is computed and how: docs/infer.md. Everything else: man "
    "earshot-infer.\n";

/* One pass over a trace. */
typedef struct pass {
    const es_infer_request *request;
    const es_infer_model *model;
    es_infer_check *check;
    es_infer_learned *learned; /* the first pass fills them */
    es_infer_contents *contents;
    es_infer *infer; /* of the second pass; NULL in the first */
    es_infer_ctf *ctf;
    es_infer_picture *picture;
    es_infer_counts counts;
} pass;

static bool learn_step(void *context, const es_infer_step *step, es_infer_scenario *scenario)
{
    pass *p = context;
    es_infer_learn(p->learned, step, scenario);
    es_infer_contents_learn(p->contents, step);
    return true;
}

static bool take_event(void *context, const es_infer_event *event, es_error *err)
{
    pass *p = context;
    if (p->infer)
        es_infer_event_came(p->infer, event->time);
    return es_infer_check_event(p->check, event, err);
}

static bool take_gap(void *context, int64_t begin, int64_t end, uint64_t count, es_error *err)
{
    pass *p = context;
    (void)err;
    es_infer_check_gap(p->check, begin, end, count);
    if (p->infer)
        es_infer_gap(p->infer, begin, end, count);
    if (p->picture)
        es_infer_picture_gap(p->picture, begin, end);
    return true;
}

static bool take_result(void *context, const es_infer_result *result)
{
    pass *p = context;
    p->counts.segments++;
    p->counts.told += result->told;
    p->counts.too_long += result->too_long;
    p->counts.unsolved += !result->too_long && !result->alternative_count;
    p->counts.solved += result->alternative_count > 0;
    p->counts.lost += result->alternative_count ? result->alternatives[0].lost : 0;
    if (p->request->json)
        es_infer_print_json(p->model, p->contents, result);
    else
        es_infer_print_text(p->model, p->contents, result);
    if (p->picture)
        es_infer_picture_add(p->picture, result);
    if (p->ctf)
        es_infer_ctf_add(p->ctf, p->model, result, p->counts.segments);
    return true;
}

static void leave(void *context, es_infer_scenario *scenario)
{
    ((pass *)context)->counts.unsolved += es_infer_leave(scenario);
}

/* Statistics of a trace. */
static bool learn(pass *p, es_infer_model *model, const char *trace, bool hidden, es_infer_totals *totals,
                  es_error *err)
{
    es_infer_check_options options = {
        .hidden = hidden, .scenarios_max = p->request->scenarios_max, .step = learn_step, .context = p};
    es_infer_sink sink = {p, take_event, take_gap};
    p->check = es_infer_check_new(model, &options);
    bool good = es_infer_read(trace, &model->words, &sink, err);
    *totals = *es_infer_check_totals(p->check);
    es_infer_check_free(p->check);
    return good;
}

static bool is_ending(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

/* Writes the picture, if there is one. */
static bool draw(pass *p, const es_infer_totals *totals, es_error *err)
{
    if (!p->picture)
        return true;
    es_text_buffer summary = {0}, text = {0};
    es_infer_summary(&summary, totals, &p->counts);
    if (is_ending(p->request->picture, ".html"))
        es_infer_picture_html(p->picture, summary.text, &text);
    else
        es_infer_picture_svg(p->picture, summary.text, &text);
    bool good = es_cli_write_out(&text, p->request->picture, err);
    es_text_free(&summary);
    es_text_free(&text);
    return good;
}

static bool second_pass(pass *p, es_infer_model *model, const es_infer_totals *first, bool hidden, es_error *err)
{
    double rate = 2.0 * (double)first->verdicts[ES_INFER_INCONSISTENT] / ((double)first->steps + 1);
    es_infer_options how = {.method = p->request->method,
                            .loss_rate = rate < 1e-5  ? 1e-5
                                         : rate > 0.3 ? 0.3
                                                      : rate,
                            .hidden = hidden,
                            .event_rate =
                                (double)first->events / ((double)first->last_time - (double)first->first_time + 1),
                            .alternatives = p->request->alternatives,
                            .found = take_result,
                            .context = p};
    p->infer = es_infer_new(model, p->learned, &how);
    es_infer_check_options options = {
        .hidden = hidden, .scenarios_max = p->request->scenarios_max, .step = es_infer_take_step, .context = p->infer};
    es_infer_sink sink = {p, take_event, take_gap};
    p->check = es_infer_check_new(model, &options);
    if (p->request->picture)
        p->picture = es_infer_picture_new(model, p->contents, p->request->trace, first->first_time, first->last_time);
    bool good = es_infer_read(p->request->trace, &model->words, &sink, err);
    for (uint32_t m = 0; m < model->machine_count; m++)
        es_infer_check_each(p->check, m, leave, p);
    if (good)
        es_infer_print_totals(es_infer_check_totals(p->check), &p->counts, hidden, p->request->json);
    good = good && draw(p, es_infer_check_totals(p->check), err);
    es_infer_picture_free(p->picture);
    es_infer_check_free(p->check);
    es_infer_free(p->infer);
    return good;
}

/* What the first pass has found out of the trace as a whole. */
static bool judge(const es_infer_request *q, const es_infer_totals *totals, bool *hidden, es_error *err)
{
    uint64_t odd = totals->verdicts[ES_INFER_INCONSISTENT], foreign = totals->verdicts[ES_INFER_FOREIGN];
    if (!totals->steps)
        return es_fail(err, ES_USAGE,
                       "%s: none of its %" PRIu64 " events is one that the machine looks at: is it the right machine, "
                       "and are names and keys as in the trace?",
                       q->trace, totals->events);
    if (totals->back)
        fprintf(stderr, "earshot: %" PRIu64 " %s earlier than the one before: their times mean little\n", totals->back,
                es_plural(totals->back, "event is", "events are"));
    if (odd + foreign > totals->steps / 2)
        fprintf(stderr,
                "earshot: %" PRIu64 " of %" PRIu64 " events do not fit: this machine does not describe this trace\n",
                odd + foreign, totals->steps);
    if (odd && !*hidden && !q->told) {
        fprintf(stderr,
                "earshot: %" PRIu64
                " %s not fit, although the trace tells no loss there: from now on only that counts as certain which "
                "an event makes so by itself (--hidden; or --told)\n",
                odd, es_plural(odd, "event does", "events do"));
        *hidden = true;
    }
    return true;
}

static bool infer(const es_infer_request *q, es_infer_model *model, es_error *err)
{
    es_infer_totals totals;
    bool hidden = q->hidden;
    pass p = {
        .request = q, .model = model, .learned = es_infer_learned_new(model), .contents = es_infer_contents_new(model)};
    bool good = (!q->statistics || learn(&p, model, q->statistics, hidden, &totals, err));
    if (good && q->statistics) { /* the trace itself is looked at, too: does it tell its losses? */
        es_infer_check_options options = {.hidden = hidden, .scenarios_max = q->scenarios_max};
        es_infer_sink sink = {&p, take_event, take_gap};
        p.check = es_infer_check_new(model, &options);
        good = es_infer_read(q->trace, &model->words, &sink, err);
        totals = *es_infer_check_totals(p.check);
        es_infer_check_free(p.check);
    } else if (good) {
        good = learn(&p, model, q->trace, hidden, &totals, err);
    }
    good = good && judge(q, &totals, &hidden, err);
    es_infer_learned_finish(p.learned);
    if (good && q->check_only)
        es_infer_print_totals(&totals, NULL, hidden, q->json);
    else if (good && (!q->ctf || (p.ctf = es_infer_ctf_new(q->ctf, q->trace, err))))
        good = second_pass(&p, model, &totals, hidden, err) && es_infer_ctf_close(p.ctf, err);
    else
        good = false;
    es_infer_learned_free(p.learned);
    es_infer_contents_free(p.contents);
    return good;
}

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
    if (q->picture && !is_ending(q->picture, ".svg") && !is_ending(q->picture, ".html"))
        return es_fail(err, ES_USAGE, "%s: the name's ending selects the format of a picture: .svg or .html",
                       q->picture);
    if (q->picture && (q->check_only || q->learn))
        return es_fail(err, ES_USAGE, "--picture shows what is inferred: not with --check or --learn");
    if (q->learn && q->file_count)
        return es_fail(err, ES_USAGE, "--learn makes a machine, and takes none");
    if (!q->learn && !q->file_count)
        return es_fail(err, ES_USAGE, "which machine? --machine FILE, or --learn makes one from a complete trace");
    return true;
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
    es_infer_model *model = es_infer_model_new();
    for (unsigned i = 0; good && i < q.file_count; i++)
        good = es_infer_load(model, q.files[i], &err);
    good = good && infer(&q, model, &err);
    es_infer_model_free(model);
    return good ? ES_OK : es_cli_fail(&err);
}

const es_command es_command_infer = {
    .name = "infer", .summary = "infers what was lost in a trace, by state machines", .usage = usage, .run = run};
