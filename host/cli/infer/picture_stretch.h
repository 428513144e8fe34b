/* One stretch of the picture: its alternatives as lanes of states, with observed and inferred events. */
#ifndef ES_CLI_INFER_PICTURE_STRETCH_H
#define ES_CLI_INFER_PICTURE_STRETCH_H

#include "base/text.h"
#include "infer/content.h"
#include "infer/infer.h"

#define ES_INFER_PICTURE_LEFT 130 /* pixels for labels */

/* Draws it from y on; returns its height in pixels. */
int64_t es_infer_picture_stretch(es_text_buffer *out, const es_infer_model *model, const es_infer_contents *contents,
                                 const es_infer_result *result, int64_t y);

#endif
