/* What a procedure does first, whichever way it goes on. */
#include "symbols/decode.h"
#include "symbols/internal.h"

/* Whether execution goes on behind the instruction, and nowhere else. */
static bool is_plain(const symbols_insn *insn)
{
    switch (insn->op) {
    case SYMBOLS_OP_JAL:
    case SYMBOLS_OP_JALR:
    case SYMBOLS_OP_BRANCH:
    case SYMBOLS_OP_TRAP:
    case SYMBOLS_OP_MRET:
    case SYMBOLS_OP_ILLEGAL:
        return false;
    default:
        return insn->length == 4;
    }
}

size_t es_symbols_prologue(const es_symbols *symbols, const es_procedure *procedure, const es_store **stores, uint32_t *end)
{
    const symbols_procedure *own = (const symbols_procedure *)procedure;
    size_t count = 0;
    uint32_t pc = procedure->low, word;
    *stores = own->store_count ? symbols->stores.items + own->first_store : NULL;
    for (; pc < procedure->high && es_symbols_word(symbols, pc, &word); pc += 4) {
        symbols_insn insn = symbols_decode(word);
        if (!is_plain(&insn))
            break;
        if (insn.op != SYMBOLS_OP_STORE)
            continue;
        const es_store *store = count < own->store_count ? &(*stores)[count] : NULL;
        if (!store || store->site != pc || store->kind != ES_STORE_FRAME)
            break;
        count++;
    }
    *end = pc;
    return count;
}
