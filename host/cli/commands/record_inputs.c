#include "cli/commands/record_inputs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/open.h"
#include "base/sizes.h"
#include "base/times.h"
#include "cli/cli.h"
#include "cli/signals.h"
#include "replay/keyframes.h"
#include "replay/recorder.h"
#include "replay/recording.h"
#include "replay/replay.h"
#include "replay/vectors.h"

#define SIM_STEP_CLOCKS 100000u
#define SIM_STEP_BYTES 200u
#define SIM_FLUSH_CLOCKS 200000u
#define PUMP_MS 50

typedef struct run {
    es_common_options *options;
    const es_inputs_options *inputs;
    es_symbols *symbols;
    es_replay_program program;
    es_session_probe probe;
    es_input_recorder *recorder;
    es_recording *recording;
    es_keyframes *keyframes;
    es_replay *replay;
    uint64_t bytes;      /* taken */
    uint64_t flushed;    /* at this clock of a simulated target */
    bool full;           /* the disk, or what else writing has failed of */
    bool deaf;           /* who reads the target's console has gone */
    const char *ended;   /* how the target or the user ended it; NULL: not yet */
    es_text_buffer trap; /* a simulated target crashed: where, and by what */
    es_error output;
} run;

/* --- what comes ------------------------------------------------------------------------------ */

static void take(void *context, const uint8_t *bytes, size_t size)
{
    run *r = context;
    es_replay_push(r->replay, bytes, size);
    es_replay_summary s = es_replay_get_summary(r->replay);
    r->bytes += size;
    if (r->full)
        return;
    r->full = !es_recording_add(r->recording, bytes, size, s.fetches, s.time, &r->output);
}

static void on_piece(void *context, es_replay_piece *piece)
{
    run *r = context;
    if (r->keyframes)
        es_keyframes_piece(r->keyframes, piece);
}

/* What waits is written, so that not much is lost when this program is killed. Of a simulated target by its own clock,
 * which makes about so much in that time: so the file is the same each time. */
static void flush(run *r)
{
    const es_session_target *target = r->probe.target;
    bool good = true;
    if (!target)
        good = es_recording_flush_due(r->recording, &r->output);
    else if (target->cycles(r->probe.target_context) - r->flushed >= SIM_FLUSH_CLOCKS) {
        r->flushed = target->cycles(r->probe.target_context);
        good = es_recording_flush(r->recording, &r->output);
    }
    r->full = r->full || !good;
}

static void lost(void *context, const char *why)
{
    run *r = context;
    es_replay_lost(r->replay, why);
}

static void console(void *context, const char *bytes, size_t size)
{
    run *r = context;
    if (!r->deaf && (fwrite(bytes, 1, size, stdout) != size || fflush(stdout) != 0)) {
        r->deaf = true;
        fprintf(stderr, "earshot: what the target writes cannot be shown any more (%s); it is recorded as before\n",
                strerror(errno));
    }
}

/* --- running --------------------------------------------------------------------------------- */

static bool goes_on(const run *r)
{
    return !es_cli_stop_asked() && !r->full && !es_replay_ended(r->replay) && !es_input_recorder_has_ended(r->recorder);
}

/* Where the target crashed, and by what. */
static void note_trap(run *r)
{
    const char *file;
    unsigned line;
    uint32_t pc = r->probe.target->pc(r->probe.target_context);
    r->ended = ES_RECORDING_TRAPPED;
    es_text_format(&r->trap, "0x%08" PRIx32, pc);
    if (es_symbols_line(r->symbols, pc, &file, &line))
        es_text_format(&r->trap, " (%s:%u)", file, line);
    es_text_format(&r->trap, ": %s", r->probe.target->trap_text(r->probe.target_context));
}

static bool run_simulation(run *r, es_error *err)
{
    const es_session_target *target = r->probe.target;
    void *context = r->probe.target_context;
    uint64_t for_ns = r->options->session.for_ns;
    uint64_t limit = for_ns ? es_time_clocks(for_ns, r->options->session.clock_hz) : UINT64_MAX;
    enum es_target_state state = ES_TARGET_RUNNING;
    target->start(context);
    while (state == ES_TARGET_RUNNING && goes_on(r) && target->cycles(context) < limit) {
        uint64_t left = limit - target->cycles(context);
        int got;
        state = target->step(context, left < SIM_STEP_CLOCKS ? left : SIM_STEP_CLOCKS, SIM_STEP_BYTES);
        do
            got = es_input_recorder_pump(r->recorder, 0, err);
        while (got > 0);
        flush(r);
        if (got < 0)
            return false;
    }
    if (state == ES_TARGET_EXITED)
        r->ended = "the target's program ended";
    if (state == ES_TARGET_TRAPPED)
        note_trap(r);
    target->stop(context);
    return true;
}

static bool run_hardware(run *r, es_error *err)
{
    bool told = false, running = false;
    uint64_t for_ns = r->options->session.for_ns;
    uint64_t limit = for_ns ? es_time_clocks(for_ns, r->options->session.clock_hz) : UINT64_MAX;
    while (goes_on(r) && es_replay_get_summary(r->replay).time < limit) {
        int got = es_input_recorder_pump(r->recorder, PUMP_MS, err);
        flush(r);
        if (got < 0)
            return false;
        if (!told && !es_input_recorder_has_begun(r->recorder)) {
            fprintf(stderr, "earshot: waiting for the target's reset\n");
            told = true;
        }
        if (!running && !es_input_recorder_has_begun(r->recorder) && es_input_recorder_hears(r->recorder)) {
            fprintf(stderr, "earshot: the target runs already: hold its reset for half a second\n");
            running = true;
        }
    }
    return true;
}

/* --- the whole ------------------------------------------------------------------------------- */

static bool describe_program(run *r, es_error *err)
{
    if (!es_access_target(&r->options->access, r->symbols, &r->program, err))
        return false;
    if (r->inputs->has_reset)
        es_replay_begins_at(&r->program, r->inputs->reset);
    return true;
}

/* Where its memory is, the probe has said. */
static bool find_handler(run *r, es_error *err)
{
    es_error why = {0};
    if (r->inputs->has_handler) {
        r->program.traps = (es_replay_vector){.value = r->inputs->handler, .mask = UINT32_MAX, .used = true};
        return true;
    }
    if (es_vectors_find(&r->program, &why) || why.code == ES_OK)
        return true;
    *err = why;
    return false;
}

static bool begin(run *r, es_error *err)
{
    es_session_console out = {console, r};
    es_input_recorder_sink sink = {take, lost, r};
    es_recording_info info;
    enum es_probe_kind probe = r->options->access.choice.probe;
    if (probe == ES_PROBE_FILE || probe == ES_PROBE_REPLAY)
        return es_fail(err, ES_USAGE, "--inputs records what a target does: --probe file: has been recorded already");
    if (!describe_program(r, err) || !es_access_open(&r->options->access, r->symbols, &out, &r->probe, err))
        return false;
    r->recorder = es_input_recorder_open(r->probe.transport, &r->program, r->probe.target || r->options->session.loaded,
                                         &sink, err);
    if (!r->recorder || !find_handler(r, err) ||
        !es_input_recorder_start(r->recorder, &r->program, ES_RECORDER_PERIOD, err))
        return false;
    const es_replay_listener listener = {.piece = on_piece, .context = r};
    es_recording_info_of(&info, &r->program, r->options->session.clock_hz);
    r->replay = es_replay_new(&r->program, &listener, err);
    r->recording = r->replay ? es_recording_create(r->inputs->path, &info, err) : NULL;
    r->keyframes = r->recording ? es_keyframes_new(r->recording) : NULL;
    return r->recording != NULL;
}

static void summarise(const run *r)
{
    static const char *const kinds[] = {[ES_CHOICE_CAUSE] = "causes of interrupts",
                                        [ES_CHOICE_RESTART] = "restarts",
                                        [ES_CHOICE_PENDING] = "pending interrupts",
                                        [ES_CHOICE_CLOCK] = "counters"};
    es_replay_summary s = es_replay_get_summary(r->replay);
    double seconds = (double)s.time / (double)r->options->session.clock_hz;
    es_text_buffer text = {0};
    es_time_tight(&text, es_time_ns(s.time, r->options->session.clock_hz), true);
    es_text_format(&text, ": %" PRIu64 " instructions confirmed, %" PRIu64 " %s, ", s.fetches, s.interrupts,
                   es_plural(s.interrupts, "interrupt", "interrupts"));
    es_size_text(&text, r->bytes);
    if (seconds > 0)
        es_text_format(&text, " of inputs (%.0f bytes/s)", (double)r->bytes / seconds);
    es_text_format(&text, " in %s (", r->inputs->path);
    es_size_text(&text, es_recording_size(r->recording));
    es_text_format(&text, ")");
    for (unsigned kind = 0; kind < ES_CHOICE_KINDS; kind++)
        if (s.found[kind] + s.open[kind])
            es_text_format(&text, "\n%s that the stream leaves open: %" PRIu64 " found out, %" PRIu64 " stay unknown",
                           kinds[kind], s.found[kind], s.open[kind]);
    fprintf(stderr, "%s\n", text.text);
    es_text_free(&text);
}

static const char *how_it_ended(const run *r, const es_error *wrong)
{
    if (es_replay_failed(r->replay))
        return es_replay_ended(r->replay);
    if (r->ended)
        return r->ended;
    if (wrong) /* the probe was unplugged, say: all that had come by then is confirmed and kept */
        return wrong->text;
    if (r->full)
        return r->output.text;
    return es_cli_stop_asked() ? "it was stopped by the user" : "its time was over";
}

/* Nobody is to take a file without an instruction for a recording; what is no file stays as it is. */
static bool remove_empty(const run *r)
{
    struct stat status;
    if (stat(r->inputs->path, &status) == 0 && S_ISREG(status.st_mode))
        unlink(r->inputs->path);
    return true;
}

static bool record(run *r, es_error *err)
{
    if (!begin(r, err))
        return false;
    bool good = r->probe.target ? run_simulation(r, err) : run_hardware(r, err);
    good = good && (es_input_recorder_has_ended(r->recorder) || es_input_recorder_stop(r->recorder, err));
    es_replay_finish(r->replay);
    const char *ended = how_it_ended(r, good ? NULL : err);
    r->full = r->full || !es_recording_flush(r->recording, &r->output) ||
              !es_keyframes_finish(r->keyframes, r->replay, &r->output);
    summarise(r);
    if (!r->trap.length) /* which is told below */
        fprintf(stderr, "%s\n", ended);
    if (!r->full)
        r->full = !es_recording_close(r->recording, ended, &r->output);
    else
        es_recording_close(r->recording, NULL, NULL);
    r->recording = NULL;
    if (good && r->full) {
        *err = r->output;
        return false;
    }
    if (good && r->probe.target && !es_input_recorder_has_begun(r->recorder) && remove_empty(r))
        return es_fail(err, ES_USAGE,
                       "nothing was recorded: the processor that is heard never began at 0x%08" PRIx32
                       ". Say where it does: --reset ADDRESS",
                       r->program.machine.reset_pc);
    if (good && es_replay_failed(r->replay))
        return es_fail(err, ES_LOST, "the rest of the run cannot be replayed; what was confirmed is in %s",
                       r->inputs->path);
    if (good && r->trap.length)
        return es_fail(err, ES_EXPECTATION, "the target stopped at %s; what it did until then is in %s", r->trap.text,
                       r->inputs->path);
    return good;
}

int es_record_inputs(es_common_options *options, const es_inputs_options *inputs)
{
    es_error err = {0};
    run r = {.options = options, .inputs = inputs};
    es_cli_catch_signals();
    r.symbols = es_symbols_open(options->access.program, &err);
    bool good = r.symbols && record(&r, &err);
    if (r.recording)
        es_recording_close(r.recording, NULL, NULL);
    es_keyframes_free(r.keyframes);
    es_replay_free(r.replay);
    es_input_recorder_free(r.recorder);
    es_transport_close(r.probe.transport);
    es_access_close(&options->access);
    es_text_free(&r.trap);
    es_symbols_close(r.symbols);
    return good ? ES_OK : es_cli_fail(&err);
}
