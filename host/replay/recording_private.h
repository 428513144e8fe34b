/* The file's parts, which writer and reader share. */
#ifndef ES_REPLAY_RECORDING_PRIVATE_H
#define ES_REPLAY_RECORDING_PRIVATE_H

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "replay/recording.h"

#define ES_RECORDING_MAGIC "earshotR"
#define ES_RECORDING_VERSION 2u /* 1 is read, too */
#define ES_RECORDING_HEADER 256u    /* bytes, with its checksum at the end */
#define ES_RECORDING_BLOCK_HEAD 40u /* kind, raw size, size, 0; checksum, fetches, time, of 64 bits each */
#define ES_RECORDING_RAW (1u << 18) /* bytes of a block, at most */

#define ES_RECORDING_LARGEST (1u << 27) /* ... of a block of another kind */

enum es_recording_kind {
    ES_RECORDING_BYTES = 0x4B4C4253,
    ES_RECORDING_ENDED = 0x45444E45,
    ES_RECORDING_KEYFRAME = 0x4659454B,
    ES_RECORDING_LAST = 0x5453414C,
    ES_RECORDING_TABLE = 0x4C424154, /* the heads of all blocks before it */
};

/* After the table: its place in the file, its head's checksum, and this. */
#define ES_RECORDING_TRAILER 24u
#define ES_RECORDING_TRAILER_MAGIC "earshotT"

static inline void es_put_u32(uint8_t *to, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static inline void es_put_u64(uint8_t *to, uint64_t value)
{
    es_put_u32(to, (uint32_t)value);
    es_put_u32(to + 4, (uint32_t)(value >> 32));
}

static inline uint32_t es_get_u32(const uint8_t *from)
{
    return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static inline uint64_t es_get_u64(const uint8_t *from)
{
    return es_get_u32(from) | (uint64_t)es_get_u32(from + 4) << 32;
}

/* FNV-1a, of 64 bits. */
#define ES_RECORDING_SUM 0xCBF29CE484222325u
static inline uint64_t es_recording_sum(uint64_t sum, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ bytes[i]) * 0x100000001B3u;
    return sum;
}

/* --- writing --- */

/* A block that is no part of the stream; what of that waits is written some time after it. */
bool es_recording_put(es_recording *recording, uint32_t kind, const uint8_t *bytes, size_t size, uint64_t fetches,
                      uint64_t time, es_error *err);

/* --- reading --- */

struct es_recording_reader {
    FILE *file;
    char *path;
    es_recording_info info;
    uint8_t *packed, raw[ES_RECORDING_RAW + 1];
    size_t room;
    const char *ended; /* once it has */
    bool whole;        /* ... as whoever wrote it said */
};

typedef struct es_recording_block {
    uint64_t at;            /* of its head in the file */
    uint64_t offset;        /* bytes of the stream before it */
    uint64_t fetches, time; /* as the head says: to be believed when the block has been read */
    uint32_t kind, raw, packed;
} es_recording_block;

/* All blocks up to the end, or to where it was cut. Nothing of them is read but their heads, or the table. A recording
 * that comes through a pipe is kept in a file that has no name first. *blocks are to be freed. */
bool es_recording_list(es_recording_reader *reader, es_recording_block **blocks, size_t *count, es_error *err);
/* What a block holds, into *out, which is emptied first. False: it is not as it was written. */
bool es_recording_load(es_recording_reader *reader, const es_recording_block *block, es_bytes *out);

/* A block's head. False: it is none. */
bool es_recording_get_head(const uint8_t head[ES_RECORDING_BLOCK_HEAD], es_recording_block *block);
/* Whether a block's content is as it was written. */
bool es_recording_is_good(const uint8_t head[ES_RECORDING_BLOCK_HEAD], const uint8_t *packed, size_t size);

void es_recording_put_header(uint8_t header[ES_RECORDING_HEADER], const es_recording_info *info);
/* False: it is no header, or of another version. */
bool es_recording_get_header(const uint8_t header[ES_RECORDING_HEADER], es_recording_info *info);

#endif
