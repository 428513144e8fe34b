/* Writes messages of Protocol Buffers: as much of the format as traces need. */
#ifndef ES_EXPORT_PROTOBUF_H
#define ES_EXPORT_PROTOBUF_H

#include <stdint.h>

#include "base/text.h"

void es_pb_uint(es_text_buffer *out, unsigned field, uint64_t value);
void es_pb_double(es_text_buffer *out, unsigned field, double value);

/* Strings, and messages that are complete. */
void es_pb_bytes(es_text_buffer *out, unsigned field, const char *bytes, size_t size);
void es_pb_string(es_text_buffer *out, unsigned field, const char *text);

#endif
