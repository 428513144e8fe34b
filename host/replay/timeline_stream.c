/* A segment's part of the input stream: tokens to execute, and times. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/arena.h"
#include "replay/timeline_private.h"

void es_timeline_decoded_free(es_timeline_decoded *part)
{
    free(part->tokens);
    free(part->anchors);
    *part = (es_timeline_decoded){.segment = NO_SEGMENT};
}

/* The block of the stream with an offset; blocks that hold nothing of it are passed over. */
static size_t block_with(const es_timeline *t, uint64_t offset)
{
    size_t first = 0, end = t->block_count;
    while (first < end) { /* the first one that begins after it */
        size_t middle = first + (end - first) / 2;
        if (t->blocks[middle].offset > offset)
            end = middle;
        else
            first = middle + 1;
    }
    while (first > 0 && (t->blocks[first - 1].kind != ES_RECORDING_BYTES || !t->blocks[first - 1].raw))
        first--;
    return first ? first - 1 : SIZE_MAX;
}

bool es_timeline_bytes(es_timeline *timeline, uint64_t offset, const uint8_t **bytes, size_t *size)
{
    es_timeline *t = timeline;
    size_t at = block_with(t, offset);
    if (at == SIZE_MAX || t->damaged[at] || offset - t->blocks[at].offset >= t->blocks[at].raw)
        return false;
    if (t->block_at != at) {
        t->block_at = SIZE_MAX;
        if (!es_recording_load(t->reader, &t->blocks[at], &t->block)) {
            t->damaged[at] = true;
            return false;
        }
        t->block_at = at;
    }
    size_t skip = offset - t->blocks[at].offset;
    *bytes = t->block.data + skip;
    *size = t->block.size - skip;
    return true;
}

static uint64_t extend(uint64_t told, uint64_t from)
{
    return from + (uint32_t)((uint32_t)told - (uint32_t)from);
}

static void add_token(es_timeline_decoded *d, const es_stream_token *token)
{
    if (d->token_count == d->token_room) {
        d->token_room = d->token_room ? 2 * d->token_room : 1024;
        d->tokens = es_realloc(d->tokens, d->token_room * sizeof *d->tokens);
    }
    d->tokens[d->token_count++] = *token;
}

static void add_anchor(es_timeline_decoded *d, es_replay_anchor anchor)
{
    if (d->anchor_count == d->anchor_room) {
        d->anchor_room = d->anchor_room ? 2 * d->anchor_room : 256;
        d->anchors = es_realloc(d->anchors, d->anchor_room * sizeof *d->anchors);
    }
    d->anchors[d->anchor_count++] = anchor;
}

typedef struct decoding {
    es_timeline_decoded *part;
    uint64_t last_fetches, last_time, stream_end, tokens, end_time, *reset_time;
    bool done;
} decoding;

/* As es_replay takes them. After the segment's end, the next anchor is taken, too: it bounds times before it. */
static void take(decoding *d, es_stream_token *token, uint64_t offset)
{
    bool after = offset > d->stream_end;
    token->fetches = extend(token->fetches, d->last_fetches ? d->last_fetches - 1 : 0);
    token->time = extend(token->time, d->last_time);
    bool beat = token->kind == ES_TOKEN_HEARTBEAT, anchor = beat || token->kind == ES_TOKEN_VECTOR;
    switch (token->kind) {
    case ES_TOKEN_BEGIN: d->last_time = *d->reset_time = token->time; return;
    case ES_TOKEN_END: d->done = true; return;
    default: break;
    }
    if (anchor && token->time <= d->end_time)
        add_anchor(d->part, (es_replay_anchor){.fetches = token->fetches, .time = token->time, .exact = !beat});
    d->done = anchor && (after || token->time > d->end_time);
    if (!after && !beat && d->part->token_count < d->tokens)
        add_token(d->part, token);
    if (beat) {
        d->last_fetches = token->fetches;
        d->last_time = token->time;
    }
}

bool es_timeline_decode(es_timeline *timeline, es_timeline_decoded *part, size_t segment, es_error *err)
{
    es_segment_part *s = &timeline->segments[segment];
    bool last = segment + 1 == timeline->count;
    decoding d = {.part = part,
                  .last_fetches = s->place.last_fetches,
                  .last_time = s->place.last_time,
                  .stream_end = last ? timeline->stream_size : s[1].place.offset,
                  .tokens = last ? s->tokens : UINT64_MAX,
                  .end_time = timeline->end_time,
                  .reset_time = &s->place.state.reset_time};
    if (part->segment == segment)
        return true;
    part->segment = NO_SEGMENT;
    part->token_count = part->anchor_count = 0;
    for (size_t i = 0; i < s->place.anchor_count; i++)
        add_anchor(part, s->place.anchors[i]);
    es_stream_token_reader reader = {.offset = s->place.offset};
    const uint8_t *bytes;
    size_t size;
    es_error why;
    while (!d.done && reader.offset < timeline->stream_size) {
        if (!es_timeline_bytes(timeline, reader.offset, &bytes, &size)) {
            if (reader.offset >= d.stream_end)
                break;
            return es_fail(err, ES_USAGE,
                           "the recording is damaged: byte %" PRIu64 " of its input stream is not as it was written",
                           reader.offset);
        }
        const uint8_t *end = bytes + size;
        es_stream_token token;
        int got = 0;
        while (!d.done && (got = es_stream_token_next(&reader, &bytes, end, &token, &why)) == 1)
            take(&d, &token, reader.offset);
        if (!d.done && got < 0)
            break;
    }
    part->segment = segment;
    return true;
}
