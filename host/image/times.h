/* Code for lengths of time: 64 bits, in clocks of the target's bus. */
#ifndef ES_IMAGE_TIMES_H
#define ES_IMAGE_TIMES_H

#include "image/codegen.h"

/* Loads the time of the event, or of the deadline, into two registers. */
void es_times_now(generator *g, unsigned low, unsigned high);

/* low, high: what is in them less the time at (a_low, a_high). The carry takes t6. */
void es_times_subtract(es_ir_code *code, unsigned low, unsigned high, unsigned a_low, unsigned a_high);

/* A comparison of two lengths of time: jumps to label when its truth is `when`, else goes on. */
void es_times_compare(generator *g, const es_expr *expr, unsigned depth, unsigned label, bool when);

/* Jumps to g->unknown when a variable has not been written yet. */
void es_times_check_written(generator *g, size_t reference);

/* Code that notes the time of a write to a variable of the plan's ages. */
void es_times_note_write(generator *g, const plan_age *age);

/* Code: the locals of a frame, or what a pointer (1 + its number, frame NULL) leads to, have not been written yet. */
void es_times_forget(es_ir_code *code, const image_plan *plan, const es_procedure *frame, size_t pointer);

/* Loads the length of time that an item of print stands for. */
void es_times_item(generator *g, const es_print_item *item, unsigned low, unsigned high);

/* Words in RAM; what is behind tp's reach goes through t6. */
void es_times_load(generator *g, unsigned rd, uint32_t offset);
void es_times_store(generator *g, unsigned rs, uint32_t offset);

#endif
