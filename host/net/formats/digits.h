/* Decimal digits by eights: each function may look at 32 bytes from the place on. */
#ifndef ES_NET_DIGITS_H
#define ES_NET_DIGITS_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t eight_at(const char *at)
{
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    return le64toh(bytes);
}

#define DIGITS UINT64_C(0x3030303030303030) /* eight 0 */

/* The highest bit of each of eight bytes that is 10 or more; below the first such byte it is exact. */
static inline uint64_t no_digits(uint64_t values)
{
    return (values | (values + UINT64_C(0x7676767676767676))) & UINT64_C(0x8080808080808080);
}

/* How many of eight bytes, from the lowest on, are below 10. */
static inline unsigned digits_at(uint64_t values)
{
    uint64_t others = no_digits(values);
    return others ? (unsigned)__builtin_ctzll(others) / 8 : 8;
}

/* The number of eight digits, each a byte below 10, the first one lowest. Bytes are made into pairs, fours and the
 * number at once. */
static inline uint64_t eight_number(uint64_t values)
{
    values = values * 10 + (values >> 8);
    return ((values & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x000F424000000064) +
            (values >> 16 & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x0000271000000001)) >>
           32;
}

/* Up to eight digits at `at`, of which there are *count. */
static inline uint64_t some_digits(const char *at, unsigned *count)
{
    unsigned first = (unsigned char)*at - (unsigned)'0', second = (unsigned char)at[1] - (unsigned)'0';
    if (second > 9) {
        *count = first < 10;
        return first < 10 ? first : 0;
    }

    uint64_t values = eight_at(at) ^ DIGITS; /* a digit's is below 10 */
    *count = digits_at(values);
    if (*count == 0)
        return 0;
    return eight_number(values << 8 * (8 - *count)); /* zeros before them */
}

/* A number of 18 digits at most: any of them fits. */
static __attribute__((noinline)) bool pass_number(const char **at, int64_t *number)
{
    static const uint32_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    const char *begin = *at;
    unsigned count;
    uint64_t value = some_digits(begin, &count);
    size_t length = count;
    for (unsigned parts = 1; count == 8 && parts < 3; parts++) { /* 24 digits are too many, whatever follows */
        uint64_t more = some_digits(begin + length, &count);
        value = value * powers[count] + more;
        length += count;
    }
    *at = begin + length;
    *number = (int64_t)value;
    return length && length <= 18 && (*begin != '0' || length == 1);
}

/* The same of a number that has one digit, as most marks. */
static inline bool pass_short(const char **at, int64_t *number)
{
    const char *begin = *at;
    if ((unsigned char)begin[1] - (unsigned)'0' <= 9)
        return pass_number(at, number);
    *at = begin + 1;
    *number = (unsigned char)*begin - (unsigned)'0';
    return *number < 10;
}

/* The same of a number of `length` digits, as the last one had, 2 to 16. Where what follows it stands is then known
 * before its digits are: a processor need not wait for one field of a line to look at the next. Of a longer number the
 * first digits are taken: the caller has to look at what follows. */
static inline __attribute__((always_inline)) bool pass_so_many(const char **at, unsigned length, uint64_t *number)
{
    const char *begin = *at;
    uint64_t values = eight_at(begin) ^ DIGITS, low = 0;
    *at = begin + length;
    if (__builtin_expect(length - 2 <= 6, true)) {
        values <<= 8 * (8 - length);
        *number = eight_number(values);
    } else if (length - 9 <= 7) {
        low = eight_at(begin + length - 8) ^ DIGITS;
        values <<= 8 * (16 - length);
        *number = eight_number(values) * 100000000 + eight_number(low);
    } else {
        return false;
    }
    return *begin != '0' && !(no_digits(values) | no_digits(low));
}

/* A number of 15 digits at most whose value nobody wants; *length is that of the last one. False of a longer one. */
static inline __attribute__((always_inline)) bool pass_digits(const char **at, unsigned *length)
{
    const char *begin = *at;
    uint64_t unused;
    if (__builtin_expect(pass_so_many(at, *length, &unused) && (unsigned char)**at - (unsigned)'0' > 9, true))
        return true;
    uint64_t others = no_digits(eight_at(begin) ^ DIGITS);
    unsigned count = others ? 0 : 8;
    if (count)
        others = no_digits(eight_at(begin + count) ^ DIGITS);
    if (!others)
        return false;
    *length = count += (unsigned)__builtin_ctzll(others) / 8;
    *at = begin + count;
    return count && (*begin != '0' || count == 1);
}

#endif
