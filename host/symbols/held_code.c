/* A procedure's code as the search for a variable's place follows it: where it goes on, and what loads from the place
 * and stores to it. */
#include "symbols/held.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_INSNS = 1 << 13 }; /* as many as there is room for */

size_t es_lives_number_of(const search *s, uint32_t address)
{
    uint32_t offset = address - s->procedure->low, smallest = s->symbols->isa->smallest;
    if (offset >= s->procedure->high - s->procedure->low || offset % smallest || !s->numbers[offset / smallest])
        return s->count;
    return s->numbers[offset / smallest] - 1;
}

/* A call that returns twice, the second time with what has happened to the stack since. */
static bool calls_setjmp(const search *s)
{
    static const char *const names[] = {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "getcontext", "vfork"};
    for (size_t i = 0; i < s->symbols->calls.count; i++) {
        const es_call_site *site = &s->symbols->calls.items[i];
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (site->caller == s->procedure && site->callee && strcmp(site->callee->name, names[k]) == 0)
                return true;
    }
    return false;
}

/* False: the procedure's code cannot be followed. */
bool es_lives_read_code(search *s)
{
    const es_isa *isa = s->symbols->isa;
    const es_store *stores;
    size_t count, at = 0;
    uint32_t cfa_end = 0, bytes = s->procedure->high - s->procedure->low;
    if (!es_symbols_stores(s->symbols, s->procedure, &stores, &count) || bytes / isa->smallest > MAX_INSNS ||
        bytes % isa->smallest || calls_setjmp(s))
        return false;
    for (size_t i = 0; i < s->symbols->ranges.count; i++) { /* a part of it lies elsewhere */
        const symbols_range *range = &s->symbols->ranges.items[i];
        if (&range->procedure->public == s->procedure && range->low != s->procedure->low)
            return false;
    }
    size_t most = bytes / isa->smallest;
    s->insns = es_malloc((most + 1) * sizeof *s->insns);
    s->at = es_malloc((most + 1) * sizeof *s->at);
    s->numbers = es_malloc((most + 1) * sizeof *s->numbers);
    s->depth = es_malloc((most + 1) * sizeof *s->depth);
    s->stores = es_malloc((most + 1) * sizeof(const es_store *));
    s->table = es_malloc(most + 1);
    s->holds = es_malloc(most + 1);
    s->listed = es_malloc((most + 1) * sizeof *s->listed);
    memset(s->numbers, 0, (most + 1) * sizeof *s->numbers);
    memset(s->table, 0, most + 1);
    uint32_t pc = s->procedure->low;
    for (; pc < s->procedure->high; pc += s->insns[s->count++].size) {
        size_t i = s->count;
        unsigned reg = 0;
        if (!es_symbols_insn(s->symbols, pc, &s->insns[i]))
            return false;
        s->at[i] = pc;
        s->numbers[(pc - s->procedure->low) / isa->smallest] = i + 1;
        s->stores[i] = NULL;
        for (; at < count && stores[at].site <= pc; at++)
            if (stores[at].site == pc)
                s->stores[i] = &stores[at];
        s->depth[i] = i ? s->depth[i - 1] : -1;
        if (pc >= cfa_end && (!es_symbols_cfa_at(s->symbols, pc, &reg, &s->depth[i], &cfa_end) ||
                              es_isa_register(isa, reg) != isa->stack))
            s->depth[i] = -1;
    }
    s->at[s->count] = pc;
    for (size_t i = 0; i < s->symbols->code_words.count; i++) {
        size_t to = es_lives_number_of(s, s->symbols->code_words.items[i]);
        if (to && to < s->count)
            s->table[to] = true;
    }
    return true;
}

/* Calls `visit` for each instruction of the procedure at which execution may go on after instruction `from`. */
void es_lives_each_way(const search *s, size_t from, void (*visit)(void *context, size_t to), void *context)
{
    es_ways ways = es_insn_ways(s->insns[from], s->at[from]);
    size_t there = es_lives_number_of(s, ways.target);
    for (size_t to = 0; s->insns[from].kind == ES_INSN_JUMP_REGISTER && to < s->count; to++)
        if (s->table[to])
            visit(context, to);
    if (ways.next && from + 1 < s->count)
        visit(context, from + 1);
    if (ways.jumps && there < s->count)
        visit(context, there);
}

/* Whether the instruction, which is no call, loads register reg from the place. */
bool es_lives_loads_place(const search *s, size_t i, unsigned reg)
{
    const es_insn *insn = &s->insns[i];
    return insn->kind == ES_INSN_LOAD && (insn->foreign ? insn->foreign_rd : insn->rd) == reg &&
           insn->rs1 == s->symbols->isa->stack && s->depth[i] >= 0 && insn->imm - s->depth[i] == s->offset &&
           insn->bytes >= s->size;
}

/* Bytes that a store writes of the place: 0 none, 1 some, 2 all from its first one on. */
int es_lives_stores_place(const search *s, size_t i)
{
    const es_store *store = s->stores[i];
    if (!store || (store->kind != ES_STORE_FRAME && !store->above))
        return 0;
    int64_t low = store->cfa_offset, high = low + s->insns[i].bytes, first = s->offset, end = first + s->size;
    if (low >= end || high <= first)
        return 0;
    return low == first && high >= end ? 2 : 1;
}

/* A register's new value on its paths through the code. */
typedef struct carried {
    const search *s;
    es_flow flow;
    unsigned reg;
    bool stored;
} carried;

static void carry_to(void *context, size_t to)
{
    carried *c = context;
    es_flow_reach(&c->flow, to, NULL);
}

static void carry(void *context, size_t at)
{
    carried *c = context;
    es_insn insn = c->s->insns[at];
    bool stored = es_lives_stores_place(c->s, at) != 0;
    if (c->stored)
        return;
    c->stored =
        stored ? es_insn_stored(insn) == c->reg : es_insn_copies(insn) && insn.rs1 == c->reg && insn.rd != c->reg;
    if (!stored && insn.rd != c->reg && (!es_insn_is_call(insn) || lives_is_kept(c->s, c->reg)))
        es_lives_each_way(c->s, at, carry_to, c);
}

/* Whether the register that an instruction writes reaches the place, itself or a copy, on any way. Then it is the
 * variable's new value, and a list that has it on the stack at once means a store that is still to come. */
bool es_lives_is_stored_later(const search *s, size_t from)
{
    carried c = {.s = s, .reg = s->insns[from].rd};
    if (!c.reg) /* one of another file, whose copies are not followed */
        return true;
    c.flow = (es_flow){.count = s->count, .context = &c, .follow = carry};
    es_flow_begin(&c.flow);
    es_lives_each_way(s, from, carry_to, &c);
    es_flow_run(&c.flow);
    es_flow_end(&c.flow);
    return c.stored;
}
