/* Frames on the link: COBS, CRC-16, zero delimiter (docs/link.md). Device to host and host to device look the same. */
#ifndef ES_STREAM_FRAME_H
#define ES_STREAM_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe_defs.h"

#define ES_FRAME_WIRE_MAX (ES_FRAME_MAX_WORDS * 4 + 2 + 2) /* content, CRC, COBS code byte, delimiter */

uint16_t es_crc16(const uint8_t *bytes, size_t size);

/* Writes the wire form of a frame of `count` words (1 to ES_FRAME_MAX_WORDS; bits 15:8 of the first word must say count
 * - 1) to out (ES_FRAME_WIRE_MAX bytes). Returns its length. */
size_t es_frame_encode(const uint32_t *words, size_t count, uint8_t *out);

#define ES_COBS_LAYOUTS 64 /* a power of two */
#define ES_COBS_WORDS 8    /* of 64 bits */

/* Where a frame had its zeros, and what COBS has put there. */
typedef struct es_cobs_layout {
    uint8_t first, used;           /* the first code; bytes of content, 0: no frame yet */
    bool failed;                   /* the last frame that was compared with it had others */
    uint64_t zeros[ES_COBS_WORDS]; /* bytes of the content, all ones where it has a zero */
    uint64_t codes[ES_COBS_WORDS]; /* what is in these places on the wire */
} es_cobs_layout;

/* Splits a byte stream into frames. Any bytes may come in: what is no good frame is counted and skipped. */
typedef struct es_deframer {
    uint8_t buffer[ES_FRAME_WIRE_MAX + 8]; /* with bytes after the frame that can be read */
    size_t used;
    bool skipping;      /* until the next delimiter */
    bool is_quick;      /* the processor multiplies polynomials; false will do, too */
    uint64_t good, bad; /* frames so far */
    uint64_t alike;     /* of the good ones: taken as one before */
    es_cobs_layout layouts[ES_COBS_LAYOUTS];
} es_deframer;

void es_deframer_init(es_deframer *deframer);

/* Takes bytes up to and including the next delimiter. Returns how many were taken; *count > 0 when a good frame of that
 * many words is now in words. */
size_t es_deframer_push(es_deframer *deframer, const uint8_t *bytes, size_t size, uint32_t words[ES_FRAME_MAX_WORDS],
                        size_t *count);

#endif
