/* The file's parts, which writer and reader share. */
#ifndef ES_REPLAY_RECORDING_PRIVATE_H
#define ES_REPLAY_RECORDING_PRIVATE_H

#include <string.h>

#include "replay/recording.h"

#define ES_RECORDING_MAGIC "earshotR"
#define ES_RECORDING_VERSION 1u
#define ES_RECORDING_HEADER 256u    /* bytes, with its checksum at the end */
#define ES_RECORDING_BLOCK_HEAD 40u /* kind, raw size, size, 0; checksum, fetches, time, of 64 bits each */
#define ES_RECORDING_RAW (1u << 18) /* bytes of a block, at most */

enum es_recording_kind { ES_RECORDING_BYTES = 0x4B4C4253, ES_RECORDING_ENDED = 0x45444E45 };

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

void es_recording_put_header(uint8_t header[ES_RECORDING_HEADER], const es_recording_info *info);
/* False: it is no header, or of another version. */
bool es_recording_get_header(const uint8_t header[ES_RECORDING_HEADER], es_recording_info *info);

#endif
