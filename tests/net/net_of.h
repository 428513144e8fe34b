/* Small nets in a few lines of text, for tests. Words are separated by blanks; places come into being where they are
 * first named.
 *
 *   p PLACE                              an initial token there
 *   t NAME [d=DELAY] [m=MARK] [x=MOST] [s=PROCESS] [u] : INPUTS -> OUTPUTS
 *                                        m makes it a monitor; x: its mark takes at most that (unknown
 *                                        otherwise); u: untimed, f: fixed, i: idle, y: steady; a line "g PLACE" makes
 *                                        it a signal
 *   r PLACE NAME [CONTROL | !CONTROL]... a rule: a token in CONTROL (or none there) routes to transition NAME
 *
 * Priorities follow the order of the lines. */
#ifndef TESTS_NET_NET_OF_H
#define TESTS_NET_NET_OF_H

#include "net/model/engine.h"
#include "net/recovery/recovery.h"

/* Ends the program when the text is wrong. The net is finished. */
es_net *net_of(const char *text);

/* Like net_of(), without finishing. */
es_net *net_of_unfinished(const char *text);

/* An observed run: "NAME@TIME" or "NAME@TIME-MARK", separated by blanks. The mark is the net's where none is given.
 * Serials count from 1. Pushes all; the first error ends it and is kept in *err. Returns success. */
bool push_all(es_net_recovery *recovery, const es_net *net, const char *events, es_error *err);

/* Everything that a recovery says, as text: "NAME#NUMBER=TIME" with a letter for the class (t, p, c for pasted, l) and
 * for flags (T tied, N negative, U unsafe, R reused, M nominal, F computed, A asked again), "!PLACE:NAME#NUMBER OBSERVED>RECOVERED"
 * for changes, "?PLACE#NUMBER OBSERVED>RECOVERED" for orders (* after a change), separated by blanks. */
typedef struct told {
    const es_net *net;
    /* tells events that are cut out as "xSERIAL" with a letter for the reason: c change, d dropped, l lost, a asked */
    bool cuts;
    bool sources; /* tells the source of pasted events as "<SERIAL" */
    char text[20000];
} told;

es_net_recovery *recovery_of(const es_net *net, told *said, es_net_recovery_options options);

#endif
