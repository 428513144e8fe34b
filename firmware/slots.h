/* What the parts that know slots share (slots.c, dynamic.c). */
#ifndef ES_FIRMWARE_SLOTS_H
#define ES_FIRMWARE_SLOTS_H

#include "firmware.h"

static inline struct es_mi_slot_state *slot_state(const struct es_mi_slot *slot)
{
    return AT(struct es_mi_slot_state, slot->state_at);
}

/* Which of a slot's words stands at an offset from its base; its number of words when none does. */
uint32_t slot_find_offset(const struct es_mi_slot *slot, uint32_t offset);

/* The same of a phantom address. */
static inline uint32_t slot_find(const struct es_mi_slot *slot, uint32_t base, uint32_t address)
{
    uint32_t offset = address - base;
    return !base || offset - slot->low >= slot->span ? slot->word_count : slot_find_offset(slot, offset);
}

#endif
