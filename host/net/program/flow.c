#include "net/program/flow.h"

#include <stdlib.h>
#include <string.h>

#include "cpu_cycles.h"
#include "isa/flow.h"
#include "symbols/code.h"

typedef struct code { /* one executable segment */
    uint32_t address, size;
    const uint8_t *bytes;
} code;

typedef struct walk {
    const es_symbols *symbols;
    code code;
    const es_procedure *const *procedures;
    size_t procedure_count;
    uint32_t step;     /* bytes from a place to the next one: of the smallest instruction */
    uint32_t places;   /* of the code: where an instruction may begin */
    es_insn *insns;    /* by place: the one that would begin there */
    bool *begins;      /* by place: one does */
    bool *marked;      /* by procedure: a mark lies in it */
    bool *returns;     /* [procedure * places + place]: a return from the procedure may go there */
    uint32_t *mark_at; /* by place: 1 + the mark that begins there */
    es_flow flow;      /* by place: the fewest clocks from the start */
    uint32_t *row;     /* by mark: the fewest clocks to it */
    bool failed;
    es_error *err;
} walk;

enum next { NEXT = 1, JUMP = 2, CALL = 4, RETURN = 8, ANY_CALL = 16, LOST = 32 };

/* What the instruction at a place leads to. */
typedef struct step {
    uint32_t address, after; /* its own, and of the instruction after it in memory */
    unsigned next;           /* enum next */
    uint32_t target;         /* of a JUMP or CALL */
} step;

static uint32_t address_of(const walk *w, size_t place)
{
    return w->code.address + w->step * (uint32_t)place;
}

/* w->places when there is none. */
static uint32_t place_of(const walk *w, uint32_t address)
{
    uint32_t place = (address - w->code.address) / w->step;
    return address >= w->code.address && address % w->step == 0 && place < w->places ? place : w->places;
}

static step step_at(const walk *w, size_t place)
{
    es_insn insn = w->insns[place];
    step s = {.address = address_of(w, place)};
    es_ways ways = es_insn_ways(insn, s.address);
    s.after = s.address + insn.size;
    s.target = ways.target;
    switch (insn.kind) {
    case ES_INSN_CALL_REGISTER: s.next = ANY_CALL; break;
    case ES_INSN_RETURN: s.next = RETURN; break;
    case ES_INSN_JUMP_REGISTER: s.next = LOST; break;
    case ES_INSN_TRAP_RETURN:
    case ES_INSN_BREAK: break;
    default: s.next = ways.calls ? CALL : (ways.next ? NEXT : 0u) | (ways.jumps ? JUMP : 0u);
    }
    return s;
}

static size_t procedure_of(const walk *w, uint32_t address)
{
    size_t low = 0, high = w->procedure_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (address >= w->procedures[middle]->high)
            low = middle + 1;
        else
            high = middle;
    }
    return low < w->procedure_count && address >= w->procedures[low]->low ? low : SIZE_MAX;
}

/* Clocks that an instruction takes without waiting. */
static uint32_t clocks_of(es_insn insn)
{
    switch (insn.kind) {
    case ES_INSN_LOAD: return CYCLES_load;
    case ES_INSN_COMPUTE:
        return es_insn_divides(insn)      ? CYCLES_div
               : es_insn_multiplies(insn) ? CYCLES_mul
               : es_insn_shifts(insn)     ? CYCLES_shift
                                          : CYCLES_alu;
    case ES_INSN_ADDRESS: return CYCLES_auipc;
    case ES_INSN_STORE: return CYCLES_store;
    case ES_INSN_BRANCH: return CYCLES_branch;
    case ES_INSN_JUMP_REGISTER:
    case ES_INSN_CALL_REGISTER:
    case ES_INSN_RETURN: return CYCLES_jalr;
    case ES_INSN_JUMP:
    case ES_INSN_CALL: return CYCLES_jal;
    case ES_INSN_CONTROL:
    case ES_INSN_TRAP_RETURN: return CYCLES_csr;
    default: return es_insn_traps(insn) ? CYCLES_csr : CYCLES_alu;
    }
}

static void begins_at(walk *w, uint32_t address)
{
    uint32_t place = place_of(w, address);
    if (place < w->places)
        es_flow_reach(&w->flow, place, NULL);
}

static void begin_after(void *context, size_t at)
{
    walk *w = context;
    step s = step_at(w, at);
    w->begins[at] = true;
    if (s.next & (NEXT | CALL | ANY_CALL))
        begins_at(w, s.after);
    if (s.next & (JUMP | CALL))
        begins_at(w, s.target);
}

/* Finds where instructions begin: in procedures one after the other, and wherever the code leads. What lies between
 * procedures may be data, and looks like any code where instructions have two bytes. */
static void find_begins(walk *w, uint32_t entry)
{
    w->flow = (es_flow){.count = w->places, .context = w, .follow = begin_after};
    es_flow_begin(&w->flow);
    begins_at(w, entry);
    for (size_t p = 0; p < w->procedure_count; p++)
        for (uint32_t at = w->procedures[p]->low; at < w->procedures[p]->high && place_of(w, at) < w->places;
             at += w->insns[place_of(w, at)].size)
            begins_at(w, at);
    es_flow_run(&w->flow);
    es_flow_end(&w->flow);
}

/* The instruction at `address` can be come to after so many clocks. */
static void visit(walk *w, uint32_t address, uint32_t clocks)
{
    uint32_t place = place_of(w, address);
    if (place < w->places)
        es_flow_reach(&w->flow, place, &clocks);
}

static bool fewer(void *context, size_t at, void *into, const void *from, bool first)
{
    uint32_t *clocks = into;
    const uint32_t *other = from;
    (void)context, (void)at;
    if (!first && *clocks <= *other)
        return false;
    *clocks = *other;
    return true;
}

/* Adds to the places that `to` may return to those of `from`, whose last act is to jump there. True when any is new. */
static bool inherit(const walk *w, size_t from, size_t to)
{
    bool any = false;
    for (uint32_t i = 0; i < w->places; i++)
        if (w->returns[from * w->places + i] && !w->returns[to * w->places + i])
            any = w->returns[to * w->places + i] = true;
    return any;
}

static void add_return(const walk *w, size_t procedure, uint32_t address)
{
    uint32_t place = place_of(w, address);
    if (procedure != SIZE_MAX && place < w->places)
        w->returns[procedure * w->places + place] = true;
}

static void find_returns(walk *w)
{
    for (uint32_t i = 0; i < w->places; i++) {
        step s = step_at(w, i);
        if (!w->begins[i])
            continue;
        if (s.next & CALL)
            add_return(w, procedure_of(w, s.target), s.after);
        for (size_t p = 0; s.next & ANY_CALL && p < w->procedure_count; p++)
            if (w->procedures[p]->address_taken)
                add_return(w, p, s.after);
    }
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < w->places; i++) {
            step s = step_at(w, i);
            if (!w->begins[i] || !(s.next & (JUMP | LOST)))
                continue;
            size_t from = procedure_of(w, s.address), to = s.next == JUMP ? procedure_of(w, s.target) : SIZE_MAX;
            if (from != to && from != SIZE_MAX && to != SIZE_MAX)
                again |= inherit(w, from, to);
            for (size_t p = 0; s.next & LOST && from != SIZE_MAX && p < w->procedure_count; p++)
                if (p != from && w->procedures[p]->address_taken)
                    again |= inherit(w, from, p);
        }
    }
}

static uint32_t clocks_to(const walk *w, size_t place)
{
    return *(const uint32_t *)es_flow_state(&w->flow, place);
}

/* Goes on from one instruction that is no mark's. */
static bool leave(walk *w, size_t place)
{
    step s = step_at(w, place);
    uint32_t clocks = clocks_to(w, place) + clocks_of(w->insns[place]);
    if (s.next & NEXT)
        visit(w, s.after, clocks);
    if (s.next & (JUMP | CALL))
        visit(w, s.target, clocks);
    size_t own = procedure_of(w, s.address);
    if (s.next & RETURN && own != SIZE_MAX)
        for (uint32_t i = 0; i < w->places; i++)
            if (w->returns[own * w->places + i])
                visit(w, address_of(w, i), clocks);
    if (s.next & ANY_CALL) {
        visit(w, s.after, clocks); /* what is called may be code without a symbol of its own */
        for (size_t p = 0; p < w->procedure_count; p++)
            if (w->procedures[p]->address_taken)
                visit(w, w->procedures[p]->low, clocks);
    }
    if (s.next & LOST && own != SIZE_MAX && !w->marked[own]) {
        /* a jump table of it, or a call through a pointer as its last act; no mark lies in it, so it does not matter in
         * which of its places it goes on */
        for (uint32_t at = w->procedures[own]->low; at < w->procedures[own]->high; at += w->step)
            if (place_of(w, at) < w->places && w->begins[place_of(w, at)])
                visit(w, at, clocks);
        for (size_t p = 0; p < w->procedure_count; p++)
            if (w->procedures[p]->address_taken)
                visit(w, w->procedures[p]->low, clocks);
    } else if (s.next & LOST) {
        const char *file = "?";
        unsigned line = 0;
        es_symbols_line(w->symbols, s.address, &file, &line);
        return es_fail(w->err, ES_USAGE,
                       "%s:%u: the jump through a register at 0x%x cannot be followed; compile with -fno-jump-tables",
                       file, line, (unsigned)s.address);
    }
    return true;
}

static void go_on(void *context, size_t at)
{
    walk *w = context;
    if (w->failed)
        return;
    if (w->mark_at[at])
        w->row[w->mark_at[at] - 1] = clocks_to(w, at);
    else
        w->failed = !leave(w, at);
}

/* From an address to the marks that may come next; w->failed: it cannot be told to which. */
static void reach(walk *w, uint32_t start, uint32_t *row)
{
    w->row = row;
    es_flow_reset(&w->flow);
    visit(w, start, 0);
    es_flow_run(&w->flow);
}

static void read_instructions(walk *w, es_arena *arena, uint32_t entry)
{
    const es_isa *isa = es_symbols_isa(w->symbols);
    w->step = isa->smallest;
    w->places = w->code.size / w->step;
    w->insns = es_arena_alloc(arena, (w->places + 1) * sizeof *w->insns);
    w->begins = es_arena_alloc(arena, (w->places + 1) * sizeof *w->begins);
    for (uint32_t i = 0; i < w->places; i++)
        w->insns[i] = isa->decode(w->code.bytes + (size_t)w->step * i, w->code.size - w->step * i);
    find_begins(w, entry);
}

bool es_net_mark_flow_make(es_net_mark_flow *flow, es_arena *arena, const es_symbols *symbols,
                           const es_net_mark_place *marks, size_t count, es_error *err)
{
    const es_procedure *const *procedures;
    walk w = {.symbols = symbols, .err = err, .procedure_count = es_symbols_procedures(symbols, &procedures)};
    w.procedures = procedures;
    uint32_t entry = es_symbols_entry(symbols);
    const es_segment *segments;
    size_t segment_count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; i < segment_count; i++)
        if (segments[i].executable && entry - segments[i].address < segments[i].size)
            w.code = (code){segments[i].address, segments[i].size, segments[i].bytes};
    read_instructions(&w, arena, entry);
    if (!w.places)
        return es_fail(err, ES_USAGE, "the program's entry 0x%x lies in no code", (unsigned)entry);
    w.returns = es_arena_alloc(arena, w.procedure_count * w.places * sizeof *w.returns);
    w.marked = es_arena_alloc(arena, (w.procedure_count + 1) * sizeof *w.marked);
    w.mark_at = es_arena_alloc(arena, w.places * sizeof *w.mark_at);
    for (size_t i = 0; i < count; i++) {
        uint32_t place = place_of(&w, marks[i].begin);
        if (place == w.places || marks[i].end > w.code.address + w.code.size || marks[i].begin >= marks[i].end)
            return es_fail(err, ES_USAGE,
                           "mark %zu of the program's table, at 0x%x, is not in its code: is it a build without marks?",
                           i, (unsigned)marks[i].begin);
        w.mark_at[place] = (uint32_t)i + 1;
        size_t in = procedure_of(&w, marks[i].begin);
        if (in != SIZE_MAX)
            w.marked[in] = true;
    }
    find_returns(&w);
    uint32_t *clocks = es_arena_alloc(arena, (count + 1) * (count + 1) * sizeof *clocks);
    for (size_t i = 0; i < (count + 1) * count; i++)
        clocks[i] = ES_NET_NEVER;
    w.flow = (es_flow){.count = w.places,
                       .state_size = sizeof(uint32_t),
                       .context = &w,
                       .join = fewer,
                       .follow = go_on,
                       .in_order = true};
    es_flow_begin(&w.flow);
    for (size_t i = 0; i <= count && !w.failed; i++)
        reach(&w, i < count ? marks[i].end : entry, clocks + i * count);
    es_flow_end(&w.flow);
    if (w.failed)
        return false;
    *flow = (es_net_mark_flow){marks, count, clocks};
    return true;
}
