/* Keyframes for a recording that is written: from a replay that runs beside it. */
#ifndef ES_REPLAY_KEYFRAMES_H
#define ES_REPLAY_KEYFRAMES_H

#include "replay/recording.h"
#include "replay/replay.h"

/* Together, keyframes have no more bytes than the stream's blocks, and this: where memory changes so much that this is
 * not enough, they are further apart. */
#define ES_KEYFRAMES_FREE (UINT64_C(1) << 22)

typedef struct es_keyframes es_keyframes;

/* The recording outlives it, and gets the stream's bytes from the caller, before or after the replay does. */
es_keyframes *es_keyframes_new(es_recording *recording);
void es_keyframes_free(es_keyframes *keyframes);

/* Another distance than usual, for tests: the next one after so many instructions or tokens. */
void es_keyframes_set_distance(es_keyframes *keyframes, uint64_t instructions, uint64_t tokens);

/* As es_replay_listener.piece: context is the keyframes. */
void es_keyframes_piece(void *context, es_replay_piece *piece);

/* After the last piece: the recording's end, and what the replay has come to. False: this or a keyframe before could
 * not be written. */
bool es_keyframes_finish(es_keyframes *keyframes, const es_replay *replay, es_error *err);

#endif
