/* What compilers call by themselves, for programs without a library (target-cc -mbig-endian). Linked only where used. */
#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    char *out = to;
    const char *in = from;
    while (size--)
        *out++ = *in++;
    return to;
}

void *memmove(void *to, const void *from, size_t size)
{
    char *out = to;
    const char *in = from;
    if (out < in)
        return memcpy(to, from, size);
    while (size--)
        out[size] = in[size];
    return to;
}

void *memset(void *to, int byte, size_t size)
{
    char *out = to;
    while (size--)
        *out++ = (char)byte;
    return to;
}

int memcmp(const void *left, const void *right, size_t size)
{
    const unsigned char *a = left, *b = right;
    for (; size; size--, a++, b++)
        if (*a != *b)
            return *a < *b ? -1 : 1;
    return 0;
}

unsigned __bswapsi2(unsigned word)
{
    return word << 24 | (word & 0xFF00) << 8 | (word >> 8 & 0xFF00) | word >> 24;
}

unsigned long long __bswapdi2(unsigned long long number)
{
    return (unsigned long long)__bswapsi2((unsigned)number) << 32 | __bswapsi2((unsigned)(number >> 32));
}
