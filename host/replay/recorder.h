/* A probe's recorder: set up, started, its bytes taken, stopped. */
#ifndef ES_REPLAY_RECORDER_H
#define ES_REPLAY_RECORDER_H

#include "probe/boot.h"
#include "replay/program.h"

typedef struct es_input_recorder es_input_recorder;

/* Who takes the stream: from the recorder's BEGIN on, at the target's reset. Called from es_input_recorder_pump and
 * es_input_recorder_stop. */
typedef struct es_input_recorder_sink {
    void (*take)(void *context, const uint8_t *bytes, size_t size);
    void (*lost)(void *context, const char *why); /* frames are missing: what comes after them cannot be replayed */
    void *context;
} es_input_recorder_sink;

#define ES_RECORDER_PERIOD 13u /* heartbeats each 2^13 clocks: 0.8 ms at 10 MHz */

/* Loads the program into the probe's phantom memory. program->regions becomes what the probe takes as memory. loaded:
 * the target's memory has the program's data, too, as of a simulated one. Fails with ES_PROBE where the probe has no
 * recorder, ES_USAGE where the program does
 * not lie in its window. The transport stays the caller's. */
es_input_recorder *es_input_recorder_open(es_transport *transport, es_replay_program *program, bool loaded,
                                          const es_input_recorder_sink *sink, es_error *err);
void es_input_recorder_free(es_input_recorder *recorder);

/* Tells it the vectors, and starts it: before the target starts. period: log2 of the clocks between heartbeats, 8 to
 * 24. */
bool es_input_recorder_start(es_input_recorder *recorder, const es_replay_program *program, unsigned period,
                             es_error *err);

/* Takes what has come, for at most timeout_ms. 1: something; 0: nothing; -1: it failed. A recorder that hears a running
 * target is started anew when that is quiet, until it is heard from its reset on. */
int es_input_recorder_pump(es_input_recorder *recorder, int timeout_ms, es_error *err);

bool es_input_recorder_has_begun(const es_input_recorder *recorder); /* heard the target's reset */
bool es_input_recorder_hears(const es_input_recorder *recorder);     /* ... or a target that runs already */
bool es_input_recorder_has_ended(const es_input_recorder *recorder); /* by itself, or when it was stopped */

/* For a heartbeat, to which all that was heard by then can be replayed: a quiet bus brings none by itself. */
bool es_input_recorder_ask(es_input_recorder *recorder, es_error *err);

/* A last heartbeat, and the stream's end. */
bool es_input_recorder_stop(es_input_recorder *recorder, es_error *err);

#endif
