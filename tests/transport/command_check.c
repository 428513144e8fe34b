/* host/transport/command.c against a scripted probe; the replay transport; the commands' way through noise. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../support/check_main.h"
#include "transport/command.h"

#define MEMORY_WORDS 4096
#define PIECE_MS 10 /* from one piece of noise to the next */

/* The link's clock: it goes on by what reading waits for, however long the machine takes. */
static int64_t clock_ms;

int __wrap_clock_gettime(clockid_t id, struct timespec *now);

int __wrap_clock_gettime(clockid_t id, struct timespec *now)
{
    (void)id;
    *now = (struct timespec){.tv_sec = clock_ms / 1000, .tv_nsec = clock_ms % 1000 * 1000000};
    return 0;
}

/* A probe without hardware: takes commands, answers into a buffer, and misbehaves where told. */
typedef struct fake {
    es_transport base;
    es_deframer deframer;
    uint32_t memory[MEMORY_WORDS]; /* at address 0 */
    uint32_t mail, status;         /* registers */
    uint8_t out[1u << 16];
    size_t out_size, piece;                               /* bytes to be read; most at once, 0: all */
    unsigned lose_answers, lose_commands, damage_answers; /* the next so many */
    unsigned commands, writes;
    bool deaf, refuses, ended;
    bool noisy; /* bytes come without end, none of them a frame */
    uint16_t event_sequence;
} fake;

static void reply(fake *f, const uint32_t *words, size_t count)
{
    ck_assert_uint_le(f->out_size + ES_FRAME_WIRE_MAX, sizeof f->out);
    f->out_size += es_frame_encode(words, count, f->out + f->out_size);
}

static void hit(fake *f, uint32_t time)
{
    uint32_t words[] = {ES_FRAME_HIT | 4u << 8 | (uint32_t)f->event_sequence++ << 16, time, 0, 0, 0};
    reply(f, words, 5);
}

static uint32_t *word_at(fake *f, uint32_t address)
{
    static uint32_t nowhere;
    if (address == ES_REG_BASE + ES_REG_MAILBOX)
        return &f->mail;
    if (address == ES_REG_BASE + ES_REG_STATUS)
        return &f->status;
    return address / 4 < MEMORY_WORDS ? &f->memory[address / 4] : &nowhere;
}

static void carry_out(fake *f, const uint32_t *words, size_t count)
{
    f->commands++;
    if (f->deaf)
        return;
    if (f->lose_commands) {
        f->lose_commands--;
        return;
    }
    uint32_t answer[ES_FRAME_MAX_WORDS] = {0, f->refuses ? ES_RESP_BAD_OP : ES_RESP_OK};
    size_t size = 2;
    if ((words[0] & 0xFF) == ES_OP_WRITE) {
        f->writes++;
        for (size_t i = 2; i < count; i++)
            *word_at(f, words[1] + 4 * (uint32_t)(i - 2)) = words[i];
    } else {
        ck_assert(words[2] >= 1 && words[2] <= 60);
        for (uint32_t i = 0; i < words[2] && !f->refuses; i++)
            answer[size++] = *word_at(f, words[1] + 4 * i);
    }
    answer[0] = ES_FRAME_RESPONSE | (uint32_t)(size - 1) << 8 | (words[0] & 0xFFFF0000);
    if (f->lose_answers) {
        f->lose_answers--;
        return;
    }
    size_t at = f->out_size;
    reply(f, answer, size);
    if (f->damage_answers) {
        f->damage_answers--;
        f->out[at + 2] ^= 0x40;
    }
}

static ssize_t fake_read(es_transport *transport, uint8_t *bytes, size_t size, int timeout_ms, es_error *err)
{
    fake *f = (fake *)transport;
    (void)err;
    if (f->noisy) {
        for (size_t i = 0; i < 50; i++)
            bytes[i] = (uint8_t)(i * 37 + (unsigned)clock_ms);
        clock_ms += PIECE_MS;
        return 50;
    }
    if (!f->out_size && !f->ended)
        clock_ms += timeout_ms;
    if (!f->out_size)
        return f->ended ? -2 : 0;
    size = size < f->out_size ? size : f->out_size;
    if (f->piece && size > f->piece)
        size = f->piece;
    memcpy(bytes, f->out, size);
    f->out_size -= size;
    memmove(f->out, f->out + size, f->out_size);
    return (ssize_t)size;
}

static bool fake_write(es_transport *transport, const uint8_t *bytes, size_t size, es_error *err)
{
    fake *f = (fake *)transport;
    (void)err;
    while (size) {
        uint32_t words[ES_FRAME_MAX_WORDS];
        size_t count, taken = es_deframer_push(&f->deframer, bytes, size, words, &count);
        bytes += taken;
        size -= taken;
        if (count)
            carry_out(f, words, count);
    }
    return true;
}

static void fake_close(es_transport *transport)
{
    (void)transport;
}

static const struct es_transport_ops fake_ops = {
    .name = "fake", .read = fake_read, .write = fake_write, .close = fake_close};

typedef struct seen {
    unsigned hits, others, gaps;
    bool path_known;
} seen;

static void on_event(void *context, const es_event *event)
{
    seen *s = context;
    ck_assert_int_ne(event->kind, ES_EVENT_RESPONSE);
    if (event->kind == ES_EVENT_HIT) {
        s->hits++;
        s->path_known = event->path_known;
    } else if (event->kind == ES_EVENT_GAP) {
        s->gaps++;
    } else {
        s->others++;
    }
}

static fake f;
static seen s;
static es_link *probe_link;
static es_error err;

static void setup(void)
{
    memset(&f, 0, sizeof f);
    memset(&s, 0, sizeof s);
    memset(&err, 0, sizeof err);
    clock_ms = 0;
    f.base.ops = &fake_ops;
    es_deframer_init(&f.deframer);
    probe_link = es_link_new(&f.base, on_event, &s);
    ck_assert_ptr_nonnull(probe_link);
}

static void teardown(void)
{
    es_link_free(probe_link);
}

static void exchange(uint32_t address, size_t count)
{
    uint32_t *out = malloc(count * 4 + 4), *in = calloc(count + 1, 4);
    for (size_t i = 0; i < count; i++)
        out[i] = (uint32_t)(i * 0x01000193u + address);
    ck_assert_msg(es_link_write(probe_link, address, out, count, &err), "%s", err.text);
    ck_assert_msg(es_link_read(probe_link, address, in, count, &err), "%s", err.text);
    ck_assert_mem_eq(in, out, count * 4);
    free(out);
    free(in);
}

START_TEST(test_any_count)
{
    static const size_t counts[] = {0, 1, 59, 60, 61, 120, 121, 1000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        exchange(0x100, counts[i]);
    f.piece = 3;
    exchange(0x200, 130);
    ck_assert_uint_eq(f.deframer.bad, 0);
}
END_TEST

START_TEST(test_lost_and_damaged)
{
    f.lose_commands = 2;
    exchange(0, 10);
    f.lose_answers = 4;
    exchange(0x40, 10);
    f.damage_answers = 3;
    exchange(0x80, 100);
    ck_assert_uint_gt(f.commands, f.writes);
}
END_TEST

START_TEST(test_no_answer)
{
    f.deaf = true;
    uint32_t word = 0;
    ck_assert(!es_link_read(probe_link, 0, &word, 1, &err));
    ck_assert_int_eq(err.code, ES_PROBE);
    ck_assert_msg(strstr(err.text, "does not answer") && strstr(err.text, "bitstream"), "%s", err.text);
    ck_assert_uint_ge(f.commands, 3);
    ck_assert_uint_le(f.commands, 10);
    f.deaf = false;
    exchange(0, 5); /* and it can come back */
}
END_TEST

/* Another speed, another device: it is given up as soon as one from which nothing comes. */
START_TEST(test_noise)
{
    uint32_t word = 0;
    f.deaf = true;
    ck_assert(!es_link_read(probe_link, 0, &word, 1, &err));
    int64_t silent = clock_ms;
    f.noisy = true;
    err = (es_error){0};
    ck_assert(!es_link_read(probe_link, 0, &word, 1, &err));
    ck_assert_msg(strstr(err.text, "no whole frame") && strstr(err.text, "another speed"), "%s", err.text);
    ck_assert_int_le(clock_ms - silent, 2 * silent);
}
END_TEST

static bool until_twelve(void *context, unsigned tries)
{
    unsigned *told = context;
    ++*told;
    return tries < 12;
}

/* As long as who owns the link wants it, a command is asked again. */
START_TEST(test_asked_again)
{
    unsigned told = 0;
    uint32_t word = 1;
    es_link_on_waiting(probe_link, until_twelve, &told);
    f.lose_answers = 11;
    ck_assert(es_link_read(probe_link, 0, &word, 1, &err));
    ck_assert_uint_eq(told, 10); /* from the second time on */
    f.lose_answers = 12;
    ck_assert(!es_link_read(probe_link, 0, &word, 1, &err));
    ck_assert_msg(strstr(err.text, "12 tries"), "%s", err.text);
}
END_TEST

START_TEST(test_refused)
{
    f.refuses = true;
    uint32_t word = 0;
    ck_assert(!es_link_read(probe_link, 0, &word, 1, &err));
    ck_assert_msg(strstr(err.text, "refused"), "%s", err.text);
    ck_assert_uint_eq(f.commands, 1); /* it would refuse again */
}
END_TEST

START_TEST(test_late_answer)
{
    /* The answer to the first try comes after the second try: the next command must not take it for its own. */
    f.lose_answers = 1;
    f.memory[0] = 5;
    uint32_t word = 0;
    ck_assert(es_link_read(probe_link, 0, &word, 1, &err));
    const uint32_t late[] = {ES_FRAME_RESPONSE | 2u << 8 | 0u << 16, ES_RESP_OK, 999};
    reply(&f, late, 3);
    f.memory[1] = 6;
    ck_assert(es_link_read(probe_link, 4, &word, 1, &err));
    ck_assert_uint_eq(word, 6);
}
END_TEST

START_TEST(test_events_meanwhile)
{
    const uint32_t hello[] = {ES_FRAME_HELLO | 2u << 8, 1, 1};
    f.event_sequence = 1;
    reply(&f, hello, 3);
    for (uint32_t i = 0; i < 500; i++)
        hit(&f, i);
    f.piece = 100;
    exchange(0, 60);
    ck_assert(s.hits == 500 && s.others == 1 && s.gaps == 0 && s.path_known);
    ck_assert_int_eq(es_link_pump(probe_link, 1, &err), 0);
    hit(&f, 501);
    ck_assert_int_eq(es_link_pump(probe_link, 1, &err), 1);
    ck_assert_uint_eq(s.hits, 501);
    f.ended = true;
    ck_assert_int_eq(es_link_pump(probe_link, 1, &err), -2);
}
END_TEST

START_TEST(test_resync)
{
    hit(&f, 1);
    f.event_sequence += 3;
    hit(&f, 2);
    f.status = ES_STATUS_MAIL; /* another word is in the mailbox: it must stay */
    f.mail = ES_MAIL_FLUSH;
    ck_assert_int_eq(es_link_pump(probe_link, 1, &err), 1);
    ck_assert(s.gaps == 1 && !s.path_known && f.mail == ES_MAIL_FLUSH);
    f.status = 0;
    ck_assert_int_eq(es_link_pump(probe_link, 1, &err), 0);
    ck_assert_uint_eq(f.mail, ES_MAIL_RESYNC);
    f.mail = 0;
    ck_assert_int_eq(es_link_pump(probe_link, 1, &err), 0);
    ck_assert_uint_eq(f.mail, 0); /* once */
}
END_TEST

START_TEST(test_stream_ends)
{
    f.ended = true;
    f.deaf = true;
    uint32_t word = 0;
    ck_assert(!es_link_read(probe_link, 0, &word, 1, &err));
    ck_assert_msg(strstr(err.text, "ended"), "%s", err.text);
}
END_TEST

START_TEST(test_replay)
{
    for (uint32_t i = 0; i < 50; i++)
        hit(&f, i);
    char name[] = "/tmp/earshot-replay-XXXXXX";
    int file = mkstemp(name);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, f.out, f.out_size), (ssize_t)f.out_size);
    close(file);
    es_transport *replay = es_transport_file(name, &err);
    ck_assert_msg(replay != NULL, "%s", err.text);
    es_link *link = es_link_new(replay, on_event, &s);
    int result;
    while ((result = es_link_pump(link, 10, &err)) > 0) {
    }
    ck_assert_int_eq(result, -2);
    ck_assert_uint_eq(s.hits, 50);
    uint32_t word;
    ck_assert(!es_link_read(link, 0, &word, 1, &err));
    es_link_free(link);
    es_transport_close(replay);
    unlink(name);
    ck_assert_ptr_null(es_transport_file(name, &err));
    ck_assert_msg(err.code == ES_USAGE && strstr(err.text, name), "%s", err.text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("command");
    TCase *tests = tcase_create("command");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, test_any_count);
    tcase_add_test(tests, test_lost_and_damaged);
    tcase_add_test(tests, test_no_answer);
    tcase_add_test(tests, test_noise);
    tcase_add_test(tests, test_asked_again);
    tcase_add_test(tests, test_refused);
    tcase_add_test(tests, test_late_answer);
    tcase_add_test(tests, test_events_meanwhile);
    tcase_add_test(tests, test_resync);
    tcase_add_test(tests, test_stream_ends);
    tcase_add_test(tests, test_replay);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
