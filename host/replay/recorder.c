#include "replay/recorder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "replay/token.h"

#define STOP_MS 3000
#define START_POLLS 1000
#define ASK_MS 500 /* of silence, until a heartbeat is asked for */
#define STOP_STEP_MS 20
#define STOP_READS 100000 /* of a byte at least: the recorder's buffer and more */
#define HEAD_BYTES 64     /* before it is known that the stream begins with a reset */

struct es_input_recorder {
    es_link *link;
    es_transport *transport; /* the link's */
    es_input_recorder_sink sink;
    es_stream_token_reader reader;
    uint8_t head[HEAD_BYTES]; /* BEGIN and what came since, until the target's reset was seen */
    size_t head_size;
    uint16_t sequence; /* of the next frame */
    bool begin;        /* BEGIN was seen */
    bool from_reset;   /* ... and the reset's vector after it: the stream is handed on */
    bool unfit;        /* it is of a target that ran already */
    bool failed, ended, numbered;
    /* while it is started nobody takes the stream yet, and of a target that starts at once it comes already */
    bool starting;
    es_text_buffer early;
    unsigned quiet_ms;
};

/* --- the stream ------------------------------------------------------------------------------ */

static void lose(es_input_recorder *r, const char *why)
{
    if (!r->failed && r->from_reset)
        r->sink.lost(r->sink.context, why);
    r->failed = true;
}

static void restart_stream(es_input_recorder *r)
{
    r->reader = (es_stream_token_reader){0};
    r->head_size = 0;
    es_text_clear(&r->early);
    r->begin = r->from_reset = r->unfit = r->failed = r->ended = false;
}

/* Looks at tokens until it is known where the stream begins; afterwards, for its end. */
static void look(es_input_recorder *r, const uint8_t *bytes, size_t size)
{
    const uint8_t *at = bytes, *end = bytes + size;
    es_stream_token token;
    es_error err;
    int got;
    while (!r->ended && (got = es_stream_token_next(&r->reader, &at, end, &token, &err)) != 0) {
        if (got < 0) {
            lose(r, err.text);
            return;
        }
        if (token.kind == ES_TOKEN_END)
            r->ended = true;
        else if (token.kind == ES_TOKEN_BEGIN)
            r->begin = true;
        else if (!r->from_reset && !r->unfit) {
            r->from_reset = r->begin && token.kind == ES_TOKEN_VECTOR && token.detail == 1 && token.fetches == 0;
            r->unfit = !r->from_reset;
        }
    }
}

static void take_bytes(es_input_recorder *r, const uint8_t *bytes, size_t size)
{
    bool before = r->from_reset;
    size_t earlier = r->head_size;
    if (!before && !r->unfit && r->head_size + size <= sizeof r->head) {
        memcpy(r->head + r->head_size, bytes, size);
        r->head_size += size;
    }
    look(r, bytes, size);
    if (!r->from_reset || r->failed)
        return;
    if (!before && earlier)
        r->sink.take(r->sink.context, r->head, earlier);
    r->sink.take(r->sink.context, bytes, size);
}

static void on_event(void *context, const es_event *event)
{
    es_input_recorder *r = context;
    uint8_t bytes[ES_FRAME_MAX_WORDS * 4];
    if (event->kind != ES_EVENT_RECORD || event->core != 0)
        return;
    if (event->sequence == 0 && (r->ended || !r->numbered || r->sequence != 0))
        restart_stream(r); /* the recorder was started */
    else if (r->numbered && event->sequence != r->sequence) {
        char why[160];
        unsigned missing = (uint16_t)(event->sequence - r->sequence);
        snprintf(why, sizeof why, "%u of the recorder's %s lost on the link", missing,
                 es_plural(missing, "frame was", "frames were"));
        lose(r, why);
    }
    r->numbered = true;
    r->sequence = (uint16_t)(event->sequence + 1);
    r->quiet_ms = 0;
    for (size_t i = 0; i < event->word_count; i++)
        for (size_t k = 0; k < 4; k++)
            bytes[4 * i + k] = (uint8_t)(event->words[i] >> 8 * k);
    if (r->starting)
        es_text_add(&r->early, (const char *)bytes, event->word_count * 4);
    else
        take_bytes(r, bytes, event->word_count * 4);
}

static void take_early(es_input_recorder *r)
{
    es_text_buffer early = r->early;
    r->early = (es_text_buffer){0};
    if (early.length)
        take_bytes(r, (const uint8_t *)early.text, early.length);
    es_text_free(&early);
}

/* --- setting up ------------------------------------------------------------------------------ */

static bool set_register(es_input_recorder *r, uint32_t offset, uint32_t value, es_error *err)
{
    return es_link_write(r->link, ES_REG_BASE + offset, &value, 1, err);
}

static bool set_vector(es_input_recorder *r, unsigned which, es_replay_vector vector, es_error *err)
{
    return set_register(r, ES_REG_REC_MASK + 8 * which, vector.mask, err) &&
           set_register(r, ES_REG_REC_VECTOR + 8 * which, vector.used ? vector.value : 1, err);
}

/* It counts from where it says that it records: what was recorded before is sent first. */
static bool start(es_input_recorder *r, es_error *err)
{
    uint32_t records = 0;
    if (!set_register(r, ES_REG_REC_CTRL, ES_REC_START, err))
        return false;
    for (unsigned polls = 0; polls < START_POLLS; polls++) {
        if (!es_link_read(r->link, ES_REG_BASE + ES_REG_REC_CTRL, &records, 1, err))
            return false;
        if (records & 1)
            return true;
    }
    return es_fail(err, ES_PROBE, "the probe's recorder does not start");
}

bool es_input_recorder_start(es_input_recorder *recorder, const es_replay_program *program, unsigned period,
                             es_error *err)
{
    bool good = set_register(recorder, ES_REG_REC_PERIOD, UINT32_MAX << period, err) &&
                set_vector(recorder, 0, program->traps, err) && set_vector(recorder, 1, program->reset, err);
    for (unsigned q = 0; q < ES_REPLAY_QUIET && good; q++) {
        es_replay_region quiet = q < program->quiet_count ? program->quiet[q] : (es_replay_region){1, 0};
        good = set_register(recorder, ES_REG_REC_QUIET_MASK + 8 * q, ~(quiet.size - 1), err) &&
               set_register(recorder, ES_REG_REC_QUIET + 8 * q, quiet.base, err);
    }
    recorder->starting = true;
    good = good && start(recorder, err);
    recorder->starting = false;
    return good;
}

static bool load(es_input_recorder *r, es_replay_program *program, bool loaded, es_error *err)
{
    es_probe_info info;
    size_t bytes;
    if (!es_probe_info_read(r->link, &info, err))
        return false;
    if (!(info.config & ES_CONFIG_RECORDER))
        return es_fail(err, ES_PROBE,
                       "this probe has no recorder of inputs: load a bitstream that was built with RECORDER=1 "
                       "(docs/replay.md), or watch with statements");
    if (es_probe_fetches(&info) == ES_FETCHES_AHEAD)
        return es_fail(err, ES_PROBE,
                       "the probe's tap sees fetches that are never executed, so where interrupts came cannot be told: "
                       "tap the processor's retire port (docs/attach-core.md)");
    if (program->machine.processor == ES_PROCESSOR_PICORV32 && es_probe_fetches(&info) != ES_FETCHES_RETIRED)
        return es_fail(
            err, ES_PROBE,
            "PicoRV32's bus does not say which bytes a load reads, and the sums that check a replay are made "
            "of these: tap the processor's retire port (docs/attach-core.md), or watch with --probe-only");
    if (!es_replay_window(program, info.window_base, info.window_size, err) ||
        !es_probe_load_memory(r->link, &info, program->symbols, !loaded, &bytes, err))
        return false;
    return bytes || es_fail(err, ES_USAGE,
                            "nothing of the program lies in the probe's window, 0x%08" PRIx32 " to 0x%08" PRIx32
                            ": it cannot be replayed",
                            info.window_base, info.window_base + info.window_size - 1);
}

es_input_recorder *es_input_recorder_open(es_transport *transport, es_replay_program *program, bool loaded,
                                          const es_input_recorder_sink *sink, es_error *err)
{
    es_input_recorder *r = es_malloc(sizeof *r);
    memset(r, 0, sizeof *r);
    r->sink = *sink;
    r->transport = transport;
    r->link = es_link_new(transport, on_event, r);
    if (!r->link)
        es_fail(err, ES_PROBE, "out of memory");
    if (r->link && load(r, program, loaded, err))
        return r;
    es_input_recorder_free(r);
    return NULL;
}

void es_input_recorder_free(es_input_recorder *recorder)
{
    if (!recorder)
        return;
    es_link_free(recorder->link);
    es_text_free(&recorder->early);
    free(recorder);
}

/* --- running --------------------------------------------------------------------------------- */

#define QUIET_MS 100 /* a target that was reset, or sleeps */

bool es_input_recorder_ask(es_input_recorder *recorder, es_error *err)
{
    return set_register(recorder, ES_REG_REC_CTRL, ES_REC_HEARTBEAT, err);
}

/* What came until then was handed on; what the target does while the probe is away is in no stream. */
static int fail_pump(const es_input_recorder *r, int got, es_error *err)
{
    if (es_transport_gone(r->transport))
        es_fail(err, ES_PROBE,
                "the probe was unplugged: a replay cannot go on after a gap. When it is back, start anew, with the "
                "target's reset");
    else if (got == -2)
        es_fail(err, ES_PROBE, "the connection to the probe ended");
    return -1;
}

int es_input_recorder_pump(es_input_recorder *recorder, int timeout_ms, es_error *err)
{
    bool early = recorder->early.length != 0;
    take_early(recorder);
    int got = es_link_pump(recorder->link, early ? 0 : timeout_ms, err);
    if (got == 0 && early)
        got = 1;
    if (got < 0)
        return fail_pump(recorder, got, err);
    if (!got && recorder->unfit && !recorder->from_reset && (recorder->quiet_ms += (unsigned)timeout_ms) >= QUIET_MS) {
        recorder->quiet_ms = 0;
        if (!start(recorder, err))
            return -1;
    }
    if (!got && recorder->from_reset && !recorder->ended && timeout_ms &&
        (recorder->quiet_ms += (unsigned)timeout_ms) >= ASK_MS) { /* a quiet bus brings no heartbeat by itself */
        recorder->quiet_ms = 0;
        if (!es_input_recorder_ask(recorder, err))
            return -1;
    }
    return got;
}

bool es_input_recorder_has_begun(const es_input_recorder *recorder)
{
    return recorder->from_reset;
}

bool es_input_recorder_hears(const es_input_recorder *recorder)
{
    return recorder->begin;
}

bool es_input_recorder_has_ended(const es_input_recorder *recorder)
{
    return recorder->ended || recorder->failed;
}

bool es_input_recorder_stop(es_input_recorder *recorder, es_error *err)
{
    if (!set_register(recorder, ES_REG_REC_CTRL, ES_REC_STOP, err))
        return false;
    unsigned reads = 0;
    for (unsigned ms = 0; ms < STOP_MS && reads < STOP_READS && !recorder->ended && !recorder->failed; reads++) {
        int got = es_link_pump(recorder->link, STOP_STEP_MS, err);
        if (got < 0)
            return false;
        ms += got ? 0 : STOP_STEP_MS;
    }
    return true;
}
