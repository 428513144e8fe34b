/* Compound events: conditions joined by `then`, `and`, `or`, each evaluated at events of its own (docs/statements.md).
 *
 * What has been seen of a statement's event is kept in RAM: a word of flags, and for each part that may be waiting for
 * more the time at which it began. At an event, first the conditions that it concerns are evaluated, then one pass over
 * the tree decides what the event means: it completes a part, is used by one, or is in the way of one. */
#ifndef ES_IMAGE_LOWER_COMPOUND_H
#define ES_IMAGE_LOWER_COMPOUND_H

#include "image/lower/generator.h"

/* Code: evaluates what the event concerns; at deadlines they are what has occurred. Goes on when the compound event is
 * complete, else jumps to `no`. */
void es_compound_evaluate(generator *g, unsigned no);

#endif
