/* What a DWARF location expression says, as far as a place can be told by it before the program runs. */
#ifndef ES_SYMBOLS_LOCATION_H
#define ES_SYMBOLS_LOCATION_H

#include "symbols/internal.h"

enum symbols_where {
    SYMBOLS_AT_ADDRESS,
    SYMBOLS_IN_FRAME,
    SYMBOLS_IN_REGISTER,
    SYMBOLS_NOWHERE,   /* its value is known, or was optimised away */
    SYMBOLS_ELSEWHERE, /* in pieces, thread-local, through a pointer */
};

typedef struct symbols_location {
    enum symbols_where where;
    uint32_t address;
    int32_t offset; /* IN_FRAME: from the frame base; with `reg` from that register */
    int reg;        /* IN_REGISTER; IN_FRAME: base register, -1 the frame base */
    char text[96];  /* in words: "is in register a5" */
} symbols_location;

symbols_location es_symbols_understand(const es_symbols *symbols, Dwarf_Attribute *attribute, const Dwarf_Op *ops,
                                       size_t count);

/* One expression for the whole scope; else a list of them with their ranges. */
bool es_symbols_is_expression(Dwarf_Attribute *attribute);

/* Turns an offset from the frame base, or from a register that keeps its value during the whole body, into one from the
 * CFA. */
bool es_symbols_offset_from_cfa(es_symbols *symbols, Dwarf_Die *function, const es_procedure *procedure,
                                symbols_location *l);

#endif
