#include "access/replayed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "replay/recording.h"
#include "replay/replay.h"
#include "softprobe/target.h"

#define PIECE 256u /* bytes of the recording between two looks at whether it is enough */
#define TIME_W 16u /* deadlines are noticed so many clocks late at most, as with the simulated probe */
#define WINDOW_LEAST 12u
#define WINDOW_MOST 28u

struct es_replayed {
    es_recording_reader *reader;
    es_replay_program program;
    es_replay *replay;
    es_machine_listener heard;
    es_softprobe_target target;
    es_session_console console;
    const uint8_t *bytes; /* of the block at hand */
    size_t left;
    uint64_t fetch, time; /* the next instruction's number; of the last one */
    const char *ended;
    bool exited;
    int exit_code;
};

bool es_replayed_is(const char *path)
{
    static const char magic[] = "earshotR";
    char begin[sizeof magic - 1];
    FILE *file = fopen(path, "rb");
    bool is = file && fread(begin, 1, sizeof begin, file) == sizeof begin && memcmp(begin, magic, sizeof begin) == 0;
    if (file)
        fclose(file);
    return is;
}

/* --- what is confirmed --- */

static void on_confirmed(void *context, uint64_t first, uint64_t end)
{
    es_replayed *r = context;
    (void)end;
    r->fetch = first;
}

/* The earliest time that it can have had; never before that of the one before it. */
static void next_fetch(es_replayed *r)
{
    uint64_t low, high;
    es_replay_time(r->replay, r->fetch++, &low, &high);
    r->time = low > r->time ? low : r->time;
}

/* What the reference target's devices do, that users see. */
static void on_device(es_replayed *r, const es_machine_access *access)
{
    char byte = (char)access->data;
    if (access->address == ES_TARGET_IO_BASE + ES_TARGET_IO_CONSOLE && r->console.take)
        r->console.take(r->console.context, &byte, 1);
    if (access->address == ES_TARGET_IO_BASE + ES_TARGET_IO_EXIT) {
        r->exited = true;
        r->exit_code = (int)access->data;
    }
}

static void on_access(void *context, const es_machine_access *access)
{
    es_replayed *r = context;
    if (access->kind == ES_KIND_FETCH)
        next_fetch(r);
    if (r->target.halted || r->exited)
        return;
    es_softprobe_access(r->target.probe, access, r->time);
    if (access->kind == ES_KIND_WRITE && r->program.machine.reference_target)
        on_device(r, access);
}

/* Others have changed memory: the machine has it already. */
static void on_poked(void *context, uint32_t address, uint32_t word, uint8_t lanes)
{
    es_replayed *r = context;
    uint8_t b[4], u[4];
    (void)word, (void)lanes;
    if (!es_machine_peek(es_replay_machine(r->replay), address & ~3u, b, u, 4))
        return;
    es_softprobe_poke(r->target.probe, address & ~3u,
                      b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24,
                      u[0] | u[1] | u[2] | u[3]);
}

/* --- as a source --- */

/* The next bytes go to the replay. False: there are none. */
static bool push_piece(es_replayed *r)
{
    if (!r->left && !es_recording_next(r->reader, &r->bytes, &r->left, &r->ended))
        return false;
    size_t size = r->left < PIECE ? r->left : PIECE;
    bool goes_on = es_replay_push(r->replay, r->bytes, size);
    r->bytes += size;
    r->left -= size;
    return goes_on || !es_replay_failed(r->replay);
}

static enum es_target_state advance(void *context, es_softprobe_target *target, uint64_t until)
{
    es_replayed *r = context;
    while (!r->exited && r->time < until && !es_softprobe_target_enough(target)) {
        if (push_piece(r))
            continue;
        es_replay_finish(r->replay);
        return r->exited ? ES_TARGET_EXITED : ES_TARGET_OVER;
    }
    return r->exited ? ES_TARGET_EXITED : ES_TARGET_RUNNING;
}

static uint64_t cycles(void *context)
{
    return ((es_replayed *)context)->time;
}

static int exit_code(void *context)
{
    return ((es_replayed *)context)->exit_code;
}

static uint32_t pc(void *context)
{
    return es_machine_pc(es_replay_machine(((es_replayed *)context)->replay));
}

static const char *trap_text(void *context)
{
    const es_replayed *r = context;
    const char *why = es_replay_failed(r->replay) || !r->ended ? es_replay_ended(r->replay) : r->ended;
    return why ? why : "the recording has ended";
}

static const es_softprobe_source source = {advance, cycles, exit_code, pc, trap_text};

/* --- opening --- */

static bool covers(uint32_t base, unsigned log2, const es_replay_region *region)
{
    uint32_t offset = region->base - base;
    return offset < 1u << log2 && region->size <= (1u << log2) - offset;
}

/* The smallest window that has all memory, or as the largest one what was the recording probe's. */
static void choose_window(const es_replay_program *program, es_softprobe_options *options)
{
    size_t count = program->region_count;
    for (; count; count--) {
        for (unsigned log2 = WINDOW_LEAST; log2 <= WINDOW_MOST; log2++) {
            uint32_t base = program->regions[0].base & ~((1u << log2) - 1);
            size_t covered = 0;
            while (covered < count && covers(base, log2, &program->regions[covered]))
                covered++;
            options->window_base = base;
            options->window_log2 = log2;
            if (covered == count)
                return;
        }
    }
}

static bool make_probe(es_replayed *r, es_error *err)
{
    const es_isa *isa = r->program.machine.isa;
    es_softprobe_options options = {.isa = isa,
                                    .window_log2 = WINDOW_MOST,
                                    .mem_log2 = 16,
                                    .time_w = TIME_W,
                                    .fetches = ES_FETCHES_EXECUTED,
                                    .compressed = isa->smallest < 4};
    choose_window(&r->program, &options);
    es_softprobe_target_pins(&r->target, &options);
    r->target.probe = es_softprobe_new(&options, err);
    return r->target.probe;
}

es_replayed *es_replayed_open(const char *path, const es_symbols *symbols, const es_session_console *console,
                              es_session_probe *probe, es_error *err)
{
    es_replayed *r = es_malloc(sizeof *r);
    *r = (es_replayed){.console = *console};
    r->heard = (es_machine_listener){.access = on_access, .context = r};
    const es_replay_listener listener = {
        .confirmed = on_confirmed, .machine = &r->heard, .poked = on_poked, .context = r};
    r->target = (es_softprobe_target){.source = &source, .context = r};
    r->reader = es_recording_open(path, err);
    if (r->reader && es_recording_program(es_recording_get_info(r->reader), symbols, &r->program, err))
        r->replay = es_replay_new(&r->program, &listener, err);
    if (!r->replay || !make_probe(r, err)) {
        es_replayed_close(r);
        return NULL;
    }
    *probe = (es_session_probe){
        .transport = es_softprobe_transport(r->target.probe), .target = &es_soft_target, .target_context = &r->target};
    return r;
}

void es_replayed_close(es_replayed *replayed)
{
    if (!replayed)
        return;
    if (replayed->replay)
        es_replay_free(replayed->replay);
    if (replayed->reader)
        es_recording_reader_free(replayed->reader);
    es_softprobe_free(replayed->target.probe);
    free(replayed);
}
