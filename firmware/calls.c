/* Calls, tail calls, returns, longjmp, interrupts: decided from what was fetched and what had been fetched before
 * it. */
#include "firmware.h"

/* Procedures of activations beyond the shadow stack: enough for their `leave` events. Bit 0: entered by an
 * interrupt. */
#define START_BYTES 16u /* an interrupt that came so near behind a procedure's first instruction may have cut it off */
static uint16_t beyond_procedures[BEYOND_DEPTH], beyond_nodes[BEYOND_DEPTH]; /* NP before each */

/* --- instruction words as evidence ----------------------------------------------------------------------- */

static inline bool is_linking_jump(uint32_t insn) /* jal, jalr with rd x1 or x5 */
{
    return (insn & 0xDF7) == 0x0E7;
}

static inline bool is_return(uint32_t insn) /* jalr x0 through x1 or x5 */
{
    return insn == INSN_RET || (insn & 0xD8FFF) == 0x08067;
}

static inline bool is_jump(uint32_t insn) /* jal, jalr */
{
    return (insn & 0x77) == 0x67;
}

static inline bool is_branch(uint32_t insn)
{
    return (insn & 0x7F) == 0x63;
}

/* Where a jal or a taken branch at pc goes; 1 for anything else, which is no instruction's address. */
static uint32_t direct_target(uint32_t pc, uint32_t insn)
{
    uint32_t sign = 0u - (insn >> 31);
    if ((insn & 0x7F) == 0x6F)
        return pc + ((sign << 20) | (insn & 0xFF000) | (insn >> 9 & 0x800) | (insn >> 20 & 0x7FE));
    if (is_branch(insn))
        return pc + ((sign << 12) | (insn << 4 & 0x800) | (insn >> 20 & 0x7E0) | (insn >> 7 & 0x1E));
    return 1;
}

/* --- the shadow stack ------------------------------------------------------------------------------------ */

struct interruption interruptions[ES_MI_STACK_DEPTH];

static inline const struct es_mi_procedure *procedure_of(const struct activation *entry)
{
    return AT(const struct es_mi_procedure, entry->procedure_at);
}

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
    site &= ~(uint32_t)ES_SITE_TO_DO;
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

static void push_beyond(uint32_t site, struct interruption where, const struct es_mi_procedure *procedure)
{
    const struct es_mi_node *from = node;
    es.beyond_mask |= beyond_bit((uint32_t)(uintptr_t)procedure);
    bool interrupt = (site & 3) == ES_SITE_INTERRUPT;
    node = NULL;
    if (es.beyond < BEYOND_DEPTH) {
        beyond_nodes[es.beyond] = (uint16_t)(uintptr_t)from;
        node = next_node(from, procedure, site);
        beyond_procedures[es.beyond] = (uint16_t)((uintptr_t)procedure | interrupt);
        es.beyond_interrupts += interrupt;
    } else {
        es.deep_interrupts += interrupt;
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

static void push(uint32_t site, const struct es_mi_procedure *procedure)
{
    if (top == stack_end) {
        push_beyond(site, (struct interruption){0, 0}, procedure);
        return;
    }
    if (procedure->leave_at && !(site & 1))
        site |= ES_SITE_TO_DO;
    const struct es_mi_node *to = next_node(node, procedure, site);
    bool frame = to && to->cfa && procedure->frame_at;
    if ((frame || has_frames(procedure)) && !(site & 1))
        site |= ES_SITE_TO_DO;
    *top = (struct activation){site, (uint16_t)(uintptr_t)procedure, (uint16_t)(uintptr_t)node};
    top++;
    node = to;
    if (HEADER->switches && !to && procedure->frame_at)
        switches_entered(procedure);
    if (frame)
        run_frame(AT(const struct es_mi_frame, procedure->frame_at)->enter_at, to->cfa);
    if (has_frames(procedure))
        frames_entered(procedure, site);
}

/* Removes the innermost activation of the shadow stack without an event. */
static void drop(void)
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
static void drop_above(const struct activation *entry)
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

/* Runs a list of statements, whose hits are told to be at pc. */
static void run_list(uint32_t list_at, uint32_t pc)
{
    if (!list_at)
        return;
    control_pc = pc;
    ((void (*)(void))(uintptr_t)list_at)();
    control_pc = 0;
}

static void run_leave(const struct es_mi_procedure *procedure, uint32_t pc)
{
    run_list(procedure->leave_at, pc);
}

void forget_beyond(void)
{
    es.beyond = es.beyond_interrupts = es.deep_interrupts = es.beyond_mask = 0;
    set_flags(es.flags & ~ES_HITF_PATH_CUT);
    node = AT(const struct es_mi_node, beyond_nodes[0]);
    frames_forget_beyond();
}

/* Removes the innermost activation beyond the shadow stack. Returns true when it was an interrupt's. */
static bool pop_beyond(void)
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

static void leave_beyond(uint32_t pc)
{
    uint32_t index = es.beyond - 1;
    if (index < BEYOND_DEPTH)
        run_leave(AT(const struct es_mi_procedure, beyond_procedures[index] & ~1u), pc);
    else
        doubt_nobodys(1); /* who returned is not known any more */
}

static void path_unknown(const struct activation *right)
{
    if (!(es.flags & ES_HITF_PATH_UNKNOWN) || right < es.unknown_top)
        es.unknown_top = right;
    set_flags(es.flags | ES_HITF_PATH_UNKNOWN);
    frames_doubt(right);
}

void doubt_anchor(void)
{
    drop_all();
    push(HEADER->anchor_site, AT(const struct es_mi_procedure, HEADER->anchor_at));
}

/* --- events ---------------------------------------------------------------------------------------------- */

/* The procedure that is active at depth `beyond` - 1 once the innermost activation is gone; NULL when not known. */
static const struct es_mi_procedure *beyond_caller(void)
{
    uint32_t index = es.beyond - 1;
    if (index == 0)
        return procedure_of(top - 1);
    return index <= BEYOND_DEPTH ? AT(const struct es_mi_procedure, beyond_procedures[index - 1] & ~1u) : NULL;
}

static void unawaited(uint32_t address, uint32_t inside_at, uint32_t pc)
{
    for (const struct activation *entry = top; entry-- != stack;) {
        if (awaits(entry, address)) {
            drop_above(entry);
            run_leave(procedure_of(entry), pc);
            drop();
            if (entry < es.unknown_top)
                set_flags(es.flags & ~ES_HITF_PATH_UNKNOWN);
            return;
        }
    }
    const struct es_mi_procedure *inside = AT(const struct es_mi_procedure, inside_at);
    for (const struct activation *entry = top; entry-- != stack;) {
        if (procedure_of(entry) != inside)
            continue;
        for (const struct activation *other = entry; other-- != stack;) {
            if (procedure_of(other) == inside) { /* recursive: it may as well be this one */
                path_unknown(other + 1);
                break;
            }
        }
        drop_above(entry);
        return;
    }
    bool switched = HEADER->switches && switches_returned();
    if (inside_at == HEADER->root_at)
        drop_all();
    else if (!switched)
        path_unknown(top);
}

/* A return to somewhere else than the innermost activation's return address, or one with an uncertain path. */
__attribute__((noinline)) void return_unawaited(uint32_t address, uint32_t inside_at, uint32_t pc)
{
    unawaited(address, inside_at, pc);
    if (es.flags & ES_HITF_PATH_UNKNOWN && inside_at == HEADER->anchor_at)
        doubt_anchor();
}

/* The task on whose stack a return arrives may be another one than it left: true when it is, and its innermost
 * activation is left. */
__attribute__((noinline)) static bool find_task(uint32_t address, uint32_t inside_at, uint32_t pc)
{
    if (es.beyond) {
        const struct es_mi_procedure *caller = beyond_caller();
        return task_return(address, !caller || caller == AT(const struct es_mi_procedure, inside_at), TASK_OF_NONE, pc);
    }
    const struct activation *entry = top - 1;
    return task_return(address, top != stack && awaits(entry, address), entry->procedure_at, pc);
}

/* A return from the innermost activation. */
static void leave_innermost(uint32_t pc)
{
    run_leave(procedure_of(top - 1), pc);
    drop();
}

static void returned_to(uint32_t address, uint32_t inside_at, uint32_t pc)
{
    if (HEADER->tasks_at && find_task(address, inside_at, pc)) {
        leave_innermost(pc);
        if (es.flags & ES_HITF_PATH_UNKNOWN && top < es.unknown_top)
            set_flags(es.flags & ~ES_HITF_PATH_UNKNOWN);
        return;
    }
    if (unlikely(es.beyond)) {
        const struct es_mi_procedure *caller = beyond_caller();
        if (!caller || caller == AT(const struct es_mi_procedure, inside_at)) {
            leave_beyond(pc);
            pop_beyond();
            return;
        }
        /* out of all that was not recorded in full: a longjmp, unless one of these may be where it went */
        bool doubtful = es.beyond_mask & beyond_bit(inside_at);
        forget_beyond();
        if (doubtful)
            path_unknown(stack_end);
    }
    const struct activation *entry = top - 1;
    if (top != stack && awaits(entry, address) && !(es.flags & ES_HITF_PATH_UNKNOWN)) {
        leave_innermost(pc);
    } else {
        return_unawaited(address, inside_at, pc);
    }
}

void returned_in_c(uint32_t inside_at)
{
    returned_to(REG(ES_REG_HIT_ADDR), inside_at + 4, REG(ES_REG_HIT_PC));
}

static void called_at(uint32_t address, const struct es_mi_procedure *procedure, uint32_t pc)
{
    push(pc, procedure);
    run_list(procedure->enter_at, address);
}

void called_in_c(const struct es_mi_procedure *procedure)
{
    called_at(REG(ES_REG_HIT_ADDR), procedure, REG(ES_REG_HIT_PC));
}

static void tail_called(uint32_t address, const struct es_mi_procedure *procedure, uint32_t pc)
{
    if (es.beyond) {
        leave_beyond(pc);
        uint32_t bit = pop_beyond();
        push(pc | bit, procedure);
    } else if (top == stack) { /* from the root: nothing to replace */
        es.root_jump = pc;
        push(SITE_ROOT_JUMP, procedure);
    } else {
        const struct activation *old = top - 1;
        run_leave(procedure_of(old), pc);
        uint32_t site = old->site, cfa = frames_innermost();
        drop();
        push(site & 1 ? site : site & ~(uint32_t)ES_SITE_TO_DO, procedure);
        frames_replaced(cfa);
    }
    run_list(procedure->enter_at, address);
}

static void interrupted(uint32_t address, const struct es_mi_procedure *procedure, struct interruption where)
{
    /* right behind an mret it came where the one before it had come */
    uint32_t site = (where.pc ? where.pc : REG(ES_REG_HIT_PC)) | ES_SITE_INTERRUPT;
    frames_interrupted(where.pc);
    if (top == stack_end) {
        push_beyond(site, where, procedure);
    } else {
        interruptions[top - stack] = where;
        push(site, procedure);
    }
    run_list(procedure->enter_at, address);
}

static inline uint32_t size_of(const struct es_mi_procedure *procedure)
{
    return procedure->size & ~(ES_MI_SIZE_INTERRUPT | ES_MI_SIZE_FRAMES | ES_MI_SIZE_COPIES);
}

/* Whether a task begins with a procedure: the mret that went on with another task leads there, or a return that is none
 * from what the innermost activation was called for. What has ended itself, a task's body that returns to the kernel's
 * code for that, is followed by it as by a tail call. */
__attribute__((noinline)) static bool task_begins(uint32_t address, const struct es_mi_procedure *procedure,
                                                  struct interruption before)
{
    bool leads_here =
        direct_target(before.pc, before.insn) == address || (is_jump(before.insn) && !is_return(before.insn));
    if (REG(ES_REG_HIT_OLD) == INSN_MRET) /* the evidence is what came before the task was left */
        /* which is nothing where an interrupt came before the task's first instruction */
        return (es.task_resumed || (top == stack && !es.boot && !es.beyond && !before.insn)) && !leads_here &&
               (!before.insn || before.pc - address >= START_BYTES);
    return is_return(before.insn) && before.pc - address >= size_of(procedure) &&
           (es.task_pending || es.beyond || (top != stack && !(top[-1].site & 1)));
}

__attribute__((noinline)) void task_started(uint32_t address, const struct es_mi_procedure *procedure,
                                            struct interruption before)
{
    if (REG(ES_REG_HIT_OLD) != INSN_MRET)
        task_begins_by_return(before.pc);
    if (es.beyond)
        forget_beyond();
    tasks_leave_all(); /* there was another task in its place */
    node = AT(const struct es_mi_node, HEADER->root_node_at);
    set_flags(es.flags & ~ES_HITF_PATH_UNKNOWN);
    push(SITE_TASK, procedure);
    run_list(procedure->enter_at, address);
}

/* The first instruction of a procedure without mret. False: it was not entered. */
static bool entered(uint32_t address, const struct es_mi_procedure *procedure, struct interruption before)
{
    if (is_linking_jump(before.insn)) {
        called_at(address, procedure, before.pc);
    } else if (HEADER->tasks_at && task_begins(address, procedure, before)) {
        task_started(address, procedure, before);
    } else if (HEADER->switches && is_return(before.insn) && before.pc - address >= size_of(procedure)) {
        stack_switched(); /* no compiler enters a procedure so: it is what a stack begins with that was made by hand */
        push(SITE_TASK, procedure);
        run_list(procedure->enter_at, address);
    } else if ((is_jump(before.insn) || direct_target(before.pc, before.insn) == address) &&
               before.pc - address >= size_of(procedure)) {
        tail_called(address, procedure, before.pc);
    } else {
        return false;
    }
    return true;
}

/* The first instruction of a procedure with mret: an interrupt, unless the instruction before goes exactly there. A
 * jalr is no such evidence:
 * an interrupt that came right after a call through a pointer is the likelier reading. */
static bool interrupt_entered(uint32_t address, const struct es_mi_procedure *procedure, struct interruption before)
{
    bool direct = direct_target(before.pc, before.insn) == address;
    if (direct && is_linking_jump(before.insn))
        called_at(address, procedure, before.pc);
    else if (!direct || before.pc - address >= size_of(procedure))
        interrupted(address, procedure, before);
    else
        return false;
    return true;
}

/* mret: ends the innermost interrupt and everything above it. What is fetched next follows what had been fetched
 * before the interrupt. */
static void interrupt_ended(uint32_t address)
{
    es.resume = (struct interruption){0, 0};
    frames_resumed();
    es.task_resumed = false;
    if (es.beyond_interrupts || es.deep_interrupts) {
        if (es.deep_interrupts) {
            es.deep_interrupts--;
        } else {
            if (es.beyond > BEYOND_DEPTH)
                es.beyond = BEYOND_DEPTH;                   /* frames_settle is still to come: FRAMES_BEYOND is below */
            while (!(beyond_procedures[es.beyond - 1] & 1)) /* beyond_interrupts says that there is one */
                pop_beyond();
        }
        es.resume = es.beyond_interruption;
        es.beyond_interruption = (struct interruption){0, 0};
        leave_beyond(address);
        pop_beyond();
        if (HEADER->tasks_at && !es.beyond_interrupts && !es.deep_interrupts)
            task_mret(stack_end, address);
        return;
    }
    for (const struct activation *entry = top; entry-- != stack;) {
        if (is_interrupt(entry)) {
            if (es.beyond)
                forget_beyond();
            drop_above(entry);
            es.resume = interruptions[entry - stack];
            run_leave(procedure_of(entry), address);
            drop();
            if (HEADER->tasks_at)
                task_mret(entry, address);
            return;
        }
    }
    if (HEADER->tasks_at)
        task_mret(NULL, address);
}

static bool is_awaited(uint32_t address)
{
    for (const struct activation *entry = top; entry-- != stack;)
        if (awaits(entry, address))
            return true;
    return false;
}

/* What the core fetched before the hit at hand. After an mret, what it had fetched before the interrupt; nothing when
 * transactions were lost in between. */
static struct interruption evidence(void)
{
    if (!(REG(ES_REG_HIT_FLAGS) & ES_HIT_OLD_KNOWN))
        return (struct interruption){0, 0};
    struct interruption before = {REG(ES_REG_HIT_PC), REG(ES_REG_HIT_OLD)};
    return before.insn == INSN_MRET ? es.resume : before;
}

/* Whether the fetch of a word that statements wait for means that it is executed. What is fetched again at once, or
 * after an interrupt that came between its fetch and its execution, has counted already; what lies behind a call, a
 * return or a jump to somewhere else was fetched in vain. */
static bool is_executed(uint32_t address, const struct es_mi_fetch *fetch, struct interruption before)
{
    if (!before.insn)
        return true;
    if (before.pc == address)
        return fetch->flags & ES_MI_FETCH_TO_ITSELF;
    if (before.pc + 4 != address || !is_jump(before.insn) || direct_target(before.pc, before.insn) == address)
        return true;
    /* a jump table's */
    return (before.insn & 0x7F) == 0x67 && !is_linking_jump(before.insn) && !is_return(before.insn);
}

/* Behind a call of a procedure that never returns, the next procedure begins: there, a return must be awaited. */
void special_fetch(const struct es_mi_fetch *fetch)
{
    uint32_t address = REG(ES_REG_HIT_ADDR);
    struct interruption before = evidence();
    const struct es_mi_procedure *procedure = AT(const struct es_mi_procedure, fetch->enter_at);
    bool told = false; /* entering a procedure tells of what waits for its first instruction, too */
    if (fetch->flags & ES_MI_FETCH_RESTART && is_executed(address, fetch, before))
        restarted();
    else if (fetch->inside_at && is_return(before.insn) && (!procedure || is_awaited(address)))
        returned_to(address, fetch->inside_at, before.pc);
    else if (procedure && procedure->size & ES_MI_SIZE_INTERRUPT)
        told = interrupt_entered(address, procedure, before);
    else if (procedure)
        told = entered(address, procedure, before);
    if (fetch->learn_at)
        frames_learn(AT(const struct es_mi_procedure, fetch->learn_at), before.pc);
    uint32_t list_at = fetch->begin_at && before.pc + 4 == address ? fetch->begin_at : fetch->at_at;
    if (list_at && !told && is_executed(address, fetch, before))
        run_list(list_at, address);
    if (fetch->flags & (ES_MI_FETCH_SWITCH | ES_MI_FETCH_LONGJMP) && is_executed(address, fetch, before))
        switches_met(fetch->flags);
    if (fetch->flags & ES_MI_FETCH_MRET)
        interrupt_ended(address);
    hush();
}

/* Any fetch: what was fetched before it decides. */
void unusual_fetch(uint32_t cell_at)
{
    const struct es_mi_cell *cell = AT(const struct es_mi_cell, cell_at);
    uint32_t first = cell->first, second = cell->second, nothing = (uint32_t)(uintptr_t)pop;
    if (first == second) {
        special_fetch(AT(const struct es_mi_fetch, first + 4));
    } else if (first == nothing) {
        struct interruption before = evidence();
        if (is_return(before.insn))
            returned_to(REG(ES_REG_HIT_ADDR), second + 8, before.pc);
    } else {
        entered(REG(ES_REG_HIT_ADDR), AT(const struct es_mi_procedure, first + 4), evidence());
    }
}
