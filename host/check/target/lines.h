/* Places in the target's source, in words. */
#ifndef ES_CHECK_LINES_H
#define ES_CHECK_LINES_H

#include "base/arena.h"
#include "symbols/symbols.h"

/* "control.c:42 (control)", or the address where no line is known. */
const char *es_check_line(es_arena *arena, const es_symbols *symbols, uint32_t address);

/* The lines of a row of instructions: "control.c:40-44 (control), util.c:7 (clamp)". */
const char *es_check_lines(es_arena *arena, const es_symbols *symbols, const uint32_t *addresses, size_t count);

#endif
