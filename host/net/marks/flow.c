#include "net/marks/flow.h"

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
    bool *marked;      /* by procedure: a mark lies in it */
    bool *returns;     /* [procedure * words + word]: a return from the procedure may go there */
    uint32_t words;    /* of the code */
    es_insn *insns;    /* by word */
    uint32_t *mark_at; /* by word: 1 + the mark that begins there */
    es_flow flow;      /* by word: the fewest clocks from the start */
    uint32_t *row;     /* by mark: the fewest clocks to it */
    bool failed;
    es_error *err;
} walk;

enum next { NEXT = 1, JUMP = 2, CALL = 4, RETURN = 8, ANY_CALL = 16, LOST = 32 };

/* What an instruction leads to; *target of a JUMP or CALL. */
static unsigned decode(es_insn insn, uint32_t address, uint32_t *target)
{
    es_ways ways = es_insn_ways(insn, address);
    *target = ways.target;
    switch (insn.kind) {
    case ES_INSN_CALL_REGISTER: return ANY_CALL;
    case ES_INSN_RETURN: return RETURN;
    case ES_INSN_JUMP_REGISTER: return LOST;
    case ES_INSN_TRAP_RETURN:
    case ES_INSN_BREAK: return 0;
    default: return ways.calls ? CALL : (ways.next ? NEXT : 0u) | (ways.jumps ? JUMP : 0u);
    }
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

/* The instruction at `address` can be come to after so many clocks. */
static void visit(walk *w, uint32_t address, uint32_t clocks)
{
    uint32_t word = (address - w->code.address) / 4;
    if (address >= w->code.address && word < w->words)
        es_flow_reach(&w->flow, word, &clocks);
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
    for (uint32_t i = 0; i < w->words; i++)
        if (w->returns[from * w->words + i] && !w->returns[to * w->words + i])
            any = w->returns[to * w->words + i] = true;
    return any;
}

static void add_return(const walk *w, size_t procedure, uint32_t word)
{
    if (procedure != SIZE_MAX && word < w->words)
        w->returns[procedure * w->words + word] = true;
}

static void find_returns(walk *w)
{
    for (uint32_t i = 0; i < w->words; i++) {
        uint32_t target = 0, address = w->code.address + 4 * i;
        unsigned next = decode(w->insns[i], address, &target);
        if (next & CALL)
            add_return(w, procedure_of(w, target), i + 1);
        for (size_t p = 0; next & ANY_CALL && p < w->procedure_count; p++)
            if (w->procedures[p]->address_taken)
                add_return(w, p, i + 1);
    }
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < w->words; i++) {
            uint32_t target = 0, address = w->code.address + 4 * i;
            unsigned next = decode(w->insns[i], address, &target);
            size_t from = procedure_of(w, address), to = next == JUMP ? procedure_of(w, target) : SIZE_MAX;
            if (from != to && from != SIZE_MAX && to != SIZE_MAX)
                again |= inherit(w, from, to);
            for (size_t p = 0; next & LOST && from != SIZE_MAX && p < w->procedure_count; p++)
                if (p != from && w->procedures[p]->address_taken)
                    again |= inherit(w, from, p);
        }
    }
}

static uint32_t clocks_to(const walk *w, uint32_t word)
{
    return *(const uint32_t *)es_flow_state(&w->flow, word);
}

/* Goes on from one instruction that is no mark's. */
static bool leave(walk *w, uint32_t word)
{
    uint32_t target = 0, address = w->code.address + 4 * word;
    unsigned next = decode(w->insns[word], address, &target);
    uint32_t clocks = clocks_to(w, word) + clocks_of(w->insns[word]);
    if (next & NEXT)
        visit(w, address + 4, clocks);
    if (next & (JUMP | CALL))
        visit(w, target, clocks);
    size_t own = procedure_of(w, address);
    if (next & RETURN && own != SIZE_MAX)
        for (uint32_t i = 0; i < w->words; i++)
            if (w->returns[own * w->words + i])
                visit(w, w->code.address + 4 * i, clocks);
    if (next & ANY_CALL) {
        visit(w, address + 4, clocks); /* what is called may be code without a symbol of its own */
        for (size_t p = 0; p < w->procedure_count; p++)
            if (w->procedures[p]->address_taken)
                visit(w, w->procedures[p]->low, clocks);
    }
    if (next & LOST && own != SIZE_MAX && !w->marked[own]) {
        /* a jump table of it, or a call through a pointer as its last act; no mark lies in it, so it does not matter in
         * which of its places it goes on */
        for (uint32_t at = w->procedures[own]->low; at < w->procedures[own]->high; at += 4)
            visit(w, at, clocks);
        for (size_t p = 0; p < w->procedure_count; p++)
            if (w->procedures[p]->address_taken)
                visit(w, w->procedures[p]->low, clocks);
    } else if (next & LOST) {
        const char *file = "?";
        unsigned line = 0;
        es_symbols_line(w->symbols, address, &file, &line);
        return es_fail(w->err, ES_USAGE,
                       "%s:%u: the jump through a register at 0x%x cannot be followed; compile with -fno-jump-tables",
                       file, line, (unsigned)address);
    }
    return true;
}

static void go_on(void *context, size_t at)
{
    walk *w = context;
    uint32_t word = (uint32_t)at;
    if (w->failed)
        return;
    if (w->mark_at[word])
        w->row[w->mark_at[word] - 1] = clocks_to(w, word);
    else
        w->failed = !leave(w, word);
}

/* From an address to the marks that may come next; w->failed: it cannot be told to which. */
static void reach(walk *w, uint32_t start, uint32_t *row)
{
    w->row = row;
    es_flow_reset(&w->flow);
    visit(w, start, 0);
    es_flow_run(&w->flow);
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
    if (es_symbols_compressed(symbols))
        return es_fail(
            err, ES_USAGE,
            "the program has compressed instructions, and the clocks from mark to mark are only known of code "
            "without them: compile it without C (-march=rv32im_zicsr or the like)");
    w.words = w.code.size / 4;
    if (!w.words)
        return es_fail(err, ES_USAGE, "the program's entry 0x%x lies in no code", (unsigned)entry);
    w.returns = es_arena_alloc(arena, w.procedure_count * w.words * sizeof *w.returns);
    w.marked = es_arena_alloc(arena, (w.procedure_count + 1) * sizeof *w.marked);
    w.mark_at = es_arena_alloc(arena, w.words * sizeof *w.mark_at);
    w.insns = es_arena_alloc(arena, w.words * sizeof *w.insns);
    for (uint32_t i = 0; i < w.words; i++)
        w.insns[i] = es_symbols_isa(symbols)->decode(w.code.bytes + 4 * (size_t)i, 4);
    for (size_t i = 0; i < count; i++) {
        if (marks[i].begin < w.code.address || marks[i].end > w.code.address + w.code.size ||
            marks[i].begin >= marks[i].end)
            return es_fail(err, ES_USAGE,
                           "mark %zu of the program's table, at 0x%x, is not in its code: is it a build without marks?",
                           i, (unsigned)marks[i].begin);
        w.mark_at[(marks[i].begin - w.code.address) / 4] = (uint32_t)i + 1;
        size_t in = procedure_of(&w, marks[i].begin);
        if (in != SIZE_MAX)
            w.marked[in] = true;
    }
    find_returns(&w);
    uint32_t *clocks = es_arena_alloc(arena, (count + 1) * (count + 1) * sizeof *clocks);
    for (size_t i = 0; i < (count + 1) * count; i++)
        clocks[i] = ES_NET_NEVER;
    w.flow = (es_flow){.count = w.words,
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
