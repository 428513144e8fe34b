/* What is forgotten of statements when the program starts anew. */
#ifndef ES_IMAGE_TABLES_ANEW_H
#define ES_IMAGE_TABLES_ANEW_H

#include "image/tables/layout.h"

/* Writes the code that forgets what compound events have seen, ages, and what `for` and `unchanged for` wait for, and
 * gives up writes in parts. Returns its address, 0 when no statement has any of these. */
uint16_t es_anew_write(image_builder *b);

#endif
