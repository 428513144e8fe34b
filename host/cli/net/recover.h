/* Where `earshot net recover` puts what it finds: each sink takes recovered events and changes. */
#ifndef ES_CLI_NET_RECOVER_H
#define ES_CLI_NET_RECOVER_H

#include <stdbool.h>

#include "base/text.h"
#include "net/recovery/recovery.h"

typedef struct es_net_pieces es_net_pieces;

#define ES_NET_PRINT_WAITING 256

/* Of a recovered event what its line needs. Members are in another order than there, so that they are moved one by one:
 * an event has just been made of single words, and loads of pairs would wait for those. */
typedef struct es_net_waiting {
    int64_t time, observed;
    uint64_t number, serial;
    int64_t mark;
    uint64_t source_number;
    uint32_t transition;
    uint16_t certainty, flags;
} es_net_waiting;

/* Text or JSON Lines on stdout. */
typedef struct es_net_printer {
    const es_net *net;
    bool json, quiet;                             /* quiet: text without events, changes only */
    bool live;                                    /* JSON tells when each thing was known */
    int64_t known;                                /* tick at which what is printed next came to be known */
    bool together;                                /* lines may wait for others; es_net_print_flush writes them */
    es_net_waiting waiting[ES_NET_PRINT_WAITING]; /* events whose lines have not been made: many are at once, so that
                                                     * what makes them stays in the caches, and what finds them too */
    unsigned waiting_count;
    es_text_buffer lines, line;  /* made; being made, and comes after those that wait */
    const es_net_pieces *pieces; /* recover_event.c's, in the net's arena; NULL: none yet */
    uint64_t uncalibrated;       /* events so far whose mark took another time than the net says */
} es_net_printer;

void es_net_print_end(es_net_printer *printer); /* frees what it holds */
void es_net_print_flush(es_net_printer *printer);
void es_net_print_event(es_net_printer *printer, const es_net_recovered *event);
void es_net_print_event_lines(es_net_printer *printer); /* of all that wait, to `lines`; counts the uncalibrated */
void es_net_print_change(es_net_printer *printer, const es_net_change *change);
void es_net_print_cut(es_net_printer *printer, const es_net_cut *cut);
void es_net_print_order(es_net_printer *printer, const es_net_order_change *change);
/* For each process why it is not certain any more; nothing of one that is. */
void es_net_print_doubts(es_net_printer *printer, const es_net_recovery *recovery);
void es_net_print_totals(es_net_printer *printer, const es_net_recovery_totals *totals);

/* A CTF trace whose times are the recovered ones. */
typedef struct es_net_ctf es_net_ctf;

es_net_ctf *es_net_ctf_open(const es_net *net, const char *directory, uint64_t clock_hz, es_error *err);
bool es_net_ctf_event(es_net_ctf *ctf, const es_net_recovered *event, es_error *err);
bool es_net_ctf_change(es_net_ctf *ctf, const es_net_change *change, es_error *err);
bool es_net_ctf_order(es_net_ctf *ctf, const es_net_order_change *change, es_error *err);
bool es_net_ctf_close(es_net_ctf *ctf, es_error *err); /* NULL is fine */

#endif
