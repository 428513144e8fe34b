/* The metadata of a trace's chunk. The names stand in its middle and grow; what is before and after them stays. */
#ifndef ES_STORE_TRACE_METADATA_H
#define ES_STORE_TRACE_METADATA_H

#include "base/text.h"
#include "record/record.h"

typedef struct es_trace_origin {
    const char *probe; /* may be NULL */
    int64_t ns;        /* since 1970 at time 0 */
    uint64_t chunk;
} es_trace_origin;

/* Up to the names. */
void es_trace_metadata_begin(es_text_buffer *out, const es_schema *schema, const es_trace_origin *origin);

/* One name more. */
void es_trace_metadata_name(es_text_buffer *out, uint32_t number, const char *text);

/* From the names' end on, with a check of all. */
void es_trace_metadata_end(es_text_buffer *out, const es_schema *schema);

/* Whether metadata is as it was written. */
bool es_trace_metadata_is_whole(const char *text, size_t length);

#endif
