/* What the user sees of a run: records as lines of text or as JSON Lines on stdout, and notes on stderr. */
#ifndef ES_REPORT_REPORT_H
#define ES_REPORT_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "record/record.h"

typedef struct es_report_config {
    bool json;
    bool quiet; /* hits only: no notes, no summary as text */
    bool color, utf8;
    uint64_t every_ns; /* statistics are shown so often, in the target's time; 0: at the end, and now and then on a
                          terminal */
    const char *probe; /* whose records they are, where JSON is to tell it; else NULL */
} es_report_config;

typedef struct es_report es_report;

es_report *es_report_new(const es_report_config *config);
void es_report_free(es_report *report);

/* Takes records; the report is its context. */
es_sink es_report_sink(es_report *report);

/* True when stdout takes no more: its reader went away, or the disk is full. *error: errno of the first failure. */
bool es_report_closed(const es_report *report, int *error);

#endif
