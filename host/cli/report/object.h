/* How objects of any type are shown: members by name, elements in order, and what is not known as such. */
#ifndef ES_CLI_OBJECT_H
#define ES_CLI_OBJECT_H

#include "base/json.h"
#include "image/image.h"

/* Adds lines "    NAME = {zone = [...], steps = 3}" with a line end; what is too long for one line has its members, one
 * a line, below. A byte that is not known is ?, a value with such bytes too. */
void es_object_text(es_text_buffer *out, const es_symbols *symbols, const es_snapshot *snapshot,
                    const es_image_bytes *bytes);

/* Objects as objects, arrays as arrays, values as in es_value_json; what is not known is null. A range of memory is an
 * array of bytes. */
void es_object_json(es_json *json, const es_snapshot *snapshot, const es_image_bytes *bytes);

#endif
