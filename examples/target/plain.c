/* What compilers call by themselves, for programs without a library (target-cc -mbig-endian);
 * and malloc. Linked only where used. */
#include <stddef.h>
#include <stdint.h>

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

/* What is given back is taken again by who asks for as much or less, and nothing is joined: enough for small programs. */
typedef struct block {
    size_t size; /* of what follows */
    struct block *next;
} block;

extern char __heap_start[], __heap_end[];
static block *returned;
static char *end = __heap_start;

void *malloc(size_t size)
{
    size = (size + 7) & ~(size_t)7;
    for (block **at = &returned; *at; at = &(*at)->next)
        if ((*at)->size >= size) {
            block *found = *at;
            *at = found->next;
            return found + 1;
        }
    block *made = (block *)(((uintptr_t)end + 7) & ~(uintptr_t)7);
    if (size > (size_t)(__heap_end - (char *)(made + 1)))
        return NULL;
    end = (char *)(made + 1) + size;
    made->size = size;
    return made + 1;
}

void free(void *object)
{
    block *of = object;
    if (!object)
        return;
    of[-1].next = returned;
    returned = of - 1;
}

void *realloc(void *object, size_t size)
{
    void *made = malloc(size);
    size_t before = object ? ((block *)object)[-1].size : 0;
    if (made)
        memcpy(made, object, before < size ? before : size);
    if (made)
        free(object);
    return made;
}
