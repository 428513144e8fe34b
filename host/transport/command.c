#include "transport/command.h"

#include <stdlib.h>
#include <time.h>

#define QUIET_MS 100   /* one wait for bytes */
#define QUIET_WAITS 4  /* so many without a byte: the command or its answer is lost ... */
#define GARBAGE_MS 400 /* ... or so long without a whole frame, whatever comes: the slowest line brings one in 270 ms */
#define RESYNC_AGAIN_MS 1000  /* between wishes for the path to a probe that does not answer */
#define TRY_MS 5000           /* ... and whatever comes meanwhile */
#define TRY_BYTES (32u << 20) /* no more than two event frames and what buffers on the way hold is before an answer */
#define WORDS_PER_FRAME 60

_Static_assert(WORDS_PER_FRAME == ES_FRAME_MAX_WORDS - 2,
               "a write has its head and address, a response head and status");

struct es_link {
    es_transport *transport;
    es_decoder *decoder;
    es_event_fn *on_event;
    void *context;
    uint16_t sequence; /* of the next command */
    bool waiting;      /* for the answer to command `awaited` */
    uint16_t awaited;
    uint32_t answer[ES_FRAME_MAX_WORDS]; /* status and data */
    size_t answer_count;
    bool resync;       /* to be asked for when the mailbox is free, ... */
    int64_t resync_at; /* ... not before */
    bool silent;       /* the last command was not taken or not answered */
    es_link_waiting_fn *on_waiting;
    void *waiting_context;
    uint8_t buffer[65536];
};

static void take_event(void *context, const es_event *event)
{
    es_link *link = context;
    if (event->kind != ES_EVENT_RESPONSE) {
        link->on_event(link->context, event);
        return;
    }
    if (!link->waiting || event->sequence != link->awaited)
        return; /* the answer to an earlier try */
    link->waiting = false;
    link->answer_count = event->word_count;
    for (size_t i = 0; i < event->word_count; i++)
        link->answer[i] = event->words[i];
}

es_link *es_link_new(es_transport *transport, es_event_fn *on_event, void *context)
{
    es_link *link = calloc(1, sizeof *link);
    if (!link)
        return NULL;
    link->transport = transport;
    link->on_event = on_event;
    link->context = context;
    link->decoder = es_decoder_new(take_event, link);
    if (!link->decoder) {
        free(link);
        return NULL;
    }
    return link;
}

void es_link_free(es_link *link)
{
    if (!link)
        return;
    es_decoder_free(link->decoder);
    free(link);
}

void es_link_on_event(es_link *link, es_event_fn *on_event, void *context)
{
    link->on_event = on_event;
    link->context = context;
}

void es_link_on_waiting(es_link *link, es_link_waiting_fn *on_waiting, void *context)
{
    link->on_waiting = on_waiting;
    link->waiting_context = context;
}

bool es_link_silent(const es_link *link)
{
    return link->silent;
}

void es_link_totals(const es_link *link, uint64_t *frames, uint64_t *bad)
{
    es_decoder_totals(link->decoder, frames, bad);
}

/* What the transport's read returns; what came is decoded. */
static ssize_t receive(es_link *link, int timeout_ms, es_error *err)
{
    ssize_t got = es_transport_read(link->transport, link->buffer, sizeof link->buffer, timeout_ms, err);
    if (got > 0)
        es_decoder_push(link->decoder, link->buffer, (size_t)got);
    return got;
}

void es_link_reconnected(es_link *link)
{
    static const uint8_t end[1] = {0};
    es_decoder_push(link->decoder, end, sizeof end);
    link->waiting = link->silent = false;
}

void es_link_restart(es_link *link)
{
    es_decoder_restart(link->decoder);
}

void es_link_finish(es_link *link)
{
    es_decoder_finish(link->decoder);
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits for the answer to the command just sent: 1 it is there, 0 not in time, -1 failure. */
static int await(es_link *link, es_error *err)
{
    int64_t now = now_ms(), end = now + TRY_MS, whole = now;
    uint64_t frames, before, bad;
    size_t bytes = 0;
    unsigned quiet = 0;
    es_link_totals(link, &before, &bad);
    while (link->waiting && quiet < QUIET_WAITS && bytes < TRY_BYTES && now < end && now - whole < GARBAGE_MS) {
        ssize_t got = receive(link, QUIET_MS, err);
        if (got == -2)
            es_fail(err, ES_PROBE, "the connection to the probe ended while a command waited for its answer");
        if (got < 0)
            return -1;
        if (got == 0)
            quiet++;
        bytes += (size_t)got;
        es_link_totals(link, &frames, &bad);
        now = now_ms();
        if (frames != before)
            whole = now;
        before = frames;
    }
    return !link->waiting;
}

/* Fails for want of an answer: what came instead says what is wrong. */
static bool fail_silent(es_link *link, unsigned tries, es_error *err)
{
    uint64_t frames, bad;
    es_link_totals(link, &frames, &bad);
    link->waiting = false;
    link->silent = true;
    if (bad && !frames)
        return es_fail(
            err, ES_PROBE,
            "the probe does not answer: %u tries, and what comes is not of a probe: no whole frame, %llu damaged ones. "
            "On a serial line "
            "that is mostly another speed (uart:DEVICE@BAUD, the boards' is %d) or another device than the probe's",
            tries, (unsigned long long)bad, ES_UART_BAUD);
    return es_fail(
        err, ES_PROBE,
        "the probe does not answer: %u tries, %llu good and %llu damaged frames so far. Check that the board has power "
        "and its bitstream, that the link's wires (FT245 or UART) are those of its constraints file, and that nothing "
        "else has the device open",
        tries, (unsigned long long)frames, (unsigned long long)bad);
}

/* After so many tries in vain. */
static bool ask_again(es_link *link, unsigned tries)
{
    bool wanted = link->on_waiting && tries > 1 && link->on_waiting(link->waiting_context, tries);
    return wanted || tries < ES_LINK_TRIES;
}

/* Sends a command until it is answered. Its first word's sequence number is filled in here. */
static bool command(es_link *link, uint32_t *words, size_t count, size_t answer_count, es_error *err)
{
    if (link->transport->ops->one_way)
        return es_fail(err, ES_PROBE, "%s: there is no probe that could carry out a command",
                       link->transport->ops->name);
    link->awaited = link->sequence++;
    link->waiting = true;
    words[0] |= (uint32_t)link->awaited << 16;
    uint8_t wire[1 + ES_FRAME_WIRE_MAX];
    wire[0] = 0; /* ends whatever half a frame the probe may have taken before */
    size_t size = 1 + es_frame_encode(words, count, wire + 1);
    unsigned tries = 0;
    do {
        if (!es_transport_write(link->transport, wire, size, err)) {
            link->waiting = false;
            link->silent = !es_transport_gone(link->transport); /* it takes nothing for now, or reading fails as well */
            return false;
        }
        int answered = await(link, err);
        if (answered < 0) {
            link->waiting = false;
            return false;
        }
        if (!answered)
            continue;
        link->silent = false;
        if (link->answer[0] != ES_RESP_OK || link->answer_count != answer_count)
            return es_fail(
                err, ES_PROBE,
                "the probe refused a command (operation 0x%02x, answer %u with %zu words): its bitstream and this "
                "earshot are of different versions",
                (unsigned)(words[0] & 0xFF), (unsigned)link->answer[0], link->answer_count);
        return true;
    } while (ask_again(link, ++tries));
    return fail_silent(link, tries, err);
}

bool es_link_write(es_link *link, uint32_t address, const uint32_t *words, size_t count, es_error *err)
{
    while (count) {
        size_t part = count < WORDS_PER_FRAME ? count : WORDS_PER_FRAME;
        uint32_t frame[ES_FRAME_MAX_WORDS];
        frame[0] = ES_OP_WRITE | (uint32_t)(part + 1) << 8;
        frame[1] = address;
        for (size_t i = 0; i < part; i++)
            frame[2 + i] = words[i];
        if (!command(link, frame, part + 2, 1, err))
            return false;
        address += (uint32_t)part * 4;
        words += part;
        count -= part;
    }
    return true;
}

bool es_link_read(es_link *link, uint32_t address, uint32_t *words, size_t count, es_error *err)
{
    while (count) {
        size_t part = count < WORDS_PER_FRAME ? count : WORDS_PER_FRAME;
        uint32_t frame[3] = {ES_OP_READ | 2u << 8, address, (uint32_t)part};
        if (!command(link, frame, 3, 1 + part, err))
            return false;
        for (size_t i = 0; i < part; i++)
            words[i] = link->answer[1 + i];
        address += (uint32_t)part * 4;
        words += part;
        count -= part;
    }
    return true;
}

/* Asks for the path. The mailbox holds one word: one that is still in it must not be overwritten, so the wish may have
 * to wait. */
static bool ask_path(es_link *link, es_error *err)
{
    uint32_t status;
    if (!es_link_read(link, ES_REG_BASE + ES_REG_STATUS, &status, 1, err))
        return false;
    if (status & ES_STATUS_MAIL)
        return true;
    uint32_t mail = ES_MAIL_RESYNC;
    if (!es_link_write(link, ES_REG_BASE + ES_REG_MAILBOX, &mail, 1, err))
        return false;
    link->resync = false;
    return true;
}

int es_link_pump(es_link *link, int timeout_ms, es_error *err)
{
    ssize_t got = receive(link, timeout_ms, err);
    if (got < 0)
        return (int)got;
    if (es_decoder_wants_resync(link->decoder))
        link->resync = !link->transport->ops->one_way;
    if (link->resync && now_ms() >= link->resync_at && !ask_path(link, err)) {
        if (!link->silent)
            return -1;
        link->resync_at = now_ms() + RESYNC_AGAIN_MS; /* it stalls; what it sends is still listened to */
    }
    return got > 0;
}
