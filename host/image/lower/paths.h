/* The paths of activations (host/image/plan/paths.h): code that asks for them. */
#ifndef ES_IMAGE_LOWER_PATHS_H
#define ES_IMAGE_LOWER_PATHS_H

#include "image/plan/plan.h"
#include "ir/ir.h"
#include "lang/statement.h"

/* Code: the bit, as the sign of what is returned. NP must not be 0. */
es_ir_reg es_paths_test(es_ir_code *code, const image_plan *plan, const es_path *path, uint8_t what);

#endif
