/* Words whose address moves: what a pointer points to, frames whose place no path fixes.
 *
 * The data plane's value 2 (lock without data bit) says that a slot lies over a word; the hit is dynamic. What
 * stood in the plane before is kept by exactly one of the slots over the word, and put back when the last of them
 * leaves. So slots may move in any order, over each other and over words that are armed for themselves.
 *
 * One event is one evaluation of a statement, whichever of its variables lie in the word. So at a dynamic hit, the
 * code of all slots' words and of the word's own cell runs with `gathering` set: statements' routines are noted
 * with their event bits, and run afterwards, once each and in their order. */
#include "firmware.h"

static inline volatile uint32_t *plane_word(uint32_t address)
{
    return AT(volatile uint32_t, address - ES_PHANTOM_BASE + ES_PLANE_DATA_BASE);
}

static inline bool in_window(uint32_t address)
{
    return address - ES_PHANTOM_BASE < HEADER->window_size;
}

static inline struct es_mi_slot_state *state_of(const struct es_mi_slot *slot)
{
    return AT(struct es_mi_slot_state, slot->state_at);
}

/* Which of a slot's words stands at a phantom address; its number of words when none does. */
static uint32_t find_word(const struct es_mi_slot *slot, uint32_t base, uint32_t address)
{
    uint32_t count = slot->word_count, offset = address - base;
    if (!base || offset - slot->low >= slot->span)
        return count;
    const struct es_mi_slot_word *word = AT(const struct es_mi_slot_word, slot->words_at);
    for (uint32_t i = 0; i < count; i++, word++)
        if (word->offset == offset)
            return i;
    return count;
}

/* A slot leaves a word, for which it keeps `kept`: another slot over it takes that over, or the plane gets it back. */
static void leave_word(uint32_t address, uint8_t kept)
{
    const struct es_mi_slot *slot = AT(const struct es_mi_slot, HEADER->slots_at);
    for (uint32_t left = HEADER->slot_count; left; left--, slot++) {
        struct es_mi_slot_state *state = state_of(slot);
        uint32_t i = find_word(slot, state->base, address);
        if (i < slot->word_count) {
            state->kept[i] = kept;
            return;
        }
    }
    *plane_word(address) = kept;
}

static void leave(const struct es_mi_slot *slot, struct es_mi_slot_state *state)
{
    const struct es_mi_slot_word *word = AT(const struct es_mi_slot_word, slot->words_at);
    uint32_t base = state->base;
    state->base = 0; /* it is not to be found again */
    if (slot->moved_at)
        ((void (*)(void))(uintptr_t)slot->moved_at)();
    for (uint32_t i = 0; i < slot->word_count; i++, word++) {
        uint32_t address = base + word->offset;
        if (in_window(address) && state->kept[i] != ES_MI_KEPT_ELSEWHERE)
            leave_word(address, state->kept[i]);
    }
}

/* Moves a slot to a base (phantom address, a multiple of 4; 0: nowhere). Words outside of phantom memory are not
 * armed. */
void slot_move(const struct es_mi_slot *slot, uint32_t base)
{
    struct es_mi_slot_state *state = state_of(slot);
    if (state->base)
        leave(slot, state);
    if (!base)
        return;
    const struct es_mi_slot_word *word = AT(const struct es_mi_slot_word, slot->words_at);
    for (uint32_t i = 0; i < slot->word_count; i++, word++) {
        uint32_t address = base + word->offset;
        if (!in_window(address))
            continue;
        state->kept[i] = (uint8_t)*plane_word(address); /* 2 when another slot is there: that one keeps it */
        *plane_word(address) = ES_MI_KEPT_ELSEWHERE;
    }
    state->base = base;
}

/* Words of the stack between two phantom addresses were armed or disarmed by a frame, without regard to slots. */
void slots_over(uint32_t first, uint32_t end)
{
    const struct es_mi_slot *slot = AT(const struct es_mi_slot, HEADER->slots_at);
    for (uint32_t left = HEADER->slot_count; left; left--, slot++) {
        struct es_mi_slot_state *state = state_of(slot);
        uint32_t low = state->base + slot->low;
        if (!state->base || low >= end || low + slot->span <= first)
            continue;
        const struct es_mi_slot_word *word = AT(const struct es_mi_slot_word, slot->words_at);
        for (uint32_t i = 0; i < slot->word_count; i++, word++) {
            uint32_t address = state->base + word->offset;
            if (address - first >= end - first || !in_window(address) || state->kept[i] == ES_MI_KEPT_ELSEWHERE)
                continue;
            state->kept[i] = (uint8_t)*plane_word(address);
            *plane_word(address) = ES_MI_KEPT_ELSEWHERE;
        }
    }
}

/* A frame's words between two phantom addresses, and some of the pointers in it. */
void frame_changed_in_c(uint32_t first, uint32_t end, uint32_t pointers)
{
    slots_over(first, end);
    if (pointers)
        pointers_update(0, pointers); /* as long as it is not written, a local points to nothing */
}

/* --- hits ------------------------------------------------------------------------------------------------ */

static void run(uint32_t code)
{
    ((void (*)(void))(uintptr_t)code)();
}

/* From routines of statements, while `gathering`. */
void gather(uint32_t events, uint32_t index)
{
    uint32_t *gathered = AT(uint32_t, HEADER->gathered_at);
    gathered[index] |= events;
    gathered[HEADER->order_count + (index >> 5)] |= 1u << (index & 31);
}

static void run_gathered(void)
{
    uint32_t count = HEADER->order_count;
    const uint16_t *order = AT(const uint16_t, HEADER->order_at);
    uint32_t *events = AT(uint32_t, HEADER->gathered_at), *marks = events + count;
    for (uint32_t first = 0; first < count; first += 32, marks++) {
        uint32_t set = *marks;
        *marks = 0;
        for (uint32_t index = first; set; index++, set >>= 1) {
            if (!(set & 1))
                continue;
            uint32_t told = events[index];
            events[index] = 0;
            ((void (*)(uint32_t))(uintptr_t)order[index])(told);
        }
    }
}

/* Pointers whose objects the allocator takes back with this write, as bits. In memory, so that it is no part of the states by which
 * host/check tells ways through this code apart: it knows which pointers may be among them. */
volatile uint32_t given_back;

/* The slot's word with that number is written: runs its code, unless the allocator wrote. Returns what the slot keeps for the plane. Not
 * inlined: host/check knows that ways that come to here with some slots are none. */
uint32_t slot_met(const struct es_mi_slot *slot, uint32_t i, bool all, bool allocator)
{
    if (allocator && slot->pointer) {
        given_back |= 1u << (slot->pointer - 1); /* no event: what it pointed to is no object any more */
    } else {
        const struct es_mi_cell *cell = &AT(const struct es_mi_slot_word, slot->words_at)[i].cell;
        if (cell->first)
            run(all ? cell->first : cell->second);
    }
    return state_of(slot)->kept[i];
}

/* A write to a word that slots lie over. cell_at: where the word's own cell would be; it counts when the word was
 * armed without the slots. The code of words that use s11 (a statement that takes the old value) is that of cells,
 * which run last. */
void dynamic_write(uint32_t cell_at)
{
    uint32_t address = REG(ES_REG_HIT_ADDR) - HEADER->window_base + ES_PHANTOM_BASE;
    bool all = (REG(ES_REG_HIT_FLAGS) >> ES_HIT_LANES_SHIFT & 15) == 15;
    uint32_t kept = 0;
    bool allocator = in_allocator(REG(ES_REG_HIT_PC));
    gathering = 1;
    given_back = 0;
    const struct es_mi_slot *slot = AT(const struct es_mi_slot, HEADER->slots_at);
    for (uint32_t left = HEADER->slot_count; left; left--, slot++) {
        uint32_t i = find_word(slot, state_of(slot)->base, address);
        if (i == slot->word_count)
            continue;
        uint32_t here = slot_met(slot, i, all, allocator);
        if (here != ES_MI_KEPT_ELSEWHERE)
            kept = here;
    }
    if (kept & 1)
        run(*AT(const uint16_t, cell_at));
    gathering = 0;
    if (allocator)
        pointers_update(0, given_back);
    run_gathered();
}
