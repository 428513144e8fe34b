/* Compound events (host/image/times/compound.h): code that evaluates what an event means to one. */
#ifndef ES_IMAGE_LOWER_COMPOUND_H
#define ES_IMAGE_LOWER_COMPOUND_H

#include "image/lower/generator.h"

/* Code: evaluates what the event concerns; at deadlines they are what has occurred. Goes on when the compound event is
 * complete, else jumps to `no`. */
void es_compound_evaluate(generator *g, unsigned no);

/* The same without the evaluation: which conditions are true at the event is there already (COMPOUND_SEEN). */
void es_compound_step(generator *g, unsigned no);

#endif
