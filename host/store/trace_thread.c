/* The thread that writes: it alone waits for the disk. */
#include <errno.h>
#include <sched.h>
#include <time.h>

#include "store/trace_private.h"

#define TURN_NS \
    UINT64_C(250000000) /* the longest that a record waits here before it is written, and again for the disk */
#define SPARES_MAX 4u
#define REMOVE_NS UINT64_C(10000000000) /* how often old chunks are looked for */

/* With the mutex: until something is pushed, the end, or a turn has passed. */
static void wait_a_turn(es_trace *t)
{
    uint64_t until = es_trace_clock_ns(CLOCK_MONOTONIC) + TURN_NS;
    struct timespec at = {(time_t)(until / 1000000000u), (long)(until % 1000000000u)};
    pthread_cond_timedwait(&t->wake, &t->mutex, &at);
}

static void note_failure(es_trace *t, int error)
{
    pthread_mutex_lock(&t->mutex);
    if (!t->failing) {
        t->error = t->cause = error;
        t->failing = t->tell_fails = true;
        t->tell_recovers = false;
        atomic_store(&t->has_news, true);
    }
    pthread_cond_broadcast(&t->room); /* who waits for the disk shall not wait for this */
    pthread_mutex_unlock(&t->mutex);
}

static void note_success(es_trace *t)
{
    pthread_mutex_lock(&t->mutex);
    if (t->failing) {
        t->failing = t->tell_fails = false;
        t->tell_recovers = true;
        atomic_store(&t->has_news, true);
    }
    pthread_mutex_unlock(&t->mutex);
}

static bool write_block(es_trace *t, es_block *block)
{
    if (t->disk.origin.chunk != block->chunk)
        t->disk.origin.ns = block->origin_ns;
    uint64_t before = t->disk.origin.chunk;
    if (!es_chunk_begin(&t->disk, block->chunk))
        return false;
    if (before != block->chunk) {
        es_chunk_remove_old(t->directory, block->chunk, t->options.keep_bytes, t->options.keep_ns);
        pthread_mutex_lock(&t->mutex);
        t->chunks++;
        pthread_mutex_unlock(&t->mutex);
    }
    return es_chunk_add(&t->disk, block->bytes, block->used, &block->fresh);
}

/* The first of the queue is written: it goes. */
static void done_with_first(es_trace *t)
{
    pthread_mutex_lock(&t->mutex);
    es_block *block = t->first;
    t->first = block->next;
    if (!t->first)
        t->last = NULL;
    t->queued -= block->room;
    t->bytes += block->used;
    bool keep = t->spares < SPARES_MAX && block->room == ES_BLOCK_ROOM;
    if (keep) {
        block->next = t->spare;
        t->spare = block;
        t->spares++;
    }
    pthread_cond_broadcast(&t->room);
    pthread_mutex_unlock(&t->mutex);
    if (!keep)
        es_trace_free_block(block);
}

/* Writes what waits. False: the end has come, and it cannot be written. */
static bool write_queue(es_trace *t, uint64_t *synced)
{
    for (;;) {
        pthread_mutex_lock(&t->mutex);
        es_block *block = t->first;
        bool closing = t->closing;
        pthread_mutex_unlock(&t->mutex);
        if (!block)
            return true;
        if (write_block(t, block)) {
            done_with_first(t);
            note_success(t);
        } else {
            note_failure(t, errno);
            if (closing)
                return false;
            pthread_mutex_lock(&t->mutex);
            if (!t->closing)
                wait_a_turn(t);
            pthread_mutex_unlock(&t->mutex);
        }
        if (es_trace_clock_ns(CLOCK_MONOTONIC) - *synced >= TURN_NS) {
            if (!es_chunk_sync(&t->disk))
                note_failure(t, errno);
            *synced = es_trace_clock_ns(CLOCK_MONOTONIC);
        }
    }
}

static void collect(es_trace *t)
{
    while (!es_latch_try(&t->latch)) {
        /* Who gives records may wait there for room, which only this thread makes. */
        pthread_mutex_lock(&t->mutex);
        bool busy = t->first;
        pthread_mutex_unlock(&t->mutex);
        if (busy)
            return;
        sched_yield();
    }
    es_block *block = es_trace_take_block(t);
    if (block)
        es_trace_push(t, block);
    es_latch_give(&t->latch);
}

void *es_trace_thread(void *context)
{
    es_trace *t = context;
    uint64_t collected = 0, synced = 0, removed = es_trace_clock_ns(CLOCK_MONOTONIC);
    for (bool closing = false; !closing;) {
        pthread_mutex_lock(&t->mutex);
        if (!t->first && !t->closing)
            wait_a_turn(t);
        closing = t->closing;
        pthread_mutex_unlock(&t->mutex);
        uint64_t now = es_trace_clock_ns(CLOCK_MONOTONIC);
        if (!closing && now - collected >= TURN_NS) {
            collect(t);
            collected = now;
        }
        if (!write_queue(t, &synced))
            break;
        now = es_trace_clock_ns(CLOCK_MONOTONIC);
        if (closing || now - synced >= TURN_NS) {
            if (!es_chunk_sync(&t->disk))
                note_failure(t, errno);
            synced = now;
        }
        if (t->options.keep_ns && now - removed >= REMOVE_NS) {
            es_chunk_remove_old(t->directory, t->disk.origin.chunk, t->options.keep_bytes, t->options.keep_ns);
            removed = now;
        }
    }
    return NULL;
}
