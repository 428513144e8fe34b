/* libFuzzer's entry: a whole trace on disk, whose packets are well made and hold any bytes, and which is damaged or cut
 * off as the input says, is read to its end or refused; so it is after its torn end was cut off.
 *
 * The first byte is flags (below), the second how many packets, the third and fourth a place; the rest is shared by the
 * packets as their events. The metadata is short: a schema with one statement (fuzz_trace.c has all
 * kinds of events), without what only other readers need. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "made.h"
#include "record/json.h"
#include "store/packet.h"
#include "store/trace.h"
#include "store/trace_metadata.h"

#define FLIP 1u /* a byte at the place is another one */
#define CUT 2u  /* the stream ends there */
#define PART 4u /* only a part of the time and of the statements is wanted */
#define HEAD 4u /* bytes of the input before the events */
#define NAMES 8 /* of the trace */
#define SIZE_MOST 8192u

static char folder[64], metadata_path[96], stream_path[96], chunk_path[96];

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static void put_file(const char *path, const void *bytes, size_t size)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || write(file, bytes, size) != (ssize_t)size)
        abort();
    close(file);
}

static void clean_up(void)
{
    unlink(metadata_path);
    unlink(stream_path);
    rmdir(chunk_path);
    rmdir(folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    es_text_buffer text = {0};
    const es_trace_origin origin = {.probe = "made", .chunk = 1};
    snprintf(folder, sizeof folder, "%s/earshot-fuzz-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (!mkdtemp(folder))
        abort();
    snprintf(chunk_path, sizeof chunk_path, "%s/chunk-000001", folder);
    snprintf(metadata_path, sizeof metadata_path, "%s/metadata", chunk_path);
    snprintf(stream_path, sizeof stream_path, "%s/stream_0", chunk_path);
    mkdir(chunk_path, 0700);
    atexit(clean_up);
    es_schema *schema = made_plain_schema();
    es_trace_metadata_begin(&text, schema, &origin);
    for (uint32_t i = 1; i <= NAMES; i++) {
        char name[16];
        snprintf(name, sizeof name, "name %u", (unsigned)i);
        es_trace_metadata_name(&text, i, name);
    }
    es_text_format(&text, " } := name;\n");
    es_text_format(&text, "/* check %016" PRIx64 " */\n", es_packet_sum((const uint8_t *)text.text, text.length));
    if (!es_trace_metadata_is_whole(text.text, text.length))
        abort();
    put_file(metadata_path, text.text, text.length);
    es_text_free(&text);
    es_schema_free(schema);
    return 0;
}

/* Returns its size. */
static size_t put_packet(uint8_t *out, const uint8_t *events, size_t size, unsigned number)
{
    es_packet_head head = {.begin = number * 1000,
                           .end = number * 1000 + 1500,
                           .content = ES_PACKET_HEAD + size,
                           .bytes = ES_PACKET_HEAD + size + ES_PACKET_TAIL,
                           .number = number};
    memcpy(out + ES_PACKET_HEAD, events, size);
    es_packet_seal(out, &head, number * 1000);
    return (size_t)head.bytes;
}

/* The beginning is always the same, and long. */
static void show(void *context, const es_record *record)
{
    if (record->kind != ES_RECORD_BEGIN)
        es_record_json(context, record, NULL);
}

static void read_all(unsigned flags)
{
    static const bool wanted[] = {false};
    es_error err;
    es_text_buffer lines = {0};
    es_trace_filter filter = {.to = ES_NO_TIME};
    const es_sink sink = {show, &lines};
    es_trace_reader *reader = es_trace_open(folder, &err);
    if (flags & PART)
        filter = (es_trace_filter){.from = 500, .to = 2500, .statements = wanted};
    if (reader)
        es_trace_read(reader, &filter, &sink, &err);
    es_trace_reader_free(reader);
    es_text_free(&lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t stream[SIZE_MOST + 4 * (ES_PACKET_HEAD + ES_PACKET_TAIL)];
    es_error err;
    if (size < HEAD || size > SIZE_MOST)
        return 0;
    unsigned flags = data[0], packets = 1 + data[1] % 4, place = data[2] | (unsigned)data[3] << 8;
    size_t part = (size - HEAD) / packets, used = 0;
    for (unsigned i = 0; i < packets; i++)
        used += put_packet(stream + used, data + HEAD + i * part, part, i);
    if (flags & FLIP)
        stream[place % used] ^= (uint8_t)(1u << (flags >> 5));
    if (flags & CUT)
        used = place % used;
    put_file(stream_path, stream, used);
    read_all(flags);
    if (flags & CUT) {
        uint64_t cut;
        es_trace_mend(folder, &cut, &err);
        read_all(flags);
    }
    return 0;
}
