/* How values, times and paths are shown. */
#ifndef ES_CLI_VALUE_H
#define ES_CLI_VALUE_H

#include "base/json.h"
#include "base/text.h"
#include "lang/statement.h"
#include "stream/event.h"

/* A printed value in its own C type: 83, -2, 'a', true, ARMED, RED|BLUE, 0x00020040 <plant>, NULL, 1.5. words:
 * es_image_value_words of a HIT frame. */
void es_value_text(es_text_buffer *out, const es_symbols *symbols, const es_statement *statement,
                   const es_print_item *item, const uint32_t *words);

/* Numbers as numbers (characters and pointers too), bool as true or false, enumerators by name, NaN and infinities as
 * "nan", "inf", "-inf". */
void es_value_json(es_json *json, const es_statement *statement, const es_print_item *item, const uint32_t *words);

/* The same of a value by its type; bit_size 0: no bit-field. Bits above its own do not matter. */
void es_scalar_text(es_text_buffer *out, const es_symbols *symbols, const es_type *type, unsigned bit_size,
                    uint64_t word);
void es_scalar_json(es_json *json, const es_type *type, unsigned bit_size, uint64_t word);

/* Whether a printed value is a length of time: clocks in two words. */
bool es_value_is_time(const es_print_item *item);

/* A length of time without padding: 350ns, 52.3us, 1.25ms, 2s. */
void es_length_text(es_text_buffer *out, uint64_t ns, bool utf8);

/* Clocks to nanoseconds, without overflow before 2^64 ns. */
uint64_t es_time_ns(uint64_t clocks, uint64_t hz);

/* The other way, rounded up: ns up to ES_TIME_MAX_NS, hz up to 10^10. */
uint64_t es_time_clocks(uint64_t ns, uint64_t hz);

/* A time in 12 columns: "  123.456 us", " 12.3456 ms ", "1.234567 s  ". `utf8`: with a micro sign. */
void es_time_text(es_text_buffer *out, uint64_t ns, bool utf8);

#define ES_TIME_MAX_NS UINT64_C(1000000000000000000) /* 10^9 seconds */

/* "5ms", "2s", "100us", "1500ns" to nanoseconds, 1 to ES_TIME_MAX_NS. Fails with ES_USAGE; the message begins with the
 * option's name. */
bool es_time_parse(const char *option, const char *text, uint64_t *ns, es_error *err);

/* One activation of a hit's path, outermost first. */
typedef struct es_path_entry {
    const char *name; /* of the procedure; NULL unknown, then `address` lies in it */
    uint32_t address;
    bool interrupt; /* entered by an interrupt */
} es_path_entry;

/* The path of a HIT event: the activations that its call sites led to. The start-up code is not part of it. Returns
 * their number. */
size_t es_path_entries(const es_symbols *symbols, const es_event *event, es_path_entry entries[ES_PATH_MAX]);

#endif
