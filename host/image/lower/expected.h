/* What an image keeps of expectations, so that they can be judged however the run ends: when each was met first, how
 * many of its hits are uncertain, how often it could not be evaluated. Layout: es_mi_expected in interface/image.h. */
#ifndef ES_IMAGE_LOWER_EXPECTED_H
#define ES_IMAGE_LOWER_EXPECTED_H

#include "image/lower/generator.h"
#include "ir/ir.h"

/* Code: a hit of the statement at work, if that is an expectation. Takes t1 to t6. */
void es_expected_hit(generator *g);

/* Code: one of its evaluations met what is not known. Takes register rd, and t6. */
void es_expected_unknown(generator *g, es_ir_reg rd);

#endif
