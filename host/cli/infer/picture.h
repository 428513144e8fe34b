/* What was inferred as a picture: observed, inconsistent, uncertain and inferred differ at a glance. */
#ifndef ES_CLI_INFER_PICTURE_H
#define ES_CLI_INFER_PICTURE_H

#include "base/text.h"
#include "infer/content.h"
#include "infer/infer.h"

#define ES_INFER_PICTURE_STRETCHES 100u /* that are drawn one by one; all are in the overview */

typedef struct es_infer_picture es_infer_picture;

/* The model and the trace's name must outlive it. begin, end: of the trace, in ns. */
es_infer_picture *es_infer_picture_new(const es_infer_model *model, const es_infer_contents *contents,
                                       const char *trace, int64_t begin, int64_t end);
void es_infer_picture_free(es_infer_picture *picture); /* NULL is fine */

void es_infer_picture_gap(es_infer_picture *picture, int64_t begin, int64_t end);
void es_infer_picture_add(es_infer_picture *picture, const es_infer_result *result);

/* Adds the picture in SVG, or an HTML page around it, to the text. `summary`: lines about the whole, of plain
 * letters. */
void es_infer_picture_svg(es_infer_picture *picture, const char *summary, es_text_buffer *out);
void es_infer_picture_html(es_infer_picture *picture, const char *summary, es_text_buffer *out);

#endif
