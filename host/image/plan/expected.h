/* What an image keeps of expectations, so that they can be judged however the run ends: when each was met first, how
 * many of its hits are uncertain, how often it could not be evaluated. Layout: es_mi_expected in interface/image.h. */
#ifndef ES_IMAGE_PLAN_EXPECTED_H
#define ES_IMAGE_PLAN_EXPECTED_H

#include "image/plan/plan.h"
#include "lang/statement.h"

#define EXPECTED_RECORD_WORDS (sizeof(struct es_mi_expected) / 4)

/* Places the records, and the switches of these statements, after all totals; returns their end, a RAM offset. */
uint32_t es_expected_place(image_plan *plan);

/* By statement: whether some action enables or disables it. The caller frees it. */
bool *es_expected_switched(const es_program *program);

/* Words that the figures have of a statement: 1, evaluations that met what is not known, when it is no expectation; 0
 * when it names no variable. switched: as above. */
size_t es_expected_words(const es_statement *statement, bool switched);

#endif
