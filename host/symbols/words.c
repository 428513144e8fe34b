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

bool es_symbols_compressed(const es_symbols *symbols)
{
    return symbols->compressed;
}

size_t es_symbols_code_words(const es_symbols *symbols, const uint32_t **words)
{
    *words = symbols->code_words.items;
    return symbols->code_words.count;
}
