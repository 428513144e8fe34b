/* How values are shown: by their fields alone. */
#ifndef ES_RECORD_VALUE_H
#define ES_RECORD_VALUE_H

#include "base/json.h"
#include "base/text.h"
#include "record/record.h"

/* A value in its own C type: 83, -2, 'a', true, ARMED, RED|BLUE, 0x00020040 <plant>, NULL, 1.5, 52.3us; one that is not
 * known is ?. */
void es_value_text(es_text_buffer *out, const es_schema *schema, const es_field *field, const es_value *value,
                   bool utf8);

/* Numbers as numbers (characters and pointers too), lengths of time in nanoseconds, bool as true or false, enumerators
 * by name, NaN and infinities as "nan", "inf", "-inf"; one that is not known is null. */
void es_value_json(es_json *json, const es_schema *schema, const es_field *field, const es_value *value);

/* The value of an integer, a character, an enumeration or a pointer, sign or zero extended from its own width. */
int64_t es_value_int(const es_field *field, const es_value *value);

/* The value of a FLOAT. */
double es_value_double(const es_field *field, const es_value *value);

#endif
