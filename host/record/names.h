/* Texts that come again and again, kept once: each has a number, from 1 on. 0 is no text. */
#ifndef ES_RECORD_NAMES_H
#define ES_RECORD_NAMES_H

#include <stddef.h>
#include <stdint.h>

typedef struct es_names es_names;

es_names *es_names_new(void);
void es_names_free(es_names *names);

/* The number of a text, which is copied when it is new. Bytes without NUL; none of them: 0. */
uint32_t es_names_add(es_names *names, const char *text, size_t length);

/* NULL for 0 and for what no text has as its number. Valid until es_names_free. */
const char *es_names_text(const es_names *names, uint32_t number);

/* The highest number there is. */
uint32_t es_names_count(const es_names *names);

#endif
