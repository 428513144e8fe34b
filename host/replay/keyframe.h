/* Keyframes: where a replay can go on from, as a block of a recording; with what was decided in the part before.
 *
 * Their distance: a moment is reached by executing up to ES_KEYFRAME_INSTRUCTIONS, or ES_KEYFRAME_TOKENS of inputs,
 * from the keyframe before it. */
#ifndef ES_REPLAY_KEYFRAME_H
#define ES_REPLAY_KEYFRAME_H

#include "base/bytes.h"
#include "replay/replay.h"

#define ES_KEYFRAME_VERSION 1u
#define ES_KEYFRAME_INSTRUCTIONS (UINT64_C(1) << 24) /* 50 ms at 300 million instructions a second */
#define ES_KEYFRAME_TOKENS (UINT64_C(1) << 16)
#define ES_KEYFRAME_LARGEST (UINT64_C(1) << 26) /* bytes, before compression: larger ones are not written */

enum es_keyframe_base { ES_KEYFRAME_START, ES_KEYFRAME_PREVIOUS };

typedef struct es_keyframe {
    uint64_t moment, time; /* of a last one: the recording's end */
    uint64_t tokens;       /* of the part before it */
    es_choice *choices;    /* made in the part before it; the caller's */
    size_t choice_count;
    bool last;   /* the recording's end: summary and failed are there, and the rest is not */
    bool failed; /* the replay has ended before the stream */
    es_replay_summary summary;
    es_replay_place place; /* where to go on */
    enum es_keyframe_base
        base;               /* the machine's state is a difference to: that before the first instruction, or the last
                                   keyframe's */
    const uint8_t *machine; /* es_machine_snapshot_pack's bytes */
    size_t machine_size;
} es_keyframe;

/* Adds the keyframe's bytes but for those of the machine, which are to follow. */
void es_keyframe_pack(const es_keyframe *keyframe, es_bytes *out);
/* False: it is none, or of another version. `machine` points into the bytes. `choices` are to be freed. */
bool es_keyframe_unpack(es_keyframe *keyframe, const uint8_t *bytes, size_t size);

#endif
