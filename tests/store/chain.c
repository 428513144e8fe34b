/* The whole way of a hit on the host, on one core: from the bytes of the link over events and the words of the source
 * to a trace on the disk.
 *
 * usage: chain repeat RECORDING MADE HITS
 *          writes a recording with so many hits: those of RECORDING, as a real run sent them, again and again, with
 *          numbers and times that go on
 *        chain store PROGRAM STATEMENTS MADE DIR
 *          replays it to a trace; prints hits and the processor's seconds of it */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "session/session.h"
#include "store/trace.h"
#include "stream/frame.h"

#define FILE_MAX (64u << 20)
#define FRAMES_MAX 200000u

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "chain: %s\n", what);
    exit(1);
}

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = es_malloc(FILE_MAX);
    if (!file)
        fail(path);
    *size = fread(bytes, 1, FILE_MAX - 1, file);
    bytes[*size] = 0;
    fclose(file);
    return bytes;
}

/* --- making a long recording -------------------------------------------------------------------------------------- */

typedef struct frame {
    uint32_t words[ES_FRAME_MAX_WORDS];
    size_t count;
} frame;

static unsigned kind_of(const frame *f)
{
    return f->words[0] & 0xFF;
}

static void write_frame(FILE *out, const frame *f)
{
    uint8_t wire[ES_FRAME_WIRE_MAX];
    size_t size = es_frame_encode(f->words, f->count, wire);
    if (fwrite(wire, 1, size, out) != size)
        fail("the recording cannot be written");
}

static uint64_t time_of(const frame *f)
{
    return f->words[1] | (uint64_t)f->words[2] << 32;
}

/* What is sent about the run, without what closes it: hits, and what their paths and tasks are. */
static bool is_told(const frame *f)
{
    return kind_of(f) == ES_FRAME_HIT || kind_of(f) == ES_FRAME_PATH || kind_of(f) == ES_FRAME_TASK;
}

/* All frames up to HELLO go out as they are; the others that are told are kept. Returns their number. */
static size_t take_frames(const uint8_t *bytes, size_t size, frame *told, FILE *out)
{
    es_deframer deframer;
    bool hello = false;
    size_t count = 0;
    es_deframer_init(&deframer);
    while (size) {
        frame *f = &told[count];
        size_t taken = es_deframer_push(&deframer, bytes, size, f->words, &f->count);
        bytes += taken;
        size -= taken;
        if (!f->count)
            continue;
        if (!hello)
            write_frame(out, f);
        else if (is_told(f))
            count++;
        hello = hello || kind_of(f) == ES_FRAME_HELLO;
        if (count == FRAMES_MAX)
            fail("too many frames");
    }
    return count;
}

static int repeat(const char *recording, const char *made, uint64_t hits)
{
    size_t size;
    uint8_t *bytes = read_file(recording, &size);
    frame *told = es_malloc((FRAMES_MAX + 1) * sizeof *told);
    FILE *out = fopen(made, "wb");
    if (!out)
        fail(made);
    size_t count = take_frames(bytes, size, told, out);
    uint64_t last = 0, later = 0;
    for (size_t i = 0; i < count; i++)
        last = kind_of(&told[i]) == ES_FRAME_HIT ? time_of(&told[i]) : last;
    if (!last)
        fail("there is no hit in the recording");
    for (uint32_t number = 1; hits; later += last)
        for (size_t i = 0; i < count && hits; i++, number++) {
            frame f = told[i];
            f.words[0] = (f.words[0] & 0xFFFF) | number << 16;
            if (kind_of(&f) == ES_FRAME_HIT) {
                uint64_t time = time_of(&f) + later;
                f.words[1] = (uint32_t)time;
                f.words[2] = (uint32_t)(time >> 32);
                hits--;
            }
            write_frame(out, &f);
        }
    free(told);
    free(bytes);
    return fclose(out) != 0;
}

/* --- the way ------------------------------------------------------------------------------------------------------ */

static const char *made_recording;

static bool open_recording(void *context, const es_symbols *symbols, const es_session_console *console,
                           es_session_probe *probe, es_error *err)
{
    (void)context;
    (void)symbols;
    (void)console;
    *probe = (es_session_probe){.transport = es_transport_file(made_recording, err), .recorded = true};
    return probe->transport != NULL;
}

static bool never(void *context)
{
    (void)context;
    return false;
}

typedef struct counting {
    es_sink trace;
    uint64_t hits, lost;
} counting;

static void take(void *context, const es_record *record)
{
    counting *c = context;
    c->hits += record->kind == ES_RECORD_HIT;
    c->lost += record->kind == ES_RECORD_LOST || record->kind == ES_RECORD_WARNING;
    es_sink_give(&c->trace, record);
}

static double worked(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int store(const char *program, const char *statements, const char *directory)
{
    size_t size;
    es_error err = {0};
    es_session_result result;
    es_text text = {statements, (const char *)read_file(statements, &size)};
    es_session_options options = {.program = program,
                                  .texts = &text,
                                  .text_count = 1,
                                  .probe_name = made_recording,
                                  .clock_hz = 10000000,
                                  .open = open_recording,
                                  .stop = never};
    es_trace_options trace_options = {.directory = directory, .waits = true};
    double begun = worked();
    es_trace *trace = es_trace_create(&trace_options, &err);
    if (!trace)
        fail(err.text);
    counting c = {.trace = es_trace_sink(trace)};
    es_sink sink = {take, &c};
    if (!es_session_run(&options, &sink, &result, &err) || !es_trace_close(trace, &err))
        fail(err.text);
    if (c.lost)
        fail("something was lost or odd");
    printf("%llu %.6f\n", (unsigned long long)c.hits, worked() - begun);
    es_text_free(&result.wrong);
    free((void *)text.text);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "repeat") == 0)
        return repeat(argv[2], argv[3], strtoull(argv[4], NULL, 10));
    if (argc != 6 || strcmp(argv[1], "store") != 0)
        return 2;
    made_recording = argv[4];
    return store(argv[2], argv[3], argv[5]);
}
