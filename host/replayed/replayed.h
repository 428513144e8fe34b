/* A replayed target that a probe in software hears: what sessions run on when they are to see through registers.
 *
 * The input stream of a recorder goes in, from a probe or from a recording. What heartbeats have confirmed is executed
 * for the probe in software, which evaluates the statements; what is in no memory it hears as writes to shadow cells
 * (docs/replay.md). To a session it is a target that it runs itself. */
#ifndef ES_REPLAYED_REPLAYED_H
#define ES_REPLAYED_REPLAYED_H

#include "replay/replay.h"
#include "replayed/begin.h"
#include "replayed/parts.h"
#include "session/session.h"

typedef struct es_replayed es_replayed;

/* Where the stream comes from. */
typedef struct es_replayed_stream {
    /* Gives what comes next of it to es_replay_push or _lost: about so many of the target's clocks, or what comes
     * within a moment. Not RUNNING: nothing more comes, and all was given. The program's exit code is what the
     * replay tells, where it does. */
    enum es_target_state (*more)(void *context, es_replay *replay, uint64_t clocks);
    /* TRAPPED, OVER, GONE: why, in words */
    const char *(*trap_text)(void *context);
    /* Frees it; NULL: nothing to do. */
    void (*close)(void *context);
} es_replayed_stream;

typedef struct es_replayed_options {
    const es_replay_program *program;
    const es_session_console *console; /* what the reference target writes to its console; NULL: nobody wants to know */
    const es_replayed_stream *stream;
    void *context; /* the stream's, which is closed with it in all cases */
    es_bus_parts
        *parts; /* in place of the stream: a recording with keyframes, executed by several threads. It is closed in
                        all cases, too; it fills shadow cells itself */
    const es_replayed_begin *begin; /* where the parts begin; outlives it. NULL: at the start */
    es_timeline *past; /* with `begin`: as es_replayed_begin_find has left it. Closed with it in all cases */
} es_replayed_options;

/* Where shadow cells may be for a program: beyond all its memory. To be used before its statements are compiled
 * (es_symbols_use_shadows). */
void es_replayed_shadows(const es_replay_program *program, uint32_t *base, uint32_t *size);

/* NULL and *err. The shadow cells that its symbols have now are filled: statements are compiled before. */
es_replayed *es_replayed_new(const es_replayed_options *options, es_error *err);
void es_replayed_free(es_replayed *replayed);

/* What a session takes; its transport belongs to this. */
es_session_probe es_replayed_probe(es_replayed *replayed);

#endif
