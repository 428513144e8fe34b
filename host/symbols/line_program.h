/* One unit's line-number program, as its sequences. libdw hands out all rows of a unit in the order of their addresses
 * only, which mixes up the sequences of code that the linker removed (they begin at 0) with those of code that is
 * there. */
#ifndef ES_SYMBOLS_LINE_PROGRAM_H
#define ES_SYMBOLS_LINE_PROGRAM_H

#include "symbols/internal.h"

typedef struct line_row {
    uint64_t address;
    uint32_t file; /* number in the unit's table of files */
    uint32_t line; /* 0: none */
    uint32_t column;
    bool statement;
} line_row;

/* Rows of code that lies together; [low, end). The rows are the reader's: valid during the call only. */
typedef struct line_sequence {
    uint64_t low, end;
    const line_row *rows;
    size_t count;
} line_sequence;

typedef void line_sequence_fn(void *context, const line_sequence *sequence);

/* Runs the line-number program at an offset of a .debug_line section of `size` bytes (versions 2 to 5; of others, and
 * of damaged ones, what can be read). Each sequence with at least one row is handed to `take`. */
void es_symbols_run_lines(es_symbols *symbols, const uint8_t *bytes, size_t size, uint64_t offset,
                          line_sequence_fn *take, void *context);

#endif
