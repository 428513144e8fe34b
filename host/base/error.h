/* Errors are values: a code and a message that says what happened, where, and what to do. */
#ifndef ES_BASE_ERROR_H
#define ES_BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>

/* Kinds of failure; earshot's exit codes follow from them (docs: earshot(1)). */
enum es_code {
    ES_OK = 0,
    ES_EXPECTATION, /* an expectation of the user's failed: exit 1 */
    ES_USAGE,       /* wrong arguments, statements or program file: exit 2 */
    ES_PROBE,       /* probe, USB or simulation trouble: exit 3 */
    ES_LOST,        /* data was lost where it was forbidden: exit 4 */
    ES_OUTPUT,      /* results or a recording cannot be written: exit 5 */
};

/* "ok", "expectation", "usage", "probe", "lost", "output": how the protocol and its clients call them. */
const char *es_code_name(enum es_code code);

typedef struct es_error {
    enum es_code code;
    char text[2048]; /* may hold several lines (a caret below a source line); no newline at the end */
} es_error;

/* Stores code and formatted message in *err (which may be NULL). Returns false, so callers can `return
 * es_fail(...)`. */
bool es_fail(es_error *err, enum es_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool es_vfail(es_error *err, enum es_code code, const char *format, va_list args) __attribute__((format(printf, 3, 0)));

/* Puts "formatted: " before the message that *err holds. Returns false. */
bool es_fail_in(es_error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
