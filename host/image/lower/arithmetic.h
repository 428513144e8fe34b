/* Monitor IR of comparisons of 32-bit integers, and of operators that are routines of the firmware. */
#ifndef ES_IMAGE_LOWER_ARITHMETIC_H
#define ES_IMAGE_LOWER_ARITHMETIC_H

#include "image/firmware.h"
#include "image/lower/generator.h"
#include "image/lower/routines.h"
#include "ir/ir.h"
#include "lang/statement.h"

/* Compares left op right of 32 bits; jumps to label when the result is `when`. */
void es_codegen_compare(es_ir_code *code, enum es_op op, bool is_signed, es_ir_reg left, es_ir_reg right,
                        unsigned label, bool when);

/* A firmware routine on both operands (of floats only the low words). */
codegen_pair es_codegen_arithmetic(generator *g, const es_expr *expr, codegen_pair left, codegen_pair right,
                                   enum image_routine function, uint32_t what);

/* What a routine has left in t1 and t2. */
codegen_pair es_codegen_results(generator *g, const es_expr *expr);

#endif
