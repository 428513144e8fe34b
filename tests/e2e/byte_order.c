/* Values in both orders of bytes: what a program's own order is, and the other one in structs that say so. Compiled for
 * the target, and natively with -DNATIVE, where each assignment is told as "NAME VALUE" (tests/e2e/byte_order.py). */
#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define OTHER __attribute__((scalar_storage_order("little-endian")))
#else
#define OTHER __attribute__((scalar_storage_order("big-endian")))
#endif

#ifdef NATIVE
#include <stdio.h>
#define TELL(name, value) printf("%s %.17g\n", name, (double)(value))
#else
#define TELL(name, value) (void)0
#endif

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
enum mode { OFF, ARMED = 0x102, FIRED = 0x30405 };
enum __attribute__((packed)) small { LOW, HIGH = 300 };

#define MEMBERS \
    u8 version; \
    u16 length; \
    u32 address; \
    unsigned flags : 3; \
    unsigned offset : 13; \
    int delta : 11; \
    short level; \
    int balance; \
    float ratio; \
    double exact; \
    long long total; \
    enum mode mode; \
    enum small small; \
    _Bool on; \
    u16 list[4]; \
    unsigned long long wide : 40; \
    long long narrow : 24; \
    u32 *to

struct own {
    MEMBERS;
};
struct OTHER other {
    MEMBERS;
};
struct __attribute__((packed)) own_packed {
    u8 first;
    u32 word;
    u16 half;
    long long total;
    int bits : 21;
};
struct OTHER __attribute__((packed)) other_packed {
    u8 first;
    u32 word;
    u16 half;
    long long total;
    int bits : 21;
};

volatile struct own own;
volatile struct other other;
volatile struct own_packed own_packed;
volatile struct other_packed other_packed;
struct other many[3];
struct own plain[3];
struct other *volatile at;
struct own *volatile plain_at;
volatile u32 pointed, element, seed = 12345, rounds, alone;
volatile short sum;
volatile long long total;
volatile float ratio;
char text[12] = "steady";
const char *volatile name = "none";

static u32 random_word(void)
{
    seed = seed * 1103515245u + 12345u;
    return seed ^ seed >> 13;
}

#define SET(place, value) \
    do { \
        place = (value); \
        TELL(#place, place); \
    } while (0)

#define ALL(of) \
    do { \
        SET(of.version, random_word() & 0xFF); \
        SET(of.length, random_word() & 0x3FF); \
        SET(of.address, random_word()); \
        SET(of.flags, random_word() & 7); \
        SET(of.offset, random_word() & 0x1FFF); \
        SET(of.delta, (int)(random_word() & 0x3FF) - 512); \
        SET(of.level, (short)random_word()); \
        SET(of.balance, (int)random_word()); \
        SET(of.ratio, rounds & 1 ? 1.5f : -0.1f); \
        SET(of.exact, rounds & 1 ? 1.25e10 : -3.0); \
        SET(of.total, (long long)(random_word() & 0xFFFFF) << 32 | random_word()); \
        SET(of.mode, rounds % 3 ? rounds & 1 ? ARMED : FIRED : OFF); \
        SET(of.small, rounds & 2 ? HIGH : LOW); \
        SET(of.on, rounds & 1); \
        SET(of.list[1], random_word() & 0xFFF); \
        SET(of.list[2], random_word() & 0xFFFF); \
        SET(of.wide, (unsigned long long)(random_word() & 0xFF) << 32 | random_word()); \
        SET(of.narrow, (int)(random_word() << 8) >> 8); \
        of.to = (u32 *)&pointed; \
    } while (0)

#define ALL_PACKED(of) \
    do { \
        SET(of.first, random_word() & 0xFF); \
        SET(of.word, random_word()); \
        SET(of.half, random_word() & 0xFFFF); \
        SET(of.total, (long long)(random_word() & 0xFFFFF) << 32 | random_word()); \
        SET(of.bits, (int)(random_word() & 0xFFFFF) - 0x80000); \
    } while (0)

__attribute__((noinline)) static int locals(int number)
{
    volatile struct other mine;
    volatile struct own ours;
    volatile short small = (short)(number * 77);
    TELL("small", small);
    SET(mine.length, random_word() & 0x3FF);
    SET(mine.balance, (int)random_word());
    SET(ours.length, random_word() & 0x3FF);
    SET(ours.offset, random_word() & 0x1FFF);
    return mine.length + mine.balance + small;
}

__attribute__((noinline)) static void done(void)
{
    alone = rounds;
}

int main(void)
{
    for (rounds = 0; rounds < 20; rounds++) {
        u32 index = rounds % 3;
        ALL(own);
        ALL(other);
        ALL_PACKED(own_packed);
        ALL_PACKED(other_packed);
        at = &many[index];
        SET(at->length, random_word() & 0x3FF);
        SET(at->balance, (int)random_word());
        plain_at = &plain[index];
        SET(plain_at->length, random_word() & 0x3FF);
        SET(plain_at->balance, (int)random_word());
        SET(plain_at->total, (long long)(random_word() & 0xFFFFF) << 32 | random_word());
        element = index;
        SET(many[element].address, random_word());
        SET(plain[element].address, random_word());
        SET(pointed, random_word());
        SET(sum, (short)locals((int)rounds));
        SET(total, total * 3 - (long long)random_word());
        SET(ratio, rounds & 2 ? 2.5f : -0.25f);
        text[rounds % 6] = (char)('a' + rounds);
        name = rounds & 1 ? "odd" : "even";
        done();
    }
    return 0;
}
