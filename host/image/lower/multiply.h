/* Monitor IR of multiplications, divisions and remainders of 32-bit integers, also by constants. */
#ifndef ES_IMAGE_LOWER_MULTIPLY_H
#define ES_IMAGE_LOWER_MULTIPLY_H

#include "image/firmware.h"
#include "image/lower/generator.h"
#include "ir/ir.h"
#include "lang/statement.h"

/* The product with a constant. */
es_ir_reg es_multiply_constant(generator *g, es_ir_reg of, uint32_t factor);

/* Whether it is a division or a remainder by a constant power of two; its code. */
bool es_divides_by_power(const es_expr *expr);

es_ir_reg es_divide_by_power(generator *g, const es_expr *expr, es_ir_reg of);

/* Any other of them. */
es_ir_reg es_multiply_binary(generator *g, const es_expr *expr, es_ir_reg left, es_ir_reg right);

#endif
