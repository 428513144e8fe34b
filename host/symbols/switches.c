/* Where stacks are switched by hand: out of what followed.c and strays.c have met, what no start-up code or interrupt
 * handler does for itself. */
#include "symbols/internal.h"

#include <stdlib.h>
#include <string.h>

/* Whether other procedures store to the place: then what is loaded from there may be another stack's. */
static bool stored_elsewhere(const es_symbols *symbols, const symbols_switch *found)
{
    const es_procedure *own = &found->procedure->public;
    for (size_t i = 0; i < symbols->stores.count; i++) {
        const es_store *store = &symbols->stores.items[i];
        if (store->kind == ES_STORE_CONSTANT && store->address == found->place &&
            (store->site < own->low || store->site >= own->high))
            return true;
    }
    return false;
}

static bool is_switch(const es_symbols *symbols, const symbols_switch *found)
{
    if (!found->procedure)
        return true;
    const es_procedure *own = &found->procedure->public;
    uint32_t entry = es_symbols_entry(symbols);
    if (own->low <= entry && entry < own->high)
        return false;
    return !own->is_interrupt || found->of == SYMBOLS_SWITCH_ANY ||
           (found->of == SYMBOLS_SWITCH_KEPT && stored_elsewhere(symbols, found));
}

static int by_address(const void *left, const void *right)
{
    const es_switch *a = left, *b = right;
    return a->address < b->address ? -1 : a->address > b->address;
}

size_t es_symbols_switches(const es_symbols *symbols, es_arena *arena, es_switch **switches)
{
    size_t count = 0;
    es_switch *list = es_arena_alloc(arena, (symbols->switches.count + 1) * sizeof *list);
    for (size_t i = 0; i < symbols->switches.count; i++) {
        const symbols_switch *found = &symbols->switches.items[i];
        const es_procedure *procedure = found->procedure ? &found->procedure->public : NULL;
        if (is_switch(symbols, found))
            list[count++] = (es_switch){found->address, procedure, procedure && strstr(procedure->name, "longjmp")};
    }
    if (count)
        qsort(list, count, sizeof *list, by_address);
    *switches = list;
    return count;
}

/* --- which variable may name the stack that runs ------------------------------------------------------------------ */

typedef struct candidates {
    const es_variable **found;
    size_t count, max;
} candidates;

/* It points to a control block, or what looks like one: a struct, or void. */
static bool may_name_stacks(const es_variable *variable)
{
    const es_type *type = variable ? variable->type : NULL;
    return type && type->kind == ES_TYPE_POINTER && (!type->of || type->of->kind == ES_TYPE_STRUCT);
}

static void add_candidate(candidates *c, const es_variable *variable)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->found[i] == variable)
            return;
    if (c->count < c->max)
        c->found[c->count++] = variable;
}

static void add_written(candidates *c, const es_symbols *symbols, const es_procedure *procedure)
{
    const es_store *stores;
    size_t count;
    es_symbols_stores(symbols, procedure, &stores, &count);
    for (size_t i = 0; i < count; i++) {
        const es_variable *variable =
            stores[i].kind == ES_STORE_CONSTANT ? es_symbols_variable_at(symbols, stores[i].address) : NULL;
        if (may_name_stacks(variable))
            add_candidate(c, variable);
    }
}

size_t es_symbols_switched_by(const es_symbols *symbols, const es_variable **found, size_t max)
{
    candidates c = {.found = found, .max = max};
    for (size_t i = 0; i < symbols->switches.count; i++) {
        const symbols_switch *at = &symbols->switches.items[i];
        if (!at->procedure || !is_switch(symbols, at))
            continue;
        add_written(&c, symbols, &at->procedure->public);
        for (size_t k = 0; k < symbols->calls.count; k++)
            if (symbols->calls.items[k].callee == &at->procedure->public)
                add_written(&c, symbols, symbols->calls.items[k].caller);
    }
    return c.count;
}
