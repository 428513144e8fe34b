/* Data reads that concern statements: read(x). A word of such a variable is armed in the fetch plane; hits on it come
 * to the code that its cell in the fetches' map names, marked as one of data by ES_MI_READ. Words of locals and of
 * what pointers lead to are those of slots, which are armed there too (struct es_mi_slot, reads). */
#ifndef ES_IMAGE_TABLES_READS_H
#define ES_IMAGE_TABLES_READS_H

#include "image/plan/plan.h"
#include "image/tables/layout.h"

/* Writes the code of the word that `first` begins, a list; its address. */
uint16_t es_reads_code(image_builder *b, const plan_read *first);

/* Writes the code of the word that `first` begins; the cell. */
struct es_mi_cell es_reads_cell(image_builder *b, const plan_read *first);

#endif
