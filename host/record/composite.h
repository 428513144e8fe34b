/* How objects of any type are shown: members by name, elements in order, and what is not known as such. */
#ifndef ES_RECORD_COMPOSITE_H
#define ES_RECORD_COMPOSITE_H

#include "base/json.h"
#include "base/text.h"
#include "record/record.h"

/* Adds lines "    NAME = {zone = [...], steps = 3}" with a line end; what is too long for one line has its members, one
 * a line, below. A value that is not known is ?. `values`: of the object's first field on. */
void es_composite_text(es_text_buffer *out, const es_schema *schema, const es_schema_statement *statement,
                       const es_composite *object, const es_composite_state *state, const es_value *values, bool utf8);

/* Objects as objects, arrays as arrays, values as in es_value_json; what is not known is null. A range of memory is an
 * array of bytes. */
void es_composite_json(es_json *json, const es_schema *schema, const es_schema_statement *statement,
                       const es_composite *object, const es_composite_state *state, const es_value *values);

#endif
