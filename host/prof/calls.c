/* Where execution goes on: which call, return or switch of stacks it was. */
#include "prof/calls.h"

#define SKIPPED 8u /* bytes at most by which a handler moves where an exception returns to */

static uint32_t stack_pointer(const es_prof_calls *calls)
{
    uint64_t value, unknown;
    es_machine_register(calls->machine, calls->code->isa->stack, &value, &unknown);
    return (uint32_t)value;
}

static void push_activation(es_prof_calls *calls, uint32_t procedure, uint32_t site, uint32_t resume, uint32_t sp)
{
    es_prof_push(calls, (es_prof_frame){.procedure = procedure, .site = site, .resume = resume, .sp = sp});
}

/* Execution goes on where nobody has been on a stack that is not known. */
static void begin_stack(es_prof_calls *calls, uint32_t procedure, uint32_t sp)
{
    size_t stack = es_prof_free_stack(calls);
    es_prof_switch_to(calls, stack);
    push_activation(calls, procedure, ES_PROF_NOWHERE, ES_PROF_NOWHERE, sp);
}

/* --- returns ------------------------------------------------------------------------------------------------------ */

static void unwind_to(es_prof_calls *calls, size_t count)
{
    calls->unwinding = true;
    es_prof_pop_to(calls, count);
    calls->unwinding = false;
}

/* An activation returns, with those that have called it last of all, and that it has called so. */
static void pop_with_tails(es_prof_calls *calls, size_t at)
{
    const es_prof_stack *s = es_prof_stack_now(calls);
    size_t end = at + 1;
    while (end < s->count && s->frames[end].tail)
        end++;
    unwind_to(calls, end);
    while (at > 0 && s->frames[at].tail)
        at--;
    es_prof_pop_to(calls, at);
}

/* The frame of a stack at which a return to pc ends, up to the innermost trap; `count`: there is none. */
static size_t returns_from(const es_prof_stack *s, uint32_t pc, uint32_t sp)
{
    for (size_t i = s->count; i-- > 0 && s->frames[i].kind == ES_PROF_ACTIVATION;)
        if (s->frames[i].resume == pc && s->frames[i].sp == sp)
            return i;
    return s->count;
}

static bool return_here(es_prof_calls *calls, uint32_t pc, uint32_t sp)
{
    es_prof_stack *s = es_prof_stack_now(calls);
    const es_prof_frame *top = es_prof_top(calls);
    size_t at = returns_from(s, pc, sp);
    bool loose = !calls->switching || calls->last->kind == ES_PROF_HELPER_RETURN;
    if (at == s->count && loose && top->kind == ES_PROF_ACTIVATION && top->resume == pc)
        at = s->count - 1; /* it has moved the stack pointer itself */
    if (at == s->count)
        return false;
    pop_with_tails(calls, at);
    return true;
}

static bool return_elsewhere(es_prof_calls *calls, uint32_t pc, uint32_t sp)
{
    for (size_t i = 0; i < calls->stack_count; i++) {
        size_t at = returns_from(&calls->stacks[i], pc, sp);
        if (i == calls->now || at == calls->stacks[i].count)
            continue;
        es_prof_switch_to(calls, i);
        pop_with_tails(calls, at);
        return true;
    }
    return false;
}

/* setjmp returns again, or an exception has come to where it is caught: activations further in have ended. */
static bool unwind(es_prof_calls *calls, uint32_t procedure, uint32_t sp)
{
    const es_prof_stack *s = es_prof_stack_now(calls);
    for (size_t i = s->count; i-- > 0 && s->frames[i].kind == ES_PROF_ACTIVATION;) {
        if (s->frames[i].procedure == procedure && s->frames[i].sp >= sp) {
            unwind_to(calls, i + 1);
            return true;
        }
        if (s->frames[i].sp > sp)
            return false;
    }
    return false;
}

/* --- traps -------------------------------------------------------------------------------------------------------- */

/* The trap of a stack that ends by going on at pc; `count`: none does. exact: it came there; else it was an exception
 * whose instruction is passed over. */
static size_t ends_trap(const es_prof_stack *s, uint32_t pc, uint32_t sp, bool exact)
{
    for (size_t i = s->traps ? s->count : 0; i-- > 0;) {
        const es_prof_frame *frame = &s->frames[i];
        if (frame->kind == ES_PROF_TRAP && frame->sp == sp &&
            (frame->resume == pc || (!exact && pc - frame->resume <= SKIPPED)))
            return i;
    }
    return s->count;
}

static bool end_trap(es_prof_calls *calls, uint32_t pc, uint32_t sp, bool exact)
{
    for (size_t n = 0; n <= calls->stack_count; n++) { /* this stack first */
        size_t number = n ? n - 1 : calls->now, at = ends_trap(&calls->stacks[number], pc, sp, exact);
        if (at == calls->stacks[number].count || (n && number == calls->now))
            continue;
        es_prof_switch_to(calls, number);
        es_prof_pop_to(calls, at);
        return true;
    }
    return false;
}

/* The handler has ended; what goes on is not what it interrupted. */
static void leave_handler(es_prof_calls *calls)
{
    size_t at = es_prof_last_trap(es_prof_stack_now(calls));
    if (at)
        es_prof_pop_to(calls, at);
}

/* True: it is known where it has led. */
static bool return_from_trap(es_prof_calls *calls, uint32_t pc, uint32_t procedure, uint32_t sp)
{
    const es_prof_stack *s = es_prof_stack_now(calls);
    bool traps = s->traps > 0;
    if (traps && ends_trap(s, pc, sp, true) == s->count && ends_trap(s, pc, sp, false) == s->count)
        leave_handler(calls);
    if (end_trap(calls, pc, sp, true) || end_trap(calls, pc, sp, false))
        return false; /* in the procedure that was interrupted, mostly: that is looked at */
    if (!traps && !calls->switching)
        return false;
    begin_stack(calls, procedure, sp);
    return true;
}

void es_prof_trap(es_prof_calls *calls, uint32_t cause)
{
    uint32_t from = 0, unknown = 0;
    bool interrupt = cause >> 31;
    es_machine_control(calls->machine, calls->code->isa->interrupted, &from, &unknown);
    if (calls->last && !unknown && (interrupt || from != calls->last_pc)) { /* where the last instruction has led */
        const es_prof_cell *cell = es_prof_cell_at(calls->code, from);
        es_prof_cell there = {.procedure = cell && cell->size ? cell->procedure : es_prof_procedure(calls->code, from)};
        if (es_prof_may_leave(calls, &there))
            es_prof_arrive(calls, from, &there);
    }
    es_prof_push(
        calls,
        (es_prof_frame){
            .kind = ES_PROF_TRAP, .site = ES_PROF_NOWHERE, .resume = from, .cause = cause, .sp = stack_pointer(calls)});
    calls->trapped = true;
    calls->last = NULL;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

/* A jump to another procedure: a tail call. One that the stack has already in the same place goes on, so that
 * procedures that jump to each other for ever do not pile up. */
static void jump_to(es_prof_calls *calls, uint32_t procedure)
{
    const es_prof_stack *s = es_prof_stack_now(calls);
    const es_prof_frame *top = es_prof_top(calls);
    if (!top || top->kind == ES_PROF_TRAP) {
        uint32_t site = top ? ES_PROF_HANDLER : ES_PROF_NOWHERE;
        push_activation(calls, procedure, site, ES_PROF_NOWHERE, stack_pointer(calls));
        return;
    }
    es_prof_frame next = {
        .procedure = procedure, .site = calls->last_pc, .resume = top->resume, .sp = top->sp, .tail = true};
    for (size_t i = s->count; i-- > 0;) {
        if (s->frames[i].procedure == procedure) {
            es_prof_pop_to(calls, i + 1);
            if (calls->hearer.again)
                calls->hearer.again(calls->hearer.context, calls, &s->frames[i], calls->last_pc);
            return;
        }
        if (!s->frames[i].tail)
            break;
    }
    es_prof_push(calls, next);
}

/* Execution comes to another procedure's code, or to this one's where it should have returned. */
static void land(es_prof_calls *calls, uint32_t pc, uint32_t procedure, uint32_t sp)
{
    const es_prof_frame *top = es_prof_top(calls);
    bool by_register = calls->last && calls->last->kind != ES_PROF_PLAIN;
    if (top && top->kind == ES_PROF_ACTIVATION && top->procedure == procedure)
        return;
    if (by_register && pc != calls->code->starts[procedure]) {
        if (unwind(calls, procedure, sp))
            return;
        es_prof_pop_to(calls, es_prof_last_trap(es_prof_stack_now(calls))); /* back to one that is not known */
        push_activation(calls, procedure, ES_PROF_BEFORE, ES_PROF_NOWHERE, sp);
        return;
    }
    jump_to(calls, procedure);
}

void es_prof_arrive(es_prof_calls *calls, uint32_t pc, const es_prof_cell *cell)
{
    uint32_t procedure = cell->procedure, sp = stack_pointer(calls);
    const es_prof_cell *last = calls->last;
    const es_prof_frame *top = es_prof_top(calls);
    calls->pc = pc;
    calls->procedure = procedure;
    if (calls->trapped || !top) { /* a handler; what runs first */
        uint32_t site = calls->trapped ? ES_PROF_HANDLER : calls->begun ? ES_PROF_NOWHERE : ES_PROF_BEFORE;
        calls->trapped = false;
        calls->begun = true;
        push_activation(calls, procedure, site, ES_PROF_NOWHERE, sp);
        return;
    }
    if (!last) { /* never: after all that ends there is no frame */
        jump_to(calls, procedure);
        return;
    }
    if (last->kind == ES_PROF_CALL) {
        push_activation(calls, procedure, calls->last_pc, calls->last_pc + last->size, sp);
        return;
    }
    if (last->kind == ES_PROF_TRAP_RETURN) {
        if (return_from_trap(calls, pc, procedure, sp))
            return;
    } else if (last->kind != ES_PROF_PLAIN) {
        if (return_here(calls, pc, sp)) {
            top = es_prof_top(calls);
            if (top)
                return;
        } else if (calls->switching) {
            if (return_elsewhere(calls, pc, sp))
                return;
            if (!unwind(calls, procedure, sp))
                begin_stack(calls, procedure, sp);
            calls->switching = 0;
            return;
        }
    }
    land(calls, pc, procedure, sp);
}
