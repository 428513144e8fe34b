/* What the files of a timeline share. */
#ifndef ES_REPLAY_TIMELINE_PRIVATE_H
#define ES_REPLAY_TIMELINE_PRIVATE_H

#include "replay/replay.h"
#include "replay/timeline.h"

/* A part of the recording, with what was found out of it. */
typedef struct es_segment_part {
    uint64_t first, end;           /* moments */
    uint64_t time;                 /* no token of it is before that */
    es_execution_state state;      /* at its begin */
    es_machine_snapshot *snapshot; /* the same; NULL: from an earlier one */
    uint8_t *bytes;                /* tokens, as in a stream: numbers modulo 2^32 */
    size_t size, room;
    es_choice *choices;
    size_t choice_count;
    es_replay_anchor *anchors;
    size_t anchor_count;
} es_segment_part;

struct es_timeline {
    es_replay_program program;
    es_execution run;
    es_segment_part *segments;
    size_t count;
    size_t at;     /* the segment where the machine is */
    size_t choice; /* of it, the next one */
    es_stream_token *tokens;
    size_t token_room;
    uint64_t end, end_time, segment_size, clock_hz;
    size_t snapshot_bytes;
    char ended[640];
};

/* The last segment that begins at a moment or before it. */
es_segment_part *es_timeline_segment(es_timeline *timeline, uint64_t moment);

/* Puts the machine to a segment's begin. */
void es_timeline_go_to_segment(es_timeline *timeline, size_t segment);

#endif
