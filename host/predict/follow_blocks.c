/* Basic blocks as they are met, each kept once. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "follow_private.h"

void es_follow_fail(es_predict_follower *f, const char *format, ...)
{
    va_list args;
    if (!f->wrong[0]) {
        va_start(args, format);
        vsnprintf(f->wrong, sizeof f->wrong, format, args);
        va_end(args);
    }
    es_machine_stop_soon(f->machine);
}

/* --- blocks ----------------------------------------------------------------------------------- */

static uint32_t hash_of(const es_predict_follower *f)
{
    uint32_t hash = f->first * 2654435761u ^ f->last * 40503u;
    for (size_t i = 0; i < f->gap_count; i++)
        hash = (hash ^ f->gaps[i]) * 16777619u;
    return hash ^ hash >> 15;
}

static bool is_block(const es_predict_follower *f, const es_predict_block *b)
{
    return b->address == f->first && b->end == f->last && b->accesses == f->gap_count &&
           memcmp(f->trace->gaps + b->first_gap, f->gaps, f->gap_count) == 0;
}

static void grow_table(es_predict_follower *f)
{
    size_t old = f->table_size;
    uint32_t *table = f->table;
    f->table_size = old ? 4 * old : 4096;
    f->table = es_malloc(f->table_size * sizeof *f->table);
    memset(f->table, 0, f->table_size * sizeof *f->table);
    uint32_t first = f->first, last = f->last;
    uint8_t gaps[BLOCK_GAPS + 2];
    size_t count = f->gap_count;
    memcpy(gaps, f->gaps, count);
    for (size_t i = 0; i < old; i++) {
        if (!table[i])
            continue;
        const es_predict_block *b = &f->trace->blocks[table[i] - 1];
        f->first = b->address;
        f->last = b->end;
        f->gap_count = b->accesses;
        memcpy(f->gaps, f->trace->gaps + b->first_gap, b->accesses);
        size_t at = hash_of(f) & (f->table_size - 1);
        while (f->table[at])
            at = (at + 1) & (f->table_size - 1);
        f->table[at] = table[i];
    }
    free(table);
    f->first = first;
    f->last = last;
    f->gap_count = count;
    memcpy(f->gaps, gaps, count);
}

uint32_t es_follow_block(es_predict_follower *f)
{
    if (2 * f->trace->block_count >= f->table_size)
        grow_table(f);
    size_t at = hash_of(f) & (f->table_size - 1);
    while (f->table[at] && !is_block(f, &f->trace->blocks[f->table[at] - 1]))
        at = (at + 1) & (f->table_size - 1);
    if (!f->table[at])
        f->table[at] = 1 + es_predict_add_block(f->trace, f->first, f->last, f->gaps, f->gap_count);
    f->open = false;
    return f->table[at] - 1;
}

void es_follow_registers(const es_predict_follower *f, es_machine_registers *registers)
{
    if (f->source.registers)
        f->source.registers(f->source.context, registers);
    else
        es_machine_get(f->machine, registers);
}

uint32_t es_follow_word(const es_predict_follower *f, uint32_t address)
{
    uint8_t bytes[4];
    uint32_t word = 0;
    if (f->source.word)
        return f->source.word(f->source.context, address);
    if (es_machine_peek(f->machine, address, bytes, NULL, 4))
        for (unsigned i = 0; i < 4; i++)
            word |= (uint32_t)bytes[i] << 8 * i;
    return word;
}
