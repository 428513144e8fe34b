/* One program for all instruction sets: numbers of all kinds (without the library for floating point: whole ones), atomic operations where there are some, bit manipulation, recursion, a pointer. */
#ifdef WHOLE_NUMBERS
typedef int real;
typedef long long wide;
#else
typedef float real;
typedef double wide;
#endif

volatile int out;
volatile unsigned lock;
real gain = (real)1.5f, samples[8];
wide total;
unsigned bits;
unsigned char bytes[16];
short shorts[8];
struct record {
    unsigned char b;
    unsigned short h;
    int w;
    real f;
    wide d;
} record, *where = &record;

__attribute__((noinline)) real scale(real x, real y)
{
    real z = x * gain + y;
    out = (int)z;
    return z;
}

__attribute__((noinline)) wide filter(wide *sum, const real *v, int n)
{
    wide now = *sum;
    for (int i = 0; i < n; i++) {
        real s = scale(v[i], gain);
        now += (wide)s;
        samples[i & 7] = s;
    }
    *sum = now;
    total = now;
    return now;
}

__attribute__((noinline)) unsigned mix(unsigned a, unsigned b)
{
    unsigned r = (a << 2) + b;
    r ^= r >> 7 | r << 25;
    r &= ~(1u << (a & 31));
    bits = r;
    return r + (a < b ? a : b);
}

__attribute__((noinline)) int narrow(unsigned char *p, short *q)
{
    p[1] = (unsigned char)(p[0] + 1);
    q[1] = (short)(q[0] + p[1]);
    record.b = p[2];
    record.h = (unsigned short)q[1];
    return ~p[3] + (signed char)p[1];
}

__attribute__((noinline)) int walk(int n)
{
    int below = 0;
    if (n > 0)
        below = walk(n - 1);
    where->w = below;
    return below + n + (int)mix((unsigned)n, (unsigned)below);
}

__attribute__((noinline)) void take(void)
{
    unsigned one = 1;
#ifdef __riscv_atomic
    __atomic_fetch_add(&lock, 1, __ATOMIC_SEQ_CST);
    __atomic_compare_exchange_n(&lock, &one, 5, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
#else
    lock = lock + one;
#endif
}

int main(void)
{
    wide sum = 0;
    real v[4];
    for (int i = 0; i < 4; i++)
        v[i] = (real)(i + out);
    for (int k = 0; k < 10; k++) {
        filter(&sum, v, 4);
        mix((unsigned)k, 77);
        narrow(bytes, shorts);
        out = walk(4);
        take();
        record.f = (real)sum;
        record.d = sum;
    }
    return 0;
}
