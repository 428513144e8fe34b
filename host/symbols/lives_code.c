/* A procedure's code as the search for a variable's place follows it: ways on, and what loads from the place and stores
 * to it. */
#include "symbols/lives.h"

#include <stdlib.h>
#include <string.h>

enum { REG_SP = 2, MAX_INSNS = 1 << 13 };

uint32_t es_lives_address_of(const search *s, size_t index)
{
    return s->procedure->low + 4 * (uint32_t)index;
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
    const es_store *stores;
    size_t count, at = 0;
    uint32_t cfa_end = 0, bytes = s->procedure->high - s->procedure->low;
    if (!es_symbols_stores(s->symbols, s->procedure, &stores, &count) || bytes / 4 > MAX_INSNS || bytes % 4 ||
        calls_setjmp(s))
        return false;
    for (size_t i = 0; i < s->symbols->ranges.count; i++) { /* a part of it lies elsewhere */
        const symbols_range *range = &s->symbols->ranges.items[i];
        if (&range->procedure->public == s->procedure && range->low != s->procedure->low)
            return false;
    }
    s->count = bytes / 4;
    s->insns = es_malloc((s->count + 1) * sizeof *s->insns);
    s->words = es_malloc((s->count + 1) * sizeof *s->words);
    s->depth = es_malloc((s->count + 1) * sizeof *s->depth);
    s->stores = es_malloc((s->count + 1) * sizeof(const es_store *));
    s->table = es_malloc(s->count + 1);
    s->holds = es_malloc(s->count + 1);
    s->listed = es_malloc((s->count + 1) * sizeof *s->listed);
    memset(s->table, 0, s->count + 1);
    for (size_t i = 0; i < s->symbols->code_words.count; i++) {
        uint32_t word = s->symbols->code_words.items[i];
        if (word > s->procedure->low && word < s->procedure->high)
            s->table[(word - s->procedure->low) / 4] = true;
    }
    for (size_t i = 0; i < s->count; i++) {
        uint32_t pc = es_lives_address_of(s, i);
        unsigned reg = 0;
        if (!es_symbols_read_word(s->symbols, pc, &s->words[i]))
            return false;
        s->insns[i] = es_symbols_decode(s->words[i]);
        s->stores[i] = NULL;
        for (; at < count && stores[at].site <= pc; at++)
            if (stores[at].site == pc)
                s->stores[i] = &stores[at];
        s->depth[i] = i ? s->depth[i - 1] : -1;
        if (pc >= cfa_end && (!es_symbols_cfa_at(s->symbols, pc, &reg, &s->depth[i], &cfa_end) || reg != REG_SP))
            s->depth[i] = -1;
    }
    return true;
}

/* Whether execution may go on at instruction `to` behind `from`. */
bool es_lives_goes_on_at(const search *s, size_t from, size_t to)
{
    const symbols_insn *insn = &s->insns[from];
    bool direct = (insn->op == SYMBOLS_OP_BRANCH || insn->op == SYMBOLS_OP_JAL) && !lives_is_call(insn) &&
                  es_lives_address_of(s, from) + (uint32_t)insn->imm == es_lives_address_of(s, to);
    if (insn->op == SYMBOLS_OP_JALR && lives_is_jump(insn))
        return !lives_is_link(insn->rs1) && s->table[to];
    return direct || (!lives_is_jump(insn) && to == from + 1);
}

/* Whether the instruction, which is no call, loads register reg from the place. */
bool es_lives_loads_place(const search *s, size_t i, unsigned reg)
{
    unsigned width = s->words[i] >> 12 & 3;
    return (s->words[i] & 0x7F) == 0x03 && s->insns[i].rd == reg && s->insns[i].rs1 == REG_SP && s->depth[i] >= 0 &&
           s->insns[i].imm - s->depth[i] == s->offset && 1u << width >= s->size;
}

/* Bytes that a store writes of the place: 0 none, 1 some, 2 all from its first one on. */
int es_lives_stores_place(const search *s, size_t i)
{
    const es_store *store = s->stores[i];
    if (!store || (store->kind != ES_STORE_FRAME && !store->above))
        return 0;
    int64_t low = store->cfa_offset, high = low + s->insns[i].size, first = s->offset, end = first + s->size;
    if (low >= end || high <= first)
        return 0;
    return low == first && high >= end ? 2 : 1;
}

/* Adds where execution may go on behind instruction i to a list of what is to be looked at. */
static size_t add_ways(const search *s, size_t i, bool *seen, size_t *list, size_t count)
{
    const symbols_insn *insn = &s->insns[i];
    bool through_register = insn->op == SYMBOLS_OP_JALR && lives_is_jump(insn);
    size_t target = (es_lives_address_of(s, i) + (uint32_t)insn->imm - s->procedure->low) / 4;
    for (size_t to = through_register ? 0 : i + 1; to < s->count;) {
        if (!seen[to] && es_lives_goes_on_at(s, i, to)) {
            seen[to] = true;
            list[count++] = to;
        }
        to = through_register ? to + 1 : to == target ? s->count : target;
    }
    return count;
}

/* Whether the register that an instruction writes reaches the place, itself or a copy, on any way. Then it is the
 * variable's new value, and a list that has it on the stack at once means a store that is still to come. */
bool es_lives_is_stored_later(const search *s, size_t from)
{
    unsigned reg = s->insns[from].rd;
    bool *seen = es_malloc(s->count + 1), found = false;
    size_t *list = es_malloc((s->count + 1) * sizeof *list);
    memset(seen, 0, s->count + 1);
    size_t count = add_ways(s, from, seen, list, 0);
    while (count && !found) {
        size_t i = list[--count];
        const symbols_insn *insn = &s->insns[i];
        bool stored = es_lives_stores_place(s, i) != 0;
        found = stored ? insn->rs2 == reg
                       : insn->op == SYMBOLS_OP_ADDI && insn->rs1 == reg && insn->imm == 0 && insn->rd != reg;
        if (!stored && insn->rd != reg && (!lives_is_call(insn) || lives_is_kept(reg)))
            count = add_ways(s, i, seen, list, count);
    }
    free(seen);
    free(list);
    return found;
}
