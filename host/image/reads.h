/* Data reads that concern statements: read(x). A word of such a variable is armed in the fetch plane; hits on it come to the code that
 * its cell in the fetches' map names, marked as one of data by ES_MI_READ. */
#ifndef ES_IMAGE_READS_H
#define ES_IMAGE_READS_H

#include "image/words.h"

/* Fails with a caret when read() of this reference cannot be watched. */
bool reads_check(const image_plan *plan, const es_statement *statement, size_t reference, bool unchanged, es_error *err);

/* Adds the words of a reference: reads of its bytes are the event bits of the statement. */
void reads_add(image_plan *plan, size_t statement, const es_reference *reference, uint16_t events);

/* Sorts them by word, then statement. */
void reads_settle(image_plan *plan);

/* The end of the reads of the word of `read`. */
const plan_read *reads_end(const image_plan *plan, const plan_read *read);

/* Writes the code of the word that `first` begins; the cell. */
struct es_mi_cell reads_cell(image_builder *b, const plan_read *first);

#endif
