/* Whether somebody takes what a procedure returns.
 *
 * GCC's ipa-sra makes f.isra.0 of an f of whose callers none needs the result: its register holds anything then, and
 * debug information still has f's type. But it does so for all callers of the clone or for none; so one that reads the
 * register after a call, before anything sets it, shows that there is a result. */
#include "symbols/values_private.h"

enum {
    PLACES_MAX = 256, /* instructions that are looked at after one call: what is further away counts as not read */
    CALLERS_DEEP = 8, /* results that are handed on by callers of callers */
};

typedef struct search {
    const es_symbols *symbols;
    unsigned reg;                /* DWARF's number */
    uint32_t places[PLACES_MAX]; /* where the register still has what the call has left in it */
    size_t count;
    const es_procedure *caller;
    unsigned depth;
} search;

static bool is_taken(const es_symbols *symbols, const es_procedure *procedure, unsigned reg, unsigned depth);

static void go_to(search *s, uint32_t address)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->places[i] == address)
            return;
    if (s->count < PLACES_MAX)
        s->places[s->count++] = address;
}

static bool reads(const search *s, es_insn insn)
{
    if (s->reg >= ES_INSN_FOREIGN)
        return insn.kind == ES_INSN_STORE && insn.foreign && es_insn_stored(insn) == s->reg;
    return insn.kind < ES_INSN_TRAP && insn.kind != ES_INSN_SEVERAL && insn.kind != ES_INSN_UNKNOWN &&
           (insn.rs1 == s->reg || (insn.rs2 == s->reg && !insn.foreign));
}

/* The procedure returns with the register as it is: as its own result, if it has one. */
static bool hands_on(const es_symbols *symbols, const es_procedure *procedure, unsigned reg, unsigned depth)
{
    es_result own;
    if (!procedure || depth == 0)
        return false;
    if (((const symbols_procedure *)procedure)->may_drop)
        return is_taken(symbols, procedure, reg, depth - 1);
    own = es_symbols_result(symbols, procedure);
    return !own.why && !own.in_memory && own.reg == reg;
}

/* What is executed after an instruction that leaves the register as it is. */
static bool follow(search *s, es_insn insn, uint32_t at)
{
    es_ways ways = es_insn_ways(insn, at);
    if (insn.kind == ES_INSN_RETURN)
        return es_symbols_procedure_at(s->symbols, at) == s->caller &&
               hands_on(s->symbols, s->caller, s->reg, s->depth);
    if (ways.jumps || ways.calls) /* an argument of what is called, where that reads it */
        go_to(s, ways.target);
    if (ways.next && !es_insn_is_call(insn))
        go_to(s, at + insn.size);
    return false;
}

static bool reads_after(const es_symbols *symbols, const es_call_site *call, unsigned reg, unsigned depth)
{
    search s = {.symbols = symbols, .reg = reg, .caller = call->caller, .depth = depth};
    go_to(&s, call->site + call->size);
    for (size_t i = 0; i < s.count; i++) {
        es_insn insn;
        if (!es_symbols_insn(symbols, s.places[i], &insn) || insn.kind == ES_INSN_ILLEGAL)
            continue;
        if (reads(&s, insn))
            return true;
        if (!es_insn_changes(insn, reg) && follow(&s, insn, s.places[i]))
            return true;
    }
    return false;
}

static bool is_taken(const es_symbols *symbols, const es_procedure *procedure, unsigned reg, unsigned depth)
{
    const es_call_site *calls;
    size_t count = es_symbols_calls(symbols, &calls);
    for (size_t i = 0; i < count; i++)
        if (calls[i].callee == procedure && (calls[i].is_tail ? hands_on(symbols, calls[i].caller, reg, depth)
                                                              : reads_after(symbols, &calls[i], reg, depth)))
            return true;
    return false;
}

bool es_symbols_keeps_result(const es_symbols *symbols, const es_procedure *procedure, unsigned reg, bool in_memory)
{
    if (!((const symbols_procedure *)procedure)->may_drop)
        return true;
    return !in_memory && is_taken(symbols, procedure, reg, CALLERS_DEEP);
}
