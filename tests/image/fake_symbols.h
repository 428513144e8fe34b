/* A target program made of nothing but tables: what es_symbols_* would say of it. */
#ifndef TESTS_IMAGE_FAKE_SYMBOLS_H
#define TESTS_IMAGE_FAKE_SYMBOLS_H

#include "symbols/symbols.h"

struct es_symbols {
    const es_procedure *const *procedures; /* ascending addresses */
    size_t procedure_count;
    const es_call_site *sites;
    size_t site_count;
    const int *frame_sizes; /* by procedure; -1: not constant */
    const es_segment *segments;
    size_t segment_count;
    /* by procedure: what es_symbols_stores says; NULL: no procedure's code can be followed */
    /* clang-format off */
    const struct fake_stores { bool followed; const es_store *stores; size_t count; } *stores;
    /* by procedure: what es_symbols_prologue says; NULL: no procedure has one */
    const struct fake_prologue { const es_store *stores; size_t count; uint32_t end; } *prologues;
    /* clang-format on */
    const uint32_t *begins; /* by procedure: what es_symbols_begin says, 0: its first instruction; NULL: of all */
    es_switch *switches;    /* what es_symbols_switches says */
    size_t switch_count;
    const es_part *parts; /* all procedures', ascending */
    size_t part_count;
    bool traps, compressed;
    const char *untold;
    uint32_t entry, stack_top; /* stack_top 0: no symbol */
};

#endif
