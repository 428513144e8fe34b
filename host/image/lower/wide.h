/* RV32 code of expressions, into the registers that statements' routines may use (interface/image.h). */
#ifndef ES_IMAGE_LOWER_WIDE_H
#define ES_IMAGE_LOWER_WIDE_H

#include "image/firmware.h"
#include "image/lower/generator.h"
#include "ir/ir.h"
#include "lang/statement.h"

/* wide.c: integers of 64 bits. */
codegen_pair es_wide_binary(generator *g, const es_expr *expr, codegen_pair left, codegen_pair right);

codegen_pair es_wide_unary(generator *g, const es_expr *expr, codegen_pair of);

void es_wide_compare(generator *g, enum es_op op, bool is_signed, codegen_pair left, codegen_pair right, unsigned label,
                     bool when);

#endif
