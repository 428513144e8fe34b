/* The paths of activations that statements ask about: what of them the state that NP stands for has to tell. */
#ifndef ES_IMAGE_PLAN_PATHS_H
#define ES_IMAGE_PLAN_PATHS_H

#include "image/plan/plan.h"
#include "ir/ir.h"
#include "lang/statement.h"

/* Do both denote the same, step by step? NULL is like nothing but NULL. */
bool es_paths_same(const es_path *a, const es_path *b);

/* NP's states shall tell `what` (AUTOMATON_*) of the path. */
void es_paths_ask(image_plan *plan, const es_path *path, uint8_t what);

/* Index of a path that was asked about. */
size_t es_paths_find(const image_plan *plan, const es_path *path);

/* The bit of a node's `tells` for one of AUTOMATON_*, which was asked of the path. */
unsigned es_paths_bit(const image_plan *plan, const es_path *path, uint8_t what);

#endif
