/* Statements about what happens when nothing happens: `x unchanged for 10ms`, `x > 80 && y < 3 for 10ms`.
 *
 * What they wait for has a record in RAM: since when it has been so, and copies of the values that will be shown,
 * as phantom memory may be ahead of a mark. Writes that matter are noted in it. Whether the time is over is asked
 * at each of them, before it counts, and at every MARK_EPOCH. The hit tells the deadline as its time; the path and
 * the position of then are not known.
 *
 * Here is what is the same for all, and the note of the plainest: one variable of static storage, of at most a
 * word, unchanged. The others are in host/image/plan/holds.h. */
#ifndef ES_IMAGE_TABLES_DEADLINE_H
#define ES_IMAGE_TABLES_DEADLINE_H

#include "image/image.h"
#include "image/plan/plan.h"
#include "symbols/symbols.h"

/* Tells the image's readers where the routines are that ask for one deadline each. */
void es_deadline_tell(const image_plan *plan, es_image *image);

#endif
