/* Locals of optimised code, which the stack holds for parts of their procedure's body only (es_life): a statement is
 * evaluated while the activation that is meant is where all of them are there.
 *
 * Where it is follows from the event: of a write or an `at` in the procedure's own code from its position, of any other
 * from the call or the interrupt with which the procedure was left last, which the shadow stack has. */
#ifndef ES_IMAGE_LOWER_LIVES_H
#define ES_IMAGE_LOWER_LIVES_H

#include "image/lower/generator.h"

/* Jumps to `no` when the value of references[index] is not in memory at this event, to g->unknown when that cannot be
 * told. Takes t0 to t6. */
void es_lives_check(generator *g, size_t index, unsigned no);

#endif
