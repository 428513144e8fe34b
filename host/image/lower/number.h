/* RV32 code of expressions, into the registers that statements' routines may use (interface/image.h). */
#ifndef ES_IMAGE_LOWER_NUMBER_H
#define ES_IMAGE_LOWER_NUMBER_H

#include "image/firmware.h"
#include "image/lower/generator.h"
#include "ir/ir.h"
#include "lang/statement.h"

/* number.c: float and double. */
codegen_pair es_number_binary(generator *g, const es_expr *expr, codegen_pair left, codegen_pair right);

void es_number_compare(generator *g, const es_expr *expr, codegen_pair left, codegen_pair right, unsigned label,
                       bool when);

codegen_pair es_number_convert(generator *g, const es_expr *expr, codegen_pair of);

#endif
