#include "replay/timeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "replay/recording.h"
#include "replay/timeline_private.h"

#define SEGMENT (1u << 21)        /* instructions between two snapshots, about */
#define SNAPSHOT_BYTES (1u << 30) /* of all snapshots together; beyond, there are fewer of them */

static es_choice choose(void *context, const es_alternatives *a, uint64_t fetches)
{
    es_timeline *t = context;
    const es_segment_part *s = &t->segments[t->at];
    if (t->choice < s->choice_count && s->choices[t->choice].kind == a->kind &&
        s->choices[t->choice].fetches == fetches)
        return s->choices[t->choice++];
    return (es_choice){.kind = a->kind, .fetches = fetches, .value = a->value[0], .unknown = a->unknown[0]};
}

/* --- opening: the whole recording is replayed ------------------------------------------------- */

static void *grown(void *items, size_t count, size_t more, size_t size)
{
    return es_realloc(items, (count + more + 1) * size);
}

static void add_bytes(es_segment_part *s, const es_stream_token *tokens, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (s->size + ES_TOKEN_LARGEST > s->room) {
            s->room = s->room ? 2 * s->room : 256;
            s->bytes = es_realloc(s->bytes, s->room);
        }
        s->size += es_stream_token_put(s->bytes + s->size, &tokens[i]);
    }
}

/* Every second snapshot goes: its part is executed from the one before. */
static void thin(es_timeline *t)
{
    size_t kept = 0;
    t->snapshot_bytes = 0;
    for (size_t i = 0; i < t->count; i++) {
        es_segment_part *s = &t->segments[i];
        if (!s->snapshot)
            continue;
        if (kept++ & 1) {
            es_machine_snapshot_free(s->snapshot);
            s->snapshot = NULL;
        } else {
            t->snapshot_bytes += es_machine_snapshot_size(s->snapshot);
        }
    }
    t->segment_size *= 2;
}

static void add_piece(void *context, es_replay_piece *piece)
{
    es_timeline *t = context;
    es_segment_part *s = t->count ? &t->segments[t->count - 1] : NULL;
    if (!s || piece->end - s->first > t->segment_size) {
        t->segments = grown(t->segments, t->count, 1, sizeof *t->segments);
        s = &t->segments[t->count++];
        *s = (es_segment_part){
            .first = piece->first, .state = piece->state, .time = t->end_time, .snapshot = piece->snapshot};
        piece->snapshot = NULL;
        t->snapshot_bytes += es_machine_snapshot_size(s->snapshot);
        if (t->snapshot_bytes > SNAPSHOT_BYTES)
            thin(t);
    }
    add_bytes(s, piece->tokens, piece->token_count);
    s->choices = grown(s->choices, s->choice_count, piece->choice_count, sizeof *s->choices);
    memcpy(s->choices + s->choice_count, piece->choices, piece->choice_count * sizeof *s->choices);
    s->choice_count += piece->choice_count;
    s->anchors = grown(s->anchors, s->anchor_count, piece->anchor_count, sizeof *s->anchors);
    memcpy(s->anchors + s->anchor_count, piece->anchors, piece->anchor_count * sizeof *s->anchors);
    s->anchor_count += piece->anchor_count;
    s->end = piece->end;
    t->end = piece->end;
    t->end_time = piece->time;
}

static void replay_all(es_timeline *t, es_recording_reader *reader, es_replay *replay)
{
    const uint8_t *bytes;
    const char *ended = NULL;
    size_t size;
    while (es_recording_next(reader, &bytes, &size, &ended))
        if (!es_replay_push(replay, bytes, size) && es_replay_failed(replay))
            break;
    bool whole = !es_replay_failed(replay);
    es_replay_finish(replay);
    snprintf(t->ended, sizeof t->ended, "%s", whole && ended ? ended : es_replay_ended(replay));
}

es_timeline *es_timeline_open(const char *path, const es_symbols *symbols, es_error *err)
{
    es_recording_reader *reader = es_recording_open(path, err);
    if (!reader)
        return NULL;
    es_timeline *t = es_malloc(sizeof *t);
    memset(t, 0, sizeof *t);
    t->segment_size = SEGMENT;
    t->clock_hz = es_recording_get_info(reader)->clock_hz;
    es_replay_listener listener = {.piece = add_piece, .context = t};
    es_replay *replay = NULL;
    t->run.choose = choose;
    t->run.context = t;
    if (es_recording_program(es_recording_get_info(reader), symbols, &t->program, err) &&
        es_execution_begin(&t->run, &t->program, err))
        replay = es_replay_new(&t->program, &listener, err);
    if (replay)
        replay_all(t, reader, replay);
    es_recording_reader_free(reader);
    if (replay && t->count) {
        es_replay_free(replay);
        es_timeline_go_to_segment(t, 0);
        return t;
    }
    if (replay)
        es_fail(err, ES_USAGE, "%s holds no confirmed execution: %s", path, t->ended);
    es_replay_free(replay);
    es_timeline_close(t);
    return NULL;
}

void es_timeline_close(es_timeline *timeline)
{
    if (!timeline)
        return;
    for (size_t i = 0; i < timeline->count; i++) {
        es_machine_snapshot_free(timeline->segments[i].snapshot);
        free(timeline->segments[i].bytes);
        free(timeline->segments[i].choices);
        free(timeline->segments[i].anchors);
    }
    free(timeline->segments);
    free(timeline->tokens);
    es_execution_free(&timeline->run);
    free(timeline);
}

/* --- what is known of it ---------------------------------------------------------------------- */

uint64_t es_timeline_end(const es_timeline *timeline)
{
    return timeline->end;
}

const char *es_timeline_ended(const es_timeline *timeline)
{
    return timeline->ended;
}

uint64_t es_timeline_hz(const es_timeline *timeline)
{
    return timeline->clock_hz;
}

es_machine *es_timeline_machine(es_timeline *timeline)
{
    return timeline->run.machine;
}

uint64_t es_timeline_now(const es_timeline *timeline)
{
    return es_machine_fetches(timeline->run.machine);
}

void es_timeline_time(es_timeline *timeline, uint64_t moment, uint64_t *low, uint64_t *high)
{
    const es_segment_part *s = es_timeline_segment(timeline, moment);
    es_replay_time_between(s->anchors, s->anchor_count, moment, low, high);
    if (*high == UINT64_MAX) /* after all that is known */
        *high = *low > timeline->end_time ? *low : timeline->end_time;
}

uint64_t es_timeline_moment(es_timeline *timeline, uint64_t clocks)
{
    uint64_t first = 0, end = timeline->end + 1;
    while (end - first > 1) {
        uint64_t middle = first + (end - first) / 2, low, high;
        es_timeline_time(timeline, middle, &low, &high);
        if (low > clocks)
            end = middle;
        else
            first = middle;
    }
    return first;
}
