/* Packets of CTF traces: what stands at their beginning and end. Both writers and the reader go by it; tsdl.c describes
 * it to other readers. */
#ifndef ES_STORE_PACKET_H
#define ES_STORE_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ES_PACKET_HEAD 64u /* bytes */
#define ES_PACKET_TAIL 16u /* of a sealed packet, after its events: others take it for padding */

typedef struct es_packet_head {
    uint64_t stream;     /* which of several of one kind */
    uint64_t begin, end; /* times of the first and the last event */
    uint64_t content;    /* bytes to the end of the last event, with the head */
    uint64_t bytes;      /* of the packet: content, or with the tail */
    uint64_t number;     /* in its stream, from 0 */
    uint64_t discarded;  /* events lost in the stream until the packet's end */
} es_packet_head;

void es_packet_head_put(uint8_t *out, const es_packet_head *head);

/* False: that is no head, or one that contradicts itself. */
bool es_packet_head_get(const uint8_t *in, es_packet_head *head);

/* Writes head and tail of a packet whose content is all there. The tail has the earliest time that a record of it has
 * (at most `begin`) and a check of all bytes before it, which finds what was damaged by accident, and is no defence
 * against intent. */
void es_packet_seal(uint8_t *packet, const es_packet_head *head, uint64_t earliest);

/* Whether a packet is as it was when it was sealed. */
bool es_packet_is_whole(const uint8_t *packet, const es_packet_head *head);

/* The check of bytes that a packet's tail has, for other things. */
uint64_t es_packet_sum(const uint8_t *bytes, size_t count);

/* Little endian, whatever the host. Return the place after it. */
static inline uint8_t *es_put16(uint8_t *out, uint16_t value)
{
    out[0] = (uint8_t)value;
    out[1] = (uint8_t)(value >> 8);
    return out + 2;
}

static inline uint8_t *es_put32(uint8_t *out, uint32_t value)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap32(value);
#endif
    memcpy(out, &value, sizeof value);
    return out + sizeof value;
}

static inline uint8_t *es_put64(uint8_t *out, uint64_t value)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    memcpy(out, &value, sizeof value);
    return out + sizeof value;
}

static inline uint32_t es_get32(const uint8_t *in)
{
    uint32_t value;
    memcpy(&value, in, sizeof value);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap32(value);
#endif
    return value;
}

static inline uint64_t es_get64(const uint8_t *in)
{
    uint64_t value;
    memcpy(&value, in, sizeof value);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
}

#endif
