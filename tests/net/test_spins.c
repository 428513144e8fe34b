/* Certain again after a change: loops that ask until something is there, in random nets whose programs do other things
 * whenever anything that they may compute with is another one.
 *
 * The truth is a simulation in which tokens carry data. Each step makes new data of all that it takes; how long a step
 * takes and where a free place leads follow from the data that come together there. So a process that has once done
 * something else, or has heard of it, takes other times from there on: whatever recovery then still calls certain and
 * should not, is wrong. Only what the net promises holds: steps of asking again keep the data and their times.
 * Arguments: how many nets (600), the first seed (1). */
#include <stdio.h>
#include <stdlib.h>

#include "net/model/engine.h"
#include "net/recovery/recovery.h"
#include "random_net.h"

#define FIRINGS 400
#define MORE (FIRINGS * 6)

typedef struct life {
    random_net made;
    uint64_t *data; /* by place */
    uint32_t *from; /* by place: the step that made its token */
    es_net_firing *firings;
    size_t count;
} life;

static const es_net_transition *step_of(const life *l, uint32_t index)
{
    return &l->made.net->transitions[index];
}

static bool is_spin(const life *l, uint32_t place)
{
    const es_net_place *at = &l->made.net->places[place];
    bool any = false;
    for (uint32_t i = 0; i < at->output_count && at->rule_count; i++)
        any |= step_of(l, at->outputs[i])->idle;
    return any;
}

/* After a step of asking again, or one itself that comes from a place that decides. */
static bool repeats(const life *l, uint32_t index)
{
    const es_net_transition *t = step_of(l, index);
    if (t->input_count != 1)
        return false;
    uint32_t from = l->from[t->inputs[0]];
    return (t->idle && is_spin(l, t->inputs[0])) ||
           (from != ES_NET_NONE && step_of(l, from)->idle && (t->idle || is_spin(l, t->outputs[0])));
}

static uint64_t data_of(const life *l, uint32_t index)
{
    const es_net_transition *t = step_of(l, index);
    bool keeps = t->fixed || t->idle || repeats(l, index);
    uint64_t all = keeps ? 0 : random_mix(index + 1);
    for (uint32_t i = 0; i < t->input_count; i++)
        if (!l->made.net->places[t->inputs[i]].signal)
            all = keeps ? l->data[t->inputs[i]] : random_mix(all ^ l->data[t->inputs[i]]);
    return all;
}

static int64_t delay(void *context, uint32_t index, uint64_t number)
{
    const life *l = context;
    const es_net_transition *t = step_of(l, index);
    (void)number;
    if (t->untimed || t->fixed)
        return t->delay;
    const uint64_t pace = random_mix(l->made.seed ^ (uint64_t)index << 40), range = (uint64_t)l->made.delay_range;
    if (repeats(l, index))
        return 1 + (int64_t)(random_mix(pace ^ l->from[t->inputs[0]]) % range);
    return (int64_t)(pace % range / 2 + random_mix(pace ^ data_of(l, index)) % range / 2);
}

static uint32_t choose(void *context, uint32_t place, uint64_t number)
{
    const life *l = context;
    const es_net_place *at = &l->made.net->places[place];
    uint32_t from = l->from[place];
    (void)number;
    for (uint32_t i = 0; from != ES_NET_NONE && step_of(l, from)->idle && i < at->output_count; i++)
        if (step_of(l, at->outputs[i])->idle || is_spin(l, step_of(l, at->outputs[i])->outputs[0]))
            return at->outputs[i];
    return at->outputs[random_mix(l->made.seed ^ (uint64_t)place << 20 ^ l->data[place]) % at->output_count];
}

static void on_firing(void *context, const es_net_firing *firing)
{
    life *l = context;
    const es_net_transition *t = step_of(l, firing->transition);
    const uint64_t data = data_of(l, firing->transition);
    for (uint32_t i = 0; i < t->output_count; i++) {
        l->data[t->outputs[i]] = data;
        l->from[t->outputs[i]] = firing->transition;
    }
    l->firings[l->count++] = *firing;
}

static life live(const random_net *made, bool marks, size_t firings)
{
    const es_net *net = made->net;
    life l = {*made, calloc(net->place_count, sizeof *l.data), malloc(net->place_count * sizeof *l.from),
              malloc((firings + 1) * sizeof *l.firings), 0};
    for (uint32_t i = 0; i < net->place_count; i++)
        l.data[i] = random_mix(i), l.from[i] = ES_NET_NONE;
    es_net_engine_options options = {.marks = marks,
                                     .delay = delay,
                                     .mark = random_net_mark,
                                     .choose = choose,
                                     .on_firing = on_firing,
                                     .context = &l};
    es_error err;
    es_net_engine *engine = es_net_engine_new(net, &options, &err);
    if (!engine || !es_net_engine_run(engine, INT64_MAX, firings, &err)) {
        fprintf(stderr, "spins: seed %llu: %s\n", (unsigned long long)made->seed, err.text);
        exit(EXIT_FAILURE);
    }
    es_net_engine_free(engine);
    return l;
}

static void end(life *l)
{
    free(l->data);
    free(l->from);
    free(l->firings);
}

typedef struct totals {
    uint64_t certain, after_first, certain_after_first, wrong, asked, repeated, changes, nets_with, excused;
} totals;

typedef struct run {
    const life *truth;
    totals *sum;
    bool began; /* the runs have parted: the first time that asking differs, or a change */
    uint64_t seed;
    int64_t *wanted; /* by transition and number: the true time; -1: none */
    uint64_t changes;
    bool failed;
} run;

static void on_event(void *context, const es_net_recovered *e)
{
    run *r = context;
    r->began |= (e->flags & ES_NET_REPEATED) != 0;
    r->sum->after_first += r->began;
    if (e->certainty != ES_NET_TOTALLY)
        return;
    r->sum->certain++;
    r->sum->certain_after_first += r->began;
    int64_t want = e->number < MORE + 2 ? r->wanted[e->transition * (MORE + 2) + e->number] : -1;
    bool over = r->truth->count == MORE && e->time >= r->truth->firings[MORE - 1].time;
    if (want == e->time || (want < 0 && over))
        return;
    r->sum->wrong++;
    if (!r->failed)
        printf("seed %llu: %s#%llu recovered %lld, true %lld, flags %u\n", (unsigned long long)r->seed,
               step_of(r->truth, e->transition)->id, (unsigned long long)e->number, (long long)e->time, (long long)want,
               e->flags);
    r->failed = true;
}

static void on_change(void *context, const es_net_change *change)
{
    run *r = context;
    (void)change;
    r->began = true;
    r->changes++;
}

static void on_order(void *context, const es_net_order_change *change)
{
    run *r = context;
    (void)change;
    r->began = true;
    r->changes++;
}

static void on_cut(void *context, const es_net_cut *cut)
{
    run *r = context;
    r->began |= cut->reason == ES_NET_CUT_ASKED;
}

static bool counts_fit(const run *r, const es_net_recovery_totals *t)
{
    if (t->recovered - t->reused - t->repeated + t->waiting + t->asked == t->observed)
        return true;
    printf("FAIL seed %llu: %llu observed, %llu recovered, %llu used again, %llu repeated, %llu wait, %llu asked\n",
           (unsigned long long)r->seed, (unsigned long long)t->observed, (unsigned long long)t->recovered,
           (unsigned long long)t->reused, (unsigned long long)t->repeated, (unsigned long long)t->waiting,
           (unsigned long long)t->asked);
    return false;
}

/* Returns false when something is wrong. `gap`: marks of a process get lost. */
static bool recover(const life *observed, const life *truth, bool gap, totals *sum)
{
    const es_net *net = observed->made.net;
    run r = {.truth = truth, .sum = sum, .seed = observed->made.seed};
    const size_t size = (size_t)net->transition_count * (MORE + 2);
    r.wanted = malloc(size * sizeof *r.wanted);
    for (size_t i = 0; i < size; i++)
        r.wanted[i] = -1;
    for (size_t i = 0; i < truth->count; i++)
        r.wanted[truth->firings[i].transition * (MORE + 2) + truth->firings[i].number] = truth->firings[i].time;
    es_net_recovery_options options = {.on_event = on_event,
                                       .on_change = on_change,
                                       .on_order = on_order,
                                       .on_cut = on_cut,
                                       .context = &r,
                                       .in_order = true};
    es_error err;
    es_net_recovery *recovery = es_net_recovery_new(net, &options, &err);
    bool good = recovery != NULL;
    const uint64_t random = random_mix(r.seed ^ 77);
    const size_t from = random % (observed->count + 1), to = from + 1 + (random >> 20) % 40;
    const int32_t process = (int32_t)((random >> 40) % 3);
    for (size_t i = 0; i < observed->count && good; i++) {
        const es_net_firing *f = &observed->firings[i];
        bool lost = gap && i >= from && i < to && net->transitions[f->transition].process == process;
        if (gap && i == from)
            good = es_net_recovery_gap(recovery, &process, 1, &err);
        if (good && net->transitions[f->transition].monitor && !lost)
            good = es_net_recovery_push(recovery, &(es_net_observation){f->transition, f->time, f->mark, i}, &err);
    }
    good = good && es_net_recovery_finish(recovery, false, &err);
    es_net_recovery_totals t = {0};
    if (good)
        es_net_recovery_totals_get(recovery, &t);
    else
        printf("FAIL seed %llu: %s\n", (unsigned long long)r.seed, err.text);
    good = good && (gap || counts_fit(&r, &t));
    /* Where the order within one time decided, and an unobserved step may have been part of it, the truth is not to be
     * had; and it is flagged. */
    if (r.failed && t.ties && observed->made.unobserved)
        sum->excused++, r.failed = false;
    sum->asked += t.asked, sum->repeated += t.repeated, sum->changes += r.changes;
    sum->nets_with += t.asked + t.repeated != 0;
    es_net_recovery_free(recovery);
    free(r.wanted);
    return good && !r.failed;
}

static bool test_net(random_net made, totals sum[2])
{
    life observed = live(&made, true, FIRINGS), truth = live(&made, false, MORE);
    bool good = recover(&observed, &truth, false, &sum[0]);
    good &= recover(&observed, &truth, true, &sum[1]);
    end(&observed);
    end(&truth);
    es_net_free(made.net);
    return good;
}

static void report(const char *what, const totals *sum)
{
    printf(
        "%s: %llu certain, %llu wrong; asked %llu times more and %llu less, in %llu nets; %llu changes; from the first "
        "of those on %llu of %llu certain\n",
        what, (unsigned long long)sum->certain, (unsigned long long)sum->wrong, (unsigned long long)sum->repeated,
        (unsigned long long)sum->asked, (unsigned long long)sum->nets_with, (unsigned long long)sum->changes,
        (unsigned long long)sum->certain_after_first, (unsigned long long)sum->after_first);
}

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 600;
    const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    uint64_t failed = 0;
    totals spins[2] = {0}, others[2] = {0};
    for (uint64_t i = 0; i < count; i++) {
        bool good = test_net(random_net_with_spins(first + i), spins);
        good &= test_net(random_net_new(first + i), others);
        failed += !good;
    }
    report("with loops that ask", &spins[0]);
    report("... and lost marks", &spins[1]);
    report("without", &others[0]);
    report("... and lost marks", &others[1]);
    printf("%llu passed, %llu failed\n", (unsigned long long)(count - failed), (unsigned long long)failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
