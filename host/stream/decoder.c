#include <stdlib.h>
#include <string.h>

#include "stream/event.h"

/* While the path stays unknown, the wish for it is repeated after so many event frames: the first may get lost. */
#define RESYNC_AGAIN 4096

#define RECORD_CORES 8 /* a probe's cores: FRAME_RECORD and the seven kinds after it */

struct es_decoder {
    es_event_fn *on_event;
    void *context;
    es_deframer deframer;
    uint64_t malformed; /* good CRC, but a content that cannot be */
    bool attached;      /* an event frame was seen: `expected` says which one comes next */
    uint16_t expected;
    /* of the latest hit at an event, or mark; those come in the order of their times. 0: none since HELLO */
    uint64_t time;
    uint32_t missing;      /* event frames, told before the next hit or mark: */
    uint16_t missing_from; /* number of the first of them */
    bool wants_resync;
    unsigned unknown_for; /* event frames since the path became unknown */
    es_event event;       /* handed to on_event; its path is the path as it is now, kept in place */
    uint32_t words[ES_FRAME_MAX_WORDS];
};

es_decoder *es_decoder_new(es_event_fn *on_event, void *context)
{
    es_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder)
        return NULL;
    decoder->on_event = on_event;
    decoder->context = context;
    es_deframer_init(&decoder->deframer);
    return decoder;
}

void es_decoder_free(es_decoder *decoder)
{
    free(decoder);
}

void es_decoder_restart(es_decoder *decoder)
{
    decoder->attached = true;
    decoder->expected = 0;
    decoder->missing = 0;
    decoder->time = 0;
}

static uint64_t time_at(const uint32_t *words)
{
    return words[0] | (uint64_t)words[1] << 32;
}

static void lose_path(es_decoder *decoder, bool ask)
{
    decoder->event.path_known = false;
    decoder->event.path_count = 0;
    decoder->event.task_known = false;
    decoder->unknown_for = 0;
    decoder->wants_resync = ask;
}

/* Hands out an event whose special fields are set; `words` of the frame from `skip` on are its words. */
static void emit(es_decoder *decoder, enum es_event_kind kind, size_t skip, size_t count)
{
    es_event *event = &decoder->event;
    event->kind = kind;
    event->words = decoder->words + skip;
    event->word_count = count - skip;
    decoder->on_event(decoder->context, event);
}

static bool is_record(unsigned kind)
{
    return kind >= ES_FRAME_RECORD && kind < ES_FRAME_RECORD + RECORD_CORES;
}

/* True when a frame of `count` words can be what its kind says. All indices used later are checked here. */
static __attribute__((noinline)) bool well_formed(const uint32_t *words, size_t count)
{
    switch (words[0] & 0xFF) {
    case ES_FRAME_HELLO: return count == 3;
    case ES_FRAME_HIT: return count >= 5;
    case ES_FRAME_GAP: return count == 7;
    case ES_FRAME_MARK: return count == 7 && words[3] >> 19 == 0 && (words[3] & 0xFFFF) < ES_MARK_SIZE / 4;
    case ES_FRAME_COUNTERS: return count >= 2;
    case ES_FRAME_DONE: return count >= 4 && count <= 6;
    case ES_FRAME_TASK: return count == 2 || (count >= 4 && count - 3 <= ES_TASK_NAME_WORDS);
    case ES_FRAME_STATUS: return count == 5;
    case ES_FRAME_PATH: return count >= 2 && words[1] >> 16 == count - 2;
    case ES_FRAME_FAULT: return count == 3;
    case ES_FRAME_RESPONSE: return count >= 2;
    default: return is_record(words[0] & 0xFF) && count >= 2;
    }
}

static void take_path(es_decoder *decoder, size_t count)
{
    es_event *event = &decoder->event;
    size_t kept = decoder->words[1] & 0xFFFF, added = count - 2;
    if (kept == 0) {
        event->path_known = true;
        event->path_count = 0;
    }
    if (!event->path_known)
        return;
    if (kept > event->path_count || kept + added > ES_PATH_MAX) {
        lose_path(decoder, kept + added <= ES_PATH_MAX); /* a path that is too long would come again as long */
        return;
    }
    memcpy(event->path + kept, decoder->words + 2, added * sizeof *event->path);
    event->path_count = kept + added;
}

static void take_task(es_event *event, const uint32_t *words, size_t count)
{
    event->task = words[1];
    event->task_known = true;
    event->task_name_count = 0;
    if (count < 4)
        return;
    event->task_name_count = count - 3;
    memcpy(event->task_name, words + 2, event->task_name_count * sizeof *words);
    event->task_name_unknown = words[count - 1];
}

/* The gap that frames missing on the link make. They were sent after the latest event that told its time, and before
 * this one of `last`. (A GAP frame's times bound nothing: what the firmware tells of there may have overlapped with
 * what is missing.) */
static void tell_missing(es_decoder *decoder, uint64_t last)
{
    es_event *event = &decoder->event;
    if (!decoder->missing)
        return;
    event->sequence = decoder->missing_from;
    event->time = decoder->time;
    event->time_last = last;
    event->lost = decoder->missing;
    event->lost_what = ES_GAP_LINK;
    event->lost_cores = 0;
    decoder->missing = 0;
    emit(decoder, ES_EVENT_GAP, 0, 0);
}

/* Notes how many event frames are missing before the one at hand, which is not the expected one, or HELLO. */
static __attribute__((noinline)) void check_sequence(es_decoder *decoder, uint16_t sequence)
{
    es_event *event = &decoder->event;
    bool hello = (decoder->words[0] & 0xFF) == ES_FRAME_HELLO;
    uint16_t missing = decoder->attached ? (uint16_t)(sequence - decoder->expected) : 0;
    if (hello && sequence == 0)
        missing = 0; /* the firmware started anew: nothing follows from the numbers before */
    if (missing) {
        if (!decoder->missing)
            decoder->missing_from = decoder->expected;
        decoder->missing += missing;
        lose_path(decoder, true);
    } else if (!decoder->attached && !hello) {
        lose_path(decoder, true); /* attached to a probe that was running already */
    }
    if (hello) { /* the firmware's first frame: no procedure is active yet */
        tell_missing(decoder, ES_TIME_UNKNOWN);
        decoder->time = 0;
        event->path_known = true;
        event->path_count = 0;
        event->task_known = false;
        decoder->wants_resync = false;
    }
    decoder->attached = true;
    decoder->expected = (uint16_t)(sequence + 1);
}

/* A hit or mark has come. A deadline's hit (`at_deadline`) tells a time that is over: it bounds nothing. */
static void take_time(es_decoder *decoder, uint64_t time, bool at_deadline)
{
    tell_missing(decoder, at_deadline ? ES_TIME_UNKNOWN : time);
    if (!at_deadline)
        decoder->time = time;
}

static void take_response(es_decoder *decoder, size_t count)
{
    decoder->event.sequence = (uint16_t)(decoder->words[0] >> 16);
    emit(decoder, ES_EVENT_RESPONSE, 1, count);
}

/* Its number is none of the event frames', and it says nothing of the time. */
static void take_record(es_decoder *decoder, unsigned kind, size_t count)
{
    decoder->event.sequence = (uint16_t)(decoder->words[0] >> 16);
    decoder->event.core = kind - ES_FRAME_RECORD;
    emit(decoder, ES_EVENT_RECORD, 1, count);
}

/* The event's own number and time. What is missing before it has been told. */
static inline void begin_event(es_decoder *decoder, uint64_t time)
{
    if (__builtin_expect(!decoder->event.path_known, false) && ++decoder->unknown_for % RESYNC_AGAIN == 0)
        decoder->wants_resync = true;
    decoder->event.sequence = (uint16_t)(decoder->words[0] >> 16);
    decoder->event.time = time;
}

static inline void take_hit(es_decoder *decoder, size_t count)
{
    const uint32_t *words = decoder->words;
    es_event *event = &decoder->event;
    uint64_t time = time_at(words + 1);
    take_time(decoder, time, words[4] == ES_HIT_NOWHERE);
    begin_event(decoder, time);
    event->statement = (uint16_t)words[3];
    event->flags = (uint16_t)(words[3] >> 16);
    event->pc = words[4];
    emit(decoder, ES_EVENT_HIT, 5, count);
}

static void take_mark(es_decoder *decoder, size_t count)
{
    const uint32_t *words = decoder->words;
    es_event *event = &decoder->event;
    uint64_t time = time_at(words + 1);
    take_time(decoder, time, false);
    begin_event(decoder, time);
    event->id = words[3] & 0xFFFF;
    event->core = words[3] >> 16;
    event->pc = words[4];
    event->value = words[5];
    event->counts = words[6];
    emit(decoder, ES_EVENT_MARK, 1, count);
}

static void take_gap(es_decoder *decoder, size_t count)
{
    const uint32_t *words = decoder->words;
    es_event *event = &decoder->event;
    begin_event(decoder, time_at(words + 2));
    event->lost = words[1];
    event->time_last = time_at(words + 4);
    event->lost_what = words[6] & ((1u << ES_GAP_CORES_SHIFT) - 1);
    event->lost_cores = words[6] >> ES_GAP_CORES_SHIFT;
    emit(decoder, ES_EVENT_GAP, 1, count);
}

/* Figures: those after a loss may be the last to come. */
static void take_figures(es_decoder *decoder, unsigned kind, size_t count)
{
    tell_missing(decoder, ES_TIME_UNKNOWN);
    begin_event(decoder, decoder->time);
    switch (kind) {
    case ES_FRAME_HELLO: emit(decoder, ES_EVENT_HELLO, 1, count); break;
    case ES_FRAME_COUNTERS:
        decoder->event.first_index = decoder->words[1];
        emit(decoder, ES_EVENT_COUNTERS, 2, count);
        break;
    case ES_FRAME_DONE: emit(decoder, ES_EVENT_DONE, 1, count); break;
    case ES_FRAME_STATUS: emit(decoder, ES_EVENT_STATUS, 1, count); break;
    default: emit(decoder, ES_EVENT_FAULT, 1, count); break;
    }
}

static void take_other(es_decoder *decoder, unsigned kind, size_t count)
{
    switch (kind) {
    case ES_FRAME_MARK: take_mark(decoder, count); break;
    case ES_FRAME_GAP: take_gap(decoder, count); break;
    case ES_FRAME_TASK:
        begin_event(decoder, decoder->time);
        take_task(&decoder->event, decoder->words, count);
        break;
    default: take_figures(decoder, kind, count); break;
    }
}

static inline void take_frame(es_decoder *decoder, size_t count)
{
    const uint32_t *words = decoder->words;
    unsigned kind = words[0] & 0xFF;
    uint16_t sequence = (uint16_t)(words[0] >> 16);
    if (__builtin_expect(!(kind == ES_FRAME_HIT && count >= 5) && !well_formed(words, count), false)) {
        /* Counts as missing: the next event frame's number shows the jump. */
        decoder->malformed++;
        return;
    }
    if (__builtin_expect(kind == ES_FRAME_RESPONSE, false)) {
        take_response(decoder, count);
        return;
    }
    if (__builtin_expect(is_record(kind), false)) {
        take_record(decoder, kind, count);
        return;
    }
    if (__builtin_expect(decoder->attached && sequence == decoder->expected && kind != ES_FRAME_HELLO, true))
        decoder->expected++;
    else
        check_sequence(decoder, sequence);
    if (kind == ES_FRAME_HIT) {
        take_hit(decoder, count);
    } else if (kind == ES_FRAME_PATH) {
        begin_event(decoder, decoder->time);
        take_path(decoder, count);
    } else {
        take_other(decoder, kind, count);
    }
}

void es_decoder_push(es_decoder *decoder, const uint8_t *bytes, size_t size)
{
    while (size) {
        size_t count;
        size_t taken = es_deframer_push(&decoder->deframer, bytes, size, decoder->words, &count);
        bytes += taken;
        size -= taken;
        if (count)
            take_frame(decoder, count);
    }
}

void es_decoder_finish(es_decoder *decoder)
{
    tell_missing(decoder, ES_TIME_UNKNOWN);
}

bool es_decoder_wants_resync(es_decoder *decoder)
{
    bool wants = decoder->wants_resync;
    decoder->wants_resync = false;
    return wants;
}

void es_decoder_totals(const es_decoder *decoder, uint64_t *frames, uint64_t *bad)
{
    *frames = decoder->deframer.good - decoder->malformed;
    *bad = decoder->deframer.bad + decoder->malformed;
}
