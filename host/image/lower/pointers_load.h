/* Pointers that statements follow (host/image/plan/pointers.h): code that loads where they lead to, and asks whether
 * they have moved. */
#ifndef ES_IMAGE_LOWER_POINTERS_LOAD_H
#define ES_IMAGE_LOWER_POINTERS_LOAD_H

#include "image/lower/generator.h"
#include "image/plan/plan.h"
#include "ir/ir.h"
#include "lang/statement.h"

/* Loads the pointer's value as of before the event. */
void es_pointers_base_before(generator *g, size_t index, es_ir_reg rd);

/* Loads what the address of a reference counts from: its pointer's value, or its frame's cell. */
void es_pointers_base(generator *g, const es_reference *reference, es_ir_reg rd);

/* Code: loads where a pointer leads to. */
void es_pointers_load(generator *g, const plan_pointer *pointer, es_ir_reg rd);

/* Code: goes on when the pointer has moved at this event, else jumps. */
void es_pointers_unless_moved(generator *g, const plan_pointer *pointer, es_ir_reg rd, unsigned label);

#endif
