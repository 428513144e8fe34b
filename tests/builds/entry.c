/* Procedures that begin with instructions for patching, or that lie in RAM: -DRAM=SECTION puts those marked there. Each
 * counts its calls. */
#ifdef RAM
#define PLACED __attribute__((section(RAM), noinline))
#else
#define PLACED __attribute__((noinline))
#endif
#define EXIT (*(volatile unsigned *)0x10000004)

volatile int calls_of_slow, calls_of_fast, calls_of_nest, calls_of_many, sum;

__attribute__((noinline)) int slow(int v)
{
    calls_of_slow++; /* @slow */
    return v + 1;
}

PLACED int fast(int v, int w)
{
    volatile int local = v * 2;
    calls_of_fast++; /* @fast */
    local += slow(w); /* @fast_call */
    return local;
}

PLACED int nest(int n)
{
    volatile int kept = n * 10;
    calls_of_nest++; /* @nest */
    if (n > 0)
        kept += nest(n - 1);
    return kept;
}

PLACED int many(int a, int b, int c, int d, int e, int f, int g, int h, int ninth, int tenth)
{
    calls_of_many++; /* @many */
    sum = a + b + c + d + e + f + g + h;
    sum += ninth ^ tenth;
    return sum;
}

int (*volatile pointer)(int, int) = fast;

int main(void)
{
    for (int i = 1; i < 5; i++) {
        fast(i, 100);
        pointer(i, 200);
        nest(2);
        many(1, 2, 3, 4, 5, 6, 7, 8, i, 10 * i);
    }
    EXIT = 0;
    return 0;
}
