/* Recovery against the truth, in random nets. For each net:
 * - the engine and the independent simulator agree on every firing and every decision, with marks and without;
 * - what is recovered from the run with marks is the run without: every time, every decision that parts the two runs,
 *   also after changes, as far as delays can be told apart there. Arguments: how many nets (1000), the first seed (1);
 * without them
 *   also those that were wrong once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/recovery/recovery.h"
#include "paper_rules.h"
#include "random_net.h"

#define FIRINGS 250

static uint64_t totally, computed, silent_differ, possibly, pasted_checked, pasted_unchecked, changes, order_changes,
    consequences, tied_nets, changed_nets, dead_nets;
static uint64_t gap_certain, gap_lost;
static uint64_t open_total, decisions, missed_open;

static bool failing;
static uint64_t seed_now;

#define EXPECT(condition, ...) \
    do { \
        if (!(condition)) { \
            if (!failing) \
                printf("FAIL seed %llu, line %d: ", (unsigned long long)seed_now, __LINE__), printf(__VA_ARGS__), \
                    putchar('\n'); \
            failing = true; \
        } \
    } while (0)

/* --- engine against the independent simulator ---------------------------------------------------------------- */

typedef struct listener {
    const paper_run *run;
    size_t firings, routed;
} listener;

/* The engine's callbacks share their context with the delays: both begin with the random net. */
typedef struct context {
    random_net made;
    listener heard;
} context;

static void heard_firing(void *at, const es_net_firing *firing)
{
    listener *heard = &((context *)at)->heard;
    const es_net_firing *other = &heard->run->firings[heard->firings++];
    EXPECT(heard->firings <= heard->run->firing_count, "the engine fires more often");
    EXPECT(failing || (firing->transition == other->transition && firing->number == other->number &&
                       firing->time == other->time && firing->delay == other->delay && firing->mark == other->mark),
           "firing %zu: engine t%u#%llu at %lld, rules t%u#%llu at %lld", heard->firings, firing->transition,
           (unsigned long long)firing->number, (long long)firing->time, other->transition,
           (unsigned long long)other->number, (long long)other->time);
}

static void heard_routed(void *at, const es_net_routed *routed)
{
    listener *heard = &((context *)at)->heard;
    const es_net_routed *other = &heard->run->routed[heard->routed++];
    EXPECT(heard->routed <= heard->run->routed_count, "the engine routes more often");
    EXPECT(failing || (routed->place == other->place && routed->transition == other->transition &&
                       routed->from == other->from && routed->number == other->number && routed->time == other->time),
           "decision %zu differs", heard->routed);
}

static es_net_engine_options options_of(bool marks)
{
    return (es_net_engine_options){
        .marks = marks, .delay = random_net_delay, .mark = random_net_mark, .choose = random_net_choose};
}

static void compare_engine(const random_net *made, const paper_run *run, bool marks)
{
    context at = {*made, {run, 0, 0}};
    es_net_engine_options options = options_of(marks);
    options.context = &at;
    options.on_firing = heard_firing;
    options.on_routed = heard_routed;
    es_error err;
    es_net_engine *engine = es_net_engine_new(made->net, &options, &err);
    EXPECT(engine, "%s", err.text);
    if (!engine)
        return;
    bool ran = es_net_engine_run(engine, INT64_MAX, run->firing_count, &err);
    EXPECT(ran, "%s", err.text);
    EXPECT(at.heard.firings == run->firing_count && at.heard.routed == run->routed_count, "the engine stops early");
    EXPECT(es_net_engine_dead(engine) == run->dead || !run->dead, "only the rules see a deadlock");
    es_net_engine_free(engine);
}

/* --- recovery ------------------------------------------------------------------------------------------------ */

typedef struct result {
    es_net_recovered *events;
    size_t event_count, before_finish;
    es_net_change *changes;
    size_t change_count, changes_before_finish;
    size_t order_count, cut_count;
} result;

static void on_event(void *at, const es_net_recovered *event)
{
    result *got = at;
    got->events = realloc(got->events, (got->event_count + 1) * sizeof *got->events);
    got->events[got->event_count++] = *event;
}

static void on_change(void *at, const es_net_change *change)
{
    result *got = at;
    got->changes = realloc(got->changes, (got->change_count + 1) * sizeof *got->changes);
    got->changes[got->change_count++] = *change;
}

static void on_order(void *at, const es_net_order_change *change)
{
    result *got = at;
    got->order_count++;
    order_changes++;
    (void)change;
}

static void on_cut(void *at, const es_net_cut *cut)
{
    result *got = at;
    got->cut_count++;
    (void)cut;
}

/* Index of firing `number` of the transition among those without marks, or SIZE_MAX; through a table by transition. */
static size_t *index_firings(const es_net *net, const paper_run *run)
{
    size_t *table = malloc((size_t)net->transition_count * (FIRINGS * 4 + 2) * sizeof *table);
    for (size_t i = 0; i < (size_t)net->transition_count * (FIRINGS * 4 + 2); i++)
        table[i] = SIZE_MAX;
    for (size_t i = 0; i < run->firing_count; i++)
        if (run->firings[i].number < FIRINGS * 4 + 2)
            table[run->firings[i].transition * (FIRINGS * 4 + 2) + run->firings[i].number] = i;
    return table;
}

/* Where a token of the place went; arrival: which of those that came to it, from 1. */
static uint32_t route_at(const paper_run *run, uint32_t place, uint64_t arrival)
{
    for (size_t i = 0; i < run->routed_count; i++)
        if (run->routed[i].place == place && --arrival == 0)
            return run->routed[i].transition;
    return ES_NET_NONE;
}

/* Its tokens come from computed steps: which of them made one may differ where nothing else does. */
static bool is_fed_silently(const es_net *net, uint32_t place)
{
    bool all = true;
    for (uint32_t i = 0; i < net->places[place].input_count; i++)
        all &= net->transitions[net->places[place].inputs[i]].fixed;
    return all;
}

static uint32_t route_of(const paper_run *run, uint32_t place, uint32_t from, uint64_t number)
{
    for (size_t i = 0; i < run->routed_count; i++)
        if (run->routed[i].place == place && run->routed[i].from == from && run->routed[i].number == number)
            return run->routed[i].transition;
    return ES_NET_NONE;
}

/* Several ways lead to some monitor over unobserved steps, or an unobserved step belongs to several monitors: then a
 * pasted stretch may be measured with other unobserved delays than it would have had. */
static bool is_exact(const random_net *made)
{
    return !made->unobserved;
}

static void check_events(const random_net *made, const result *got, const paper_run *truth)
{
    size_t *table = index_firings(made->net, truth);
    for (size_t i = 0; i < got->event_count && !failing; i++) {
        const es_net_recovered *event = &got->events[i];
        bool exact = event->certainty == ES_NET_TOTALLY ||
                     (event->certainty == ES_NET_PASTED && is_exact(made) && i < got->before_finish);
        totally += event->certainty == ES_NET_TOTALLY;
        possibly += event->certainty == ES_NET_POSSIBLY;
        pasted_checked += event->certainty == ES_NET_PASTED && exact;
        pasted_unchecked += event->certainty == ES_NET_PASTED && !exact;
        computed += event->certainty == ES_NET_TOTALLY && (event->flags & ES_NET_COMPUTED);
        bool odd = event->certainty == ES_NET_LOST ||
                   (event->flags & (ES_NET_NEGATIVE | ES_NET_UNSAFE | ES_NET_REUSED | ES_NET_NOMINAL));
        EXPECT(!odd || event->certainty == ES_NET_PASTED || event->certainty == ES_NET_POSSIBLY, "class %d, flags %u",
               event->certainty, event->flags);
        if (!exact)
            continue;
        size_t at =
            event->number < FIRINGS * 4 + 2 ? table[event->transition * (FIRINGS * 4 + 2) + event->number] : SIZE_MAX;
        if (at == SIZE_MAX) {
            EXPECT(truth->firing_count == FIRINGS * 4, "%s#%llu does not fire without marks",
                   made->net->transitions[event->transition].id, (unsigned long long)event->number);
            continue;
        }
        EXPECT(truth->firings[at].time == event->time,
               "%s#%llu, class %d, event %zu: recovered %lld, true %lld, observed %lld",
               made->net->transitions[event->transition].id, (unsigned long long)event->number, event->certainty, i,
               (long long)event->time, (long long)truth->firings[at].time, (long long)event->observed);
        EXPECT(event->certainty != ES_NET_TOTALLY || event->source_number == event->number ||
                   (event->flags & ES_NET_COMPUTED),
               "an event that is certain has another source");
    }
    free(table);
}

static bool emitted(const result *got, uint32_t transition, uint64_t number)
{
    for (size_t i = 0; i < got->before_finish; i++)
        if (got->events[i].transition == transition && got->events[i].number == number)
            return true;
    return false;
}

/* Have so many tokens come to the place? */
static bool has_come(const es_net *net, const result *got, uint32_t place, uint64_t arrival)
{
    uint64_t come = 0;
    for (size_t i = 0; i < got->before_finish; i++)
        for (uint32_t k = 0; k < net->places[place].input_count; k++)
            come += got->events[i].transition == net->places[place].inputs[k];
    return come >= arrival;
}

/* How certain a token is; arrival: which of those that came to the place, from 1. */
static enum es_net_class class_come(const es_net *net, const result *got, uint32_t place, uint64_t arrival)
{
    for (size_t i = 0; i < got->before_finish; i++)
        for (uint32_t k = 0; k < net->places[place].input_count; k++)
            if (got->events[i].transition == net->places[place].inputs[k] && --arrival == 0)
                return got->events[i].certainty;
    return ES_NET_LOST;
}

/* All its ways are computed: whichever it takes, the program does the same. */
static bool is_silent(const es_net *net, uint32_t place)
{
    bool all = true;
    for (uint32_t i = 0; i < net->places[place].output_count; i++)
        all &= net->transitions[net->places[place].outputs[i]].fixed;
    return all;
}

/* Where the two simulations part must be what is reported. */
static void check_changes(const random_net *made, const result *got, const paper_run *observed, const paper_run *truth,
                          uint64_t open)
{
    for (size_t i = 0; i < got->change_count && !failing; i++) {
        const es_net_change *change = &got->changes[i];
        changes += !change->consequence;
        consequences += change->consequence;
        EXPECT(!is_silent(made->net, change->place), "a silent decision is told as a change");
        if (change->certainty != ES_NET_TOTALLY && (!is_exact(made) || i >= got->changes_before_finish))
            continue;
        bool silently = is_fed_silently(made->net, change->place);
        uint32_t in_truth = silently ? route_at(truth, change->place, change->arrival)
                                     : route_of(truth, change->place, change->transition, change->number);
        uint32_t in_observed = silently ? route_at(observed, change->place, change->arrival)
                                        : route_of(observed, change->place, change->transition, change->number);
        EXPECT(in_observed == change->observed_to, "observed otherwise");
        EXPECT(in_truth == change->recovered_to || (in_truth == ES_NET_NONE && truth->firing_count == FIRINGS * 4),
               "place %s after t%u#%llu: recovered to %u, true %u", made->net->places[change->place].id,
               change->transition, (unsigned long long)change->number, change->recovered_to, in_truth);
    }
    uint64_t missed = 0, *arrivals = calloc(made->net->place_count, sizeof *arrivals);
    for (size_t i = 0; i < observed->routed_count && is_exact(made) && !failing; i++) {
        const es_net_routed *routed = &observed->routed[i];
        uint64_t arrival = ++arrivals[routed->place];
        bool silently = is_fed_silently(made->net, routed->place);
        uint32_t in_truth = silently ? route_at(truth, routed->place, arrival)
                                     : route_of(truth, routed->place, routed->from, routed->number);
        if (!made->net->places[routed->place].rule_count || in_truth == ES_NET_NONE || in_truth == routed->transition ||
            !(silently ? has_come(made->net, got, routed->place, arrival) : emitted(got, routed->from, routed->number)))
            continue;
        if (is_silent(made->net, routed->place)) {
            silent_differ++;
            continue;
        }
        /* A consequence, for which nothing was observed when the recovered run came there. */
        if (silently && class_come(made->net, got, routed->place, arrival) >= ES_NET_PASTED)
            continue;
        bool told = false;
        for (size_t k = 0; k < got->changes_before_finish; k++)
            told |= got->changes[k].place == routed->place &&
                    (silently ? got->changes[k].arrival == arrival
                              : got->changes[k].transition == routed->from && got->changes[k].number == routed->number);
        missed += !told;
    }
    free(arrivals);
    missed_open += missed;
    EXPECT(missed <= open, "%llu decisions part the runs and are not told; %llu are open", (unsigned long long)missed,
           (unsigned long long)open);
}

static void recover(random_net *made, const paper_run *observed, const paper_run *truth)
{
    const es_net *net = made->net;
    result got = {0};
    es_net_recovery_options options = {.on_event = on_event,
                                       .on_change = on_change,
                                       .on_order = on_order,
                                       .on_cut = on_cut,
                                       .context = &got,
                                       .count_choices = true, /* a random net's data depend on nothing else */
                                       .look_ahead = UINT32_MAX,
                                       .in_order = made->unobserved};
    es_error err;
    es_net_recovery *recovery = es_net_recovery_new(net, &options, &err);
    EXPECT(recovery, "%s", err.text);
    if (!recovery)
        return;
    /* Seeds differ in the order of events at one time: as they happened, or by number, as a merge of traces would have
     * it. Then a choice that only the trace shows must not be made twice at one time. */
    bool good = true, by_number = made->seed & 1 && !made->unobserved;
    for (uint32_t i = 0; i < net->place_count; i++)
        by_number &= net->places[i].output_count < 2 || net->places[i].rule_count;
    uint64_t pushed = 0;
    for (size_t i = 0; i < observed->firing_count && good;) {
        size_t end = i;
        while (end < observed->firing_count && observed->firings[end].time == observed->firings[i].time)
            end++;
        uint32_t below = 0;
        for (size_t k = i; k < end && good; k++) {
            const es_net_firing *next = &observed->firings[k];
            if (by_number) {
                next = NULL;
                for (size_t n = i; n < end; n++)
                    if (observed->firings[n].transition * 1000 + observed->firings[n].number >= below &&
                        (!next || observed->firings[n].transition * 1000 + observed->firings[n].number <
                                      next->transition * 1000 + next->number))
                        next = &observed->firings[n];
                below = (uint32_t)(next->transition * 1000 + next->number + 1);
            }
            if (!net->transitions[next->transition].monitor)
                continue;
            es_net_observation observation = {next->transition, next->time, next->mark, pushed++};
            good = es_net_recovery_push(recovery, &observation, &err);
        }
        i = end;
    }
    es_net_recovery_totals totals, after;
    if (good && observed->firing_count)
        good = es_net_recovery_advance(recovery, observed->firings[observed->firing_count - 1].time + 1, &err);
    es_net_recovery_totals_get(recovery, &totals);
    got.before_finish = got.event_count;
    got.changes_before_finish = got.change_count;
    good = good && es_net_recovery_finish(recovery, observed->dead, &err);
    EXPECT(good, "%s", err.text);
    es_net_recovery_totals_get(recovery, &after);
    EXPECT(!good || after.recovered - after.reused + after.waiting == after.observed,
           "events are missing: %llu observed, %llu recovered, %llu of them used again, %llu wait",
           (unsigned long long)after.observed, (unsigned long long)after.recovered, (unsigned long long)after.reused,
           (unsigned long long)after.waiting);
    EXPECT(!good || got.cut_count == after.waiting, "%zu events are told as cut out, %llu are", got.cut_count,
           (unsigned long long)after.waiting);
    EXPECT(!good || got.change_count || got.order_count || !after.waiting,
           "nothing changed, and events were not recovered");
    tied_nets += after.ties != 0 && made->unobserved;
    decisions += after.decisions;
    open_total += totals.open;
    changed_nets += got.change_count != 0;
    if (!failing)
        check_events(made, &got, truth);
    if (!failing)
        check_changes(made, &got, observed, truth, totals.open);
    free(got.events);
    free(got.changes);
    es_net_recovery_free(recovery);
}

/* Marks of one process get lost from some event on, for a while, and the recovery is told. What it still calls certain
 * must be true; and the other processes' events must all come out. */
static void recover_with_gap(random_net *made, const paper_run *observed, const paper_run *truth)
{
    const es_net *net = made->net;
    result got = {0};
    es_net_recovery_options options = {
        .on_event = on_event, .on_change = on_change, .on_order = on_order, .context = &got, .in_order = true};
    es_error err;
    es_net_recovery *recovery = es_net_recovery_new(net, &options, &err);
    uint64_t random = random_mix(made->seed ^ 77);
    size_t from = random % (observed->firing_count + 1), to = from + 1 + (random >> 20) % 40;
    const int32_t process = (int32_t)((random >> 40) % 3);
    bool good = true;
    for (size_t i = 0; i < observed->firing_count && good; i++) {
        const es_net_firing *next = &observed->firings[i];
        if (i == from)
            good = es_net_recovery_gap(recovery, &process, 1, &err);
        bool lost = i >= from && i < to && net->transitions[next->transition].process == process;
        if (good && !lost && net->transitions[next->transition].monitor)
            good = es_net_recovery_push(recovery, &(es_net_observation){next->transition, next->time, next->mark, i},
                                        &err);
    }
    good = good && es_net_recovery_finish(recovery, false, &err);
    EXPECT(good, "with a gap of process %d from %zu to %zu: %s", (int)process, from, to, err.text);
    size_t *table = index_firings(net, truth);
    for (size_t i = 0; i < got.event_count && !failing; i++) {
        const es_net_recovered *event = &got.events[i];
        gap_lost += event->certainty == ES_NET_LOST;
        gap_certain += event->certainty == ES_NET_TOTALLY;
        size_t at =
            event->number < FIRINGS * 4 + 2 ? table[event->transition * (FIRINGS * 4 + 2) + event->number] : SIZE_MAX;
        if (event->certainty == ES_NET_TOTALLY && at != SIZE_MAX)
            EXPECT(truth->firings[at].time == event->time,
                   "with a gap of process %d from %zu to %zu: %s#%llu recovered %lld, true %lld", (int)process, from,
                   to, net->transitions[event->transition].id, (unsigned long long)event->number,
                   (long long)event->time, (long long)truth->firings[at].time);
    }
    free(table);
    free(got.events);
    free(got.changes);
    es_net_recovery_free(recovery);
}

/* Events that do not belong together: anything may come out but a crash or a hang. */
static void recover_nonsense(random_net *made, const paper_run *observed)
{
    const es_net *net = made->net;
    es_net_recovery_options options = {.paste_limit = 8, .look_ahead = 8};
    es_error err;
    uint64_t random = random_mix(made->seed ^ 99);
    for (int round = 0; round < 3; round++) {
        es_net_recovery *recovery = es_net_recovery_new(net, &options, &err);
        int64_t time = 0;
        for (size_t i = 0; i < observed->firing_count; i++) {
            random = random_mix(random);
            const es_net_firing *next = &observed->firings[random % 16 ? i : random / 16 % observed->firing_count];
            time = next->time > time || random % 5 == 0 ? next->time : time;
            int32_t process = (int32_t)(random >> 50) % 4;
            if (random % 61 == 0)
                es_net_recovery_gap(recovery, &process, random >> 30 & 1, &err);
            if (!es_net_recovery_push(
                    recovery, &(es_net_observation){next->transition, time, (int64_t)(random >> 40 & 15) - 1, i},
                    &err) &&
                random >> 33 & 1)
                break;
        }
        es_net_recovery_finish(recovery, round & 1, &err);
        es_net_recovery_free(recovery);
    }
}

static bool test_seed(uint64_t seed)
{
    failing = false;
    seed_now = seed;
    random_net made = random_net_new(seed);
    es_net_engine_options with = options_of(true), without = options_of(false);
    with.context = without.context = &made;
    paper_run observed = paper_simulate(made.net, &with, INT64_MAX, FIRINGS),
              truth = paper_simulate(made.net, &without, INT64_MAX, FIRINGS * 4);
    dead_nets += observed.dead;
    EXPECT(!observed.unsafe && !truth.unsafe, "the net is not safe");
    compare_engine(&made, &observed, true);
    compare_engine(&made, &truth, false);
    if (!failing)
        recover(&made, &observed, &truth);
    if (!failing)
        recover_with_gap(&made, &observed, &truth);
    recover_nonsense(&made, &observed);
    paper_run_free(&observed);
    paper_run_free(&truth);
    es_net_free(made.net);
    return !failing;
}

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000, first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1,
             failed = 0;
    static const uint64_t once_wrong[] = {1419, 8057, 9911, 10673};
    for (uint64_t i = 0; i < count; i++)
        failed += !test_seed(first + i);
    for (size_t i = 0; i < sizeof once_wrong / sizeof *once_wrong && argc == 1; i++, count++)
        failed += !test_seed(once_wrong[i]);
    printf("events: %llu totally recovered, %llu of them computed; %llu possibly, %llu pasted and right, %llu pasted "
           "over unobserved steps\n",
           (unsigned long long)totally, (unsigned long long)computed, (unsigned long long)possibly,
           (unsigned long long)pasted_checked, (unsigned long long)pasted_unchecked);
    printf("decisions: %llu, open at the end %llu (changes among them: %llu); changes %llu in %llu nets, consequences "
           "%llu, orders %llu; silent decisions that differ: %llu\n",
           (unsigned long long)decisions, (unsigned long long)open_total, (unsigned long long)missed_open,
           (unsigned long long)changes, (unsigned long long)changed_nets, (unsigned long long)consequences,
           (unsigned long long)order_changes, (unsigned long long)silent_differ);
    printf("nets: %llu stop by themselves; in %llu ties with unobserved steps are reported\n",
           (unsigned long long)dead_nets, (unsigned long long)tied_nets);
    printf("with lost marks: %llu events certain, %llu estimated\n", (unsigned long long)gap_certain,
           (unsigned long long)gap_lost);
    printf("%llu passed, %llu failed\n", (unsigned long long)(count - failed), (unsigned long long)failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
