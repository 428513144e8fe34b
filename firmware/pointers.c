/* Pointers that statements follow: a write to one moves the slots of what it points to.
 *
 * A pointer is looked at when it was written, when it begins to rest, and when one has moved through which it is
 * reached: such stand before it, so one pass settles them all. So is an element, at writes to its index and when that
 * comes or goes with a frame. A pointer to an object that the allocator has taken back rests until it is written. */
#include "firmware.h"

static inline struct es_mi_pointer_state *state_of(const struct es_mi_pointer *pointer)
{
    return AT(struct es_mi_pointer_state, pointer->state_at);
}

/* What it points to may begin at multiples of this. */
static inline uint32_t step_of(const struct es_mi_pointer *pointer)
{
    return 4u >> (pointer->phases >> 1); /* 4 / phases */
}

/* What a pointer points to, as a phantom address. 0: nothing that can be watched: the variable does not exist or
 * is not known, it is NULL, not aligned, or not all that statements refer to lies in phantom memory. */
static uint32_t value_of(const struct es_mi_pointer *pointer)
{
    uint32_t base = pointer->base_at ? *AT(const uint32_t, pointer->base_at) : 0;
    if (pointer->base_at && !base)
        return 0;
    uint32_t value = pointer->index_at ? ((uint32_t(*)(uint32_t))(uintptr_t)pointer->index_at)(base)
                                       : *AT(const volatile uint32_t, base + pointer->offset);
    if (REG(ES_REG_UNKNOWN) || !value || value & (step_of(pointer) - 1))
        return 0;
    uint32_t first = value - HEADER->window_base + pointer->low;
    if (first >= HEADER->window_size || pointer->span > HEADER->window_size - first)
        return 0;
    return value - HEADER->window_base + ES_PHANTOM_BASE;
}

static void point_to(const struct es_mi_pointer *pointer, uint32_t value)
{
    const struct es_mi_slot *slot = AT(const struct es_mi_slot, pointer->slot_at);
    uint32_t step = step_of(pointer);
    state_of(pointer)->value = value;
    for (uint32_t phase = 0; phase < 4; phase += step, slot++)
        slot_move(slot, value && (value & 3) == phase ? value - phase : 0);
}

/* Several moves at one event are one. */
static void note_move(struct es_mi_pointer_state *state)
{
    uint32_t low = REG(ES_REG_HIT_TIME), high = ~REG(ES_REG_TIME_HIGH);
    if (state->moved_low == low && state->moved_high == high)
        return;
    state->before = state->value;
    state->moved_low = low;
    state->moved_high = high;
}

/* Whether it points to somewhere else than before. Not inlined, so that nothing of one pointer is left on the stack
 * when the next one is looked at: host/check tells states apart by what is there. */
__attribute__((noinline)) static uint32_t look(const struct es_mi_pointer *pointer, bool start)
{
    struct es_mi_pointer_state *state = state_of(pointer);
    uint32_t value = state->rests ? 0 : value_of(pointer), differs = value != state->value;
    /* a number, on which no branch depends: who follows this code (host/check) knows its other bits in either case */
    __asm__("" : "+r"(differs));
    if (value == state->value)
        return differs;
    if (!start)
        note_move(state);
    point_to(pointer, value);
    return differs;
}

/* written, gone: a bit by pointer. `gone`: it rests. start: all are looked at, and there is no event. */
static void update(uint32_t written, uint32_t gone, bool start)
{
    const struct es_mi_pointer *pointer = AT(const struct es_mi_pointer, HEADER->pointers_at);
    uint32_t moved = 0;
    for (uint32_t i = 0; i < HEADER->pointer_count; i++, pointer++) {
        uint32_t other = (moved & pointer->follows) != 0; /* another variable */
        uint32_t fresh = (written >> i & 1) | other, rests = gone >> i & 1;
        if (!(fresh | rests) && !start)
            continue;
        if (fresh)
            state_of(pointer)->rests = 0;
        if (rests && !pointer->is_element)
            state_of(pointer)->rests = 1;
        moved |= look(pointer, start) << i;
    }
}

void pointers_update(uint32_t written, uint32_t gone)
{
    update(written, gone, false);
}

/* Where pointers point to as the program file has them. */
void pointers_start(void)
{
    update(0, 0, true);
}

uint32_t pointers_resting(uint32_t of)
{
    const struct es_mi_pointer *pointer = AT(const struct es_mi_pointer, HEADER->pointers_at);
    uint32_t rest = 0;
    for (uint32_t i = 0; i < HEADER->pointer_count; i++, pointer++)
        if (of >> i & 1 && state_of(pointer)->rests)
            rest |= 1u << i;
    return rest;
}

void pointer_written(uint32_t written)
{
    pointers_update(written, 0);
}

/* Whether an instruction belongs to malloc, free and the like. */
bool in_allocator(uint32_t pc)
{
    if (likely(pc - HEADER->allocator_first >= HEADER->allocator_size))
        return false;
    const struct es_mi_range *range = AT(const struct es_mi_range, HEADER->allocator_at);
    for (uint32_t left = HEADER->allocator_count; left; left--, range++)
        if (pc - range->first < range->size)
            return true;
    return false;
}
