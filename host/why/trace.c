#include "why/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

static void add(es_why_trace *trace, es_why_event event)
{
    if (trace->count == trace->size) {
        trace->size = trace->size ? 2 * trace->size : 4096;
        trace->events = es_realloc(trace->events, trace->size * sizeof *trace->events);
    }
    trace->events[trace->count++] = event;
}

/* --- the stack pointer, at what begins or ends an activation ------------------------------------------------------ */

#define KNOWN 4096

struct es_why_known {
    uint32_t pc[KNOWN];
    bool filled[KNOWN], ends[KNOWN];
};

es_insn es_why_decode(const es_machine *machine, const es_isa *isa, uint32_t pc)
{
    uint8_t bytes[4] = {0};
    if (!es_machine_peek(machine, pc, bytes, NULL, 4))
        es_machine_peek(machine, pc, bytes, NULL, 2); /* at the end of memory */
    return isa->decode(bytes, sizeof bytes);
}

static bool begins_or_ends(es_why_trace *trace, uint32_t pc)
{
    struct es_why_known *known = trace->known;
    uint32_t at = pc / 2 % KNOWN;
    if (!known->filled[at] || known->pc[at] != pc) {
        es_insn insn = es_why_decode(trace->machine, trace->isa, pc);
        known->ends[at] = es_insn_is_call(insn) || insn.kind == ES_INSN_RETURN || insn.kind == ES_INSN_TRAP_RETURN;
        known->pc[at] = pc;
        known->filled[at] = true;
    }
    return known->ends[at];
}

static uint32_t stack_pointer(const es_why_trace *trace)
{
    es_machine_registers registers;
    es_machine_get(trace->machine, &registers);
    return registers.x[trace->isa->stack];
}

static void on_insn(void *context, uint32_t pc)
{
    es_why_trace *trace = context;
    uint32_t sp = begins_or_ends(trace, pc) ? stack_pointer(trace) : 0;
    add(trace, (es_why_event){.kind = ES_WHY_INSN, .address = pc, .data = sp});
}

static void on_trap(void *context, uint32_t cause)
{
    (void)cause;
    add(context, (es_why_event){.kind = ES_WHY_TRAP, .data = stack_pointer(context)});
}

static void on_access(void *context, const es_machine_access *access)
{
    if (access->kind == ES_KIND_READ || access->kind == ES_KIND_WRITE)
        add(context, (es_why_event){.kind = access->kind == ES_KIND_READ ? ES_WHY_READ : ES_WHY_WRITE,
                                    .address = access->address,
                                    .data = access->data,
                                    .unknown = access->unknown,
                                    .which = access->lanes});
}

static void on_sets(void *context, unsigned reg)
{
    add(context, (es_why_event){.kind = ES_WHY_SETS, .which = (uint8_t)reg});
}

/* Before it is. */
static void on_changed(void *context, uint32_t address, uint32_t word, uint8_t lanes)
{
    es_why_trace *trace = context;
    uint8_t before[4] = {0}, unknown[4] = {0};
    es_why_event event = {.kind = ES_WHY_CHANGED, .address = address, .data = word, .which = lanes};
    es_machine_peek(trace->machine, address, before, unknown, 4);
    for (unsigned lane = 0; lane < 4; lane++) {
        event.unknown |= (uint32_t)unknown[lane] << 8 * lane;
        if (lanes >> lane & 1 && (unknown[lane] || before[lane] != (uint8_t)(word >> 8 * lane)))
            event.changed |= (uint8_t)(1u << lane);
    }
    add(trace, event);
}

bool es_why_trace_take(es_why_trace *trace, es_timeline *timeline, const es_isa *isa, uint64_t from, uint64_t to,
                       es_error *err)
{
    es_machine_listener listener = {
        .insn = on_insn, .access = on_access, .sets = on_sets, .trap = on_trap, .context = trace};
    es_machine *machine = es_timeline_machine(timeline);
    if (!trace->known)
        trace->known = es_malloc(sizeof *trace->known);
    memset(trace->known, 0, sizeof *trace->known); /* memory may be another one there */
    trace->isa = isa;
    trace->machine = machine;
    trace->count = 0;
    trace->from = from;
    trace->to = to;
    if (!es_timeline_seek(timeline, from, err))
        return false;
    es_machine_listen(machine, &listener);
    es_timeline_hear_changes(timeline, on_changed, trace);
    enum es_machine_stop stop = ES_MACHINE_UNTIL;
    while (es_timeline_now(timeline) < to && (stop == ES_MACHINE_UNTIL || stop == ES_MACHINE_MARK))
        stop = es_timeline_run(timeline, to, err);
    es_machine_listen(machine, NULL);
    es_timeline_hear_changes(timeline, NULL, NULL);
    return stop == ES_MACHINE_UNTIL || stop == ES_MACHINE_MARK;
}

void es_why_trace_free(es_why_trace *trace)
{
    free(trace->events);
    free(trace->known);
    trace->known = NULL;
    trace->events = NULL;
    trace->count = trace->size = 0;
}
