#include "random_maker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t random_mix(uint64_t value)
{
    value += UINT64_C(0x9E3779B97F4A7C15);
    value = (value ^ value >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ value >> 27) * UINT64_C(0x94D049BB133111EB);
    return value ^ value >> 31;
}

uint32_t random_pick(maker *make, uint32_t below)
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

uint32_t random_place(maker *make, uint32_t tokens)
{
    es_error err;
    char id[16];
    snprintf(id, sizeof id, "p%u", make->serial++);
    uint32_t made = es_net_place_add(make->net, id, NULL, tokens, NULL, &err);
    must(made != ES_NET_NONE, &err);
    return made;
}

uint32_t random_step(maker *make, uint32_t process, bool monitor)
{
    es_error err;
    char id[16];
    snprintf(id, sizeof id, "t%u", make->serial++);
    uint32_t made = es_net_transition_add(make->net, id, NULL, 0, NULL, &err);
    must(made != ES_NET_NONE, &err);
    make->net->transitions[made].process = (int32_t)process;
    make->turns = realloc(make->turns, (made + 1) * sizeof *make->turns);
    make->turns[made] = 0;
    if (monitor)
        must(es_net_monitor(make->net, made, 0, make->bounds ? make->mark_range : ES_NET_UNKNOWN, &err), &err);
    return made;
}

void random_in(maker *make, uint32_t from, uint32_t to)
{
    es_error err;
    must(es_net_arc_in(make->net, from, to, 1, &err), &err);
}

void random_out(maker *make, uint32_t from, uint32_t to)
{
    es_error err;
    must(es_net_arc_out(make->net, from, to, 1, &err), &err);
}

void random_rule(maker *make, uint32_t at, uint32_t to, const es_net_condition *conditions, uint32_t count)
{
    es_error err;
    must(es_net_rule_add(make->net, at, to, conditions, count, &err), &err);
}

/* One step of the process. */
uint32_t random_advance(maker *make, uint32_t process, bool monitor)
{
    uint32_t did = random_step(make, process, monitor), next = random_place(make, 0);
    random_in(make, make->cursor[process], did);
    random_out(make, did, next);
    make->cursor[process] = next;
    make->observed[process] = monitor;
    return did;
}

/* The process's token now comes from a monitor. */
void random_observe(maker *make, uint32_t process)
{
    if (!make->observed[process])
        random_advance(make, process, true);
}

static void compute(maker *make, uint32_t process)
{
    for (uint32_t i = 1 + random_pick(make, 3); i; i--)
        random_advance(make, process, !make->unobserved || random_pick(make, 2));
}

static void rendezvous(maker *make, uint32_t a, uint32_t b)
{
    random_observe(make, a);
    random_observe(make, b);
    bool monitor = !make->unobserved || random_pick(make, 2);
    uint32_t together = random_step(make, a, monitor);
    uint32_t both[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        random_in(make, make->cursor[both[i]], together);
        make->cursor[both[i]] = random_place(make, 0);
        random_out(make, together, make->cursor[both[i]]);
        make->observed[both[i]] = monitor;
    }
}

/* Two threads within the process, which wait for each other in the end. */
static void fork_and_join(maker *make, uint32_t process)
{
    uint32_t forks = random_advance(make, process, !make->unobserved || random_pick(make, 2)), ends[2];
    uint32_t other = random_place(make, 0);
    bool observed = make->observed[process];
    random_out(make, forks, other);
    for (int i = 0; i < 2; i++) {
        if (i)
            make->cursor[process] = other;
        make->observed[process] = observed;
        if (random_pick(make, 2))
            compute(make, process);
        random_advance(make, process, true);
        ends[i] = make->cursor[process];
    }
    make->cursor[process] = ends[0];
    uint32_t joins = random_advance(make, process, !make->unobserved || random_pick(make, 2));
    random_in(make, ends[1], joins);
}

static channel new_channel(maker *make)
{
    bool full = !random_pick(make, 4); /* a message in flight at the start */
    channel made = {.message = random_place(make, full), .room = random_place(make, !full)};
    made.sent = made.message, made.taken = made.room;
    if (random_pick(make, 2))
        random_flights(make, &made);
    return made;
}

uint32_t random_send(maker *make, uint32_t process, const channel *over)
{
    random_observe(make, process);
    uint32_t sends = random_advance(make, process, true);
    random_in(make, over->room, sends);
    random_out(make, sends, over->sent);
    return sends;
}

/* Takes the message in one monitored step, or in an unobserved one that takes no time and a monitored one after it
 * (C3'). Begins at the place `from` and ends at the place `to`. Returns the step that takes it. */
uint32_t random_take(maker *make, uint32_t process, const channel *over, uint32_t from, uint32_t to)
{
    bool untimed = make->unobserved && random_pick(make, 2);
    uint32_t takes = random_step(make, process, !untimed), last = takes;
    random_in(make, from, takes);
    random_in(make, over->message, takes);
    if (untimed) {
        make->net->transitions[takes].untimed = true;
        uint32_t between = random_place(make, 0);
        random_out(make, takes, between);
        last = random_step(make, process, true);
        random_in(make, between, last);
    }
    random_out(make, last, over->taken);
    random_out(make, last, to);
    return takes;
}

static void receive(maker *make, uint32_t process, const channel *over)
{
    random_observe(make, process);
    uint32_t next = random_place(make, 0);
    random_take(make, process, over, make->cursor[process], next);
    make->cursor[process] = next;
    make->observed[process] = true;
}

/* The way around: one or two steps to `to`, the last one of them observed or not. Returns the first. */
static uint32_t around(maker *make, uint32_t process, uint32_t from, uint32_t to, bool *observed)
{
    *observed = !make->unobserved || random_pick(make, 2);
    uint32_t goes = random_step(make, process, *observed || random_pick(make, 2)), first = goes;
    random_in(make, from, goes);
    if (random_pick(make, 2)) {
        uint32_t between = random_place(make, 0);
        random_out(make, goes, between);
        goes = random_step(make, process, *observed);
        random_in(make, between, goes);
    } else {
        *observed = make->net->transitions[goes].monitor;
    }
    random_out(make, goes, to);
    return first;
}

/* if (there is a message) take it; else do something else. */
static void poll(maker *make, uint32_t process, const channel *over)
{
    random_observe(make, process);
    uint32_t from = make->cursor[process], to = random_place(make, 0);
    bool observed;
    uint32_t takes = random_take(make, process, over, from, to), goes = around(make, process, from, to, &observed);
    es_net_condition there = {.place = over->message};
    random_rule(make, from, takes, &there, 1);
    random_rule(make, from, goes, NULL, 0);
    make->cursor[process] = to;
    make->observed[process] = observed;
}

/* if (there is room) send; else do something else. */
static void try_send(maker *make, uint32_t process, const channel *over)
{
    random_observe(make, process);
    uint32_t from = make->cursor[process], to = random_place(make, 0), sends = random_step(make, process, true);
    bool observed;
    uint32_t goes = around(make, process, from, to, &observed);
    random_in(make, from, sends);
    random_in(make, over->room, sends);
    random_out(make, sends, over->sent);
    random_out(make, sends, to);
    es_net_condition there = {.place = over->message, .absent = true}, room = {.place = over->room};
    es_net_condition both[2] = {room, there};
    random_rule(make, from, sends, both, 1 + random_pick(make, 2));
    random_rule(make, from, goes, NULL, 0);
    make->cursor[process] = to;
    make->observed[process] = observed;
}

/* One process raises and lowers a flag, the other one only looks. */
static void flag(maker *make, uint32_t a, uint32_t b)
{
    random_observe(make, b);
    uint32_t low = random_place(make, 1), high = random_place(make, 0);
    random_observe(make, a);
    uint32_t raises = random_advance(make, a, true);
    random_in(make, low, raises);
    random_out(make, raises, high);
    compute(make, a);
    random_observe(make, a);
    uint32_t lowers = random_advance(make, a, true);
    random_in(make, high, lowers);
    random_out(make, lowers, low);
    uint32_t from = make->cursor[b], to = random_place(make, 0);
    bool first_observed, second_observed;
    uint32_t first = around(make, b, from, to, &first_observed), second = around(make, b, from, to, &second_observed);
    es_net_condition up = {.place = high, .from = {&raises, 1}};
    random_rule(make, from, first, &up, 1);
    random_rule(make, from, second, NULL, 0);
    make->cursor[b] = to;
    make->observed[b] = first_observed && second_observed;
}

/* A choice of the program's data. */
static void branch(maker *make, uint32_t process)
{
    random_observe(make, process);
    uint32_t from = make->cursor[process], to = random_place(make, 0);
    for (int i = 0; i < 2; i++) {
        uint32_t goes = random_step(make, process, true);
        random_in(make, from, goes);
        random_out(make, goes, to);
    }
    make->cursor[process] = to;
    make->observed[process] = true;
}

/* Two processes send over one channel: whose turn it is, the free channel decides by who waits; the receiver looks at
 * who sent. */
static void shared(maker *make, uint32_t a, uint32_t b, uint32_t receiver)
{
    channel over = {.message = random_place(make, 0), .room = random_place(make, 1)};
    over.sent = over.message, over.taken = over.room;
    random_observe(make, a);
    random_observe(make, b);
    uint32_t waits = make->cursor[b];
    uint32_t first = random_send(make, a, &over), second = random_send(make, b, &over);
    es_net_condition waiting = {.place = waits};
    random_rule(make, over.room, second, &waiting, 1);
    random_rule(make, over.room, first, NULL, 0);
    random_observe(make, receiver);
    uint32_t from = make->cursor[receiver], to = random_place(make, 0), found = random_place(make, 0), seen[2];
    bool observed;
    uint32_t goes = around(make, receiver, from, to, &observed);
    for (int i = 0; i < 2; i++) {
        seen[i] = random_step(make, receiver, true);
        random_in(make, from, seen[i]);
        random_out(make, seen[i], found);
    }
    random_take(make, receiver, &over, found, to);
    es_net_condition from_first = {.place = over.message, .from = {&first, 1}},
                     from_second = {.place = over.message, .last = {&second, 1}};
    random_rule(make, from, seen[0], &from_first, 1);
    random_rule(make, from, seen[1], &from_second, 1);
    random_rule(make, from, goes, NULL, 0);
    make->cursor[receiver] = to;
    make->observed[receiver] = observed;
}

static void interact(maker *make)
{
    uint32_t a = random_pick(make, make->processes), b = random_pick(make, make->processes - 1);
    b += b >= a;
    channel over;
    switch (random_pick(make, 13)) {
    case 0: rendezvous(make, a, b); break;
    case 1:
        over = new_channel(make);
        random_send(make, a, &over);
        receive(make, b, &over);
        break;
    case 2:
    case 3:
    case 4:
        over = new_channel(make);
        random_send(make, a, &over);
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
    case 7: flag(make, a, b); break;
    case 8:
        branch(make, a);
        fork_and_join(make, b);
        break;
    case 10:
        over = new_channel(make);
        random_send(make, a, &over);
        random_silent_look(make, b, &over);
        receive(make, b, &over);
        break;
    default:
        if (make->processes > 2) {
            uint32_t receiver = 0, which = random_pick(make, 3);
            while (receiver == a || receiver == b)
                receiver++;
            if (which)
                random_wait_for_any(make, a, b, receiver);
            else
                shared(make, a, b, receiver);
        }
        break;
    }
}

static random_net make_net(uint64_t seed, bool spins)
{
    es_error err;
    maker make = {.net = es_net_new("random"), .random = random_mix(seed)};
    random_net made = {.net = make.net, .seed = seed};
    static const int64_t ranges[] = {3, 10, 100, 100000};
    made.delay_range = ranges[random_pick(&make, 4)];
    made.mark_range = 1 + random_pick(&make, (uint32_t)made.delay_range);
    made.unobserved = make.unobserved = random_pick(&make, 2);
    make.bounds = random_pick(&make, 2);
    make.mark_range = made.mark_range;
    make.processes = 2 + random_pick(&make, PROCESSES - 1);
    for (uint32_t i = 0; i < make.processes; i++) {
        make.cursor[i] = make.first[i] = random_place(&make, 1);
        make.observed[i] = true;
        compute(&make, i);
    }
    for (uint32_t i = spins ? random_pick(&make, 3) : 2 + random_pick(&make, 6); i; i--)
        interact(&make);
    for (uint32_t i = spins ? 1 + random_pick(&make, 4) : 0; i; i--) {
        uint32_t a = random_pick(&make, make.processes), b = random_pick(&make, make.processes - 1);
        b += b >= a;
        channel over[2] = {new_channel(&make), new_channel(&make)};
        random_send(&make, a, &over[0]);
        if (random_pick(&make, 3)) {
            random_spin(&make, b, &over[0]);
            continue;
        }
        for (a = 0; a == b; a++)
            ;
        random_send(&make, a, &over[1]);
        random_spin_two(&make, b, over);
    }
    for (uint32_t i = 0; i < make.processes; i++) {
        uint32_t closes = random_step(&make, i, true);
        random_in(&make, make.cursor[i], closes);
        random_out(&make, closes, make.first[i]);
    }
    uint32_t count = make.net->transition_count, *order = malloc(count * sizeof *order);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = random_pick(&make, i + 1);
        order[i] = order[at];
        order[at] = i;
    }
    /* What settles goes first, what waits goes last. */
    uint32_t *sorted = malloc(count * sizeof *sorted), used = 0;
    for (int turn = -1; turn <= 1; turn++)
        for (uint32_t i = 0; i < count; i++)
            if (make.turns[order[i]] == turn)
                sorted[used++] = order[i];
    must(es_net_order(make.net, sorted, &err), &err);
    free(sorted);
    free(order);
    free(make.turns);
    must(es_net_finish(make.net, &err), &err);
    return made;
}

random_net random_net_new(uint64_t seed)
{
    return make_net(seed, false);
}

random_net random_net_with_spins(uint64_t seed)
{
    return make_net(seed, true);
}

int64_t random_net_delay(void *context, uint32_t transition, uint64_t number)
{
    const random_net *of = context;
    if (of->net->transitions[transition].untimed || of->net->transitions[transition].fixed)
        return of->net->transitions[transition].delay;
    /* Each transition has a pace of its own, around which its firings vary. */
    uint64_t pace = random_mix(of->seed ^ (uint64_t)transition << 40), it = random_mix(pace ^ number);
    return (int64_t)(pace % (uint64_t)of->delay_range / 2 + it % (uint64_t)of->delay_range / 2);
}

int64_t random_net_mark(void *context, uint32_t transition, uint64_t number)
{
    const random_net *of = context;
    if (of->net->transitions[transition].fixed && !of->net->transitions[transition].mark)
        return 0;
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
