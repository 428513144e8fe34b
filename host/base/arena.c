#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE 16384u

struct block {
    struct block *next;
    size_t used, size;
    alignas(max_align_t) unsigned char bytes[];
};

struct es_arena {
    struct block *blocks; /* the newest first */
};

void *es_realloc(void *old, size_t size)
{
    void *memory = realloc(old, size ? size : 1);
    if (!memory) {
        fputs("earshot: out of memory\n", stderr);
        abort();
    }
    return memory;
}

void *es_malloc(size_t size)
{
    return es_realloc(NULL, size);
}

es_arena *es_arena_new(void)
{
    es_arena *arena = es_malloc(sizeof *arena);
    arena->blocks = NULL;
    return arena;
}

void es_arena_free(es_arena *arena)
{
    if (!arena)
        return;
    while (arena->blocks) {
        struct block *block = arena->blocks;
        arena->blocks = block->next;
        free(block);
    }
    free(arena);
}

void *es_arena_alloc(es_arena *arena, size_t size)
{
    const size_t unit = alignof(max_align_t);
    size = (size + unit - 1) / unit * unit;
    struct block *block = arena->blocks;
    if (!block || block->size - block->used < size) {
        size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
        block = es_malloc(sizeof *block + room);
        block->next = arena->blocks;
        block->used = 0;
        block->size = room;
        arena->blocks = block;
    }
    void *memory = block->bytes + block->used;
    block->used += size;
    memset(memory, 0, size);
    return memory;
}

char *es_arena_copy(es_arena *arena, const char *text, size_t length)
{
    char *copy = es_arena_alloc(arena, length + 1);
    if (length) /* of no text there may be no address */
        memcpy(copy, text, length);
    return copy;
}

char *es_arena_format(es_arena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    size_t size = length < 0 ? 1 : (size_t)length + 1;
    char *text = es_arena_alloc(arena, size);
    vsnprintf(text, size, format, again);
    va_end(again);
    return text;
}

void *es_arena_grow(es_arena *arena, void *items, size_t count, size_t size)
{
    /* The capacity is implied: 4, then each power of two. */
    if (count >= 4 ? (count & (count - 1)) != 0 : count != 0)
        return items;
    void *grown = es_arena_alloc(arena, (count < 4 ? 4 : count * 2) * size);
    if (count)
        memcpy(grown, items, count * size);
    return grown;
}
