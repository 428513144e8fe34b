/* The writer of traces, as who gives records sees it. */
#include "store/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "store/schema_text.h"
#include "store/trace_private.h"

#define EARLY_MAX 65536u
#define NAMES_MAX 50000u /* in a chunk: its metadata is written again with every new one */

/* --- packets ------------------------------------------------------------------------------------------------------ */

static bool is_chunk_full(const es_trace *t, uint64_t now)
{
    return t->is_new_chunk_due || t->encoder.names > NAMES_MAX ||
           (t->options.rotate_bytes && t->chunk_bytes >= t->options.rotate_bytes) ||
           (t->options.rotate_ns && now - t->chunk_began_ns >= t->options.rotate_ns);
}

#define NEED_MORE (2 * (ES_PACKET_HEAD + ES_PACKET_TAIL) + ES_PACKET_TAIL) /* an open packet may end, and two begin */

static bool has_room(const es_trace *t, size_t need)
{
    return t->open && t->open->room - t->open->used >= need + NEED_MORE;
}

/* A block in which so many bytes have room, in the open packet or a new one. False: too much waits for the disk. */
static bool make_room(es_trace *t, size_t need, bool force)
{
    need += NEED_MORE;
    es_block *full = es_trace_take_block(t);
    if (full)
        es_trace_push(t, full);
    es_trace_free_block(t->open); /* an empty one that is too small */
    t->open = es_trace_new_block(t, need, force);
    if (!t->open)
        return false;
    uint64_t now = es_trace_clock_ns(CLOCK_MONOTONIC);
    if (is_chunk_full(t, now)) {
        t->chunk++;
        t->chunk_bytes = t->packets = t->discarded = 0;
        t->chunk_began_ns = now;
        t->is_new_chunk_due = false;
        es_encoder_forget(&t->encoder);
    }
    t->open->chunk = t->chunk;
    t->open->origin_ns = t->origin_ns;
    return true;
}

/* --- records ------------------------------------------------------------------------------------------------------ */

static uint64_t time_of(const es_trace *t, const es_record *record)
{
    return record->kind == ES_RECORD_HIT        ? record->hit->time
           : record->kind == ES_RECORD_LOST     ? record->lost->time
           : record->kind == ES_RECORD_INFERRED ? record->inferred->time
                                                : t->encoder.time;
}

static void begin_packet(es_trace *t, uint64_t time)
{
    t->packet = t->open->used;
    t->open->used += ES_PACKET_HEAD;
    t->packet_begin = time;
    t->packet_earliest = UINT64_MAX;
}

/* Before a loss: so that readers see between which events it was. Of a chunk's first packet they would count none. */
static void end_before_loss(es_trace *t)
{
    if (t->packet == SIZE_MAX && !t->packets)
        begin_packet(t, t->encoder.time);
    es_trace_end_packet(t);
}

static inline void put_event(es_trace *t, const es_record *record, uint64_t time)
{
    es_block *block = t->open;
    block->used = (size_t)(es_encode(&t->encoder, block->bytes + block->used, record) - block->bytes);
    if (time < t->packet_earliest)
        t->packet_earliest = time;
}

static bool put(es_trace *t, const es_record *record, bool force)
{
    size_t need = es_encode_room(&t->encoder, record);
    if (!has_room(t, need) && !make_room(t, need, force))
        return false;
    bool lost = record->kind == ES_RECORD_LOST;
    uint64_t before = t->encoder.time, time = time_of(t, record);
    if (lost)
        end_before_loss(t);
    bool first = t->packet == SIZE_MAX;
    if (first)
        begin_packet(t, before);
    put_event(t, record, time);
    if (first && !lost)
        t->packet_begin = t->encoder.time; /* which it has taken from the record */
    if (lost) {
        t->discarded += record->lost->count;
        es_trace_end_packet(t);
    }
    return true;
}

static void leave_out(es_trace *t, const es_record *record)
{
    bool is_loss = record->kind == ES_RECORD_LOST; /* a loss stays what it was */
    es_lost one = {.time = time_of(t, record), .last = time_of(t, record), .count = 1, .what = ES_LOST_DISK};
    if (is_loss)
        one = *record->lost;
    else
        t->lost++;
    es_lost *sum = &t->pending.lost[one.what];
    if (!sum->count) {
        *sum = one;
    } else {
        sum->count += one.count;
        sum->last = one.last == ES_NO_TIME || one.last > sum->last ? one.last : sum->last;
    }
    t->losing = true;
}

/* Why, for who reads the trace later. */
static void put_cause(es_trace *t, uint64_t count, bool force)
{
    pthread_mutex_lock(&t->mutex);
    int cause = t->cause;
    t->cause = 0;
    pthread_mutex_unlock(&t->mutex);
    es_text_buffer text = {0};
    es_text_format(&text, "%" PRIu64 " %s left out of the trace: %s", count,
                   es_plural(count, "record was", "records were"), cause ? strerror(cause) : "the disk was too slow");
    es_record record = {.kind = ES_RECORD_WARNING, .schema = t->encoder.schema, .text = {text.text, text.length}};
    put(t, &record, force);
    es_text_free(&text);
}

/* Before the first record that is taken again. */
bool es_trace_put_pending(es_trace *t, bool force)
{
    for (size_t i = 0; i < ES_LOST_KINDS; i++) {
        es_lost *lost = &t->pending.lost[i];
        es_record record = {.kind = ES_RECORD_LOST, .schema = t->encoder.schema, .lost = lost};
        if (!lost->count)
            continue;
        if (!put(t, &record, force))
            return false;
        if (i == ES_LOST_DISK) {
            t->recovered += lost->count;
            put_cause(t, lost->count, force);
        }
        *lost = (es_lost){0};
    }
    t->losing = false;
    return true;
}

/* A real target may have run for long when it is first listened to. */
static void find_origin(es_trace *t, uint64_t time)
{
    t->is_origin_set = true;
    double since = (double)(es_trace_clock_ns(CLOCK_MONOTONIC) - t->began_ns) / 1e9;
    double seconds = (double)time / (double)t->encoder.schema->clock_hz;
    if (t->encoder.schema->origin != ES_ORIGIN_HARDWARE || seconds < since + 1)
        return;
    t->origin_ns = (int64_t)es_trace_clock_ns(CLOCK_REALTIME) - (int64_t)(seconds * 1e9);
    t->is_new_chunk_due = t->packets > 0 || t->packet != SIZE_MAX;
    if (t->is_new_chunk_due) {
        es_block *block = es_trace_take_block(t);
        if (block)
            es_trace_push(t, block);
    }
}

static void add(es_trace *t, const es_record *record)
{
    bool is_last = record->kind == ES_RECORD_SUMMARY;
    t->records++;
    if (!t->is_origin_set && (record->kind == ES_RECORD_HIT || record->kind == ES_RECORD_LOST))
        find_origin(t, time_of(t, record));
    if (__builtin_expect(t->losing, false) && !es_trace_put_pending(t, is_last))
        leave_out(t, record);
    else if (!put(t, record, is_last))
        leave_out(t, record);
    else
        t->open->records++;
}

/* What nearly all records are: hits for which nothing has to be begun or ended before. */
static inline bool add_at_once(es_trace *t, const es_record *record)
{
    if (record->kind != ES_RECORD_HIT || t->packet == SIZE_MAX || t->losing || !t->is_origin_set ||
        !has_room(t, es_encode_room(&t->encoder, record)))
        return false;
    t->records++;
    t->open->records++;
    put_event(t, record, record->hit->time);
    return true;
}

/* --- before and at the beginning ---------------------------------------------------------------------------------- */

static void keep_early(es_trace *t, const es_record *record)
{
    uint8_t head[5];
    if (record->kind != ES_RECORD_NOTE && record->kind != ES_RECORD_WARNING && record->kind != ES_RECORD_CONSOLE)
        return;
    if (t->early.length + sizeof head + record->text.size > EARLY_MAX) {
        t->lost++;
        return;
    }
    head[0] = (uint8_t)record->kind;
    es_put32(head + 1, (uint32_t)record->text.size);
    es_text_add(&t->early, (const char *)head, sizeof head);
    es_text_add(&t->early, record->text.bytes, record->text.size);
}

static void begin(es_trace *t, const es_schema *schema)
{
    es_text_buffer text = {0};
    es_schema_put(&text, schema);
    t->schema = es_schema_get(text.text, text.length);
    es_text_free(&text);
    t->disk.schema = t->schema;
    t->began_ns = t->chunk_began_ns = es_trace_clock_ns(CLOCK_MONOTONIC);
    t->is_origin_set = t->options.origin_ns != 0;
    t->origin_ns = t->is_origin_set ? t->options.origin_ns : (int64_t)es_trace_clock_ns(CLOCK_REALTIME);
    es_encoder_begin(&t->encoder, schema);
    t->begun = true;
    for (size_t at = 0; at + 5 <= t->early.length;) {
        const uint8_t *head = (const uint8_t *)t->early.text + at;
        es_record record = {.kind = (enum es_record_kind)head[0], .schema = schema};
        record.text.size = es_get32(head + 1);
        record.text.bytes = t->early.text + at + 5;
        at += 5 + record.text.size;
        add(t, &record);
    }
    es_text_free(&t->early);
}

void es_trace_take(void *context, const es_record *record)
{
    es_trace *t = context;
    es_latch_enter(&t->latch);
    if (!t->begun && record->kind == ES_RECORD_BEGIN)
        begin(t, record->schema);
    else if (!t->begun)
        keep_early(t, record);
    else if (!add_at_once(t, record))
        add(t, record);
    bool news = atomic_load_explicit(&t->has_news, memory_order_relaxed) || t->losing != t->told_losing;
    es_latch_leave(&t->latch);
    if (__builtin_expect(news, false))
        es_trace_poll(t);
}
