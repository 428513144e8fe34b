/* Locals that optimised code keeps in registers and, at times, on the stack; compiled at several levels and with both formats of lists. */
#include <setjmp.h>
#include <stdint.h>

volatile int in = 7;
int g, table[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };

__attribute__((noinline)) int leaf(int a)
{
    in++;
    g += a;
    return in + a;
}

/* More arguments than registers, more locals than registers that calls keep. */
__attribute__((noinline)) int many(int a, int b, int c, int d, int e, int f, int h, int i, int ninth, int *tenth)
{
    int sum = a + b;
    for (int k = 0; k < 3; k++) {
        int v0 = in, v1 = in, v2 = in, v3 = in, v4 = in, v5 = in, v6 = in, v7 = in, v8 = in, v9 = in, va = in, vb = in, vc = in;
        sum += leaf(c + k);
        g = v0 + v1 + v2 + v3 + v4 + v5 + v6;
        sum += leaf(d) + v7 + v8 + v9 + va + vb + vc;
        sum += v0 ^ v1 ^ v2 ^ v3 ^ v4 ^ v5 ^ v6 ^ v7 ^ v8 ^ v9 ^ va ^ vb ^ vc;
    }
    ninth += leaf(sum);
    g = ninth + *tenth;
    return sum + e + f + h + i + leaf(ninth) + ninth + *tenth;
}

/* GCC 12 at -O2 has the list of some of these begin at the loop's head, before they are stored there. */
__attribute__((noinline)) int rounds(int n)
{
    int a = in, b = in, c = in, d = in, e = in, f = in, h = in, i = in, j = in, k = in, l = in, m = in, o = in, p = in, q = in;
    int sum = 0;
    for (int t = 0; t < n; t++) {
        sum += leaf(a + t);
        a += b, b ^= c, c += d, d -= e, e += f, f ^= h, h += i, i += j, j += k, k ^= l, l += m, m += o, o += p, p ^= q, q += t;
        g = sum;
    }
    return sum + a + b + c + d + e + f + h + i + j + k + l + m + o + p + q;
}

static jmp_buf place;

/* What is on the stack when setjmp returns for the second time is not what was there the first time. */
__attribute__((noinline)) int twice(int a, int b, int c, int d, int e, int f, int h, int i, int ninth)
{
    int before = leaf(ninth);
    if (setjmp(place))
        return before + ninth;
    g = a + b + c + d + e + f + h + i + leaf(before);
    longjmp(place, 1);
}

__attribute__((noinline)) int64_t wide(int a, int b, int c, int d, int e, int f, int h, int64_t last)
{
    return a + b + c + d + e + f + h + leaf(a) + last;
}

int main(void)
{
    g = many(1, 2, 3, 4, 5, 6, 7, 8, 9, &table[2]) + rounds(4) + twice(1, 2, 3, 4, 5, 6, 7, 8, 9);
    g += (int)wide(1, 2, 3, 4, 5, 6, 7, 8);
    return 0;
}
