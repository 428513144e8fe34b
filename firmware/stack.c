/* The shadow stack and NP: activations come and go, with their frames. What happened is decided by others (calls.c,
 * fetches.c, tasks.c). Those that do not fit are kept in short, beyond it: enough for their `leave` events. */
#include "firmware.h"

/* Procedures of activations beyond the shadow stack. Bit 0: entered by an interrupt. */
static uint16_t beyond_procedures[BEYOND_DEPTH], beyond_nodes[BEYOND_DEPTH]; /* NP before each */

/* Bit of es.beyond_mask for a procedure: not set means that it is surely not among those beyond. */
static inline uint32_t beyond_bit(uint32_t procedure_at)
{
    return 1u << (procedure_at >> 2 & 31);
}

/* What tells apart the activations of a procedure that were called at different places. */
static uint32_t column_of(const struct es_mi_procedure *procedure, uint32_t site)
{
    uint32_t column = procedure->column;
    if (!(column & ES_MI_COLUMN_BY_SITE))
        return column;
    const struct es_mi_site *entry = AT(const struct es_mi_site, column - ES_MI_COLUMN_BY_SITE);
    while (entry->site && entry->site != site)
        entry++;
    return entry->column;
}

/* Where NP goes from `from` when `procedure` is called at `site`. */
static const struct es_mi_node *next_node(const struct es_mi_node *from, const struct es_mi_procedure *procedure,
                                          uint32_t site)
{
    if (!from)
        return NULL;
    const struct es_mi_move *move = AT(const struct es_mi_move, (uint32_t)from->row_at + column_of(procedure, site));
    return AT(const struct es_mi_node, move->from_at == (uintptr_t)from ? move->to_at : from->other_at);
}

/* --- come --------------------------------------------------------------------------------------------------------- */

static void push_beyond(uint32_t site, struct interruption where, const struct es_mi_procedure *procedure)
{
    const struct es_mi_node *from = node;
    es.beyond_mask |= beyond_bit((uint32_t)(uintptr_t)procedure);
    bool interrupt = is_interrupt_site(site);
    node = NULL;
    if (es.beyond < BEYOND_DEPTH) {
        beyond_nodes[es.beyond] = (uint16_t)(uintptr_t)from;
        node = next_node(from, procedure, site);
        beyond_procedures[es.beyond] = (uint16_t)((uintptr_t)procedure | interrupt);
        es.beyond_interrupts += interrupt;
    } else {
        es.deep_interrupts += interrupt;
        if (tells_at) /* NP is not known any more */
            ((void (*)(void))(uintptr_t)tells_at)();
    }
    es.beyond++;
    frames_entered_beyond(procedure);
    set_flags(es.flags | ES_HITF_PATH_CUT);
    if (interrupt)
        es.beyond_interruption = where;
}

/* The image is asked first: it is constant, so who follows this code on partly known values (host/check) sees that most
 * images have no such procedures. */
static inline bool has_frames(const struct es_mi_procedure *procedure)
{
    return HEADER->slot_count && procedure->size & ES_MI_SIZE_FRAMES;
}

/* NP is not known: what cannot be watched is counted (host/image/tables/build.c says of which procedures this is
 * asked). */
static void count_unwatched(const struct es_mi_procedure *procedure)
{
    if (HEADER->switches & ES_MI_SWITCHES_LOCALS && AT(const struct es_mi_frame, procedure->frame_at)->enter_at)
        doubt_nobodys(1);
}

void push(uint32_t site, const struct es_mi_procedure *procedure)
{
    if (top == stack_end) {
        push_beyond(site, (struct interruption){0, 0}, procedure);
        return;
    }
    const struct es_mi_node *to = next_node(node, procedure, site);
    bool frame = to && to->cfa && procedure->frame_at, to_do = procedure->leave_at || frame || has_frames(procedure);
    *top = (struct activation){site | (to_do ? ES_SITE_TO_DO : 0), (uint16_t)((uintptr_t)procedure | (site & 1)),
                               (uint16_t)(uintptr_t)node};
    top++;
    node = to;
    if (HEADER->switches && !to && procedure->frame_at)
        count_unwatched(procedure);
    if (frame)
        run_frame(AT(const struct es_mi_frame, procedure->frame_at)->enter_at, to->cfa);
    if (has_frames(procedure))
        frames_entered(procedure, site);
}

void push_interrupt(uint32_t site, const struct es_mi_procedure *procedure, struct interruption where)
{
    if (top == stack_end) {
        push_beyond(site, where, procedure);
    } else {
        interruptions[top - stack] = where;
        push(site, procedure);
    }
}

/* --- go, without an event ----------------------------------------------------------------------------------------- */

/* Removes the innermost activation of the shadow stack without an event. */
void drop(void)
{
    const struct activation *entry = top - 1;
    const struct es_mi_procedure *procedure = procedure_of(entry);
    if (has_frames(procedure))
        frames_left(procedure);
    if (node && node->cfa && procedure->frame_at)
        run_frame(AT(const struct es_mi_frame, procedure->frame_at)->leave_at, node->cfa);
    node = AT(const struct es_mi_node, entry->caller_node_at);
    top--;
    if (top < known)
        known = top;
}

/* Leaves every activation above `entry` without an event. */
void drop_above(const struct activation *entry)
{
    while (top > entry + 1)
        drop();
}

void drop_all(void)
{
    if (es.beyond)
        forget_beyond();
    while (top != stack)
        drop();
    node = AT(const struct es_mi_node, HEADER->root_node_at);
    set_flags(es.flags & ~ES_HITF_PATH_UNKNOWN);
}

void forget_beyond(void)
{
    es.beyond = es.beyond_interrupts = es.deep_interrupts = es.beyond_mask = 0;
    set_flags(es.flags & ~ES_HITF_PATH_CUT);
    node = AT(const struct es_mi_node, beyond_nodes[0]);
    frames_forget_beyond();
}

/* Removes the innermost activation beyond the shadow stack. Returns true when it was an interrupt's. */
bool pop_beyond(void)
{
    uint32_t index = es.beyond - 1;
    bool interrupt = false;
    if (index < BEYOND_DEPTH) {
        interrupt = beyond_procedures[index] & 1;
        frames_left_beyond(AT(const struct es_mi_procedure, beyond_procedures[index] & ~1u));
    }
    es.beyond = index;
    if (index < BEYOND_DEPTH)
        node = AT(const struct es_mi_node, beyond_nodes[index]);
    es.beyond_interrupts -= interrupt;
    if (index == 0)
        forget_beyond();
    else if (index == FRAMES_BEYOND - 1)
        frames_settle();
    return interrupt;
}

void pop_to_interrupt_beyond(void)
{
    if (es.beyond > BEYOND_DEPTH)
        es.beyond = BEYOND_DEPTH;                   /* frames_settle is still to come: FRAMES_BEYOND is below */
    while (!(beyond_procedures[es.beyond - 1] & 1)) /* beyond_interrupts says that there is one */
        pop_beyond();
}

/* --- statements at calls and returns ------------------------------------------------------------------------------ */

/* Runs a list of statements, whose hits are told to be at pc. */
void run_list(uint32_t list_at, uint32_t pc)
{
    if (!list_at)
        return;
    control_pc = pc;
    ((void (*)(void))(uintptr_t)list_at)();
    control_pc = 0;
}

void run_leave(const struct es_mi_procedure *procedure, uint32_t pc)
{
    run_list(procedure->leave_at, pc);
}

void leave_beyond(uint32_t pc)
{
    uint32_t index = es.beyond - 1;
    if (index < BEYOND_DEPTH)
        run_leave(AT(const struct es_mi_procedure, beyond_procedures[index] & ~1u), pc);
    else
        doubt_nobodys(1); /* who returned is not known any more */
}

/* --- what is known ------------------------------------------------------------------------------------------------ */

/* The procedure that is active at depth `beyond` - 1 once the innermost activation is gone; NULL when not known. */
const struct es_mi_procedure *beyond_caller(void)
{
    uint32_t index = es.beyond - 1;
    if (index == 0)
        return procedure_of(top - 1);
    return index <= BEYOND_DEPTH ? AT(const struct es_mi_procedure, beyond_procedures[index - 1] & ~1u) : NULL;
}

bool may_be_beyond(uint32_t procedure_at)
{
    return es.beyond_mask & beyond_bit(procedure_at);
}

void path_unknown(const struct activation *right)
{
    if (!(es.flags & ES_HITF_PATH_UNKNOWN) || right < es.unknown_top)
        es.unknown_top = right;
    set_flags(es.flags | ES_HITF_PATH_UNKNOWN);
    frames_doubt(right);
}

void lose_stack(void)
{
    drop_all();
    node = NULL;
    es.unknown_top = stack;
    set_flags(es.flags | ES_HITF_PATH_UNKNOWN);
}

void doubt_anchor(void)
{
    drop_all();
    push(HEADER->anchor_site, AT(const struct es_mi_procedure, HEADER->anchor_at));
}
