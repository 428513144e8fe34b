/* A procedure of which GCC makes a second one for calls with a constant: filter.constprop.0. */
#include "note.h"

volatile int32_t input = 3;
int32_t out;
static int32_t window[8];

OWN int32_t filter(int32_t sample, int32_t order, int32_t limit)
{
    int32_t kept[4];
    int32_t sum = sample;
    NOTE(sum);
    for (int32_t i = 0; i < order; i++) {
        sum += window[(i + sample) & 7] * (order - i);
        kept[i & 3] = sum;
        if (sum > limit) {
            sum -= limit;
            NOTE(sum);
        }
    }
    int32_t last = kept[(order - 1) & 3] + kept[order & 3];
    NOTE(last);
    window[sample & 7] = sum;
    return last + sum;
}

/* Of calls through it GCC knows nothing: these are of the procedure itself. */
int32_t (*volatile through)(int32_t, int32_t, int32_t) = filter;

int main(void)
{
    for (int32_t round = 0; round < 12; round++) {
        int32_t now = input + round;
        out += filter(now, 5, 400);
        if (round & 1)
            out += through(now, 4 + (input & 3), 100 + input);
        out += filter(now ^ 1, 5, 400);
    }
    return out & 1;
}
