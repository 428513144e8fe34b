/* Elements with a variable index in a compound event: write(k) then a[i] > 3. Compiled for the host it follows the event itself. */
#ifdef HOST
#include <stdio.h>
static void event(char which);
#define EVENT(which) event(which)
#else
#define EVENT(which)
#endif

volatile int a[4];
volatile unsigned i, k;

#ifdef HOST
/* k: it was written; i: the index; a: the element that it means; o: another element. */
static void event(char which)
{
    static int seen;
    if (which == 'k') {
        seen = 1;
    } else if (which != 'o' && a[i] > 3) {
        if (seen)
            printf("joined %u %d\n", i, a[i]);
        seen = 0;
    }
}
#endif

int main(void)
{
    unsigned seed = SEED;
    for (int n = 0; n < 120; n++) {
        seed = seed * 1664525u + 1013904223u;
        unsigned w = seed >> 20 & 7;
        switch (seed >> 29) {
        case 0:
        case 1:
            k = n;
            EVENT('k');
            break;
        case 2:
            i = w & 3;
            EVENT('i');
            break;
        case 3:
        case 4:
            a[i] = (int)w;
            EVENT('a');
            break;
        default: {
            unsigned e = seed >> 10 & 3;
            a[e] = (int)w;
            EVENT(e == i ? 'a' : 'o');
        }
        }
    }
    return 0;
}
