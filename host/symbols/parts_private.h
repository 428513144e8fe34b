/* Private to the files that find which stores belong together: what is known of one procedure's stores. */
#ifndef ES_SYMBOLS_PARTS_PRIVATE_H
#define ES_SYMBOLS_PARTS_PRIVATE_H

#include "symbols/internal.h"

enum { REGS = 32, SLOTS = 2, KNOWN_WORDS = 32, REACH = ES_PART_REACH };

/* What tells bases apart: 0: a constant; 1: the frame; 2 + r: what register r held where the straight piece began; then
 * one for each value that is made in it. */
enum { BASE_CONSTANT = 0, BASE_FRAME = 1, BASE_REGISTER = 2, BASE_FIRST = BASE_REGISTER + REGS };

typedef struct place {
    uint32_t base;
    int32_t offset;
} place;

typedef struct value {
    place at;            /* the value itself */
    uint32_t registers;  /* made of these registers as of the piece's beginning, ... */
    place loaded[SLOTS]; /* ... and of what was loaded from these places */
    uint8_t loads;
    /* what it is made of was shifted left by so much, at most; SCALE_LOST: something else was done */
    uint8_t scale;
} value;

enum { SCALE_LOST = 32 };

typedef struct known_word {
    place at;
    value held;
} known_word;

typedef struct one_store {
    es_part part;
    place at;          /* local */
    value base, held;  /* its base register and what it stores */
    uint16_t across;   /* as part.later, of stores in other straight pieces */
    uint32_t location; /* 1 + the row of the line table that stands for its place in the source; 0: none */
} one_store;

/* A straight piece of the procedure's code. */
typedef struct straight_piece {
    uint32_t low;
    size_t first, count;         /* its stores */
    uint32_t next[2];            /* where it may go on in the procedure; 0: nowhere */
    place at_end[REGS];          /* what registers hold then */
    size_t before, before_count; /* which pieces go on here: in walk.before */
} straight_piece;

typedef struct walk {
    const es_symbols *symbols;
    const symbols_procedure *procedure;
    value regs[REGS];
    known_word words[KNOWN_WORDS];
    size_t word_count, next_word;
    uint32_t next_base, way;
    bool *begins; /* a straight piece does, by the smallest instruction's size */
    one_store *stores;
    size_t count;
    straight_piece *pieces;
    size_t piece_count;
    size_t *before;
} walk;

/* Where a store writes: as control flow tells, else by its base register. */
place es_parts_place_of(const one_store *s);

bool es_parts_overlap(place x, unsigned x_size, place y, unsigned y_size);

/* Bytes of a store of `size` bytes, counted from where another one begins, as es_part.earlier has them. */
uint16_t es_parts_bytes_from(place from, place of, unsigned size);

/* Finds what goes on where straight pieces meet, or at a branch: adds it to `earlier` and `later`. */
void es_parts_across(walk *w);

#endif
