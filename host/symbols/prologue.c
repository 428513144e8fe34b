/* What a procedure does first, whichever way it goes on. */
#include "symbols/decode.h"
#include "symbols/internal.h"

#define NOP 0x00000013 /* addi zero, zero, 0 */
#define NOP_SHORT 0x0001

/* Whether execution goes on behind the instruction, and nowhere else. */
static bool is_plain(const symbols_insn *insn)
{
    switch (insn->op) {
    case SYMBOLS_OP_JAL:
    case SYMBOLS_OP_JALR:
    case SYMBOLS_OP_BRANCH:
    case SYMBOLS_OP_TRAP:
    case SYMBOLS_OP_MRET:
    case SYMBOLS_OP_ILLEGAL: return false;
    default: return insn->length == 4;
    }
}

size_t es_symbols_prologue(const es_symbols *symbols, const es_procedure *procedure, const es_store **stores,
                           uint32_t *end)
{
    const symbols_procedure *own = (const symbols_procedure *)procedure;
    size_t count = 0;
    uint32_t pc = procedure->low, word;
    *stores = own->store_count ? symbols->stores.items + own->first_store : NULL;
    for (; pc < procedure->high && es_symbols_word(symbols, pc, &word); pc += 4) {
        symbols_insn insn = es_symbols_decode(word);
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

bool es_symbols_only_nops(const es_symbols *symbols, uint32_t low, uint32_t high)
{
    while (low < high) {
        uint32_t word;
        uint16_t half;
        if (!es_symbols_read_half(symbols, low, &half))
            return false;
        if (half == NOP_SHORT)
            low += 2;
        else if (es_symbols_read_word(symbols, low, &word) && word == NOP)
            low += 4;
        else
            return false;
    }
    return low == high;
}
