/* Numbers to text and back, Base64: inlined helpers that call one another, tail calls. */
#include "note.h"

static char out[96];
static uint32_t used;
volatile int32_t seed = -20517;

static void put(char c)
{
    if (used < sizeof out)
        out[used++] = c;
}

OWN void put_number(int32_t value)
{
    char digits[12];
    uint32_t rest = value < 0 ? 0u - (uint32_t)value : (uint32_t)value;
    int count = 0;
    NOTE(rest);
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
        NOTE(rest);
    } while (rest);
    if (value < 0)
        put('-');
    while (count--)
        put(digits[count]);
}

OWN int32_t get_number(const char *text, uint32_t *length)
{
    int32_t value = 0;
    int negative = *text == '-';
    uint32_t at = (uint32_t)negative;
    NOTE(at);
    for (; text[at] >= '0' && text[at] <= '9'; at++) {
        value = value * 10 + (text[at] - '0');
        NOTE(value);
    }
    *length = at;
    return negative ? -value : value;
}

static char symbol(uint32_t six)
{
    if (six < 26)
        return (char)('A' + six);
    if (six < 52)
        return (char)('a' + six - 26);
    return six < 62 ? (char)('0' + six - 52) : six == 62 ? '+' : '/';
}

OWN void encode(const uint8_t *bytes, uint32_t count)
{
    for (uint32_t i = 0; i + 2 < count; i += 3) {
        uint32_t word = (uint32_t)bytes[i] << 16 | (uint32_t)bytes[i + 1] << 8 | bytes[i + 2];
        NOTE(word);
        for (int shift = 18; shift >= 0; shift -= 6) {
            char c = symbol(word >> shift & 63);
            NOTE(c);
            put(c);
        }
    }
}

OWN int odd(uint32_t n);
OWN int even(uint32_t n)
{
    return n == 0 ? 1 : odd(n - 1);
}
OWN int odd(uint32_t n)
{
    return n == 0 ? 0 : even(n - 1);
}

int main(void)
{
    uint32_t length = 0;
    for (int i = 0; i < 4; i++) {
        used = 0;
        put_number(seed * (i - 1));
        put(0);
        int32_t back = get_number(out, &length);
        NOTE(back);
        encode((const uint8_t *)out, length);
        int parity = even(used);
        NOTE(parity);
        seed += back & parity;
    }
    return (int)(used & 1);
}
