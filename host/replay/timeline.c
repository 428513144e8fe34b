#include "replay/timeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "replay/timeline_private.h"

static es_choice choose(void *context, const es_alternatives *a, uint64_t fetches)
{
    es_timeline *t = context;
    const es_segment_part *s = &t->segments[t->at];
    if (t->choice < s->choice_count && s->choices[t->choice].kind == a->kind &&
        s->choices[t->choice].fetches == fetches)
        return s->choices[t->choice++];
    return (es_choice){.kind = a->kind, .fetches = fetches, .value = a->value[0], .unknown = a->unknown[0]};
}

/* --- opening: nothing is executed but what no keyframe tells ---------------------------------- */

/* How it ended, as whoever wrote it says. */
static void read_end(es_timeline *t)
{
    es_bytes text = {0};
    snprintf(t->ended, sizeof t->ended, "the recording is cut off there");
    const es_recording_block *last = t->block_count ? &t->blocks[t->block_count - 1] : NULL;
    if (last && last->kind == ES_RECORDING_ENDED && es_recording_load(t->reader, last, &text)) {
        snprintf(t->ended, sizeof t->ended, "%.*s", (int)text.size, text.size ? (const char *)text.data : "");
        t->whole = true;
    }
    es_bytes_free(&text);
}

static bool read_blocks(es_timeline *t, es_error *err)
{
    if (!es_recording_list(t->reader, &t->blocks, &t->block_count, err))
        return false;
    t->damaged = es_malloc(t->block_count + 1);
    memset(t->damaged, 0, t->block_count + 1);
    for (size_t i = 0; i < t->block_count; i++)
        t->stream_size += t->blocks[i].kind == ES_RECORDING_BYTES ? t->blocks[i].raw : 0;
    read_end(t);
    return true;
}

static bool open_timeline(es_timeline *t, const char *path, const es_symbols *symbols, es_error *err)
{
    t->reader = es_recording_open(path, err);
    if (!t->reader || !es_recording_program(es_recording_get_info(t->reader), symbols, &t->program, err) ||
        !es_execution_begin(&t->run, &t->program, err) || !read_blocks(t, err))
        return false;
    t->clock_hz = es_recording_get_info(t->reader)->clock_hz;
    t->start = es_machine_save(t->run.machine);
    es_timeline_make_segments(t);
    if (es_timeline_ready(t, UINT64_MAX, false, err) == NO_SEGMENT)
        return false;
    if (!t->end)
        return es_fail(err, ES_USAGE, "%s holds no confirmed execution: %s", path, t->ended);
    return es_timeline_seek(t, 0, err);
}

es_timeline *es_timeline_open(const char *path, const es_symbols *symbols, es_error *err)
{
    es_timeline *t = es_malloc(sizeof *t);
    memset(t, 0, sizeof *t);
    t->block_at = SIZE_MAX;
    t->run_part.segment = t->time_part.segment = NO_SEGMENT;
    t->run.choose = choose;
    t->run.context = t;
    if (open_timeline(t, path, symbols, err))
        return t;
    es_timeline_close(t);
    return NULL;
}

void es_timeline_close(es_timeline *timeline)
{
    if (!timeline)
        return;
    es_timeline_free_segments(timeline);
    es_timeline_decoded_free(&timeline->run_part);
    es_timeline_decoded_free(&timeline->time_part);
    es_machine_snapshot_free(timeline->start);
    es_execution_free(&timeline->run);
    es_recording_reader_free(timeline->reader);
    es_bytes_free(&timeline->block);
    free(timeline->segments);
    free(timeline->blocks);
    free(timeline->damaged);
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

static void poked(void *context, uint32_t address, uint32_t word, uint8_t lanes)
{
    es_timeline *t = context;
    t->changed(t->changed_context, address, word, lanes);
}

void es_timeline_hear_changes(es_timeline *timeline,
                              void (*changed)(void *context, uint32_t address, uint32_t word, uint8_t lanes),
                              void *context)
{
    timeline->changed = changed;
    timeline->changed_context = context;
    timeline->run.poked = changed ? poked : NULL;
}

static void restarted(void *context)
{
    es_timeline *t = context;
    t->restarted(t->restarted_context);
}

void es_timeline_hear_restarts(es_timeline *timeline, void (*heard)(void *context), void *context)
{
    timeline->restarted = heard;
    timeline->restarted_context = context;
    timeline->run.restarted = heard ? restarted : NULL;
}

uint64_t es_timeline_now(const es_timeline *timeline)
{
    return es_machine_fetches(timeline->run.machine);
}

bool es_timeline_has_keyframes(const es_timeline *timeline)
{
    for (size_t i = 0; i < timeline->block_count; i++)
        if (timeline->blocks[i].kind == ES_RECORDING_LAST)
            return true;
    return false;
}

uint64_t es_timeline_border(const es_timeline *timeline, uint64_t moment)
{
    size_t segment = es_timeline_segment(timeline, moment);
    uint64_t end = timeline->segments[segment].end;
    return segment + 1 == timeline->count || end > timeline->end ? timeline->end : end;
}

bool es_timeline_anchors(es_timeline *timeline, uint64_t moment, const es_replay_anchor **anchors, size_t *count,
                         es_error *err)
{
    size_t segment = es_timeline_ready(timeline, moment, false, err);
    if (segment == NO_SEGMENT || !es_timeline_decode(timeline, &timeline->time_part, segment, err))
        return false;
    *anchors = timeline->time_part.anchors;
    *count = timeline->time_part.anchor_count;
    return true;
}

bool es_timeline_summary(const es_timeline *timeline, es_replay_summary *summary, bool *failed)
{
    *summary = timeline->summary;
    *failed = timeline->failed;
    return timeline->last_block != NO_KEYFRAME;
}

bool es_timeline_is_whole(const es_timeline *timeline)
{
    return timeline->whole;
}

void es_timeline_time(es_timeline *timeline, uint64_t moment, uint64_t *low, uint64_t *high)
{
    es_error err;
    size_t segment = es_timeline_ready(timeline, moment, false, &err);
    *low = 0;
    *high = UINT64_MAX;
    if (segment != NO_SEGMENT && es_timeline_decode(timeline, &timeline->time_part, segment, &err))
        es_replay_time_between(timeline->time_part.anchors, timeline->time_part.anchor_count, moment, low, high);
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
