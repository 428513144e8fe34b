/* Calls, tail calls, returns and longjmp: what they do to the shadow stack. */
#include "evidence.h"
#include "firmware.h"

/* --- returns ------------------------------------------------------------------------------------------------------ */

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
    return task_return(address, top != stack && awaits(entry, address), (uint32_t)(uintptr_t)procedure_of(entry), pc);
}

/* A return from the innermost activation. */
static void leave_innermost(uint32_t pc)
{
    run_leave(procedure_of(top - 1), pc);
    drop();
}

void returned_to(uint32_t address, uint32_t inside_at, uint32_t pc)
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
        bool doubtful = may_be_beyond(inside_at);
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
    returned_to(REG(ES_REG_HIT_ADDR), inside_at + 4, place_of(REG(ES_REG_HIT_PC), REG(ES_REG_HIT_OLD)));
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

void called_at(uint32_t address, const struct es_mi_procedure *procedure, uint32_t site)
{
    push(site, procedure);
    run_list(procedure->enter_at, address);
}

void called_in_c(const struct es_mi_procedure *procedure)
{
    called_at(REG(ES_REG_HIT_ADDR), procedure, REG(ES_REG_HIT_PC));
}

void tail_called(uint32_t address, const struct es_mi_procedure *procedure, struct interruption before)
{
    uint32_t pc = before.pc;
    if (es.beyond) {
        leave_beyond(pc);
        push(pop_beyond() ? pc | ES_SITE_INTERRUPT : site_of(before), procedure);
    } else if (top == stack) { /* from the root: nothing to replace */
        es.root_jump = pc;
        push(SITE_ROOT_JUMP, procedure);
    } else {
        const struct activation *old = top - 1;
        run_leave(procedure_of(old), pc);
        uint32_t site = pushed_site(old), cfa = frames_innermost();
        drop();
        push(site, procedure);
        frames_replaced(cfa);
    }
    run_list(procedure->enter_at, address);
}
