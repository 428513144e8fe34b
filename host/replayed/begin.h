/* A probe in software that begins in the middle of a recording, with memory and calls as one has them that has heard
 * it from its start. */
#ifndef ES_REPLAYED_BEGIN_H
#define ES_REPLAYED_BEGIN_H

#include "replay/timeline.h"
#include "replayed/stack.h"
#include "softprobe/softprobe.h"

#define ES_BEGIN_DEPTH 256u

typedef struct es_replayed_begin {
    uint64_t moment, time; /* where, and when by the clock of hits */
    es_called calls[ES_BEGIN_DEPTH];
    size_t count;
} es_replayed_begin;

/* The last moment at which it can begin so that all that happens at `clock` or later is told as if it had begun at the
 * start. False: there is none but the start, and *why says why, in words. Moves the timeline to it. */
bool es_replayed_begin_find(es_replayed_begin *begin, es_timeline *timeline, const es_symbols *symbols, uint64_t clock,
                            const char **why);

/* Puts the probe there, whose program and image are loaded. The timeline is where the one before has left it. */
void es_replayed_begin_tell(const es_replayed_begin *begin, es_timeline *timeline, const es_symbols *symbols,
                            const es_replay_program *program, es_softprobe *probe);

#endif
