/* Parameters and results of all kinds that the calling convention tells apart (convention.py). Each procedure is called with values that its
 * caller keeps in `told`, too: what they were is in memory at any level of optimisation. */
#include <stdint.h>

#define OWN __attribute__((noipa))

struct small {
    int16_t a, b;
};
struct two {
    int x, y;
};
struct mixed {
    uint8_t k;
    int v;
};
struct number {
    double d;
};
struct beside {
    float f;
    int n;
};
struct large {
    int a[3];
    int b;
};

volatile int sink, in = 3;
volatile struct {
    int round;
    struct two two;
    struct large large;
} told;

OWN int take_small(struct small s)
{
    sink = s.a;
    return s.b + s.a;
}

OWN int take_two(struct two s)
{
    sink = s.x;
    return s.y;
}

OWN int take_mixed(int n, struct mixed m)
{
    sink = n;
    return m.v + m.k;
}

OWN int take_unused(struct two s, int n)
{
    return n;
}

OWN int take_partly(struct two s, int n)
{
    return n + s.y;
}

OWN double take_number(struct number s)
{
    return s.d * 2;
}

OWN int take_beside(struct beside s)
{
    return s.n + (int)s.f;
}

OWN int take_large(struct large s)
{
    sink = s.a[1];
    return s.b;
}

/* The struct has one half in the last register, the other one on the stack. */
OWN int take_split(int a, int b, int c, int d, int e, int f, int g, struct two s)
{
    sink = a;
    return s.x + s.y + g;
}

OWN int64_t take_wide(int a, int64_t w, int64_t u)
{
    sink = a;
    return w + 1;
}

/* Its result's place is its first, hidden parameter. */
OWN struct large shift_large(struct two s, int by)
{
    return (struct large){{s.x + by, s.y + by, in}, by};
}

OWN struct two make_two(int a)
{
    return (struct two){a, a + 1};
}

OWN struct small make_small(int a)
{
    return (struct small){(int16_t)a, (int16_t)(a + 1)};
}

OWN struct beside make_beside(float a)
{
    return (struct beside){a, 3};
}

OWN float make_float(float a)
{
    return a * 2;
}

OWN double make_double(double a)
{
    return a * 2;
}

int main(void)
{
    int n = 0;
    for (int i = 0; i < 4; i++) {
        told.round = i;
        n += take_small((struct small){(int16_t)i, (int16_t)(i + 2)});
        n += take_two((struct two){i, in});
        n += take_mixed(i, (struct mixed){(uint8_t)i, in + i});
        n += take_unused((struct two){i, in}, i + 9) + take_partly((struct two){i, in}, 7);
        n += (int)take_number((struct number){i});
        n += take_beside((struct beside){(float)i * 1.5f, i});
        n += take_large((struct large){{i, in, 7}, i + 20});
        n += take_split(1, 2, 3, 4, 5, 6, in, (struct two){i, i + 1});
        n += (int)take_wide(i, in * INT64_C(1000000000000) + i, i);
        n += shift_large((struct two){i, in}, 5).b + make_two(i).y + make_small(i).a + make_beside((float)i).n;
        n += (int)make_float((float)i) + (int)make_double(i);
    }
    return n & 0x7f;
}
