/* Random nets with steps that always take the same time, silent decisions and signals: what the calls of a
 * message-passing library look like from inside. */
#include "random_maker.h"

static uint32_t fixed_step(maker *make, uint32_t process, int64_t delay)
{
    uint32_t made = random_step(make, process, true);
    es_net_transition *at = &make->net->transitions[made];
    at->fixed = true;
    at->delay = delay;
    at->mark = at->mark_max = 0;
    return made;
}

static uint32_t between(maker *make, uint32_t from, uint32_t to, int64_t delay, int8_t turn)
{
    uint32_t made = fixed_step(make, (uint32_t)ES_NET_NO_PROCESS, delay);
    make->turns[made] = turn;
    random_in(make, from, made);
    random_out(make, made, to);
    return made;
}

void random_flights(maker *make, channel *over)
{
    over->sent = random_place(make, 0);
    between(make, over->sent, over->message, random_pick(make, 20), 0);
    over->taken = random_place(make, 0);
    between(make, over->taken, over->room, random_pick(make, 20), 0);
}

void random_silent_look(maker *make, uint32_t process, const channel *over)
{
    random_observe(make, process);
    uint32_t from = make->cursor[process], to = random_place(make, 0);
    uint32_t quick = between(make, from, to, random_pick(make, 10), 0),
             slow = between(make, from, to, random_pick(make, 10), 0);
    es_net_condition there = {.place = over->message};
    random_rule(make, from, quick, &there, 1);
    random_rule(make, from, slow, NULL, 0);
    make->cursor[process] = to;
    make->observed[process] = true;
}

void random_wait_for_any(maker *make, uint32_t a, uint32_t b, uint32_t receiver)
{
    channel over[2];
    uint32_t senders[2] = {a, b}, in_place[2], store[2], ring[2], asking[2], now[2], wait[2], finding[2];
    uint32_t wanted[2], got[2], at[2][2], done[2][2];
    uint32_t bell = random_place(make, 0);
    make->net->places[bell].signal = true;
    for (int i = 0; i < 2; i++) {
        over[i] = (channel){.message = random_place(make, 0), .room = random_place(make, 1)};
        over[i].taken = over[i].room;
        over[i].sent = in_place[i] = random_place(make, 0);
        random_send(make, senders[i], &over[i]);
        if (random_pick(make, 2)) { /* a flight before the message comes in */
            in_place[i] = random_place(make, 0);
            between(make, over[i].sent, in_place[i], random_pick(make, 20), 0);
        }
        store[i] = between(make, in_place[i], over[i].message, 0, -1);
        ring[i] = between(make, in_place[i], over[i].message, 0, -1);
        random_out(make, ring[i], bell);
        wanted[i] = random_place(make, 0);
        got[i] = random_place(make, 0);
        random_take(make, receiver, &over[i], wanted[i], got[i]);
    }
    for (int call = 0; call < 2; call++) {
        random_advance(make, receiver, true);
        asking[call] = make->cursor[receiver];
        finding[call] = random_place(make, 0);
        now[call] = between(make, asking[call], finding[call], 0, 1);
        wait[call] = between(make, asking[call], finding[call], 0, 1);
        random_in(make, bell, wait[call]);
        uint32_t to = random_place(make, 0);
        for (int i = 0; i < 2; i++) {
            es_net_condition there = {.place = over[i].message};
            random_rule(make, asking[call], now[call], &there, 1);
            uint32_t found = random_step(make, receiver, true);
            at[call][i] = random_place(make, 0);
            random_in(make, finding[call], found);
            random_out(make, found, wanted[i]);
            random_out(make, found, at[call][i]);
            random_rule(make, finding[call], found, &there, i == 0);
            done[call][i] = random_step(make, receiver, true);
            random_in(make, got[i], done[call][i]);
            random_in(make, at[call][i], done[call][i]);
            random_out(make, done[call][i], to);
        }
        random_rule(make, asking[call], wait[call], NULL, 0);
        make->cursor[receiver] = to;
        make->observed[receiver] = true;
    }
    for (int call = 0; call < 2; call++) {
        es_net_condition waits[2] = {{.place = asking[call], .to = {&wait[call], 1}}, {.place = bell, .absent = true}};
        for (int i = 0; i < 2; i++)
            random_rule(make, in_place[i], ring[i], waits, 2);
        random_rule(make, bell, wait[call], waits, call == 0);
    }
    for (int i = 0; i < 2; i++) {
        random_rule(make, in_place[i], store[i], NULL, 0);
        es_net_condition first = {.place = at[0][i]};
        random_rule(make, got[i], done[0][i], &first, 1);
        random_rule(make, got[i], done[1][i], NULL, 0);
    }
}

void random_spin(maker *make, uint32_t process, const channel *over)
{
    random_observe(make, process);
    uint32_t begin = make->cursor[process], to = random_place(make, 0);
    random_advance(make, process, true); /* the step that asks */
    uint32_t at = make->cursor[process];
    if (random_pick(make, 3) == 0) { /* the program's data may not want to ask */
        uint32_t other = random_step(make, process, true);
        random_in(make, begin, other);
        random_out(make, other, to);
    }
    uint32_t none = random_step(make, process, true), last = none;
    make->net->transitions[none].idle = true;
    random_in(make, at, none);
    for (uint32_t more = random_pick(make, 3); more; more--) {
        uint32_t next = random_step(make, process, true), middle = random_place(make, 0);
        make->net->transitions[next].idle = true;
        random_out(make, last, middle);
        random_in(make, middle, next);
        last = next;
    }
    random_out(make, last, random_pick(make, 4) ? begin : at);
    uint32_t takes = random_take(make, process, over, at, to);
    es_net_condition there = {.place = over->message};
    random_rule(make, at, takes, &there, 1);
    random_rule(make, at, none, NULL, 0);
    make->cursor[process] = to;
    make->observed[process] = true;
}

void random_spin_two(maker *make, uint32_t process, const channel over[2])
{
    random_observe(make, process);
    uint32_t begin = make->cursor[process], to = random_place(make, 0), next = begin;
    for (int i = 0; i < 2; i++) {
        make->cursor[process] = next;
        random_advance(make, process, true); /* the step that asks */
        uint32_t at = make->cursor[process], none = random_step(make, process, true);
        next = i ? begin : random_place(make, 0);
        make->net->transitions[none].idle = true;
        random_in(make, at, none);
        random_out(make, none, next);
        uint32_t takes = random_take(make, process, &over[i], at, to);
        es_net_condition there = {.place = over[i].message};
        random_rule(make, at, takes, &there, 1);
        random_rule(make, at, none, NULL, 0);
    }
    make->cursor[process] = to;
    make->observed[process] = true;
}
