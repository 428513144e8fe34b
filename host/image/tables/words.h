/* The code that cells of words lead to, with the routines of statements. */
#ifndef ES_IMAGE_TABLES_WORDS_H
#define ES_IMAGE_TABLES_WORDS_H

#include "image/plan/plan.h"
#include "image/tables/layout.h"

/* Writes all statements' routines and the code of all words of the plan; fills builder->words, builder->routine_at. */
bool es_words_statements(image_builder *b);

/* The code of the word that plan write `first` begins (the first of its frame and word). */
struct es_mi_cell es_words_cell(const image_builder *b, const plan_write *first);

/* Writes code that chooses between the words of several frames: whose frame cell has cfas[i] (phantom addresses). */
struct es_mi_cell es_words_choose(image_builder *b, const plan_write *const *words, const uint32_t *cfas, size_t count);

/* Writes the code that is run at each MARK_EPOCH; returns its address, 0: none. */
uint16_t es_words_marks(image_builder *b);

#endif
