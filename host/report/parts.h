/* A hit's parts as texts for people, the same wherever they are shown. */
#ifndef ES_REPORT_PARTS_H
#define ES_REPORT_PARTS_H

#include <stdbool.h>

#include "base/text.h"
#include "record/record.h"

/* "temp=81 mode=ARMED": values without objects. */
void es_part_values(es_text_buffer *out, const es_schema *schema, const es_hit *hit, bool utf8);

/* "main > control > clamp (inlined)" */
void es_part_path(es_text_buffer *out, const es_schema *schema, const es_hit *hit, bool utf8);

/* "control.c:50", or an address where the source is not known. */
void es_part_place(es_text_buffer *out, const es_schema *schema, const es_hit *hit);

/* "producer", "(no task)" */
const char *es_part_task(const es_schema *schema, const es_hit *hit);

/* All in one line without its end, "29.1753 ms  temp=81 mode=ARMED  main > control  control.c:50", and objects in
 * lines below it. */
void es_part_line(es_text_buffer *out, const es_schema *schema, const es_hit *hit, bool utf8);

#endif
