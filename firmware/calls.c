/* Calls, tail calls, returns, longjmp, interrupts: decided from what was fetched and what had been fetched before
 * it. */
#include "firmware.h"

#define STACK_END (stack + ES_MI_STACK_DEPTH)

/* Procedures of activations beyond the shadow stack: enough for their `leave` events. Bit 0: entered by an
 * interrupt. */
#define BEYOND_DEPTH 512u
static uint16_t beyond_procedures[BEYOND_DEPTH];

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

static __attribute__((noinline)) void push_beyond(uint32_t site, uint32_t back,
                                                  const struct es_mi_procedure *procedure);

static inline void push(uint32_t site, uint32_t back, const struct es_mi_procedure *procedure,
                        const struct es_mi_node *node)
{
    struct activation *entry = es.top;
    if (likely(entry != STACK_END)) {
        entry->site = site;
        entry->back = back;
        entry->procedure_at = (uint16_t)(uintptr_t)procedure;
        entry->caller_node_at = (uint16_t)(uintptr_t)es.node;
        es.top = entry + 1;
        es.node = node;
        if (unlikely(node != NULL) && node->frame_at)
            frame_enter(node);
    } else {
        push_beyond(site, back, procedure);
    }
}

/* Bit of es.beyond_mask for a procedure: not set means that it is surely not among those beyond. */
static inline uint32_t beyond_bit(uint32_t procedure_at)
{
    return 1u << (procedure_at >> 2 & 31);
}

static void push_beyond(uint32_t site, uint32_t back, const struct es_mi_procedure *procedure)
{
    es.beyond_mask |= beyond_bit((uint32_t)(uintptr_t)procedure);
    bool interrupt = site & ES_SITE_INTERRUPT;
    if (es.beyond == 0) {
        es.beyond_node = es.node;
        es.flags |= FLAG(ES_HITF_PATH_CUT);
    }
    es.node = NULL;
    if (es.beyond < BEYOND_DEPTH) {
        beyond_procedures[es.beyond] = (uint16_t)((uintptr_t)procedure | interrupt);
        es.beyond_interrupts += interrupt;
    } else {
        es.deep_interrupts += interrupt;
    }
    es.beyond++;
    if (interrupt) {
        es.beyond_pc = site & ~ES_SITE_INTERRUPT;
        es.beyond_insn = back;
    }
}

static inline const struct es_mi_procedure *procedure_of(const struct activation *entry)
{
    return AT(const struct es_mi_procedure, entry->procedure_at);
}

/* Removes the innermost activation of the shadow stack without an event. */
static inline void pop(void)
{
    if (unlikely(es.node != NULL) && es.node->frame_at)
        frame_leave(es.node);
    struct activation *entry = es.top - 1;
    es.node = AT(const struct es_mi_node, entry->caller_node_at);
    es.top = entry;
    if (entry < es.known)
        es.known = entry;
}

/* Leaves every activation above `entry` without an event. */
static void pop_above(const struct activation *entry)
{
    while (es.top > entry + 1)
        pop();
}

static inline void run_leave(const struct es_mi_procedure *procedure, uint32_t pc)
{
    if (procedure->leave_at)
        run_controls(procedure->leave_at, pc);
}

static void forget_beyond(void)
{
    es.beyond = es.beyond_interrupts = es.deep_interrupts = es.beyond_mask = 0;
    es.flags &= ~FLAG(ES_HITF_PATH_CUT);
    es.node = es.beyond_node;
}

/* Removes the innermost activation beyond the shadow stack. Returns true when it was an interrupt's. */
static bool pop_beyond(void)
{
    uint32_t index = --es.beyond;
    bool interrupt = false;
    if (index < BEYOND_DEPTH)
        interrupt = beyond_procedures[index] & 1;
    es.beyond_interrupts -= interrupt;
    if (index == 0)
        forget_beyond();
    return interrupt;
}

static void leave_beyond(uint32_t pc)
{
    uint32_t index = es.beyond - 1;
    if (index < BEYOND_DEPTH)
        run_leave(AT(const struct es_mi_procedure, beyond_procedures[index] & ~1u), pc);
    else
        ++*AT(uint32_t, IMAGE->header.unknown_at); /* who returned is not known any more */
}

static void path_unknown(const struct activation *right)
{
    es.flags |= FLAG(ES_HITF_PATH_UNKNOWN);
    es.unknown_top = right;
}

/* --- events ---------------------------------------------------------------------------------------------- */

/* The procedure that is active at depth `beyond` - 1 once the innermost activation is gone; NULL when not known. */
static const struct es_mi_procedure *beyond_caller(void)
{
    uint32_t index = es.beyond - 1;
    if (index == 0)
        return procedure_of(es.top - 1);
    return index <= BEYOND_DEPTH ? AT(const struct es_mi_procedure, beyond_procedures[index - 1] & ~1u) : NULL;
}

/* A return to somewhere else than the innermost activation's return address, or one with an uncertain path. */
static __attribute__((noinline)) void returned_further(uint32_t address, uint32_t inside_at, uint32_t pc)
{
    for (const struct activation *entry = es.top; entry-- != stack;) {
        if (entry->back == address) {
            pop_above(entry);
            run_leave(procedure_of(entry), pc);
            pop();
            if (entry < es.unknown_top)
                es.flags &= ~FLAG(ES_HITF_PATH_UNKNOWN);
            return;
        }
    }
    const struct es_mi_procedure *inside = AT(const struct es_mi_procedure, inside_at);
    for (const struct activation *entry = es.top; entry-- != stack;) {
        if (procedure_of(entry) != inside)
            continue;
        for (const struct activation *other = entry; other-- != stack;) {
            if (procedure_of(other) == inside) { /* recursive: it may as well be this one */
                path_unknown(other + 1);
                break;
            }
        }
        pop_above(entry);
        return;
    }
    if (inside_at == IMAGE->header.root_at) {
        while (es.top != stack)
            pop();
        es.flags &= ~FLAG(ES_HITF_PATH_UNKNOWN);
    } else {
        path_unknown(es.top);
    }
}

static inline void returned(uint32_t address, uint32_t inside_at, uint32_t pc)
{
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
            path_unknown(STACK_END);
    }
    const struct activation *entry = es.top - 1;
    if (likely(es.top != stack && entry->back == address && !(es.flags & FLAG(ES_HITF_PATH_UNKNOWN)))) {
        run_leave(procedure_of(entry), pc);
        pop();
    } else {
        returned_further(address, inside_at, pc);
    }
}

static inline void run_enter(const struct es_mi_procedure *procedure, uint32_t address)
{
    if (procedure->enter_at)
        run_controls(procedure->enter_at, address);
}

static inline void called(uint32_t address, const struct es_mi_procedure *procedure, uint32_t pc)
{
    push(pc, pc + 4, procedure, child_node(es.node, procedure));
    run_enter(procedure, address);
}

static __attribute__((noinline)) void tail_called(uint32_t address, const struct es_mi_procedure *procedure,
                                                  uint32_t pc)
{
    if (es.beyond) {
        leave_beyond(pc);
        uint32_t bit = pop_beyond();
        push(pc | bit, 1, procedure, NULL);
    } else if (es.top == stack) {
        /* from the root: nothing to replace; 1 is no return address */
        push(pc, 1, procedure, child_node(es.node, procedure));
    } else {
        const struct activation *old = es.top - 1;
        const struct es_mi_node *node = es.node;
        run_leave(procedure_of(old), pc);
        uint32_t back = old->back;
        uint32_t site = old->site;
        pop();
        push(site, back, procedure, child_node(node, procedure));
    }
    run_enter(procedure, address);
}

static __attribute__((noinline)) void interrupted(uint32_t address, const struct es_mi_procedure *procedure,
                                                  uint32_t pc, uint32_t insn)
{
    push(REG(ES_REG_HIT_PC) | ES_SITE_INTERRUPT, insn, procedure, NULL);
    if (es.beyond)
        es.beyond_pc = pc;
    else
        es.top[-1].resume_pc = pc;
    run_enter(procedure, address);
}

/* The first instruction of a procedure without mret. */
static inline void entered(uint32_t address, const struct es_mi_procedure *procedure, uint32_t pc, uint32_t insn)
{
    if (likely(is_linking_jump(insn)))
        called(address, procedure, pc);
    else if ((is_jump(insn) || direct_target(pc, insn) == address) && pc - address >= procedure->size)
        tail_called(address, procedure, pc);
}

/* The first instruction of a procedure with mret: an interrupt, unless the instruction before goes exactly there. A
 * jalr is no such evidence:
 * an interrupt that came right after a call through a pointer is the likelier reading. */
static void interrupt_entered(uint32_t address, const struct es_mi_procedure *procedure, uint32_t pc, uint32_t insn)
{
    bool direct = direct_target(pc, insn) == address;
    if (direct && is_linking_jump(insn))
        called(address, procedure, pc);
    else if (!direct || pc - address >= procedure->size)
        interrupted(address, procedure, pc, insn);
}

/* mret: ends the innermost interrupt and everything above it. What is fetched next follows what had been fetched
 * before the interrupt. */
static __attribute__((noinline)) void interrupt_ended(uint32_t address)
{
    es.resume_insn = 0;
    if (es.beyond_interrupts || es.deep_interrupts) {
        if (es.deep_interrupts) {
            es.deep_interrupts--;
        } else {
            if (es.beyond > BEYOND_DEPTH)
                es.beyond = BEYOND_DEPTH;
            while (!(beyond_procedures[es.beyond - 1] & 1)) /* beyond_interrupts says that there is one */
                pop_beyond();
        }
        es.resume_pc = es.beyond_pc;
        es.resume_insn = es.beyond_insn;
        es.beyond_insn = 0;
        leave_beyond(address);
        pop_beyond();
        return;
    }
    for (const struct activation *entry = es.top; entry-- != stack;) {
        if (entry->site & ES_SITE_INTERRUPT) {
            if (es.beyond)
                forget_beyond();
            pop_above(entry);
            es.resume_pc = entry->resume_pc;
            es.resume_insn = entry->back;
            run_leave(procedure_of(entry), address);
            pop();
            return;
        }
    }
}

/* An activation waits for a return to here. */
static bool is_awaited(uint32_t address)
{
    for (const struct activation *entry = es.top; entry-- != stack;)
        if (entry->back == address)
            return true;
    return false;
}

/* A code word that is several things at once, or has to do with mret. Behind a call of a procedure that never returns, the next
 * procedure begins: there, a return must be awaited. */
static __attribute__((noinline)) void on_special_fetch(uint32_t address, const struct es_mi_fetch *fetch, uint32_t pc,
                                                       uint32_t insn)
{
    const struct es_mi_procedure *procedure = AT(const struct es_mi_procedure, fetch->enter_at);
    if (fetch->inside_at && is_return(insn) && (!procedure || is_awaited(address)))
        returned(address, fetch->inside_at, pc);
    else if (procedure && procedure->flags & ES_MI_PROCEDURE_INTERRUPT)
        interrupt_entered(address, procedure, pc, insn);
    else if (procedure)
        entered(address, procedure, pc, insn);
    if (fetch->is_mret)
        interrupt_ended(address);
}

void on_fetch(void)
{
    uint32_t address = REG(ES_REG_HIT_ADDR);
    uint32_t cell = map_cell(&IMAGE->fetch, address);
    uint32_t insn = REG(ES_REG_HIT_OLD);
    uint32_t pc = REG(ES_REG_HIT_PC);
    if (unlikely(insn == INSN_MRET)) {
        insn = es.resume_insn;
        pc = es.resume_pc;
    }
    if (cell & ES_MI_CELL_ENTRY) {
        entered(address, AT(const struct es_mi_procedure, cell - ES_MI_CELL_ENTRY), pc, insn);
    } else if (likely(cell & ES_MI_CELL_BACK)) {
        if (likely(is_return(insn)))
            returned(address, cell - ES_MI_CELL_BACK, pc);
    } else {
        on_special_fetch(address, AT(const struct es_mi_fetch, cell), pc, insn);
    }
}
