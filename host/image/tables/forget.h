/* The code that gives up assignments of which only a part has been written. */
#ifndef ES_IMAGE_TABLES_FORGET_H
#define ES_IMAGE_TABLES_FORGET_H

#include "image/tables/layout.h"

/* Code: what was begun in parts of the variables whose pending bytes these are is given up, and counted. */
void es_words_forget(image_builder *b, uint32_t pending, uint32_t words);

#endif
