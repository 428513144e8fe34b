/* What a run waits for in which nothing hits. */
#ifndef ES_REPORT_WAITS_H
#define ES_REPORT_WAITS_H

#include "base/text.h"
#include "record/record.h"

/* Adds a text for each statement, each with a line's end: "overheat waits for writes to temp (control.c:4)". At most
 * ten of them, and how many more there are. */
void es_waits_text(es_text_buffer *out, const es_schema *schema);

#endif
