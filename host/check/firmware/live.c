#include "check/firmware/live.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "isa/flow.h"
#include "isa/isa.h"

#define ALL_REGS 0xFFFFFFFFu
#define ALL_WORDS UINT64_MAX
#define BIT(reg) (1u << (reg))

uint32_t es_check_temporaries(void)
{
    const es_isa *isa = es_isa_of_soft_core();
    uint32_t passed = BIT(isa->link) | BIT(isa->helper_link);
    for (unsigned i = 0; i < isa->results; i++)
        passed |= BIT(isa->argument + i);
    return ~(isa->kept | passed);
}

static es_check_live at_address(const es_check_live *live, uint32_t size, uint32_t address)
{
    static const es_check_live all = {ALL_REGS, ALL_WORDS};
    return address % 4 || address >= size ? all : live[address / 4];
}

static es_check_live both(es_check_live a, es_check_live b)
{
    return (es_check_live){a.regs | b.regs, a.words | b.words};
}

/* The words as they count from the stack pointer before it was moved by so many bytes. */
static uint64_t moved(uint64_t words, int32_t bytes)
{
    int32_t by = bytes / 4;
    if (bytes % 4 || by > 63 || by < -63)
        return ALL_WORDS;
    if (by >= 0)
        return words << by | (words & ~(ALL_WORDS >> 1));
    return words >> -by | ~(ALL_WORDS >> -by);
}

static uint64_t word_bit(int32_t offset)
{
    return offset < 0 ? 0 : UINT64_C(1) << (offset / 4 < 63 ? offset / 4 : 63);
}

/* ... by what is live after it and where it jumps to. What a caller sees of its callee's registers are all but
 * temporaries and t0; what a callee sees, the same without its return address. */
static es_check_live before_transfer(const es_check_live *live, uint32_t size, uint32_t at, es_insn insn)
{
    const es_isa *isa = es_isa_of_soft_core();
    const uint32_t returned = ~(es_check_temporaries() | BIT(isa->helper_link));
    es_ways ways = es_insn_ways(insn, at);
    es_check_live next = at_address(live, size, at + insn.size);
    es_check_live there = at_address(live, size, ways.target);
    bool call = es_insn_is_call(insn) && insn.rd == isa->link;
    if (insn.kind == ES_INSN_BRANCH) {
        next = both(next, there);
        next.regs |= BIT(insn.rs1) | BIT(insn.rs2);
        return next;
    }
    if (!ways.computed) {
        if (call)
            return (es_check_live){(next.regs & isa->kept) | (there.regs & ~BIT(isa->link)), next.words};
        there.regs &= ~BIT(insn.rd);
        return there;
    }
    if (insn.kind == ES_INSN_RETURN && insn.rs1 == isa->link && !insn.rd)
        return (es_check_live){returned | BIT(isa->link), ALL_WORDS};
    if (call)
        return (es_check_live){(next.regs & isa->kept) | (returned & ~BIT(isa->link)) | BIT(insn.rs1), next.words};
    return (es_check_live){ALL_REGS, ALL_WORDS};
}

/* What is live before an instruction, by what is live after it. */
static es_check_live before(const es_check_live *live, uint32_t size, uint32_t at, es_insn insn)
{
    const unsigned sp = es_isa_of_soft_core()->stack;
    es_check_live next = at_address(live, size, at + insn.size);
    uint32_t read = BIT(insn.rs1) | (insn.rs2 ? BIT(insn.rs2) : 0);
    switch (insn.kind) {
    case ES_INSN_CONSTANT:
    case ES_INSN_ADDRESS: next.regs &= ~BIT(insn.rd); return next;
    case ES_INSN_COMPUTE:
        if (es_insn_adds(insn) && insn.rd == sp && insn.rs1 == sp)
            next.words = moved(next.words, insn.imm);
        else if (insn.immediate && insn.rs1 == sp)
            next.words = ALL_WORDS; /* an address of the stack */
        next.regs = (next.regs & ~BIT(insn.rd)) | read;
        return next;
    case ES_INSN_LOAD:
        next.regs = (next.regs & ~BIT(insn.rd)) | read;
        if (insn.rs1 == sp)
            next.words |= word_bit(insn.imm);
        return next;
    case ES_INSN_STORE:
        next.regs |= read;
        if (insn.rs1 == sp && insn.bytes == 4 && insn.imm / 4 < 63)
            next.words &= ~word_bit(insn.imm);
        return next;
    default:
        return es_insn_is_transfer(insn) ? before_transfer(live, size, at, insn) : (es_check_live){ALL_REGS, ALL_WORDS};
    }
}

/* --- backwards along all ways -------------------------------------------------------------------------------- */

typedef struct backwards {
    es_check_live *live;
    const es_insn *code;
    uint32_t size;
    size_t *first, *jumps; /* jumps[first[i]] to jumps[first[i + 1] - 1]: instructions that jump to instruction i */
    es_flow flow;
} backwards;

/* The instruction that the one with that number jumps to or calls; false: none of the code. */
static bool jumps_to(const backwards *b, size_t at, size_t *to)
{
    es_ways ways = es_insn_ways(b->code[at], (uint32_t)at * 4);
    *to = ways.target / 4;
    return (ways.jumps || ways.calls) && ways.target % 4 == 0 && *to < b->flow.count;
}

static void find_jumps(backwards *b)
{
    size_t count = b->flow.count, to;
    memset(b->first, 0, (count + 2) * sizeof *b->first);
    for (size_t i = 0; i < count; i++)
        if (jumps_to(b, i, &to))
            b->first[to + 2]++;
    for (size_t i = 2; i < count + 2; i++)
        b->first[i] += b->first[i - 1];
    for (size_t i = 0; i < count; i++)
        if (jumps_to(b, i, &to))
            b->jumps[b->first[to + 1]++] = i;
}

static void look_before(void *context, size_t at)
{
    backwards *b = context;
    es_check_live now = before(b->live, b->size, (uint32_t)at * 4, b->code[at]);
    if (now.regs == b->live[at].regs && now.words == b->live[at].words)
        return;
    b->live[at] = now;
    if (at)
        es_flow_wait(&b->flow, at - 1);
    for (size_t i = b->first[at]; i < b->first[at + 1]; i++)
        es_flow_wait(&b->flow, b->jumps[i]);
}

const es_insn *es_check_code(es_arena *arena, const uint8_t *code, uint32_t size)
{
    es_insn *insns = es_arena_alloc(arena, (size / 4 + 1) * sizeof *insns);
    for (uint32_t i = 0; i < size / 4; i++)
        insns[i] = es_isa_of_soft_core()->decode(code + (size_t)4 * i, 4);
    return insns;
}

const es_check_live *es_check_live_find(es_arena *arena, const es_insn *code, uint32_t size)
{
    size_t count = size / 4;
    backwards b = {.code = code, .size = size};
    b.live = es_arena_alloc(arena, (count + 1) * sizeof *b.live);
    memset(b.live, 0, count * sizeof *b.live);
    b.first = es_malloc((count + 2) * sizeof *b.first);
    b.jumps = es_malloc((count + 1) * sizeof *b.jumps);
    b.flow = (es_flow){.count = count, .context = &b, .follow = look_before};
    find_jumps(&b);
    es_flow_begin(&b.flow);
    for (size_t i = 0; i < count; i++)
        es_flow_wait(&b.flow, i); /* the last one is looked at first */
    es_flow_run(&b.flow);
    es_flow_end(&b.flow);
    free(b.first);
    free(b.jumps);
    return b.live;
}
