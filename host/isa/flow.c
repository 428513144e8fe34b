#include "isa/flow.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

es_ways es_insn_ways(es_insn insn, uint32_t address)
{
    bool direct = insn.kind == ES_INSN_BRANCH || insn.kind == ES_INSN_JUMP || insn.kind == ES_INSN_CALL;
    return (es_ways){.next = es_insn_falls(insn),
                     .jumps = direct && insn.kind != ES_INSN_CALL,
                     .calls = insn.kind == ES_INSN_CALL,
                     .computed = es_insn_by_register(insn),
                     .target = direct ? address + (uint32_t)insn.imm : 0};
}

static void *zeroed(size_t count, size_t size)
{
    void *all = es_malloc((count + 1) * (size ? size : 1));
    memset(all, 0, (count + 1) * (size ? size : 1));
    return all;
}

void es_flow_begin(es_flow *flow)
{
    flow->states = zeroed(flow->count, flow->state_size);
    flow->reached = zeroed(flow->count, sizeof *flow->reached);
    flow->waiting = zeroed(flow->count, sizeof *flow->waiting);
    flow->list = es_malloc((flow->count + 1) * sizeof *flow->list);
    flow->first = flow->work = 0;
}

void es_flow_end(es_flow *flow)
{
    free(flow->states);
    free(flow->reached);
    free(flow->waiting);
    free(flow->list);
}

void es_flow_reset(es_flow *flow)
{
    memset(flow->states, 0, flow->count * flow->state_size);
    memset(flow->reached, 0, flow->count * sizeof *flow->reached);
    memset(flow->waiting, 0, flow->count * sizeof *flow->waiting);
    flow->first = flow->work = 0;
}

void es_flow_wait(es_flow *flow, size_t at)
{
    if (flow->waiting[at])
        return;
    flow->waiting[at] = true;
    flow->list[(flow->first + flow->work++) % (flow->count + 1)] = at;
}

bool es_flow_reach(es_flow *flow, size_t at, const void *with)
{
    bool first = !flow->reached[at];
    bool changed = flow->join ? flow->join(flow->context, at, es_flow_state(flow, at), with, first) : first;
    if (!changed)
        return false;
    flow->reached[at] = true;
    es_flow_wait(flow, at);
    return true;
}

static size_t take(es_flow *flow)
{
    size_t room = flow->count + 1, at = flow->list[flow->first];
    flow->work--;
    if (flow->in_order)
        flow->first = (flow->first + 1) % room;
    else
        at = flow->list[(flow->first + flow->work) % room];
    flow->waiting[at] = false;
    return at;
}

void es_flow_run(es_flow *flow)
{
    while (flow->work)
        flow->follow(flow->context, take(flow));
}
