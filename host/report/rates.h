/* How often each statement was true, beside its statistics. */
#ifndef ES_REPORT_RATES_H
#define ES_REPORT_RATES_H

#include "base/text.h"
#include "record/record.h"

typedef struct es_rate {
    uint64_t hits;
    uint64_t first, last; /* times of hits that were told; ES_NO_TIME: none was */
} es_rate;

/* The hits of a stretch of time. */
typedef struct es_rates {
    const es_schema *schema;
    es_rate *statements;
    uint64_t from, to; /* the stretch, in clocks; ES_NO_TIME: what has been seen begins or ends it */
    uint64_t begin, end;
    bool whole; /* from a run's beginning to its end: the summary's figures are of the same hits */
} es_rates;

/* For es_rates_free. whole: as in es_rates. */
void es_rates_begin(es_rates *rates, const es_schema *schema, uint64_t from, uint64_t to, bool whole);
void es_rates_free(es_rates *rates);

void es_rates_take(es_rates *rates, const es_record *record);

/* For people: a table, and of which stretch it is; names are shortened where it is wider than `width`, if that is not
 * 0. */
void es_rates_text(es_text_buffer *out, const es_rates *rates, size_t width, bool utf8);

/* One object on a line: {"event":"rates", ...}, keys as earshot-stats(1) lists them. */
void es_rates_json(es_text_buffer *out, const es_rates *rates, bool last, const char *probe);

#endif
