/* How a session comes to the probe that the user means. */
#ifndef ES_ACCESS_OPEN_H
#define ES_ACCESS_OPEN_H

#include "access/choice.h"
#include "replay/moment.h"
#include "replayed/recorded.h"
#include "session/session.h"
#include "sim.h"

typedef struct es_access {
    es_probe_choice choice;
    const char *program;              /* path of the ELF, which a simulated target runs */
    const char *record;               /* file for the probe's bytes, or NULL */
    unsigned ratio;                   /* sim: probe clocks per bus clock, 0 elastic */
    unsigned jobs;                    /* threads that execute a recording with keyframes; 0: one for each processor */
    uint32_t seed;                    /* sim: of the target's random numbers */
    enum es_processor_name processor; /* of a replay: not sim's */
    es_replay_region quiet[ES_REPLAY_QUIET]; /* memory beyond the probe's window, for the replay */
    size_t quiet_count;
    bool has_from, has_to; /* a stretch of a recording of inputs alone is told: [from, to) */
    es_replay_moment from, to;
    es_sim *sim;         /* private, as all that follows: NULL at first */
    es_transport *early; /* opened to learn what the probe has */
    es_recording_reader *recording;
    es_replayed *replayed;
    es_replayed_begin begin;  /* of `replayed` */
    es_replay_program replay; /* of the replay, once es_access_shadows was asked */
} es_access;

/* What is known of the target before its probe is asked: of a simulated one its core that is heard, else --processor.
 * Fails with ES_USAGE where the simulation's options are wrong. */
bool es_access_target(const es_access *access, const es_symbols *symbols, es_replay_program *program, es_error *err);

/* es_session_options.shadows; the context is an es_access. */
bool es_access_shadows(void *context, const es_symbols *symbols, uint32_t *base, uint32_t *size, es_error *err);

/* es_session_options.open; the context is an es_access. */
bool es_access_open(void *context, const es_symbols *symbols, const es_session_console *console,
                    es_session_probe *probe, es_error *err);

/* After the session: what it did not close. */
void es_access_close(es_access *access);

#endif
