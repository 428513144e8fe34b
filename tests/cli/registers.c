/* Arguments on the stack, and locals that optimised code spills at times. Run at -O2. */
volatile int in = 7;
int g, table[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };

__attribute__((noinline)) int leaf(int a)
{
    in++;
    g += a;
    return in + a;
}

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

/* The innermost of its activations is meant. */
__attribute__((noinline)) int down(int a, int b, int c, int d, int e, int f, int h, int i, int depth)
{
    g = depth + a;
    int below = depth > 0 ? down(a, b, c, d, e, f, h, i, depth - 1) : 0;
    g = depth + b;
    return below + a + b + c + d + e + f + h + i + depth;
}

int main(void)
{
    g = many(1, 2, 3, 4, 5, 6, 7, 8, 9, &table[2]);
    return down(1, 2, 3, 4, 5, 6, 7, 8, 2) & 1;
}
