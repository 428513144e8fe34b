#include "net/marks/flow.h"

#include <stdlib.h>
#include <string.h>

#include "cpu_cycles.h"

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
    uint32_t *mark_at; /* by word: 1 + the mark that begins there */
    uint32_t *clocks;  /* by word: the fewest from the start, or ES_NET_NEVER */
    bool *queued;      /* by word */
    uint32_t *queue;   /* a ring with room for every word */
    size_t first, queue_count;
} walk;

enum next { NEXT = 1, JUMP = 2, CALL = 4, RETURN = 8, ANY_CALL = 16, LOST = 32 };

/* What an instruction leads to; *target of a JUMP or CALL. */
static unsigned decode(uint32_t insn, uint32_t address, uint32_t *target)
{
    uint32_t sign = insn >> 31 ? 0xFFFFFFFFu : 0, rd = insn >> 7 & 31, rs1 = insn >> 15 & 31;
    switch (insn & 0x7F) {
    case 0x63:
        *target = address + ((sign & 0xFFFFF000u) | (insn << 4 & 0x800) | (insn >> 20 & 0x7E0) | (insn >> 7 & 0x1E));
        return NEXT | JUMP;
    case 0x6F:
        *target = address + ((sign & 0xFFF00000u) | (insn & 0xFF000) | (insn >> 9 & 0x800) | (insn >> 20 & 0x7FE));
        return rd ? CALL : JUMP;
    case 0x67: return rd ? ANY_CALL : rs1 == 1 || rs1 == 5 ? RETURN : LOST;
    case 0x73: return insn == 0x30200073u || insn == 0x00100073u ? 0 : NEXT; /* mret, ebreak */
    default: return NEXT;
    }
}

static uint32_t word_at(const walk *w, uint32_t word)
{
    uint32_t insn;
    memcpy(&insn, w->code.bytes + 4 * (size_t)word, sizeof insn);
    return insn;
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
static uint32_t clocks_of(uint32_t insn)
{
    switch (insn & 0x7F) {
    case 0x03: return CYCLES_load;
    case 0x13:
    case 0x33: return (insn & 0x3000) == 0x1000 ? CYCLES_shift : CYCLES_alu;
    case 0x17: return CYCLES_auipc;
    case 0x23: return CYCLES_store;
    case 0x63: return CYCLES_branch;
    case 0x67: return CYCLES_jalr;
    case 0x6F: return CYCLES_jal;
    case 0x73: return CYCLES_csr;
    default: return CYCLES_alu;
    }
}

/* The instruction at `address` can be come to after so many clocks. */
static void visit(walk *w, uint32_t address, uint32_t clocks)
{
    uint32_t word = (address - w->code.address) / 4;
    if (address < w->code.address || word >= w->words || w->clocks[word] <= clocks)
        return;
    w->clocks[word] = clocks;
    if (!w->queued[word]) {
        w->queued[word] = true;
        w->queue[(w->first + w->queue_count++) % w->words] = word;
    }
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
        unsigned next = decode(word_at(w, i), address, &target);
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
            unsigned next = decode(word_at(w, i), address, &target);
            size_t from = procedure_of(w, address), to = next == JUMP ? procedure_of(w, target) : SIZE_MAX;
            if (from != to && from != SIZE_MAX && to != SIZE_MAX)
                again |= inherit(w, from, to);
            for (size_t p = 0; next & LOST && from != SIZE_MAX && p < w->procedure_count; p++)
                if (p != from && w->procedures[p]->address_taken)
                    again |= inherit(w, from, p);
        }
    }
}

/* Goes on from one instruction that is no mark's. */
static bool leave(walk *w, uint32_t word, es_error *err)
{
    uint32_t target = 0, address = w->code.address + 4 * word;
    unsigned next = decode(word_at(w, word), address, &target);
    uint32_t clocks = w->clocks[word] + clocks_of(word_at(w, word));
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
        return es_fail(err, ES_USAGE,
                       "%s:%u: the jump through a register at 0x%x cannot be followed; compile with -fno-jump-tables",
                       file, line, (unsigned)address);
    }
    return true;
}

static bool reach(walk *w, uint32_t start, uint32_t *row, es_error *err)
{
    for (uint32_t i = 0; i < w->words; i++)
        w->clocks[i] = ES_NET_NEVER;
    visit(w, start, 0);
    while (w->queue_count) {
        uint32_t word = w->queue[w->first];
        if (++w->first == w->words)
            w->first = 0;
        w->queue_count--;
        w->queued[word] = false;
        if (w->mark_at[word])
            row[w->mark_at[word] - 1] = w->clocks[word];
        else if (!leave(w, word, err))
            return false;
    }
    return true;
}

bool es_net_mark_flow_make(es_net_mark_flow *flow, es_arena *arena, const es_symbols *symbols,
                           const es_net_mark_place *marks, size_t count, es_error *err)
{
    const es_procedure *const *procedures;
    walk w = {.symbols = symbols, .procedure_count = es_symbols_procedures(symbols, &procedures)};
    w.procedures = procedures;
    uint32_t entry = es_symbols_entry(symbols);
    const es_segment *segments;
    size_t segment_count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; i < segment_count; i++)
        if (segments[i].executable && entry - segments[i].address < segments[i].size)
            w.code = (code){segments[i].address, segments[i].size, segments[i].bytes};
    w.words = w.code.size / 4;
    if (!w.words)
        return es_fail(err, ES_USAGE, "the program's entry 0x%x lies in no code", (unsigned)entry);
    w.returns = es_arena_alloc(arena, w.procedure_count * w.words * sizeof *w.returns);
    w.marked = es_arena_alloc(arena, (w.procedure_count + 1) * sizeof *w.marked);
    w.mark_at = es_arena_alloc(arena, w.words * sizeof *w.mark_at);
    w.clocks = es_arena_alloc(arena, w.words * sizeof *w.clocks);
    w.queued = es_arena_alloc(arena, w.words * sizeof *w.queued);
    w.queue = es_arena_alloc(arena, w.words * sizeof *w.queue);
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
    for (size_t i = 0; i <= count; i++)
        if (!reach(&w, i < count ? marks[i].end : entry, clocks + i * count, err))
            return false;
    *flow = (es_net_mark_flow){marks, count, clocks};
    return true;
}
