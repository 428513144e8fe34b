/* Single instructions and what is known of them, for those who walk the program's code themselves. */
#include "probe_defs.h"
#include "symbols/internal.h"

bool es_symbols_word(const es_symbols *symbols, uint32_t address, uint32_t *word)
{
    uint16_t half;
    if (es_symbols_read_word(symbols, address, word))
        return true;
    if (!es_symbols_read_half(symbols, address, &half))
        return false;
    *word = half;
    return true;
}

const es_isa *es_symbols_isa(const es_symbols *symbols)
{
    return symbols->isa;
}

bool es_symbols_insn(const es_symbols *symbols, uint32_t address, es_insn *insn)
{
    uint8_t bytes[ES_ISA_LARGEST];
    size_t count = 0;
    uint16_t half;
    for (; count < symbols->isa->largest && es_symbols_read_half(symbols, address + (uint32_t)count, &half);
         count += 2) {
        bytes[count] = (uint8_t)half;
        bytes[count + 1] = (uint8_t)(half >> 8);
    }
    if (count < symbols->isa->smallest)
        return false;
    *insn = symbols->isa->decode(bytes, count);
    return insn->size <= count;
}

uint32_t es_symbols_site(const es_symbols *symbols, uint32_t address)
{
    es_insn insn;
    return es_symbols_insn(symbols, address, &insn) ? es_isa_site(address, insn.size) : address;
}

/* The call that ends where a return leads to; 0: there is none of that size. */
static uint32_t call_of_size(const es_symbols *symbols, uint32_t end, unsigned size)
{
    es_insn insn;
    bool is = es_symbols_insn(symbols, end - size, &insn) && insn.size == size && es_insn_is_call(insn);
    return is ? end - size : 0;
}

static bool is_found(const es_symbols *symbols, uint32_t address)
{
    size_t low = 0, high = symbols->calls.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (symbols->calls.items[middle].site < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < symbols->calls.count && symbols->calls.items[low].site == address;
}

uint32_t es_symbols_call_at(const es_symbols *symbols, uint32_t site)
{
    uint32_t end = site + ES_SITE_RETURN, whole, half;
    if (!es_symbols_compressed(symbols))
        return site;
    whole = call_of_size(symbols, end, 4);
    half = call_of_size(symbols, end, 2);
    /* the end of one instruction and a call may look like one call: what was found by following the code decides */
    return half && (!whole || is_found(symbols, half) || !is_found(symbols, whole)) ? half : whole ? whole : site;
}

bool es_symbols_compressed(const es_symbols *symbols)
{
    return symbols->isa->smallest < 4;
}

size_t es_symbols_code_words(const es_symbols *symbols, const uint32_t **words)
{
    *words = symbols->code_words.items;
    return symbols->code_words.count;
}
