/* How a hit tells which members of an area its event has written or read. */
#ifndef ES_IMAGE_HIT_WHICH_H
#define ES_IMAGE_HIT_WHICH_H

#include "lang/statement.h"

/* Words of memory that are sent: the hit's word, and where members lie across words as many before and after it. */
uint32_t es_image_which_memory(const es_statement *statement, const es_print_item *item);

/* The first word: where the hit's word is, in bytes from the first member, above its lanes. */
#define WHICH_LANES 4u

#endif
