/* A schema as one text, for the metadata of a chunk: what CTF has no words for must come back, too. Numbers and
 * "LENGTH:BYTES" texts with blanks between them. */
#ifndef ES_STORE_SCHEMA_TEXT_H
#define ES_STORE_SCHEMA_TEXT_H

#include "base/text.h"
#include "record/record.h"

void es_schema_put(es_text_buffer *out, const es_schema *schema);

/* NULL: that is no schema, or one that contradicts itself. Any bytes may be given. */
es_schema *es_schema_get(const char *text, size_t length);

#endif
