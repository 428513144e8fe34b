/* Lengths of time: clocks and nanoseconds, and how people write them. */
#ifndef ES_BASE_TIMES_H
#define ES_BASE_TIMES_H

#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

#define ES_TIME_MAX_NS UINT64_C(1000000000000000000) /* 10^9 seconds */

/* Clocks to nanoseconds, without overflow before 2^64 ns. */
uint64_t es_time_ns(uint64_t clocks, uint64_t hz);

/* The other way, rounded up: ns up to ES_TIME_MAX_NS, hz up to 10^10. */
uint64_t es_time_clocks(uint64_t ns, uint64_t hz);

/* A time in 12 columns: "  123.456 us", " 12.3456 ms ", "1.234567 s  ". `utf8`: with a micro sign. */
void es_time_text(es_text_buffer *out, uint64_t ns, bool utf8);

/* The same without blanks around it: "123.456 us". */
void es_time_tight(es_text_buffer *out, uint64_t ns, bool utf8);

/* The one unit of all times of a run, and how many digits after the point tell its clocks apart. */
typedef struct es_time_unit {
    const char *name;
    uint64_t ns;       /* 1000000 of ms */
    unsigned decimals; /* at most those of a nanosecond */
} es_time_unit;

/* Milliseconds of targets that are simulated or recorded, which run for seconds; seconds of real ones, which run for
 * days. */
es_time_unit es_time_unit_of(uint64_t hz, bool is_short);

/* A time in that unit, cut after its decimals: "  12.3456 ms", with at least so many digits or blanks before the point
 * (0: without blanks). */
void es_time_in(es_text_buffer *out, es_time_unit unit, uint64_t ns, unsigned places);

/* A length of time without padding: 350ns, 52.3us, 1.25ms, 2s. */
void es_length_text(es_text_buffer *out, uint64_t ns, bool utf8);

/* "5ms", "2s", "100us", "1500ns" to nanoseconds, 1 to ES_TIME_MAX_NS. Fails with ES_USAGE; the message begins with the
 * option's name. */
bool es_time_parse(const char *option, const char *text, uint64_t *ns, es_error *err);

#endif
