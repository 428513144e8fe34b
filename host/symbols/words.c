/* Single instructions and what is known of them, for those who walk the program's code themselves. */
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

bool es_symbols_compressed(const es_symbols *symbols)
{
    return symbols->isa->smallest < 4;
}

size_t es_symbols_code_words(const es_symbols *symbols, const uint32_t **words)
{
    *words = symbols->code_words.items;
    return symbols->code_words.count;
}
