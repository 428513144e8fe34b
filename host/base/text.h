/* Text: a buffer that grows, and what UTF-8 needs. */
#ifndef ES_BASE_TEXT_H
#define ES_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* A growing text, always NUL terminated once something was added. All zero is an empty one. */
typedef struct es_text_buffer {
    char *text;
    size_t length, size;
} es_text_buffer;

void es_text_add(es_text_buffer *buffer, const char *bytes, size_t length);
void es_text_format(es_text_buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
void es_text_vformat(es_text_buffer *buffer, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
/* The word for so many: es_plural(lost, "frame", "frames"). */
static inline const char *es_plural(uint64_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

/* Whole numbers in decimal. Much faster than es_text_format. */
void es_text_int(es_text_buffer *buffer, int64_t value);
void es_text_uint(es_text_buffer *buffer, uint64_t value);

#define ES_DECIMAL_ROOM 28 /* of a 64-bit number with its sign, 20 characters, and what may be written after it */

/* Writes a number with spaces before it up to `width` characters, and no NUL; to a place with room for `width` and
 * ES_DECIMAL_ROOM. Returns where it ends. */
char *es_put_decimal(char *to, int64_t value, unsigned width);

/* Room for `more` bytes after the text: its place, until the buffer is used again. Who writes there adds to `length`
 * and ends the text with a NUL, for which there is room too. */
char *es_text_room(es_text_buffer *buffer, size_t more);
void es_text_clear(es_text_buffer *buffer); /* keeps the memory */
void es_text_free(es_text_buffer *buffer);

/* Adds a character as C writes it between quotes of that kind. */
void es_text_escape(es_text_buffer *buffer, unsigned char c, char quote);

/* Adds a word as a shell takes it: in quotes where it needs them. */
void es_text_shell(es_text_buffer *buffer, const char *word);

/* Adds text that may hold anything as text of XML or HTML, also between double quotes. What XML cannot hold becomes
 * U+FFFD. */
void es_text_xml(es_text_buffer *buffer, const char *text, size_t length);
void es_text_xml_string(es_text_buffer *buffer, const char *text);

/* Length in bytes of the well-formed UTF-8 character at text (1 to 4), or 0 when it is none; looks at most at `room`
 * bytes. */
size_t es_utf8_length(const char *text, size_t room);

/* Reads a whole file as text, for es_text_buffer's owner to free. A file that begins with a byte order mark may be
 * UTF-16 and becomes UTF-8; the mark is left out. Fails with ES_USAGE when it cannot be read, is larger than `max`
 * bytes, holds a NUL byte, or is no UTF-16 where its mark says so. */
bool es_text_read_file(es_text_buffer *buffer, const char *path, size_t max, es_error *err);

/* The part of a path after the last '/'. */
const char *es_base_name(const char *path);

/* Can a file's name stand in a statement without quotes: words with dots between them? */
bool es_is_plain_file(const char *name);

/* Does a file's name as the compiler was given it end in what was written: whole folders and the name? */
bool es_file_matches(const char *file, const char *wanted);

#endif
