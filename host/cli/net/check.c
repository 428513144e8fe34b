/* earshot net check */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/net/private.h"
#include "net/formats/format.h"

static const char usage[] =
    "usage: earshot net check NET [OPTION]...\n\n"
    "Says whether perturbations can be tracked in the net: ordinary, safe, routing rules complete, C1, C2, C3 or\n"
    "C3', each violation with its place and transition, and which transitions to monitor in addition. Then "
    "invariants,\n"
    "boundedness, deadlocks.\n\n"
    "  -j, --json     JSON Lines on stdout\n"
    "      --limit N  states, markings and candidate invariants looked at, at most (default 100000)\n"
    "      --help     this text\n\n"
    "exit status: 0 all is fulfilled, 1 not, or not decided within the limit, 2 usage error or no net\n";

#define LIMIT 100000
#define LIMIT_MAX 1000000000

/* True when each place is in a P-invariant that leaves it no second token. */
static bool is_safe_by_invariants(const es_net_report *report)
{
    bool *covered = es_arena_alloc(report->arena, report->net->place_count + 1);
    for (size_t i = 0; i < report->places.count; i++)
        for (uint32_t k = 0; k < report->places.list[i].count; k++) {
            const es_net_term *term = &report->places.list[i].terms[k];
            if (report->places.list[i].tokens / term->weight <= 1)
                covered[term->node] = true;
        }
    for (uint32_t p = 0; p < report->net->place_count; p++)
        if (!covered[p])
            return false;
    return true;
}

static bool is_ordinary(const es_net_findings *findings)
{
    return findings->count == 0 || findings->violations[0].requirement != ES_NET_ORDINARY;
}

static void examine(es_net_report *r)
{
    r->findings = es_net_check(r->net, r->arena);
    r->places = es_net_p_invariants(r->net, r->limit, r->arena);
    r->transitions = es_net_t_invariants(r->net, r->limit, r->arena);
    r->safe = ES_NET_UNDECIDED;
    r->explored = is_ordinary(&r->findings);
    if (r->explored) {
        r->proof = es_net_prove_safe(r->net, r->limit, r->arena);
        r->states = es_net_explore(r->net, r->limit, r->arena);
        r->safe = r->states.safe;
        r->safe_by = ES_NET_BY_STATES;
        if (r->safe == ES_NET_UNDECIDED && r->states.unrouted == ES_NET_NONE) {
            r->safe = r->proof.safe;
            r->safe_by = ES_NET_BY_PROOF;
        }
    }
    if (r->safe != ES_NET_NO && is_safe_by_invariants(r)) {
        r->safe = ES_NET_YES;
        r->safe_by = ES_NET_BY_INVARIANTS;
    }
    if (r->safe != ES_NET_YES) { /* a safe net is bounded */
        r->covered = true;
        r->bounds = es_net_cover(r->net, r->limit, r->arena);
        if (r->safe == ES_NET_UNDECIDED && r->bounds.bounded == ES_NET_YES && r->bounds.most <= 1) {
            r->safe = ES_NET_YES;
            r->safe_by = ES_NET_BY_COVER;
        }
    }
    r->fulfilled =
        r->findings.count == 0 && r->safe == ES_NET_YES && (!r->explored || r->states.unrouted == ES_NET_NONE);
}

static int check(int argc, char **argv)
{
    enum { OPT_LIMIT = 256, OPT_HELP };
    static const struct option options[] = {
        {"json", no_argument, NULL, 'j'},
        {"limit", required_argument, NULL, OPT_LIMIT},
        {"help", no_argument, NULL, OPT_HELP},
        {NULL, 0, NULL, 0},
    };
    static char name[] = "earshot net check";
    es_error err = {0};
    int64_t limit = LIMIT;
    bool json = false, good = true;
    int option;
    argv[0] = name;
    while (good && (option = getopt_long(argc, argv, "j", options, NULL)) != -1) {
        switch (option) {
        case 'j': json = true; break;
        case OPT_LIMIT: good = es_option_number("--limit", 1, LIMIT_MAX, &limit, &err); break;
        case OPT_HELP: fputs(usage, stdout); return ES_OK;
        default: good = es_fail(&err, ES_USAGE, "see `earshot net check --help`");
        }
    }
    const char *path = good ? es_net_operand(argc, argv, "which net? earshot net check NET.pnml", &err) : NULL;
    es_net *net = path ? es_net_load(path, &err) : NULL;
    if (!net)
        return es_cli_fail(&err);
    es_net_report report = {.net = net, .arena = es_arena_new(), .limit = (size_t)limit};
    es_text_buffer out = {0};
    examine(&report);
    (json ? es_net_report_json : es_net_report_text)(&report, &out);
    fwrite(out.text, 1, out.length, stdout);
    bool fulfilled = report.fulfilled;
    es_text_free(&out);
    es_arena_free(report.arena);
    es_net_free(net);
    return fulfilled ? ES_OK : ES_EXPECTATION;
}

const es_command es_net_command_check = {"check", "says whether perturbations can be tracked in a net", usage, check};
