/* Locals of optimised code (host/image/places/lives.h): their tables, and the routine that looks into them. */
#ifndef ES_IMAGE_TABLES_LIVES_H
#define ES_IMAGE_TABLES_LIVES_H

#include "image/tables/layout.h"

/* Writes the tables and the routine that looks into them, when there is anything to look for. Before statements'
 * code. */
void es_lives_reserve(image_builder *b);

#endif
