/* What the message-passing examples have in common: work that takes a while, and how densely they are marked.
 *
 * MARK_DENSITY: 0 the library's marks only; 1 one mark per item of work; 2 marks at every step of it. */
#ifndef WORK_H
#define WORK_H

#include "mp.h"

#ifndef MARK_DENSITY
#define MARK_DENSITY 1
#endif

#if MARK_DENSITY >= 1
#define MARK_ITEM(id, value) earshot_mark_value(id, value)
#else
#define MARK_ITEM(id, value) ((void)0)
#endif
#if MARK_DENSITY >= 2
#define MARK_STEP(id, value) earshot_mark_value(id, value)
#else
#define MARK_STEP(id, value) ((void)0)
#endif

/* Marks of the examples. */
enum { MARK_ITEM_BEGIN = 1, MARK_ITEM_END = 2, MARK_WORK_STEP = 3, MARK_RESULT = 4, MARK_IDLE = 5 };

/* Works on `seed` for `steps` rounds, of a few clocks each, and returns what came out. */
static inline uint32_t work(uint32_t seed, unsigned steps)
{
    MARK_ITEM(MARK_ITEM_BEGIN, seed);
    for (unsigned i = 0; i < steps; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        MARK_STEP(MARK_WORK_STEP, i);
    }
    MARK_ITEM(MARK_ITEM_END, seed);
    return seed;
}

/* A number of rounds that differs from item to item: from `least` to least + spread - 1, spread a power of 2. */
static inline unsigned some_steps(uint32_t item, unsigned least, unsigned spread)
{
    return least + ((item * 0x9E37u >> 4) & (spread - 1));
}

#endif
