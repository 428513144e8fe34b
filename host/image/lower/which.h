/* Code that tells which members of an area an event has written or read (host/image/hit/which.h). */
#ifndef ES_IMAGE_LOWER_WHICH_H
#define ES_IMAGE_LOWER_WHICH_H

#include "image/lower/generator.h"
#include "lang/statement.h"

/* Sends the item's words, none of them as the last of the frame. */
void es_which_send(generator *g, const es_print_item *item);

#endif
