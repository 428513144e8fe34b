/* HIT frames: values, snapshots and times of a statement's hit, and which of the values are not known. */
#ifndef ES_IMAGE_LOWER_SEND_H
#define ES_IMAGE_LOWER_SEND_H

#include "image/lower/generator.h"

/* Words of the statement's frames besides its values and snapshots. */
size_t es_send_besides(generator *g);

/* Code: reads what will be printed at a deadline, so that g->unknown is gone to where it is not known. */
void es_send_check_late(generator *g);

/* Code: sends the frame, and returns. Where a value is not known, the frame is longer: es_image_unknown_words. */
void es_send_hit(generator *g);

#endif
