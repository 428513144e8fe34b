/* Locals of optimised code, which the stack holds for parts of their procedure's body only (es_life): a statement is
 * evaluated while the activation that is meant is where all of them are there.
 *
 * Where it is follows from the event: of a write or an `at` in the procedure's own code from its position, of any other
 * from the call or the interrupt with which the procedure was left last, which the shadow stack has. */
#ifndef ES_IMAGE_TABLES_LIVES_H
#define ES_IMAGE_TABLES_LIVES_H

#include "image/tables/layout.h"

/* Writes the tables and the routine that looks into them, when there is anything to look for. Before statements'
 * code. */
void es_lives_reserve(image_builder *b);

#endif
