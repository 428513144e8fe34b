/* What the user sees of a run: records as lines of text or as JSON Lines on stdout, and notes on stderr. */
#ifndef ES_REPORT_REPORT_H
#define ES_REPORT_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "record/record.h"

/* Where lines go: whole ones, `result` those for stdout, else those for stderr. False, with errno: no more can be
 * written. */
typedef struct es_report_out {
    bool (*write)(void *context, bool result, const char *bytes, size_t size);
    /* Whether a hit that would be shown is not to be; NULL: all are shown. Statistics count it all the same. */
    bool (*hides)(void *context, const es_schema *schema, const es_hit *hit);
    void *context;
} es_report_out;

typedef struct es_report_config {
    bool json;
    bool quiet;      /* hits only: no notes, no summary as text */
    bool statistics; /* no hits: how often each statement was true, and statistics of all values */
    bool part;       /* of that: not of a whole run but of the time from `from` to `to`, in clocks; ES_NO_TIME: from or
                        to where the records themselves begin or end */
    uint64_t from, to;
    bool color, utf8;
    uint64_t every_ns; /* statistics are shown so often, in the target's time; 0: at the end, and now and then on a
                          terminal */
    /* Whether the run is to end: who reads stdout and takes nothing is not waited for any longer. NULL: is not
     * asked. */
    bool (*stopped)(void);
    const char *probe; /* whose records they are, where JSON is to tell it; else NULL */
    es_report_out out; /* write NULL: to stdout and stderr, at once */
} es_report_config;

typedef struct es_report es_report;

es_report *es_report_new(const es_report_config *config);
void es_report_free(es_report *report);

/* Takes records; the report is its context. */
es_sink es_report_sink(es_report *report);

/* Tells where the run's trace is kept, or is now that it is over. */
void es_report_trace(es_report *report, const char *directory, bool over);

/* No more records come: statistics that no summary has shown are shown now. */
void es_report_finish(es_report *report);

/* Adds the statistics as they are now to `out`, for people on a screen of so many columns. Not while a record is
 * taken. */
void es_report_statistics(es_report *report, es_text_buffer *out, size_t width);

/* Something else puts so many columns before each line: hits have that much less of a terminal's width, and where
 * little is left they do without the target's own time. */
void es_report_margin(es_report *report, size_t columns);

/* True when stdout takes no more: its reader went away, or the disk is full. *error: errno of the first failure. */
bool es_report_closed(const es_report *report, int *error);

/* What that errno means for people. */
const char *es_report_closed_why(int error);

#endif
