/* What the target's memory may hold, over all of a run: a value for each word that is stored at a known place, and one
 * for each object. Values are only ever added. */
#ifndef ES_CHECK_MEMORY_H
#define ES_CHECK_MEMORY_H

#include "check/target/value.h"

typedef struct memory_cell {
    uint64_t key; /* place + 1; 0: the slot is empty */
    value held;
    uint8_t rises;
} memory_cell;

typedef struct memory {
    es_arena *arena;
    regions *regions;
    memory_cell *cells; /* hash table */
    size_t count, room;
    memory_cell *all;     /* by region: everything that is in it, of frames without what is saved for the caller */
    memory_cell *spread;  /* by region: what was stored somewhere in it */
    memory_cell anywhere; /* what was stored at places of which nothing is known */
    bool changed;
} memory;

void es_memory_make(memory *m, es_arena *arena, regions *r);

/* Through an address that procedure's code has made; bytes: 1, 2, 4. is_signed: of a load of less than a word. */
value es_memory_load(memory *m, size_t procedure, value address, unsigned bytes, bool is_signed);
void es_memory_store(memory *m, size_t procedure, value address, unsigned bytes, value stored);

#endif
