/* What statements about some time wait for (host/image/times/holds.h): code of values as of the deadline, whether they
 * are known and what they are. */
#ifndef ES_IMAGE_LOWER_COPIES_H
#define ES_IMAGE_LOWER_COPIES_H

#include "image/lower/generator.h"
#include "image/plan/plan.h"
#include "ir/ir.h"
#include "lang/statement.h"
#include "symbols/symbols.h"

/* Code of the statement's routine: jumps to g->unknown when a value is not known that is only shown. */
void es_holds_check_shown(generator *g, const plan_deadline *deadline);

/* Loads a value as of the deadline. */
void es_holds_load(generator *g, const plan_deadline *deadline, size_t index, es_ir_reg rd, es_ir_reg high);

/* Loads the variable's value in the plainest. */
void es_deadline_load(generator *g, const es_reference *reference, es_ir_reg rd);

#endif
