#include "check/target/aims.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/decode.h"

enum { REGS = 32, RISES_MAX = 8, REG_RA = 1, REG_SP = 2, REG_GP = 3, REG_TP = 4, REG_A0 = 10 };

typedef struct state {
    value regs[REGS];
} state;

typedef struct follower {
    const es_check_program *program;
    regions *regions;
    memory *memory;
    state *states;  /* by node: before it */
    bool *reached;  /* by node */
    uint8_t *rises; /* by node */
    state *left;    /* by procedure: when it returns */
    bool *returns;
    uint8_t *left_rises;
    uint32_t *elsewhere; /* by procedure: the registers whose values on entry it stores elsewhere than in its frame */
    size_t *waiting;     /* nodes to be looked at */
    bool *is_waiting;
    size_t work;
    es_check_aims *aims;
    value *at;
} follower;

static const value unknown = {.kind = VALUE_ANY};

/* What a register held when the procedure was entered. */
static value held_by(unsigned reg)
{
    return (value){.kind = VALUE_SAVED, .low = (int32_t)reg, .high = (int32_t)reg};
}

static bool is_saved(unsigned reg)
{
    return reg == REG_SP || reg == REG_GP || reg == REG_TP || reg == 8 || reg == 9 || (reg >= 18 && reg <= 27);
}

static void wait(follower *f, size_t node)
{
    if (!f->is_waiting[node]) {
        f->is_waiting[node] = true;
        f->waiting[f->work++] = node;
    }
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

static void reach(follower *f, size_t node, const state *with)
{
    if (merge(f, f->program->nodes[node].procedure, &f->states[node], with, &f->reached[node], &f->rises[node]))
        wait(f, node);
}

/* --- calls ---------------------------------------------------------------------------------------------------- */

/* Callees keep the values of some registers for their caller; what these are is none of their business. */
static void enter(follower *f, size_t caller, size_t callee, const state *with)
{
    const es_check_procedure *p = &f->program->procedures[callee];
    if (!p->node_count)
        return;
    state s = *with;
    for (unsigned i = 1; i < REGS; i++)
        s.regs[i] =
            is_saved(i) && i != REG_GP && i != REG_TP ? held_by(i) : es_value_outside(f->regions, caller, s.regs[i]);
    s.regs[REG_RA] = held_by(REG_RA);
    s.regs[REG_SP] = (value){.kind = VALUE_STACK};
    reach(f, p->first_node, &s);
}

/* s0 to s11 */
static bool is_callee_saved(unsigned reg)
{
    return reg == 8 || reg == 9 || (reg >= 18 && reg <= 27);
}

static void leave(follower *f, size_t procedure, const state *with)
{
    state s = *with;
    for (unsigned i = 1; i < REGS; i++)
        if (i != REG_SP)
            s.regs[i] =
                is_saved(i) && !is_callee_saved(i) ? unknown : es_value_outside(f->regions, procedure, s.regs[i]);
    if (!merge(f, procedure, &f->left[procedure], &s, &f->returns[procedure], &f->left_rises[procedure]))
        return;
    for (size_t i = 0; i < f->program->edge_count; i++) {
        const es_check_edge *edge = &f->program->edges[i];
        bool call = edge->kind == CHECK_EDGE_CALL || edge->kind == CHECK_EDGE_TAIL;
        if (call && edge->callee == procedure && f->reached[edge->from])
            wait(f, edge->from);
    }
}

/* libgcc's shared epilogues take down the frame of the procedure that jumps to them, and return for it. */
static bool is_epilogue(const follower *f, size_t procedure)
{
    static const char prefix[] = "__riscv_restore_";
    const es_procedure *p = f->program->procedures[procedure].procedure;
    return p && strncmp(p->name, prefix, sizeof prefix - 1) == 0;
}

/* The stack pointer of who has called or jumped, by what it was and how the callee has moved it. */
static value moved_by(follower *f, size_t caller, value before, value left)
{
    return left.kind == VALUE_STACK ? es_value_sum(f->regions, caller, before, value_number(left.low, left.high))
                                    : unknown;
}

/* Whether a procedure leaves a register as it was. What it stores elsewhere than in its frame is taken to be what is loaded at the end, as where
 * tasks are switched. */
static bool keeps(const follower *f, size_t callee, unsigned reg)
{
    value left = f->left[callee].regs[reg];
    return (left.kind == VALUE_SAVED && left.low == (int32_t)reg) || f->elsewhere[callee] >> reg & 1 ||
           is_epilogue(f, callee);
}

/* What registers hold that callees have to keep, once one has returned. One that changes them without having stored what they held is followed. */
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
    for (unsigned i = 8; i < REGS && f->returns[callee]; i++)
        if (is_callee_saved(i) && !keeps(f, callee, i))
            regs |= UINT32_C(1) << i;
    return regs;
}

/* After a call: what the callee left, and what it has kept. Millicode moves the stack pointer for its caller. */
static void come_back(follower *f, size_t caller, const es_check_edge *edge, const state *before, bool millicode)
{
    if (!f->returns[edge->callee] || edge->to == CHECK_NONE)
        return;
    state s = f->left[edge->callee];
    for (unsigned i = 1; i < REGS; i++)
        if (is_saved(i))
            s.regs[i] = is_callee_saved(i) ? kept_by(f, edge->callee, i, before->regs[i]) : before->regs[i];
    if (millicode)
        s.regs[REG_SP] = moved_by(f, caller, before->regs[REG_SP], f->left[edge->callee].regs[REG_SP]);
    reach(f, edge->to, &s);
}

/* A jump into a procedure that returns in this one's stead. */
static void come_back_for(follower *f, size_t procedure, size_t callee, const state *before)
{
    if (!f->returns[callee])
        return;
    state s = f->left[callee];
    for (unsigned i = 8; i < REGS; i++)
        if (is_callee_saved(i))
            s.regs[i] = is_epilogue(f, callee) ? held_by(i) : kept_by(f, callee, i, before->regs[i]);
    s.regs[REG_SP] = moved_by(f, procedure, before->regs[REG_SP], f->left[callee].regs[REG_SP]);
    leave(f, procedure, &s);
}

/* --- one instruction ------------------------------------------------------------------------------------------- */

unsigned es_check_aims_bytes(uint32_t insn)
{
    return 1u << (insn >> 12 & 3);
}

static void aim(follower *f, size_t node, value to)
{
    f->at[node] = to.kind == VALUE_INDEX
                      ? es_value_derived(es_value_made_from(f->regions, f->program->nodes[node].procedure, to))
                      : to;
}

static void store(follower *f, size_t node, symbols_insn insn, const state *s)
{
    const es_check_node *n = &f->program->nodes[node];
    if (!insn.size) {
        f->at[node] = unknown; /* an atomic, or none that is known */
        es_memory_store(f->memory, n->procedure, unknown, 4, unknown);
        return;
    }
    value to = es_value_sum(f->regions, n->procedure, s->regs[insn.rs1], value_constant((uint32_t)insn.imm));
    value what = s->regs[insn.rs2];
    aim(f, node, to);
    f->aims->stored[node] = (n->word & 0x7F) == 0x23 ? what : unknown;
    if (what.kind == VALUE_SAVED && insn.size == 4 && to.kind != VALUE_STACK)
        f->elsewhere[n->procedure] |= 1u << what.low;
    for (unsigned done = 0; done < insn.size; done += 4) /* of a double only that it is no address */
        es_memory_store(f->memory, n->procedure,
                        done ? es_value_sum(f->regions, n->procedure, to, value_constant(done)) : to,
                        insn.size > 4 ? 4 : insn.size,
                        (n->word & 0x7F) == 0x23 ? s->regs[insn.rs2] : value_number(INT32_MIN, INT32_MAX));
}

/* A control and status register in which a program may keep an address of data. The others hold numbers, or addresses of code. */
static bool is_scratch(uint32_t csr)
{
    static const uint16_t numbers[] = {0x300, 0x304, 0x305, 0x341, 0x342, 0x344, 0xB00,
                                       0xB02, 0xB80, 0xC00, 0xC01, 0xC02, 0xC80, 0xF14};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if ((csr & 0xFFF) == numbers[i])
            return false;
    return true;
}

static value result_of(follower *f, size_t node, symbols_insn insn, const state *s)
{
    const es_check_node *n = &f->program->nodes[node];
    value immediate = value_constant((uint32_t)insn.imm);
    switch (n->word & 0x7F) {
    case 0x37: return immediate;
    case 0x17: return value_constant(n->address + (uint32_t)insn.imm);
    case 0x13:
    case 0x33:
        return es_value_compute(f->regions, n->procedure, n->word, s->regs[insn.rs1],
                                n->word & 0x20 ? s->regs[insn.rs2]
                                               : value_constant((uint32_t)((int32_t)n->word >> 20)));
    case 0x03:
        return es_memory_load(f->memory, n->procedure,
                              es_value_sum(f->regions, n->procedure, s->regs[insn.rs1], immediate),
                              es_check_aims_bytes(n->word), !(n->word >> 14 & 1));
    case 0x6F:
    case 0x67: return value_constant(n->address + 4);
    case 0x73:
        return insn.op == SYMBOLS_OP_CSR && !is_scratch((uint32_t)insn.imm) ? value_number(INT32_MIN, INT32_MAX)
                                                                            : unknown;
    default: return unknown;
    }
}

/* A return with another stack pointer than the procedure was called with. With tasks, one may begin with these registers. */
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
    outside.regs[REG_SP] = (value){.kind = VALUE_STACK};
    reach(f, f->program->procedures[f->program->hub].first_node, &outside);
}

static void step(follower *f, size_t node)
{
    const es_check_node *n = &f->program->nodes[node];
    symbols_insn insn = es_symbols_decode(n->word);
    state s = f->states[node];
    value sp = s.regs[REG_SP];
    f->aims->sp[node] = sp.kind == VALUE_STACK && sp.low == sp.high ? sp.low : CHECK_SP_UNKNOWN;
    if (insn.op == SYMBOLS_OP_STORE)
        store(f, node, insn, &s);
    else if (n->load)
        aim(f, node,
            es_value_sum(f->regions, n->procedure, s.regs[n->word >> 15 & 31],
                         value_constant((uint32_t)((int32_t)n->word >> 20))));
    if (insn.rd)
        s.regs[insn.rd] = result_of(f, node, insn, &s);
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
            come_back(f, n->procedure, edge, &s, insn.rd == 5);
            break;
        case CHECK_EDGE_TAIL:
            enter(f, n->procedure, edge->callee, &s);
            come_back_for(f, n->procedure, edge->callee, &s);
            break;
        case CHECK_EDGE_EXIT:
            if (insn.rs1 != 5 && !is_epilogue(f, n->procedure) &&
                (s.regs[REG_SP].kind != VALUE_STACK || s.regs[REG_SP].low || s.regs[REG_SP].high))
                swap(f, node, &s);
            leave(f, n->procedure, &s);
            break;
        }
    }
}

/* --- the program ---------------------------------------------------------------------------------------------- */

static void start(follower *f, size_t procedure, value others)
{
    uint32_t gp;
    state s;
    const es_check_procedure *p = &f->program->procedures[procedure];
    if (!p->node_count)
        return;
    for (unsigned i = 0; i < REGS; i++)
        s.regs[i] = others.kind == VALUE_SAVED ? held_by(i) : others;
    s.regs[0] = value_constant(0);
    s.regs[REG_SP] = (value){.kind = VALUE_STACK};
    if (es_symbols_value(f->program->symbols, "__global_pointer$", &gp))
        s.regs[REG_GP] = value_constant(gp);
    reach(f, p->first_node, &s);
}

static void run(follower *f)
{
    do {
        f->memory->changed = false;
        while (f->work) {
            size_t node = f->waiting[--f->work];
            f->is_waiting[node] = false;
            step(f, node);
        }
        for (size_t i = 0; i < f->program->node_count && f->memory->changed; i++)
            if (f->reached[i] && (f->program->nodes[i].word & 0x7F) == 0x03)
                wait(f, i);
    } while (f->work);
}

/* Which stacks there are, when all is known. */
static void note_stacks(follower *f)
{
    for (size_t i = 0; i < f->program->node_count; i++) {
        const es_check_node *node = &f->program->nodes[i];
        symbols_insn insn = es_symbols_decode(node->word);
        if (!f->reached[i] || insn.rd != REG_SP)
            continue;
        value v = result_of(f, i, insn, &f->states[i]);
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
    aims->followed = !es_symbols_compressed(program->symbols);
    aims->arguments =
        es_arena_alloc(arena, (program->procedure_count * ES_CHECK_ARGUMENTS + 1) * sizeof *aims->arguments);
    aims->clobbers = es_arena_alloc(arena, (program->procedure_count + 1) * sizeof *aims->clobbers);
    memset(aims->clobbers, 0, (program->procedure_count + 1) * sizeof *aims->clobbers);
    if (!aims->followed) {
        for (size_t i = 0; i < nodes; i++)
            aims->at[i] = unknown;
        return;
    }
    follower f = {.program = program, .regions = &aims->regions, .memory = &aims->memory, .aims = aims, .at = aims->at};
    f.states = zeroed(nodes, sizeof *f.states);
    f.reached = zeroed(nodes, sizeof *f.reached);
    f.rises = zeroed(nodes, sizeof *f.rises);
    f.left = zeroed(program->procedure_count, sizeof *f.left);
    f.returns = zeroed(program->procedure_count, sizeof *f.returns);
    f.left_rises = zeroed(program->procedure_count, sizeof *f.left_rises);
    f.elsewhere = zeroed(program->procedure_count, sizeof *f.elsewhere);
    f.waiting = zeroed(nodes, sizeof *f.waiting);
    f.is_waiting = zeroed(nodes, sizeof *f.is_waiting);
    start(&f, program->entry, value_number(INT32_MIN, INT32_MAX));
    for (size_t p = 0; p < program->procedure_count; p++)
        if (program->procedures[p].interrupt)
            start(&f, p, (value){.kind = VALUE_SAVED});
    run(&f);
    note_stacks(&f);
    for (size_t p = 0; p < program->procedure_count; p++)
        for (size_t i = 0; i < ES_CHECK_ARGUMENTS && program->procedures[p].node_count; i++)
            aims->arguments[p * ES_CHECK_ARGUMENTS + i] = f.states[program->procedures[p].first_node].regs[REG_A0 + i];
    for (size_t p = 0; p < program->procedure_count; p++)
        aims->clobbers[p] = clobbered_by(&f, p);
    free(f.states);
    free(f.reached);
    free(f.rises);
    free(f.left);
    free(f.returns);
    free(f.left_rises);
    free(f.elsewhere);
    free(f.waiting);
    free(f.is_waiting);
}
