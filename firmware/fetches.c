/* Fetches that are no plain call or return: what was fetched before decides which of calls, tail calls, returns,
 * interrupts and beginnings of tasks it was. */
#include "evidence.h"
#include "firmware.h"

#define START_BYTES 16u /* an interrupt that came so near after a procedure's first instruction may have cut it off */

static inline uint32_t size_of(const struct es_mi_procedure *procedure)
{
    return procedure->size & ~(ES_MI_SIZE_INTERRUPT | ES_MI_SIZE_FRAMES | ES_MI_SIZE_COPIES);
}

/* --- first instructions ------------------------------------------------------------------------------------------- */

static void interrupted(uint32_t address, const struct es_mi_procedure *procedure, struct interruption where)
{
    /* right after an mret it came where the one before it had come */
    uint32_t site = (where.pc ? where.pc : REG(ES_REG_HIT_PC)) | ES_SITE_INTERRUPT;
    frames_interrupted(where.pc);
    push_interrupt(site, procedure, where);
    run_list(procedure->enter_at, address);
}

/* Whether a task begins with a procedure: the mret that went on with another task leads there, or a return that is none
 * from what the innermost activation was called for. What has ended itself, a task's body that returns to the kernel's
 * code for that, is followed by it as by a tail call. */
__attribute__((noinline)) static bool task_begins(uint32_t address, const struct es_mi_procedure *procedure,
                                                  struct interruption before)
{
    bool leads_here =
        direct_target(before.pc, before.insn) == address || (is_jump(before.insn) && !is_return(before.insn));
    bool returns = is_return(before.insn), ends = top != stack && awaits_none(top - 1);
    if (REG(ES_REG_HIT_OLD) == INSN_MRET) /* the evidence is what came before the task was left */
        /* which is nothing where an interrupt came before the task's first instruction */
        return (es.task_resumed || (top == stack && !es.boot && !es.beyond && !before.insn)) && !leads_here &&
               !(returns && ends) && (!before.insn || before.pc - address >= START_BYTES);
    return returns && before.pc - address >= size_of(procedure) &&
           (es.task_pending || es.beyond || (top != stack && !ends));
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
    /* what leads elsewhere is that of another task, in whose place this one was made */
    if (REG(ES_REG_HIT_OLD) == INSN_MRET && is_jal(before.insn) && direct_target(before.pc, before.insn) != address)
        before = (struct interruption){0, 0};
    if (is_linking_jump(before.insn)) {
        called_at(address, procedure, site_of(before));
    } else if (HEADER->tasks_at && task_begins(address, procedure, before)) {
        task_started(address, procedure, before);
    } else if (HEADER->switches && is_return(before.insn) && before.pc - address >= size_of(procedure)) {
        stack_switched(); /* no compiler enters a procedure so: it is what a stack begins with that was made by hand */
        push(SITE_TASK, procedure);
        run_list(procedure->enter_at, address);
    } else if ((is_jump(before.insn) || direct_target(before.pc, before.insn) == address) &&
               before.pc - address >= size_of(procedure)) {
        tail_called(address, procedure, before);
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
        called_at(address, procedure, site_of(before));
    else if (!direct || before.pc - address >= size_of(procedure))
        interrupted(address, procedure, before);
    else
        return false;
    return true;
}

/* --- mret --------------------------------------------------------------------------------------------------------- */

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
            pop_to_interrupt_beyond();
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

/* --- any fetch ---------------------------------------------------------------------------------------------------- */

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
    uint32_t insn = REG(ES_REG_HIT_OLD);
    struct interruption before = {place_of(REG(ES_REG_HIT_PC), insn), insn};
    return before.insn == INSN_MRET ? es.resume : before;
}

/* Whether the fetch of a word that statements wait for means that it is executed. What is fetched again at once, or
 * after an interrupt that came between its fetch and its execution, has counted already; what lies after a call, a
 * return or a jump to somewhere else was fetched in vain. */
static bool is_executed(uint32_t address, const struct es_mi_fetch *fetch, struct interruption before)
{
    if (!before.insn)
        return true;
    if (before.pc == address)
        return fetch->flags & ES_MI_FETCH_TO_ITSELF;
    if (!follows(before, address) || !is_jump(before.insn) || direct_target(before.pc, before.insn) == address)
        return true;
    /* a jump table's */
    return is_computed_jump(before.insn);
}

/* After a call of a procedure that never returns, the next procedure begins: there, a return must be awaited. */
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
    if (fetch->learn_at && follows(before, address))
        frames_learn(AT(const struct es_mi_procedure, fetch->learn_at), before.pc);
    uint32_t list_at = fetch->begin_at && follows(before, address) ? fetch->begin_at : fetch->at_at;
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
    uint32_t first = cell->first, second = cell->second;
    if (first == second) {
        special_fetch(AT(const struct es_mi_fetch, first + 4));
    } else if (first < ES_IMAGE_BASE) { /* `pop`: nothing begins there */
        struct interruption before = evidence();
        if (is_return(before.insn))
            returned_to(REG(ES_REG_HIT_ADDR), (second & ~ES_MI_PLAIN) + 8, before.pc);
    } else {
        entered(REG(ES_REG_HIT_ADDR), AT(const struct es_mi_procedure, first + 4), evidence());
    }
}
