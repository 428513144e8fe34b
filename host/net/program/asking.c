#include "net/program/asking.h"

#include <stdlib.h>

#include "isa/flow.h"
#include "isa/isa.h"
#include "net/program/templates.h"
#include "symbols/code.h"

#define STEPS_MAX 1000 /* instructions between two marks of a loop that only asks; far more than there ever are */
#define SEARCH_MAX 100000

typedef struct proof {
    es_arena *arena;
    const es_symbols *symbols;
    const es_isa *isa;
    const es_net_mark_place *marks;
    size_t count;
    uint32_t changed; /* registers, by bit */
    const char *why;
} proof;

static bool refuse(proof *p, const char *what, uint32_t address)
{
    const char *file = "?";
    unsigned line = 0;
    if (es_symbols_line(p->symbols, address, &file, &line))
        p->why = es_arena_format(p->arena, "%s at 0x%x (%s:%u)", what, (unsigned)address, file, line);
    else
        p->why = es_arena_format(p->arena, "%s at 0x%x", what, (unsigned)address);
    return false;
}

/* The mark that begins there, or SIZE_MAX. */
static size_t mark_at(const proof *p, uint32_t address)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->marks[i].begin == address)
            return i;
    return SIZE_MAX;
}

/* --- the way round -------------------------------------------------------------------------------- */

/* Straight on to the next mark; at a branch, *branch is where it stands and the answer SIZE_MAX - 1. SIZE_MAX:
 * refused. */
static size_t straight(proof *p, uint32_t from, bool may_load, uint32_t *branch)
{
    for (unsigned steps = 0; steps < STEPS_MAX; steps++) {
        size_t mark = mark_at(p, from);
        es_insn insn;
        if (mark != SIZE_MAX)
            return mark;
        if (!es_symbols_insn(p->symbols, from, &insn))
            break;
        bool plain = insn.kind == ES_INSN_CONSTANT || insn.kind == ES_INSN_ADDRESS || insn.kind == ES_INSN_JUMP ||
                     (insn.kind == ES_INSN_COMPUTE && !es_insn_divides(insn)) ||
                     (insn.kind == ES_INSN_LOAD && may_load && !insn.foreign);
        if (insn.kind == ES_INSN_BRANCH && branch) {
            *branch = from;
            return SIZE_MAX - 1;
        }
        if (!plain || insn.foreign_rd) {
            refuse(p, insn.kind == ES_INSN_BRANCH ? "a branch" : "an instruction that may do more", from);
            return SIZE_MAX;
        }
        may_load &= insn.kind != ES_INSN_LOAD; /* one: the test itself */
        p->changed |= insn.rd ? 1u << insn.rd : 0;
        es_ways ways = es_insn_ways(insn, from);
        from = ways.jumps ? ways.target : from + insn.size;
    }
    refuse(p, "the way does not end", from);
    return SIZE_MAX;
}

/* From the test, one way leads straight to `none` and the other to `recv`. `several`: other tests lead to the same
 * receive, so that what is changed on the way to it may be another thing. */
static bool branches(proof *p, const es_net_asking_test *test, bool several)
{
    uint32_t at = 0;
    es_insn insn;
    size_t next = straight(p, p->marks[test->mark].end, true, &at);
    if (next == SIZE_MAX)
        return false;
    if (next != SIZE_MAX - 1 || !es_symbols_insn(p->symbols, at, &insn))
        return refuse(p, "no branch follows the test", p->marks[test->mark].end);
    const uint32_t ways[2] = {at + insn.size, es_insn_ways(insn, at).target};
    bool none = false, recv = false;
    for (int i = 0; i < 2; i++) {
        const uint32_t before = p->changed;
        size_t to = straight(p, ways[i], false, NULL);
        if (to == test->recv && !several)
            p->changed = before;
        none |= to == test->none;
        recv |= to == test->recv;
    }
    return (none && recv) || refuse(p, "the test does not lead straight to either mark", p->marks[test->mark].end);
}

/* From `none` over the program's marks back to a test: which; SIZE_MAX: refused. The marks on the way are noted. */
static size_t back(proof *p, const es_net_asking_test *tests, size_t count, const es_net_asking_test *test, bool *way)
{
    size_t at = test->none;
    for (size_t steps = 0; steps <= p->count; steps++) {
        way[at] = true;
        at = straight(p, p->marks[at].end, false, NULL);
        if (at == SIZE_MAX)
            return SIZE_MAX;
        for (size_t i = 0; i < count; i++)
            if (tests[i].mark == at) {
                if (tests[i].recv == test->recv && tests[i].none == test->none)
                    return i;
                at = SIZE_MAX; /* a test of something else */
                refuse(p, "it asks for something else", p->marks[tests[i].mark].begin);
                return at;
            }
        if (p->marks[at].id >=
            ES_NET_MP_SEND_BEGIN) { /* one of the library's: it does not ask again, and nothing is to be said */
            p->why = NULL;
            return SIZE_MAX;
        }
    }
    return SIZE_MAX;
}

/* --- what asking changes --------------------------------------------------------------------------- */

typedef struct visit {
    uint32_t address, registers;
} visit;

typedef struct search {
    proof *p;
    visit *todo, *seen;
    size_t todo_count, seen_count;
} search;

static void go_to(search *s, uint32_t address, uint32_t registers)
{
    if (!registers)
        return;
    for (size_t i = 0; i < s->seen_count; i++)
        if (s->seen[i].address == address) {
            if (!(registers & ~s->seen[i].registers))
                return;
            s->seen[i].registers |= registers;
            registers = s->seen[i].registers;
            s->todo = es_arena_grow(s->p->arena, s->todo, s->todo_count, sizeof *s->todo);
            s->todo[s->todo_count++] = (visit){address, registers};
            return;
        }
    s->seen = es_arena_grow(s->p->arena, s->seen, s->seen_count, sizeof *s->seen);
    s->seen[s->seen_count++] = (visit){address, registers};
    s->todo = es_arena_grow(s->p->arena, s->todo, s->todo_count, sizeof *s->todo);
    s->todo[s->todo_count++] = (visit){address, registers};
}

/* Registers that the instruction reads, or that may matter where it leads to. */
static uint32_t reads(const es_isa *isa, es_insn insn)
{
    uint32_t own = (insn.rs1 ? 1u << insn.rs1 : 0) | (insn.rs2 && !insn.foreign ? 1u << insn.rs2 : 0);
    uint32_t arguments = 0, results = 0;
    for (unsigned i = 0; i < isa->arguments; i++)
        arguments |= 1u << (isa->argument + i);
    for (unsigned i = 0; i < isa->results; i++)
        results |= 1u << (isa->argument + i);
    switch (insn.kind) {
    case ES_INSN_CONSTANT:
    case ES_INSN_ADDRESS:
    case ES_INSN_COMPUTE:
    case ES_INSN_LOAD:
    case ES_INSN_STORE:
    case ES_INSN_ATOMIC:
    case ES_INSN_BRANCH:
    case ES_INSN_JUMP:
    case ES_INSN_CONTROL:
    case ES_INSN_FENCE: return own;
    case ES_INSN_CALL: return own | arguments;
    case ES_INSN_RETURN: return own | isa->saved | results;
    default: return UINT32_MAX;
    }
}

/* Are all these registers written before they are read, from there on? */
static bool are_dead(proof *p, uint32_t from, uint32_t registers)
{
    search s = {.p = p};
    go_to(&s, from, registers);
    for (unsigned steps = 0; s.todo_count; steps++) {
        visit v = s.todo[--s.todo_count];
        es_insn insn;
        if (steps == SEARCH_MAX || !es_symbols_insn(p->symbols, v.address, &insn))
            return refuse(p, "what follows is not known", v.address);
        if (v.registers & reads(p->isa, insn))
            return refuse(p, "what asking changes is used", v.address);
        v.registers &= ~(insn.rd ? 1u << insn.rd : 0);
        es_ways ways = es_insn_ways(insn, v.address);
        if (insn.kind == ES_INSN_CALL) /* what callees do not keep they may change: nobody reads it after them */
            v.registers &= p->isa->saved;
        if (ways.next || insn.kind == ES_INSN_CALL)
            go_to(&s, v.address + insn.size, v.registers);
        if (ways.jumps)
            go_to(&s, ways.target, v.registers);
    }
    return true;
}

/* --- all ------------------------------------------------------------------------------------------ */

static bool prove(proof *p, const es_net_asking_test *tests, size_t count, size_t index, bool *way)
{
    const es_net_asking_test *test = &tests[index];
    size_t alike = 0;
    p->changed = 0;
    p->why = NULL;
    if (back(p, tests, count, test, way) == SIZE_MAX)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (tests[i].none == test->none && tests[i].recv != test->recv)
            return refuse(p, "it asks for several things", p->marks[tests[i].mark].begin);
        alike += tests[i].none == test->none;
    }
    for (size_t i = 0; i < count; i++)
        if (tests[i].none == test->none && !branches(p, &tests[i], alike > 1))
            return false;
    return are_dead(p, p->marks[test->recv].begin, p->changed);
}

es_net_asking es_net_asking_find(es_arena *arena, const es_symbols *symbols, const es_net_mark_place *marks,
                                 size_t count, const es_net_asking_test *tests, size_t test_count)
{
    es_net_asking found = {.idle = es_arena_alloc(arena, (count + 1) * sizeof *found.idle),
                           .why = es_arena_alloc(arena, (test_count + 1) * sizeof *found.why),
                           .asks = es_arena_alloc(arena, (test_count + 1) * sizeof *found.asks)};
    bool *way = es_arena_alloc(arena, (count + 1) * sizeof *way);
    proof p = {arena, symbols, es_symbols_isa(symbols), marks, count, 0, NULL};
    for (size_t i = 0; i < test_count; i++) {
        for (size_t m = 0; m < count; m++)
            way[m] = false;
        found.asks[i] = prove(&p, tests, test_count, i, way);
        found.why[i] = found.asks[i] ? NULL : p.why;
        for (size_t m = 0; m < count; m++)
            found.idle[m] |= found.asks[i] && way[m];
    }
    return found;
}
