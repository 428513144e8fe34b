/* Sets of a machine's states. */
#ifndef ES_INFER_SET_H
#define ES_INFER_SET_H

#include <stdbool.h>
#include <stdint.h>

#define ES_INFER_STATES_MAX 512u
#define ES_INFER_SET_WORDS (ES_INFER_STATES_MAX / 64)

typedef struct es_infer_set {
    uint64_t words[ES_INFER_SET_WORDS];
} es_infer_set;

static inline void es_infer_set_add(es_infer_set *set, uint32_t state)
{
    set->words[state / 64] |= UINT64_C(1) << state % 64;
}

static inline bool es_infer_set_has(const es_infer_set *set, uint32_t state)
{
    return set->words[state / 64] >> state % 64 & 1;
}

static inline es_infer_set es_infer_set_of(uint32_t state)
{
    es_infer_set set = {{0}};
    es_infer_set_add(&set, state);
    return set;
}

/* All of so many states. */
static inline es_infer_set es_infer_set_all(uint32_t states)
{
    es_infer_set set = {{0}};
    for (uint32_t i = 0; i < ES_INFER_SET_WORDS && i * 64 < states; i++)
        set.words[i] = states - i * 64 >= 64 ? UINT64_MAX : (UINT64_C(1) << (states - i * 64)) - 1;
    return set;
}

/* Words of a set that may have states, of so many of them. */
static inline uint32_t es_infer_set_words(uint32_t states)
{
    return (states + 63) / 64;
}

/* Adds another one's states, of so many words. Were there any that it had not? */
static inline bool es_infer_set_join(es_infer_set *set, const es_infer_set *other, uint32_t words)
{
    uint64_t more = 0;
    for (uint32_t i = 0; i < words; i++) {
        more |= other->words[i] & ~set->words[i];
        set->words[i] |= other->words[i];
    }
    return more;
}

/* The first state from `state` on in so many words; ES_INFER_STATES_MAX: none. */
static inline uint32_t es_infer_set_next(const es_infer_set *set, uint32_t state, uint32_t words)
{
    uint32_t i = state / 64;
    if (i >= words)
        return ES_INFER_STATES_MAX;
    uint64_t word = set->words[i] >> state % 64 << state % 64;
    while (!word && ++i < words)
        word = set->words[i];
    return i == words ? ES_INFER_STATES_MAX : i * 64 + (uint32_t)__builtin_ctzll(word);
}

static inline uint32_t es_infer_set_first(const es_infer_set *set)
{
    return es_infer_set_next(set, 0, ES_INFER_SET_WORDS);
}

/* Exactly one? */
static inline bool es_infer_set_is_one(const es_infer_set *set)
{
    uint64_t any = 0, twice = 0;
    for (uint32_t i = 0; i < ES_INFER_SET_WORDS; i++) {
        twice |= (set->words[i] & (set->words[i] - 1)) | (set->words[i] ? any : 0);
        any |= set->words[i];
    }
    return any && !twice;
}

#endif
