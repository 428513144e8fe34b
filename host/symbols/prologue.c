/* What a procedure does first, whichever way it goes on. */
#include "symbols/internal.h"

/* Whether execution goes on after the instruction, and nowhere else. */
static bool is_plain(es_insn insn)
{
    return es_insn_falls(insn) && !es_insn_is_transfer(insn) && !es_insn_traps(insn);
}

size_t es_symbols_prologue(const es_symbols *symbols, const es_procedure *procedure, const es_store **stores,
                           uint32_t *end)
{
    const symbols_procedure *own = (const symbols_procedure *)procedure;
    size_t count = 0;
    uint32_t pc = procedure->low;
    es_insn insn;
    *stores = own->store_count ? symbols->stores.items + own->first_store : NULL;
    for (; pc < procedure->high && es_symbols_insn(symbols, pc, &insn); pc += insn.size) {
        if (!is_plain(insn))
            break;
        if (!es_insn_stores(insn))
            continue;
        const es_store *store = count < own->store_count ? &(*stores)[count] : NULL;
        if (!store || store->site != pc || store->kind != ES_STORE_FRAME)
            break;
        count++;
    }
    *end = pc;
    return count;
}

bool es_symbols_only_nops(const es_symbols *symbols, uint32_t low, uint32_t high)
{
    es_insn insn;
    while (low < high) {
        if (!es_symbols_insn(symbols, low, &insn) || !es_insn_is_nop(insn))
            return false;
        low += insn.size;
    }
    return low == high;
}
