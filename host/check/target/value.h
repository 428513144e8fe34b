/* What a register or a word of the target's memory may hold, as far as addresses matter: numbers in a range, places in
 * a procedure's frame, or a value made from the addresses of some of the program's objects. */
#ifndef ES_CHECK_VALUE_H
#define ES_CHECK_VALUE_H

#include "check/target/regions.h"

enum value_kind {
    VALUE_NONE,   /* nothing: no way leads here */
    VALUE_NUMBER, /* low to high, signed. All 32-bit numbers: one that no object's address is part of */
    VALUE_STACK,  /* low to high from the procedure's canonical frame address; only in registers */
    /* an object's address or near it (low to high), plus some number; or plus something made from the regions in
     * `set` */
    VALUE_INDEX,
    VALUE_DERIVED, /* made from addresses of the regions in `set` */
    /* what the register with the number `low` held on entry, which the procedure has to keep for its caller */
    VALUE_SAVED,
    VALUE_ANY,
};

typedef struct value {
    uint8_t kind;
    uint32_t set;
    int32_t low, high;
} value;

static inline value value_number(int64_t low, int64_t high)
{
    if (low < INT32_MIN || high > INT32_MAX)
        return (value){.kind = VALUE_NUMBER, .low = INT32_MIN, .high = INT32_MAX};
    return (value){.kind = VALUE_NUMBER, .low = (int32_t)low, .high = (int32_t)high};
}

static inline value value_constant(uint32_t number)
{
    return value_number((int32_t)number, (int32_t)number);
}

/* Functions of a procedure's code take its number: it says whose frame VALUE_STACK is in. */
uint32_t es_value_made_from(regions *r, size_t procedure, value v);
value es_value_derived(uint32_t set);
value es_value_join(regions *r, size_t procedure, value a, value b);
/* What is to be kept of a value that has changed again and again. */
value es_value_widen(regions *r, size_t procedure, value before, value after);
value es_value_sum(regions *r, size_t procedure, value a, value b);
/* The result of a COMPUTE; b: its second operand. */
value es_value_compute(regions *r, size_t procedure, es_insn_op op, value a, value b);
/* What of a value other procedures see: places in the frame are an address of the frame. */
value es_value_outside(regions *r, size_t procedure, value v);

static inline bool value_same(value a, value b)
{
    return a.kind == b.kind && a.set == b.set && a.low == b.low && a.high == b.high;
}

#endif
