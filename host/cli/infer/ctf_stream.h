/* One stream of a trace in CTF: its events, and the losses before them. */
#ifndef ES_CLI_INFER_CTF_STREAM_H
#define ES_CLI_INFER_CTF_STREAM_H

#include "cli/infer/ctf_fields.h"

#define ES_INFER_CTF_LOSSES_MAX 3u /* before one packet: events, packets, and what was before the first one */

/* One stream, and what comes next of it: losses, then the event at messages[next]. */
typedef struct es_infer_ctf_stream {
    es_infer_ctf_fields *fields;
    bt_message_iterator *iterator;
    bt_message_array_const messages;
    uint64_t next, count;
    int64_t time, key; /* of what was read last; by which streams are merged: it never goes back */
    es_infer_loss losses[ES_INFER_CTF_LOSSES_MAX];
    uint32_t loss_count;
    bool timed[ES_INFER_CTF_LOSSES_MAX]; /* when they were is known */
    uint32_t order;                      /* of streams with the same time the first one */
    /* A loss without times may be anywhere in its packet: it is told before each event up to the first one after it. */
    bool open, closing;
    bool ended;           /* of the iterator */
    bool begun;           /* its first packet has */
    bool lacks_first;     /* something was lost before that, ... */
    int64_t first_begin;  /* ... which begins then */
    uint32_t field;       /* that its packets say, always the same value, ... */
    es_infer_value value; /* ... which lost events had, too; ES_INFER_NONE: none */
} es_infer_ctf_stream;

/* Finds what comes next: 1: it is there; 0: nothing does; -1: an error, of which libbabeltrace2 says more. Losses that
 * were given on are taken out before. */
int es_infer_ctf_stream_advance(es_infer_ctf_stream *t);

/* Frees what is left of it. */
void es_infer_ctf_stream_release(es_infer_ctf_stream *t);

/* The end of a loss whose events may have come up to a time (ns), also in its last ns after other streams' events. */
static inline int64_t es_infer_ctf_after(int64_t time)
{
    return time < INT64_MAX ? time + 1 : time;
}

#endif
