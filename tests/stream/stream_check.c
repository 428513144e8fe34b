/* The event decoder: exact on good streams, exact about losses on damaged ones, safe on any bytes. */
#include <stdlib.h>
#include <string.h>

#include "../support/check_main.h"
#include "random.h"
#include "stream/event.h"

/* --- the decoder --------------------------------------------------------------------------------------- */

typedef struct record {
    size_t events, hits, gaps, responses;
    uint64_t missing; /* as the gaps say */
    es_event last, last_hit, last_gap;
    uint32_t words[ES_FRAME_MAX_WORDS];
    es_decoder *decoder;
    /* stream test: hits carry their number in the time and in two words */
    uint64_t wrong, previous;
} record;

static void on_event(void *context, const es_event *event)
{
    record *r = context;
    r->events++;
    r->last = *event;
    memcpy(r->words, event->words, event->word_count * 4);
    switch (event->kind) {
    case ES_EVENT_HIT:
        r->hits++;
        r->last_hit = *event;
        if (event->word_count == 2)
            r->wrong += event->time <= r->previous || event->words[0] != (uint32_t)event->time ||
                        event->words[1] != ~(uint32_t)event->time || event->pc != (uint32_t)event->time * 3;
        r->previous = event->time;
        break;
    case ES_EVENT_GAP:
        r->gaps++;
        r->last_gap = *event;
        if (event->lost_what == ES_GAP_LINK)
            r->missing += event->lost;
        break;
    case ES_EVENT_RESPONSE: r->responses++; break;
    default: break;
    }
}

static void setup(record *r)
{
    memset(r, 0, sizeof *r);
    r->decoder = es_decoder_new(on_event, r);
    ck_assert_ptr_nonnull(r->decoder);
}

static void push(record *r, uint32_t kind, uint16_t sequence, const uint32_t *rest, size_t count)
{
    uint32_t words[ES_FRAME_MAX_WORDS] = {kind | (uint32_t)count << 8 | (uint32_t)sequence << 16};
    memcpy(words + 1, rest, count * 4);
    uint8_t wire[ES_FRAME_WIRE_MAX];
    es_decoder_push(r->decoder, wire, es_frame_encode(words, count + 1, wire));
}
#define PUSH(r, kind, sequence, ...) \
    push(r, kind, sequence, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

START_TEST(test_marks)
{
    record r;
    setup(&r);
    PUSH(&r, ES_FRAME_HELLO, 0, 5, 0xABCD);
    PUSH(&r, ES_FRAME_MARK, 1, 0x11, 0x22, 481 | 7 << 16, 0x400, 0xFFFFFFFF, 0x00031784);
    ck_assert(r.last.kind == ES_EVENT_MARK && r.last.time == 0x2200000011u && r.last.core == 7 && r.last.id == 481);
    ck_assert(r.last.pc == 0x400 && r.last.value == 0xFFFFFFFF && r.last.counts == 0x00031784);
    PUSH(&r, ES_FRAME_GAP, 2, 9, 0x30, 1, 0x40, 2, ES_GAP_EVENTS | 0x81u << ES_GAP_CORES_SHIFT);
    ck_assert(r.last.kind == ES_EVENT_GAP && r.last.lost_what == ES_GAP_EVENTS && r.last.lost_cores == 0x81);
    uint64_t frames, bad;
    PUSH(&r, ES_FRAME_MARK, 3, 0x11, 0x22, 512, 0x400, 0, 0);     /* an id that cannot be */
    PUSH(&r, ES_FRAME_MARK, 4, 0x11, 0x22, 8 << 16, 0x400, 0, 0); /* a core */
    PUSH(&r, ES_FRAME_MARK, 5, 0x11, 0x22, 1, 0x400, 0);          /* too short */
    es_decoder_totals(r.decoder, &frames, &bad);
    ck_assert(frames == 3 && bad == 3);
    PUSH(&r, ES_FRAME_MARK, 6, 0x50, 2, 1, 0x400, 0, 0); /* what was damaged may have been anybody's */
    ck_assert(r.last_gap.lost == 3 && r.last_gap.lost_what == ES_GAP_LINK && r.last_gap.lost_cores == 0);
    es_decoder_free(r.decoder);
}
END_TEST

START_TEST(test_events)
{
    record r;
    setup(&r);
    PUSH(&r, ES_FRAME_HELLO, 0, 5, 0xABCD);
    ck_assert(r.last.kind == ES_EVENT_HELLO && r.last.word_count == 2 && r.words[1] == 0xABCD);
    PUSH(&r, ES_FRAME_HIT, 1, 0x11, 0x22, 3 | ES_HITF_UNCERTAIN << 16, 0x400, 7, 8);
    ck_assert(r.hits == 1 && r.last_hit.time == 0x2200000011u && r.last_hit.statement == 3 && r.last_hit.pc == 0x400);
    ck_assert(r.last_hit.flags == ES_HITF_UNCERTAIN && r.last_hit.word_count == 2 && r.words[0] == 7 &&
              r.words[1] == 8);
    ck_assert(r.last_hit.path_known && r.last_hit.path_count == 0);
    PUSH(&r, ES_FRAME_GAP, 2, 9, 0x30, 1, 0x40, 2, ES_GAP_BUS);
    ck_assert(r.last.kind == ES_EVENT_GAP && r.last.lost == 9 && r.last.lost_what == ES_GAP_BUS);
    ck_assert(r.last.time == 0x100000030u && r.last.time_last == 0x200000040u);
    ck_assert_uint_eq(r.last.lost_cores, 0);
    PUSH(&r, ES_FRAME_COUNTERS, 3, 60, 1, 2, 3);
    ck_assert(r.last.kind == ES_EVENT_COUNTERS && r.last.first_index == 60 && r.last.word_count == 3 &&
              r.words[2] == 3);
    PUSH(&r, ES_FRAME_DONE, 4, 1, 2, 3);
    ck_assert(r.last.kind == ES_EVENT_DONE && r.last.word_count == 3 && r.words[0] == 1);
    PUSH(&r, ES_FRAME_STATUS, 5, 1, 2, 3, 4);
    ck_assert(r.last.kind == ES_EVENT_STATUS && r.last.word_count == 4);
    PUSH(&r, ES_FRAME_FAULT, 6, ES_FAULT_TRAP, 2);
    ck_assert(r.last.kind == ES_EVENT_FAULT && r.words[0] == ES_FAULT_TRAP);
    PUSH(&r, ES_FRAME_RESPONSE, 0x1234, ES_RESP_OK, 77);
    ck_assert(r.last.kind == ES_EVENT_RESPONSE && r.last.sequence == 0x1234 && r.words[1] == 77);
    PUSH(&r, ES_FRAME_DONE, 7, 1, 2, 3);
    ck_assert(r.last.kind == ES_EVENT_DONE && r.gaps == 1);
    ck_assert(!r.last_hit.task_known);
    PUSH(&r, ES_FRAME_TASK, 8, 0x20400);
    PUSH(&r, ES_FRAME_HIT, 9, 0x50, 0x22, 3, 0x400);
    ck_assert(r.last_hit.task_known && r.last_hit.task == 0x20400);
    PUSH(&r, ES_FRAME_DONE, 10, 1, 2, 3, 4, 5);
    ck_assert(r.last.word_count == 5 && r.words[4] == 5);
    PUSH(&r, ES_FRAME_HIT, 12, 0x60, 0x22, 3, 0x400); /* one is missing: it may have named another task */
    ck_assert(!r.last_hit.task_known && es_decoder_wants_resync(r.decoder));
    uint64_t frames, bad;
    es_decoder_totals(r.decoder, &frames, &bad);
    ck_assert(frames == 13 && bad == 0);
    ck_assert(!es_decoder_wants_resync(r.decoder));
    es_decoder_free(r.decoder);
}
END_TEST

/* Frames of the recorder have numbers of their own: they are no event frames, none is missing for them, and they end no
 * gap. */
START_TEST(test_records)
{
    record r;
    setup(&r);
    PUSH(&r, ES_FRAME_RECORD + 2, 0xFFFF, 1, 2, 3); /* also before anything else */
    ck_assert(r.last.kind == ES_EVENT_RECORD && r.last.core == 2 && r.last.sequence == 0xFFFF);
    ck_assert(r.last.word_count == 3 && r.words[0] == 1 && r.words[2] == 3);
    PUSH(&r, ES_FRAME_HELLO, 0, 5, 0xABCD);
    PUSH(&r, ES_FRAME_HIT, 1, 0x11, 0, 3, 0x400);
    uint32_t most[ES_FRAME_MAX_WORDS - 1] = {[ES_FRAME_MAX_WORDS - 2] = 77};
    push(&r, ES_FRAME_RECORD, 7, most, ES_FRAME_MAX_WORDS - 1);
    ck_assert(r.last.kind == ES_EVENT_RECORD && r.last.core == 0 && r.last.sequence == 7);
    ck_assert(r.last.word_count == ES_FRAME_MAX_WORDS - 1 && r.words[ES_FRAME_MAX_WORDS - 2] == 77);
    PUSH(&r, ES_FRAME_HIT, 2, 0x12, 0, 3, 0x400);
    ck_assert(r.gaps == 0 && r.hits == 2);
    PUSH(&r, ES_FRAME_COUNTERS, 5, 60, 1); /* two are missing, whose gap a hit's time will end */
    ck_assert(r.gaps == 1 && r.last_gap.lost == 2);
    uint64_t frames, bad;
    push(&r, ES_FRAME_RECORD + 7, 8, NULL, 0); /* empty: there is none */
    push(&r, ES_FRAME_RECORD + 8, 8, most, 2); /* of a core that no probe has */
    push(&r, ES_FRAME_RECORD - 1, 8, most, 2);
    es_decoder_totals(r.decoder, &frames, &bad);
    ck_assert(frames == 6 && bad == 3);
    ck_assert_int_eq(r.last.kind, ES_EVENT_COUNTERS);
    es_decoder_free(r.decoder);
}
END_TEST

START_TEST(test_paths)
{
    record r;
    setup(&r);
    uint16_t s = 0;
    PUSH(&r, ES_FRAME_HELLO, s++, 1, 1);
    PUSH(&r, ES_FRAME_PATH, s++, 0 | 3u << 16, 100, 200, 301);
    PUSH(&r, ES_FRAME_HIT, s++, 1, 0, 0, 0);
    ck_assert(r.last_hit.path_known && r.last_hit.path_count == 3 && r.last_hit.path[2] == 301);
    PUSH(&r, ES_FRAME_PATH, s++, 1 | 1u << 16, 400);
    PUSH(&r, ES_FRAME_HIT, s++, 2, 0, 0, 0);
    ck_assert(r.last_hit.path_count == 2 && r.last_hit.path[0] == 100 && r.last_hit.path[1] == 400);
    PUSH(&r, ES_FRAME_PATH, s++, 1);
    PUSH(&r, ES_FRAME_HIT, s++, 3, 0, 0, 0);
    ck_assert(r.last_hit.path_count == 1);

    /* A path of ES_PATH_MAX entries, in several frames. */
    PUSH(&r, ES_FRAME_PATH, s++, 0);
    uint32_t rest[61];
    for (uint32_t have = 0; have < ES_PATH_MAX;) {
        uint32_t part = ES_PATH_MAX - have < 60 ? ES_PATH_MAX - have : 60;
        rest[0] = have | part << 16;
        for (uint32_t i = 0; i < part; i++)
            rest[1 + i] = (have + i) * 4;
        push(&r, ES_FRAME_PATH, s++, rest, part + 1);
        have += part;
    }
    PUSH(&r, ES_FRAME_HIT, s++, 4, 0, 0, 0);
    ck_assert_uint_eq(r.last_hit.path_count, ES_PATH_MAX);
    ck_assert(r.last_hit.path_known && r.last_hit.path[ES_PATH_MAX - 1] == (ES_PATH_MAX - 1) * 4);

    /* One more, and one that keeps what is not there: said, not believed. */
    PUSH(&r, ES_FRAME_PATH, s++, ES_PATH_MAX | 1u << 16, 1);
    PUSH(&r, ES_FRAME_HIT, s++, 5, 0, 0, 0);
    ck_assert(!r.last_hit.path_known && r.last_hit.path_count == 0);
    ck_assert(!es_decoder_wants_resync(r.decoder)); /* it would come again as long */
    PUSH(&r, ES_FRAME_PATH, s++, 0 | 1u << 16, 8);
    PUSH(&r, ES_FRAME_PATH, s++, 2 | 1u << 16, 12);
    PUSH(&r, ES_FRAME_HIT, s++, 6, 0, 0, 0);
    ck_assert(!r.last_hit.path_known && es_decoder_wants_resync(r.decoder));
    PUSH(&r, ES_FRAME_PATH, s++, 0);
    PUSH(&r, ES_FRAME_HIT, s++, 7, 0, 0, 0);
    ck_assert(r.last_hit.path_known && r.gaps == 0);
    es_decoder_free(r.decoder);
}
END_TEST

START_TEST(test_link_loss)
{
    record r;
    setup(&r);
    PUSH(&r, ES_FRAME_HELLO, 0, 1, 1);
    PUSH(&r, ES_FRAME_PATH, 1, 0 | 1u << 16, 100);
    PUSH(&r, ES_FRAME_HIT, 2, 50, 0, 0, 0);
    PUSH(&r, ES_FRAME_HIT, 6, 90, 0, 0, 0); /* 3, 4, 5 are missing */
    ck_assert(r.gaps == 1 && r.last_gap.lost == 3 && r.last_gap.lost_what == ES_GAP_LINK);
    ck_assert(r.last_gap.time == 50 && r.last_gap.time_last == 90);
    ck_assert(!r.last_hit.path_known && r.last_hit.path_count == 0);
    ck_assert(es_decoder_wants_resync(r.decoder) && !es_decoder_wants_resync(r.decoder));
    PUSH(&r, ES_FRAME_PATH, 7, 1 | 1u << 16, 100); /* keeps what is not known */
    PUSH(&r, ES_FRAME_HIT, 8, 91, 0, 0, 0);
    ck_assert(!r.last_hit.path_known);
    PUSH(&r, ES_FRAME_PATH, 9, 0 | 2u << 16, 100, 104);
    PUSH(&r, ES_FRAME_HIT, 10, 92, 0, 0, 0);
    ck_assert(r.last_hit.path_known && r.last_hit.path_count == 2);

    /* the number wraps */
    PUSH(&r, ES_FRAME_HIT, 65534, 93, 0, 0, 0);
    ck_assert_uint_eq(r.last_gap.lost, 65534 - 11);
    PUSH(&r, ES_FRAME_HIT, 65535, 94, 0, 0, 0);
    PUSH(&r, ES_FRAME_HIT, 0, 95, 0, 0, 0);
    PUSH(&r, ES_FRAME_HIT, 2, 96, 0, 0, 0);
    ck_assert(r.gaps == 3 && r.last_gap.lost == 1);
    /* the firmware starts anew: no loss */
    PUSH(&r, ES_FRAME_HELLO, 0, 1, 1);
    PUSH(&r, ES_FRAME_HIT, 1, 1, 0, 0, 0);
    ck_assert(r.gaps == 3 && r.last_hit.path_known);
    es_decoder_free(r.decoder);
}
END_TEST

/* A gap lies between the hits around it: what tells no time of an event neither begins nor ends it. */
START_TEST(test_gap_encloses)
{
    record r;
    setup(&r);
    PUSH(&r, ES_FRAME_HELLO, 0, 1, 1);
    PUSH(&r, ES_FRAME_HIT, 1, 50, 0, 0, 0);
    PUSH(&r, ES_FRAME_HIT, 2, 20, 0, 0, ES_HIT_NOWHERE); /* a deadline's */
    PUSH(&r, ES_FRAME_GAP, 3, 9, 30, 0, 70, 0, ES_GAP_EVENTS);
    size_t gaps = r.gaps;
    PUSH(&r, ES_FRAME_PATH, 6, 0 | 1u << 16, 100);
    PUSH(&r, ES_FRAME_TASK, 7, 4);
    ck_assert_uint_eq(r.gaps, gaps); /* not told yet: its end is not known */
    PUSH(&r, ES_FRAME_GAP, 9, 9, 60, 0, 70, 0, ES_GAP_BUS);
    PUSH(&r, ES_FRAME_HIT, 10, 90, 1, 0, 0);
    ck_assert(r.last_gap.lost_what == ES_GAP_LINK && r.last_gap.lost == 3 && r.last_gap.sequence == 4);
    ck_assert(r.last_gap.time == 50 && r.last_gap.time_last == 0x10000005Au);
    ck_assert(r.last.kind == ES_EVENT_HIT && r.last_hit.time == 0x10000005Au);

    PUSH(&r, ES_FRAME_HIT, 12, 40, 1, 0, ES_HIT_NOWHERE);
    ck_assert(r.last_gap.time == 0x10000005Au && r.last_gap.time_last == ES_TIME_UNKNOWN && r.last_gap.lost == 1);
    PUSH(&r, ES_FRAME_PATH, 15, 0);
    gaps = r.gaps;
    PUSH(&r, ES_FRAME_COUNTERS, 16, 0);
    ck_assert(r.gaps == gaps + 1 && r.last_gap.lost == 2 && r.last_gap.time_last == ES_TIME_UNKNOWN);
    PUSH(&r, ES_FRAME_PATH, 18, 0);
    es_decoder_finish(r.decoder);
    ck_assert(r.gaps == gaps + 2 && r.last_gap.lost == 1 && r.last_gap.time == 0x10000005Au);
    es_decoder_finish(r.decoder);
    ck_assert_uint_eq(r.gaps, gaps + 2);

    /* a new run of the firmware knows nothing of the times before */
    PUSH(&r, ES_FRAME_HELLO, 0, 1, 1);
    PUSH(&r, ES_FRAME_HIT, 2, 7, 0, 0, 0);
    ck_assert(r.last_gap.time == 0 && r.last_gap.time_last == 7 && r.last_gap.lost == 1);
    es_decoder_free(r.decoder);
}
END_TEST

START_TEST(test_attach_late)
{
    record r;
    setup(&r);
    const uint8_t tail[] = {1, 2, 3, 0}; /* the end of a frame whose head was sent before */
    es_decoder_push(r.decoder, tail, sizeof tail);
    PUSH(&r, ES_FRAME_HIT, 700, 1, 0, 0, 0);
    ck_assert(r.gaps == 0 && !r.last_hit.path_known && es_decoder_wants_resync(r.decoder));
    PUSH(&r, ES_FRAME_PATH, 701, 0 | 1u << 16, 4);
    PUSH(&r, ES_FRAME_HIT, 702, 1, 0, 0, 0);
    ck_assert(r.gaps == 0 && r.last_hit.path_known);
    es_decoder_free(r.decoder);
}
END_TEST

START_TEST(test_malformed)
{
    /* Good CRC, impossible content: counted, skipped, and told as missing by the next frame. */
    record r;
    setup(&r);
    PUSH(&r, ES_FRAME_HELLO, 0, 1, 1);
    PUSH(&r, ES_FRAME_HIT, 1, 1, 0, 0);
    PUSH(&r, ES_FRAME_GAP, 2, 1, 0, 0);
    PUSH(&r, ES_FRAME_PATH, 3, 0 | 5u << 16, 4);
    PUSH(&r, 0x55, 4, 1);
    PUSH(&r, ES_FRAME_RESPONSE, 5);
    PUSH(&r, ES_FRAME_DONE, 5, 0, 0, 0);
    ck_assert(r.events == 3 && r.gaps == 1 && r.last_gap.lost == 4);
    uint64_t frames, bad;
    es_decoder_totals(r.decoder, &frames, &bad);
    ck_assert(frames == 2 && bad == 5);
    es_decoder_free(r.decoder);
}
END_TEST

/* --- damaged streams ------------------------------------------------------------------------------------- */

#define STREAM_FRAMES 300

typedef struct piece {
    uint8_t bytes[ES_FRAME_WIRE_MAX];
    size_t size;
} piece;

static void make_hit(piece *p, uint32_t number)
{
    uint32_t words[7] = {
        ES_FRAME_HIT | 6u << 8 | number << 16, number + 1, 0, 9, (number + 1) * 3, number + 1, ~(number + 1)};
    p->size = es_frame_encode(words, 7, p->bytes);
}

/* Damages a piece in a way that a CRC-16 surely notices or that COBS notices. Returns false when the frame still is
 * whole. */
static bool damage(piece *p)
{
    switch (below(4)) {
    case 0: { /* one bit; not one that makes a delimiter, and the delimiter stays */
        size_t at = below((unsigned)p->size - 1);
        uint8_t flipped = p->bytes[at] ^ (uint8_t)(1u << below(8));
        if (!flipped)
            return false;
        p->bytes[at] = flipped;
        return true;
    }
    case 1: { /* cut */
        size_t keep = 1 + below((unsigned)p->size - 2);
        p->bytes[keep] = 0;
        p->size = keep + 1;
        return true;
    }
    case 2: /* lost without a trace */ p->size = 0; return true;
    default: { /* the delimiter is lost: two frames become one. The caller counts both. */ p->size--; return true;
    }
    }
}

START_TEST(test_damage)
{
    for (unsigned round = 0; round < 400; round++) {
        record r;
        setup(&r);
        static uint8_t stream[STREAM_FRAMES * (ES_FRAME_WIRE_MAX + 700)];
        size_t size = 0;
        unsigned good = 0, last_good = 0, first_good = STREAM_FRAMES;
        bool swallowed = false; /* the frame before had no delimiter */
        for (uint32_t i = 0; i < STREAM_FRAMES; i++) {
            piece p;
            make_hit(&p, i);
            bool hurt = false, no_delimiter = false;
            if (below(10) == 0) {
                hurt = damage(&p);
                no_delimiter = hurt && p.size && p.bytes[p.size - 1] != 0;
            }
            /* garbage before a frame, with delimiters around it or it would swallow the frame */
            if (!swallowed && below(15) == 0) {
                unsigned junk = below(600);
                for (unsigned k = 0; k < junk; k++)
                    stream[size++] = 0xA7;
                stream[size++] = 0;
            }
            memcpy(stream + size, p.bytes, p.size);
            size += p.size;
            if (!hurt && !swallowed) {
                if (!good)
                    first_good = i;
                good++;
                last_good = i;
            }
            if (p.size)
                swallowed = no_delimiter;
        }
        for (size_t at = 0; at < size;) {
            size_t part = 1 + below(5000);
            part = part < size - at ? part : size - at;
            es_decoder_push(r.decoder, stream + at, part);
            at += part;
        }
        ck_assert_uint_eq(r.hits, good);
        ck_assert_uint_eq(r.wrong, 0);
        ck_assert_uint_eq(r.missing, last_good - first_good + 1 - good);
        es_decoder_free(r.decoder);
    }
}
END_TEST

START_TEST(test_any_bytes)
{
    /* Noise of several kinds between and inside of frames: nothing that was not sent may come out. */
    record r;
    setup(&r);
    static uint8_t noise[4096];
    for (unsigned round = 0; round < 300; round++) {
        unsigned sort = below(4);
        size_t size = below(sizeof noise);
        for (size_t i = 0; i < size; i++) {
            const uint32_t sorts[] = {next_random(), below(3), below(2) * 0xFF, below(40) ? 5 : 0};
            noise[i] = (uint8_t)sorts[sort];
        }
        es_decoder_push(r.decoder, noise, size);
    }
    ck_assert_uint_eq(r.wrong, 0);
    es_decoder_free(r.decoder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stream");
    TCase *decoder = tcase_create("decoder");
    tcase_add_test(decoder, test_events);
    tcase_add_test(decoder, test_records);
    tcase_add_test(decoder, test_marks);
    tcase_add_test(decoder, test_paths);
    tcase_add_test(decoder, test_link_loss);
    tcase_add_test(decoder, test_gap_encloses);
    tcase_add_test(decoder, test_attach_late);
    tcase_add_test(decoder, test_malformed);
    suite_add_tcase(suite, decoder);
    TCase *damaged = tcase_create("damage");
    tcase_add_test(damaged, test_damage);
    tcase_add_test(damaged, test_any_bytes);
    suite_add_tcase(suite, damaged);
    return check_main(suite);
}
