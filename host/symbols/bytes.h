/* Reading the bytes of a debug section one after the other. */
#ifndef ES_SYMBOLS_BYTES_H
#define ES_SYMBOLS_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that are left to read. What lies beyond them reads as 0, and says so. */
typedef struct es_bytes {
    const uint8_t *at, *end;
    bool over, big_endian;
} es_bytes;

/* The next `width` bytes; of more than 8 the first 8 count. */
uint64_t es_bytes_number(es_bytes *b, size_t width);

/* LEB128 numbers (DWARF 5, 7.6), unsigned and signed: their lowest 64 bits. */
uint64_t es_bytes_uleb(es_bytes *b);
int64_t es_bytes_sleb(es_bytes *b);

/* Passes over so many bytes. */
void es_bytes_skip(es_bytes *b, uint64_t count);

#endif
