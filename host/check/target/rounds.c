/* How often loops come back to their heads: a loop is run on ranges of numbers, round by round, until no way back is
 * left. Registers and words of the procedure's own frame are followed, as far as nobody else can write these. In a
 * round, what a loop inside changes is unknown after it. */
#include "check/target/loops.h"

#include <string.h>

#include "check/target/aims.h"
#include "check/target/number.h"

enum { REGS = 32, SLOTS_MAX = 32, STEPS_MAX = 200000, NO_COPY = 0xFF };

typedef struct slot {
    int32_t offset; /* from the canonical frame address */
    unsigned bytes;
} slot;

typedef struct state {
    number regs[REGS];
    number slots[SLOTS_MAX];
    uint8_t copy[REGS]; /* slot of four bytes that holds the same; NO_COPY: none */
} state;

typedef struct changes {
    uint32_t regs;
    uint64_t slots;
} changes;

typedef struct runner {
    const es_check_program *program;
    const es_check_aims *aims;
    size_t procedure, first;
    es_check_counted *loops;
    size_t loop_count;
    const size_t *order;
    size_t count;
    slot slots[SLOTS_MAX];
    size_t slot_count;
    changes *changed; /* by loop */
    size_t *headed;   /* by node: the loop whose head it is; CHECK_NONE: no head */
    state *states;    /* by node */
    bool *reached;
    size_t steps; /* left */
} runner;

/* --- words of the frame ----------------------------------------------------------------------------------------- */

/* The place in the procedure's own frame that a load or store moves; false: another, or none that is known. */
static bool own_place(const runner *r, size_t node, slot *place)
{
    const value *at = &r->aims->at[node];
    es_insn insn = r->program->nodes[node].insn;
    bool moves = (insn.kind == ES_INSN_LOAD || insn.kind == ES_INSN_STORE) && !insn.foreign;
    if (!moves || at->kind != VALUE_STACK || at->low != at->high)
        return false;
    *place = (slot){.offset = at->low, .bytes = es_check_aims_bytes(insn)};
    return place->bytes <= 4;
}

static size_t slot_of(const runner *r, size_t node)
{
    slot place;
    for (size_t i = 0; own_place(r, node, &place) && i < r->slot_count; i++)
        if (r->slots[i].offset == place.offset && r->slots[i].bytes == place.bytes)
            return i;
    return CHECK_NONE;
}

/* Whether a node may write some of the slot, other than as the slot that it is. */
static bool disturbs(const runner *r, size_t i, const slot *s)
{
    const es_check_node *node = &r->program->nodes[i];
    const value *at = &r->aims->at[i];
    slot place;
    bool known = own_place(r, i, &place), own = node->procedure == r->procedure;
    if (!node->store)
        return false;
    if (own && known && place.offset + (int32_t)place.bytes <= 0)
        return (place.offset != s->offset || place.bytes != s->bytes) && place.offset < s->offset + (int32_t)s->bytes &&
               s->offset < place.offset + (int32_t)place.bytes;
    if (at->kind == VALUE_NONE || (node->procedure == r->program->entry && r->program->nodes[i].uninterrupted))
        return false; /* it is never run; or before there are frames */
    return es_check_aims_may(r->aims, i, r->procedure, (uint32_t)s->offset & ~UINT32_C(3));
}

static void find_slots(runner *r)
{
    const es_check_procedure *p = &r->program->procedures[r->procedure];
    for (size_t i = p->first_node; i < p->first_node + p->node_count && r->slot_count < SLOTS_MAX; i++) {
        slot place;
        if (own_place(r, i, &place) && slot_of(r, i) == CHECK_NONE)
            r->slots[r->slot_count++] = place;
    }
    for (size_t k = r->slot_count; k-- > 0;) {
        bool disturbed = false;
        for (size_t i = 0; i < r->program->node_count && !disturbed; i++)
            disturbed = r->program->procedures[r->program->nodes[i].procedure].reached && disturbs(r, i, &r->slots[k]);
        if (disturbed)
            r->slots[k] = r->slots[--r->slot_count];
    }
}

/* --- one instruction -------------------------------------------------------------------------------------------- */

static void set(state *s, unsigned reg, number to)
{
    if (reg) {
        s->regs[reg] = to;
        s->copy[reg] = NO_COPY;
    }
}

static void write_slot(state *s, size_t k, number to)
{
    s->slots[k] = to;
    for (unsigned i = 0; i < REGS; i++)
        if (s->copy[i] == k)
            s->copy[i] = NO_COPY;
}

static number loaded(const runner *r, size_t node, const state *s)
{
    es_insn insn = r->program->nodes[node].insn;
    unsigned bytes = es_check_aims_bytes(insn);
    size_t k = slot_of(r, node);
    if (bytes >= 4)
        return k == CHECK_NONE ? es_number_any() : s->slots[k];
    number all = es_number_range(0, bytes == 1 ? 0xFF : 0xFFFF, 0);
    return es_number_loaded(k == CHECK_NONE ? all : s->slots[k], bytes, insn.is_signed);
}

static number constant(uint32_t word)
{
    return es_number_range((int32_t)word, (int32_t)word, 0);
}

static void step(const runner *r, size_t node, state *s)
{
    const es_check_node *n = &r->program->nodes[node];
    es_insn insn = n->insn;
    size_t k = slot_of(r, node);
    switch (insn.kind) {
    case ES_INSN_CONSTANT: set(s, insn.rd, constant((uint32_t)insn.imm)); break;
    case ES_INSN_ADDRESS: set(s, insn.rd, constant(n->address + (uint32_t)insn.imm)); break;
    case ES_INSN_COMPUTE:
        if (es_insn_shifts_and_adds(insn)) {
            number index = es_number_compute(ES_ALU_SHIFT_LEFT, s->regs[insn.rs1], constant((uint32_t)insn.imm));
            set(s, insn.rd, es_number_compute(ES_ALU_ADD, index, s->regs[insn.rs2]));
            break;
        }
        set(s, insn.rd,
            es_number_compute((es_insn_op)insn.op, s->regs[insn.rs1],
                              insn.immediate ? constant((uint32_t)insn.imm) : s->regs[insn.rs2]));
        break;
    case ES_INSN_LOAD:
        set(s, insn.rd, loaded(r, node, s));
        if (insn.rd && k != CHECK_NONE && r->slots[k].bytes == 4)
            s->copy[insn.rd] = (uint8_t)k;
        break;
    case ES_INSN_STORE:
        if (k == CHECK_NONE)
            break;
        write_slot(s, k, es_number_stored(s->regs[insn.rs2], r->slots[k].bytes));
        if (insn.rs2 && r->slots[k].bytes == 4)
            s->copy[insn.rs2] = (uint8_t)k;
        break;
    default: set(s, insn.rd, es_number_any()); break;
    }
}

/* Registers that a call may change. A compiler's helper has a convention of its own. */
static uint32_t call_changes(const runner *r, const es_check_edge *edge)
{
    const es_isa *isa = r->program->isa;
    bool helper = es_isa_calls_helper(isa, r->program->nodes[edge->from].insn);
    return helper ? UINT32_MAX : ~isa->kept | r->aims->clobbers[edge->callee];
}

/* What an edge leaves of the state after a node. False: it is not taken. */
static bool follow(const runner *r, const es_check_edge *edge, state *s)
{
    const es_check_node *from = &r->program->nodes[edge->from];
    if (edge->kind == CHECK_EDGE_CALL) {
        uint32_t changed = call_changes(r, edge);
        for (unsigned i = 1; i < REGS; i++)
            if (changed >> i & 1)
                set(s, i, es_number_any());
        return true;
    }
    es_insn insn = from->insn;
    if (insn.kind != ES_INSN_BRANCH || insn.imm == insn.size)
        return true;
    unsigned left = insn.rs1, right = insn.rs2;
    bool taken = r->program->nodes[edge->to].address != from->address + insn.size;
    number a = s->regs[left], b = s->regs[right];
    if (!es_number_refine((es_insn_condition)insn.condition, taken, &a, &b))
        return false;
    if (left) {
        s->regs[left] = a;
        if (s->copy[left] != NO_COPY)
            s->slots[s->copy[left]] = a;
    }
    if (right) {
        s->regs[right] = b;
        if (s->copy[right] != NO_COPY)
            s->slots[s->copy[right]] = b;
    }
    return true;
}

static void join(const runner *r, state *into, bool *any, const state *from)
{
    if (!*any) {
        *into = *from;
        *any = true;
        return;
    }
    for (unsigned i = 1; i < REGS; i++) {
        into->regs[i] = es_number_join(into->regs[i], from->regs[i]);
        if (into->copy[i] != from->copy[i])
            into->copy[i] = NO_COPY;
    }
    for (size_t k = 0; k < r->slot_count; k++)
        into->slots[k] = es_number_join(into->slots[k], from->slots[k]);
}

static bool same(const runner *r, const state *a, const state *b)
{
    bool equal = true;
    for (unsigned i = 1; i < REGS && equal; i++)
        equal = es_number_same(a->regs[i], b->regs[i]);
    for (size_t k = 0; k < r->slot_count && equal; k++)
        equal = es_number_same(a->slots[k], b->slots[k]);
    return equal;
}

/* --- loops ------------------------------------------------------------------------------------------------------ */

static void find_changes(runner *r, size_t number_of)
{
    changes *c = &r->changed[number_of];
    for (size_t i = 0; i < r->count; i++) {
        size_t node = r->first + r->order[i], k = slot_of(r, node);
        const es_check_node *n = &r->program->nodes[node];
        es_insn insn = n->insn;
        if (!r->loops[number_of].inside[r->order[i]])
            continue;
        c->regs |= UINT32_C(1) << insn.rd;
        if (insn.kind == ES_INSN_STORE && k != CHECK_NONE)
            c->slots |= UINT64_C(1) << k;
        for (size_t e = n->first_edge; e < n->first_edge + n->edge_count; e++)
            if (r->program->edges[e].kind == CHECK_EDGE_CALL)
                c->regs |= call_changes(r, &r->program->edges[e]);
    }
}

static void forget_changed(const runner *r, size_t loop, state *s)
{
    for (unsigned i = 1; i < REGS; i++)
        if (r->changed[loop].regs >> i & 1)
            set(s, i, es_number_any());
    for (size_t k = 0; k < r->slot_count; k++) {
        int32_t last = r->slots[k].bytes == 1 ? 0xFF : 0xFFFF;
        if (r->changed[loop].slots >> k & 1)
            write_slot(s, k, r->slots[k].bytes == 4 ? es_number_any() : es_number_range(0, last, 0));
    }
}

static bool inside(const runner *r, size_t loop, size_t node)
{
    return r->loops[loop].inside[node - r->first];
}

/* Passes on what a node leaves; along the way back of `round`, the loop that is run, into *back (any NULL: no loop is
 * run). Ways back of other loops are left out: what these change is forgotten at their heads. */
static void pass_on(runner *r, size_t node, size_t round, state *back, bool *any)
{
    const es_check_node *n = &r->program->nodes[node];
    state after = r->states[node - r->first];
    step(r, node, &after);
    for (size_t e = n->first_edge; e < n->first_edge + n->edge_count; e++) {
        const es_check_edge *edge = &r->program->edges[e];
        if ((edge->kind != CHECK_EDGE_NEXT && edge->kind != CHECK_EDGE_CALL) || edge->to == CHECK_NONE)
            continue;
        size_t to = edge->to, head = r->headed[to - r->first];
        state s = after;
        if ((round != CHECK_NONE && !inside(r, round, to)) || !follow(r, edge, &s))
            continue;
        if (any && to == r->loops[round].head)
            join(r, back, any, &s);
        else if (head == CHECK_NONE || !inside(r, head, node))
            join(r, &r->states[to - r->first], &r->reached[to - r->first], &s);
    }
}

/* Runs a loop on what is known at its head when it is entered; *all: on all rounds. */
static uint32_t run_loop(runner *r, size_t loop, const state *entered, state *all)
{
    size_t head = r->loops[loop].head - r->first;
    state now = *entered;
    *all = *entered;
    for (uint32_t rounds = 0;; rounds++) {
        state back;
        bool any = false, seen = true;
        for (size_t i = 0; i < r->count; i++)
            if (r->loops[loop].inside[r->order[i]])
                r->reached[r->order[i]] = false;
        r->states[head] = now;
        r->reached[head] = true;
        for (size_t i = 0; i < r->count; i++) {
            size_t at = r->order[i];
            if (!r->loops[loop].inside[at] || !r->reached[at])
                continue;
            if (!r->steps--) {
                r->steps = 0;
                return CHECK_ROUNDS_UNKNOWN;
            }
            if (at != head && r->headed[at] != CHECK_NONE)
                forget_changed(r, r->headed[at], &r->states[at]);
            pass_on(r, r->first + at, loop, &back, &any);
        }
        if (!any)
            return rounds;
        if (same(r, &back, &now))
            return CHECK_ROUNDS_UNKNOWN;
        join(r, all, &seen, &back);
        now = back;
    }
}

static void enter(const runner *r, state *s)
{
    memset(s, 0, sizeof *s);
    for (unsigned i = 0; i < REGS; i++) {
        s->regs[i] = es_number_range(0, 0, (uint8_t)(i ? i + 1 : 0));
        s->copy[i] = NO_COPY;
    }
    for (unsigned i = 0; i < r->program->isa->arguments; i++) {
        const value *v = &r->aims->arguments[r->procedure * ES_CHECK_ARGUMENTS + i];
        if (v->kind == VALUE_NUMBER && (v->low != INT32_MIN || v->high != INT32_MAX))
            s->regs[r->program->isa->argument + i] = es_number_range(v->low, v->high, 0);
    }
    for (size_t k = 0; k < r->slot_count; k++)
        s->slots[k] = es_number_any();
}

/* Bounds the rounds of a procedure's loops, found by es_check_loops_natural. */
static void find_rounds(const es_check_program *program, const es_check_aims *aims, bool trust, size_t procedure,
                        es_check_counted *loops, size_t loop_count, const size_t *order, size_t count)
{
    es_arena *arena = program->arena;
    size_t first = program->procedures[procedure].first_node, nodes = program->procedures[procedure].node_count;
    runner r = {.program = program,
                .aims = aims,
                .procedure = procedure,
                .first = first,
                .loops = loops,
                .loop_count = loop_count,
                .order = order,
                .count = count};
    if (trust)
        find_slots(&r);
    r.changed = es_arena_alloc(arena, (loop_count + 1) * sizeof *r.changed);
    r.headed = es_arena_alloc(arena, (nodes + 1) * sizeof *r.headed);
    r.states = es_arena_alloc(arena, (nodes + 1) * sizeof *r.states);
    r.reached = es_arena_alloc(arena, nodes + 1);
    for (size_t i = 0; i < nodes; i++)
        r.headed[i] = CHECK_NONE;
    for (size_t i = 0; i < loop_count; i++) {
        r.headed[loops[i].head - first] = i;
        find_changes(&r, i);
    }
    state *known = es_arena_alloc(arena, (nodes + 1) * sizeof *known); /* before each node, on all paths to it */
    bool *ways = es_arena_alloc(arena, nodes + 1);
    state *of_rounds = r.states;
    bool *in_rounds = r.reached;
    enter(&r, &known[0]);
    ways[0] = true;
    for (size_t i = 0; i < count; i++) {
        size_t at = order[i], loop = r.headed[at];
        if (!ways[at])
            continue;
        if (loop != CHECK_NONE) {
            state all;
            r.steps = STEPS_MAX;
            r.states = of_rounds;
            r.reached = in_rounds;
            loops[loop].rounds = run_loop(&r, loop, &known[at], &all);
            if (loops[loop].rounds == CHECK_ROUNDS_UNKNOWN)
                forget_changed(&r, loop, &known[at]);
            else
                known[at] = all;
        }
        r.states = known;
        r.reached = ways;
        pass_on(&r, first + at, CHECK_NONE, NULL, NULL);
    }
}

void es_check_loops_find(es_check_program *program, const es_check_aims *aims, bool trust)
{
    program->counted = NULL;
    program->counted_count = 0;
    for (size_t p = 0; p < program->procedure_count; p++) {
        es_check_counted *loops;
        size_t loop_count, *order, count;
        if (!program->procedures[p].reached || !es_check_loops_natural(program, p, &loops, &loop_count, &order, &count))
            continue;
        if (loop_count)
            find_rounds(program, aims, trust, p, loops, loop_count, order, count);
        for (size_t i = 0; i < loop_count; i++) {
            if (loops[i].rounds == CHECK_ROUNDS_UNKNOWN)
                continue;
            program->counted =
                es_arena_grow(program->arena, program->counted, program->counted_count, sizeof *program->counted);
            program->counted[program->counted_count++] = loops[i];
        }
    }
}
