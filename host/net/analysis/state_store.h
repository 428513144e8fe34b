/* States of a net, rows of words, each kept once. Nearly all words are 0, so only the others are kept. */
#ifndef ES_NET_STATE_STORE_H
#define ES_NET_STATE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct es_state_store {
    uint32_t words; /* of a state */
    size_t limit;   /* states at most; fewer when the memory for that many is more than it should be */
    size_t count;
    /* private */
    uint32_t *kept; /* of each state the words that are not 0: place and value */
    size_t kept_count, kept_room;
    size_t *ends; /* of each state, in `kept` */
    size_t ends_room;
    uint32_t *table; /* hash table of state number + 1 */
    size_t table_size;
} es_state_store;

enum es_state_found { ES_STATE_NEW, ES_STATE_KNOWN, ES_STATE_NO_ROOM };

/* Keeps a state; a new one gets the number `count`, before that grows. All zero but for words and limit is an empty
 * store. */
enum es_state_found es_state_keep(es_state_store *store, const uint32_t *state);

/* Writes all words of the state of that number. */
void es_state_get(const es_state_store *store, size_t number, uint32_t *state);

void es_state_store_free(es_state_store *store);

#endif
