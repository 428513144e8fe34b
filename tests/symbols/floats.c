/* Numbers of floating point in registers of their own: spilled, saved by prologues, stored as one word and as two. */
volatile float in = 1.0f;
float g;
double total, pair[2];

__attribute__((noinline)) float leaf(float a)
{
    g += a;
    return in + a;
}

__attribute__((noinline)) void assign(double x)
{
    total = x;
}

__attribute__((noinline)) void assign_both(double x, double y)
{
    pair[0] = x, pair[1] = y;
}

/* More of them than registers that calls keep. */
__attribute__((noinline)) float many(float a, float b)
{
    float sum = a + b;
    for (int k = 0; k < 3; k++) {
        float v0 = in, v1 = in, v2 = in, v3 = in, v4 = in, v5 = in, v6 = in, v7 = in, v8 = in, v9 = in, va = in,
              vb = in, vc = in, vd = in, ve = in, vf = in;
        sum += leaf(a + (float)k);
        g = v0 + v1 + v2 + v3 + v4 + v5 + v6;
        sum += leaf(b) + v7 + v8 + v9 + va + vb + vc + vd;
        sum += leaf(v0) * v1 - v2 * v3 - v4 * v5 - v6 * v7 - v8 * v9 - va * vb - vc * vd - ve * vf;
    }
    return sum;
}

int main(void)
{
    g = many(1, 2);
    assign((double)g);
    assign_both(total, total);
    return 0;
}
