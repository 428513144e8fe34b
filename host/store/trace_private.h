/* The writer of traces inside: trace.c takes records, trace_thread.c writes them, trace_blocks.c is between the two. */
#ifndef ES_STORE_TRACE_PRIVATE_H
#define ES_STORE_TRACE_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "store/chunk.h"
#include "store/encode.h"
#include "store/latch.h"
#include "store/trace.h"

#define ES_BLOCK_ROOM ((size_t)512 * 1024)

/* Whole packets on their way to the disk. */
typedef struct es_block {
    struct es_block *next;
    uint64_t chunk;
    int64_t origin_ns;
    es_text_buffer fresh; /* metadata of the names that are new in it */
    size_t used, room;
    uint64_t records;
    uint8_t *bytes;
} es_block;

/* Losses that the trace has no record of yet, by kind; count 0: none. */
typedef struct es_pending {
    es_lost lost[ES_LOST_KINDS];
} es_pending;

struct es_trace {
    es_trace_options options;
    char *directory, *probe;
    bool made; /* the directory, by us */
    bool finished;

    /* Of who gives records; the thread takes the open block now and then. */
    es_latch latch;
    es_encoder encoder;
    bool begun, losing, told_losing, is_new_chunk_due, is_origin_set;
    es_text_buffer early; /* notes that came before the schema: kind, size, bytes */
    es_block *open;       /* NULL: none */
    size_t packet;        /* where the open packet begins in it; SIZE_MAX: none is open */
    uint64_t packet_begin, packet_earliest, packets, discarded;
    uint64_t chunk, chunk_bytes, chunk_began_ns, began_ns;
    int64_t origin_ns;
    es_pending pending;
    uint64_t records, lost, recovered; /* recovered: left out before it went on; to be told */

    /* Of both, under the mutex. */
    pthread_mutex_t mutex;
    pthread_cond_t wake, room; /* for the thread; for who waits */
    es_block *first, *last, *spare;
    size_t queued, spares; /* bytes that wait; blocks in `spare` */
    bool closing, failing, tell_fails, tell_recovers;
    int error; /* why it failed last */
    int cause; /* the same, since losses were written last; 0: the disk was only slow */
    uint64_t bytes, chunks;
    atomic_bool has_news;

    /* Of the thread. */
    pthread_t thread;
    es_chunk disk;
    es_schema *schema; /* a copy, that outlives the run */
};

void es_trace_take(void *context, const es_record *record);

/* Losses that have no record yet get theirs. False: too much waits. */
bool es_trace_put_pending(es_trace *trace, bool force);

/* With the latch: closes the open packet, if any. */
void es_trace_end_packet(es_trace *trace);

/* With the latch: closes the open packet and takes the open block out; NULL: nothing is in it. */
es_block *es_trace_take_block(es_trace *trace);

/* An empty block, or NULL: too much waits. `force`: in any case. `need`: bytes that it must have room for. */
es_block *es_trace_new_block(es_trace *trace, size_t need, bool force);
void es_trace_push(es_trace *trace, es_block *block);
void es_trace_free_block(es_block *block);

void *es_trace_thread(void *context);

uint64_t es_trace_clock_ns(clockid_t clock);

#endif
