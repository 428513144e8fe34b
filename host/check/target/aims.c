#include "check/target/aims.h"

#include <stdlib.h>
#include <string.h>

#include "isa/flow.h"

enum { REGS = 32, RISES_MAX = 8 };

typedef struct state {
    value regs[REGS];
} state;

typedef struct follower {
    const es_check_program *program;
    const es_isa *isa;
    regions *regions;
    memory *memory;
    es_flow flow;   /* by node: before it */
    uint8_t *rises; /* by node */
    state *left;    /* by procedure: when it returns */
    bool *returns;
    uint8_t *left_rises;
    uint32_t *elsewhere; /* by procedure: the registers whose values on entry it stores elsewhere than in its frame */
    es_check_aims *aims;
    value *at;
} follower;

static const value unknown = {.kind = VALUE_ANY};

/* What a register held when the procedure was entered. */
static value held_by(unsigned reg)
{
    return (value){.kind = VALUE_SAVED, .low = (int32_t)reg, .high = (int32_t)reg};
}

/* True: into became more. */
static bool merge(follower *f, size_t procedure, state *into, const state *from, bool *first, uint8_t *rises)
{
    bool changed = !*first;
    if (!*first) {
        *into = *from;
        *first = true;
        return true;
    }
    for (unsigned i = 1; i < REGS; i++) {
        value joined = es_value_join(f->regions, procedure, into->regs[i], from->regs[i]);
        if (value_same(joined, into->regs[i]))
            continue;
        if (*rises >= RISES_MAX)
            joined = es_value_widen(f->regions, procedure, into->regs[i], joined);
        into->regs[i] = joined;
        changed = true;
    }
    if (changed && *rises < RISES_MAX)
        ++*rises;
    return changed;
}

static bool merge_node(void *context, size_t node, void *into, const void *from, bool first)
{
    follower *f = context;
    bool any = !first;
    return merge(f, f->program->nodes[node].procedure, into, from, &any, &f->rises[node]);
}

static void reach(follower *f, size_t node, const state *with)
{
    es_flow_reach(&f->flow, node, with);
}

static bool is_reached(const follower *f, size_t node)
{
    return f->flow.reached[node];
}

static const state *state_at(const follower *f, size_t node)
{
    return es_flow_state(&f->flow, node);
}

/* --- calls ---------------------------------------------------------------------------------------------------- */

static bool is_callee_saved(const follower *f, unsigned reg)
{
    return es_isa_has(f->isa->saved, reg);
}

/* Callees keep the values of some registers for their caller; they do not depend on what these are. */
static void enter(follower *f, size_t caller, size_t callee, const state *with)
{
    const es_check_procedure *p = &f->program->procedures[callee];
    if (!p->node_count)
        return;
    state s = *with;
    for (unsigned i = 1; i < REGS; i++)
        s.regs[i] = is_callee_saved(f, i) ? held_by(i) : es_value_outside(f->regions, caller, s.regs[i]);
    s.regs[f->isa->link] = held_by(f->isa->link);
    s.regs[f->isa->stack] = (value){.kind = VALUE_STACK};
    reach(f, p->first_node, &s);
}

static void leave(follower *f, size_t procedure, const state *with)
{
    state s = *with;
    for (unsigned i = 1; i < REGS; i++)
        if (i != f->isa->stack)
            s.regs[i] = es_isa_has(f->isa->kept, i) && !is_callee_saved(f, i)
                            ? unknown
                            : es_value_outside(f->regions, procedure, s.regs[i]);
    if (!merge(f, procedure, &f->left[procedure], &s, &f->returns[procedure], &f->left_rises[procedure]))
        return;
    for (size_t i = 0; i < f->program->edge_count; i++) {
        const es_check_edge *edge = &f->program->edges[i];
        bool call = edge->kind == CHECK_EDGE_CALL || edge->kind == CHECK_EDGE_TAIL;
        if (call && edge->callee == procedure && is_reached(f, edge->from))
            es_flow_wait(&f->flow, edge->from);
    }
}

/* Shared epilogues (of libgcc, for one) take down the frame of the procedure that jumps to them, and return for it. */
static bool is_epilogue(const follower *f, size_t procedure)
{
    const char *prefix = f->isa->epilogue;
    const es_procedure *p = f->program->procedures[procedure].procedure;
    return p && prefix && strncmp(p->name, prefix, strlen(prefix)) == 0;
}

/* The stack pointer of who has called or jumped, by what it was and how the callee has moved it. */
static value moved_by(follower *f, size_t caller, value before, value left)
{
    return left.kind == VALUE_STACK ? es_value_sum(f->regions, caller, before, value_number(left.low, left.high))
                                    : unknown;
}

/* Whether a procedure leaves a register as it was. What it stores elsewhere than in its frame is taken to be what is
 * loaded at the end, as where tasks are switched. */
static bool keeps(const follower *f, size_t callee, unsigned reg)
{
    value left = f->left[callee].regs[reg];
    return (left.kind == VALUE_SAVED && left.low == (int32_t)reg) || f->elsewhere[callee] >> reg & 1 ||
           is_epilogue(f, callee);
}

/* What registers hold that callees have to keep, once one has returned. One that changes them without having stored
 * what they held is followed. */
static value kept_by(const follower *f, size_t callee, unsigned reg, value before)
{
    value left = f->left[callee].regs[reg];
    if (keeps(f, callee, reg))
        return before;
    return left.kind == VALUE_SAVED ? unknown : left;
}

/* check_aims.clobbers; of what never returns, none. */
static uint32_t clobbered_by(const follower *f, size_t callee)
{
    uint32_t regs = 0;
    for (unsigned i = 1; i < REGS && f->returns[callee]; i++)
        if (is_callee_saved(f, i) && !keeps(f, callee, i))
            regs |= UINT32_C(1) << i;
    return regs;
}

/* After a call: what the callee left, and what it has kept. A compiler's helper moves the stack pointer for its
 * caller. */
static void come_back(follower *f, size_t caller, const es_check_edge *edge, const state *before, bool helper)
{
    if (!f->returns[edge->callee] || edge->to == CHECK_NONE)
        return;
    state s = f->left[edge->callee];
    for (unsigned i = 1; i < REGS; i++)
        if (es_isa_has(f->isa->kept, i))
            s.regs[i] = is_callee_saved(f, i) ? kept_by(f, edge->callee, i, before->regs[i]) : before->regs[i];
    if (helper)
        s.regs[f->isa->stack] =
            moved_by(f, caller, before->regs[f->isa->stack], f->left[edge->callee].regs[f->isa->stack]);
    reach(f, edge->to, &s);
}

/* A jump into a procedure that returns in this one's stead. */
static void come_back_for(follower *f, size_t procedure, size_t callee, const state *before)
{
    if (!f->returns[callee])
        return;
    state s = f->left[callee];
    for (unsigned i = 1; i < REGS; i++)
        if (is_callee_saved(f, i))
            s.regs[i] = is_epilogue(f, callee) ? held_by(i) : kept_by(f, callee, i, before->regs[i]);
    s.regs[f->isa->stack] = moved_by(f, procedure, before->regs[f->isa->stack], f->left[callee].regs[f->isa->stack]);
    leave(f, procedure, &s);
}

/* --- one instruction ------------------------------------------------------------------------------------------- */

unsigned es_check_aims_bytes(es_insn insn)
{
    return insn.bytes ? insn.bytes : 4;
}

static void aim(follower *f, size_t node, value to)
{
    f->at[node] = to.kind == VALUE_INDEX
                      ? es_value_derived(es_value_made_from(f->regions, f->program->nodes[node].procedure, to))
                      : to;
}

static void store(follower *f, size_t node, const state *s)
{
    const es_check_node *n = &f->program->nodes[node];
    es_insn insn = n->insn;
    if ((insn.kind != ES_INSN_STORE && insn.kind != ES_INSN_ATOMIC) || !insn.bytes) {
        f->at[node] = unknown; /* none that is known */
        es_memory_store(f->memory, n->procedure, unknown, 4, unknown);
        return;
    }
    value to = es_value_sum(f->regions, n->procedure, s->regs[insn.rs1], value_constant((uint32_t)insn.imm));
    value what = insn.foreign || insn.kind == ES_INSN_ATOMIC ? unknown : s->regs[insn.rs2];
    aim(f, node, to);
    f->aims->stored[node] = what;
    if (what.kind == VALUE_SAVED && insn.bytes == 4 && to.kind != VALUE_STACK)
        f->elsewhere[n->procedure] |= 1u << what.low;
    for (unsigned done = 0; done < insn.bytes; done += 4) /* of a double only that it is no address */
        es_memory_store(f->memory, n->procedure,
                        done ? es_value_sum(f->regions, n->procedure, to, value_constant(done)) : to,
                        insn.bytes > 4 ? 4 : insn.bytes, insn.foreign ? value_number(INT32_MIN, INT32_MAX) : what);
}

/* The address of a LOAD or ATOMIC. */
static value load_address(follower *f, size_t node, const state *s)
{
    const es_check_node *n = &f->program->nodes[node];
    return es_value_sum(f->regions, n->procedure, s->regs[n->insn.rs1], value_constant((uint32_t)n->insn.imm));
}

static value result_of(follower *f, size_t node, const state *s)
{
    const es_check_node *n = &f->program->nodes[node];
    es_insn insn = n->insn;
    value immediate = value_constant((uint32_t)insn.imm);
    switch (insn.kind) {
    case ES_INSN_CONSTANT: return immediate;
    case ES_INSN_ADDRESS: return value_constant(n->address + (uint32_t)insn.imm);
    case ES_INSN_COMPUTE:
        if (es_insn_shifts_and_adds(insn)) {
            value index = es_value_compute(f->regions, n->procedure, ES_ALU_SHIFT_LEFT, s->regs[insn.rs1], immediate);
            return es_value_compute(f->regions, n->procedure, ES_ALU_ADD, index, s->regs[insn.rs2]);
        }
        return es_value_compute(f->regions, n->procedure, (es_insn_op)insn.op, s->regs[insn.rs1],
                                insn.immediate ? immediate : s->regs[insn.rs2]);
    case ES_INSN_LOAD:
        return es_memory_load(f->memory, n->procedure, load_address(f, node, s), es_check_aims_bytes(insn),
                              insn.is_signed);
    case ES_INSN_CONTROL: return insn.control != ES_CONTROL_ANYTHING ? value_number(INT32_MIN, INT32_MAX) : unknown;
    default: return es_insn_is_transfer(insn) ? value_constant(n->address + insn.size) : unknown;
    }
}

/* A return with another stack pointer than the procedure was called with. With tasks, one may begin with these
 * registers. */
static void swap(follower *f, size_t node, const state *s)
{
    const es_check_node *n = &f->program->nodes[node];
    f->aims->jumps = node;
    f->aims->swaps[node] = true;
    if (f->program->hub == CHECK_NONE)
        return;
    f->elsewhere[n->procedure] = UINT32_MAX; /* when the call comes back, the registers are as they were */
    state outside;
    for (unsigned i = 0; i < REGS; i++)
        outside.regs[i] = es_value_outside(f->regions, n->procedure, s->regs[i]);
    outside.regs[f->isa->stack] = (value){.kind = VALUE_STACK};
    reach(f, f->program->procedures[f->program->hub].first_node, &outside);
}

static void step(void *context, size_t node)
{
    follower *f = context;
    const es_check_node *n = &f->program->nodes[node];
    es_insn insn = n->insn;
    state s = *state_at(f, node);
    value sp = s.regs[f->isa->stack];
    f->aims->sp[node] = sp.kind == VALUE_STACK && sp.low == sp.high ? sp.low : CHECK_SP_UNKNOWN;
    if (es_insn_stores(insn))
        store(f, node, &s);
    else if (n->load)
        aim(f, node, load_address(f, node, &s));
    if (insn.rd)
        s.regs[insn.rd] = result_of(f, node, &s);
    for (size_t e = n->first_edge; e < n->first_edge + n->edge_count; e++) {
        const es_check_edge *edge = &f->program->edges[e];
        switch (edge->kind) {
        case CHECK_EDGE_NEXT: reach(f, edge->to, &s); break;
        case CHECK_EDGE_CALL:
            if (f->program->procedures[n->procedure].interrupt) {
                int32_t has = f->aims->sp[node] == CHECK_SP_UNKNOWN ? 0 : -f->aims->sp[node];
                f->aims->handler_room = has < f->aims->handler_room ? has : f->aims->handler_room;
            }
            enter(f, n->procedure, edge->callee, &s);
            come_back(f, n->procedure, edge, &s, es_isa_calls_helper(f->isa, insn));
            break;
        case CHECK_EDGE_TAIL:
            enter(f, n->procedure, edge->callee, &s);
            come_back_for(f, n->procedure, edge->callee, &s);
            break;
        case CHECK_EDGE_EXIT:
            if ((!f->isa->helper_link || insn.rs1 != f->isa->helper_link) && !is_epilogue(f, n->procedure) &&
                (s.regs[f->isa->stack].kind != VALUE_STACK || s.regs[f->isa->stack].low || s.regs[f->isa->stack].high))
                swap(f, node, &s);
            leave(f, n->procedure, &s);
            break;
        }
    }
}

/* --- the program ---------------------------------------------------------------------------------------------- */

static void start(follower *f, size_t procedure, value others)
{
    uint32_t data;
    state s;
    const es_check_procedure *p = &f->program->procedures[procedure];
    if (!p->node_count)
        return;
    for (unsigned i = 0; i < REGS; i++)
        s.regs[i] = others.kind == VALUE_SAVED ? held_by(i) : others;
    s.regs[0] = value_constant(0);
    s.regs[f->isa->stack] = (value){.kind = VALUE_STACK};
    if (f->isa->data && es_symbols_value(f->program->symbols, f->isa->data_symbol, &data))
        s.regs[f->isa->data] = value_constant(data);
    reach(f, p->first_node, &s);
}

static void run(follower *f)
{
    do {
        f->memory->changed = false;
        es_flow_run(&f->flow);
        for (size_t i = 0; i < f->program->node_count && f->memory->changed; i++)
            if (is_reached(f, i) && f->program->nodes[i].insn.kind == ES_INSN_LOAD)
                es_flow_wait(&f->flow, i);
    } while (f->flow.work);
}

/* Which stacks there are, when all is known. */
static void note_stacks(follower *f)
{
    for (size_t i = 0; i < f->program->node_count; i++) {
        const es_check_node *node = &f->program->nodes[i];
        if (!is_reached(f, i) || node->insn.rd != f->isa->stack)
            continue;
        value v = result_of(f, i, state_at(f, i));
        es_check_aims *aims = f->aims;
        if (v.kind == VALUE_STACK || v.kind == VALUE_NONE)
            continue;
        if (v.kind == VALUE_NUMBER && v.low == v.high) /* a stack begins there */
            aims->stacks = es_regions_union(f->regions, aims->stacks,
                                            es_regions_one(f->regions, es_regions_at(f->regions, (uint32_t)v.low - 4)));
        else if (v.kind == VALUE_ANY || v.kind == VALUE_SAVED || v.kind == VALUE_NUMBER)
            aims->any_stack |= node->procedure != f->program->entry;
        else
            aims->stacks =
                es_regions_union(f->regions, aims->stacks, es_value_made_from(f->regions, node->procedure, v));
    }
}

static void *zeroed(size_t count, size_t size)
{
    void *all = es_malloc((count + 1) * size);
    memset(all, 0, (count + 1) * size);
    return all;
}

void es_check_aims_find(es_check_aims *aims, es_arena *arena, const es_check_program *program)
{
    size_t nodes = program->node_count;
    es_regions_make(&aims->regions, arena, program);
    aims->jumps = CHECK_NONE;
    aims->stacks = 0;
    aims->any_stack = false;
    aims->handler_room = INT32_MAX;
    aims->sp = es_arena_alloc(arena, (nodes + 1) * sizeof *aims->sp);
    aims->swaps = es_arena_alloc(arena, (nodes + 1) * sizeof *aims->swaps);
    aims->at = es_arena_alloc(arena, (nodes + 1) * sizeof *aims->at);
    aims->stored = es_arena_alloc(arena, (nodes + 1) * sizeof *aims->stored);
    for (size_t i = 0; i < nodes; i++)
        aims->stored[i] = unknown;
    es_memory_make(&aims->memory, arena, &aims->regions);
    aims->followed = true;
    aims->arguments =
        es_arena_alloc(arena, (program->procedure_count * ES_CHECK_ARGUMENTS + 1) * sizeof *aims->arguments);
    aims->clobbers = es_arena_alloc(arena, (program->procedure_count + 1) * sizeof *aims->clobbers);
    memset(aims->clobbers, 0, (program->procedure_count + 1) * sizeof *aims->clobbers);
    if (!aims->followed) {
        for (size_t i = 0; i < nodes; i++)
            aims->at[i] = unknown;
        return;
    }
    follower f = {.program = program,
                  .isa = program->isa,
                  .regions = &aims->regions,
                  .memory = &aims->memory,
                  .aims = aims,
                  .at = aims->at};
    f.flow = (es_flow){.count = nodes, .state_size = sizeof(state), .context = &f, .join = merge_node, .follow = step};
    es_flow_begin(&f.flow);
    f.rises = zeroed(nodes, sizeof *f.rises);
    f.left = zeroed(program->procedure_count, sizeof *f.left);
    f.returns = zeroed(program->procedure_count, sizeof *f.returns);
    f.left_rises = zeroed(program->procedure_count, sizeof *f.left_rises);
    f.elsewhere = zeroed(program->procedure_count, sizeof *f.elsewhere);
    start(&f, program->entry, value_number(INT32_MIN, INT32_MAX));
    for (size_t p = 0; p < program->procedure_count; p++)
        if (program->procedures[p].interrupt)
            start(&f, p, (value){.kind = VALUE_SAVED});
    run(&f);
    note_stacks(&f);
    for (size_t p = 0; p < program->procedure_count; p++)
        for (size_t i = 0; i < program->isa->arguments && program->procedures[p].node_count; i++)
            aims->arguments[p * ES_CHECK_ARGUMENTS + i] =
                state_at(&f, program->procedures[p].first_node)->regs[program->isa->argument + i];
    for (size_t p = 0; p < program->procedure_count; p++)
        aims->clobbers[p] = clobbered_by(&f, p);
    es_flow_end(&f.flow);
    free(f.rises);
    free(f.left);
    free(f.returns);
    free(f.left_rises);
    free(f.elsewhere);
}
