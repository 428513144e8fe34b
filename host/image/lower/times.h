/* Code for lengths of time: 64 bits, in clocks of the target's bus. */
#ifndef ES_IMAGE_LOWER_TIMES_H
#define ES_IMAGE_LOWER_TIMES_H

#include "image/lower/generator.h"
#include "image/plan/plan.h"
#include "ir/ir.h"
#include "lang/statement.h"

/* Loads the time of the event, or of the deadline, into two registers. */
void es_times_now(generator *g, es_ir_reg low, es_ir_reg high);

/* low, high: what is in them less the time at (a_low, a_high). */
void es_times_subtract(es_ir_code *code, es_ir_reg low, es_ir_reg high, es_ir_reg a_low, es_ir_reg a_high);

/* A comparison of two lengths of time: jumps to label when its truth is `when`, else goes on. */
void es_times_compare(generator *g, const es_expr *expr, unsigned label, bool when);

/* Jumps to g->unknown when a variable has not been written yet. */
void es_times_check_written(generator *g, size_t reference);

/* Code that notes the time of a write to a variable of the plan's ages. */
void es_times_note_write(generator *g, const plan_age *age);

/* Code: the locals of a frame, or what a pointer (1 + its number, frame NULL) leads to, have not been written yet. */
void es_times_forget(es_ir_code *code, const image_plan *plan, const es_procedure *frame, size_t pointer);

/* The length of time that an item of print stands for. */
codegen_pair es_times_item(generator *g, const es_print_item *item);

/* Words in RAM. */
void es_times_load(generator *g, es_ir_reg rd, uint32_t offset);

void es_times_store(generator *g, es_ir_reg rs, uint32_t offset);

#endif
