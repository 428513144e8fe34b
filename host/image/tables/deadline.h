/* Deadlines of statements (host/image/times/deadline.h): telling the image's readers where the routines are that ask
 * for one deadline each. */
#ifndef ES_IMAGE_TABLES_DEADLINE_H
#define ES_IMAGE_TABLES_DEADLINE_H

#include "image/image.h"
#include "image/plan/plan.h"
#include "symbols/symbols.h"

/* Tells the image's readers where the routines are that ask for one deadline each. */
void es_deadline_tell(const image_plan *plan, es_image *image);

#endif
