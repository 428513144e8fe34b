/* Bytes as text (RFC 4648). */
#ifndef ES_BASE_BASE64_H
#define ES_BASE_BASE64_H

#include <stddef.h>
#include <stdint.h>

/* The bytes, for the caller to free; line ends in the text do not matter. NULL: it is no base64. */
uint8_t *es_base64_decode(const char *text, size_t length, size_t *size);

#endif
