/* Words whose address moves: what a pointer points to, frames whose place no path fixes.
 *
 * The data plane's value 2 (lock without data bit) says that a slot lies over a word; the hit is dynamic
 * (dynamic.c). What stood in the plane before is kept by exactly one of the slots over the word, and put back when the
 * last of them leaves. So slots may move in any order, over each other and over words that are armed for themselves. */
#include "slots.h"

static inline volatile uint8_t *plane_word(uint32_t address, bool reads)
{
    return AT(volatile uint8_t, address - ES_PHANTOM_BASE + (reads ? ES_PLANE_FETCH_BASE : ES_PLANE_DATA_BASE));
}

static inline bool in_window(uint32_t address)
{
    return address - ES_PHANTOM_BASE < HEADER->window_size;
}

uint32_t slot_find_offset(const struct es_mi_slot *slot, uint32_t offset)
{
    uint32_t count = slot->word_count;
    const struct es_mi_slot_word *word = AT(const struct es_mi_slot_word, slot->words_at);
    for (uint32_t i = 0; i < count; i++, word++)
        if (word->offset == offset)
            return i;
    return count;
}

/* Where a slot of a plane that lies over a word keeps what the plane would hold; NULL: there is none. */
__attribute__((always_inline)) static inline uint8_t *kept_over(uint32_t address, bool reads)
{
    const struct es_mi_slot *slot = AT(const struct es_mi_slot, HEADER->slots_at);
    for (uint32_t left = HEADER->slot_count; left; left--, slot++) {
        struct es_mi_slot_state *state = slot_state(slot);
        uint32_t i = slot_find(slot, state->base, address);
        if (i < slot->word_count && slot->reads == reads)
            return &state->kept[i];
    }
    return NULL;
}

/* Arms the words of a slot at a base, or (leave) gives back what it keeps of them: another slot over the word takes
 * that over, or the plane gets it back. */
__attribute__((noinline)) static void arm(const struct es_mi_slot *slot, uint32_t base, bool leave)
{
    uint8_t *kept = slot_state(slot)->kept;
    const struct es_mi_slot_word *word = AT(const struct es_mi_slot_word, slot->words_at);
    uint32_t reads = slot->reads;
    for (uint32_t left = slot->word_count; left; left--, word++, kept++) {
        uint32_t address = base + word->offset;
        if (!in_window(address))
            continue;
        volatile uint8_t *plane = plane_word(address, reads);
        uint32_t value = leave ? *kept : *plane;
        bool elsewhere = value == ES_MI_KEPT_ELSEWHERE;
        uint8_t *other = NULL; /* of reads the plane does not tell whether its value is another slot's */
        if (!elsewhere && (leave || (reads & value)))
            other = kept_over(address, reads);
        if (!leave) {
            *kept = other ? ES_MI_KEPT_ELSEWHERE : (uint8_t)value;
            *plane = reads ? 1 : ES_MI_KEPT_ELSEWHERE;
        } else if (other) {
            *other = (uint8_t)value;
        } else if (!elsewhere) {
            *plane = value;
        }
    }
}

static void move(const struct es_mi_slot *slot, uint32_t to)
{
    struct es_mi_slot_state *state = slot_state(slot);
    uint32_t from = state->base;
    state->base = 0; /* it is not to be found where it was */
    if (from) {
        if (slot->moved_at)
            ((void (*)(void))(uintptr_t)slot->moved_at)();
        arm(slot, from, true);
    }
    if (to)
        arm(slot, to, false);
    state->base = to;
}

/* Moves a slot to a base (phantom address, a multiple of 4; 0: nowhere). Words outside of phantom memory are not
 * armed. */
void slot_move(const struct es_mi_slot *slot, uint32_t base)
{
    move(slot, base);
    if (slot->also_at)
        move(AT(const struct es_mi_slot, slot->also_at), base);
}

/* Words of the stack between two phantom addresses were armed or disarmed by a frame, without regard to slots. */
void slots_over(uint32_t first, uint32_t end)
{
    const struct es_mi_slot *slot = AT(const struct es_mi_slot, HEADER->slots_at);
    for (uint32_t left = HEADER->slot_count; left; left--, slot++) {
        struct es_mi_slot_state *state = slot_state(slot);
        uint32_t low = state->base + slot->low;
        if (!state->base || slot->reads || low >= end || low + slot->span <= first)
            continue;
        const struct es_mi_slot_word *word = AT(const struct es_mi_slot_word, slot->words_at);
        for (uint32_t i = 0; i < slot->word_count; i++, word++) {
            uint32_t address = state->base + word->offset;
            if (address - first >= end - first || !in_window(address) || state->kept[i] == ES_MI_KEPT_ELSEWHERE)
                continue;
            state->kept[i] = (uint8_t)*plane_word(address, false);
            *plane_word(address, false) = ES_MI_KEPT_ELSEWHERE;
        }
    }
}
