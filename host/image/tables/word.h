/* The code of one word of target memory: what a write to it means to the statements. */
#ifndef ES_IMAGE_TABLES_WORD_H
#define ES_IMAGE_TABLES_WORD_H

#include "image/plan/plan.h"
#include "image/tables/layout.h"

/* The end of the writes to the word of `write`. */
const plan_write *es_word_end(const image_builder *b, const plan_write *write);

/* Writes the code of the word that plan write `first` begins; needs the routines of its statements. falls: that of the
 * last one is written right after it. */
struct es_mi_cell es_word_write(image_builder *b, const plan_write *first, bool falls);

#endif
