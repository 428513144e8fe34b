/* What the files of a timeline share. */
#ifndef ES_REPLAY_TIMELINE_PRIVATE_H
#define ES_REPLAY_TIMELINE_PRIVATE_H

#include "replay/keyframe.h"
#include "replay/recording_private.h"
#include "replay/replay.h"
#include "replay/timeline.h"

/* A snapshot within a segment, kept while moving. */
typedef struct es_timeline_stop {
    uint64_t moment;
    es_execution_state state;
    size_t choice;
    es_machine_snapshot *snapshot;
} es_timeline_stop;

/* A part of the recording. What is known of it comes from keyframes when it is needed, or from a replay. */
typedef struct es_segment_part {
    uint64_t first, end; /* moments; end of the last one: UINT64_MAX while it is not known */
    size_t keyframe;     /* of its begin: number of its block; NO_KEYFRAME: it comes from a replay, or is the start */
    bool placed;         /* `place` is known */
    bool chosen;         /* `choices` and `tokens` are known */
    es_replay_place place;
    es_machine_snapshot *snapshot; /* at its begin; NULL: not loaded */
    es_choice *choices;
    size_t choice_count;
    uint64_t tokens; /* the recording's last segment: so many are its */
    es_timeline_stop *stops;
    size_t stop_count;
} es_segment_part;

#define NO_KEYFRAME SIZE_MAX
#define NO_SEGMENT SIZE_MAX
#define ES_TIMELINE_SNAPSHOT_BYTES (UINT64_C(1) << 30) /* of all snapshots: beyond, there are fewer of them */

/* What of a segment's stream is used: decoded for one segment at a time. */
typedef struct es_timeline_decoded {
    size_t segment; /* NO_SEGMENT: nothing is decoded */
    es_stream_token *tokens;
    size_t token_count, token_room;
    es_replay_anchor *anchors;
    size_t anchor_count, anchor_room;
} es_timeline_decoded;

struct es_timeline {
    es_recording_reader *reader;
    es_recording_block *blocks;
    size_t block_count;
    bool *damaged; /* by block: it is not as it was written */
    uint64_t stream_size;
    es_bytes block; /* the one that was read last of the stream */
    size_t block_at;

    es_replay_program program;
    es_execution run;
    es_segment_part *segments;
    size_t count, room;
    es_machine_snapshot *start; /* before the first instruction */
    size_t last_block;          /* that tells the end of what is confirmed; NO_KEYFRAME: none does */
    size_t at;                  /* the segment where the machine is */
    size_t choice;              /* of it, the next one */
    bool lost;                  /* segments have changed since: the machine has to be put to its place anew */
    es_timeline_decoded run_part, time_part;
    void (*changed)(void *context, uint32_t address, uint32_t word, uint8_t lanes); /* NULL: nobody wants to know */
    void *changed_context;
    void (*restarted)(void *context); /* NULL: the same */
    void *restarted_context;
    size_t snapshot_bytes; /* of stops */
    uint64_t end, end_time, clock_hz;
    char ended[640];
    bool whole;                /* ... as whoever wrote it says */
    es_replay_summary summary; /* with last_block */
    bool failed;
};

/* --- timeline_stream.c --- */

/* Decodes a segment that is ready. False: a block of it is damaged. */
bool es_timeline_decode(es_timeline *timeline, es_timeline_decoded *part, size_t segment, es_error *err);
/* The stream's bytes from an offset to the block's end. False: there are none, or they are damaged. */
bool es_timeline_bytes(es_timeline *timeline, uint64_t offset, const uint8_t **bytes, size_t *size);
void es_timeline_decoded_free(es_timeline_decoded *part);

/* --- timeline_parts.c --- */

/* From the blocks: a segment for each keyframe that is not known to be damaged. */
void es_timeline_make_segments(es_timeline *timeline);
void es_timeline_free_segments(es_timeline *timeline);
/* The segment with a moment, with all that is needed to execute it; with its begin's snapshot where that is asked for.
 * May change all segments: timeline->lost. NO_SEGMENT and *err: the recording cannot be replayed there. */
size_t es_timeline_ready(es_timeline *timeline, uint64_t moment, bool with_snapshot, es_error *err);
/* The last segment that begins at a moment or before it. */
size_t es_timeline_segment(const es_timeline *timeline, uint64_t moment);

/* --- timeline_replay.c --- */

void es_timeline_free_stops(es_segment_part *segment);
/* Replays a segment whose choices are not known, from its begin, which is ready; it may become several. Where the next
 * one turns out to begin nowhere, that is marked as damaged, and nothing changed. False: it cannot be replayed, with
 * *err. */
bool es_timeline_replay(es_timeline *timeline, size_t segment, es_error *err);

#endif
