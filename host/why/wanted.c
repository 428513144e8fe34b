#include "why/wanted.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

static uint32_t filter_bit(uint32_t address)
{
    return address >> 2 & ((1u << ES_WHY_FILTER_BITS) - 1);
}

void es_why_want_word(es_why_wanted *wanted, uint32_t address, uint8_t lanes, uint32_t data, uint32_t unknown,
                      size_t user)
{
    for (unsigned lane = 0; lane < 4; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        if (wanted->count == wanted->size) {
            wanted->size = wanted->size ? 2 * wanted->size : 64;
            wanted->bytes = es_realloc(wanted->bytes, wanted->size * sizeof *wanted->bytes);
        }
        wanted->bytes[wanted->count++] =
            (es_why_wanted_byte){address + lane, user, (uint8_t)(data >> 8 * lane), !(unknown >> 8 * lane & 0xFF)};
    }
    wanted->filter[filter_bit(address) >> 3] |= (uint8_t)(1u << (filter_bit(address) & 7));
}

bool es_why_wants(const es_why_wanted *wanted, uint32_t address)
{
    return wanted->filter[filter_bit(address) >> 3] >> (filter_bit(address) & 7) & 1;
}

bool es_why_take_wanted(es_why_wanted *wanted, size_t *at, uint32_t address, uint8_t lanes, size_t user,
                        es_why_wanted_byte *taken)
{
    for (; *at < wanted->count; ++*at) {
        es_why_wanted_byte *byte = &wanted->bytes[*at];
        if ((byte->address & ~3u) != address || !(lanes >> (byte->address & 3) & 1) ||
            (user != SIZE_MAX && byte->user != user))
            continue;
        *taken = *byte;
        memmove(byte, byte + 1, (--wanted->count - *at) * sizeof *byte);
        return true;
    }
    return false;
}

void es_why_wanted_free(es_why_wanted *wanted)
{
    free(wanted->bytes);
    wanted->bytes = NULL;
    wanted->count = wanted->size = 0;
}
