/* Monitor IR of expressions and conditions. */
#ifndef ES_IMAGE_LOWER_EXPRESSION_H
#define ES_IMAGE_LOWER_EXPRESSION_H

#include "image/firmware.h"
#include "image/lower/generator.h"
#include "image/plan/plan.h"
#include "ir/ir.h"
#include "lang/statement.h"

/* The event bit of an enter, leave or at; -1: it never triggers an evaluation of the statement. */
int es_codegen_control_bit(const generator *g, const plan_control *event);

/* Jumps to label when the expression's truth is `when`, else goes on. */
void es_codegen_condition(generator *g, const es_expr *expr, unsigned label, bool when);

/* The expression's value. A constant of 0 is register zero. */
codegen_pair es_codegen_value(generator *g, const es_expr *expr);

#endif
