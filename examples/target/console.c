/* Console output without printf: a string, a number. Linked only where used. */
#include "target.h"

void target_puts(const char *text)
{
    while (*text)
        target_put_char(*text++);
}

void target_put_int(int32_t value)
{
    char digits[12];
    unsigned used = sizeof digits - 1;
    uint32_t rest = value < 0 ? -(uint32_t)value : (uint32_t)value;
    digits[used] = 0;
    do {
        digits[--used] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (value < 0)
        digits[--used] = '-';
    target_puts(digits + used);
}
