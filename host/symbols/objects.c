/* Where the symbol table says that objects of static storage lie. */
#include <elf.h>
#include <stdlib.h>

#include "symbols/internal.h"

static int by_place(const void *left, const void *right)
{
    const es_object *a = left, *b = right;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return a->size < b->size ? -1 : a->size > b->size;
}

size_t es_symbols_objects(const es_symbols *symbols, es_arena *arena, es_object **objects)
{
    size_t count = 0;
    *objects = es_arena_alloc(arena, (symbols->elf_symbols.count + 1) * sizeof **objects);
    for (size_t i = 0; i < symbols->elf_symbols.count; i++) {
        const symbols_elf_symbol *symbol = &symbols->elf_symbols.items[i];
        if (symbol->type == STT_OBJECT && symbol->size && symbol->size <= UINT32_MAX - symbol->value)
            (*objects)[count++] = (es_object){symbol->value, symbol->size};
    }
    if (count > 1)
        qsort(*objects, count, sizeof **objects, by_place);
    return count;
}
