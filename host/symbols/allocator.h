/* The code of the target's memory management: what it writes into an object says that the object is gone. */
#ifndef ES_SYMBOLS_ALLOCATOR_H
#define ES_SYMBOLS_ALLOCATOR_H

#include "base/arena.h"
#include "symbols/symbols.h"
#include <image.h>

/* The code of malloc, free and the like; *ranges is the arena's. Returns how many pieces there are. */
size_t es_symbols_allocator(const es_symbols *symbols, es_arena *arena, struct es_mi_range **ranges);

#endif
