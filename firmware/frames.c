/* Frames whose place no path fixes: of recursive procedures, interrupt handlers, what a procedure with a frame of
 * unknown size calls.
 *
 * An activation's canonical frame address (CFA) follows from its caller's, less the size of the caller's frame; where
 * the caller's is not known, or an interrupt came, it is learned from one of the procedure's own first stores, which is
 * made at a known distance from the CFA: a fetch hit after it carries the address of the last write. Each procedure on
 * the way has an es_mi_frame.
 *
 * A moving frame (es_mi_moving) is that of the innermost activation that a path denotes. The shadow stack's depths say
 * which one it is and which one it will be when that returns, so a return restores exactly what was meant before. */
#include "firmware.h"

#define UNKNOWN 0u
#define DISTURBED \
    1u /* bit 0 of an unknown CFA: an interrupt came since the activation began; other bits: address of a
                        write that may be the store's, 0: none */

static uint32_t cfas[ES_MI_STACK_DEPTH]; /* by depth; valid for procedures with ES_MI_SIZE_FRAMES. Phantom addresses */
static uint32_t last_write;              /* before the mret that was executed last */

static inline bool is_known(uint32_t cfa)
{
    return cfa != UNKNOWN && !(cfa & DISTURBED);
}

static inline const struct es_mi_frame *frame_of(const struct es_mi_procedure *procedure)
{
    return AT(const struct es_mi_frame, procedure->frame_at);
}

static inline bool has_frames(const struct es_mi_procedure *procedure)
{
    return procedure->size & ES_MI_SIZE_FRAMES;
}

static inline const struct es_mi_procedure *procedure_at(uint32_t depth)
{
    return procedure_of(&stack[depth]);
}

static inline struct es_mi_meant *meant_of(const struct es_mi_moving *moving)
{
    return AT(struct es_mi_meant, moving->meant_at);
}

/* Loops over them go from the first one to the end: so many times as the image says, whatever the shadow stack
 * holds. */
static inline const struct es_mi_moving *first_moving(void)
{
    return AT(const struct es_mi_moving, HEADER->moving_at);
}

static inline const struct es_mi_moving *end_moving(void)
{
    return first_moving() + HEADER->moving_count;
}

static inline bool is_of(const struct es_mi_moving *moving, const struct es_mi_procedure *procedure)
{
    return moving->procedure_at == (uint16_t)(uintptr_t)procedure;
}

/* NP, the node of the activation at hand, says that it is the one that is meant. */
static inline bool is_meant(const struct es_mi_moving *moving)
{
    if (!moving->mask)
        return true;
    return !node || *AT(const uint32_t, (uint32_t)(uintptr_t)node + moving->tells) & moving->mask;
}

/* What can rest of the pointers among the locals: while another activation is meant, it is kept here. */
static inline uint32_t *rests_of(const struct es_mi_moving *moving)
{
    return &meant_of(moving)->rests[meant_of(moving)->depth - 1];
}

/* The marks of its locals are kept there, by depth. */
static inline uint32_t *kept_of(const struct es_mi_moving *moving, uint32_t depth)
{
    return AT(uint32_t, moving->kept_at + (depth << moving->kept_shift));
}

/* from NULL: nothing is written. */
__attribute__((noinline)) void copy_marks(uint32_t *to, const uint32_t *from, uint32_t words)
{
    for (; words; words--)
        *to++ = from ? *from++ : ES_MI_MARKS_NONE;
}

static void keep_locals(const struct es_mi_moving *moving)
{
    uint32_t depth = meant_of(moving)->depth;
    if (moving->pointers && depth)
        *rests_of(moving) = pointers_resting(moving->pointers);
    if (moving->kept_at && depth)
        copy_marks(kept_of(moving, depth - 1), AT(const uint32_t, moving->marks_at), moving->mark_words);
}

/* The slot goes where the activation is that is meant now, or nowhere. `fresh`: the activation has just begun, and its
 * locals are not written. Returns whether it is somewhere. */
static bool place(const struct es_mi_moving *moving, bool fresh)
{
    const struct es_mi_meant *meant = meant_of(moving);
    uint32_t cfa = UNKNOWN;
    if (meant->depth && !meant->beyond && es.beyond < FRAMES_BEYOND)
        cfa = cfas[meant->depth - 1];
    if (!is_known(cfa) || cfa < moving->low || cfa > moving->high)
        cfa = 0;
    const struct es_mi_slot *slot = AT(const struct es_mi_slot, moving->slot_at);
    if (!fresh && AT(const struct es_mi_slot_state, slot->state_at)->base == cfa)
        return cfa; /* it is there already */
    slot_move(slot, cfa);
    if (moving->mark_words && meant->depth)
        copy_marks(AT(uint32_t, moving->marks_at),
                   fresh || !moving->kept_at ? NULL : kept_of(moving, meant->depth - 1u), moving->mark_words);
    if (moving->pointers) {
        uint32_t rest = fresh || !cfa ? moving->pointers : *rests_of(moving);
        pointers_update(moving->pointers & ~rest, rest);
    }
    return cfa;
}

static void place_all(void)
{
    for (const struct es_mi_moving *moving = first_moving(), *end = end_moving(); moving != end; moving++)
        place(moving, false);
}

/* --- activations ----------------------------------------------------------------------------------------- */

/* CFA of what was called last, by its caller's. */
static uint32_t cfa_of_callee(uint32_t depth, uint32_t site)
{
    if (is_interrupt_site(site) || site == SITE_TASK)
        return UNKNOWN;
    if (depth == 0 && es.flags & ES_HITF_PATH_UNKNOWN)
        return UNKNOWN;
    if (depth == 0)
        return site == SITE_ROOT_JUMP ? HEADER->root_jump_cfa : HEADER->root_cfa;
    const struct es_mi_procedure *caller = procedure_at(depth - 1);
    if (!has_frames(caller) || !is_known(cfas[depth - 1]) || frame_of(caller)->size == ES_MI_FRAME_SIZE_UNKNOWN)
        return UNKNOWN;
    return cfas[depth - 1] - frame_of(caller)->size;
}

void frames_entered(const struct es_mi_procedure *procedure, uint32_t site)
{
    uint32_t depth = (uint32_t)(top - stack) - 1;
    cfas[depth] = cfa_of_callee(depth, site);
    for (const struct es_mi_moving *moving = first_moving(), *end = end_moving(); moving != end; moving++) {
        if (!is_of(moving, procedure) || !is_meant(moving))
            continue;
        struct es_mi_meant *meant = meant_of(moving);
        if (!meant->beyond)
            keep_locals(moving);
        meant->before[depth] = meant->depth;
        meant->depth = (uint8_t)(depth + 1);
        if (!place(moving, true))
            doubt_nobodys(1);
    }
}

/* Before the innermost activation is removed from the shadow stack. */
void frames_left(const struct es_mi_procedure *procedure)
{
    uint32_t depth = (uint32_t)(top - stack) - 1;
    for (const struct es_mi_moving *moving = first_moving(), *end = end_moving(); moving != end; moving++) {
        struct es_mi_meant *meant = meant_of(moving);
        if (!is_of(moving, procedure) || meant->depth != depth + 1)
            continue;
        meant->depth = meant->before[depth];
        place(moving, false);
    }
}

uint32_t frames_innermost(void)
{
    if (top == stack || !has_frames(procedure_at((uint32_t)(top - stack) - 1)))
        return UNKNOWN;
    uint32_t cfa = cfas[top - stack - 1];
    return is_known(cfa) ? cfa : UNKNOWN;
}

/* The innermost activation's frame is found to be there. */
static void found(uint32_t cfa)
{
    uint32_t depth = (uint32_t)(top - stack) - 1;
    cfas[depth] = cfa;
    for (const struct es_mi_moving *moving = first_moving(), *end = end_moving(); moving != end; moving++)
        if (meant_of(moving)->depth == depth + 1 && place(moving, true))
            doubt_nobodys(0u - 1u);
}

void frames_replaced(uint32_t cfa)
{
    if (cfa != UNKNOWN && top != stack && has_frames(procedure_at((uint32_t)(top - stack) - 1)) &&
        frames_innermost() == UNKNOWN)
        found(cfa);
}

void frames_doubt(const struct activation *right)
{
    for (uint32_t depth = (uint32_t)(right - stack); depth < ES_MI_STACK_DEPTH; depth++)
        cfas[depth] = UNKNOWN;
    for (const struct es_mi_moving *moving = first_moving(), *end = end_moving(); moving != end; moving++)
        if (meant_of(moving)->depth > (uint32_t)(right - stack) && !place(moving, false))
            doubt_nobodys(1);
}

/* --- beyond the shadow stack --------------------------------------------------------------------------------- */

/* An activation that is not recorded in full has no known frame: while it is the one that is meant, none is. */
void frames_entered_beyond(const struct es_mi_procedure *procedure)
{
    if (es.beyond >= FRAMES_BEYOND) {
        for (const struct es_mi_moving *moving = first_moving(), *end = end_moving(); moving != end; moving++) {
            if (es.beyond == FRAMES_BEYOND) {
                if (!meant_of(moving)->beyond)
                    keep_locals(moving);
                place(moving, false);
            }
            doubt_nobodys(is_of(moving, procedure)); /* whether it is meant is not known, too */
        }
        return;
    }
    for (const struct es_mi_moving *moving = first_moving(), *end = end_moving(); moving != end; moving++) {
        if (!is_of(moving, procedure) || !is_meant(moving))
            continue;
        doubt_nobodys(1);
        if (meant_of(moving)->beyond == 0)
            keep_locals(moving);
        if (meant_of(moving)->beyond++ == 0)
            place(moving, false);
    }
}

/* Before it is removed. */
void frames_left_beyond(const struct es_mi_procedure *procedure)
{
    if (es.beyond >= FRAMES_BEYOND)
        return;
    for (const struct es_mi_moving *moving = first_moving(), *end = end_moving(); moving != end; moving++)
        if (is_of(moving, procedure) && is_meant(moving) && --meant_of(moving)->beyond == 0)
            place(moving, false);
}

void frames_settle(void)
{
    place_all();
}

void frames_forget_beyond(void)
{
    for (const struct es_mi_moving *moving = first_moving(), *end = end_moving(); moving != end; moving++) {
        meant_of(moving)->beyond = 0;
        place(moving, false);
    }
}

/* --- tasks ------------------------------------------------------------------------------------------------ */

static uint32_t *saved_marks(const struct es_mi_moving *moving, uint32_t marks_at, uint32_t depth)
{
    const struct es_mi_tasks *tasks = AT(const struct es_mi_tasks, HEADER->tasks_at);
    return AT(uint32_t, marks_at + (depth << tasks->marks_shift) + moving->saved);
}

void frames_save(uint32_t *to, uint32_t depth, uint32_t *lives, uint32_t marks_at)
{
    for (uint32_t i = 0; i < depth; i++) {
        to[i] = cfas[i];
        if (lives)
            lives[i] = 0;
    }
    if (HEADER->allocator_count) /* what is freed while the task does not run is not seen */
        lives = NULL;
    for (const struct es_mi_moving *moving = first_moving(), *end = end_moving(); moving != end; moving++) {
        const struct es_mi_meant *meant = meant_of(moving);
        uint32_t next = meant->depth;
        if (!moving->pointers && !moving->kept_at)
            continue;
        keep_locals(moving);
        for (uint32_t i = (uint32_t)(top - stack); i; i--) {
            if (i != next)
                continue;
            next = meant->before[i - 1];
            if (i > depth)
                continue;
            if (lives && moving->pointers)
                lives[i - 1] |= moving->pointers & ~meant->rests[i - 1];
            if (moving->kept_at)
                copy_marks(saved_marks(moving, marks_at, i - 1), kept_of(moving, i - 1), moving->mark_words);
        }
    }
}

void frames_rest(void)
{
    for (const struct es_mi_moving *moving = first_moving(), *end = end_moving(); moving != end; moving++) {
        meant_of(moving)->depth = 0;
        meant_of(moving)->beyond = 0;
        place(moving, false);
    }
}

void frames_restore(const uint32_t *from, uint32_t depth, const uint32_t *lives, uint32_t marks_at)
{
    const struct es_mi_node *innermost = node;
    for (uint32_t i = 0; i < depth; i++) {
        const struct es_mi_procedure *procedure = procedure_at(i);
        cfas[i] = from[i];
        if (!has_frames(procedure))
            continue;
        node = i + 1 < depth ? AT(const struct es_mi_node, stack[i + 1].caller_node_at) : innermost;
        for (const struct es_mi_moving *moving = first_moving(), *end = end_moving(); moving != end; moving++) {
            if (!is_of(moving, procedure) || !is_meant(moving))
                continue;
            meant_of(moving)->before[i] = meant_of(moving)->depth;
            meant_of(moving)->depth = (uint8_t)(i + 1);
            if (moving->pointers)
                *rests_of(moving) = moving->pointers & ~lives[i];
            if (moving->kept_at)
                copy_marks(kept_of(moving, i), saved_marks(moving, marks_at, i), moving->mark_words);
        }
    }
    node = innermost;
    place_all();
}

/* --- learning -------------------------------------------------------------------------------------------- */

/* What the procedure at `depth` has to tell; NULL: nothing, or its frame is known. */
static const struct es_mi_learn *learning(uint32_t depth)
{
    const struct es_mi_procedure *procedure = procedure_at(depth);
    if (!has_frames(procedure) || !frame_of(procedure)->learn_at || is_known(cfas[depth]))
        return NULL;
    return AT(const struct es_mi_learn, frame_of(procedure)->learn_at);
}

/* The innermost activation, whose frame is to be learned, has fetched the instruction at pc, and REG_HIT_NEW is the
 * last write. When that is still the last one before the mret that led back here, it is the interrupt's. */
static void observe(uint32_t depth, const struct es_mi_learn *learn, uint32_t pc)
{
    uint32_t write = REG(ES_REG_HIT_NEW);
    if (write == ES_HIT_NO_WRITE || pc - learn->store >= learn->point - learn->store)
        return;
    if (!(cfas[depth] & DISTURBED) || write != last_write)
        cfas[depth] = write | (cfas[depth] & DISTURBED);
}

void frames_interrupted(uint32_t pc)
{
    if (top == stack || es.beyond)
        return;
    uint32_t depth = (uint32_t)(top - stack) - 1;
    const struct es_mi_learn *learn = learning(depth);
    if (!learn)
        return;
    observe(depth, learn, pc);
    cfas[depth] |= DISTURBED;
}

void frames_resumed(void)
{
    last_write = REG(ES_REG_HIT_NEW);
}

void frames_learn(const struct es_mi_procedure *procedure, uint32_t pc)
{
    if (top == stack || es.beyond || procedure_of(top - 1) != procedure)
        return;
    uint32_t depth = (uint32_t)(top - stack) - 1;
    const struct es_mi_learn *learn = learning(depth);
    if (!learn)
        return;
    observe(depth, learn, pc);
    uint32_t write = cfas[depth] & ~3u, cfa = write - (uint32_t)learn->offset;
    cfas[depth] = UNKNOWN;
    if (write && !(cfa & 15) && cfa - HEADER->window_base <= HEADER->window_size)
        found(cfa - HEADER->window_base + ES_PHANTOM_BASE);
}
