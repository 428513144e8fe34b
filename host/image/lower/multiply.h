/* RV32 code of expressions, into the registers that statements' routines may use (interface/image.h). */
#ifndef ES_IMAGE_LOWER_MULTIPLY_H
#define ES_IMAGE_LOWER_MULTIPLY_H

#include "image/firmware.h"
#include "image/lower/generator.h"
#include "ir/ir.h"
#include "lang/statement.h"

/* multiply.c: * / % of 32 bits. */
es_ir_reg es_multiply_constant(generator *g, es_ir_reg of, uint32_t factor);

bool es_divides_by_power(const es_expr *expr); /* / or % by a constant power of two */
es_ir_reg es_divide_by_power(generator *g, const es_expr *expr, es_ir_reg of);

es_ir_reg es_multiply_binary(generator *g, const es_expr *expr, es_ir_reg left, es_ir_reg right);

#endif
