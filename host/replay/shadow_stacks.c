/* Which activations there are: calls, returns, interrupts, switches of stacks. Only procedures that have variables with
 * cells, or a result that is asked for, have records; and interrupts have, as they may go on to other stacks.
 *
 * A stack that nobody knows (a task that runs for the first time, code of no interest to which a switch has led) gets a
 * list of its own when the first record is made on it. Whose code runs again is found by where it was left: no two
 * stacks have the same stack pointer. */
#include <stdlib.h>
#include <string.h>

#include "replay/shadow_private.h"
#include "symbols/code.h"

const segment *es_shadow_segment(const plan *p, uint32_t address)
{
    size_t low = 0, high = p->segment_count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (p->segments[middle].low <= address)
            low = middle;
        else
            high = middle;
    }
    return &p->segments[low];
}

static stack *stack_now(es_shadow_tracker *t)
{
    return t->now < t->stack_count ? &t->stacks[t->now] : NULL;
}

record *es_shadow_running(es_shadow_tracker *t)
{
    stack *s = stack_now(t);
    record *top = s && s->count ? &s->records[s->count - 1] : NULL;
    return top && top->kind == RECORD_ACTIVATION && !top->suspended ? top : NULL;
}

static uint32_t stack_pointer(es_shadow_tracker *t)
{
    return es_shadow_registers(t)->x[t->isa->stack];
}

/* All cells as the innermost activations have them. */
static void show(es_shadow_tracker *t)
{
    es_shadow_show_copies(t);
    es_shadow_show(t);
}

/* --- records -------------------------------------------------------------------------------------------------- */

static void free_record(record *r)
{
    free(r->entry);
    free(r->states);
    free(r->active);
    free(r->bytes);
    free(r->unknown);
    free(r->freed);
}

static void pop_to(stack *s, size_t count)
{
    while (s->count > count)
        free_record(&s->records[--s->count]);
}

void es_shadow_drop_stacks(es_shadow_tracker *t)
{
    for (size_t i = 0; i < t->stack_count; i++) {
        pop_to(&t->stacks[i], 0);
        free(t->stacks[i].records);
    }
    free(t->stacks);
    t->stacks = NULL;
    t->stack_count = t->now = 0;
}

static void *room_for(size_t size)
{
    void *made = calloc(1, size ? size : 1);
    if (!made)
        abort();
    return made;
}

static void *grown(void *items, size_t size)
{
    void *made = realloc(items, size);
    if (!made)
        abort();
    return made;
}

static record *push(es_shadow_tracker *t, record r)
{
    if (t->now == t->stack_count) { /* an empty one is as good as a new one */
        for (t->now = 0; t->now < t->stack_count && t->stacks[t->now].count;)
            t->now++;
        if (t->now == t->stack_count) {
            t->stacks = grown(t->stacks, (t->stack_count + 1) * sizeof *t->stacks);
            t->stacks[t->stack_count++] = (stack){0};
        }
    }
    stack *s = t->stacks ? &t->stacks[t->now] : NULL;
    if (!s) /* never: there is one now */
        abort();
    if (s->count == s->room) {
        s->room = s->room ? 2 * s->room : 16;
        s->records = grown(s->records, s->room * sizeof *s->records);
    }
    s->records[s->count] = r;
    return &s->records[s->count++];
}

/* Activations that a longjmp has left lie further down than one that begins at `cfa`. */
static void pop_left(stack *s, uint32_t cfa)
{
    while (s->count) {
        const record *top = &s->records[s->count - 1];
        if (top->kind != RECORD_ACTIVATION || !top->suspended || top->sp >= cfa)
            break;
        pop_to(s, s->count - 1);
    }
}

/* An activation begins, or one that had begun before anybody looked goes on. */
static void push_activation(es_shadow_tracker *t, const segment *at, bool whole)
{
    const procedure *of = &t->plan.procedures[at->procedure];
    const es_machine_registers *now = es_shadow_registers(t);
    record r = {.kind = RECORD_ACTIVATION,
                .procedure = at->procedure,
                .whole = whole,
                .cfa = now->x[t->isa->stack],
                .link = now->x[t->isa->link]};
    stack *s = stack_now(t);
    if (s)
        pop_left(s, r.cfa);
    r.states = room_for(of->count * sizeof *r.states);
    r.active = room_for(of->copy_count * sizeof *r.active);
    r.bytes = room_for(of->bytes);
    r.unknown = room_for(of->bytes);
    r.freed = room_for(of->bytes);
    if (whole && of->entry) {
        r.entry = room_for(sizeof *r.entry);
        *r.entry = *now;
    }
    record *made = push(t, r);
    t->since = whole ? 0 : UINT64_MAX;
    es_shadow_end_copies(t, made, at);
    es_shadow_look(t, made, at, 0, whole ? LOOK_ENTRY : LOOK_QUIET);
}

/* --- where execution goes on --------------------------------------------------------------------------------- */

/* Drops what is further in than a record, which may be on another stack. */
static record *go_on_at(es_shadow_tracker *t, size_t number, size_t at)
{
    t->now = number;
    pop_to(&t->stacks[number], at + 1);
    return &t->stacks[number].records[at];
}

/* The record at which execution goes on here: the innermost one, this stack's first. exact: it was left for this
 * instruction; else for another one, with the same stack pointer (setjmp has returned again). */
static record *find_left(es_shadow_tracker *t, enum record_kind kind, uint32_t number_of, uint32_t pc, bool exact)
{
    uint32_t sp = stack_pointer(t);
    for (size_t n = 0; n <= t->stack_count; n++) {
        size_t number = n == 0 ? t->now : n - 1;
        if (number == t->stack_count || (n > 0 && number == t->now))
            continue;
        for (size_t i = t->stacks[number].count; i-- > 0;) {
            const record *r = &t->stacks[number].records[i];
            bool meant = r->kind == kind && (kind == RECORD_TRAP || (r->procedure == number_of && r->suspended));
            bool there = r->helped ? r->resume == pc : r->sp == sp;
            if (meant && there && (!exact || r->resume == pc))
                return go_on_at(t, number, i);
        }
    }
    return NULL;
}

static uint64_t not_kept(const es_isa *isa)
{
    uint64_t set = 0;
    for (unsigned reg = 0; reg < 64; reg++)
        set |= (uint64_t)!es_isa_keeps(isa, reg) << reg;
    return set;
}

static void resume(es_shadow_tracker *t, record *r, const segment *at)
{
    uint64_t set = r->called && !r->helped ? not_kept(t->isa) : 0;
    t->since = UINT64_MAX; /* it has set some of them before */
    r->suspended = r->called = r->helped = false;
    t->store_count = 0; /* of what was called: it has been looked at */
    t->many_stores = false;
    show(t);
    es_shadow_end_copies(t, r, at);
    es_shadow_look(t, r, at, set, LOOK_SET);
    es_shadow_watch_memory(t);
}

/* Execution comes to a procedure's code, but not to its first instruction by a call. */
static void land(es_shadow_tracker *t, const segment *at, uint32_t pc)
{
    record *r = find_left(t, RECORD_ACTIVATION, at->procedure, pc, true);
    if (!r)
        r = find_left(t, RECORD_ACTIVATION, at->procedure, pc, false);
    if (r) {
        resume(t, r, at);
        return;
    }
    push_activation(t, at, false);
    show(t);
}

/* The running activation is left: by a return to where it was called from, or by a tail call. */
static void leave(es_shadow_tracker *t)
{
    stack *s = stack_now(t);
    pop_to(s, s->count - 1);
    show(t);
}

/* A jump to code that returns for the procedure (__riscv_restore_0): it keeps the result. */
static bool is_shared_epilogue(const es_shadow_tracker *t, uint32_t pc)
{
    const es_procedure *to = t->isa->epilogue ? es_symbols_procedure_at(t->symbols, pc) : NULL;
    return to && strncmp(to->name, t->isa->epilogue, strlen(t->isa->epilogue)) == 0;
}

static void tell_result(es_shadow_tracker *t, const record *r, uint32_t pc)
{
    const procedure *of = &t->plan.procedures[r->procedure];
    bool returns = of->result_count && r->whole && (pc == r->link || is_shared_epilogue(t, pc));
    for (size_t i = 0; i < of->result_count; i++) {
        bool kept = of->results[i].kept;
        t->why = kept ? ES_SHADOW_UNSET : ES_SHADOW_OPTIMISED_OUT;
        es_shadow_show_result(t, of->results[i].shadow, kept && returns ? r : NULL);
    }
    t->why = ES_SHADOW_UNSET;
}

static void later(es_shadow_tracker *t, uint32_t pc)
{
    es_shadow_registers(t); /* as they are before the instruction */
    t->late = true;
    t->late_pc = pc;
}

/* The running activation waits. */
static void suspend(es_shadow_tracker *t, record *r, uint32_t resume_at, bool called)
{
    r->suspended = true;
    r->called = called;
    r->sp = stack_pointer(t);
    r->resume = resume_at;
    if (called) { /* what debug information has at the call's last byte is what stays during it */
        const segment *at = es_shadow_segment(&t->plan, resume_at - 1);
        if (at->procedure == r->procedure)
            es_shadow_look(t, r, at, 0, LOOK_QUIET);
    }
    es_shadow_watch_memory(t);
}

static void take_trap(es_shadow_tracker *t)
{
    uint32_t from = t->interrupted;
    record *r = es_shadow_running(t);
    es_insn insn = {0};
    const segment *at = es_shadow_segment(&t->plan, from);
    if (r && at->procedure == r->procedure) {
        es_shadow_end_copies(t, r, at);
        es_shadow_look(t, r, at, t->set, LOOK_SET);
        suspend(t, r, from, false);
    } else if (r) { /* the last instruction has left it, and what it led to has not been executed */
        es_symbols_insn(t->symbols, t->before, &insn);
        if (es_insn_is_call(insn)) {
            suspend(t, r, t->before + insn.size, true);
        } else {
            es_shadow_end_copies(t, r, NULL);
            leave(t);
        }
    }
    t->begins = false; /* its entry was not fetched */
    push(t, (record){.kind = RECORD_TRAP, .sp = stack_pointer(t), .resume = from});
}

/* After the end of an interrupt: what it had interrupted goes on, on this stack or another one. */
static void end_trap(es_shadow_tracker *t, uint32_t pc)
{
    record *r = es_shadow_running(t);
    stack *s = stack_now(t);
    if (r) { /* the handler's own */
        es_shadow_end_copies(t, r, NULL);
        pop_to(s, s->count - 1);
    }
    r = find_left(t, RECORD_TRAP, NOBODY, pc, true);
    if (!r)
        r = find_left(t, RECORD_TRAP, NOBODY, pc, false); /* after the instruction that raised an exception */
    if (r) {
        s = stack_now(t);
        pop_to(s, s->count - 1);
    } else {
        t->now = t->stack_count;
    }
    show(t);
}

enum going { STAYS, CALLS, LEAVES };

/* Where the running activation goes. */
static enum going where_to(es_shadow_tracker *t, const record *r, const segment *at, uint32_t pc, es_insn *insn)
{
    bool known = es_symbols_insn(t->symbols, t->before, insn);
    bool calls = known && es_insn_is_call(*insn);
    if (at->procedure != r->procedure)
        return calls ? CALLS : LEAVES;
    if (calls && at->entry)
        return CALLS;
    bool returns = known && es_insn_by_register(*insn) && at->after_call && pc == r->link;
    return returns && stack_pointer(t) == r->cfa ? LEAVES : STAYS;
}

/* Execution comes to the code of a procedure, from elsewhere. */
static void enter(es_shadow_tracker *t, const segment *at)
{
    push_activation(t, at, true);
    show(t);
    es_shadow_watch_memory(t);
}

void es_shadow_arrive_late(es_shadow_tracker *t)
{
    const segment *at = es_shadow_segment(&t->plan, t->late_pc);
    t->late = false;
    if (es_shadow_running(t))
        leave(t);
    if (at->procedure != NOBODY)
        land(t, at, t->late_pc);
    es_shadow_watch_memory(t);
    es_shadow_begin_copies(t, es_shadow_running(t));
}

void es_shadow_arrive(es_shadow_tracker *t, uint32_t pc)
{
    const segment *at = es_shadow_segment(&t->plan, pc), *before = t->at;
    record *r = es_shadow_running(t);
    es_insn insn = {0};
    t->at = at;
    if (before && before->switches && !t->trapped) {
        t->now = t->stack_count;
        show(t);
        r = NULL;
    }
    if (t->trapped) {
        take_trap(t);
    } else if (before && before->trap_return) {
        end_trap(t, pc);
    } else if (r) {
        enum going going = where_to(t, r, at, pc, &insn);
        if (going == STAYS) {
            es_shadow_end_copies(t, r, at);
            es_shadow_look(t, r, at, t->set, LOOK_SET);
            return;
        }
        if (going == CALLS) {
            suspend(t, r, t->before + insn.size, true);
            r->helped = es_isa_calls_helper(t->isa, insn);
        }
        if (going == LEAVES) {
            es_shadow_end_copies(t, r, NULL);
            tell_result(t, r, pc);
            if (!at->entry) {
                later(t, pc);
                return;
            }
            leave(t); /* a tail call: the other one's variables are there at once */
        }
    }
    if (at->procedure == NOBODY)
        return;
    if (at->entry)
        enter(t, at);
    else if (t->trapped || (before && before->trap_return))
        land(t, at, pc);
    else
        later(t, pc);
}
