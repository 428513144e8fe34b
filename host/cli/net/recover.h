/* Where `earshot net recover` puts what it finds: each sink takes recovered events and changes. */
#ifndef ES_CLI_NET_RECOVER_H
#define ES_CLI_NET_RECOVER_H

#include <stdbool.h>

#include "base/text.h"
#include "net/recovery/recovery.h"

typedef struct es_net_pieces es_net_pieces;

/* Text or JSON Lines on stdout. */
typedef struct es_net_printer {
    const es_net *net;
    bool json, quiet; /* quiet: text without events, changes only */
    bool live;        /* JSON tells when each thing was known */
    int64_t known;    /* tick at which what is printed next came to be known */
    bool together;    /* lines may wait for others; es_net_print_flush writes them */
    es_text_buffer line;
    const es_net_pieces *pieces; /* recover_event.c's, in the net's arena; NULL: none yet */
    uint64_t uncalibrated;       /* events so far whose mark took another time than the net says */
} es_net_printer;

void es_net_print_flush(es_net_printer *printer);
void es_net_print_event(es_net_printer *printer, const es_net_recovered *event);
void es_net_print_event_line(es_net_printer *printer, const es_net_recovered *event); /* adds it to `line` */
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
