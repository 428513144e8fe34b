/* The paths of activations (host/image/plan/paths.h): code that asks for them. */
#ifndef ES_IMAGE_LOWER_PATHS_H
#define ES_IMAGE_LOWER_PATHS_H

#include "image/lower/generator.h"
#include "image/plan/plan.h"
#include "ir/ir.h"
#include "lang/statement.h"

/* Code: the bit, as the sign of what is returned. NP must not be 0. */
es_ir_reg es_paths_test(es_ir_code *code, const image_plan *plan, const es_path *path, uint8_t what);

/* Code: the same as of a deadline, that of g->late. Where the path was not known then, it goes on at g->unknown. */
es_ir_reg es_paths_test_late(generator *g, const es_path *path, uint8_t what);

/* Code: jumps when NP is not known, or may not be right. Takes t6. */
void es_paths_unless_known(es_ir_code *code, unsigned label);

#endif
