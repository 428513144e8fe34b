/* Where the bits of what a reference refers to lie in memory. */
#ifndef ES_IMAGE_BITS_H
#define ES_IMAGE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lang/expression.h"
#include "symbols/symbols.h"

static inline unsigned plan_bits(const es_reference *reference)
{
    return reference->bit_size ? reference->bit_size : reference->size * 8u;
}

static inline unsigned plan_begin(const es_reference *reference)
{
    return es_type_first_bit(reference->type, reference->size, reference->bit_offset, plan_bits(reference));
}

/* Whether values of a type have a sign. */
static inline bool plan_is_signed(const es_type *type)
{
    return (type->kind == ES_TYPE_INT || type->kind == ES_TYPE_CHAR || type->kind == ES_TYPE_ENUM) && type->is_signed;
}

/* The address of the first byte with bits of it, and how many bytes have. */
static inline uint32_t plan_first_byte(const es_reference *reference)
{
    return reference->address + plan_begin(reference) / 8u;
}

static inline unsigned plan_byte_count(const es_reference *reference)
{
    return (plan_begin(reference) % 8u + plan_bits(reference) + 7) / 8;
}

/* Whether the word of the bus has its bytes in another order than the value. */
static inline bool plan_is_turned(const es_reference *reference)
{
    return reference->type && reference->type->big_endian;
}

/* Where a value's bits begin: the word, and the bit in it, counted from the first byte on as es_type_first_bit does.
 * So of a value that is turned, bit 0 is the most significant one of the word once that has been turned. */
static inline uint32_t plan_first_word(const es_reference *reference)
{
    return plan_first_byte(reference) & ~3u;
}

static inline unsigned plan_first_bit(const es_reference *reference)
{
    return plan_first_byte(reference) % 4 * 8 + plan_begin(reference) % 8u;
}

static inline bool plan_is_wide(const es_reference *reference)
{
    return plan_bits(reference) > 32;
}

/* When the reference's local is in memory; NULL: it is there during the whole body, or no local. */
static inline const es_life *lives_of(const es_reference *reference)
{
    return reference->frame && !reference->via && reference->variable ? reference->variable->life : NULL;
}

/* Words that it has bits in: 1 to 3. */
static inline unsigned plan_words(const es_reference *reference)
{
    return (plan_first_bit(reference) + plan_bits(reference) + 31) / 32;
}

/* What one load does not fetch: 64 bits, not aligned, or across words. */
static inline bool plan_is_large(const es_reference *reference)
{
    return reference->size > 4 || reference->address % reference->size != 0;
}

#endif
