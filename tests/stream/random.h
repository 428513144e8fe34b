/* Random numbers of the stream's tests: the same in every run. */
#ifndef TESTS_STREAM_RANDOM_H
#define TESTS_STREAM_RANDOM_H

#include <stdint.h>

static uint32_t random_state = 1;

static inline uint32_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static inline unsigned below(unsigned n)
{
    return next_random() % n;
}

#endif
