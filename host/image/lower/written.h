/* Locals that are known from their first write on (host/image/places/written.h): code that keeps and asks the marks. */
#ifndef ES_IMAGE_LOWER_WRITTEN_H
#define ES_IMAGE_LOWER_WRITTEN_H

#include "image/lower/generator.h"
#include "image/plan/plan.h"
#include "ir/ir.h"
#include "lang/statement.h"

/* Code: nothing of a frame is written. */
void es_written_forget(es_ir_code *code, const plan_frame *frame);

/* Code of a word: it was written, as a whole or (some) in the lanes that the hit tells. begins: a register that is 0
 * when this is another write of a store that has begun before; ES_IR_ZERO: none is. */
void es_written_note(es_ir_code *code, const image_plan *plan, const plan_write *cover, bool some, es_ir_reg begins);

/* Code: what rd holds, the frame's address in phantom memory, becomes one that is not known when the word of the
 * reference's value is not written in this activation. Nothing when that does not have to be asked. */
void es_written_check(generator *g, const es_reference *reference, unsigned word, es_ir_reg rd);

/* The same of what `at` holds, the address of an element of a local array. */
void es_written_check_element(generator *g, const es_reference *reference, unsigned at, unsigned temporary);

/* The same of the value before the event, which wrote it: jumps to g->unknown. first_lane: a register that holds in
 * which lane an element begins; 0: the reference tells. */
void es_written_check_before(generator *g, const es_reference *reference, unsigned first_lane);

#endif
