/* Locals of optimised code, which the stack holds for parts of their procedure's body only (es_life): a statement is
 * evaluated while the activation that is meant is where all of them are there.
 *
 * Where it is follows from the event: of a write or an `at` in the procedure's own code from its position, of any other
 * from the call or the interrupt with which the procedure was left last, which the shadow stack has. */
#ifndef ES_IMAGE_PLACES_LIVES_H
#define ES_IMAGE_PLACES_LIVES_H

#include "image/plan/plan.h"
#include "lang/statement.h"

/* Fails with ES_USAGE when references[index] has a life and the statement needs what it has not: values at a deadline.
 * traps: the program may be interrupted. */
bool es_lives_refuse(const image_plan *plan, const es_statement *statement, size_t index, bool deadline, bool traps,
                     es_error *err);

#endif
