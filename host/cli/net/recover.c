/* earshot net recover */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "cli/net/private.h"
#include "cli/net/recover.h"
#include "cli/net/what_if.h"
#include "net/formats/format.h"
#include "net/formats/trace.h"
#include "net/timeline/timeline.h"

static const char usage[] =
    "usage: earshot net recover TRACE -n NET [OPTION]...\n\n"
    "Computes from the observed times of a net's monitors those that would have been without monitoring, and where\n"
    "behaviour would have changed. TRACE is JSON Lines, as `earshot net simulate --json` writes them; - is standard\n"
    "input.\n\n"
    "  -n, --net NET         the net of the program\n"
    "  -j, --json            JSON Lines on stdout\n"
    "  -q, --quiet           changes of behaviour only\n"
    "      --strict          stop at the first change of behaviour\n"
    "      --fail-on-change  exit with 1 when there was one\n"
    "  -p, --picture FILE    draw a timeline: FILE.svg or FILE.html\n"
    "      --from TICKS      the picture begins and\n"
    "      --to TICKS        ends at these times\n"
    "      --what-if NET     with the delays of NET, the same net but for those of its fixed steps: another latency\n"
    "      --speed SPEED     PROCESS=FACTOR: with that process so many times as fast; may be given for several\n"
    "      --ctf DIRECTORY   write a CTF trace with both times\n"
    "      --clock HZ        ticks a second, for the CTF trace (default 1000000000)\n"
    "      --paste-limit N   measurements kept to be pasted after a change, for each stretch (default 4096)\n"
    "      --look-ahead N    events that a stretch waits after a change before an earlier one is used (default 256)\n"
    "      --help            this text\n";

#define TOGETHER 256 /* firings: what reads them, and what they are read for, each stay in the caches for a while */

struct recover {
    const char *trace, *net, *picture, *ctf_directory;
    int64_t from, to, clock, paste_limit, look_ahead;
    bool strict, fail_on_change;
    es_net_printer printer;
    es_net_timeline *timeline; /* NULL: no picture */
    es_net_ctf *ctf;           /* NULL: no CTF trace */
    es_net_what_if what_if;
    uint64_t changes;
    bool failed; /* a sink did; err has the message */
    es_error err;
};

static void on_event(void *context, const es_net_recovered *event)
{
    struct recover *r = context;
    es_net_print_event(&r->printer, event);
    if (r->timeline)
        es_net_timeline_recovered(r->timeline, event);
    if (r->ctf && !r->failed)
        r->failed = !es_net_ctf_event(r->ctf, event, &r->err);
}

/* Where nothing but lines is wanted. */
static void print_event(void *context, const es_net_recovered *event)
{
    struct recover *r = context;
    es_net_print_event(&r->printer, event);
}

static void on_change(void *context, const es_net_change *change)
{
    struct recover *r = context;
    r->changes++;
    es_net_print_change(&r->printer, change);
    if (r->timeline)
        es_net_timeline_change(r->timeline, change);
    if (r->ctf && !r->failed)
        r->failed = !es_net_ctf_change(r->ctf, change, &r->err);
}

static void on_order(void *context, const es_net_order_change *change)
{
    struct recover *r = context;
    r->changes++;
    es_net_print_order(&r->printer, change);
    if (r->timeline)
        es_net_timeline_order(r->timeline, change);
    if (r->ctf && !r->failed)
        r->failed = !es_net_ctf_order(r->ctf, change, &r->err);
}

static void on_cut(void *context, const es_net_cut *cut)
{
    struct recover *r = context;
    es_net_print_cut(&r->printer, cut);
}

static bool take_firing(struct recover *r, es_net_recovery *recovery, const es_net_observation *firing)
{
    if (!r->printer.net->transitions[firing->transition].monitor)
        return true; /* a trace of all transitions: recovery knows of the monitors only */
    if (r->timeline)
        es_net_timeline_observed(r->timeline, firing);
    return es_net_recovery_push(recovery, firing, &r->err);
}

/* One line of the trace. */
static bool take(struct recover *r, es_net_recovery *recovery, const es_net_record *record)
{
    es_net_observation firing = {
        .transition = record->transition, .time = record->time, .mark = record->mark, .serial = record->line};
    switch (record->kind) {
    case ES_NET_RECORD_FIRING: return take_firing(r, recovery, &firing);
    case ES_NET_RECORD_GAP: return es_net_recovery_gap(recovery, record->processes, record->process_count, &r->err);
    case ES_NET_RECORD_TIME: return es_net_recovery_advance(recovery, record->time, &r->err);
    case ES_NET_RECORD_END: break;
    }
    return true;
}

/* The trace's name in messages. */
static const char *name_of(const struct recover *r)
{
    return strcmp(r->trace, "-") == 0 ? "standard input" : r->trace;
}

/* Takes all firings that are there. False with an error. */
static bool take_firings(struct recover *r, es_net_recovery *recovery, es_net_trace *trace)
{
    es_net_observation firings[TOGETHER];
    size_t count;
    while (!r->failed && (count = es_net_trace_firings(trace, firings, TOGETHER)) > 0)
        for (const es_net_observation *firing = firings; firing < firings + count && !r->failed; firing++)
            if (!take_firing(r, recovery, firing))
                return es_fail_in(&r->err, "%s:%llu:1: error", name_of(r), (unsigned long long)firing->serial);
    return true;
}

/* A file in which events stand after its end is in another order than it was written, or is two traces. Of a pipe
 * nobody waits for more: who writes it may never close it. */
static bool nothing_follows(struct recover *r, es_net_trace *trace, const es_net_record *end)
{
    struct stat file;
    es_net_record record;
    bool at_end = false;
    if (stat(r->trace, &file) != 0 || !S_ISREG(file.st_mode))
        return true;
    if (!es_net_trace_next(trace, &record, &at_end, &r->err))
        return at_end;
    return es_fail(
        &r->err, ES_USAGE,
        "%s:%llu:1: error: an event after the trace's \"end\" in line %llu: its lines are not in order, or it is "
        "more than one trace",
        name_of(r), (unsigned long long)record.line, (unsigned long long)end->line);
}

static bool read_trace(struct recover *r, es_net_recovery *recovery, es_net_trace *trace)
{
    es_net_record record;
    bool at_end = false, complete = false, more = true;
    while (more && !r->failed) {
        if (!take_firings(r, recovery, trace))
            return false;
        if (r->failed || !es_net_trace_next(trace, &record, &at_end, &r->err))
            break;
        if (!take(r, recovery, &record))
            return es_fail_in(&r->err, "%s:%llu:1: error", name_of(r), (unsigned long long)record.line);
        more = record.kind != ES_NET_RECORD_END;
        complete = !more && record.complete;
    }
    if (r->failed || (more && !at_end) || (!more && !nothing_follows(r, trace, &record)))
        return false;
    if (!es_net_recovery_finish(recovery, complete, &r->err))
        return es_fail_in(&r->err, "%s: error", name_of(r));
    return !r->failed;
}

static bool draw(struct recover *r)
{
    if (!r->timeline)
        return true;
    es_text_buffer text = {0};
    size_t length = strlen(r->picture);
    bool html = length > 5 && strcasecmp(r->picture + length - 5, ".html") == 0;
    (html ? es_net_timeline_html : es_net_timeline_svg)(r->timeline, &text);
    bool good = es_cli_write_out(&text, r->picture, &r->err);
    es_text_free(&text);
    return good;
}

static bool recover(struct recover *r, const es_net *net, es_net_trace *trace)
{
    es_net_recovery_options options = {.strict = r->strict,
                                       .paste_limit = (uint32_t)r->paste_limit,
                                       .look_ahead = (uint32_t)r->look_ahead,
                                       .on_event = r->picture || r->ctf_directory ? on_event : print_event,
                                       .on_change = on_change,
                                       .on_order = on_order,
                                       .on_cut = on_cut,
                                       .context = r};
    /* what initial tokens enable is computed, and told, before the first line of the trace is read */
    r->printer.net = net;
    if (strcmp(r->trace, "-") == 0)
        setvbuf(stdout, NULL, _IOLBF, 0); /* a trace that is still being made: results go on at once */
    else {
        r->printer.together = true;
        setvbuf(stdout, NULL, _IONBF, 0); /* the printer's buffer is enough */
    }
    if (r->picture)
        r->timeline = es_net_timeline_new(net, r->from, r->to);
    bool good = es_net_what_if_take(&r->what_if, net, &options, &r->err);
    if (good && r->ctf_directory)
        good = (r->ctf = es_net_ctf_open(net, r->ctf_directory, (uint64_t)r->clock, &r->err)) != NULL;
    es_net_recovery *recovery = good ? es_net_recovery_new(net, &options, &r->err) : NULL;
    good = recovery != NULL && !r->failed;
    good = good && read_trace(r, recovery, trace);
    if (good) {
        es_net_recovery_totals totals;
        es_net_recovery_totals_get(recovery, &totals);
        es_net_print_doubts(&r->printer, recovery);
        es_net_print_totals(&r->printer, &totals);
    }
    es_net_print_flush(&r->printer);
    good = es_net_ctf_close(r->ctf, good ? &r->err : NULL) && good;
    good = good && draw(r);
    es_net_timeline_free(r->timeline);
    es_net_recovery_free(recovery);
    es_net_print_end(&r->printer);
    return good;
}

enum {
    OPT_STRICT = 256,
    OPT_FAIL,
    OPT_FROM,
    OPT_TO,
    OPT_CTF,
    OPT_CLOCK,
    OPT_PASTE,
    OPT_AHEAD,
    OPT_WHAT_IF,
    OPT_SPEED,
    OPT_HELP
};

static bool take_option(struct recover *r, int option)
{
    switch (option) {
    case 'n': r->net = optarg; return true;
    case 'j': r->printer.json = true; return true;
    case 'q': r->printer.quiet = true; return true;
    case 'p': r->picture = optarg; return true;
    case OPT_WHAT_IF: r->what_if.net = optarg; return true;
    case OPT_SPEED:
        if (r->what_if.speed_count == ES_NET_SPEEDS_MAX)
            return es_fail(&r->err, ES_USAGE, "more than %d times --speed", ES_NET_SPEEDS_MAX);
        r->what_if.speeds[r->what_if.speed_count++] = optarg;
        return true;
    case OPT_STRICT: r->strict = true; return true;
    case OPT_FAIL: r->fail_on_change = true; return true;
    case OPT_CTF: r->ctf_directory = optarg; return true;
    case OPT_FROM: return es_option_number("--from", -ES_NET_TICKS_MAX, ES_NET_TICKS_MAX, &r->from, &r->err);
    case OPT_TO: return es_option_number("--to", -ES_NET_TICKS_MAX, ES_NET_TICKS_MAX, &r->to, &r->err);
    case OPT_CLOCK: return es_option_number("--clock", 1, 1000000000000, &r->clock, &r->err);
    case OPT_PASTE: return es_option_number("--paste-limit", 1, 100000000, &r->paste_limit, &r->err);
    case OPT_AHEAD: return es_option_number("--look-ahead", 1, 100000000, &r->look_ahead, &r->err);
    default: return es_fail(&r->err, ES_USAGE, "see `earshot net recover --help`");
    }
}

static bool check_options(struct recover *r)
{
    if (!r->net)
        return es_fail(&r->err, ES_USAGE, "which net? earshot net recover TRACE -n NET.pnml");
    const char *dot = r->picture ? strrchr(es_base_name(r->picture), '.') : NULL;
    if (r->picture && !(dot && (strcasecmp(dot, ".svg") == 0 || strcasecmp(dot, ".html") == 0)))
        return es_fail(&r->err, ES_USAGE, "%s: the name's ending selects the format of a picture: .svg or .html",
                       r->picture);
    if (r->from > r->to)
        return es_fail(&r->err, ES_USAGE, "--from is after --to");
    return true;
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"net", required_argument, NULL, 'n'},
        {"json", no_argument, NULL, 'j'},
        {"quiet", no_argument, NULL, 'q'},
        {"strict", no_argument, NULL, OPT_STRICT},
        {"fail-on-change", no_argument, NULL, OPT_FAIL},
        {"picture", required_argument, NULL, 'p'},
        {"from", required_argument, NULL, OPT_FROM},
        {"to", required_argument, NULL, OPT_TO},
        {"ctf", required_argument, NULL, OPT_CTF},
        {"clock", required_argument, NULL, OPT_CLOCK},
        {"paste-limit", required_argument, NULL, OPT_PASTE},
        {"look-ahead", required_argument, NULL, OPT_AHEAD},
        {"what-if", required_argument, NULL, OPT_WHAT_IF},
        {"speed", required_argument, NULL, OPT_SPEED},
        {"help", no_argument, NULL, OPT_HELP},
        {NULL, 0, NULL, 0},
    };
    static char name[] = "earshot net recover";
    struct recover r = {.from = -ES_NET_TICKS_MAX, .to = ES_NET_TICKS_MAX, .clock = 1000000000};
    bool good = true;
    int option;
    argv[0] = name;
    while (good && (option = getopt_long(argc, argv, "n:jqp:", options, NULL)) != -1) {
        if (option == OPT_HELP) {
            fputs(usage, stdout);
            return ES_OK;
        }
        good = take_option(&r, option);
    }
    good = good &&
           (r.trace = es_net_operand(argc, argv, "which trace? earshot net recover TRACE -n NET.pnml", &r.err)) &&
           check_options(&r);
    es_net *net = good ? es_net_load(r.net, &r.err) : NULL;
    es_net_trace *trace = net ? es_net_trace_open(r.trace, net, &r.err) : NULL;
    good = trace && recover(&r, net, trace);
    es_net_trace_close(trace);
    es_net_free(net);
    if (!good)
        return es_cli_fail(&r.err);
    return r.fail_on_change && r.changes ? ES_EXPECTATION : ES_OK;
}

const es_command es_net_command_recover = {
    "recover", "computes the times that a trace would have had without monitoring", usage, run};
