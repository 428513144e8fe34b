#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zstd.h>

#include "base/arena.h"
#include "replay/recording_private.h"

bool es_recording_is(const char *path)
{
    static const char magic[] = ES_RECORDING_MAGIC;
    char begin[sizeof magic - 1];
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) /* a pipe would make whoever asks wait */
        return false;
    FILE *file = fopen(path, "rbe");
    bool is = file && fread(begin, 1, sizeof begin, file) == sizeof begin && memcmp(begin, magic, sizeof begin) == 0;
    if (file)
        fclose(file);
    return is;
}

/* What is wrong with a file's first bytes. */
static void refuse(const char *path, const uint8_t *header, size_t size, es_error *err)
{
    static const char magic[] = ES_RECORDING_MAGIC;
    size_t known = size < sizeof magic - 1 ? size : sizeof magic - 1;
    uint32_t version = size >= 12 ? es_get_u32(header + 8) : 0;
    if (!size)
        es_fail(err, ES_USAGE, "%s is no recording of inputs: it is empty", path);
    else if (memcmp(header, magic, known) != 0)
        es_fail(err, ES_USAGE, "%s is no recording of inputs, as `earshot record --inputs` makes them", path);
    else if (version > ES_RECORDING_VERSION)
        es_fail(err, ES_USAGE, "%s is no recording that this earshot can read: it is of a newer one (version %u)", path,
                (unsigned)version);
    else if (size < ES_RECORDING_HEADER)
        es_fail(err, ES_USAGE, "%s is no recording any more: it is cut off after %zu bytes, before anything was kept",
                path, size);
    else
        es_fail(err, ES_USAGE, "%s is damaged: its beginning, with what the recording is of, is not as it was written",
                path);
}

es_recording_reader *es_recording_open(const char *path, es_error *err)
{
    uint8_t header[ES_RECORDING_HEADER];
    FILE *file = fopen(path, "rb");
    if (!file) {
        es_fail(err, ES_USAGE, "%s cannot be read: %s", path, strerror(errno));
        return NULL;
    }
    struct stat status;
    if (fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode)) {
        es_fail(err, ES_USAGE,
                "%s is no recording of inputs but a directory: a trace is shown by `earshot read` without program and "
                "statements",
                path);
        fclose(file);
        return NULL;
    }
    es_recording_reader *r = es_malloc(sizeof *r);
    r->file = file;
    r->path = strdup(path);
    r->room = ZSTD_compressBound(ES_RECORDING_RAW);
    r->packed = es_malloc(r->room);
    r->ended = NULL;
    r->whole = false;
    size_t got = fread(header, 1, sizeof header, file);
    if (got == sizeof header && es_recording_get_header(header, &r->info))
        return r;
    refuse(path, header, got, err);
    es_recording_reader_free(r);
    return NULL;
}

void es_recording_reader_free(es_recording_reader *reader)
{
    if (!reader)
        return;
    fclose(reader->file);
    free(reader->packed);
    free(reader->path);
    free(reader);
}

const es_recording_info *es_recording_get_info(const es_recording_reader *reader)
{
    return &reader->info;
}

/* --- blocks ---------------------------------------------------------------------------------- */

bool es_recording_get_head(const uint8_t head[ES_RECORDING_BLOCK_HEAD], es_recording_block *block)
{
    *block = (es_recording_block){.kind = es_get_u32(head),
                                  .raw = es_get_u32(head + 4),
                                  .packed = es_get_u32(head + 8),
                                  .fetches = es_get_u64(head + 24),
                                  .time = es_get_u64(head + 32)};
    bool small = block->kind == ES_RECORDING_BYTES || block->kind == ES_RECORDING_ENDED;
    bool large =
        block->kind == ES_RECORDING_KEYFRAME || block->kind == ES_RECORDING_LAST || block->kind == ES_RECORDING_TABLE;
    return (small || large) && block->raw <= (small ? ES_RECORDING_RAW : ES_RECORDING_LARGEST) &&
           block->packed <= ZSTD_compressBound(block->raw);
}

bool es_recording_is_good(const uint8_t head[ES_RECORDING_BLOCK_HEAD], const uint8_t *packed, size_t size)
{
    uint64_t sum = es_recording_sum(es_recording_sum(ES_RECORDING_SUM, head + 24, 16), packed, size);
    return sum == es_get_u64(head + 16);
}

/* Passes over so many bytes, of a pipe, too. */
static bool pass(es_recording_reader *r, size_t size)
{
    for (size_t part; size; size -= part) {
        part = size < r->room ? size : r->room;
        if (fread(r->packed, 1, part, r->file) != part)
            return false;
    }
    return true;
}

/* A whole block of the stream or the end that is as it was written. */
static bool read_block(es_recording_reader *r, uint32_t *kind, size_t *size)
{
    uint8_t head[ES_RECORDING_BLOCK_HEAD];
    es_recording_block block;
    do {
        if (fread(head, 1, sizeof head, r->file) != sizeof head || !es_recording_get_head(head, &block))
            return false;
        *kind = block.kind;
        *size = block.raw;
    } while (*kind != ES_RECORDING_BYTES && *kind != ES_RECORDING_ENDED && pass(r, block.packed));
    return (*kind == ES_RECORDING_BYTES || *kind == ES_RECORDING_ENDED) &&
           fread(r->packed, 1, block.packed, r->file) == block.packed &&
           es_recording_is_good(head, r->packed, block.packed) &&
           ZSTD_decompress(r->raw, ES_RECORDING_RAW, r->packed, block.packed) == *size;
}

bool es_recording_next(es_recording_reader *reader, const uint8_t **bytes, size_t *size, const char **ended)
{
    uint32_t kind;
    if (!reader->ended) {
        if (!read_block(reader, &kind, size)) {
            reader->ended = "the recording is cut off there";
        } else if (kind == ES_RECORDING_ENDED) {
            reader->raw[*size] = 0;
            reader->ended = (const char *)reader->raw;
            reader->whole = true;
        } else {
            *bytes = reader->raw;
            return true;
        }
    }
    *ended = reader->ended;
    return false;
}

bool es_recording_is_whole(const es_recording_reader *reader)
{
    return reader->whole;
}
