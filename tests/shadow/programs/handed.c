/* A struct by value, a large one by reference and a parameter whose address is taken, to a procedure of which GCC makes
 * a second one: of all three debug information says for all of the code where they are once the code has begun. */
#include <stdint.h>

typedef struct pair {
    int32_t x, y;
} pair;
typedef struct four {
    int32_t a[4];
} four;

volatile int32_t out;
int32_t *volatile leak;

__attribute__((noinline)) static void raise(int32_t *p)
{
    *p += 2;
    leak = p;
}

__attribute__((noinline)) static int32_t take(int32_t start, int32_t count, int32_t step, pair p, four f)
{
    out = 0;
    raise(&step);
    raise(&p.y);
    raise(&f.a[1]);
    for (int32_t i = 0; i < count; i++)
        out = start + i * step + p.x;
    return step * count + p.y + f.a[1];
}

/* Of calls through it GCC knows nothing: these are of the procedure itself. */
int32_t (*volatile through)(int32_t, int32_t, int32_t, pair, four) = take;

int main(void)
{
    int32_t sum = 0;
    for (int32_t round = 1; round < 6; round++) {
        pair p = {round, 2 * round};
        four f = {{round, 3 * round, 4 * round, 5 * round}};
        sum += take(round, 5, round * 10, p, f);
        if (round & 1)
            sum += through(round, 4, round * 11, p, f);
        sum += take(round + 1, 5, round * 20, p, f);
    }
    return sum & 1;
}
