/* Counters in indices that lead somewhere: what they lead to moves when a statement has changed them. Compiled for the host it prints what should be
 * hit; n and m are the statements' counters. */
#ifdef HOST
#include <stdio.h>
static void event(char which, unsigned element, int was);
#define EVENT(which, element, was) event(which, element, was)
#else
#define EVENT(which, element, was) (void)(was)
#endif

struct item {
    int x, y;
};

volatile struct item pool[10];
volatile struct item *volatile p = pool;
volatile struct item *volatile a[4] = {pool, pool + 3, pool + 5, pool + 8};
volatile unsigned k;

#ifdef HOST
/* x: that of an element was written; p; a: that element of it; k. */
static void event(char which, unsigned element, int was)
{
    static unsigned n, m, seen;
    static volatile struct item *last, *aged; /* what p[n & 3] means; the same if it was written since it means that */
    volatile struct item *meant = &p[n & 3], *led = a[m & 3];
    int here = which == 'x' && &pool[element] == meant;
    if ((here || which == 'p') && meant->x > 100)
        printf("value %d\n", meant->x);
    if (here)
        printf("old %d %d\n", meant->x, was);
    if (here && aged == meant)
        printf("aged %d\n", meant->x);
    if (here)
        aged = meant;
    if (here && seen)
        printf("seen %d\n", meant->x);
    if (here)
        seen = 0;
    if (which == 'k')
        seen = 1;
    if (((which == 'x' && &pool[element] == led) || (which == 'a' && element == (m & 3))) && led->x % 2 == 1)
        printf("own %d %u\n", led->x, ++m);
    if (which == 'k')
        n++;
    if (which == 'x' && &pool[element] == &p[3]) {
        n++;
        printf("same %d\n", pool[element].x);
    }
    if (last != &p[n & 3])
        aged = NULL;
    last = &p[n & 3];
}
#endif

int main(void)
{
    unsigned seed = SEED;
    for (int i = 0; i < 300; i++) {
        seed = seed * 1664525u + 1013904223u;
        unsigned w = seed >> 20 & 7;
        switch (seed >> 28) {
        case 0:
            p = pool + w % 5;
            EVENT('p', 0, 0);
            break;
        case 1:
            a[w & 3] = pool + (seed >> 10) % 10;
            EVENT('a', w & 3, 0);
            break;
        case 2:
        case 3:
            k = (unsigned)i;
            EVENT('k', 0, 0);
            break;
        default: {
            unsigned element = (seed >> 12) % 10;
            int was = pool[element].x;
            pool[element].x = (int)(seed >> 16 & 255);
            EVENT('x', element, was);
        }
        }
    }
    return 0;
}
