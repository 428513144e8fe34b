#include "cli/commands/record_index.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/cli.h"
#include "cli/signals.h"
#include "replay/keyframes.h"
#include "replay/recording.h"

typedef struct indexing {
    const char *path;
    es_text_buffer anew; /* the path of what becomes the recording */
    es_symbols *symbols;
    es_replay_program program;
    es_recording_reader *reader;
    es_recording *recording;
    es_keyframes *keyframes;
    es_replay *replay;
} indexing;

static void on_piece(void *context, es_replay_piece *piece)
{
    indexing *x = context;
    es_keyframes_piece(x->keyframes, piece);
}

/* A recording that was cut stays one. */
static bool copy(indexing *x, es_error *err)
{
    const uint8_t *bytes;
    const char *ended = NULL;
    size_t size;
    while (es_recording_next(x->reader, &bytes, &size, &ended)) {
        es_replay_push(x->replay, bytes, size);
        es_replay_summary s = es_replay_get_summary(x->replay);
        if (es_cli_stop_asked())
            return es_fail(err, ES_USAGE, "stopped: %s is as it was", x->path);
        if (!es_recording_add(x->recording, bytes, size, s.fetches, s.time, err) ||
            !es_recording_flush(x->recording, err))
            return false;
    }
    es_replay_finish(x->replay);
    bool good = es_keyframes_finish(x->keyframes, err) &&
                (es_recording_is_whole(x->reader) || es_recording_seal(x->recording, err));
    const char *how = good && es_recording_is_whole(x->reader) ? ended : NULL;
    good = es_recording_close(x->recording, how, err) && good;
    x->recording = NULL;
    return good;
}

static bool begin(indexing *x, const char *program, es_error *err)
{
    struct stat status;
    if (stat(x->path, &status) == 0 && !S_ISREG(status.st_mode))
        return es_fail(err, ES_USAGE, "%s is no file: keyframes are written into recordings that are files", x->path);
    x->symbols = es_symbols_open(program, err);
    x->reader = x->symbols ? es_recording_open(x->path, err) : NULL;
    if (!x->reader || !es_recording_program(es_recording_get_info(x->reader), x->symbols, &x->program, err))
        return false;
    const es_replay_listener listener = {.piece = on_piece, .context = x};
    es_text_format(&x->anew, "%s.%d", x->path, (int)getpid());
    x->replay = es_replay_new(&x->program, &listener, err);
    x->recording = x->replay ? es_recording_create(x->anew.text, es_recording_get_info(x->reader), err) : NULL;
    x->keyframes = x->recording ? es_keyframes_new(x->recording) : NULL;
    return x->recording != NULL;
}

int es_record_index(const char *program, const char *recording)
{
    es_error err = {0};
    indexing x = {.path = recording};
    es_cli_catch_signals();
    bool good = begin(&x, program, &err) && copy(&x, &err);
    if (x.recording)
        es_recording_close(x.recording, NULL, NULL);
    if (good && rename(x.anew.text, recording) != 0)
        good = es_fail(&err, ES_OUTPUT, "%s cannot be written: %s", recording, strerror(errno));
    if (!good && x.keyframes)
        unlink(x.anew.text);
    if (good)
        fprintf(stderr, "earshot: %s has keyframes now, up to instruction %" PRIu64 "\n", recording,
                es_replay_get_summary(x.replay).fetches);
    es_keyframes_free(x.keyframes);
    es_replay_free(x.replay);
    es_recording_reader_free(x.reader);
    es_symbols_close(x.symbols);
    es_text_free(&x.anew);
    return good ? ES_OK : es_cli_fail(&err);
}
