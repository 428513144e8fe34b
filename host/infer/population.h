/* Scenarios of a machine by their keys. */
#ifndef ES_INFER_POPULATION_H
#define ES_INFER_POPULATION_H

#include "infer/check.h"

typedef struct es_infer_population {
    const es_infer_machine *machine;
    es_infer_scenario **slots; /* by the key's hash; a power of two of them, at most half full */
    uint32_t slot_count, count;
    size_t size; /* of one scenario */
    char *block; /* where the next ones go */
    size_t room;
} es_infer_population;

/* An empty one; the machine must outlive it. */
void es_infer_population_start(es_infer_population *population, const es_infer_machine *machine);
void es_infer_population_end(es_infer_population *population);

/* Adds the scenario of a key that is not there, in the arena: where its machine begins, if that is known. */
es_infer_scenario *es_infer_population_add(es_infer_population *population, es_infer_value key, es_arena *arena);

/* Where the key's scenario is, or would be. */
static inline uint32_t es_infer_population_slot(const es_infer_population *p, es_infer_value key)
{
    uint64_t hash = (uint64_t)key * UINT64_C(0x9E3779B97F4A7C15);
    uint32_t mask = p->slot_count - 1, i = (uint32_t)(hash >> 32) & mask;
    while (p->slots[i] && p->slots[i]->key != key)
        i = (i + 1) & mask;
    return i;
}

#endif
