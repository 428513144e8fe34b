/* Values that optimised code has in registers: numbers of all sizes, pairs of registers, structs and bit-fields by value,
 * arguments on the stack, constants, pointers. Compiled for the target, and natively with -DNATIVE, where each argument,
 * result and local is told as "NAME VALUE" (tests/e2e/in_registers.py). */
typedef signed char s8;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define OTHER __attribute__((scalar_storage_order("little-endian")))
#else
#define OTHER __attribute__((scalar_storage_order("big-endian")))
#endif
#define CALLED __attribute__((noinline, noclone, noipa))

#ifdef NATIVE
#include <stdio.h>
#define TELL(name, value) printf("%s %.17g\n", name, (double)(value))
#else
#define TELL(name, value) (void)0
#endif
#define ARGUMENT(f, name) TELL(#f "\\" #name, name)
#define RETURN(f, value) \
    do { \
        __typeof__(value) result = (value); \
        TELL("result(" #f ")", result); \
        return result; \
    } while (0)

enum mode { OFF, ARMED = 0x102, FIRED = 0x30405 };
struct two {
    u16 a;
};
struct three {
    u8 a, b, c;
};
struct four {
    u16 a;
    s8 b;
    u8 c;
};
struct five {
    u8 a, b, c, d, e;
};
struct six {
    u16 a, b, c;
};
struct eight {
    u16 a;
    u8 b, c;
    int d;
};
struct fields {
    unsigned x : 3, y : 9;
    int z : 20;
};
struct OTHER turned {
    u16 half;
    short level;
    u32 word;
};

struct twelve {
    u16 a;
    u32 b, c;
};
static const u16 nowhere = 0x1234; /* constants are in no memory */
static const u64 nowhere_wide = 0x123456789Aull;

volatile u32 seed = 1, sink;
volatile u64 wide_sink;
volatile double doubles[4] = {1.5, -2.25, 1e10, -0.125};
u16 half;
volatile float floats[4] = {0.5f, -3.75f, 1e10f, 100.25f};

static u32 next(void)
{
    return seed = seed * 1664525u + 1013904223u;
}

CALLED static u64 wide(u64 w_x, int w_k)
{
    ARGUMENT(wide, w_x), ARGUMENT(wide, w_k);
    u64 w_y = w_x * 3 + (u64)(long long)w_k;
    wide_sink = w_y;
    sink = (u32)w_k;
    RETURN(wide, (w_y ^ w_x) & 0xFFFFFFFFFFFFFull);
}

CALLED static long long minus(int m_k, long long m_x)
{
    ARGUMENT(minus, m_k), ARGUMENT(minus, m_x);
    sink = (u32)m_k;
    RETURN(minus, -m_x);
}

CALLED static short narrow(u8 n_a, u16 n_b, s8 n_c, short n_d, _Bool n_e, enum mode n_f)
{
    ARGUMENT(narrow, n_a), ARGUMENT(narrow, n_b), ARGUMENT(narrow, n_c), ARGUMENT(narrow, n_d);
    ARGUMENT(narrow, n_e), ARGUMENT(narrow, n_f);
    sink = n_a + n_b + (u32)n_e + n_f;
    RETURN(narrow, (short)(n_c + n_d));
}

CALLED static u8 byte_of(u32 b_x)
{
    short b_c = -1234;
    long long b_w = -0x123456789All;
    ARGUMENT(byte_of, b_x), ARGUMENT(byte_of, b_c), ARGUMENT(byte_of, b_w);
    TELL("byte_of\\nowhere", nowhere), TELL("byte_of\\nowhere_wide", nowhere_wide);
    sink = b_x + (u32)b_c + nowhere;
    wide_sink = (u64)b_w * nowhere_wide;
    RETURN(byte_of, (u8)(b_x >> 16));
}

CALLED static int structs(struct two t2, struct three t3, struct four t4, struct fields tf)
{
    ARGUMENT(structs, t2.a), ARGUMENT(structs, t3.a), ARGUMENT(structs, t3.b), ARGUMENT(structs, t3.c);
    ARGUMENT(structs, t4.a), ARGUMENT(structs, t4.b), ARGUMENT(structs, t4.c);
    ARGUMENT(structs, tf.x), ARGUMENT(structs, tf.y), ARGUMENT(structs, tf.z);
    sink = t2.a + t3.a + 2u * t3.b + 3u * t3.c + t4.a + (u32)t4.b + t4.c;
    RETURN(structs, (int)tf.x + (int)tf.y + tf.z);
}

CALLED static int larger(struct five t5, struct six t6, struct eight t8)
{
    ARGUMENT(larger, t5.a), ARGUMENT(larger, t5.d), ARGUMENT(larger, t5.e);
    ARGUMENT(larger, t6.a), ARGUMENT(larger, t6.b), ARGUMENT(larger, t6.c);
    ARGUMENT(larger, t8.a), ARGUMENT(larger, t8.b), ARGUMENT(larger, t8.c), ARGUMENT(larger, t8.d);
    sink = t5.a + 2u * t5.d + 3u * t5.e + t6.a + 2u * t6.b + 3u * t6.c + t8.a + t8.b + t8.c;
    RETURN(larger, t8.d);
}

CALLED static int turned_in(struct turned tt)
{
    ARGUMENT(turned_in, tt.half), ARGUMENT(turned_in, tt.level), ARGUMENT(turned_in, tt.word);
    sink = tt.half + tt.word;
    RETURN(turned_in, tt.level);
}

/* Its last register has the first half of s_x. */
CALLED static int split(int s_a, int s_b, int s_c, int s_d, int s_e, int s_f, int s_g, u64 s_x)
{
    ARGUMENT(split, s_a), ARGUMENT(split, s_g);
    ARGUMENT(split, s_x);
    wide_sink = s_x;
    RETURN(split, s_a + s_b + s_c + s_d + s_e + s_f + s_g);
}

CALLED static int parted(int p_a, int p_b, int p_c, int p_d, int p_e, int p_f, int p_g, struct six p_s)
{
    ARGUMENT(parted, p_s.a), ARGUMENT(parted, p_s.b), ARGUMENT(parted, p_s.c);
    sink = p_s.a + 2u * p_s.b + 3u * p_s.c;
    RETURN(parted, p_a + p_b + p_c + p_d + p_e + p_f + p_g);
}

CALLED static int stacked(int k_a, int k_b, int k_c, int k_d, int k_e, int k_f, int k_g, int k_h, u8 k_i, u16 k_j,
                          struct three k_k, struct six k_l, u64 k_m)
{
    ARGUMENT(stacked, k_i), ARGUMENT(stacked, k_j), ARGUMENT(stacked, k_k.a), ARGUMENT(stacked, k_k.c);
    ARGUMENT(stacked, k_l.a), ARGUMENT(stacked, k_l.c), ARGUMENT(stacked, k_m);
    sink = (u32)(k_i + k_j + k_k.a + k_k.c + k_l.a + k_l.c);
    wide_sink = k_m;
    RETURN(stacked, k_a + k_b + k_c + k_d + k_e + k_f + k_g + k_h);
}

/* The pointer to its struct is on the stack. */
CALLED static int referred(int r_a, int r_b, int r_c, int r_d, int r_e, int r_f, int r_g, int r_h, struct twelve r_s)
{
    ARGUMENT(referred, r_s.a), ARGUMENT(referred, r_s.b), ARGUMENT(referred, r_s.c);
    sink = r_s.a + r_s.b + r_s.c;
    RETURN(referred, r_a + r_b + r_c + r_d + r_e + r_f + r_g + r_h);
}

CALLED static double doubled(double d_x, float d_y)
{
    ARGUMENT(doubled, d_x), ARGUMENT(doubled, d_y);
    floats[0] = d_y;
    RETURN(doubled, d_x);
}

CALLED static float single(int f_k, float f_y)
{
    ARGUMENT(single, f_k), ARGUMENT(single, f_y);
    sink = (u32)f_k;
    RETURN(single, f_y);
}

CALLED static struct three three_of(u32 k)
{
    struct three made = {(u8)k, (u8)(k >> 8), (u8)(k >> 16)};
    TELL("result(three_of).a", made.a), TELL("result(three_of).b", made.b), TELL("result(three_of).c", made.c);
    return made;
}

CALLED static struct six six_of(u32 k)
{
    struct six made = {(u16)k, (u16)(k >> 8), (u16)(k >> 16)};
    TELL("result(six_of).a", made.a), TELL("result(six_of).b", made.b), TELL("result(six_of).c", made.c);
    return made;
}

CALLED static struct eight eight_of(u32 k)
{
    struct eight made = {(u16)k, (u8)(k >> 8), (u8)(k >> 16), (int)~k};
    TELL("result(eight_of).a", made.a), TELL("result(eight_of).b", made.b), TELL("result(eight_of).c", made.c);
    TELL("result(eight_of).d", made.d);
    return made;
}

CALLED static struct fields fields_of(u32 k)
{
    struct fields made = {k & 7, k >> 3 & 511, (int)k >> 12};
    TELL("result(fields_of).x", made.x), TELL("result(fields_of).y", made.y), TELL("result(fields_of).z", made.z);
    return made;
}

CALLED static u32 pointed(const struct eight *q_s, const u16 *q_h)
{
    TELL("pointed\\q_s->a", q_s->a), TELL("pointed\\q_s->d", q_s->d), TELL("*pointed\\q_h", *q_h);
    sink = *q_h;
    RETURN(pointed, (u32)q_s->d + q_s->a);
}

/* Locals that change in registers. */
CALLED static u64 loops(u32 count)
{
    u64 l_sum = seed;
    u16 l_half = (u16)seed;
    for (u32 i = 0; i < count; i++) {
        u32 step = next();
        l_sum = (l_sum + step) & 0xFFFFFFFFFFFFFull;
        TELL("loops\\l_sum", l_sum);
        l_half = (u16)(l_half * 3 + step);
        TELL("loops\\l_half", l_half);
        sink = l_half;
        wide_sink = l_sum;
    }
    RETURN(loops, l_sum);
}

int main(void)
{
    for (u32 i = 0; i < 12; i++) {
        u32 a = next(), b = next(), c = next();
        struct three t3 = three_of(a);
        struct six t6 = six_of(b);
        struct eight t8 = eight_of(c);
        half = (u16)a;
        wide((u64)(a & 0xFFFFF) << 32 | b, (int)c);
        minus((int)a, (long long)(int)(b & 0xFFFF) << 32 | c);
        narrow((u8)a, (u16)b, (s8)c, (short)(a >> 16), b >> 31, i % 3 ? i & 1 ? ARMED : FIRED : OFF);
        byte_of(c);
        structs((struct two){(u16)b}, t3, (struct four){(u16)c, (s8)a, (u8)b}, fields_of(c));
        larger((struct five){(u8)a, 1, 2, (u8)b, (u8)c}, t6, t8);
        turned_in((struct turned){(u16)a, (short)b, c});
        split((int)a, 1, 2, 3, 4, 5, (int)b, (u64)(a & 0xFFFFF) << 32 | c);
        parted(1, 2, 3, 4, 5, 6, 7, t6);
        stacked(1, 2, 3, 4, 5, 6, 7, 8, (u8)a, (u16)b, t3, t6, (u64)(b & 0xFFFFF) << 32 | a);
        referred(8, 7, 6, 5, 4, 3, 2, 1, (struct twelve){(u16)b, c, a});
        doubled(doubles[i & 3], floats[(i + 1) & 3]);
        single((int)i, floats[i & 3]);
        pointed(&t8, &half);
        loops(3);
    }
    return 0;
}
