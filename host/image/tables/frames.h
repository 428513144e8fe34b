/* The code that arms and disarms the words of a frame, and forgets what belongs to one activation
 * (host/image/tables/word.h has the code of the words). */
#ifndef ES_IMAGE_TABLES_FRAMES_H
#define ES_IMAGE_TABLES_FRAMES_H

#include "image/plan/plan.h"
#include "image/tables/layout.h"

/* Writes the code that arms and disarms a frame; returns the address of its es_mi_frame, without the second part. */
uint16_t es_words_frame(image_builder *b, const plan_frame *frame);

/* Writes the code that forgets what belongs to one activation, for a frame that moves; returns its address. */
uint16_t es_words_frame_left(image_builder *b, const plan_frame *frame);

#endif
