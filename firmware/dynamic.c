/* Hits on words that slots lie over.
 *
 * One event is one evaluation of a statement, whichever of its variables lie in the word. So at a dynamic hit, the
 * code of all slots' words and of the word's own cell runs with `gathering` set: statements' routines are noted
 * with their event bits, and run afterwards, once each and in their order. */
#include "slots.h"

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

/* Pointers whose objects the allocator takes back with this write, as bits. In memory, so that it is no part of the
 * states by which host/check tells ways through this code apart: it knows which pointers may be among them. */
volatile uint32_t given_back;

/* The slot's word with that number is written or read: runs its code, unless the allocator wrote. Returns what the
 * slot keeps for the plane. Not inlined: host/check knows that ways that come to here with some slots are none. */
uint32_t slot_met(const struct es_mi_slot *slot, uint32_t i, bool all, bool allocator)
{
    if (allocator && slot->pointer) {
        given_back |= 1u << (slot->pointer - 1); /* no event: what it pointed to is no object any more */
    } else {
        const struct es_mi_cell *cell = &AT(const struct es_mi_slot_word, slot->words_at)[i].cell;
        if (cell->first)
            run(all ? cell->first : cell->second);
    }
    return slot_state(slot)->kept[i];
}

/* A write to a word that slots lie over; a data read, of such a word or one armed for itself. cell_at: where the
 * word's own cell would be; it counts when the word was armed without the slots, and of a read when it is none of a
 * constant in an armed word of code.
 * The code of words that use s11 (a statement that takes the old value) is that of cells, which run last. */
void dynamic_hit(uint32_t cell_at, bool reads)
{
    uint32_t address = REG(ES_REG_HIT_ADDR) - HEADER->window_base + ES_PHANTOM_BASE;
    bool all = reads || (REG(ES_REG_HIT_FLAGS) >> ES_HIT_LANES_SHIFT & 15) == 15;
    uint32_t kept = reads;
    bool allocator = !reads && in_allocator(REG(ES_REG_HIT_PC));
    gathering = 1;
    given_back = 0;
    const struct es_mi_slot *slot = AT(const struct es_mi_slot, HEADER->slots_at);
    for (uint32_t left = HEADER->slot_count; left; left--, slot++) {
        uint32_t i = slot_find(slot, slot_state(slot)->base, address);
        if (i == slot->word_count || slot->reads != reads)
            continue;
        uint32_t here = slot_met(slot, i, all, allocator);
        if (here != ES_MI_KEPT_ELSEWHERE)
            kept = here;
    }
    uint32_t own = kept & 1 ? *AT(const uint16_t, cell_at) : 0;
    if (reads && !(own & ES_MI_READ))
        own = 0;
    if (own)
        run(own & ~ES_MI_READ);
    gathering = 0;
    if (allocator)
        pointers_update(0, given_back);
    run_gathered();
}

/* A frame's words between two phantom addresses, and some of the pointers in it. */
void frame_changed_in_c(uint32_t first, uint32_t end, uint32_t pointers)
{
    slots_over(first, end);
    if (pointers)
        pointers_update(0, pointers); /* as long as it is not written, a local points to nothing */
}
