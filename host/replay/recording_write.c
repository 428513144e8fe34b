/* Recordings are written while they come: each block is whole before the next one begins. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
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

static bool write_block(es_recording *r, uint32_t kind, const uint8_t *raw, size_t size, es_error *err)
{
    uint8_t *head = r->packed;
    size_t packed = ZSTD_compress(head + ES_RECORDING_BLOCK_HEAD, r->room, raw, size, LEVEL);
    if (ZSTD_isError(packed))
        return es_fail(err, ES_OUTPUT, "%s cannot be compressed: %s", r->path, ZSTD_getErrorName(packed));
    memset(head, 0, ES_RECORDING_BLOCK_HEAD);
    es_put_u32(head, kind);
    es_put_u32(head + 4, (uint32_t)size);
    es_put_u32(head + 8, (uint32_t)packed);
    es_put_u64(head + 24, r->fetches);
    es_put_u64(head + 32, r->time);
    uint64_t sum = es_recording_sum(ES_RECORDING_SUM, head + 24, 16 + packed);
    es_put_u64(head + 16, sum);
    return write_all(r, head, ES_RECORDING_BLOCK_HEAD + packed, err);
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
    return !size || write_block(recording, ES_RECORDING_BYTES, recording->raw, size, err);
}

bool es_recording_add(es_recording *recording, const uint8_t *bytes, size_t size, uint64_t fetches, uint64_t time,
                      es_error *err)
{
    while (size) {
        size_t part = ES_RECORDING_RAW - recording->size;
        part = size < part ? size : part;
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
                           write_block(recording, ES_RECORDING_ENDED, (const uint8_t *)ended,
                                       strnlen(ended, ES_RECORDING_RAW), err));
    if (fclose(recording->file) != 0 && good)
        good = cannot_write(recording, err);
    free(recording->raw);
    free(recording->packed);
    free(recording->path);
    free(recording);
    return good;
}
