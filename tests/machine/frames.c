/* Calls with all numbers of saved registers, for pushes and pops of Zcmp: each procedure keeps as many values over its calls, and what comes
 * out goes through a sum that any wrong register changes. For Linux, without its library. */
static unsigned long sum = 1;

static void mix(unsigned long value)
{
    sum = (sum << 5 | sum >> 27) ^ (value * 2654435761u + 12345);
}

#define KEPT(n) unsigned v##n = x * (n + 3) + sum;
#define USED(n) mix(v##n);
#define PROCEDURE(name, next, kept, used, ...) \
    __attribute__((noinline)) static unsigned name(unsigned x, unsigned y) \
    { \
        unsigned before[] = {x, y, __VA_ARGS__}; \
        kept next(x + 1, y ^ before[x & 1]); \
        used next(x + 2, y + 1); \
        used mix(x + y); \
        return before[y & 1] + x; \
    }
#define NOTHING(n)

__attribute__((noinline)) static unsigned leaf(unsigned x, unsigned y)
{
    mix(x * y);
    return x + y;
}
PROCEDURE(p1, leaf, KEPT(1), USED(1), 7)
PROCEDURE(p2, p1, KEPT(1) KEPT(2), USED(1) USED(2), 8)
PROCEDURE(p3, p2, KEPT(1) KEPT(2) KEPT(3), USED(1) USED(2) USED(3), 9, 1, 2, 3)
PROCEDURE(p5, p3, KEPT(1) KEPT(2) KEPT(3) KEPT(4) KEPT(5), USED(1) USED(2) USED(3) USED(4) USED(5), 1)
PROCEDURE(p7, p5, KEPT(1) KEPT(2) KEPT(3) KEPT(4) KEPT(5) KEPT(6) KEPT(7),
          USED(1) USED(2) USED(3) USED(4) USED(5) USED(6) USED(7), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
PROCEDURE(p9, p7, KEPT(1) KEPT(2) KEPT(3) KEPT(4) KEPT(5) KEPT(6) KEPT(7) KEPT(8) KEPT(9),
          USED(1) USED(2) USED(3) USED(4) USED(5) USED(6) USED(7) USED(8) USED(9), 3)

__attribute__((noinline)) static int zero(unsigned x) /* cm.popretz */
{
    mix(p3(x, x + 1));
    mix(p1(x, 5));
    return 0;
}

static unsigned (*volatile const all[])(unsigned, unsigned) = {leaf, p1, p2, p3, p5, p7, p9};

__attribute__((noinline)) static unsigned recursive(unsigned depth, unsigned x)
{
    unsigned a = all[depth % 7](x, depth), b = depth ? recursive(depth - 1, x + a) : 3;
    mix(a ^ b);
    return a * 3 + b;
}

static int (*volatile const zeros)(unsigned) = zero;

static long call(long number, long a, long b, long c)
{
    register long a0 __asm__("a0") = a, a1 __asm__("a1") = b, a2 __asm__("a2") = c, a7 __asm__("a7") = number;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
    return a0;
}

void start(void)
{
    for (unsigned i = 0; i < 12; i++) {
        mix(recursive(i, i * 77));
        mix((unsigned)zeros(i));
        call(64, 1, (long)&sum, 4);
    }
    call(93, 0, 0, 0);
}

__asm__(".globl _start\n_start: .option push\n.option norelax\nlla gp, __global_pointer$\n.option pop\nandi sp, sp, "
        "-16\ncall start\n");
