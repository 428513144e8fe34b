/* What the files of this room share. */
#ifndef ES_REPLAYED_PRIVATE_H
#define ES_REPLAYED_PRIVATE_H

#include "replay/pace.h"
#include "replay/shadow.h"
#include "replayed/replayed.h"
#include "softprobe/target.h"

enum { REPLAYED_TIME_BITS = 16 }; /* of the probe's time between two epochs: deadlines are noticed at an epoch's end */

struct es_replayed {
    es_replay_program program;
    es_session_console console;
    const es_replayed_stream *stream;
    void *context;
    es_replay *replay;
    es_machine_listener machine;
    es_softprobe_target target;
    es_bus_parts *parts; /* in place of stream and replay: the recording is executed in parts */
    const es_bus_part *part;
    size_t access_at, cell_at, pace_at, beat_at; /* in it, the next ones */
    uint64_t clock;                              /* that heartbeats have confirmed so far */
    const es_replayed_begin *begin;              /* where the probe is to begin; NULL: it has, or at the start */
    es_timeline *past;                           /* ... and what stands there */
    bool all;                                    /* the recording's end was reached */
    es_text_buffer text;
    es_shadow_tracker *shadows; /* NULL: there are no cells */
    es_replay_pace pace;
    uint64_t first;       /* moment at which the probe has begun */
    uint64_t fetch, time; /* of the instruction that is being told */
    uint64_t quiet;       /* the probe has heard that nothing came before this time */
    uint32_t pc;
    enum es_target_state state; /* of the target, as its stream says */
    bool began;                 /* something was told */
    bool exited;                /* the program wrote its exit code */
    int exit_code;
};

/* bus.c: what happens on the target's bus, at es_replayed.time. */
void es_replayed_access(es_replayed *r, const es_machine_access *access);
/* ... to a shadow cell, whose word is marked (es_shadow_tracker_marked). */
void es_replayed_assigned(es_replayed *r, const es_machine_access *access);
void es_replayed_moved(es_replayed *r, const es_machine_access *access);

/* --- replayed_parts.c: with es_replayed.parts --- */

enum es_target_state es_replayed_advance_parts(es_replayed *r, uint64_t until);
const char *es_replayed_parts_text(es_replayed *r); /* why it ended */
/* Of the whole recording. False: not all of it was executed. */
bool es_replayed_parts_summary(const es_replayed *r, es_replay_summary *summary);

#endif
