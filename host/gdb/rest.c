#include "gdb/rest.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "isa/debugger.h"

#define FRAMES_MOST 256u /* further out than so many they are forgotten */

/* A call or trap that has not come back. */
typedef struct frame {
    bool trap, helper;      /* a helper of the compiler's may come back with another stack pointer */
    bool idle;              /* a trap while no task ran */
    uint32_t resume, stack; /* where it comes back to */
    uint64_t last;          /* before its instruction; of a trap: before the last one of what it has interrupted */
    es_machine_registers registers;
} frame;

typedef struct tracker {
    const es_gdb_switches *switches;
    es_machine *machine;
    const es_isa *isa;
    frame *frames;
    size_t count;
    frame left; /* the innermost call on a stack that was left by the last switch */
    bool any_left;
    es_insn insn;          /* the last one that was executed; UNKNOWN: its going on was looked at */
    bool switches_now;     /* ... may make the stack another one */
    uint32_t task, before; /* that the variable names, and has named before */
    uint64_t changed;
} tracker;

static uint32_t stack_pointer(const tracker *t)
{
    uint64_t value, unknown;
    es_machine_register(t->machine, t->isa->stack, &value, &unknown);
    return (uint32_t)value;
}

static void push(tracker *t, frame made)
{
    if (t->count == FRAMES_MOST)
        memmove(t->frames, t->frames + 1, --t->count * sizeof *t->frames);
    t->frames[t->count] = made;
    es_machine_get(t->machine, &t->frames[t->count++].registers);
}

/* Another stack, of which nothing is known. */
static void forget(tracker *t)
{
    t->count = 0;
    t->any_left = false;
}

static void come_back(tracker *t, uint32_t pc, bool from_trap)
{
    uint32_t stack = stack_pointer(t);
    for (size_t i = t->count; i-- > 0;) {
        const frame *f = &t->frames[i];
        /* a kernel's handler may call what takes registers off the stack, or goes over to one for interrupts */
        bool same = f->stack == stack || f->helper || (!f->trap && i + 1 == t->count);
        if (f->trap == from_trap && f->resume == pc && same) {
            t->count = i;
            return;
        }
        if (f->trap && !from_trap)
            break;
    }
    if (from_trap || t->insn.kind == ES_INSN_RETURN)
        forget(t);
}

/* The stack is another one: its task's, or one for interrupts, whose task is still the one that was interrupted. */
static void switch_stack(tracker *t)
{
    bool trap = false;
    for (size_t i = 0; i < t->count; i++)
        trap |= t->frames[i].trap;
    if (trap)
        return;
    t->any_left = t->count > 0;
    if (t->any_left)
        t->left = t->frames[t->count - 1];
    t->count = 0;
}

/* The last instruction has led to pc. */
static void arrive(tracker *t, uint32_t pc)
{
    uint32_t task = es_gdb_tasks_current(t->switches->tasks, t->machine);
    if (task != t->task) {
        t->before = t->task;
        t->task = task;
        t->changed = es_machine_fetches(t->machine);
    }
    if (t->switches_now)
        switch_stack(t);
    t->switches_now = false;
    if (t->insn.kind == ES_INSN_TRAP_RETURN)
        come_back(t, pc, true);
    else if (t->insn.kind == ES_INSN_RETURN || t->insn.kind == ES_INSN_JUMP_REGISTER)
        come_back(t, pc, false);
    t->insn.kind = ES_INSN_UNKNOWN;
}

static es_insn insn_at(const tracker *t, uint32_t pc)
{
    uint8_t bytes[ES_ISA_LARGEST];
    for (uint32_t size = sizeof bytes; size >= t->isa->smallest; size -= t->isa->smallest)
        if (es_machine_peek(t->machine, pc, bytes, NULL, size))
            return t->isa->decode(bytes, size);
    return (es_insn){.kind = ES_INSN_UNKNOWN};
}

static void on_insn(void *context, uint32_t pc)
{
    tracker *t = context;
    arrive(t, pc);
    t->insn = insn_at(t, pc);
    t->switches_now = es_gdb_switches_at(t->switches, pc);
    if (es_insn_is_call(t->insn))
        push(t, (frame){.helper = es_isa_calls_helper(t->isa, t->insn),
                        .resume = pc + t->insn.size,
                        .stack = stack_pointer(t),
                        .last = es_machine_fetches(t->machine)});
}

static void on_trap(void *context, uint32_t cause)
{
    tracker *t = context;
    uint32_t resume = 0, unknown = 0;
    es_machine_control(t->machine, es_debugger_trap_resumes(t->isa), &resume, &unknown);
    if (t->insn.kind != ES_INSN_TRAP) /* an interrupt comes after an instruction that has led somewhere */
        arrive(t, resume);
    es_insn insn = insn_at(t, resume);
    if (!(cause >> 31) && insn.kind == ES_INSN_TRAP)
        resume += insn.size;
    uint64_t fetches = es_machine_fetches(t->machine);
    push(t, (frame){.trap = true,
                    .idle = es_gdb_tasks_current(t->switches->tasks, t->machine) == ES_GDB_NO_TASK,
                    .resume = resume,
                    .stack = stack_pointer(t),
                    .last = fetches ? fetches - 1 : 0});
    t->insn.kind = ES_INSN_UNKNOWN;
}

/* What the task goes on after: the innermost trap, else the innermost call, on the stack that was left, if one was:
 * then what has come since is the kernel's own, while no task runs. */
static const frame *innermost_of(const tracker *t)
{
    const frame *left = t->any_left ? &t->left : NULL;
    for (size_t i = t->count; i-- > 0;)
        if (t->frames[i].trap)
            return t->frames[i].idle ? left : &t->frames[i];
    return t->count ? &t->frames[t->count - 1] : left;
}

static void take(es_gdb_rest *rest, const tracker *t)
{
    const frame *innermost = innermost_of(t);
    rest->before = t->before;
    rest->changed = t->changed;
    rest->known = innermost != NULL;
    if (!innermost)
        return;
    rest->last = innermost->last;
    rest->registers = innermost->registers;
    rest->registers.pc = innermost->resume;
    for (unsigned reg = 0; reg < 64 && !innermost->trap; reg++) {
        if (es_isa_keeps(t->isa, reg) || reg == t->isa->stack || !reg)
            continue;
        if (reg < 32)
            rest->registers.x_unknown[reg] = UINT32_MAX;
        else
            rest->registers.f_unknown[reg - 32] = UINT64_MAX;
    }
}

void es_gdb_rest_find(es_gdb_rest *rest, const es_gdb_switches *switches, uint64_t from, uint64_t moment)
{
    es_past *past = switches->past;
    tracker t = {.switches = switches, .machine = es_timeline_machine(past->timeline), .isa = past->isa};
    es_machine_listener listener = {.insn = on_insn, .trap = on_trap, .context = &t};
    memset(rest, 0, sizeof *rest);
    if (!es_timeline_seek(past->timeline, from, &past->error))
        return;
    t.frames = es_malloc(FRAMES_MOST * sizeof *t.frames);
    t.task = es_gdb_tasks_current(switches->tasks, t.machine);
    es_machine_listen(t.machine, &listener);
    enum es_machine_stop stop = ES_MACHINE_UNTIL;
    while (es_timeline_now(past->timeline) < moment && stop != ES_MACHINE_STRANGE)
        stop = es_timeline_run(past->timeline, moment, &past->error);
    es_machine_listen(t.machine, NULL);
    if (stop != ES_MACHINE_STRANGE) {
        arrive(&t, es_machine_pc(t.machine));
        take(rest, &t);
    }
    free(t.frames);
}
