/* From a procedure's registers to those of its caller, by call frame information. */
#ifndef ES_SYMBOLS_UNWIND_H
#define ES_SYMBOLS_UNWIND_H

#include "symbols/symbols.h"

/* An activation's registers: those that the program has there, or will have once what it has called returns. */
typedef struct es_unwind_frame {
    uint32_t pc;
    uint32_t x[32];
    uint32_t known; /* a bit for each of x */
    bool called;    /* pc is where a call returns to, not where execution is */
} es_unwind_frame;

/* Gives a word of memory. False: it is not known. */
typedef bool es_unwind_read(void *context, uint32_t address, uint32_t *word);

/* The caller's registers in place of an activation's: registers that the calling convention keeps, and the stack
 * pointer. False, and nothing is changed: the debug information does not say, or what it leads to is not known. */
bool es_symbols_unwind(const es_symbols *symbols, es_unwind_frame *frame, es_unwind_read *read, void *context);

#endif
