#include "prof/tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* Open addressing. */
typedef struct es_prof_slot {
    uint32_t a, b, number; /* number UINT32_MAX: empty */
} slot;

struct es_prof_tables {
    es_prof_numbers arcs_at, nodes_at;
    es_prof_arc *arcs;
    size_t arc_count;
};

static size_t place_of(const es_prof_numbers *n, uint32_t a, uint32_t b)
{
    uint64_t hash = ((uint64_t)a << 32 | b) * UINT64_C(0x9E3779B97F4A7C15);
    size_t at = (size_t)(hash >> 32) & (n->size - 1);
    while (n->slots[at].number != UINT32_MAX && (n->slots[at].a != a || n->slots[at].b != b))
        at = (at + 1) & (n->size - 1);
    return at;
}

static void widen(es_prof_numbers *n)
{
    es_prof_numbers old = *n;
    n->size = old.size ? 2 * old.size : 1024;
    n->slots = es_malloc(n->size * sizeof *n->slots);
    memset(n->slots, 0xFF, n->size * sizeof *n->slots);
    for (size_t i = 0; i < old.size; i++)
        if (old.slots[i].number != UINT32_MAX)
            n->slots[place_of(n, old.slots[i].a, old.slots[i].b)] = old.slots[i];
    free(old.slots);
}

uint32_t *es_prof_number(es_prof_numbers *numbers, uint32_t a, uint32_t b)
{
    es_prof_numbers *n = numbers;
    if (2 * (n->used + 1) > n->size)
        widen(n);
    slot *s = &n->slots[place_of(n, a, b)];
    if (s->number == UINT32_MAX) {
        n->used++;
        s->a = a;
        s->b = b;
    }
    return &s->number;
}

void es_prof_numbers_free(es_prof_numbers *numbers)
{
    free(numbers->slots);
    memset(numbers, 0, sizeof *numbers);
}

void *es_prof_grow(void *items, size_t count, size_t size)
{
    bool full = count == 0 || (count >= 16 && !(count & (count - 1)));
    if (!full)
        return items;
    return es_realloc(items, (count < 16 ? 16 : 2 * count) * size);
}

es_prof_tables *es_prof_tables_new(void)
{
    es_prof_tables *tables = es_malloc(sizeof *tables);
    memset(tables, 0, sizeof *tables);
    return tables;
}

void es_prof_tables_free(es_prof_tables *tables)
{
    if (!tables)
        return;
    free(tables->arcs_at.slots);
    free(tables->nodes_at.slots);
    free(tables->arcs);
    free(tables);
}

es_prof_arc *es_prof_find_arc(es_prof_tables *tables, uint32_t site, uint32_t procedure)
{
    uint32_t *number = es_prof_number(&tables->arcs_at, site, procedure);
    if (*number == UINT32_MAX) {
        *number = (uint32_t)tables->arc_count;
        tables->arcs = es_prof_grow(tables->arcs, tables->arc_count, sizeof *tables->arcs);
        tables->arcs[tables->arc_count++] = (es_prof_arc){.site = site, .procedure = procedure};
    }
    return &tables->arcs[*number];
}

uint32_t *es_prof_find_node(es_prof_tables *tables, uint32_t parent, uint32_t part)
{
    return es_prof_number(&tables->nodes_at, parent, part);
}

size_t es_prof_take_arcs(es_prof_tables *tables, es_prof_arc **arcs)
{
    *arcs = tables->arcs;
    tables->arcs = NULL;
    return tables->arc_count;
}
