/* Numbers of bytes, as people write them. */
#ifndef ES_BASE_SIZES_H
#define ES_BASE_SIZES_H

#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

/* "500", "64K", "16M", "2G" (of 1,024) to bytes, 1 to 2^62. Fails with ES_USAGE; the message begins with the option's
 * name. */
bool es_size_parse(const char *option, const char *text, uint64_t *bytes, es_error *err);

/* 812 B, 3.1 KiB, 16.0 MiB */
void es_size_text(es_text_buffer *out, uint64_t bytes);

#endif
