#include "why/trace.h"

#include <stdlib.h>

#include "base/arena.h"

static void add(es_why_trace *trace, es_why_event event)
{
    if (trace->count == trace->size) {
        trace->size = trace->size ? 2 * trace->size : 4096;
        trace->events = es_realloc(trace->events, trace->size * sizeof *trace->events);
    }
    trace->events[trace->count++] = event;
}

static void on_insn(void *context, uint32_t pc)
{
    add(context, (es_why_event){.kind = ES_WHY_INSN, .address = pc});
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

bool es_why_trace_take(es_why_trace *trace, es_timeline *timeline, uint64_t from, uint64_t to, es_error *err)
{
    es_machine_listener listener = {.insn = on_insn, .access = on_access, .sets = on_sets, .context = trace};
    es_machine *machine = es_timeline_machine(timeline);
    trace->count = 0;
    trace->from = from;
    trace->to = to;
    if (!es_timeline_seek(timeline, from, err))
        return false;
    es_machine_listen(machine, &listener);
    enum es_machine_stop stop = ES_MACHINE_UNTIL;
    while (es_timeline_now(timeline) < to && (stop == ES_MACHINE_UNTIL || stop == ES_MACHINE_MARK))
        stop = es_timeline_run(timeline, to, err);
    es_machine_listen(machine, NULL);
    return stop == ES_MACHINE_UNTIL || stop == ES_MACHINE_MARK;
}

void es_why_trace_free(es_why_trace *trace)
{
    free(trace->events);
    trace->events = NULL;
    trace->count = trace->size = 0;
}
