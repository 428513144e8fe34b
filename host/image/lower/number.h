/* Monitor IR of operators on floating-point numbers, and conversions. */
#ifndef ES_IMAGE_LOWER_NUMBER_H
#define ES_IMAGE_LOWER_NUMBER_H

#include "image/firmware.h"
#include "image/lower/generator.h"
#include "ir/ir.h"
#include "lang/statement.h"

/* Sums, differences, products and quotients; a comparison, which jumps to label when its result is `when`; a conversion
 * from one type to another, of which one is such a number. */
codegen_pair es_number_binary(generator *g, const es_expr *expr, codegen_pair left, codegen_pair right);

void es_number_compare(generator *g, const es_expr *expr, codegen_pair left, codegen_pair right, unsigned label,
                       bool when);

codegen_pair es_number_convert(generator *g, const es_expr *expr, codegen_pair of);

#endif
