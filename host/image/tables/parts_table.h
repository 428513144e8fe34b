/* The table of stores that are parts of an assignment. */
#ifndef ES_IMAGE_TABLES_PARTS_TABLE_H
#define ES_IMAGE_TABLES_PARTS_TABLE_H

#include "image/tables/layout.h"

/* An entry: the store's address with these flags, shifted to make room for them; then twice bits of bytes as es_part
 * has them, `later` below `earlier`: for an assignment that is nothing but all bytes of a variable, and for others. */
#define PARTS_RUN 1u

#define PARTS_RISING 2u

#define PARTS_PERHAPS 2u /* without PARTS_RUN: what comes later may not come */

#define PARTS_FLAG_BITS 2

#define PARTS_SECONDARY 4

#define PARTS_PRIMARY 8

#define PARTS_ENTRY_SIZE 12

/* How the entry of an instruction is found: place n = (address - first) / step is in row n modulo 2^row_bits and
 * column n >> row_bits; the half-word at rows_at + 2 * row says where the row's half-words are, by column, which are 0
 * or the address of an entry. It may be another instruction's. */
typedef struct parts_map {
    uint32_t first, size; /* addresses of stores, and how many bytes up to the end of the last one */
    uint32_t rows_at;
    unsigned step_bits; /* log2 of the step: of the smallest instruction's size */
    unsigned row_bits;
    bool blind; /* nothing is known of the program's stores, there is no table */
} parts_map;

/* Bits to the left by which an entry has the address. The range is looked at before, so the topmost may be lost. */
static inline unsigned parts_shift(const parts_map *map)
{
    return PARTS_FLAG_BITS - map->step_bits;
}

parts_map es_parts_table_write(image_builder *b);

#endif
