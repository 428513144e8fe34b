/* Bytes that grow, and numbers in them: little endian. */
#ifndef ES_BASE_BYTES_H
#define ES_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: empty. */
typedef struct es_bytes {
    uint8_t *data;
    size_t size, room;
} es_bytes;

void es_bytes_free(es_bytes *bytes); /* empty afterwards */
/* Room for so many at the end, which are there from now on, and for the caller to fill. Valid until the next one. */
uint8_t *es_bytes_add(es_bytes *bytes, size_t size);
void es_bytes_put(es_bytes *bytes, const void *from, size_t size);
void es_bytes_put_u8(es_bytes *bytes, uint8_t value);
void es_bytes_put_u32(es_bytes *bytes, uint32_t value);
void es_bytes_put_u64(es_bytes *bytes, uint64_t value);

/* What is not there reads as 0, and is noticed. */
typedef struct es_bytes_reader {
    const uint8_t *at, *end;
    bool bad; /* more was asked for than there was */
} es_bytes_reader;

/* The next so many; NULL: there are fewer. */
const uint8_t *es_bytes_take(es_bytes_reader *reader, size_t size);
uint8_t es_bytes_take_u8(es_bytes_reader *reader);
uint32_t es_bytes_take_u32(es_bytes_reader *reader);
uint64_t es_bytes_take_u64(es_bytes_reader *reader);

#endif
