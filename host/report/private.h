/* Inside of the report: shared by its forms, each of which puts together what report.c writes out. */
#ifndef ES_REPORT_PRIVATE_H
#define ES_REPORT_PRIVATE_H

#include "base/text.h"
#include "report/rates.h"
#include "report/report.h"

struct es_report {
    es_report_config config;
    es_text_buffer line; /* output being put together; written out in one piece */
    size_t margin;       /* columns before each line that are not its own */
    size_t name_width, values_width, task_width, path_width, place_width; /* of the columns, in characters */
    struct es_statistics *statistics;                                     /* NULL: no statement has any */
    es_rates rates;                                                       /* where statistics alone are shown */
    uint64_t statistics_due; /* time of the target's, in ns, at which they are shown again */
    double statistics_told;  /* seconds of the run at which they were shown last */
    bool has_clock;          /* what is known of the probe's clock: */
    es_clock_told clock;     /* without its computer */
    bool explained_uncertain, explained_path, told_waiting;
    uint32_t **explained_unknown; /* by statement and field: the name of the reason that was told last */
    size_t explained_count;       /* statements there */
    bool statistics_over;         /* they were shown for the last time */
    bool has_hits;
    bool closed;
    bool out_known, out_is_pipe; /* what stdout is */
    uint64_t unwritten;          /* records that were to be shown since */
    int closed_errno;
};

/* Writes report->line out and empties it: results to stdout, the rest to stderr. */
void es_report_flush(es_report *report, bool result);

/* Adds what a record is for people to report->line; of a summary, summary_text.c. */
void es_report_text(es_report *report, const es_record *record);
void es_report_text_summary(es_report *report, const es_record *record);

#endif
