#include "access/open.h"

#include "access/fit.h"
#include "access/live.h"
#include "access/simulated.h"
#include "byte_port.h"
#include "probe/boot.h"
#include "replay/vectors.h"
#include "sim_options.h"
#include "symbols/shadows.h"

#define WORTH_TELLING 50000000u /* instructions that are evaluated before a stretch: a second */

/* --- the probe ------------------------------------------------------------------------------------ */

static bool make_simulation(es_access *access, const es_symbols *symbols, const es_session_console *console,
                            es_error *err)
{
    es_sim_config config = {.world = ES_SIM_BYTES, .ratio = access->ratio, .seed = access->seed};
    if (!es_sim_options_parse(access->choice.name, &config.shared, err))
        return false;
    if (console) {
        config.on_console = console->take;
        config.context = console->context;
    }
    if (access->sim) /* of a session that goes over to the replay */
        es_sim_free(access->sim);
    access->sim = es_sim_new(&config, err);
    return access->sim && es_fit_load(access->sim, symbols, access->program, err) &&
           es_fit_cores(symbols, access->program, config.shared.cores, err);
}

static bool open_simulation(es_access *access, const es_symbols *symbols, const es_session_console *console,
                            es_session_probe *probe, es_error *err)
{
    if (!make_simulation(access, symbols, console, err))
        return false;
    probe->transport = es_transport_sim(access->sim);
    probe->target = &es_simulated_target;
    probe->target_context = access->sim;
    probe->origin = ES_ORIGIN_SIMULATED;
    return true;
}

static es_transport *take_early(es_access *access, es_error *err)
{
    es_transport *transport = access->early ? access->early : es_choice_open(&access->choice, err);
    access->early = NULL;
    return transport;
}

static bool open_transport(es_access *access, es_session_probe *probe, es_error *err)
{
    probe->transport = take_early(access, err);
    probe->recorded = access->choice.probe == ES_PROBE_FILE;
    probe->origin = probe->recorded ? ES_ORIGIN_RECORDING : ES_ORIGIN_HARDWARE;
    return probe->transport;
}

/* --- the replay ------------------------------------------------------------------------------------ */

static void nobody(void *context, const es_event *event)
{
    (void)context, (void)event;
}

/* Memory as the probe takes it. */
static bool ask_probe(es_access *access, es_error *err)
{
    es_probe_info info;
    access->early = es_choice_open(&access->choice, err);
    es_link *link = access->early ? es_link_new(access->early, nobody, NULL) : NULL;
    bool good = link && es_probe_info_read(link, &info, err);
    if (good && !(info.config & ES_CONFIG_RECORDER))
        good =
            es_fail(err, ES_USAGE,
                    "this probe has no recorder of inputs, so nothing can be evaluated on the replay: load a bitstream "
                    "that was built with RECORDER=1 (docs/replay.md)");
    es_link_free(link);
    if (!good)
        return false;
    return es_replay_window(&access->replay, info.window_base, info.window_size, err);
}

static bool add_quiet(const es_access *access, es_replay_program *program, es_error *err)
{
    for (size_t i = 0; i < access->quiet_count; i++)
        if (!es_replay_add_quiet(program, access->quiet[i], err))
            return false;
    return true;
}

bool es_access_target(const es_access *access, const es_symbols *symbols, es_replay_program *program, es_error *err)
{
    es_sim_shared shared;
    if (access->choice.probe != ES_PROBE_SIM) {
        es_replay_processor(program, symbols, access->processor);
        return add_quiet(access, program, err);
    }
    if (!es_sim_options_parse(access->choice.name, &shared, err))
        return false;
    es_replay_reference(program, symbols);
    if (shared.core)
        es_replay_begins_at(program, ES_TARGET_OTHERS_BASE);
    return add_quiet(access, program, err);
}

static bool learn_program(es_access *access, const es_symbols *symbols, es_error *err)
{
    switch (access->choice.probe) {
    case ES_PROBE_SIM:
        if (!es_access_target(access, symbols, &access->replay, err))
            return false;
        break;
    case ES_PROBE_REPLAY:
        access->recording = es_recording_open(access->choice.name, err);
        return access->recording &&
               es_recording_program(es_recording_get_info(access->recording), symbols, &access->replay, err);
    case ES_PROBE_FILE:
        return es_fail(err, ES_USAGE,
                       "what a probe sent to the statements of another run cannot be replayed: record its "
                       "inputs");
    default:
        if (!es_access_target(access, symbols, &access->replay, err) || !ask_probe(access, err))
            return false;
    }
    es_error why = {0}; /* *err may be of an attempt before */
    if (es_vectors_find(&access->replay, &why) || why.code == ES_OK)
        return true;
    *err = why;
    return false;
}

bool es_access_shadows(void *context, const es_symbols *symbols, uint32_t *base, uint32_t *size, es_error *err)
{
    es_access *access = context;
    if (!learn_program(access, symbols, err))
        return false;
    es_replayed_shadows(&access->replay, base, size);
    return true;
}

/* --- a stretch of a recording ----------------------------------------------------------------------- */

static bool find_times(const es_access *access, es_timeline *timeline, es_session_probe *probe, es_error *err)
{
    uint64_t hz = es_timeline_hz(timeline);
    if ((access->has_from && !es_replay_moment_clock(timeline, hz, &access->from, &probe->from, err)) ||
        !es_replay_moment_within(timeline, hz, probe->from, err) ||
        (access->has_to && !es_replay_moment_clock(timeline, hz, &access->to, &probe->to, err)))
        return false;
    return !access->has_to || probe->from < probe->to ||
           es_fail(err, ES_USAGE, "--from is not before --to: nothing lies between them");
}

/* Where its evaluation begins: options->begin, or from the start on; probe->earlier says why, where that is late. */
static bool find_begin(es_access *access, const es_symbols *symbols, es_session_probe *probe,
                       es_replayed_options *options, es_error *err)
{
    const char *why = probe->remembers;
    es_timeline *timeline = es_timeline_open(access->choice.name, symbols, err);
    if (!timeline || !find_times(access, timeline, probe, err)) {
        es_timeline_close(timeline);
        return false;
    }
    if (!es_recording_has_keyframes(access->choice.name))
        why = "the recording has no keyframes (earshot record --index)";
    if (!why && es_replayed_begin_find(&access->begin, timeline, symbols, probe->from, &why)) {
        options->begin = &access->begin;
        options->past = timeline;
        return true;
    }
    if (es_replay_moment_before(timeline, probe->from) > WORTH_TELLING)
        probe->earlier = why;
    es_timeline_close(timeline);
    return true;
}

static bool open_replay(es_access *access, const es_symbols *symbols, const es_session_console *console,
                        es_session_probe *probe, es_error *err)
{
    es_replayed_options options = {.program = &access->replay, .console = console};
    uint64_t clock_hz = 0;
    if (access->record)
        return es_fail(
            err, ES_USAGE,
            "--record keeps what a probe sends to statements that it evaluates itself, and these are evaluated "
            "on the replay: keep the run with `earshot record --inputs FILE`, which takes any statements later");
    if (access->recording) {
        clock_hz = es_recording_get_info(access->recording)->clock_hz;
        if ((access->has_from || access->has_to) && !find_begin(access, symbols, probe, &options, err))
            return false;
        if (es_recording_has_keyframes(access->choice.name))
            options.parts =
                es_bus_parts_open(&(es_bus_parts_options){.path = access->choice.name,
                                                          .symbols = symbols,
                                                          .jobs = access->jobs,
                                                          .first = options.begin ? options.begin->moment : 0},
                                  err);
        else
            options.context = es_recorded_new(access->recording);
        if (!options.parts)
            es_timeline_close(options.past);
        options.stream = options.parts ? NULL : &es_recorded_stream;
        access->recording = options.parts ? access->recording : NULL;
    } else {
        if (access->choice.probe == ES_PROBE_SIM && !make_simulation(access, symbols, NULL, err))
            return false;
        es_transport *transport = access->sim ? es_transport_sim(access->sim) : take_early(access, err);
        options.stream = &es_live_stream;
        options.context = transport ? es_live_open(transport, access->sim, &access->replay, err) : NULL;
    }
    access->replayed = options.context || options.parts ? es_replayed_new(&options, err) : NULL;
    if (!access->replayed)
        return false;
    es_session_probe opened = es_replayed_probe(access->replayed);
    probe->transport = opened.transport;
    probe->target = opened.target;
    probe->target_context = opened.target_context;
    probe->clock_hz = clock_hz;
    probe->origin = access->choice.probe == ES_PROBE_SIM      ? ES_ORIGIN_SIMULATED
                    : access->choice.probe == ES_PROBE_REPLAY ? ES_ORIGIN_RECORDING
                                                              : ES_ORIGIN_HARDWARE;
    probe->live = access->choice.probe != ES_PROBE_SIM && access->choice.probe != ES_PROBE_REPLAY;
    return true;
}

/* --- either ---------------------------------------------------------------------------------------- */

bool es_access_open(void *context, const es_symbols *symbols, const es_session_console *console,
                    es_session_probe *probe, es_error *err)
{
    es_access *access = context;
    if (probe->replay)
        return open_replay(access, symbols, console, probe, err);
    bool open = access->choice.probe == ES_PROBE_SIM ? open_simulation(access, symbols, console, probe, err)
                                                     : open_transport(access, probe, err);
    if (!open || !access->record)
        return open;
    es_transport *recorder = es_transport_record(probe->transport, access->record, err);
    if (recorder)
        probe->transport = recorder;
    return recorder;
}

void es_access_close(es_access *access)
{
    es_replayed_free(access->replayed);
    es_recording_reader_free(access->recording);
    es_transport_close(access->early);
    if (access->sim)
        es_sim_free(access->sim);
    access->sim = NULL;
    access->replayed = NULL;
    access->recording = NULL;
    access->early = NULL;
}
