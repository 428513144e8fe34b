#include "base/base64.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

static int digit_of(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

uint8_t *es_base64_decode(const char *text, size_t length, size_t *size)
{
    uint8_t *bytes = es_malloc(length / 4 * 3 + 3);
    uint32_t bits = 0;
    size_t digits = 0, padding = 0;
    bool good = true;
    *size = 0;
    for (size_t i = 0; i < length && good; i++) {
        int digit = digit_of(text[i]);
        if (text[i] == '\n' || text[i] == '\r')
            continue;
        padding += text[i] == '=';
        if (text[i] == '=')
            continue;
        good = digit >= 0 && !padding;
        bits = bits << 6 | (uint32_t)digit;
        digits++;
        for (unsigned shift = digits % 4 ? 0 : 24; good && shift; shift -= 8)
            bytes[(*size)++] = (uint8_t)(bits >> (shift - 8));
    }
    size_t rest = digits % 4;
    if (rest == 2)
        bytes[(*size)++] = (uint8_t)(bits >> 4);
    if (rest == 3) {
        bytes[(*size)++] = (uint8_t)(bits >> 10);
        bytes[(*size)++] = (uint8_t)(bits >> 2);
    }
    if (good && rest != 1 && padding == (4 - rest) % 4)
        return bytes;
    free(bytes);
    return NULL;
}
