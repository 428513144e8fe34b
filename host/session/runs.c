/* The three ways to run: simulation, hardware, replay of a recording. */
#include <math.h>
#include <stdio.h>

#include "base/times.h"
#include "session/private.h"

#define MATCH_S 0.2              /* between looks at the program that the target runs */
#define MATCH_REST_S 0.5         /* for the rest of them, in the end */
#define SIM_STEP_CLOCKS 100000u  /* between looks at signals: 10 ms of the target's time */
#define FRAMELESS_MAX (4u << 20) /* bytes of a recording before its first frame */
#define REPLAY_BYTES 65536       /* read at once */
#define SIM_STEP_BYTES 64u       /* about a hit: it is shown before the target goes on */
#define REPLAY_REST_S 1.0        /* that the replay of a live target may be late */

/* --- running ------------------------------------------------------------------------------------ */

/* What came of a command. A probe that does not answer may only stand still for a while: then, too, the run goes on. */
static bool goes_on(session *s, bool answered)
{
    if (!answered && es_link_silent(s->link)) {
        if (!s->stands_still)
            es_session_warn(
                s, "the probe does not answer: it, or the line to it, has stalled. Monitoring continues; ^C ends it");
        s->stands_still = true;
        return true;
    }
    if (answered && s->stands_still) {
        es_session_warn(s, "the probe answers again");
        s->stands_still = false;
    }
    return answered;
}

/* Looks for another program in the target than the one on the host: one command. */
static bool match_program(session *s, es_error *err)
{
    es_mismatch mismatch;
    int matches = s->summary.mismatch ? 1 : es_match_step(s->match, &mismatch, err);
    if (matches == 0) {
        const char *file;
        unsigned line;
        char place[256] = "";
        s->summary.mismatch = true;
        if (es_symbols_line(s->symbols, mismatch.address, &file, &line))
            snprintf(place, sizeof place, " (%s:%u)", file, line);
        es_session_warn(s,
                        "the target does not run %s: at 0x%08x%s it has 0x%08x, not 0x%08x. What is reported may be "
                        "wrong; load this program into the target, or give the ELF file of the one that is in it",
                        es_session_program_name(s), (unsigned)mismatch.address, place, (unsigned)mismatch.found,
                        (unsigned)mismatch.expected);
    }
    return goes_on(s, matches >= 0);
}

static bool look_at_clock(session *s, bool now, es_error *err)
{
    return s->stands_still || goes_on(s, es_session_clock(s, now, err));
}

static bool ended(const session *s)
{
    return s->options->stop(s->options->context) || s->done /* by the action `stop`: nobody has asked */;
}

/* A recording is read on when there are enough hits: the closing figures come last. */
static bool stopped(const session *s)
{
    return s->enough || ended(s);
}

/* Takes all that has arrived. */
static bool take_arrived(session *s, es_error *err)
{
    int got;
    do
        got = es_session_groups_pump(s, 0, err);
    while (got > 0 && !stopped(s));
    return got >= 0 && es_session_check_fault(s, err);
}

/* Frames that the link damaged since `before`. Lost events among them are gaps; answers to commands were asked for
 * again. */
static void tell_damage(session *s, uint64_t before)
{
    uint64_t frames, bad;
    es_link_totals(s->link, &frames, &bad);
    if (bad > before)
        es_session_warn(
            s, "%llu of %llu frames %s damaged on the way from the probe: check its cable and the link's wires",
            (unsigned long long)(bad - before), (unsigned long long)frames, es_plural(bad - before, "was", "were"));
}

/* Until when hits are told, in the target's clocks: --for, which counts from --from on, and --to. */
static uint64_t last_clock(const session *s)
{
    uint64_t hz = s->options->clock_hz, to = s->probe.to ? s->probe.to : UINT64_MAX;
    uint64_t lasts = s->options->for_ns ? es_time_clocks(s->options->for_ns, hz) : UINT64_MAX;
    uint64_t end = lasts < UINT64_MAX - s->onset ? s->onset + lasts : UINT64_MAX;
    return to < end ? to : end;
}

static void tell_halt(session *s, enum es_target_state state)
{
    const char *file;
    unsigned line;
    uint32_t pc = s->probe.target->pc(s->probe.target_context);
    bool placed = es_symbols_line(s->symbols, pc, &file, &line);
    es_text_buffer place = {0};
    es_text_format(&place, pc || placed ? ", before 0x%08x" : "", (unsigned)pc);
    if (placed)
        es_text_format(&place, " (%s:%u)", file, line);
    const char *before = place.length ? place.text : "";
    const char *at = place.length ? place.text + sizeof ", before " - 1 : "its start";
    if (state == ES_TARGET_HALTED)
        es_session_note(s, "the target was halted at %s", at);
    if (state == ES_TARGET_TRAPPED)
        es_session_warn(s, "the target stopped at %s: %s", at, s->probe.target->trap_text(s->probe.target_context));
    if (state == ES_TARGET_LOST)
        es_session_warn(s, "%s%s: what the target did after that is not known",
                        s->probe.target->trap_text(s->probe.target_context), before);
    if (state == ES_TARGET_OVER)
        es_session_note(s, "%s%s", s->probe.target->trap_text(s->probe.target_context), before);
    es_text_free(&place);
}

/* What else the target has to say. */
static void tell_rest(session *s)
{
    es_text_buffer note = {0}, warning = {0};
    if (s->probe.target->tell)
        s->probe.target->tell(s->probe.target_context, &note, &warning);
    if (note.length)
        es_session_note(s, "%s", note.text);
    if (warning.length)
        es_session_warn(s, "%s", warning.text);
    es_text_free(&note);
    es_text_free(&warning);
}

bool es_session_run_simulation(session *s, es_error *err)
{
    const es_session_target *target = s->probe.target;
    void *context = s->probe.target_context;
    uint64_t limit = s->cutoff = last_clock(s);
    double end = s->probe.live && s->options->for_ns
                     ? es_session_wall_seconds() + (double)s->options->for_ns * 1e-9 + REPLAY_REST_S
                     : (double)INFINITY;
    if (s->probe.live)
        es_session_note(s, "waiting for the target's reset, from which on it is replayed: hold it for half a second");
    target->start(context);
    enum es_target_state state = ES_TARGET_RUNNING;
    while (state == ES_TARGET_RUNNING && !stopped(s) && target->cycles(context) < limit &&
           es_session_wall_seconds() < end) {
        uint64_t left = limit - target->cycles(context);
        state = target->step(context, left < SIM_STEP_CLOCKS ? left : SIM_STEP_CLOCKS, SIM_STEP_BYTES);
        if (!take_arrived(s, err))
            return false;
        es_session_progress(s);
    }
    s->summary.cycles = target->cycles(context);
    if (s->summary.cycles >
        limit) { /* a replayed target goes on to a heartbeat: what it did after the end is not told */
        s->summary.cycles = limit;
        state = ES_TARGET_RUNNING;
    }
    s->summary.exited = state == ES_TARGET_EXITED;
    s->summary.trapped = state == ES_TARGET_TRAPPED;
    s->summary.exit_code = s->summary.exited ? target->exit_code(context) : 0;
    if (state == ES_TARGET_EMPTY)
        return es_fail(err, ES_USAGE, "nothing of the target can be told by this recording: %s",
                       target->trap_text(context));
    tell_halt(s, state);
    tell_rest(s);
    if (state != ES_TARGET_GONE)
        return true;
    s->latest = s->summary.cycles > s->latest ? s->summary.cycles : s->latest;
    es_session_tell_link_loss(s, ES_NO_TIME);
    return es_fail(err, ES_PROBE, "%s", target->trap_text(context));
}

/* The rest of the program that the target runs, as far as there is time: for short runs. */
static bool match_rest(session *s, es_error *err)
{
    double end = es_session_wall_seconds() + MATCH_REST_S;
    for (size_t steps = es_match_steps(s->match); steps && es_session_wall_seconds() < end; steps--)
        if (!match_program(s, err))
            return false;
    return true;
}

bool es_session_run_hardware(session *s, es_error *err)
{
    uint64_t frames, bad;
    double start = es_session_wall_seconds(), next_match = start + MATCH_S;
    double end = s->options->for_ns ? start + (double)s->options->for_ns * 1e-9 : (double)INFINITY;
    es_link_totals(s->link, &frames, &bad);
    es_session_clock_begin(s);
    s->monitoring = true;
    while (!stopped(s) && es_session_wall_seconds() < end) {
        int got = es_link_pump(s->link, 50, err);
        es_session_note_latest(s);
        if (got == -1 && es_transport_gone(s->probe.transport)) {
            if (!es_session_resume(s, end, err))
                return false;
            continue;
        }
        if (got == -2)
            return es_fail(err, ES_PROBE, "the connection to the probe ended");
        if (got < 0 || !es_session_check_fault(s, err))
            return false;
        es_session_progress(s);
        if (!look_at_clock(s, false, err) && !es_transport_gone(s->probe.transport))
            return false;
        if (es_session_wall_seconds() < next_match)
            continue;
        if (!match_program(s, err) && !es_transport_gone(s->probe.transport))
            return false; /* a probe that is gone is seen above */
        next_match = es_session_wall_seconds() + MATCH_S;
    }
    bool gone = es_transport_gone(s->probe.transport);
    if (!gone && !look_at_clock(s, true, err) && !es_transport_gone(s->probe.transport))
        return false;
    gone = es_transport_gone(s->probe.transport);
    if (!gone && !s->stands_still && !match_rest(s, err) && !es_transport_gone(s->probe.transport))
        return false;
    s->monitoring = false;
    tell_damage(s, bad);
    return true;
}

/* --- replay: no probe to command; its answers are in the file -------------------------------------- */

typedef struct replay {
    session *s;
    es_error *err;
    bool failed;
} replay;

static void on_replayed(void *context, const es_event *event)
{
    replay *r = context;
    session *s = r->s;
    if (r->failed)
        return;
    if (event->kind == ES_EVENT_RESPONSE) {
        es_probe_info info;
        if (!s->built && event->word_count == 1 + ES_PROBE_INFO_WORDS && event->words[0] == ES_RESP_OK) {
            r->failed =
                !es_probe_info_take(&info, event->words + 1, r->err) || !es_session_build_image(s, &info, r->err);
            s->info = info;
            if (!r->failed)
                es_session_warn_of_image(s);
        }
        return;
    }
    if (!s->built) {
        r->failed =
            !es_fail(r->err, ES_USAGE, "%s: is not a recording from its start: the probe's description is missing",
                     s->options->probe_name);
        return;
    }
    es_session_event(s, event);
    if (event->kind == ES_EVENT_HELLO && !es_session_check_hello(s, r->err)) {
        r->err->code = ES_USAGE;
        r->failed = true;
    }
    s->listening = true;
}

/* What is no recording may never end: bytes without a frame are counted. */
static bool is_recording(session *s, const es_decoder *decoder, uint64_t *frameless, size_t got, es_error *err)
{
    uint64_t frames, bad;
    es_decoder_totals(decoder, &frames, &bad);
    *frameless = frames ? 0 : *frameless + got;
    return *frameless <= FRAMELESS_MAX ||
           es_fail(err, ES_USAGE, "%s: is not a recording: no frame of a probe is in its first %u MiB",
                   s->options->probe_name, FRAMELESS_MAX >> 20);
}

bool es_session_run_replay(session *s, es_error *err)
{
    replay context = {s, err, false};
    es_decoder *decoder = es_decoder_new(on_replayed, &context);
    if (!decoder)
        return es_fail(err, ES_PROBE, "out of memory");
    uint8_t bytes[REPLAY_BYTES];
    ssize_t got = 0;
    uint64_t frameless = 0;
    s->cutoff = last_clock(s);
    s->loaded = true;
    while (!context.failed && !ended(s) &&
           (got = es_transport_read(s->probe.transport, bytes, sizeof bytes, 0, err)) > 0) {
        es_decoder_push(decoder, bytes, (size_t)got);
        context.failed |= !is_recording(s, decoder, &frameless, (size_t)got, err);
    }
    if (got <= 0)
        es_decoder_finish(decoder);
    es_decoder_free(decoder);
    if (context.failed || got == -1)
        return false;
    if (!s->hello && !stopped(s))
        return es_fail(err, ES_USAGE, "%s: is not a recording of a run: no firmware reports in it",
                       s->options->probe_name);
    if (!s->hello && s->listening)
        es_session_warn(s,
                        "%s: the frame that tells whether it belongs to this program and these statements is damaged",
                        s->options->probe_name);
    return es_session_check_fault(s, err);
}
