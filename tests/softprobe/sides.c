#include "sides.h"

#include <image.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "byte_port.h"
#include "probe/boot.h"
#include "transport/command.h"

#define STEP_CLOCKS 50000u
#define STEP_BYTES 4096u
#define POLLS 1000

/* --- a transport that keeps what comes through it --- */

typedef struct tee {
    es_transport base;
    es_transport *inner;
    frame_log *frames;
    es_deframer deframer;
} tee;

static void keep(frame_log *f, const uint32_t *words, size_t count)
{
    uint32_t kind = words[0] & 0xFF;
    if (kind == ES_FRAME_RESPONSE)
        return;
    f->hello |= kind == ES_FRAME_HELLO;
    f->done |= kind == ES_FRAME_DONE;
    f->hits += kind == ES_FRAME_HIT;
    f->paths += kind == ES_FRAME_PATH;
    f->others += kind != ES_FRAME_HIT && kind != ES_FRAME_PATH;
    if (f->count + count > f->room) {
        f->room = 2 * f->room + 65536;
        f->words = es_realloc(f->words, f->room * sizeof *f->words);
    }
    memcpy(f->words + f->count, words, count * sizeof *words);
    f->count += count;
}

static ssize_t tee_read(es_transport *transport, uint8_t *bytes, size_t size, int timeout_ms, es_error *err)
{
    tee *t = (tee *)transport;
    uint32_t words[ES_FRAME_MAX_WORDS];
    ssize_t got = es_transport_read(t->inner, bytes, size, timeout_ms, err);
    for (size_t at = 0, count; got > 0 && at < (size_t)got;) {
        at += es_deframer_push(&t->deframer, bytes + at, (size_t)got - at, words, &count);
        if (count)
            keep(t->frames, words, count);
    }
    return got;
}

static bool tee_write(es_transport *transport, const uint8_t *bytes, size_t size, es_error *err)
{
    return es_transport_write(((tee *)transport)->inner, bytes, size, err);
}

static void tee_close(es_transport *transport)
{
    es_transport_close(((tee *)transport)->inner);
}

static const struct es_transport_ops tee_ops = {
    .name = "tee", .read = tee_read, .write = tee_write, .close = tee_close};

/* --- what both sides do --- */

typedef struct side {
    es_symbols *symbols;
    es_program program;
    bool parsed, built;
    es_image image;
    tee tee;
    es_link *link;
} side;

static void ignore(void *context, const es_event *event)
{
    (void)context, (void)event;
}

static bool side_open(side *s, const run_options *options, es_error *err)
{
    *s = (side){0};
    s->symbols = es_symbols_open(options->program, err);
    s->parsed = s->symbols && es_program_parse(s->symbols, options->texts, options->text_count, &s->program, err);
    return s->parsed;
}

static bool side_boot(side *s, es_transport *transport, frame_log *frames, es_error *err)
{
    es_probe_info info;
    size_t phantom;
    s->tee = (tee){.base = {&tee_ops}, .inner = transport, .frames = frames};
    es_deframer_init(&s->tee.deframer);
    s->link = es_link_new(&s->tee.base, ignore, NULL);
    if (!es_probe_info_read(s->link, &info, err))
        return false;
    es_probe_limits limits = es_probe_info_limits(&info);
    limits.bus_hz = ES_SIM_BUS_HZ;
    s->built = es_image_build(s->symbols, &s->program, &limits, &s->image, err);
    return s->built && es_probe_boot(s->link, &info, &s->image, s->symbols, &phantom, err);
}

static bool take_all(side *s, es_error *err)
{
    int got;
    while ((got = es_link_pump(s->link, 0, err)) > 0)
        continue;
    return got == 0;
}

/* The target has ended: the closing figures. */
static bool side_flush(side *s, uint64_t cycles, es_error *err)
{
    uint32_t mail = ES_MAIL_FLUSH, end[] = {(uint32_t)cycles, (uint32_t)(cycles >> 32)};
    if (!take_all(s, err))
        return false;
    s->tee.frames->done = false; /* where a statement has stopped monitoring: these figures come once more */
    if (!es_link_write(s->link, ES_IMAGE_BASE + (uint32_t)offsetof(struct es_mi_header, end_low), end, 2, err) ||
        !es_link_write(s->link, ES_REG_BASE + ES_REG_MAILBOX, &mail, 1, err))
        return false;
    for (int i = 0; i < POLLS && !s->tee.frames->done; i++)
        if (es_link_pump(s->link, 10, err) < 0)
            return false;
    return s->tee.frames->done || es_fail(err, ES_PROBE, "no DONE");
}

static void side_close(side *s)
{
    if (s->link)
        es_link_free(s->link);
    if (s->tee.inner)
        es_transport_close(&s->tee.base);
    if (s->built)
        es_image_free(&s->image);
    if (s->parsed)
        es_program_free(&s->program);
    es_symbols_close(s->symbols);
}

/* --- the RTL --- */

void traffic_add(bus_log *t, const es_sim_access *a)
{
    if (t->count == t->room) {
        t->room = 2 * t->room + 65536;
        t->accesses = es_realloc(t->accesses, t->room * sizeof *t->accesses);
        t->times = es_realloc(t->times, t->room * sizeof *t->times);
    }
    bool upper = a->kind == ES_KIND_FETCH && (a->lanes & 3) == 0;
    t->accesses[t->count] = (es_machine_access){
        .kind = a->kind,
        .lanes = a->lanes,
        .address = a->address + (upper ? 2 : 0),
        .data = upper ? a->data << 16 | a->data >> 16 : a->data,
    };
    t->times[t->count++] = a->time;
}

static void on_access(void *context, const es_sim_access *access)
{
    traffic_add(context, access);
}

static bool load(es_sim *sim, const es_symbols *symbols, es_error *err)
{
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; i < count; i++)
        if (!es_sim_load(sim, segments[i].address, segments[i].bytes, segments[i].size))
            return es_fail(err, ES_USAGE, "does not fit the target");
    return true;
}

static bool watch_rtl(side *s, es_sim *sim, uint64_t most, frame_log *frames, bus_log *t, es_error *err)
{
    if (!load(sim, s->symbols, err) || !side_boot(s, es_transport_sim(sim), frames, err))
        return false;
    while (!es_sim_idle(sim)) /* the firmware has said hello */
        es_sim_step(sim, STEP_CLOCKS, 0);
    if (!take_all(s, err))
        return false;
    es_sim_start_target(sim);
    t->state = ES_SIM_RUNNING;
    while (t->state == ES_SIM_RUNNING && (!most || es_sim_cycles(sim) < most)) {
        t->state = (int)es_sim_step(
            sim, most && most - es_sim_cycles(sim) < STEP_CLOCKS ? most - es_sim_cycles(sim) : STEP_CLOCKS, STEP_BYTES);
        if (!take_all(s, err))
            return false;
    }
    es_sim_stop_target(sim);
    t->cycles = es_sim_cycles(sim);
    while (!es_sim_idle(sim))
        es_sim_step(sim, STEP_CLOCKS, 0);
    return side_flush(s, t->cycles, err);
}

bool run_on_rtl(const run_options *options, frame_log *frames, bus_log *traffic, es_error *err)
{
    side s;
    es_sim_config config = {.world = ES_SIM_BYTES, .seed = options->seed, .on_access = on_access, .context = traffic};
    bool good = side_open(&s, options, err);
    es_sim *sim = good ? es_sim_new(&config, err) : NULL;
    good = sim && watch_rtl(&s, sim, options->clocks_most, frames, traffic, err);
    side_close(&s);
    if (sim)
        es_sim_free(sim);
    return good;
}

/* --- the other one --- */

es_softprobe_options softprobe_as_simulated(void)
{
    return (es_softprobe_options){.isa = es_isa_of_simulated_target(),
                                  .window_base = 0,
                                  .window_log2 = 18,
                                  .mem_log2 = 16,
                                  .time_w = 16,
                                  .fetches = ES_FETCHES_EXECUTED,
                                  .compressed = true,
                                  .tracker = true};
}

static bool feed(side *s, es_softprobe *probe, const bus_log *t, uint64_t from, es_error *err)
{
    for (size_t i = 0; i < t->count; i++) {
        es_softprobe_access(probe, &t->accesses[i], from + t->times[i]);
        if (es_softprobe_waiting(probe) > STEP_BYTES && !take_all(s, err))
            return false;
    }
    es_softprobe_quiet(probe, from + t->cycles);
    return true;
}

static bool watch_software(side *s, es_softprobe *probe, unsigned rounds, frame_log *frames, const bus_log *t,
                           es_error *err)
{
    if (!side_boot(s, es_softprobe_transport(probe), frames, err) || !take_all(s, err))
        return false;
    uint64_t from = 0;
    for (unsigned i = 0; i < (rounds ? rounds : 1); i++, from += t->cycles)
        if (!feed(s, probe, t, from, err))
            return false;
    if (!es_softprobe_idle(probe))
        return es_fail(err, ES_PROBE, "the software probe does not come to rest");
    return side_flush(s, from, err);
}

bool run_on_software(const run_options *options, const bus_log *traffic, frame_log *frames, es_error *err)
{
    side s;
    es_softprobe_options as = softprobe_as_simulated();
    bool good = side_open(&s, options, err);
    es_softprobe *probe = good ? es_softprobe_new(&as, err) : NULL;
    good = probe && watch_software(&s, probe, options->rounds, frames, traffic, err);
    side_close(&s);
    es_softprobe_free(probe);
    return good;
}

void frames_free(frame_log *frames)
{
    free(frames->words);
}

void traffic_free(bus_log *traffic)
{
    free(traffic->accesses);
    free(traffic->times);
}

size_t frames_differ(const frame_log *a, const frame_log *b)
{
    for (size_t i = 0; i < a->count || i < b->count; i++)
        if (i >= a->count || i >= b->count || a->words[i] != b->words[i])
            return i;
    return SIZE_MAX;
}
