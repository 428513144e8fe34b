#include "symbols/allocator.h"

/* By the names that usual C libraries and kernels give them. */
static const char *const names[] = {
    "malloc",
    "free",
    "calloc",
    "realloc",
    "reallocf",
    "reallocarray",
    "cfree",
    "memalign",
    "aligned_alloc",
    "posix_memalign",
    "valloc",
    "pvalloc",
    "_malloc_r",
    "_free_r",
    "_calloc_r",
    "_realloc_r",
    "_memalign_r",
    "_malloc_trim_r",
    "__malloc_malloc",
    "__malloc_free",
    "__malloc_grow_chunk",
    "pvPortMalloc",
    "pvPortCalloc",
    "vPortFree",
    "prvInsertBlockIntoFreeList",
    "k_malloc",
    "k_calloc",
    "k_free",
    "sys_heap_alloc",
    "sys_heap_free",
    "free_chunk",
    "tlsf_malloc",
    "tlsf_free",
    "tlsf_realloc",
};

#define NAMES (sizeof names / sizeof *names)

size_t es_symbols_allocator(const es_symbols *symbols, es_arena *arena, es_code_piece **pieces)
{
    size_t count = 0;
    *pieces = es_arena_alloc(arena, NAMES * sizeof **pieces);
    for (size_t i = 0; i < NAMES; i++) {
        uint32_t address; /* a procedure has several names here: only one is that of its es_procedure */
        const es_procedure *procedure = es_symbols_procedure_named(symbols, names[i]);
        if (!procedure && es_symbols_value(symbols, names[i], &address))
            procedure = es_symbols_procedure_at(symbols, address);
        size_t k = 0;
        while (procedure && k < count && (*pieces)[k].first != procedure->low)
            k++;
        if (procedure && k == count && procedure->high > procedure->low)
            (*pieces)[count++] = (es_code_piece){procedure->low, procedure->high - procedure->low};
    }
    return count;
}
