/* Optimised code, whose locals are in registers: what statements over them become on the replay (test_shadow.c). */
#include <stdint.h>

volatile int in = 5;
int out;

struct pair {
    int16_t a, b;
};

struct large {
    int a[4];
};

__attribute__((noinline)) int clamp(int lo, int value, int hi)
{
    if (value < lo)
        return lo;
    return value > hi ? hi : value;
}

static inline int scaled(int raw)
{
    int twice = raw * 2 + in;
    return twice * twice;
}

__attribute__((noinline)) struct pair halves(int x)
{
    struct pair p = {(int16_t)x, (int16_t)(x >> 16)};
    return p;
}

__attribute__((noinline)) struct large spread(int x)
{
    return (struct large){{x, x + 1, x + 2, x + 3}};
}

__attribute__((noinline)) int64_t wide(int x)
{
    int64_t y = (int64_t)x * in;
    return y + 1;
}

__attribute__((noinline)) unsigned fact(unsigned n)
{
    return n < 2 ? 1 : n * fact(n - 1) + fact(n - 2);
}

__attribute__((noinline)) void quiet(void)
{
    in++;
}

__attribute__((noinline)) int control(int n)
{
    int unused = n * 3, sum = 0;
    for (int i = 0; i < n; i++) {
        int step = clamp(0, in + i, 100);
        sum += step;
    }
    (void)unused;
    out = sum + scaled(n);
    return sum;
}

int main(void)
{
    quiet();
    struct pair p = halves(in);
    return control(in) + (int)wide(3) + (int)fact(5) + p.a + spread(in).a[1];
}
