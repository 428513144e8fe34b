/* What depends on the order of a program's bytes: numbers of all sizes and their bytes, unions, bit-fields, structs in
 * the other order, numbers of 64 bits in memory and in pairs of registers, structs in registers, devices' registers as
 * words, and exceptions after misaligned accesses, whose handler makes them of bytes. It checks itself. */
#include "target.h"

#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
enum { BIG = 1 };
#define OTHER __attribute__((scalar_storage_order("little-endian")))
#else
enum { BIG = 0 };
#define OTHER __attribute__((scalar_storage_order("big-endian")))
#endif
#define NOINLINE __attribute__((noinline, noclone))
#define ROUNDS 40u

struct small {
    uint8_t a, b, c;
};
struct pair {
    uint16_t a;
    uint8_t b, c;
    int32_t d;
};
union bits {
    struct {
        unsigned x : 3, y : 9, z : 20;
    };
    uint32_t word;
};
struct OTHER turned {
    uint16_t half;
    uint32_t word;
    unsigned low : 5, high : 11;
};
union parts {
    uint64_t all;
    uint32_t words[2];
    uint16_t halves[4];
    uint8_t bytes[8];
};

volatile union parts parts;
volatile struct turned turned;
volatile union bits bits;
volatile uint32_t wrong, misaligned, seed = 1;
volatile uint64_t total;
volatile uint8_t buffer[16] __attribute__((aligned(8)));

static uint32_t next(void)
{
    return seed = seed * 1664525u + 1013904223u;
}

static void check(int good)
{
    wrong += !good;
}

/* A misaligned lw a0, 0(a1) or sw a0, 0(a1) of 32 bits, and only these. */
static uint32_t *saved;
__attribute__((used)) static void answer(uint32_t *frame)
{
    uint32_t cause, pc;
    volatile uint8_t *at = (volatile uint8_t *)frame[1];
    __asm__ volatile("csrr %0, mcause\n csrr %1, mepc" : "=r"(cause), "=r"(pc));
    saved = frame;
    misaligned++;
    if (cause == 4) {
        frame[0] = 0;
        for (uint32_t i = 0; i < 4; i++)
            frame[0] |= (uint32_t)at[i] << 8 * (BIG ? 3 - i : i);
    } else if (cause == 6) {
        for (uint32_t i = 0; i < 4; i++)
            at[i] = (uint8_t)(frame[0] >> 8 * (BIG ? 3 - i : i));
    } else {
        _exit(9);
    }
    __asm__ volatile("csrw mepc, %0" ::"r"(pc + 4));
}

__attribute__((naked, aligned(4))) void handler(void)
{
    __asm__ volatile("addi sp, sp, -64\n sw a0, 0(sp)\n sw a1, 4(sp)\n sw ra, 8(sp)\n sw t0, 12(sp)\n sw t1, 16(sp)\n"
                     "sw t2, 20(sp)\n sw a2, 24(sp)\n sw a3, 28(sp)\n sw a4, 32(sp)\n sw a5, 36(sp)\n sw a6, 40(sp)\n"
                     "sw a7, 44(sp)\n sw t3, 48(sp)\n sw t4, 52(sp)\n sw t5, 56(sp)\n sw t6, 60(sp)\n mv a0, sp\n"
                     "call answer\n"
                     "lw a0, 0(sp)\n lw a1, 4(sp)\n lw ra, 8(sp)\n lw t0, 12(sp)\n lw t1, 16(sp)\n lw t2, 20(sp)\n"
                     "lw a2, 24(sp)\n lw a3, 28(sp)\n lw a4, 32(sp)\n lw a5, 36(sp)\n lw a6, 40(sp)\n lw a7, 44(sp)\n"
                     "lw t3, 48(sp)\n lw t4, 52(sp)\n lw t5, 56(sp)\n lw t6, 60(sp)\n addi sp, sp, 64\n mret");
}

NOINLINE static uint64_t pairs(uint64_t x, int32_t k)
{
    uint64_t y = x + (uint64_t)(int64_t)k;
    total = y;
    return y ^ x;
}

NOINLINE static struct small small_of(uint32_t k)
{
    return (struct small){(uint8_t)k, (uint8_t)(k >> 8), (uint8_t)(k >> 16)};
}

NOINLINE static uint32_t sum_of(struct small s, struct pair p)
{
    return s.a + 2u * s.b + 3u * s.c + 5u * p.a + 7u * p.b + 11u * p.c + 13u * (uint32_t)p.d;
}

NOINLINE static void numbers(uint32_t a, uint32_t b)
{
    parts.all = (uint64_t)a << 32 | b;
    check(parts.words[0] == (BIG ? a : b) && parts.words[1] == (BIG ? b : a));
    check(parts.halves[1] == (uint16_t)(BIG ? a : b >> 16) && parts.bytes[7] == (uint8_t)(BIG ? b : a >> 24));
    parts.halves[2] = 0x1234;
    parts.bytes[3] = 0x56;
    check(parts.words[1] == (BIG ? 0x12340000u | (b & 0xFFFF) : (a & 0xFFFF0000u) | 0x1234));
    check((int8_t)parts.bytes[3] == 0x56 && (int16_t)parts.halves[0] == (int16_t)(BIG ? a >> 16 : b));
    bits.x = a & 7;
    bits.y = b & 511;
    bits.z = a >> 12;
    check(bits.x == (a & 7) && bits.y == (b & 511) && bits.z == a >> 12);
    check(bits.word == (BIG ? (a & 7) << 29 | (b & 511) << 20 | a >> 12 : (a & 7) | (b & 511) << 3 | a >> 12 << 12));
    turned.half = (uint16_t)a;
    turned.word = b;
    turned.low = a & 31;
    turned.high = b & 2047;
    check(turned.half == (uint16_t)a && turned.word == b && turned.low == (a & 31) && turned.high == (b & 2047));
}

NOINLINE static void unaligned(uint32_t value, uint32_t offset)
{
    register uint32_t a0 __asm__("a0") = value;
    register volatile uint8_t *a1 __asm__("a1") = buffer + offset;
    __asm__ volatile(".option push\n.option norvc\nsw a0, 0(a1)\nli a0, 0\nlw a0, 0(a1)\n.option pop"
                     : "+r"(a0)
                     : "r"(a1)
                     : "memory");
    check(a0 == value && a1[0] == (uint8_t)(BIG ? value >> 24 : value));
}

int main(void)
{
    __asm__ volatile("csrw mtvec, %0" ::"r"(handler));
    for (uint32_t i = 0; i < ROUNDS; i++) {
        uint32_t a = next(), b = next();
        struct pair p = {(uint16_t)a, (uint8_t)b, (uint8_t)(a >> 16), (int32_t)b};
        numbers(a, b);
        check(pairs((uint64_t)a << 32 | b, (int32_t)i) == ((((uint64_t)a << 32 | b) + i) ^ ((uint64_t)a << 32 | b)));
        check(sum_of(small_of(a), p) == (a & 0xFF) + 2 * (a >> 8 & 0xFF) + 3 * (a >> 16 & 0xFF) + 5 * (a & 0xFFFF) +
                                            7 * (b & 0xFF) + 11 * (a >> 16 & 0xFF) + 13 * b);
        unaligned(a ^ b, 1 + i % 3);
        check(target_random() != 0 && target_cycles() != 0);
        total += *(volatile uint8_t *)(ES_TARGET_IO_BASE + ES_TARGET_IO_RANDOM + 1);
        total += *(volatile uint16_t *)(ES_TARGET_IO_BASE + ES_TARGET_IO_CYCLE + 2);
    }
    check(misaligned == 2 * ROUNDS && saved != 0);
    target_puts("orders: ");
    target_put_int((int32_t)wrong);
    target_puts("\n");
    return wrong != 0;
}
