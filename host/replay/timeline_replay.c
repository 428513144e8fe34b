/* Segments for which no keyframe tells what was decided: they are replayed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "replay/timeline_private.h"

#define SLICE ((size_t)1 << 14) /* bytes of the stream between two looks at whether it is enough */

typedef struct replaying {
    es_timeline *timeline;
    size_t segment;
    uint64_t until; /* the next segment's moment; UINT64_MAX: to the recording's end */
    es_segment_part *parts;
    size_t count;
    uint64_t end, end_time;
    bool done, missed; /* missed: at the next segment's moment nothing is settled: it is not what it seems */
} replaying;

static void add_part(replaying *x, es_replay_piece *piece)
{
    const es_segment_part *s = &x->timeline->segments[x->segment];
    x->parts = es_realloc(x->parts, (x->count + 1) * sizeof *x->parts);
    es_segment_part *part = &x->parts[x->count++];
    *part = (es_segment_part){
        .first = piece->first, .keyframe = NO_KEYFRAME, .placed = true, .chosen = true, .place = piece->place};
    if (x->count == 1) {
        part->keyframe = s->keyframe;
    } else {
        part->snapshot = piece->snapshot;
        piece->snapshot = NULL;
        x->timeline->snapshot_bytes += es_machine_snapshot_size(part->snapshot);
    }
}

static void take_piece(void *context, es_replay_piece *piece)
{
    replaying *x = context;
    x->missed = x->missed || (!x->done && piece->first > x->until);
    x->done = x->done || piece->first >= x->until;
    if (x->done)
        return;
    const es_segment_part *last = x->count ? &x->parts[x->count - 1] : NULL;
    if (!last || (piece->place.clear && x->timeline->snapshot_bytes < ES_TIMELINE_SNAPSHOT_BYTES &&
                  (piece->first - last->first >= ES_KEYFRAME_INSTRUCTIONS || last->tokens >= ES_KEYFRAME_TOKENS)))
        add_part(x, piece);
    es_segment_part *part = &x->parts[x->count - 1];
    part->choices = es_realloc(part->choices, (part->choice_count + piece->choice_count + 1) * sizeof *part->choices);
    if (piece->choice_count)
        memcpy(part->choices + part->choice_count, piece->choices, piece->choice_count * sizeof *part->choices);
    part->choice_count += piece->choice_count;
    part->tokens += piece->token_count;
    part->end = x->end = piece->end;
    x->end_time = piece->time;
    x->done = x->end == x->until;
}

/* The parts take the segment's place. */
static void splice(replaying *x)
{
    es_timeline *t = x->timeline;
    size_t after = t->count - x->segment - 1;
    if (t->count + x->count > t->room) {
        t->room = 2 * (t->count + x->count);
        t->segments = es_realloc(t->segments, t->room * sizeof *t->segments);
    }
    es_segment_part *s = &t->segments[x->segment];
    x->parts[0].snapshot = s->snapshot;
    es_timeline_free_stops(s);
    free(s->choices);
    memmove(s + x->count, s + 1, after * sizeof *s);
    memcpy(s, x->parts, x->count * sizeof *s);
    t->count += x->count - 1;
    t->run_part.segment = t->time_part.segment = NO_SEGMENT;
    x->count = 0; /* they are the timeline's now */
}

/* Nothing after the last keyframe was confirmed. */
static void close_segment(replaying *x)
{
    es_timeline *t = x->timeline;
    es_segment_part *s = &t->segments[x->segment];
    s->chosen = true;
    s->tokens = 0;
    s->end = x->end = s->first;
    x->end_time = s->place.last_time;
}

static void replay_stream(replaying *x, es_replay *replay)
{
    es_timeline *t = x->timeline;
    uint64_t offset = t->segments[x->segment].place.offset;
    const uint8_t *bytes;
    size_t size;
    while (!x->done && !es_replay_ended(replay) && es_timeline_bytes(t, offset, &bytes, &size)) {
        size = size < SLICE ? size : SLICE;
        es_replay_push(replay, bytes, size);
        offset += size;
    }
    if (x->until != UINT64_MAX)
        return;
    bool ended = es_replay_ended(replay) != NULL;
    es_replay_finish(replay);
    if (es_replay_failed(replay))
        snprintf(t->ended, sizeof t->ended, "%s", es_replay_ended(replay));
    else if (!ended && offset < t->stream_size)
        snprintf(t->ended, sizeof t->ended, "the recording is damaged there");
}

static bool take_result(replaying *x, const es_replay *replay, es_error *err)
{
    es_timeline *t = x->timeline;
    if (x->until == UINT64_MAX) {
        if (x->count)
            splice(x);
        else
            close_segment(x);
        t->end = x->end;
        t->end_time = x->end_time;
        return true;
    }
    if (x->missed) {
        t->damaged[t->segments[x->segment + 1].keyframe] = true;
        es_timeline_make_segments(t);
        return true;
    }
    if (x->done && x->count) {
        splice(x);
        return true;
    }
    const char *ended = es_replay_ended(replay);
    return es_fail(err, ES_USAGE, "the recording cannot be replayed after instruction %" PRIu64 ": %s",
                   x->count ? x->end : t->segments[x->segment].first,
                   ended ? ended : "a block of its input stream is damaged");
}

bool es_timeline_replay(es_timeline *timeline, size_t segment, es_error *err)
{
    es_timeline *t = timeline;
    es_segment_part *s = &t->segments[segment];
    replaying x = {
        .timeline = t, .segment = segment, .until = segment + 1 < t->count ? t->segments[segment + 1].first : UINT64_MAX};
    es_replay_listener listener = {.piece = take_piece, .context = &x};
    es_replay *replay = es_replay_new(&t->program, &listener, err);
    if (!replay)
        return false;
    if (segment) /* else it begins as ever */
        es_replay_resume(replay, &s->place, s->snapshot);
    replay_stream(&x, replay);
    bool good = take_result(&x, replay, err);
    for (size_t i = 0; i < x.count; i++) {
        es_machine_snapshot_free(x.parts[i].snapshot);
        free(x.parts[i].choices);
    }
    free(x.parts);
    es_replay_free(replay);
    return good;
}
