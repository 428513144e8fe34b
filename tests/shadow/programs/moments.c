/* Inlined copies, of which one begins where another one ends. */
#include <stdint.h>

volatile int sink;
int data[4] = {1, 2, 3, 4};
static inline int twice(int q)
{
    int w = q * 2;
    sink = w;
    return w + 1;
}
__attribute__((noinline)) int outer(int a)
{
    int x = twice(a);
    int y = twice(x + a);
    return x + y;
}
/* A product that nobody needs: debug information computes it, of a number in two registers. */
__attribute__((noinline)) int64_t lazy(const int *p, int n, int64_t k)
{
    uint64_t x = (int64_t)n * k;
    int64_t y = 1;
    for (int i = 0; i < 4; i++) {
        x = (uint64_t)sink;
        sink = p[i & 3];
        for (int j = 0; j < 3; j++) {
            y = ((int64_t)p[i & 3] < y ? y : (int64_t)x) * ((y ^ 7) << 4);
            sink = (int)y;
        }
        x = 7 + (x << 11);
        sink = (int)x;
    }
    return (int64_t)x + y;
}
int main(void)
{
    for (int i = 0; i < 12; i++)
        sink = outer(i);
    for (int i = 1; i < 4; i++)
        sink = (int)lazy(data, i, (int64_t)(i + 1) << 33);
    return 0;
}
