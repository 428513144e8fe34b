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

static inline volatile uint32_t *plane_word(uint32_t address, bool reads)
{
    return AT(volatile uint32_t, address - ES_PHANTOM_BASE + (reads ? ES_PLANE_FETCH_BASE : ES_PLANE_DATA_BASE));
}

static inline bool in_window(uint32_t address)
{
    return address - ES_PHANTOM_BASE < HEADER->window_size;
}

static inline struct es_mi_slot_state *state_of(const struct es_mi_slot *slot)
{
    return AT(struct es_mi_slot_state, slot->state_at);
}

/* Which of a slot's words stands at an offset from its base; its number of words when none does. */
__attribute__((noinline)) static uint32_t find_offset(const struct es_mi_slot *slot, uint32_t offset)
{
    uint32_t count = slot->word_count;
    const struct es_mi_slot_word *word = AT(const struct es_mi_slot_word, slot->words_at);
    for (uint32_t i = 0; i < count; i++, word++)
        if (word->offset == offset)
            return i;
    return count;
}

/* The same of a phantom address. */
static inline uint32_t find_word(const struct es_mi_slot *slot, uint32_t base, uint32_t address)
{
    uint32_t offset = address - base;
    return !base || offset - slot->low >= slot->span ? slot->word_count : find_offset(slot, offset);
}

/* Where a slot of a plane that lies over a word keeps what the plane would hold; NULL: there is none. */
__attribute__((always_inline)) static inline uint8_t *kept_over(uint32_t address, bool reads)
{
    const struct es_mi_slot *slot = AT(const struct es_mi_slot, HEADER->slots_at);
    for (uint32_t left = HEADER->slot_count; left; left--, slot++) {
        struct es_mi_slot_state *state = state_of(slot);
        uint32_t i = find_word(slot, state->base, address);
        if (i < slot->word_count && slot->reads == reads)
            return &state->kept[i];
    }
    return NULL;
}

/* Arms the words of a slot at a base, or (leave) gives back what it keeps of them: another slot over the word takes
 * that over, or the plane gets it back. */
__attribute__((noinline)) static void arm(const struct es_mi_slot *slot, uint32_t base, bool leave)
{
    uint8_t *kept = state_of(slot)->kept;
    const struct es_mi_slot_word *word = AT(const struct es_mi_slot_word, slot->words_at);
    uint32_t reads = slot->reads;
    for (uint32_t left = slot->word_count; left; left--, word++, kept++) {
        uint32_t address = base + word->offset;
        if (!in_window(address))
            continue;
        volatile uint32_t *plane = plane_word(address, reads);
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
    struct es_mi_slot_state *state = state_of(slot);
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
        struct es_mi_slot_state *state = state_of(slot);
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
    return state_of(slot)->kept[i];
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
        uint32_t i = find_word(slot, state_of(slot)->base, address);
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
