/* Whether the first statement of an inlined copy begins where the copy does, and not before the caller decides about
 * it: the compiler sometimes moves a statement's mark, along with an instruction, to before the branch that the
 * statement comes after in the source. Then less than half of the copy is executed before that branch, and where it
 * leads decides whether the copy's further statements are. */
#include "symbols/code.h"
#include "symbols/internal.h"

enum { WAYS_MAX = 4096 }; /* so many instructions are looked at */

typedef struct ways {
    const es_symbols *symbols;
    symbols_inlined_copy *copy;
    const uint32_t *entries;
    size_t entry_count;
    SYMBOLS_LIST(uint32_t) seen;
} ways;

static bool is_entry(const ways *w, uint32_t address)
{
    for (size_t i = 0; i < w->entry_count; i++)
        if (w->entries[i] == address)
            return true;
    return false;
}

static void visit(ways *w, uint32_t address)
{
    const es_procedure *caller = w->copy->public.caller;
    if (w->seen.count == WAYS_MAX || is_entry(w, address) || address < caller->low || address >= caller->high)
        return;
    for (size_t i = 0; i < w->seen.count; i++)
        if (w->seen.items[i] == address)
            return;
    SYMBOLS_PUSH(w->symbols, &w->seen, address);
}

/* A statement of the copy begins there, in its code. */
static bool begins_statement(const ways *w, uint32_t address)
{
    const es_symbols *symbols = w->symbols;
    if (!es_symbols_copy_holds(w->copy, address))
        return false;
    for (size_t i = es_symbols_row_from(symbols, address);
         i < symbols->lines.count && symbols->lines.items[i].address == address; i++)
        if (symbols->lines.items[i].statement && es_symbols_is_line_of(symbols, w->copy, &symbols->lines.items[i]))
            return true;
    return false;
}

/* Whether execution that goes on at an address can come to a statement of the copy before its next entry. *known: it is
 * known where it goes. */
static bool reaches(ways w, uint32_t from, bool *known)
{
    w.seen.count = 0;
    w.seen.items = NULL;
    visit(&w, from);
    for (size_t i = 0; i < w.seen.count; i++) {
        uint32_t at = w.seen.items[i];
        es_insn insn;
        if (begins_statement(&w, at))
            return true;
        bool is_code = es_symbols_insn(w.symbols, at, &insn);
        es_ways on = es_insn_ways(insn, at);
        *known &= is_code && (!on.computed || on.next || insn.kind == ES_INSN_RETURN);
        if (on.jumps)
            visit(&w, on.target);
        if (on.next)
            visit(&w, at + insn.size);
    }
    *known &= w.seen.count < WAYS_MAX;
    return false;
}

/* How many instructions of the copy there are. */
static size_t length(const ways *w)
{
    size_t count = 0;
    es_insn insn;
    for (size_t i = 0; i < w->copy->code.count; i++)
        for (uint32_t at = w->copy->code.items[i].low;
             at < w->copy->code.items[i].high && es_symbols_insn(w->symbols, at, &insn); at += insn.size)
            count++;
    return count;
}

bool es_symbols_begins_early(const es_symbols *symbols, symbols_inlined_copy *copy, const uint32_t *entries,
                             size_t count, uint32_t entry)
{
    ways w = {.symbols = symbols, .copy = copy, .entries = entries, .entry_count = count};
    size_t done = 0;
    uint32_t at = entry;
    for (unsigned i = 0; i < WAYS_MAX && (at == entry || !is_entry(&w, at)); i++) {
        es_insn insn;
        bool in_copy = es_symbols_copy_holds(copy, at), known = true;
        if ((at != entry && begins_statement(&w, at)) || !es_symbols_insn(symbols, at, &insn))
            return false;
        es_ways on = es_insn_ways(insn, at);
        if (on.jumps && on.next)
            return !in_copy && 2 * done < length(&w) &&
                   reaches(w, on.target, &known) != reaches(w, at + insn.size, &known) && known;
        if (!on.jumps && (!on.next || on.calls || on.computed))
            return false;
        done += in_copy;
        at = on.jumps ? on.target : at + insn.size;
    }
    return false;
}
