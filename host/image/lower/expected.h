/* Expectations (host/image/plan/expected.h): code that keeps their figures. */
#ifndef ES_IMAGE_LOWER_EXPECTED_H
#define ES_IMAGE_LOWER_EXPECTED_H

#include "image/lower/generator.h"
#include "ir/ir.h"

/* Code: a hit of the statement at work, if that is an expectation. Takes t1 to t6. */
void es_expected_hit(generator *g);

/* Code: one of its evaluations met what is not known. Takes register rd, and t6. */
void es_expected_unknown(generator *g, es_ir_reg rd);

/* Code: the same, also in the count that all statements share; from here on phantom memory has met nothing unknown. */
void es_expected_count_unknown(generator *g, es_ir_reg rd);

#endif
