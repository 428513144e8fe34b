/* Locals of optimised code (host/image/places/lives.h): code that asks whether the stack holds them. */
#ifndef ES_IMAGE_LOWER_LIVES_H
#define ES_IMAGE_LOWER_LIVES_H

#include "image/lower/generator.h"
#include "ir/ir.h"

/* In which register the routine that looks into the tables takes the address of an es_mi_life, and gives its answer. */
enum { LIVES_TABLE = ES_IR_T1 };

/* Jumps to `no` when the value of references[index] is not in memory at this event, to g->unknown when that cannot be
 * told. Takes t0 to t6. */
void es_lives_check(generator *g, size_t index, unsigned no);

/* The same of a place, which has a life or not. */
void es_lives_check_place(generator *g, const es_reference *place, unsigned no);

/* Asks whether a local that has a life is in memory at this event. In the register that it returns: 1 yes, 0 no, -1:
 * that cannot be told. Takes t0 to t6. */
es_ir_reg es_lives_ask(generator *g, const es_life *life);

/* The event may be a write to references[index], whose old value is asked for: jumps to g->unknown when what was there
 * before may have been another's. Nothing for what is there during the whole body. */
void es_lives_check_old(generator *g, size_t index);

#endif
