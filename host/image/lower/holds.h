/* What statements about some time wait for (host/image/times/holds.h): code at a write that may end or begin it. */
#ifndef ES_IMAGE_LOWER_HOLDS_H
#define ES_IMAGE_LOWER_HOLDS_H

#include "image/lower/generator.h"
#include "image/plan/plan.h"

/* Code of the note; g->statement is the deadline's statement. */
void es_holds_note_write(generator *g, const plan_deadline *deadline);

#endif
