/* Inside of the routine that looks at writes in parts: what its files share. */
#ifndef ES_IMAGE_TABLES_PARTS_INSIDE_H
#define ES_IMAGE_TABLES_PARTS_INSIDE_H

#include "image/lower/generator.h"
#include "image/tables/layout.h"
#include "image/tables/parts_table.h"
#include "ir/ir.h"

enum {
    PARTS_FLAGS_LANE = ES_HIT_LANES_SHIFT,
    PARTS_ALL_LANES = 15,
};

/* Of a variable's second byte: what it is that its pending byte tells of. */
enum {
    TAG_RUN = 1, /* rounds of a loop; else: stores of which another one is sure to follow */
    TAG_CUT = 2, /* ... and something else came in between: what goes on now may not have begun with what is there */
    /* of one in one word: bits of its bytes that were written since it exists, from here on. When all are, it is known,
     * whatever else is in the word */
    TAG_WRITTEN = 4,
};

/* What it gives back. */
#define RESULTS (ES_IR_SET(NOW) | ES_IR_SET(BEFORE))

/* Registers of the routine; those that it is handed where the variable lies across words. */
enum {
    NOW = ES_IR_T1,     /* in: bits of the variable's bytes that are written, not 0; out: not 0: an assignment ends */
    PENDING = ES_IR_T2, /* in: address of the pending byte */
    ALL = ES_IR_T3,     /* in: bits of all of the variable's bytes */
    TEMP = ES_IR_T4,
    FLAGS = ES_IR_T5,
    ENTRY = ES_IR_T6,
    IN_WORD = ES_IR_A0,    /* 1: the variable lies in one word, whose other bytes may never be known */
    UP = ES_IR_A0 + 1,     /* in: bytes from the variable's first one to the word, + ES_PART_REACH */
    BEFORE = ES_IR_A0 + 2, /* out: bits of bytes that were written before for the same assignment */
    MORE = ES_IR_A0 + 3,
    SHIFT = ES_IR_A0 + 4,
    LATER = ES_IR_A0 + 5,
    EARLIER = ES_IR_A0 + 6,
    TAG = ES_IR_A0 + 7,
};

typedef struct parts_routine {
    image_builder *b;
    es_ir_code *code;
    const parts_map *map;
    unsigned event, torn, nothing; /* labels: an assignment ends; it does, but its value is of no use; none ends */
} parts_routine;

/* parts_steps.c */

/* Adds 1 to the count at an offset in RAM. */
void es_parts_add_one(const parts_routine *r, uint32_t offset);

/* Keeps the bits in a register as the variable's pending ones. */
void es_parts_keep(const parts_routine *r, unsigned bits);

/* A store in straight code: the first of several, one between, the last, or the only one. */
void es_parts_straight(const parts_routine *r);

/* A round of a loop that goes from the variable's first byte to its last, or to where nobody knows. */
void es_parts_run(const parts_routine *r);

/* parts_routine.c */

/* Writes the routine's code. Returns the label where variables across words begin. */
uint32_t es_parts_write_routine(const parts_routine *r);

/* Writes code for what a variable in one word was before its first part: s11 says whether it is to be looked for at
 * t5. t6: its bit. */
void es_parts_write_keep(es_ir_code *code, codegen_store store);

#endif
