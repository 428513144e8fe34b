/* Text: a buffer that grows, and what UTF-8 needs. */
#ifndef ES_BASE_TEXT_H
#define ES_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* A growing text, always NUL terminated once something was added. All zero is an empty one. */
typedef struct es_text_buffer {
    char *text;
    size_t length, size;
} es_text_buffer;

void es_text_add(es_text_buffer *buffer, const char *bytes, size_t length);
void es_text_format(es_text_buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
void es_text_vformat(es_text_buffer *buffer, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
void es_text_clear(es_text_buffer *buffer); /* keeps the memory */
void es_text_free(es_text_buffer *buffer);

/* Adds a character as C writes it between quotes of that kind. */
void es_text_escape(es_text_buffer *buffer, unsigned char c, char quote);

/* Length in bytes of the well-formed UTF-8 character at text (1 to 4), or 0 when it is none; looks at most at `room`
 * bytes. */
size_t es_utf8_length(const char *text, size_t room);

/* Reads a whole file as text, for es_text_buffer's owner to free. Fails with ES_USAGE when it cannot be read, is larger
 * than `max` bytes or holds a NUL byte. */
bool es_text_read_file(es_text_buffer *buffer, const char *path, size_t max, es_error *err);

/* The part of a path after the last '/'. */
const char *es_base_name(const char *path);

/* Can a file's name stand in a statement without quotes: words with dots between them? */
bool es_is_plain_file(const char *name);

/* Does a file's name as the compiler was given it end in what was written: whole folders and the name? */
bool es_file_matches(const char *file, const char *wanted);

#endif
