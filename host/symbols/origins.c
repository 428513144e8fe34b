/* Link-time optimisation describes variables of static storage twice: as they were written, and, in a unit of its own,
 * where they are. The latter stay; but a local as the procedure's. */
#include "symbols/internal.h"

#include <stdlib.h>

static int by_origin(const void *a, const void *b)
{
    const symbols_placed *x = a, *y = b;
    return (x->origin > y->origin) - (x->origin < y->origin);
}

void es_symbols_join_origins(es_symbols *symbols, const symbols_placed_list *placed)
{
    SYMBOLS_SORT(placed, by_origin);
    for (size_t i = 0; i < symbols->variables.count && placed->count; i++) {
        symbols_variable *variable = symbols->variables.items[i];
        const symbols_placed key = {.origin = variable->die};
        const symbols_placed *found = variable->public.place != ES_PLACE_NONE
                                          ? NULL
                                          : bsearch(&key, placed->items, placed->count, sizeof key, by_origin);
        if (!found)
            continue;
        symbols_variable *unwanted = variable->public.procedure ? found->variable : variable;
        if (unwanted != variable) {
            variable->public.place = found->variable->public.place;
            variable->public.address = found->variable->public.address;
        }
        unwanted->dropped = true;
    }
    size_t kept = 0;
    for (size_t i = 0; i < placed->count; i++)
        placed->items[i].variable->dropped |= placed->items[i].local;
    for (size_t i = 0; i < symbols->variables.count; i++)
        if (!symbols->variables.items[i]->dropped)
            symbols->variables.items[kept++] = symbols->variables.items[i];
    symbols->variables.count = kept;
}
