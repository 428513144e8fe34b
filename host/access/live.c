#include "access/live.h"

#include <stdlib.h>

#include "access/simulated.h"
#include "base/arena.h"
#include "replay/recorder.h"

#define PUMP_MS 20 /* that a target that runs by itself is waited for at a time */
#define SIM_BYTES 4096u
#define SIM_CLOCKS (UINT64_C(1) << ES_RECORDER_PERIOD) /* of a simulated target at a time: until the next heartbeat */

struct es_live {
    es_transport *transport;
    es_sim *sim;
    es_input_recorder *recorder;
    es_replay *replay; /* while `more` is at work */
    bool started;
    bool came;  /* something, since the simulated target went on last */
    bool quiet; /* nothing did the time before: it sleeps, perhaps */
    es_error wrong;
};

static void take(void *context, const uint8_t *bytes, size_t size)
{
    es_live *live = context;
    live->came = true;
    if (live->replay)
        es_replay_push(live->replay, bytes, size);
}

static void lost(void *context, const char *why)
{
    es_live *live = context;
    if (live->replay)
        es_replay_lost(live->replay, why);
}

static void live_close(void *context)
{
    es_live *live = context;
    es_error ignored;
    if (live->started && !live->sim && !live->wrong.text[0] && !es_transport_gone(live->transport) &&
        !es_input_recorder_has_ended(live->recorder)) /* it would go on, and take its share of the link */
        es_input_recorder_stop(live->recorder, &ignored);
    es_input_recorder_free(live->recorder);
    es_transport_close(live->transport);
    free(live);
}

es_live *es_live_open(es_transport *transport, es_sim *sim, es_replay_program *program, es_error *err)
{
    es_live *live = es_malloc(sizeof *live);
    *live = (es_live){.transport = transport, .sim = sim};
    const es_input_recorder_sink sink = {take, lost, live};
    live->recorder = es_input_recorder_open(transport, program, sim, &sink, err);
    if (live->recorder && es_input_recorder_start(live->recorder, program, ES_RECORDER_PERIOD, err))
        return live;
    live_close(live);
    return NULL;
}

/* All that has come; a simulated probe has more as soon as it was asked for. */
static bool pump(es_live *live)
{
    int timeout = live->sim ? 0 : PUMP_MS, got;
    do {
        got = es_input_recorder_pump(live->recorder, timeout, &live->wrong);
        timeout = 0;
    } while (got > 0);
    return got == 0;
}

/* A simulated target goes on until about the next heartbeat. While its bus is quiet none comes by itself, and without
 * one the replay's time would stand still. */
static bool go_on(es_live *live, uint64_t clocks, enum es_target_state *state)
{
    live->came = false;
    *state = es_simulated_target.step(live->sim, clocks < SIM_CLOCKS || live->quiet ? clocks : SIM_CLOCKS, SIM_BYTES);
    if (!pump(live))
        return false;
    live->quiet = !live->came;
    if (!live->quiet || *state != ES_TARGET_RUNNING || !es_input_recorder_has_begun(live->recorder) ||
        es_input_recorder_has_ended(live->recorder))
        return true;
    return es_input_recorder_ask(live->recorder, &live->wrong) && pump(live);
}

static enum es_target_state more(void *context, es_replay *replay, uint64_t clocks)
{
    es_live *live = context;
    enum es_target_state state = ES_TARGET_RUNNING;
    live->replay = replay;
    if (live->sim && !live->started)
        es_simulated_target.start(live->sim);
    live->started = true;
    bool good = live->sim ? go_on(live, clocks, &state) : pump(live);
    if (!good || (state != ES_TARGET_RUNNING && !es_input_recorder_stop(live->recorder, &live->wrong))) {
        es_replay_lost(replay, live->wrong.text);
        if (es_transport_gone(live->transport))
            state = ES_TARGET_GONE;
        state = state == ES_TARGET_RUNNING ? ES_TARGET_OVER : state;
    }
    if (!live->sim && es_input_recorder_has_ended(live->recorder))
        state = ES_TARGET_OVER;
    live->replay = NULL;
    return state;
}

static const char *trap_text(void *context)
{
    const es_live *live = context;
    return live->wrong.text[0] ? live->wrong.text
           : live->sim         ? es_simulated_target.trap_text(live->sim)
                               : "the recorder has stopped";
}

const es_replayed_stream es_live_stream = {more, trap_text, live_close};
