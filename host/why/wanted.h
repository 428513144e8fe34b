/* Bytes of memory of which somebody waits for who made them, while a run is looked at backwards. */
#ifndef ES_WHY_WANTED_H
#define ES_WHY_WANTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ES_WHY_FILTER_BITS 16

typedef struct es_why_wanted_byte {
    uint32_t address;
    size_t user;
    uint8_t value;
    bool known;
} es_why_wanted_byte;

typedef struct es_why_wanted {
    es_why_wanted_byte *bytes;
    size_t count, size;
    uint8_t filter[1 << (ES_WHY_FILTER_BITS - 3)]; /* words that may be waited for; never misses one */
} es_why_wanted;                                   /* all zero: none */

/* `user` waits for bytes of a word: its lanes, with what is in them. */
void es_why_want_word(es_why_wanted *wanted, uint32_t address, uint8_t lanes, uint32_t data, uint32_t unknown,
                      size_t user);

/* False: nobody waits for any byte of the word. */
bool es_why_wants(const es_why_wanted *wanted, uint32_t address);

/* Takes away the first byte from number *at on that is one of the word's lanes; with `user`, of that one only
 * (SIZE_MAX: of any). False: there is none. */
bool es_why_take_wanted(es_why_wanted *wanted, size_t *at, uint32_t address, uint8_t lanes, size_t user,
                        es_why_wanted_byte *taken);

void es_why_wanted_free(es_why_wanted *wanted);

#endif
