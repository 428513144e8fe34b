#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "probe_defs.h"
#include "replay/shadow.h"
#include "replayed/private.h"
#include "replayed/recorded.h"

#define SHADOW_SIZE 0x10000u
#define CORE_MEMORY_LOG2 16
#define WINDOW_MOST 28 /* log2 of its bytes */

/* --- what the replay tells -------------------------------------------------------------------- */

static void on_confirmed(void *context, uint64_t first, uint64_t end)
{
    es_replayed *r = context;
    (void)end;
    if (r->shadows && !r->began)
        es_shadow_tracker_begin(r->shadows);
    r->began = true;
    r->fetch = first;
    es_replay_get_pace(r->replay, first, &r->pace);
}

static void on_insn(void *context, uint32_t pc)
{
    es_replayed *r = context;
    r->pc = pc;
    if (r->fetch >= r->pace.end)
        es_replay_get_pace(r->replay, r->fetch, &r->pace);
    if (r->shadows) /* what the instruction before has done */
        es_shadow_tracker_insn(r->shadows, pc);
    uint64_t time = es_replay_pace_time(&r->pace, r->fetch++);
    r->time = time > r->time ? time : r->time;
    if (r->time < r->quiet) /* the instruction in which a heartbeat came is told after it */
        r->time = r->quiet;
}

/* --- what is in no memory --- */

static void on_assigned(void *context, uint32_t address, uint32_t word, uint32_t unknown)
{
    es_replayed *r = context;
    es_replayed_assigned(r, &(es_machine_access){.lanes = 0xF,
                                                 .address = address,
                                                 .data = es_shadow_tracker_marked(r->shadows, word, unknown),
                                                 .unknown = unknown});
}

static void on_moved(void *context, uint32_t address, uint32_t word, uint32_t unknown, bool freed)
{
    es_replayed *r = context;
    es_replayed_moved(r, &(es_machine_access){.lanes = freed ? ES_BUS_FREED : 0,
                                              .address = address,
                                              .data = es_shadow_tracker_marked(r->shadows, word, unknown),
                                              .unknown = unknown});
}

static void on_sets(void *context, unsigned reg)
{
    es_shadow_tracker_sets(((es_replayed *)context)->shadows, reg);
}

static void on_trap(void *context, uint32_t cause)
{
    (void)cause;
    es_shadow_tracker_trap(((es_replayed *)context)->shadows);
}

/* --- on the bus --- */

static void on_access(void *context, const es_machine_access *access)
{
    es_replayed_access(context, access);
}

static const es_machine_listener machine_events = {.insn = on_insn, .access = on_access};

/* --- as a source of the probe's target ----------------------------------------------------------- */

/* Up to when all is told. The instruction in which a heartbeat came is told after it, and may have been fetched before:
 * its time must not depend on which heartbeats were waited for. */
static uint64_t cycles(void *context)
{
    const es_replayed *r = context;
    if (r->parts)
        return r->clock;
    es_replay_summary summary = es_replay_get_summary(r->replay);
    if (es_replay_ended(r->replay) || !summary.fetches)
        return summary.time;
    es_replay_pace pace;
    es_replay_get_pace(r->replay, summary.fetches, &pace);
    uint64_t next = es_replay_pace_time(&pace, summary.fetches);
    return next < summary.time ? next : summary.time;
}

/* What the last instruction has assigned to cells is told after this, and at its time: so its epoch lasts that long,
 * unless the target sleeps. */
static uint64_t quiet(void *context)
{
    const es_replayed *r = context;
    uint64_t now = cycles(context), epoch_end = ((r->time >> REPLAYED_TIME_BITS) + 1) << REPLAYED_TIME_BITS;
    bool awake = now < r->time + (1u << REPLAYED_TIME_BITS);
    return es_symbols_has_shadows(r->program.symbols) && awake && now >= epoch_end ? epoch_end - 1 : now;
}

static int exit_code(void *context)
{
    return ((const es_replayed *)context)->exit_code;
}

static uint32_t pc(void *context)
{
    return ((const es_replayed *)context)->pc;
}

static const char *trap_text(void *context)
{
    es_replayed *r = context;
    if (r->parts)
        return es_replayed_parts_text(r);
    return es_replay_failed(r->replay) ? es_replay_ended(r->replay) : r->stream->trap_text(r->context);
}

/* What the probe hears ends where the replay has. */
static void tell_loss(es_replayed *r)
{
    if (es_replay_failed(r->replay))
        es_softprobe_lost(r->target.probe, 1, r->time, r->time);
}

/* One piece of the stream at a time: between two, the session looks whether the run is to end, and takes what came. */
static enum es_target_state advance(void *context, es_softprobe_target *target, uint64_t until)
{
    es_replayed *r = context;
    (void)target;
    r->quiet = quiet(r);
    if (r->parts)
        return es_replayed_advance_parts(r, until);
    if (r->state != ES_TARGET_RUNNING || cycles(r) >= until)
        return r->state;
    r->state = r->stream->more(r->context, r->replay, until - cycles(r));
    if (r->state == ES_TARGET_RUNNING && es_replay_ended(r->replay))
        r->state = ES_TARGET_OVER;
    if (r->state == ES_TARGET_RUNNING)
        return r->state;
    es_replay_finish(r->replay);
    if (!r->began && r->stream == &es_recorded_stream)
        r->state = ES_TARGET_EMPTY;
    if (r->state != ES_TARGET_GONE && r->state != ES_TARGET_EMPTY) /* that is told as the link's loss */
        tell_loss(r);
    if (r->exited)
        r->state = ES_TARGET_EXITED;
    else if (r->state == ES_TARGET_OVER && es_replay_failed(r->replay))
        r->state = ES_TARGET_LOST;
    return r->state;
}

static void tell(void *context, es_text_buffer *note, es_text_buffer *warning)
{
    const es_replayed *r = context;
    es_replay_summary sum = {0};
    if (r->parts && !es_replayed_parts_summary(r, &sum)) {
        es_text_format(note, "replayed %" PRIu64 " of the recording's %" PRIu64 " instructions", r->fetch - r->first,
                       es_timeline_end(es_bus_parts_timeline(r->parts)));
        return;
    }
    if (!r->parts)
        sum = es_replay_get_summary(r->replay);
    es_text_format(note,
                   "replayed %" PRIu64 " instructions from %" PRIu64 " %s and %" PRIu64 " %s: %" PRIu64
                   " bytes of the recorder, confirmed by %" PRIu64 " %s",
                   sum.fetches, sum.inputs, es_plural(sum.inputs, "input", "inputs"), sum.interrupts,
                   es_plural(sum.interrupts, "interrupt", "interrupts"), sum.bytes, sum.heartbeats,
                   es_plural(sum.heartbeats, "heartbeat", "heartbeats"));
    uint64_t found = 0;
    for (unsigned i = 0; i < ES_CHOICE_KINDS; i++)
        found += sum.found[i];
    if (found)
        es_text_format(note, "; %" PRIu64 " %s found out by trying, in %" PRIu64 " attempts", found,
                       es_plural(found, "thing that it does not tell was", "things that it does not tell were"),
                       sum.attempts);
    if (r->replay && es_replay_failed(r->replay) && r->state != ES_TARGET_LOST &&
        r->state != ES_TARGET_GONE) /* else its end is told as the run's */
        es_text_format(warning, "%s", es_replay_ended(r->replay));
}

static const es_softprobe_source source = {advance, cycles, exit_code, pc, trap_text, tell, quiet};

/* --- making it ------------------------------------------------------------------------------------ */

/* Whether statements can refer to it: it lies with the probe's window where one of the probe in software can be. */
static bool is_near(const es_replay_program *program, size_t i)
{
    const es_replay_region *first = &program->regions[0], *region = &program->regions[i];
    return !i || (region->base >> WINDOW_MOST == first->base >> WINDOW_MOST &&
                  (region->base + (region->size - 1)) >> WINDOW_MOST == first->base >> WINDOW_MOST);
}

static uint64_t memory_end(const es_replay_program *program)
{
    uint64_t end = 0;
    for (size_t i = 0; i < program->region_count; i++) {
        uint64_t region_end = (uint64_t)program->regions[i].base + program->regions[i].size;
        end = region_end > end && is_near(program, i) ? region_end : end;
    }
    return end;
}

void es_replayed_shadows(const es_replay_program *program, uint32_t *base, uint32_t *size)
{
    uint64_t end = (memory_end(program) + SHADOW_SIZE - 1) & ~(uint64_t)(SHADOW_SIZE - 1);
    *size = end + SHADOW_SIZE <= UINT64_C(1) << 32 ? SHADOW_SIZE : 0;
    *base = (uint32_t)end;
}

/* The smallest window that has memory and shadow cells. */
static bool make_window(const es_replay_program *program, es_softprobe_options *options, es_error *err)
{
    uint32_t base, size, low = UINT32_MAX;
    es_replayed_shadows(program, &base, &size);
    for (size_t i = 0; i < program->region_count; i++)
        low = program->regions[i].base < low && is_near(program, i) ? program->regions[i].base : low;
    uint32_t last = base + (size ? size : 1) - 1;
    for (options->window_log2 = 12; options->window_log2 <= WINDOW_MOST; options->window_log2++)
        if (low >> options->window_log2 == last >> options->window_log2) {
            options->window_base = low >> options->window_log2 << options->window_log2;
            return true;
        }
    return es_fail(err, ES_USAGE,
                   "the target's memory, 0x%08x to 0x%08x, is spread over more than the 256 MiB that statements on the "
                   "replay can refer to",
                   (unsigned)low, (unsigned)last);
}

static bool make(es_replayed *r, es_error *err)
{
    const es_replay_listener listener = {.confirmed = on_confirmed, .machine = &r->machine, .context = r};
    es_softprobe_options options = {.isa = r->program.machine.isa,
                                    .mem_log2 = CORE_MEMORY_LOG2,
                                    .time_w = REPLAYED_TIME_BITS,
                                    .fetches = ES_FETCHES_RETIRED,
                                    .compressed = es_symbols_compressed(r->program.symbols)};
    es_softprobe_target_pins(&r->target, &options);
    if (!make_window(&r->program, &options, err))
        return false;
    r->replay = r->parts ? NULL : es_replay_new(&r->program, &listener, err);
    r->target.probe = r->replay || r->parts ? es_softprobe_new(&options, err) : NULL;
    return r->target.probe;
}

/* The cells that the statements have named. */
static void track_shadows(es_replayed *r)
{
    const es_shadow_told told = {on_assigned, on_moved, r};
    if (!es_symbols_has_shadows(r->program.symbols))
        return;
    r->shadows = es_shadow_tracker_new(r->program.symbols, es_replay_machine(r->replay), &told);
    r->machine.sets = on_sets;
    r->machine.trap = on_trap;
}

es_replayed *es_replayed_new(const es_replayed_options *options, es_error *err)
{
    es_replayed *r = es_malloc(sizeof *r);
    memset(r, 0, sizeof *r);
    r->program = *options->program;
    if (options->console)
        r->console = *options->console;
    r->stream = options->stream;
    r->context = options->context;
    r->parts = options->parts;
    r->begin = options->begin;
    r->past = options->past;
    if (r->begin) {
        r->first = r->fetch = r->begin->moment;
        r->time = r->clock = r->begin->time;
    }
    r->machine = machine_events;
    r->machine.context = r;
    r->target.source = &source;
    r->target.context = r;
    if (!make(r, err)) {
        es_replayed_free(r);
        return NULL;
    }
    if (!r->parts)
        track_shadows(r);
    return r;
}

void es_replayed_free(es_replayed *replayed)
{
    if (!replayed)
        return;
    es_bus_parts_close(replayed->parts);
    es_timeline_close(replayed->past);
    es_text_free(&replayed->text);
    if (replayed->stream && replayed->stream->close)
        replayed->stream->close(replayed->context);
    es_shadow_tracker_free(replayed->shadows);
    es_replay_free(replayed->replay);
    es_softprobe_free(replayed->target.probe);
    free(replayed);
}

es_session_probe es_replayed_probe(es_replayed *replayed)
{
    return (es_session_probe){.transport = es_softprobe_transport(replayed->target.probe),
                              .target = &es_soft_target,
                              .target_context = &replayed->target};
}
