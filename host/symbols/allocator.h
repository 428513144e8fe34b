/* The code of the target's memory management: what it writes into an object says that the object is gone. */
#ifndef ES_SYMBOLS_ALLOCATOR_H
#define ES_SYMBOLS_ALLOCATOR_H

#include "base/arena.h"
#include "symbols/symbols.h"

/* A piece of code, in the target's addresses. */
typedef struct es_code_piece {
    uint32_t first, size;
} es_code_piece;

/* The code of malloc, free and the like; *pieces is the arena's. Returns how many there are. */
size_t es_symbols_allocator(const es_symbols *symbols, es_arena *arena, es_code_piece **pieces);

#endif
