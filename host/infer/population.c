#include "infer/population.h"

#include <stdlib.h>

#define BLOCK_BYTES (64u << 10)
#define SLOTS_FIRST 64u

typedef es_infer_population population;

static es_infer_scenario **new_slots(uint32_t count)
{
    es_infer_scenario **slots = es_malloc(count * sizeof *slots);
    for (uint32_t i = 0; i < count; i++)
        slots[i] = NULL;
    return slots;
}

void es_infer_population_start(population *p, const es_infer_machine *machine)
{
    *p = (population){.machine = machine,
                      .size = sizeof(es_infer_scenario) + machine->variable_count * sizeof(es_infer_value),
                      .slot_count = SLOTS_FIRST,
                      .slots = new_slots(SLOTS_FIRST)};
}

void es_infer_population_end(population *p)
{
    free(p->slots);
}

static void grow(population *p)
{
    es_infer_scenario **old = p->slots;
    uint32_t count = p->slot_count;
    p->slot_count *= 2;
    p->slots = new_slots(p->slot_count);
    for (uint32_t i = 0; i < count; i++)
        if (old[i])
            p->slots[es_infer_population_slot(p, old[i]->key)] = old[i];
    free(old);
}

es_infer_scenario *es_infer_population_add(population *p, es_infer_value key, es_arena *arena)
{
    if ((p->count + 1) * 2 > p->slot_count)
        grow(p);
    if (p->room < p->size) {
        p->room = p->count < SLOTS_FIRST ? 16 * p->size : BLOCK_BYTES;
        p->block = es_arena_alloc(arena, p->room);
    }
    es_infer_scenario *scenario = (es_infer_scenario *)(void *)p->block;
    p->block += p->size;
    p->room -= p->size;
    p->count++;
    uint32_t initial = p->machine->initial;
    scenario->key = key;
    scenario->states = initial != ES_INFER_NONE ? es_infer_set_of(initial) : es_infer_set_all(p->machine->state_count);
    bool one = initial != ES_INFER_NONE || p->machine->state_count == 1;
    scenario->only = (uint16_t)(one ? es_infer_set_first(&scenario->states) : ES_INFER_STATES_MAX);
    for (uint32_t i = 0; i < ES_INFER_CONTEXT; i++)
        scenario->context[i] = ES_INFER_NO_TRANSITION;
    p->slots[es_infer_population_slot(p, key)] = scenario;
    return scenario;
}
