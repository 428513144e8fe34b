/* How random nets are made: shared by random_net.c and random_calls.c. */
#ifndef TESTS_NET_RANDOM_MAKER_H
#define TESTS_NET_RANDOM_MAKER_H

#include "random_net.h"

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
    int8_t *turns; /* by transition: at one time, -1 goes first and 1 last */
} maker;

/* `sent` and `taken` are where the sender and the receiver put their tokens: the same, or a flight away. */
typedef struct channel {
    uint32_t message, room; /* one of them holds a token, or something is in flight */
    uint32_t sent, taken;
} channel;

uint32_t random_pick(maker *make, uint32_t below);
uint32_t random_place(maker *make, uint32_t tokens);
uint32_t random_step(maker *make, uint32_t process, bool monitor);
void random_in(maker *make, uint32_t from, uint32_t to);
void random_out(maker *make, uint32_t from, uint32_t to);
void random_rule(maker *make, uint32_t at, uint32_t to, const es_net_condition *conditions, uint32_t count);
uint32_t random_advance(maker *make, uint32_t process, bool monitor); /* one step of the process */
void random_observe(maker *make, uint32_t process);                   /* its token now comes from a monitor */
uint32_t random_send(maker *make, uint32_t process, const channel *over);
uint32_t random_take(maker *make, uint32_t process, const channel *over, uint32_t from, uint32_t to);

/* Asks for a message until one is there (random_calls.c). */
void random_spin(maker *make, uint32_t process, const channel *over);
/* Asks for either of two, in turn. */
void random_spin_two(maker *make, uint32_t process, const channel over[2]);

/* --- with computed steps and silent decisions (random_calls.c) */

/* Messages and the way back take a fixed time. */
void random_flights(maker *make, channel *over);
/* Looks for a message and takes longer or not, but does the same. */
void random_silent_look(maker *make, uint32_t process, const channel *over);
/* a and b send to the receiver, which twice waits for either, by a bell, and looks who it was. */
void random_wait_for_any(maker *make, uint32_t a, uint32_t b, uint32_t receiver);

#endif
