/* From an address back to the variable that begins there. */
#include "symbols/internal.h"

const es_variable *es_symbols_variable_at(const es_symbols *symbols, uint32_t address)
{
    const es_variable *best = NULL;
    for (size_t i = 0; i < symbols->variables.count; i++) {
        const es_variable *variable = &symbols->variables.items[i]->public;
        if (variable->place != ES_PLACE_STATIC || variable->address != address)
            continue;
        if (!best || (best->procedure && !variable->procedure))
            best = variable;
    }
    return best;
}
