/* Recovery against the truth, over programs, numbers of cores, latencies, densities and costs of marks.
 *
 * Each case is a pair of runs on the deterministic target: one with marks, and the truth, the same compiler output without. From the marks of the first
 * alone, with the net made of the program, recovery must find
 * - for every event that it calls certain, the true time, to the clock, and the true place;
 * - the decision at which the truth first takes another way, as a change, at its event and its true time (else it is missed);
 * - no change where the truth goes as observed (else it is invented).
 * What is pasted is compared as well: its errors are reported, as are events that the recovered run has and the truth has not.
 *
 * And each observed event is the source of a recovered one, or told as cut out, with the reason.
 *
 * Where nothing changes, every event is known soon after it was observed.
 *
 * No argument: some cases. `all`: all of them. PROGRAM CORES LATENCY DENSITY KIND: one of them, with every event that is not true. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "net/program/program.h"
#include "net/recovery/recovery.h"
#include "run_net.h"

typedef struct found_change {
    unsigned core;
    size_t index; /* of the core's events: the first after the decision */
    int64_t time;
    uint8_t certainty;
} found_change;

typedef struct totals {
    uint64_t cases, changed_cases, events, certain, pasted, repeated, asked, elsewhere, missing, cut, changes,
        consequences, invented, missed, wrong;
    int64_t *errors; /* of pasted events that are in the truth */
    size_t error_count;
    double latency; /* sum over events */
    uint64_t late_most, memory_most;
} totals;

typedef struct one {
    const char *program;
    unsigned cores, latency, density;
    const char *kind;
    es_net_program made;
    const es_net_mp_step **of; /* by transition */
    int32_t *core_of_place;    /* -1: of none */
    events marked[ES_NET_MP_CORES], truth[ES_NET_MP_CORES];
    es_net_recovery *recovery;
    size_t next[ES_NET_MP_CORES], certain[ES_NET_MP_CORES];
    found_change *changes;
    size_t change_count;
    uint64_t told, cut; /* observed events that were the source of a recovered one, and that have none */
    totals *totals;
    int64_t now;
    bool verbose, failed;
    bool unknown; /* a stretch was needed that was never observed */
} one;

static void complain(one *run, const char *what, unsigned core, size_t index, int64_t got, int64_t want)
{
    printf("%s-%u%s, %u cores, latency %u: core %u, event %zu: %s: %lld, true %lld\n", run->program, run->density,
           run->kind, run->cores, run->latency, core, index, what, (long long)got, (long long)want);
    run->failed = true;
}

static void push(void *context, const es_net_firing *firing, size_t index)
{
    one *run = context;
    es_error err = {0};
    run->now = firing->time;
    es_net_observation observation = {firing->transition, firing->time, firing->mark, index};
    if (!run->failed && !es_net_recovery_push(run->recovery, &observation, &err)) {
        printf("%s\n", err.text);
        run->failed = true;
    }
    if (index % 64 == 0) {
        es_net_recovery_totals now;
        es_net_recovery_totals_get(run->recovery, &now);
        run->totals->memory_most = now.memory > run->totals->memory_most ? now.memory : run->totals->memory_most;
    }
}

/* Same place in the program, and for the library's marks the same other core. */
static bool same_place(const events *a, size_t i, const events *b, size_t k)
{
    const es_net_mark *x = &a->items[i], *y = &b->items[k];
    bool peer = x->id >= ES_NET_MP_SEND_BEGIN && x->id <= ES_NET_MP_ANY_FOUND && x->id != ES_NET_MP_ANY_BEGIN;
    return x->id == y->id && a->sites[i] == b->sites[k] && (!peer || x->value == y->value);
}

static void on_event(void *context, const es_net_recovered *event)
{
    one *run = context;
    const es_net_mp_step *step = run->of[event->transition];
    run->told += !(event->flags & (ES_NET_REUSED | ES_NET_NOMINAL | ES_NET_COMPUTED | ES_NET_REPEATED));
    if (!step)
        return;
    totals *sum = run->totals;
    size_t i = run->next[step->core]++;
    const events *truth = &run->truth[step->core];
    sum->events++;
    bool peer = step->id >= ES_NET_MP_SEND_BEGIN && step->id <= ES_NET_MP_ANY_FOUND && step->id != ES_NET_MP_ANY_BEGIN;
    bool here = i < truth->count && truth->items[i].id == step->id && truth->sites[i] == step->site &&
                (!peer || truth->items[i].value == step->peer);
    int64_t error = here ? event->time - truth->items[i].time : 0;
    if (run->verbose && (!here || error))
        printf("core %u event %zu %s class %d flags %x: %lld, true %lld (%s)\n", step->core, i,
               run->made.net->transitions[event->transition].id, event->certainty, event->flags, (long long)event->time,
               here ? (long long)truth->items[i].time : -1,
               i >= truth->count ? "not in the truth"
               : here            ? ""
                                 : "elsewhere");
    run->unknown |= event->flags & ES_NET_NOMINAL;
    if (event->certainty == ES_NET_TOTALLY) {
        sum->certain++;
        run->certain[step->core]++;
        if (!here || error) {
            sum->wrong++;
            complain(run, "certain, and not so", step->core, i, event->time,
                     i < truth->count ? truth->items[i].time : -1);
        }
        if (event->flags & ES_NET_REPEATED) {
            sum->repeated++;
            return;
        }
        uint64_t late = run->now > event->observed ? (uint64_t)(run->now - event->observed) : 0;
        sum->latency += (double)late;
        sum->late_most = late > sum->late_most ? late : sum->late_most;
        return;
    }
    sum->pasted++;
    sum->elsewhere += !here;
    if (here) {
        if ((sum->error_count & (sum->error_count + 1)) == 0)
            sum->errors = realloc(sum->errors, (2 * sum->error_count + 2) * sizeof *sum->errors);
        sum->errors[sum->error_count++] = llabs(error);
    }
}

static void on_cut(void *context, const es_net_cut *cut)
{
    one *run = context;
    run->cut++;
    run->totals->asked += cut->reason == ES_NET_CUT_ASKED;
    if (cut->reason == ES_NET_CUT_LOST)
        complain(run, "cut out, and nothing changed", 0, 0, cut->observed, 0);
}

static void on_change(void *context, const es_net_change *change)
{
    one *run = context;
    const es_net *net = run->made.net;
    run->totals->changes += !change->consequence;
    run->totals->consequences += change->consequence;
    if (run->verbose)
        printf("change at %s: observed %s at %lld, recovered %s at %lld, class %d%s\n", net->places[change->place].id,
               net->transitions[change->observed_to].id, (long long)change->observed,
               net->transitions[change->recovered_to].id, (long long)change->recovered, change->certainty,
               change->consequence ? ", consequence" : "");
    if (change->consequence)
        return;
    unsigned core = 0, number;
    if (sscanf(net->places[change->place].id, "test %u.%u", &core, &number) != 2 &&
        sscanf(net->places[change->place].id, "finding %u.%u", &core, &number) != 2) {
        run->totals->invented++;
        printf("at %s: ", net->places[change->place].id);
        complain(run, "a change inside of a primitive", 0, 0, change->recovered, -1);
        return;
    }
    size_t index = run->next[core];
    run->changes = realloc(run->changes, (run->change_count + 1) * sizeof *run->changes);
    run->changes[run->change_count++] = (found_change){core, index, change->recovered, (uint8_t)change->certainty};
    if (change->certainty != ES_NET_TOTALLY)
        return;
    /* The truth has the event before the decision then, and goes on as recovered, not as observed. */
    const events *truth = &run->truth[core];
    const es_net_mp_step *to = run->of[change->recovered_to];
    bool found = index < truth->count && index > 0 && truth->items[index].id == to->id &&
                 truth->sites[index] == to->site && truth->items[index].value == to->peer &&
                 !(index < run->marked[core].count && same_place(truth, index, &run->marked[core], index));
    bool when =
        index > 0 && index <= truth->count &&
        (to->id == ES_NET_MP_ANY_FOUND ? index < truth->count && truth->items[index].time == change->recovered + 4
                                       : truth->items[index - 1].time == change->recovered);
    if (!found || !when) {
        run->totals->invented++;
        complain(run, "a change that is none", core, index, change->recovered,
                 index && index <= truth->count ? truth->items[index - 1].time : -1);
    }
}

static void on_order(void *context, const es_net_order_change *change)
{
    one *run = context;
    run->totals->invented++;
    printf("at %s: ", run->made.net->places[change->place].id);
    complain(run, "a change of order", 0, 0, change->recovered, -1);
}

/* Where the truth first takes another way must have been told. */
static void check_missed(one *run)
{
    int64_t first = INT64_MAX;
    unsigned at_core = 0;
    size_t at = 0;
    for (unsigned c = 0; c < run->cores; c++) {
        const events *marked = &run->marked[c], *truth = &run->truth[c];
        size_t i = 0;
        while (i < marked->count && i < truth->count && same_place(marked, i, truth, i))
            i++;
        if (i < truth->count && i < marked->count && truth->items[i - 1].time < first)
            first = truth->items[i - 1].time, at_core = c, at = i;
    }
    bool asks = strcmp(run->program, "polling") == 0; /* another number of times, which is no change */
    if (first == INT64_MAX || asks) {
        run->totals->changed_cases += asks && first != INT64_MAX;
        for (unsigned c = 0; c < run->cores; c++)
            if (run->certain[c] != run->truth[c].count && !run->unknown)
                complain(run, "nothing changes, and not all is certain", c, run->certain[c], 0, 0);
        return;
    }
    run->totals->changed_cases++;
    bool told = false;
    for (size_t i = 0; i < run->change_count; i++)
        told |= run->changes[i].core == at_core && run->changes[i].index == at;
    if (!told) {
        run->totals->missed++;
        complain(run, "a change is not told", at_core, at, 0, first);
    }
}

static bool run_one(one *run)
{
    char options[60], name[40], bare[300], path[300];
    /* programs that ask make more marks than the probe can tell */
    snprintf(options, sizeof options, "-c %u -l %u%s", run->cores, run->latency,
             strcmp(run->program, "polling") == 0 ? " --taps" : "");
    snprintf(name, sizeof name, "%s-%u", run->program, run->density);
    snprintf(bare, sizeof bare, "-t %s/mp/%s.bare.elf", TESTS_BUILD, name);
    snprintf(path, sizeof path, "%s/mp/%s%s.elf", TESTS_BUILD, name, run->kind);
    run_events(run->marked, options, name, run->kind, "");
    run_events(run->truth, options, name, run->kind, bare);
    const char *paths[ES_NET_MP_CORES];
    for (unsigned c = 0; c < run->cores; c++)
        paths[c] = path;
    es_error err = {0};
    int64_t mark = *run->kind ? 53 : 3;
    if (!es_net_from_program(&run->made, paths, run->cores, run->latency, mark, &err)) {
        printf("%s\n", err.text);
        return false;
    }
    run->of = calloc(run->made.net->transition_count, sizeof *run->of);
    for (size_t i = 0; i < run->made.step_count; i++)
        if (run->made.steps[i].seen == ES_NET_SEEN_END)
            run->of[run->made.steps[i].transition] = &run->made.steps[i];
    es_net_recovery_options options_of = {
        .on_event = on_event, .on_change = on_change, .on_order = on_order, .on_cut = on_cut, .context = run};
    run->recovery = es_net_recovery_new(run->made.net, &options_of, &err);
    size_t count;
    es_net_mark *marks = run_merged(run->marked, &count);
    for (size_t i = 0; i < count; i++)
        marks[i].site = run->marked[marks[i].core].sites[marks[i].site];
    es_net_marks_options fire = {run->made.steps, run->made.step_count, push, NULL, run};
    bool good = run->recovery && es_net_marks_fire(run->made.net, marks, count, &fire, &err) && !run->failed &&
                es_net_recovery_finish(run->recovery, true, &err);
    if (!good && *err.text)
        printf("%s\n", err.text);
    run->totals->cases++;
    if (good) {
        check_missed(run);
        es_net_recovery_totals end;
        es_net_recovery_totals_get(run->recovery, &end);
        if (end.observed != run->told + run->cut)
            complain(run, "events without an answer", 0, 0, (int64_t)(run->told + run->cut), (int64_t)end.observed);
        run->totals->cut += run->cut;
    }
    for (unsigned c = 0; c < run->cores; c++)
        run->totals->missing += run->truth[c].count > run->next[c] ? run->truth[c].count - run->next[c] : 0;
    es_net_recovery_free(run->recovery);
    free(marks);
    free(run->of);
    free(run->changes);
    es_net_free(run->made.net);
    run_events_free(run->marked);
    run_events_free(run->truth);
    return good && !run->failed;
}

static int ascending(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static void report(const char *name, totals *sum)
{
    if (sum->error_count)
        qsort(sum->errors, sum->error_count, sizeof *sum->errors, ascending);
    printf("%-9s %4llu runs, %3llu changed; %7llu events: %7llu certain, %llu wrong; %5llu changes, %llu invented, "
           "%llu missed; %7llu pasted: error median %lld, "
           "worst %lld, %llu elsewhere, %llu missing, %llu observed cut out; "
           "known after %.0f clocks, at most %llu; %llu kB\n",
           name, (unsigned long long)sum->cases, (unsigned long long)sum->changed_cases,
           (unsigned long long)sum->events, (unsigned long long)sum->certain, (unsigned long long)sum->wrong,
           (unsigned long long)sum->changes, (unsigned long long)sum->invented, (unsigned long long)sum->missed,
           (unsigned long long)sum->pasted, sum->error_count ? (long long)sum->errors[sum->error_count / 2] : 0,
           sum->error_count ? (long long)sum->errors[sum->error_count - 1] : 0, (unsigned long long)sum->elsewhere,
           (unsigned long long)sum->missing, (unsigned long long)sum->cut,
           sum->certain ? sum->latency / (double)sum->certain : 0.0, (unsigned long long)sum->late_most,
           (unsigned long long)sum->memory_most / 1024);
    free(sum->errors);
}

static const char *const programs[] = {"producer", "pipeline", "workers", "ring", "stencil", "polling", "corners"};

static char **arguments;
static int argument_count;
static unsigned passed, failed;

/* Check is there for run_net.h, which asserts; the cases are counted here. */
START_TEST(sweep)
{
    static const unsigned latencies[] = {4, 5, 16, 33, 60};
    bool all = argument_count == 2;
    unsigned number = 0;
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
        totals sum = {0};
        for (unsigned cores = 2; cores <= ES_NET_MP_CORES; cores++)
            for (unsigned l = 0; l < sizeof latencies / sizeof *latencies; l++)
                for (unsigned density = 0; density < 3; density++)
                    for (unsigned kind = 0; kind < 2; kind++) {
                        if (!all && number++ % 7)
                            continue;
                        one run = {.program = programs[p],
                                   .cores = cores,
                                   .latency = latencies[l],
                                   .density = density,
                                   .kind = kind ? ".pad" : "",
                                   .totals = &sum};
                        bool good = run_one(&run);
                        passed += good, failed += !good;
                    }
        /* On the fly: without changes, an event is known once the marks and messages under way have come. */
        if (!sum.changed_cases && sum.late_most > 4 * (60 + 53)) {
            printf("%s: an event was known %llu clocks late\n", programs[p], (unsigned long long)sum.late_most);
            failed++;
        }
        if (strcmp(programs[p], "polling") == 0) {
            bool good = sum.certain * 4 >= sum.events * 3 && sum.repeated > 1000;
            printf("polling: asked %llu times more and %llu less than observed\n", (unsigned long long)sum.repeated,
                   (unsigned long long)sum.asked);
            passed += good, failed += !good;
        }
        report(programs[p], &sum);
    }
}
END_TEST

START_TEST(single)
{
    totals sum = {0};
    one run = {.program = arguments[1],
               .cores = (unsigned)atoi(arguments[2]),
               .latency = (unsigned)atoi(arguments[3]),
               .density = (unsigned)atoi(arguments[4]),
               .kind = argument_count > 5 ? arguments[5] : "",
               .totals = &sum,
               .verbose = true};
    bool good = run_one(&run);
    passed += good, failed += !good;
    report(arguments[1], &sum);
}
END_TEST

int main(int argc, char **argv)
{
    arguments = argv;
    argument_count = argc;
    Suite *suite = suite_create("sweep");
    TCase *tests = tcase_create("sweep");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, argc > 4 ? single : sweep);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_SILENT);
    failed += (unsigned)srunner_ntests_failed(runner);
    srunner_free(runner);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
