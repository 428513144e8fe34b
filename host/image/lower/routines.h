/* Which registers the firmware's routines take, give and spoil (firmware/dispatch.S, firmware/actions.S,
 * firmware/library), and those that every image has. */
#ifndef ES_IMAGE_LOWER_ROUTINES_H
#define ES_IMAGE_LOWER_ROUTINES_H

#include "image/firmware.h"
#include "ir/ir.h"

enum image_routine {
#define IMAGE_ROUTINE(name) ROUTINE_##name,

    ES_MI_ROUTINES(IMAGE_ROUTINE)
#undef IMAGE_ROUTINE

    /* parts of the image itself */
    ROUTINE_parts,        /* host/image/tables/parts.c: of a variable in one word, */
    ROUTINE_parts_across, /* ... of one across words, */
    ROUTINE_parts_keep,   /* ... which keeps the word as it was */
    ROUTINE_narrow,       /* host/image/tables/narrow.c */
    ROUTINE_lives,        /* host/image/places/lives.c */
    ROUTINE_settle,       /* host/image/times/order.c */
    IMAGE_ROUTINES
};

/* Code: calls a routine of the firmware, or goes on there, as its row says. */
void es_routine_call(es_ir_code *code, const firmware_routines *routines, enum image_routine routine);

/* Code: calls the routine `compute` with the function among them that it is to run, of t1, t2 and `what`. */
void es_routine_compute(es_ir_code *code, const firmware_routines *routines, enum image_routine function,
                        uint32_t what);

/* The same as es_routine_call of one of the image, or of one that stands for another's registers, at an address. */
void es_routine_call_at(es_ir_code *code, enum image_routine routine, uint32_t address);

/* Code: runs a statement's routine or a note, with its event bits in a0. rd: where it comes back to; zero: it goes on
 * at ra. */
void es_routine_run(es_ir_code *code, es_ir_reg rd, uint32_t address);

void es_routine_run_label(es_ir_code *code, es_ir_reg rd, uint32_t label);

#endif
