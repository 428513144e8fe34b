/* The code that cells lead to: what a write to a word, an entry or a return means to the statements. */
#ifndef ES_IMAGE_TABLES_FORGET_H
#define ES_IMAGE_TABLES_FORGET_H

#include "image/tables/layout.h"

/* Code: what was begun in parts of the variables whose pending bytes these are is given up, and counted. */
void es_words_forget(image_builder *b, uint32_t pending, uint32_t words);

#endif
