/* Writes to and reads of parts of arrays and structs. Compiled for the host it prints at each which part that is, and its value. */
#ifdef HOST
#include <stdio.h>
#define SHOW(place) printf("=%lld", (long long)(place))
#define SAY(...) printf(__VA_ARGS__)
#else
#define SHOW(place)
#define SAY(...)
#endif
#define SET(place, to, ...) \
    do { \
        (place) = (to); \
        SAY(__VA_ARGS__); \
        SHOW(place); \
        SAY("\n"); \
    } while (0)

struct rec {
    int a;
    unsigned char b, c;
    short d[2];
    long long e;
};
struct __attribute__((packed)) odd {
    unsigned char tag;
    int value;
};
union both {
    unsigned char bytes[4];
    struct {
        unsigned short low, high;
        unsigned char last;
    } halves;
};

volatile unsigned char bytes[16];
volatile short shorts[8];
volatile int words[6], grid[3][4], other;
volatile long long wide[4];
volatile struct rec recs[3], pool[3], *volatile p;
volatile struct odd odds[3];
volatile union both both;
volatile const int table[5] = {3, -1, 4, 1, 5};

__attribute__((noinline)) static int work(unsigned n)
{
    volatile int local[5];
    volatile struct rec mine;
    for (unsigned i = 0; i < 5; i++)
        SET(local[i], (int)(n * i), "local work\\local[%u]", i);
    SET(mine.c, n, "mine work\\mine.c");
    SET(mine.a, (int)n, "mine work\\mine.a");
    mine.e = n; /* the second of two stores: what the first has left is not looked at */
    SAY("mine work\\mine.e=-\n");
    if (n % 3 == 2)
        work(n / 3);
    SET(local[n % 5], 77, "local work\\local[%u]", n % 5);
    return mine.a + local[1];
}

int main(void)
{
    unsigned seed = SEED;
    p = pool;
    for (unsigned round = 0; round < 60; round++) {
        seed = seed * 1103515245 + 12345;
        unsigned n = seed >> 16, k = n % 16;
        switch (n / 16 % 12) {
        case 0: SET(bytes[k], n, "bytes bytes[%u]", k); break;
        case 1:
            *(volatile unsigned *)(bytes + k / 4 * 4) = seed;
            SAY("bytes");
            for (unsigned i = k / 4 * 4; i < k / 4 * 4 + 4; i++) {
                SAY(" bytes[%u]", i);
                SHOW(bytes[i]);
            }
            SAY("\n");
            break;
        case 2: SET(shorts[k / 2], (short)seed, "shorts shorts[%u]", k / 2); break;
        case 3:
            words[k % 6] = (int)seed;
            if (k % 6 >= 2 && k % 6 <= 4) {
                SAY("words words[%u]", k % 6);
                SHOW(words[k % 6]);
                SAY("\n");
            }
            break;
        case 4:
            grid[k % 3][k % 4] = (int)n;
            if (k % 3 < 2 && k % 4 > 1) {
                SAY("grid grid[%u][%u]", k % 3, k % 4);
                SHOW(grid[k % 3][k % 4]);
                SAY("\n");
            }
            break;
        case 5: SET(wide[k % 4], (long long)seed * seed, "wide wide[%u]", k % 4); break;
        case 6:
            SET(recs[k % 3].d[k % 2], (short)n, "recs recs[%u].d[%u]", k % 3, k % 2);
            SET(recs[k % 3].e, seed, "recs recs[%u].e", k % 3);
            break;
        case 7: p = pool + k % 3; break;
        case 8:
            SET(p->b, n, "through (*p).b");
            SET(p->a, (int)seed, "through (*p).a");
            pool[1].c = k;
            if (p == pool + 1)
                SAY("through (*p).c=%u\n", k);
            break;
        case 9: SET(odds[k % 3].value, (int)seed, "odds odds[%u].value", k % 3); break;
        case 10:
            SET(both.halves.last, k, "both both.halves.last");
            both.bytes[k % 6 ? 2 : 3] = (unsigned char)n;
            SAY("both both.halves.high");
            SHOW(both.halves.high);
            SAY("\n");
            break;
        default: SAY("reads table[%u]=%d\n", k % 5, table[k % 5]); other = table[k % 5];
        }
        if (round % 9 == 0)
            work(n % 12);
    }
    return 0;
}
