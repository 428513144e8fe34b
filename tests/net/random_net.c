#include "random_net.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROCESSES 5

/* Processes are loops with one token each. What they do together is one sequence of interactions; each of those appends
 * steps to the processes that take part, so that no order of waiting can deadlock. */
typedef struct maker {
    es_net *net;
    uint64_t random;
    uint32_t cursor[PROCESSES]; /* place where the process's token arrives */
    bool observed[PROCESSES];   /* only monitors put tokens there */
    uint32_t first[PROCESSES];
    uint32_t processes;
    bool unobserved; /* steps without monitors may be made */
    bool bounds;     /* mark_max is known */
    int64_t mark_range;
    uint32_t serial;
} maker;

uint64_t random_mix(uint64_t value)
{
    value += UINT64_C(0x9E3779B97F4A7C15);
    value = (value ^ value >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ value >> 27) * UINT64_C(0x94D049BB133111EB);
    return value ^ value >> 31;
}

static uint32_t pick(maker *make, uint32_t below)
{
    make->random = random_mix(make->random);
    return (uint32_t)((make->random >> 20) % below);
}

static void must(bool good, const es_error *err)
{
    if (good)
        return;
    fprintf(stderr, "random net: %s\n", err->text);
    exit(EXIT_FAILURE);
}

static uint32_t place(maker *make, uint32_t tokens)
{
    es_error err;
    char id[16];
    snprintf(id, sizeof id, "p%u", make->serial++);
    uint32_t made = es_net_place_add(make->net, id, NULL, tokens, NULL, &err);
    must(made != ES_NET_NONE, &err);
    return made;
}

static uint32_t step(maker *make, uint32_t process, bool monitor)
{
    es_error err;
    char id[16];
    snprintf(id, sizeof id, "t%u", make->serial++);
    uint32_t made = es_net_transition_add(make->net, id, NULL, 0, NULL, &err);
    must(made != ES_NET_NONE, &err);
    make->net->transitions[made].process = (int32_t)process;
    if (monitor)
        must(es_net_monitor(make->net, made, 0, make->bounds ? make->mark_range : ES_NET_UNKNOWN, &err), &err);
    return made;
}

static void in(maker *make, uint32_t from, uint32_t to)
{
    es_error err;
    must(es_net_arc_in(make->net, from, to, 1, &err), &err);
}

static void out(maker *make, uint32_t from, uint32_t to)
{
    es_error err;
    must(es_net_arc_out(make->net, from, to, 1, &err), &err);
}

static void rule(maker *make, uint32_t at, uint32_t to, const es_net_condition *conditions, uint32_t count)
{
    es_error err;
    must(es_net_rule_add(make->net, at, to, conditions, count, &err), &err);
}

/* One step of the process. */
static uint32_t advance(maker *make, uint32_t process, bool monitor)
{
    uint32_t did = step(make, process, monitor), next = place(make, 0);
    in(make, make->cursor[process], did);
    out(make, did, next);
    make->cursor[process] = next;
    make->observed[process] = monitor;
    return did;
}

/* The process's token now comes from a monitor. */
static void observe(maker *make, uint32_t process)
{
    if (!make->observed[process])
        advance(make, process, true);
}

static void compute(maker *make, uint32_t process)
{
    for (uint32_t i = 1 + pick(make, 3); i; i--)
        advance(make, process, !make->unobserved || pick(make, 2));
}

static void rendezvous(maker *make, uint32_t a, uint32_t b)
{
    observe(make, a);
    observe(make, b);
    bool monitor = !make->unobserved || pick(make, 2);
    uint32_t together = step(make, a, monitor);
    uint32_t both[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        in(make, make->cursor[both[i]], together);
        make->cursor[both[i]] = place(make, 0);
        out(make, together, make->cursor[both[i]]);
        make->observed[both[i]] = monitor;
    }
}

/* Two threads within the process, which wait for each other in the end. */
static void fork_and_join(maker *make, uint32_t process)
{
    uint32_t forks = advance(make, process, !make->unobserved || pick(make, 2)), ends[2];
    uint32_t other = place(make, 0);
    bool observed = make->observed[process];
    out(make, forks, other);
    for (int i = 0; i < 2; i++) {
        if (i)
            make->cursor[process] = other;
        make->observed[process] = observed;
        if (pick(make, 2))
            compute(make, process);
        advance(make, process, true);
        ends[i] = make->cursor[process];
    }
    make->cursor[process] = ends[0];
    uint32_t joins = advance(make, process, !make->unobserved || pick(make, 2));
    in(make, ends[1], joins);
}

typedef struct channel {
    uint32_t message, room; /* one of them holds a token */
} channel;

static channel new_channel(maker *make)
{
    bool full = !pick(make, 4); /* a message in flight at the start */
    return (channel){place(make, full), place(make, !full)};
}

static uint32_t send(maker *make, uint32_t process, const channel *over)
{
    observe(make, process);
    uint32_t sends = advance(make, process, true);
    in(make, over->room, sends);
    out(make, sends, over->message);
    return sends;
}

/* Takes the message in one monitored step, or in an unobserved one that takes no time and a monitored one after it
 * (C3'). Begins at the place `from` and ends at the place `to`. Returns the step that takes it. */
static uint32_t take(maker *make, uint32_t process, const channel *over, uint32_t from, uint32_t to)
{
    bool untimed = make->unobserved && pick(make, 2);
    uint32_t takes = step(make, process, !untimed), last = takes;
    in(make, from, takes);
    in(make, over->message, takes);
    if (untimed) {
        make->net->transitions[takes].untimed = true;
        uint32_t between = place(make, 0);
        out(make, takes, between);
        last = step(make, process, true);
        in(make, between, last);
    }
    out(make, last, over->room);
    out(make, last, to);
    return takes;
}

static void receive(maker *make, uint32_t process, const channel *over)
{
    observe(make, process);
    uint32_t next = place(make, 0);
    take(make, process, over, make->cursor[process], next);
    make->cursor[process] = next;
    make->observed[process] = true;
}

/* The way around: one or two steps to `to`, the last one of them observed or not. Returns the first. */
static uint32_t around(maker *make, uint32_t process, uint32_t from, uint32_t to, bool *observed)
{
    *observed = !make->unobserved || pick(make, 2);
    uint32_t goes = step(make, process, *observed || pick(make, 2)), first = goes;
    in(make, from, goes);
    if (pick(make, 2)) {
        uint32_t between = place(make, 0);
        out(make, goes, between);
        goes = step(make, process, *observed);
        in(make, between, goes);
    } else {
        *observed = make->net->transitions[goes].monitor;
    }
    out(make, goes, to);
    return first;
}

/* if (there is a message) take it; else do something else. */
static void poll(maker *make, uint32_t process, const channel *over)
{
    observe(make, process);
    uint32_t from = make->cursor[process], to = place(make, 0);
    bool observed;
    uint32_t takes = take(make, process, over, from, to), goes = around(make, process, from, to, &observed);
    es_net_condition there = {.place = over->message};
    rule(make, from, takes, &there, 1);
    rule(make, from, goes, NULL, 0);
    make->cursor[process] = to;
    make->observed[process] = observed;
}

/* if (there is room) send; else do something else. */
static void try_send(maker *make, uint32_t process, const channel *over)
{
    observe(make, process);
    uint32_t from = make->cursor[process], to = place(make, 0), sends = step(make, process, true);
    bool observed;
    uint32_t goes = around(make, process, from, to, &observed);
    in(make, from, sends);
    in(make, over->room, sends);
    out(make, sends, over->message);
    out(make, sends, to);
    es_net_condition there = {.place = over->message, .absent = true}, room = {.place = over->room};
    es_net_condition both[2] = {room, there};
    rule(make, from, sends, both, 1 + pick(make, 2));
    rule(make, from, goes, NULL, 0);
    make->cursor[process] = to;
    make->observed[process] = observed;
}

/* One process raises and lowers a flag, the other one only looks. */
static void flag(maker *make, uint32_t a, uint32_t b)
{
    observe(make, b);
    uint32_t low = place(make, 1), high = place(make, 0);
    observe(make, a);
    uint32_t raises = advance(make, a, true);
    in(make, low, raises);
    out(make, raises, high);
    compute(make, a);
    observe(make, a);
    uint32_t lowers = advance(make, a, true);
    in(make, high, lowers);
    out(make, lowers, low);
    uint32_t from = make->cursor[b], to = place(make, 0);
    bool first_observed, second_observed;
    uint32_t first = around(make, b, from, to, &first_observed), second = around(make, b, from, to, &second_observed);
    es_net_condition up = {.place = high, .from = {&raises, 1}};
    rule(make, from, first, &up, 1);
    rule(make, from, second, NULL, 0);
    make->cursor[b] = to;
    make->observed[b] = first_observed && second_observed;
}

/* A choice of the program's data. */
static void branch(maker *make, uint32_t process)
{
    observe(make, process);
    uint32_t from = make->cursor[process], to = place(make, 0);
    for (int i = 0; i < 2; i++) {
        uint32_t goes = step(make, process, true);
        in(make, from, goes);
        out(make, goes, to);
    }
    make->cursor[process] = to;
    make->observed[process] = true;
}

/* Two processes send over one channel: whose turn it is, the free channel decides by who waits; the receiver looks at
 * who sent. */
static void shared(maker *make, uint32_t a, uint32_t b, uint32_t receiver)
{
    channel over = {place(make, 0), place(make, 1)};
    observe(make, a);
    observe(make, b);
    uint32_t waits = make->cursor[b];
    uint32_t first = send(make, a, &over), second = send(make, b, &over);
    es_net_condition waiting = {.place = waits};
    rule(make, over.room, second, &waiting, 1);
    rule(make, over.room, first, NULL, 0);
    observe(make, receiver);
    uint32_t from = make->cursor[receiver], to = place(make, 0), found = place(make, 0), seen[2];
    bool observed;
    uint32_t goes = around(make, receiver, from, to, &observed);
    for (int i = 0; i < 2; i++) {
        seen[i] = step(make, receiver, true);
        in(make, from, seen[i]);
        out(make, seen[i], found);
    }
    take(make, receiver, &over, found, to);
    es_net_condition from_first = {.place = over.message, .from = {&first, 1}},
                     from_second = {.place = over.message, .last = {&second, 1}};
    rule(make, from, seen[0], &from_first, 1);
    rule(make, from, seen[1], &from_second, 1);
    rule(make, from, goes, NULL, 0);
    make->cursor[receiver] = to;
    make->observed[receiver] = observed;
}

static void interact(maker *make)
{
    uint32_t a = pick(make, make->processes), b = pick(make, make->processes - 1);
    b += b >= a;
    channel over;
    switch (pick(make, 10)) {
    case 0:
        rendezvous(make, a, b);
        break;
    case 1:
        over = new_channel(make);
        send(make, a, &over);
        receive(make, b, &over);
        break;
    case 2:
    case 3:
    case 4:
        over = new_channel(make);
        send(make, a, &over);
        poll(make, b, &over);
        break;
    case 5:
        over = new_channel(make);
        try_send(make, a, &over);
        receive(make, b, &over);
        break;
    case 6:
        over = new_channel(make);
        try_send(make, a, &over);
        poll(make, b, &over);
        break;
    case 7:
        flag(make, a, b);
        break;
    case 8:
        branch(make, a);
        fork_and_join(make, b);
        break;
    default:
        if (make->processes > 2) {
            uint32_t receiver = 0;
            while (receiver == a || receiver == b)
                receiver++;
            shared(make, a, b, receiver);
        }
        break;
    }
}

random_net random_net_new(uint64_t seed)
{
    es_error err;
    maker make = {.net = es_net_new("random"), .random = random_mix(seed)};
    random_net made = {.net = make.net, .seed = seed};
    static const int64_t ranges[] = {3, 10, 100, 100000};
    made.delay_range = ranges[pick(&make, 4)];
    made.mark_range = 1 + pick(&make, (uint32_t)made.delay_range);
    made.unobserved = make.unobserved = pick(&make, 2);
    make.bounds = pick(&make, 2);
    make.mark_range = made.mark_range;
    make.processes = 2 + pick(&make, PROCESSES - 1);
    for (uint32_t i = 0; i < make.processes; i++) {
        make.cursor[i] = make.first[i] = place(&make, 1);
        make.observed[i] = true;
        compute(&make, i);
    }
    for (uint32_t i = 2 + pick(&make, 6); i; i--)
        interact(&make);
    for (uint32_t i = 0; i < make.processes; i++) {
        uint32_t closes = step(&make, i, true);
        in(&make, make.cursor[i], closes);
        out(&make, closes, make.first[i]);
    }
    uint32_t count = make.net->transition_count, *order = malloc(count * sizeof *order);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = pick(&make, i + 1);
        order[i] = order[at];
        order[at] = i;
    }
    must(es_net_order(make.net, order, &err), &err);
    free(order);
    must(es_net_finish(make.net, &err), &err);
    return made;
}

int64_t random_net_delay(void *context, uint32_t transition, uint64_t number)
{
    const random_net *of = context;
    if (of->net->transitions[transition].untimed)
        return 0;
    /* Each transition has a pace of its own, around which its firings vary. */
    uint64_t pace = random_mix(of->seed ^ (uint64_t)transition << 40), it = random_mix(pace ^ number);
    return (int64_t)(pace % (uint64_t)of->delay_range / 2 + it % (uint64_t)of->delay_range / 2);
}

int64_t random_net_mark(void *context, uint32_t transition, uint64_t number)
{
    const random_net *of = context;
    uint64_t it = random_mix(of->seed * 3 ^ (uint64_t)transition << 44 ^ number);
    return it >> 60 < 6 ? (int64_t)(it % (uint64_t)of->mark_range)
                        : 0; /* many marks take no time, so that some runs do not change */
}

uint32_t random_net_choose(void *context, uint32_t place, uint64_t number)
{
    const random_net *of = context;
    const es_net_place *at = &of->net->places[place];
    return at->outputs[random_mix(of->seed ^ (uint64_t)place << 20 ^ number) % at->output_count];
}
