/* Recordings are written while they come: each block is whole before the next one begins. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <zstd.h>

#include "base/arena.h"
#include "replay/recording_private.h"

#define LEVEL 3 /* of zstd: faster than any link */

struct es_recording {
    FILE *file;
    char *path;
    uint8_t *raw, *packed;
    size_t size, room;
    uint64_t fetches, time, written;
    uint64_t waits_since; /* ms of this computer's time */
    es_bytes table;
};

static bool cannot_write(const es_recording *r, es_error *err)
{
    return es_fail(err, ES_OUTPUT, "%s cannot be written: %s. What was written until now can be read", r->path,
                   strerror(errno));
}

static bool write_all(es_recording *r, const uint8_t *bytes, size_t size, es_error *err)
{
    if (fwrite(bytes, 1, size, r->file) != size || fflush(r->file) != 0)
        return cannot_write(r, err);
    r->written += size;
    return true;
}

static bool write_block(es_recording *r, const es_recording_block *block, const uint8_t *raw, es_error *err)
{
    size_t room = ZSTD_compressBound(block->raw);
    if (room > r->room) {
        r->room = room;
        r->packed = es_realloc(r->packed, ES_RECORDING_BLOCK_HEAD + room);
    }
    uint8_t *head = r->packed;
    size_t packed = ZSTD_compress(head + ES_RECORDING_BLOCK_HEAD, r->room, raw, block->raw, LEVEL);
    if (ZSTD_isError(packed))
        return es_fail(err, ES_OUTPUT, "%s cannot be compressed: %s", r->path, ZSTD_getErrorName(packed));
    memset(head, 0, ES_RECORDING_BLOCK_HEAD);
    es_put_u32(head, block->kind);
    es_put_u32(head + 4, block->raw);
    es_put_u32(head + 8, (uint32_t)packed);
    es_put_u64(head + 24, block->fetches);
    es_put_u64(head + 32, block->time);
    uint64_t sum = es_recording_sum(ES_RECORDING_SUM, head + 24, 16 + packed);
    es_put_u64(head + 16, sum);
    es_bytes_put(&r->table, head, ES_RECORDING_BLOCK_HEAD);
    return write_all(r, head, ES_RECORDING_BLOCK_HEAD + packed, err);
}

bool es_recording_put(es_recording *recording, uint32_t kind, const uint8_t *bytes, size_t size, uint64_t fetches,
                      uint64_t time, es_error *err)
{
    const es_recording_block block = {.kind = kind, .raw = (uint32_t)size, .fetches = fetches, .time = time};
    return write_block(recording, &block, bytes, err);
}

/* Too large a table is left out: then the blocks' heads are read. */
bool es_recording_seal(es_recording *recording, es_error *err)
{
    es_recording *r = recording;
    es_bytes table = r->table;
    uint8_t trailer[ES_RECORDING_TRAILER];
    r->table = (es_bytes){0};
    es_put_u64(trailer, r->written);
    bool good = table.size > ES_RECORDING_LARGEST ||
                es_recording_put(r, ES_RECORDING_TABLE, table.data, table.size, r->fetches, r->time, err);
    if (good && table.size <= ES_RECORDING_LARGEST) {
        es_put_u64(trailer + 8, es_recording_sum(ES_RECORDING_SUM, r->table.data, ES_RECORDING_BLOCK_HEAD));
        for (size_t i = 0; i < 8; i++)
            trailer[16 + i] = (uint8_t)ES_RECORDING_TRAILER_MAGIC[i];
        good = write_all(r, trailer, sizeof trailer, err);
    }
    es_bytes_free(&table);
    return good;
}

es_recording *es_recording_create(const char *path, const es_recording_info *info, es_error *err)
{
    uint8_t header[ES_RECORDING_HEADER];
    FILE *file = fopen(path, "wb");
    if (!file) {
        es_fail(err, ES_OUTPUT, "%s cannot be written: %s", path, strerror(errno));
        return NULL;
    }
    es_recording *r = es_malloc(sizeof *r);
    *r = (es_recording){.file = file, .path = strdup(path), .room = ZSTD_compressBound(ES_RECORDING_RAW)};
    r->raw = es_malloc(ES_RECORDING_RAW);
    r->packed = es_malloc(ES_RECORDING_BLOCK_HEAD + r->room);
    es_recording_put_header(header, info);
    if (r->path && write_all(r, header, sizeof header, err))
        return r;
    es_recording_close(r, NULL, NULL);
    return NULL;
}

bool es_recording_flush(es_recording *recording, es_error *err)
{
    size_t size = recording->size;
    recording->size = 0;
    return !size || es_recording_put(recording, ES_RECORDING_BYTES, recording->raw, size, recording->fetches,
                                     recording->time, err);
}

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

bool es_recording_flush_due(es_recording *recording, es_error *err)
{
    return !recording->size || now_ms() - recording->waits_since < ES_RECORDING_WAITS_MS ||
           es_recording_flush(recording, err);
}

bool es_recording_add(es_recording *recording, const uint8_t *bytes, size_t size, uint64_t fetches, uint64_t time,
                      es_error *err)
{
    while (size) {
        size_t part = ES_RECORDING_RAW - recording->size;
        part = size < part ? size : part;
        if (!recording->size)
            recording->waits_since = now_ms();
        memcpy(recording->raw + recording->size, bytes, part);
        recording->size += part;
        bytes += part;
        size -= part;
        if (recording->size == ES_RECORDING_RAW && !es_recording_flush(recording, err))
            return false;
    }
    recording->fetches = fetches;
    recording->time = time;
    return true;
}

uint64_t es_recording_size(const es_recording *recording)
{
    return recording->written;
}

bool es_recording_close(es_recording *recording, const char *ended, es_error *err)
{
    bool good = !ended || (es_recording_flush(recording, err) &&
                           es_recording_put(recording, ES_RECORDING_ENDED, (const uint8_t *)ended,
                                            strnlen(ended, ES_RECORDING_RAW), recording->fetches, recording->time,
                                            err) &&
                           es_recording_seal(recording, err));
    if (fclose(recording->file) != 0 && good)
        good = cannot_write(recording, err);
    free(recording->raw);
    free(recording->packed);
    free(recording->path);
    es_bytes_free(&recording->table);
    free(recording);
    return good;
}
