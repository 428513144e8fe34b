#include "replayed/recorded.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define PIECE 256u /* bytes between two looks at whether it is enough */

typedef struct recorded {
    es_recording_reader *reader;
    const uint8_t *bytes; /* of the block at hand */
    size_t left;
    const char *ended; /* why there are no more */
    es_text_buffer text;
} recorded;

void *es_recorded_new(es_recording_reader *reader)
{
    recorded *r = es_malloc(sizeof *r);
    *r = (recorded){.reader = reader};
    return r;
}

/* How the recording ended. What may still come after the stream's end is nothing to replay. */
static enum es_target_state at_end(recorded *r, es_replay *replay)
{
    while (!r->ended)
        es_recording_next(r->reader, &r->bytes, &r->left, &r->ended);
    r->left = 0;
    if (!es_recording_is_whole(r->reader))
        es_replay_lost(replay, r->ended);
    return strcmp(r->ended, ES_RECORDING_TRAPPED) == 0 && !es_replay_failed(replay) ? ES_TARGET_TRAPPED
                                                                                    : ES_TARGET_OVER;
}

static enum es_target_state more(void *context, es_replay *replay, uint64_t clocks)
{
    recorded *r = context;
    (void)clocks;
    if (!r->left && !es_recording_next(r->reader, &r->bytes, &r->left, &r->ended))
        return at_end(r, replay);
    size_t size = r->left < PIECE ? r->left : PIECE;
    es_replay_push(replay, r->bytes, size);
    r->bytes += size;
    r->left -= size;
    return es_replay_ended(replay) ? at_end(r, replay) : ES_TARGET_RUNNING;
}

static const char *trap_text(void *context)
{
    recorded *r = context;
    const char *ended = r->ended ? r->ended : "";
    if (strcmp(ended, ES_RECORDING_TRAPPED) == 0)
        return "an exception without a handler, or an access to nothing";
    es_text_clear(&r->text);
    es_text_format(&r->text, "the recording ends (%s)", ended);
    return r->text.text;
}

static void recorded_close(void *context)
{
    recorded *r = context;
    es_recording_reader_free(r->reader);
    es_text_free(&r->text);
    free(r);
}

const es_replayed_stream es_recorded_stream = {more, trap_text, recorded_close};
