/* What is allocated and given back. Compiled for this machine, it prints what `heap` should count. */
#include <stdlib.h>
#include <string.h>

#ifdef HOST
#include <stdio.h>
static int live, peak;
static void *told(void *p, const char *by)
{
    live++;
    peak = live > peak ? live : peak;
    printf("%s\n", by);
    return p;
}
#define malloc(size) told((malloc)(size), __func__)
#define calloc(count, size) told((calloc)(count, size), __func__)
#define free(p) (live--, printf("-%s\n", __func__), (free)(p))
#endif

#define APART __attribute__((noinline, noclone))

void *volatile kept[64];
unsigned blocks[16], used, state = SEED;
volatile int sum;

APART unsigned *block_get(void)
{
    for (unsigned i = 0; i < 16; i++)
        if (!(used >> i & 1)) {
            used |= 1u << i;
#ifdef HOST
            printf("block\n");
#endif
            return &blocks[i];
        }
    return 0;
}

APART void block_put(unsigned *block)
{
#ifdef HOST
    printf("-block\n");
#endif
    used &= ~(1u << (block - blocks));
}

APART unsigned number(void)
{
    return state = state * 1664525u + 1013904223u, state >> 20;
}

static unsigned asked, most;

APART void *leaky(unsigned size)
{
    asked += size;
    most = size > most ? size : most;
    void *p = malloc(size);
    sum++;
    return p;
}

APART void *careful(unsigned size)
{
    char *p = calloc(2, size);
    sum += p[size];
    return p;
}

APART void round_of(unsigned n)
{
    unsigned at = n & 63;
    if (kept[at] && n & 64)
        kept[at] = realloc(kept[at], 16 + (n & 127));
    else if (kept[at])
        free(kept[at]), kept[at] = 0;
    else
        kept[at] = n & 128 ? leaky(8 + (n & 31)) : careful(4 + (n & 15));
    sum++;
}

int main(void)
{
    for (int i = 0; i < 200; i++)
        round_of(number());
    unsigned *first = block_get(), *second = block_get();
    block_put(first);
    sum += second == block_get();
#ifdef HOST
    printf("live %d\npeak %d\nasked %u\nmost %u\n", live, peak, asked, most);
#endif
    return 0;
}
