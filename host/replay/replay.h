/* From the input stream to confirmed execution.
 *
 * A replay takes a stream's bytes as they come. With each heartbeat it executes what came since the last one: first
 * without being heard; where the heartbeat's counts and sums agree, once more for whoever listens. So nothing is told
 * that no heartbeat has confirmed. Where the stream leaves open what happened (which interrupt of several it was,
 * what a
 * counter held), that is unknown to the machine until the way on depends on it; then the alternatives are tried, from
 * snapshots, and what the heartbeats refute is dropped. */
#ifndef ES_REPLAY_REPLAY_H
#define ES_REPLAY_REPLAY_H

#include "replay/program.h"
#include "replay/run.h"

typedef struct es_replay es_replay;

/* A moment whose time is told by the stream: instruction `fetches` was fetched at `time` (exact), or not before it, and
 * the one before it not after it. In clocks of the tap. */
typedef struct es_replay_anchor {
    uint64_t fetches, time;
    bool exact;
} es_replay_anchor;

/* Where a replay can go on from, besides the machine's state: between two heartbeats' stretches. */
typedef struct es_replay_place {
    uint64_t offset;                  /* bytes of the stream before it: whole tokens */
    uint64_t last_fetches, last_time; /* of the heartbeat before it */
    es_replay_anchor anchors[2];      /* the last ones before it */
    uint8_t anchor_count;             /* 0 to 2 of them */
    bool began;                       /* after BEGIN */
    bool clear;                       /* no token before it is still to be used: only from such a one can it go on */
    es_execution_state state;         /* cursor 0 */
} es_replay_place;

/* A part of the execution that is settled: nothing of it changes any more. It begins where the last one ended. */
typedef struct es_replay_piece {
    uint64_t first, end;           /* moments */
    uint64_t time;                 /* of the heartbeat that ends it */
    es_replay_place place;         /* at its begin */
    es_machine_snapshot *snapshot; /* the same; the receiver may take it, and sets it to NULL then */
    const es_stream_token *tokens; /* of its execution */
    size_t token_count;
    const es_choice *choices;
    size_t choice_count;
    const es_replay_anchor *anchors;
    size_t anchor_count;
} es_replay_piece;

/* Who wants to know. Each may be NULL. All come from es_replay_push and es_replay_finish. */
typedef struct es_replay_listener {
    /* Instructions [first, end) are confirmed: they are executed now, for the machine's listener. */
    void (*confirmed)(void *context, uint64_t first, uint64_t end);
    const es_machine_listener *machine; /* of confirmed instructions only */
    /* others have changed memory; the machine still has what was before */
    void (*poked)(void *context, uint32_t address, uint32_t word, uint8_t lanes);
    void (*restarted)(void *context); /* the target was reset: before the instruction that is told next */
    void (*piece)(void *context, es_replay_piece *piece);
    void *context;
} es_replay_listener;

typedef struct es_replay_summary {
    uint64_t bytes, tokens, heartbeats, inputs, interrupts, restarts, changed_memory, clocks;
    uint64_t fetches, time;          /* confirmed so far */
    uint64_t attempts;               /* executions of a stretch with other alternatives */
    uint64_t found[ES_CHOICE_KINDS]; /* alternatives that the heartbeats have told apart */
    uint64_t open[ES_CHOICE_KINDS];  /* ... that stayed unknown, as nothing depended on them */
} es_replay_summary;

/* NULL and *err: the machine cannot be made. */
es_replay *es_replay_new(const es_replay_program *program, const es_replay_listener *listener, es_error *err);
void es_replay_free(es_replay *replay);

/* Before anything is pushed: it goes on from there, and takes the stream from place->offset on. The snapshot is of a
 * machine of the same program, and stays the caller's. */
void es_replay_resume(es_replay *replay, const es_replay_place *place, const es_machine_snapshot *snapshot);

/* False: the replay has ended, now or before; es_replay_ended tells why. */
bool es_replay_push(es_replay *replay, const uint8_t *bytes, size_t size);

/* Something of the stream was lost: what comes after it cannot be replayed. */
void es_replay_lost(es_replay *replay, const char *why);

/* Nothing more comes. */
void es_replay_finish(es_replay *replay);

/* NULL: it goes on. Else how it ended, in words: "the target was stopped", or where and why it ends. */
const char *es_replay_ended(const es_replay *replay);
bool es_replay_failed(const es_replay *replay); /* it ended before the stream did */

es_replay_summary es_replay_get_summary(const es_replay *replay);

/* The machine, which may be looked at from the listener's calls. */
es_machine *es_replay_machine(es_replay *replay);

/* Time of an instruction's fetch between anchors, which ascend: [*low, *high]. */
void es_replay_time_between(const es_replay_anchor *anchors, size_t count, uint64_t fetch, uint64_t *low,
                            uint64_t *high);

#endif
