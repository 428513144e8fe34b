/* Values of which some bits are not known, and what operations make of them: a bit of a result is known only where it
 * is the same for all values of the unknown bits. It may be called unknown where it is not. */
#ifndef ES_MACHINE_VALUE_H
#define ES_MACHINE_VALUE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct machine_value {
    uint32_t bits;
    uint32_t unknown; /* as ones; `bits` is 0 there */
} machine_value;

static inline machine_value value_of(uint32_t bits)
{
    return (machine_value){bits, 0};
}

static inline machine_value value_made(uint32_t bits, uint32_t unknown)
{
    return (machine_value){bits & ~unknown, unknown};
}

static inline uint32_t value_most(machine_value a) /* unsigned */
{
    return a.bits | a.unknown;
}

/* So that the order of signed numbers is that of unsigned ones. */
static inline machine_value value_biased(machine_value a)
{
    return (machine_value){a.bits ^ (0x80000000u & ~a.unknown), a.unknown};
}

static inline uint32_t value_add(machine_value a, machine_value b)
{
    uint32_t least = a.bits + b.bits, most = value_most(a) + value_most(b);
    return (least ^ most) | a.unknown | b.unknown;
}

static inline uint32_t value_subtract(machine_value a, machine_value b)
{
    uint32_t difference = a.bits - b.bits;
    return ((difference + a.unknown) ^ (difference - b.unknown)) | a.unknown | b.unknown;
}

static inline uint32_t value_and(machine_value a, machine_value b)
{
    return (a.unknown | b.unknown) & value_most(a) & value_most(b);
}

static inline uint32_t value_or(machine_value a, machine_value b)
{
    return (a.unknown | b.unknown) & ~(a.bits | b.bits);
}

static inline machine_value value_not(machine_value a)
{
    return value_made(~a.bits, a.unknown);
}

/* All bits from the lowest unknown one on: of products, and of what carries. */
static inline uint32_t value_upwards(machine_value a, machine_value b)
{
    uint32_t unknown = a.unknown | b.unknown;
    if ((!a.bits && !a.unknown) || (!b.bits && !b.unknown))
        return 0;
    return unknown | -unknown;
}

/* Bit 0 of a comparison: -1 not known, else whether a is less. */
static inline int value_less_unsigned(machine_value a, machine_value b)
{
    return value_most(a) < b.bits ? 1 : a.bits >= value_most(b) ? 0 : -1;
}

static inline int value_less(machine_value a, machine_value b)
{
    return value_less_unsigned(value_biased(a), value_biased(b));
}

static inline int value_equal(machine_value a, machine_value b)
{
    uint32_t unknown = a.unknown | b.unknown;
    return (a.bits ^ b.bits) & ~unknown ? 0 : unknown ? -1 : 1;
}

#endif
