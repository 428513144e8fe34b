#include "replayed/recorded.h"

#include <stdlib.h>

#include "base/arena.h"

#define PIECE 256u /* bytes between two looks at whether it is enough */

typedef struct recorded {
    es_recording_reader *reader;
    const uint8_t *bytes; /* of the block at hand */
    size_t left;
    const char *ended; /* why there are no more */
} recorded;

void *es_recorded_new(es_recording_reader *reader)
{
    recorded *r = es_malloc(sizeof *r);
    *r = (recorded){.reader = reader};
    return r;
}

static enum es_target_state more(void *context, es_replay *replay, uint64_t clocks)
{
    recorded *r = context;
    (void)clocks;
    if (!r->left && !es_recording_next(r->reader, &r->bytes, &r->left, &r->ended))
        return ES_TARGET_OVER;
    size_t size = r->left < PIECE ? r->left : PIECE;
    es_replay_push(replay, r->bytes, size);
    r->bytes += size;
    r->left -= size;
    return ES_TARGET_RUNNING;
}

static const char *trap_text(void *context)
{
    const recorded *r = context;
    return r->ended ? r->ended : "the recording goes on";
}

static void recorded_close(void *context)
{
    recorded *r = context;
    es_recording_reader_free(r->reader);
    free(r);
}

const es_replayed_stream es_recorded_stream = {more, trap_text, recorded_close};
