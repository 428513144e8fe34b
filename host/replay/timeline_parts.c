/* The segments of a timeline, and what of their keyframes is needed. A keyframe that is not as it was written is left
 * out, and what lies before and after it replayed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "replay/timeline_private.h"

size_t es_timeline_segment(const es_timeline *timeline, uint64_t moment)
{
    size_t first = 0, end = timeline->count;
    while (end - first > 1) {
        size_t middle = first + (end - first) / 2;
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there are as many as `count` says */
        if (timeline->segments[middle].first > moment)
            end = middle;
        else
            first = middle;
    }
    return first;
}

/* --- all of them ----------------------------------------------------------------------------- */

void es_timeline_free_segments(es_timeline *timeline)
{
    for (size_t i = 0; i < timeline->count; i++) {
        es_timeline_free_stops(&timeline->segments[i]);
        es_machine_snapshot_free(timeline->segments[i].snapshot);
        free(timeline->segments[i].choices);
    }
    timeline->count = 0;
    timeline->snapshot_bytes = 0;
    timeline->run_part.segment = timeline->time_part.segment = NO_SEGMENT;
}

static es_segment_part *add_segment(es_timeline *t, uint64_t first, size_t keyframe)
{
    if (t->count == t->room) {
        t->room = t->room ? 2 * t->room : 64;
        t->segments = es_realloc(t->segments, t->room * sizeof *t->segments);
    }
    if (t->count)
        t->segments[t->count - 1].end = first;
    es_segment_part *s = &t->segments[t->count++];
    *s = (es_segment_part){.first = first, .end = UINT64_MAX, .keyframe = keyframe};
    return s;
}

void es_timeline_make_segments(es_timeline *timeline)
{
    es_timeline *t = timeline;
    es_timeline_free_segments(t);
    es_segment_part *s = add_segment(t, 0, NO_KEYFRAME);
    s->placed = s->place.clear = true;
    for (size_t i = 0; i < ES_REPLAY_TIMERS; i++)
        s->place.state.compare[i] = UINT64_MAX;
    t->last_block = NO_KEYFRAME;
    for (size_t i = 0; i < t->block_count; i++) {
        const es_recording_block *block = &t->blocks[i];
        if (t->damaged[i] || block->fetches <= t->segments[t->count - 1].first)
            continue;
        if (block->kind == ES_RECORDING_KEYFRAME && t->last_block == NO_KEYFRAME)
            add_segment(t, block->fetches, i);
        if (block->kind == ES_RECORDING_LAST)
            t->last_block = i;
    }
    if (t->last_block != NO_KEYFRAME)
        t->segments[t->count - 1].end = t->blocks[t->last_block].fetches;
    t->lost = true;
}

/* --- one keyframe ---------------------------------------------------------------------------- */

/* The keyframe's block before a block; NO_KEYFRAME: there is none. */
static size_t keyframe_before(const es_timeline *t, size_t block)
{
    while (block-- > 0)
        if (t->blocks[block].kind == ES_RECORDING_KEYFRAME)
            return block;
    return NO_KEYFRAME;
}

static bool damaged(es_timeline *t, size_t block)
{
    t->damaged[block] = true;
    return false;
}

/* False: it is damaged, and marked as such. The choices are to be freed. */
static bool load(es_timeline *t, size_t block, es_bytes *bytes, es_keyframe *keyframe)
{
    const es_recording_block *b = &t->blocks[block];
    if (t->damaged[block])
        return false;
    if (!es_recording_load(t->reader, b, bytes) || !es_keyframe_unpack(keyframe, bytes->data, bytes->size))
        return damaged(t, block);
    if (keyframe->last == (b->kind == ES_RECORDING_LAST) && keyframe->moment == b->fetches &&
        keyframe->place.offset <= t->stream_size)
        return true;
    free(keyframe->choices);
    return damaged(t, block);
}

static bool take_place(es_timeline *t, size_t segment)
{
    es_segment_part *s = &t->segments[segment];
    es_bytes bytes = {0};
    es_keyframe keyframe = {0};
    if (s->placed)
        return true;
    s->placed = load(t, s->keyframe, &bytes, &keyframe);
    if (s->placed) {
        s->place = keyframe.place;
        free(keyframe.choices);
    }
    es_bytes_free(&bytes);
    return s->placed;
}

/* The block with what was decided in a segment; NO_KEYFRAME: none has it. */
static size_t choices_block(const es_timeline *t, size_t segment)
{
    bool last = segment + 1 == t->count;
    size_t block = last ? t->last_block : t->segments[segment + 1].keyframe;
    return block != NO_KEYFRAME && keyframe_before(t, block) == t->segments[segment].keyframe &&
                   (segment == 0 || t->segments[segment].keyframe != NO_KEYFRAME)
               ? block
               : NO_KEYFRAME;
}

static bool take_choices(es_timeline *t, size_t segment, size_t block)
{
    es_segment_part *s = &t->segments[segment];
    es_bytes bytes = {0};
    es_keyframe keyframe = {0};
    bool good = load(t, block, &bytes, &keyframe);
    es_bytes_free(&bytes);
    if (!good)
        return false;
    if (!keyframe.last && keyframe.place.offset < s->place.offset) {
        free(keyframe.choices);
        return damaged(t, block);
    }
    s->choices = keyframe.choices;
    s->choice_count = keyframe.choice_count;
    s->tokens = keyframe.tokens;
    s->chosen = true;
    if (keyframe.last) {
        t->end = keyframe.moment;
        t->end_time = keyframe.time;
        t->summary = keyframe.summary;
        t->failed = keyframe.failed;
    } else {
        s[1].place = keyframe.place;
        s[1].placed = true;
    }
    return true;
}

/* --- snapshots: from the first one that is a difference to the start, one by one ---------------------------------- */

typedef struct link {
    es_bytes bytes;
    es_keyframe keyframe;
    size_t block;
} link;

static const es_machine_snapshot *loaded(const es_timeline *t, size_t block)
{
    const es_segment_part *s = &t->segments[es_timeline_segment(t, t->blocks[block].fetches)];
    return s->keyframe == block ? s->snapshot : NULL;
}

/* Snapshot of the chain's first link; the last link's base is `base`. */
static es_machine_snapshot *unpack(es_timeline *t, const link *links, size_t count, const es_machine_snapshot *base)
{
    es_machine_snapshot *made = NULL;
    for (size_t i = count; i-- > 0;) {
        const es_keyframe *keyframe = &links[i].keyframe;
        es_machine_snapshot *next =
            es_machine_snapshot_unpack(keyframe->machine, keyframe->machine_size, made ? made : base);
        es_machine_snapshot_free(made);
        if (next && es_machine_snapshot_fetches(next) == keyframe->moment) {
            made = next;
            continue;
        }
        es_machine_snapshot_free(next);
        damaged(t, links[i].block);
        return NULL;
    }
    return made;
}

static bool take_snapshot(es_timeline *t, size_t segment)
{
    es_segment_part *s = &t->segments[segment];
    const es_machine_snapshot *base = NULL;
    link *links = NULL;
    size_t count = 0, block = s->keyframe;
    bool good = true;
    if (segment == 0 || s->snapshot)
        return true;
    while (good && !base) {
        links = es_realloc(links, (count + 1) * sizeof *links);
        links[count] = (link){.block = block};
        good = block != NO_KEYFRAME && load(t, block, &links[count].bytes, &links[count].keyframe);
        if (good && links[count].keyframe.base == ES_KEYFRAME_START) {
            base = t->start;
        } else if (good) {
            block = keyframe_before(t, block);
            base = block == NO_KEYFRAME ? NULL : loaded(t, block);
        }
        count++;
    }
    s->snapshot = good ? unpack(t, links, count, base) : NULL;
    for (size_t i = 0; i < count; i++) {
        es_bytes_free(&links[i].bytes);
        free(links[i].keyframe.choices);
    }
    free(links);
    if (!s->snapshot)
        return damaged(t, s->keyframe); /* it is a difference to something that is not known */
    t->snapshot_bytes += es_machine_snapshot_size(s->snapshot);
    return true;
}

/* --- ready ----------------------------------------------------------------------------------- */

/* What is written down of a segment. False: something of it is damaged. */
static bool take_written(es_timeline *t, size_t segment, bool with_snapshot)
{
    if (!take_place(t, segment))
        return false;
    size_t block = t->segments[segment].chosen ? NO_KEYFRAME : choices_block(t, segment);
    if (block != NO_KEYFRAME && !take_choices(t, segment, block))
        return false;
    if (segment + 1 < t->count && !take_place(t, segment + 1))
        return false;
    return !(with_snapshot || !t->segments[segment].chosen) || take_snapshot(t, segment);
}

size_t es_timeline_ready(es_timeline *timeline, uint64_t moment, bool with_snapshot, es_error *err)
{
    for (;;) {
        size_t segment = es_timeline_segment(timeline, moment);
        if (!take_written(timeline, segment, with_snapshot)) {
            es_timeline_make_segments(timeline);
            continue;
        }
        if (timeline->segments[segment].chosen)
            return segment;
        timeline->lost = true;
        if (!es_timeline_replay(timeline, segment, err))
            return NO_SEGMENT;
        const es_segment_part *next = segment + 1 < timeline->count ? &timeline->segments[segment + 1] : NULL;
        if (next && next->keyframe != NO_KEYFRAME && timeline->damaged[next->keyframe])
            es_timeline_make_segments(timeline); /* it was found not to be one */
    }
}
