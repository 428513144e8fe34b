/* Data reads that concern statements: read(x). A word of such a variable is armed in the fetch plane; hits on it come
 * to the code that its cell in the fetches' map names, marked as one of data by ES_MI_READ. Words of locals and of
 * what pointers lead to are those of slots, which are armed there too (struct es_mi_slot, reads). */
#ifndef ES_IMAGE_PLACES_READS_H
#define ES_IMAGE_PLACES_READS_H

#include "image/plan/plan.h"
#include "lang/statement.h"

/* Whether some statement reads() a local of the procedure: its words are armed in a slot that moves with it. */
bool es_reads_locals(const es_program *program, const es_procedure *procedure);

/* Adds the words of references[index]: reads of its bytes are the event bits of the statement. The frame and pointers
 * are known. Fails with ES_USAGE when that is too much. */
bool es_reads_add(image_plan *plan, size_t statement, size_t index, uint16_t events, es_error *err);

/* Sorts them by word, then statement. */
void es_reads_settle(image_plan *plan);

/* The end of the reads of the word of `read`. */
const plan_read *es_reads_end(const image_plan *plan, const plan_read *read);

#endif
