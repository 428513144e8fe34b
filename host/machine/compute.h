/* The meaning of instructions that compute and of those that branch: once, for both engines.
 *
 * COMPUTE(name, what rd becomes, what of it is unknown): of the numbers a and b; of the values A and B, of which
 * some bits are unknown.
 * The second is asked for only where some are; it may then count on a and b having zeros there. */
#ifndef ES_MACHINE_COMPUTE_H
#define ES_MACHINE_COMPUTE_H

#include "machine/value.h"

#define SIGNED(a) ((int32_t)(a))
#define ALL 0xFFFFFFFFu
#define NONE_IF(condition) ((condition) ? 0 : ALL)
/* Of functions that move each bit of one operand by the known second one, or without one. */
#define SHIFTED(shift) (B.unknown & 31 ? NONE_IF(!A.unknown && !a) : (shift))
#define BITS_OF_ONE(unknown_at_amount) (B.unknown & 31 ? ALL : A.unknown & ~(unknown_at_amount))
#define BIT(b) (1u << ((b)&31))
#define ZERO(V) (!(V).bits && !(V).unknown)

/* clang-format off */
#define COMPUTE_LIST(COMPUTE) \
    COMPUTE(ADD, a + b, value_add(A, B)) \
    COMPUTE(SUB, a - b, value_subtract(A, B)) \
    COMPUTE(SLL, a << (b & 31), SHIFTED(A.unknown << (b & 31))) \
    COMPUTE(SLT, SIGNED(a) < SIGNED(b), value_less(A, B) < 0) \
    COMPUTE(SLTU, a < b, value_less_unsigned(A, B) < 0) \
    COMPUTE(XOR, a ^ b, A.unknown | B.unknown) \
    COMPUTE(SRL, a >> (b & 31), SHIFTED(A.unknown >> (b & 31))) \
    COMPUTE(SRA, (uint32_t)(SIGNED(a) >> (b & 31)), SHIFTED((uint32_t)(SIGNED(A.unknown) >> (b & 31)))) \
    COMPUTE(OR, a | b, value_or(A, B)) \
    COMPUTE(AND, a & b, value_and(A, B)) \
    COMPUTE(MUL, a * b, value_upwards(A, B)) \
    COMPUTE(MULH, compute_mulh(a, b), NONE_IF(ZERO(A) || ZERO(B))) \
    COMPUTE(MULHSU, compute_mulhsu(a, b), NONE_IF(ZERO(A) || ZERO(B))) \
    COMPUTE(MULHU, (uint32_t)((uint64_t)a * b >> 32), NONE_IF(ZERO(A) || ZERO(B))) \
    COMPUTE(DIV, compute_div(a, b), ALL) \
    COMPUTE(DIVU, b ? a / b : ALL, ALL) \
    COMPUTE(REM, compute_rem(a, b), ALL) \
    COMPUTE(REMU, b ? a % b : a, ALL) \
    COMPUTE(SH1ADD, (a << 1) + b, value_add(value_made(a << 1, A.unknown << 1), B)) \
    COMPUTE(SH2ADD, (a << 2) + b, value_add(value_made(a << 2, A.unknown << 2), B)) \
    COMPUTE(SH3ADD, (a << 3) + b, value_add(value_made(a << 3, A.unknown << 3), B)) \
    COMPUTE(ANDN, a & ~b, value_and(A, value_not(B))) \
    COMPUTE(ORN, a | ~b, value_or(A, value_not(B))) \
    COMPUTE(XNOR, ~(a ^ b), A.unknown | B.unknown) \
    COMPUTE(CLZ, a ? (uint32_t)__builtin_clz(a) : 32, ALL) \
    COMPUTE(CTZ, a ? (uint32_t)__builtin_ctz(a) : 32, ALL) \
    COMPUTE(CPOP, (uint32_t)__builtin_popcount(a), ALL) \
    COMPUTE(MAX, SIGNED(a) > SIGNED(b) ? a : b, ALL) \
    COMPUTE(MAXU, a > b ? a : b, ALL) \
    COMPUTE(MIN, SIGNED(a) < SIGNED(b) ? a : b, ALL) \
    COMPUTE(MINU, a < b ? a : b, ALL) \
    COMPUTE(SEXT_B, (uint32_t)(int8_t)a, (uint32_t)(int8_t)A.unknown) \
    COMPUTE(SEXT_H, (uint32_t)(int16_t)a, (uint32_t)(int16_t)A.unknown) \
    COMPUTE(ZEXT_H, a & 0xFFFF, A.unknown & 0xFFFF) \
    COMPUTE(ROL, compute_rol(a, b), SHIFTED(compute_rol(A.unknown, b))) \
    COMPUTE(ROR, compute_rol(a, -b), SHIFTED(compute_rol(A.unknown, -b))) \
    COMPUTE(ORC_B, compute_bytes(a), compute_bytes(A.unknown) & ~compute_bytes(a)) \
    COMPUTE(REV8, __builtin_bswap32(a), __builtin_bswap32(A.unknown)) \
    COMPUTE(BCLR, a & ~BIT(b), BITS_OF_ONE(BIT(b))) \
    COMPUTE(BEXT, a >> (b & 31) & 1, SHIFTED(A.unknown >> (b & 31) & 1)) \
    COMPUTE(BINV, a ^ BIT(b), BITS_OF_ONE(0)) \
    COMPUTE(BSET, a | BIT(b), BITS_OF_ONE(BIT(b))) \
    COMPUTE(CLMUL, (uint32_t)compute_clmul(a, b), value_upwards(A, B)) \
    COMPUTE(CLMULH, (uint32_t)(compute_clmul(a, b) >> 32), NONE_IF(ZERO(A) || ZERO(B))) \
    COMPUTE(CLMULR, (uint32_t)(compute_clmul(a, b) >> 31), NONE_IF(ZERO(A) || ZERO(B))) \
    COMPUTE(CZERO_EQZ, b ? a : 0, b ? A.unknown : B.unknown ? value_most(A) : 0) \
    COMPUTE(CZERO_NEZ, b ? 0 : a, b ? 0 : B.unknown ? value_most(A) : A.unknown) \
    COMPUTE(PACK, (a & 0xFFFF) | b << 16, (A.unknown & 0xFFFF) | B.unknown << 16) \
    COMPUTE(PACKH, (a & 0xFF) | (b & 0xFF) << 8, (A.unknown & 0xFF) | (B.unknown & 0xFF) << 8) \
    COMPUTE(BREV8, compute_brev8(a), compute_brev8(A.unknown)) \
    COMPUTE(ZIP, compute_zip(a), compute_zip(A.unknown)) \
    COMPUTE(UNZIP, compute_unzip(a), compute_unzip(A.unknown))

/* BRANCH(name, whether it goes, the same of values: -1 where it is not known) */
#define BRANCH_LIST(BRANCH) \
    BRANCH(BEQ, a == b, value_equal(A, B)) \
    BRANCH(BNE, a != b, compute_opposite(value_equal(A, B))) \
    BRANCH(BLT, SIGNED(a) < SIGNED(b), value_less(A, B)) \
    BRANCH(BGE, SIGNED(a) >= SIGNED(b), compute_opposite(value_less(A, B))) \
    BRANCH(BLTU, a < b, value_less_unsigned(A, B)) \
    BRANCH(BGEU, a >= b, compute_opposite(value_less_unsigned(A, B)))

/* LOAD(name, bytes, what a register becomes of them: also of their unknown bits) */
#define LOAD_LIST(LOAD) \
    LOAD(LB, 1, (uint32_t)(int8_t)a) \
    LOAD(LH, 2, (uint32_t)(int16_t)a) \
    LOAD(LW, 4, a) \
    LOAD(LBU, 1, (uint8_t)a) \
    LOAD(LHU, 2, (uint16_t)a)

#define STORE_LIST(STORE) \
    STORE(SB, 1) \
    STORE(SH, 2) \
    STORE(SW, 4)

/* ATOMIC(name, what memory becomes: a was there, b is rs2), of the same as COMPUTE */
#define ATOMIC_LIST(ATOMIC) \
    ATOMIC(AMOSWAP, b, B.unknown) \
    ATOMIC(AMOADD, a + b, value_add(A, B)) \
    ATOMIC(AMOXOR, a ^ b, A.unknown | B.unknown) \
    ATOMIC(AMOAND, a & b, value_and(A, B)) \
    ATOMIC(AMOOR, a | b, value_or(A, B)) \
    ATOMIC(AMOMIN, SIGNED(a) < SIGNED(b) ? a : b, ALL) \
    ATOMIC(AMOMAX, SIGNED(a) > SIGNED(b) ? a : b, ALL) \
    ATOMIC(AMOMINU, a < b ? a : b, ALL) \
    ATOMIC(AMOMAXU, a > b ? a : b, ALL)
/* clang-format on */

static inline int compute_opposite(int holds)
{
    return holds < 0 ? holds : !holds;
}

static inline uint32_t compute_mulh(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)((int64_t)SIGNED(a) * SIGNED(b)) >> 32);
}

static inline uint32_t compute_mulhsu(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)((int64_t)SIGNED(a) * (int64_t)(uint64_t)b) >> 32);
}

static inline uint32_t compute_div(uint32_t a, uint32_t b)
{
    if (!b)
        return ALL;
    return b == ALL ? -a : (uint32_t)(SIGNED(a) / SIGNED(b));
}

static inline uint32_t compute_rem(uint32_t a, uint32_t b)
{
    if (!b)
        return a;
    return b == ALL ? 0 : (uint32_t)(SIGNED(a) % SIGNED(b));
}

static inline uint32_t compute_rol(uint32_t a, uint32_t b)
{
    return a << (b & 31) | a >> (-b & 31);
}

/* Bytes of ones where there is any. */
static inline uint32_t compute_bytes(uint32_t a)
{
    for (unsigned shift = 1; shift < 8; shift *= 2)
        a |= (a >> shift & (0x01010101u * (0xFFu >> shift))) | (a << shift & (0x01010101u * (0xFFu << shift & 0xFF)));
    return a;
}

static inline uint32_t compute_brev8(uint32_t a)
{
    a = (a & 0x55555555u) << 1 | (a >> 1 & 0x55555555u);
    a = (a & 0x33333333u) << 2 | (a >> 2 & 0x33333333u);
    return (a & 0x0F0F0F0Fu) << 4 | (a >> 4 & 0x0F0F0F0Fu);
}

static inline uint64_t compute_clmul(uint32_t a, uint32_t b)
{
    uint64_t product = 0;
    for (unsigned i = 0; i < 32; i++)
        if (b >> i & 1)
            product ^= (uint64_t)a << i;
    return product;
}

/* The lower half's bits to the even places. */
static inline uint32_t compute_zip(uint32_t a)
{
    uint32_t made = 0;
    for (unsigned i = 0; i < 16; i++)
        made |= (a >> i & 1) << (2 * i) | (a >> (i + 16) & 1) << (2 * i + 1);
    return made;
}

static inline uint32_t compute_unzip(uint32_t a)
{
    uint32_t made = 0;
    for (unsigned i = 0; i < 16; i++)
        made |= (a >> (2 * i) & 1) << i | (a >> (2 * i + 1) & 1) << (i + 16);
    return made;
}

#endif
