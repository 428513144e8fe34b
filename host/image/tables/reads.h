/* Data reads that concern statements (host/image/places/reads.h): the code of armed words, and their cells. */
#ifndef ES_IMAGE_TABLES_READS_H
#define ES_IMAGE_TABLES_READS_H

#include "image/plan/plan.h"
#include "image/tables/layout.h"

/* Writes the code of the word that `first` begins, a list; its address. */
uint16_t es_reads_code(image_builder *b, const plan_read *first);

/* Writes the code of the word that `first` begins; the cell. */
struct es_mi_cell es_reads_cell(image_builder *b, const plan_read *first);

#endif
