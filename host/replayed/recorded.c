#include "replayed/recorded.h"

static enum es_target_state more(void *context, es_replay *replay, uint64_t clocks)
{
    const uint8_t *bytes;
    size_t size;
    const char *ended;
    (void)clocks; /* a block at a time */
    if (!es_recording_next(context, &bytes, &size, &ended))
        return ES_TARGET_HALTED;
    es_replay_push(replay, bytes, size);
    return ES_TARGET_RUNNING;
}

static void recorded_close(void *context)
{
    es_recording_reader_free(context);
}

const es_replayed_stream es_recorded_stream = {.more = more, .close = recorded_close};
