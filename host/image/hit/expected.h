/* What the figures that the firmware ends with have of each statement. */
#ifndef ES_IMAGE_HIT_EXPECTED_H
#define ES_IMAGE_HIT_EXPECTED_H

#include "lang/statement.h"
#include <image.h>

#define EXPECTED_RECORD_WORDS (sizeof(struct es_mi_expected) / 4)

/* Whether a statement is enabled: bit 0 the other way than at the start, bit 1 the same as of before the event at which
 * that changed last; then that event's time, low and high word. */
#define EXPECTED_SWITCH_BYTES 12u

/* By statement: whether some action enables or disables it. The caller frees it. */
bool *es_expected_switched(const es_program *program);

/* Words that the figures have of a statement: 1, evaluations that met what is not known, when it is no expectation; 0
 * when it names no variable. switched: as above. */
size_t es_expected_words(const es_statement *statement, bool switched);

#endif
