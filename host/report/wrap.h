/* Lines of words on a terminal that is narrower than they are. */
#ifndef ES_REPORT_WRAP_H
#define ES_REPORT_WRAP_H

#include <stddef.h>

#include "base/text.h"

/* Breaks lines that take more than `width` columns between their words; what follows is indented. What steers colours
 * takes no columns. A word that is wider stays whole. */
void es_text_wrap(es_text_buffer *text, size_t width);

#endif
