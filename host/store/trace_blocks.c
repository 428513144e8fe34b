/* Blocks of packets between who gives records and the thread that writes them. */
#include <stdlib.h>
#include <time.h>

#include "base/arena.h"
#include "store/trace_private.h"

#define QUEUE_BYTES (16u << 20)

uint64_t es_trace_clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* --- packets and blocks ------------------------------------------------------------------------------------------- */

void es_trace_end_packet(es_trace *t)
{
    if (t->packet == SIZE_MAX)
        return;
    uint8_t *at = t->open->bytes + t->packet;
    size_t size = t->open->used - t->packet;
    uint64_t earliest = t->packet_earliest < t->packet_begin ? t->packet_earliest : t->packet_begin;
    es_packet_head head = {.begin = t->packet_begin,
                           .end = t->encoder.time,
                           .content = size,
                           .bytes = size + ES_PACKET_TAIL,
                           .number = t->packets++,
                           .discarded = t->discarded};
    es_packet_seal(at, &head, earliest);
    t->open->used += ES_PACKET_TAIL;
    t->packet = SIZE_MAX;
}

es_block *es_trace_take_block(es_trace *t)
{
    es_trace_end_packet(t);
    es_block *block = t->open;
    if (!block || !block->used)
        return NULL;
    t->open = NULL;
    t->chunk_bytes += block->used;
    es_text_buffer fresh = block->fresh;
    block->fresh = t->encoder.fresh;
    t->encoder.fresh = fresh;
    return block;
}

/* --- the queue ---------------------------------------------------------------------------------------------------- */

void es_trace_free_block(es_block *block)
{
    if (!block)
        return;
    es_text_free(&block->fresh);
    free(block->bytes);
    free(block);
}

static bool is_full(const es_trace *t)
{
    size_t most = t->options.queue_bytes ? t->options.queue_bytes : QUEUE_BYTES;
    return t->queued + ES_BLOCK_ROOM > most && t->first;
}

es_block *es_trace_new_block(es_trace *t, size_t need, bool force)
{
    pthread_mutex_lock(&t->mutex);
    while (t->options.waits && !force && is_full(t) && !t->failing)
        pthread_cond_wait(&t->room, &t->mutex);
    bool allowed = force || !is_full(t);
    es_block *block = allowed ? t->spare : NULL;
    if (block) {
        t->spare = block->next;
        t->spares--;
    }
    pthread_mutex_unlock(&t->mutex);
    if (!allowed)
        return NULL;
    if (!block) {
        block = es_malloc(sizeof *block);
        *block = (es_block){.room = ES_BLOCK_ROOM, .bytes = es_malloc(ES_BLOCK_ROOM)};
    }
    if (block->room < need) {
        block->bytes = es_realloc(block->bytes, need);
        block->room = need;
    }
    block->used = 0;
    block->records = 0;
    block->next = NULL;
    return block;
}

void es_trace_push(es_trace *t, es_block *block)
{
    pthread_mutex_lock(&t->mutex);
    if (t->last)
        t->last->next = block;
    else
        t->first = block;
    t->last = block;
    t->queued += block->room;
    pthread_cond_signal(&t->wake);
    pthread_mutex_unlock(&t->mutex);
}
