/* The monitor image while it is being laid out: what its tables share, and room for what they put into it. */
#ifndef ES_IMAGE_TABLES_LAYOUT_H
#define ES_IMAGE_TABLES_LAYOUT_H

#include "image/firmware.h"
#include "image/image.h"
#include "image/places/ppat.h"
#include "image/plan/plan.h"
#include "ir/ir.h"

typedef struct image_builder {
    const es_symbols *symbols;
    const es_probe_limits *limits;
    image_plan plan;
    image_ppat ppat;
    es_arena *arena;
    uint32_t memory; /* where the soft core's memory ends */
    uint8_t *bytes;  /* the image; grows past what addresses can name, so that the size can be told */
    size_t size, room;
    const es_procedure *const *procedures;
    size_t procedure_count;
    struct es_mi_cell *cover_cells; /* by statement of `cover`: of its places; NULL: of none */
    uint32_t procedures_at;
    struct es_mi_procedure *control_of; /* by procedure: what will be written, filled in piece by piece */
    firmware_routines routines;
    es_ir_code code;          /* what is being generated */
    uint32_t *routine_at;     /* by statement */
    struct es_mi_cell *words; /* by plan write that begins a word: its code */
    size_t *first_word;  /* by handler, and of none: the first word that it is the last of, a plan write from 1, ... */
    size_t *next_word;   /* ... and the next one, by that number less 1; 0: none */
    uint16_t *rows;      /* of both maps */
    uint32_t slots_at;   /* es_mi_slot, by number */
    es_switch *switches; /* where stacks are switched by hand; none when tasks tell them apart */
    size_t switch_count;
    struct es_mi_range *allocator;
    size_t allocator_count;
    uint32_t order_at;            /* with slots: routines in the order of running */
    plan_options options;         /* of the plan */
    uint32_t spilled;             /* words that routines have taken of the plan's */
    const es_procedure *start_up; /* the start-up code whose writes are no events; NULL: they are */
    bool too_large;               /* the image did not fit */
    struct image_dump *dump;      /* host/image/tables/dump.h; NULL: none is asked for */
    es_image *image;
    es_error *err;
} image_builder;

/* Room for `size` zero bytes; returns its soft core address. Moves the image: pointers from es_layout_at end with
 * it. */
uint32_t es_layout_reserve(image_builder *b, size_t size);

void *es_layout_at(image_builder *b, uint32_t address);

uint32_t es_layout_put(image_builder *b, const void *bytes, size_t size);

/* By its first instruction: a frame that only certain paths mean has a procedure of its own, which is in no list. */
size_t es_layout_procedure_index(const image_builder *b, const es_procedure *procedure);

/* address of its record; 0 for NULL */
uint16_t es_layout_procedure(const image_builder *b, const es_procedure *procedure);

/* Begins a piece of code in b->code; lets the passes make words of it and puts them into the image: returns its
 * address. */
void es_code_begin(image_builder *b);

uint16_t es_code_put(image_builder *b);

/* What an armed word is for the planes. */
typedef struct plane_arm {
    uint32_t address;
    bool lock;
} plane_arm;

#endif
