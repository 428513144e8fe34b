#include "replay/keyframes.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "replay/keyframe.h"
#include "replay/recording_private.h"

struct es_keyframes {
    es_recording *recording;
    uint64_t instructions, inputs; /* from one keyframe to the next */
    es_machine_snapshot *start, *last; /* last: of the keyframe before; NULL: it is the start */
    es_choice *choices;                /* since that */
    size_t choice_count, choice_room;
    uint64_t tokens;                   /* since that */
    uint64_t due_moment, due_tokens;   /* where the last one was due, and since then */
    uint64_t end, end_time;         /* of all pieces */
    uint64_t full_size, since_full; /* bytes of the last one that is a difference to the start; of those after it */
    uint64_t written;
    bool failed;
    es_error error;
    es_bytes bytes;
};

es_keyframes *es_keyframes_new(es_recording *recording)
{
    es_keyframes *k = es_malloc(sizeof *k);
    memset(k, 0, sizeof *k);
    k->recording = recording;
    k->instructions = ES_KEYFRAME_INSTRUCTIONS;
    k->inputs = ES_KEYFRAME_TOKENS;
    return k;
}

void es_keyframes_set_distance(es_keyframes *keyframes, uint64_t instructions, uint64_t tokens)
{
    keyframes->instructions = instructions;
    keyframes->inputs = tokens;
}

void es_keyframes_free(es_keyframes *keyframes)
{
    if (!keyframes)
        return;
    es_machine_snapshot_free(keyframes->start);
    es_machine_snapshot_free(keyframes->last);
    es_bytes_free(&keyframes->bytes);
    free(keyframes->choices);
    free(keyframes);
}

static void add_choices(es_keyframes *k, const es_choice *choices, size_t count)
{
    if (k->choice_count + count > k->choice_room) {
        k->choice_room = 2 * (k->choice_count + count);
        k->choices = es_realloc(k->choices, k->choice_room * sizeof *k->choices);
    }
    if (count)
        memcpy(k->choices + k->choice_count, choices, count * sizeof *choices);
    k->choice_count += count;
}

static void write(es_keyframes *k, uint32_t kind, const es_keyframe *keyframe)
{
    uint64_t before = es_recording_size(k->recording);
    k->failed = k->failed || !es_recording_put(k->recording, kind, k->bytes.data, k->bytes.size, keyframe->moment,
                                               keyframe->time, &k->error);
    k->written += es_recording_size(k->recording) - before;
}

/* As a difference to the keyframe before; but when those since the last one from the start have become larger than that
 * one, from the start: so what is read for a keyframe is at most twice as much as needed. */
static bool pack(es_keyframes *k, es_keyframe *keyframe, const es_machine_snapshot *snapshot)
{
    bool full = !k->last || k->since_full > k->full_size;
    keyframe->base = full ? ES_KEYFRAME_START : ES_KEYFRAME_PREVIOUS;
    k->bytes.size = 0;
    es_keyframe_pack(keyframe, &k->bytes);
    size_t head = k->bytes.size;
    es_machine_snapshot_pack(snapshot, full ? k->start : k->last, &k->bytes);
    if (k->bytes.size > ES_KEYFRAME_LARGEST)
        return false;
    uint64_t size = k->bytes.size - head;
    k->full_size = full ? size : k->full_size;
    k->since_full = full ? 0 : k->since_full + size;
    return true;
}

static void add_keyframe(es_keyframes *k, es_replay_piece *piece)
{
    es_keyframe keyframe = {.moment = piece->first,
                            .time = piece->place.last_time,
                            .tokens = k->tokens,
                            .choices = k->choices,
                            .choice_count = k->choice_count,
                            .place = piece->place};
    k->due_tokens = 0;
    k->due_moment = piece->first;
    if (!pack(k, &keyframe, piece->snapshot)) /* the next one may be smaller */
        return;
    write(k, ES_RECORDING_KEYFRAME, &keyframe);
    k->choice_count = 0;
    k->tokens = 0;
    es_machine_snapshot_free(k->last);
    k->last = piece->snapshot;
    piece->snapshot = NULL;
}

void es_keyframes_piece(void *context, es_replay_piece *piece)
{
    es_keyframes *k = context;
    bool affordable = k->written <= es_recording_size(k->recording) - k->written + ES_KEYFRAMES_FREE;
    if (!k->start) {
        k->start = piece->snapshot;
        piece->snapshot = NULL;
    } else if (piece->place.clear && affordable &&
               (piece->first - k->due_moment >= k->instructions || k->due_tokens >= k->inputs)) {
        add_keyframe(k, piece);
    }
    add_choices(k, piece->choices, piece->choice_count);
    k->tokens += piece->token_count;
    k->due_tokens += piece->token_count;
    k->end = piece->end;
    k->end_time = piece->time;
}

bool es_keyframes_finish(es_keyframes *keyframes, es_error *err)
{
    es_keyframes *k = keyframes;
    es_keyframe keyframe = {.moment = k->end,
                            .time = k->end_time,
                            .tokens = k->tokens,
                            .choices = k->choices,
                            .choice_count = k->choice_count,
                            .last = true};
    k->bytes.size = 0;
    es_keyframe_pack(&keyframe, &k->bytes);
    if (k->end && k->bytes.size <= ES_KEYFRAME_LARGEST)
        write(k, ES_RECORDING_LAST, &keyframe);
    if (k->failed && err)
        *err = k->error;
    return !k->failed;
}
