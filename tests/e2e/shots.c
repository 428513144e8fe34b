/* Snapshots of elements with a variable index. Compiled for the host it prints what they should show at each write to k; -: there is no such
 * element. */
#ifdef HOST
#include <stdio.h>
static void event(void);
static int moved; /* i or j was written */
#define EVENT() event()
#define MOVED() (moved = 1)
#else
#define EVENT()
#define MOVED()
#endif

struct item {
    int first;
    short second, third[2];
};
struct bag {
    int count;
    struct item in[3];
};
struct __attribute__((packed)) small {
    signed char x, y, z;
};

volatile struct item table[5], pool[10], *volatile list = pool + 2;
volatile struct bag bags[2], *volatile bag = bags;
volatile struct small smalls[7];
volatile unsigned i, j, k;

#ifdef HOST
static void item(const volatile struct item *of)
{
    if (of)
        printf(" %d %d %d %d", of->first, of->second, of->third[0], of->third[1]);
    else
        printf(" -");
}

static void event(void)
{
    static int c;
    printf("plain");
    item(i < 5 ? &table[i] : NULL);
    item(bag && j < 3 ? &bag->in[j] : NULL);
    item(&list[(int)i - 2]);
    if (i < 7)
        printf(" %d %d %d\n", smalls[i].x, smalls[i].y, smalls[i].z);
    else
        printf(" -\n");
    printf("counted");
    item((c & 7) < 5 ? &table[c & 7] : NULL); /* as of the event, before it is counted */
    c++;
    printf("\n");
    if (moved) {
        printf("joined");
        item(i < 5 ? &table[i] : NULL);
        printf("\n");
    }
    moved = 0;
}
#endif

static void fill(volatile struct item *of, unsigned seed)
{
    of->first = (int)seed;
    of->second = (short)(seed >> 3);
    of->third[0] = (short)(seed >> 7);
    of->third[1] = (short)(seed >> 11);
}

int main(void)
{
    unsigned seed = SEED;
    for (int n = 0; n < 150; n++) {
        seed = seed * 1664525u + 1013904223u;
        unsigned w = seed >> 20 & 7;
        switch (seed >> 28) {
        case 0:
        case 1: fill(&table[w % 5], seed); break;
        case 2:
        case 3: fill(&pool[w], seed); break;
        case 4: fill(&bags[w & 1].in[w % 3], seed); break;
        case 5:
            smalls[w % 7].x = (signed char)seed;
            smalls[w % 7].y = (signed char)(seed >> 5);
            smalls[w % 7].z = (signed char)(seed >> 9);
            break;
        case 6: list = pool + 2 + (w & 1); break;
        case 7: bag = w < 2 ? 0 : &bags[w & 1]; break;
        case 8:
        case 9:
            i = w;
            MOVED();
            break;
        case 10:
            j = w & 3;
            MOVED();
            break;
        default: k = (unsigned)n; EVENT();
        }
    }
    return 0;
}
