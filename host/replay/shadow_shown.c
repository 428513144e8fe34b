/* Cells of what is no variable of a procedure: registers, results, depths of stacks, numbers, constants. */
#include <string.h>

#include "base/endian.h"
#include "replay/shadow_private.h"

static void show_register(es_shadow_tracker *t, cell *c, bool known)
{
    uint32_t size = c->shadow->size;
    bool big = es_symbols_big_endian(t->symbols);
    uint64_t value, unknown;
    es_shadow_register(es_shadow_registers(t), c->shadow->reg, &value, &unknown);
    if (c->shadow->reg < 32 && size > 4) { /* in two */
        uint64_t next, next_unknown;
        es_shadow_register(es_shadow_registers(t), c->shadow->reg + 1, &next, &next_unknown);
        value = big ? value << 32 | next : value | next << 32;
        unknown = big ? unknown << 32 | next_unknown : unknown | next_unknown << 32;
    }
    es_endian_put(t->room, size, known ? value & ~unknown : 0, big);
    es_endian_put(t->room_unknown, size, known ? unknown : UINT64_MAX, big);
    es_shadow_tell(t, c, t->room, t->room_unknown, NULL, NULL);
}

/* What the caller's memory has, where the procedure was told to put it. */
static void show_returned_memory(es_shadow_tracker *t, cell *c, const record *of)
{
    uint32_t size = c->shadow->size;
    uint64_t where = 0, unknown = UINT64_MAX;
    if (of && of->entry)
        es_shadow_register(of->entry, c->shadow->reg, &where, &unknown);
    memset(t->room, 0, size);
    memset(t->room_unknown, 0xFF, size);
    if (!(uint32_t)unknown)
        es_shadow_read(t, (uint32_t)where, size, t->room, t->room_unknown);
    for (uint32_t i = 0; i < size; i++)
        t->room[i] &= (uint8_t)~t->room_unknown[i];
    es_shadow_tell(t, c, t->room, t->room_unknown, NULL, NULL);
}

void es_shadow_show_result(es_shadow_tracker *t, const es_shadow *shadow, const record *of)
{
    for (size_t i = 0; i < t->plan.cell_count; i++) {
        if (t->plan.cells[i].shadow != shadow)
            continue;
        if (shadow->in_memory)
            show_returned_memory(t, &t->plan.cells[i], of);
        else
            show_register(t, &t->plan.cells[i], of != NULL);
    }
}

void es_shadow_show_depths(es_shadow_tracker *t, uint32_t depth, uint32_t peak, bool known)
{
    for (size_t i = 0; i < t->plan.cell_count; i++) {
        cell *c = &t->plan.cells[i];
        if (c->shadow->kind != ES_SHADOW_STACK)
            continue;
        uint32_t value = c->shadow->reg ? peak : depth;
        es_endian_put(t->room, 4, known ? value : 0, es_symbols_big_endian(t->symbols));
        memset(t->room_unknown, known ? 0 : 0xFF, 4);
        es_shadow_tell(t, c, t->room, t->room_unknown, NULL, NULL);
    }
}

void es_shadow_lose_result(es_shadow_tracker *t, cell *c)
{
    es_shadow_tell_unknown(t, c, ES_SHADOW_INLINED);
}

void es_shadow_show_number(es_shadow_tracker *t, cell *c, uint32_t number, bool assigned)
{
    es_endian_put(t->room, 4, number, es_symbols_big_endian(t->symbols));
    memset(t->room_unknown, 0, 4);
    memset(t->written, 1, 4);
    es_shadow_tell(t, c, t->room, t->room_unknown, assigned ? t->written : NULL, NULL);
}

void es_shadow_show_registers(es_shadow_tracker *t, uint64_t set)
{
    for (size_t i = 0; i < t->plan.cell_count; i++) {
        const es_shadow *shadow = t->plan.cells[i].shadow;
        if (shadow->kind == ES_SHADOW_REGISTER && set >> shadow->reg & 1)
            show_register(t, &t->plan.cells[i], true);
    }
}

void es_shadow_show_constants(es_shadow_tracker *t)
{
    const es_value_context context = es_shadow_value_context(t);
    t->entry = NULL;
    for (size_t i = 0; i < t->plan.cell_count; i++) {
        cell *c = &t->plan.cells[i];
        const es_value_copy *copies;
        if (c->shadow->kind != ES_SHADOW_VARIABLE || c->shadow->procedure ||
            !es_symbols_value_copies(t->symbols, c->shadow->variable, &copies) || copies[0].count != 1 ||
            es_value_reason(copies[0].ranges[0].value) || es_value_registers(copies[0].ranges[0].value, NULL))
            continue;
        es_value_read(copies[0].ranges[0].value, &context, c->shadow->size, t->room, t->room_unknown, NULL, NULL);
        es_shadow_tell(t, c, t->room, t->room_unknown, NULL, NULL);
    }
}
