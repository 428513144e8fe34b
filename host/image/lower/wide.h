/* Monitor IR of operators on 64-bit integers. */
#ifndef ES_IMAGE_LOWER_WIDE_H
#define ES_IMAGE_LOWER_WIDE_H

#include "image/firmware.h"
#include "image/lower/generator.h"
#include "ir/ir.h"
#include "lang/statement.h"

/* The operators with two operands and with one; a comparison, which jumps to label when its result is `when`. */
codegen_pair es_wide_binary(generator *g, const es_expr *expr, codegen_pair left, codegen_pair right);

codegen_pair es_wide_unary(generator *g, const es_expr *expr, codegen_pair of);

void es_wide_compare(generator *g, enum es_op op, bool is_signed, codegen_pair left, codegen_pair right, unsigned label,
                     bool when);

#endif
