/* Pieces of CTF metadata, in TSDL, that all traces of ours have in common. */
#ifndef ES_STORE_TSDL_H
#define ES_STORE_TSDL_H

#include <stdint.h>

#include "base/text.h"

/* A string literal: what C writes with a backslash is written so, other control characters in octal. */
void es_tsdl_quoted(es_text_buffer *out, const char *text, size_t length);

/* A field's or member's name from any text, in the form that readers print without its first underscore, so that it is
 * no word of TSDL: "plant.zone[2]" becomes _plant_zone_2. Never empty. */
void es_tsdl_name(es_text_buffer *out, const char *text);

/* From the first line to the types and the trace's byte order. */
void es_tsdl_begin(es_text_buffer *out);

/* The clock. `hz` ticks a second; time 0 is origin_ns after 1970; 0: not known. */
void es_tsdl_clock(es_text_buffer *out, uint64_t hz, int64_t origin_ns);

/* The kind of streams: packets as packet.h has them, events with an id of that type. */
void es_tsdl_stream(es_text_buffer *out, const char *id_type);

#endif
