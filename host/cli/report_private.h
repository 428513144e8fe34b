/* Inside of the report: shared by its text and its JSON form. */
#ifndef ES_CLI_REPORT_PRIVATE_H
#define ES_CLI_REPORT_PRIVATE_H

#include "cli/report.h"

struct es_report {
    es_report_config config;
    es_text_buffer line;    /* output being put together; written out in one piece */
    es_text_buffer console; /* the target's unfinished console line */
    es_path_entry path[ES_PATH_MAX];
    size_t name_width, values_width, path_width; /* of the columns, in characters */
    bool explained_uncertain, explained_path;
    bool closed;
    int closed_errno;
};

/* Writes report->line to stdout and empties it. */
void es_report_flush(es_report *report);

void es_text_report_hit(es_report *report, const es_event *event);
void es_text_report_gap(es_report *report, const es_event *event);
void es_text_report_summary(es_report *report, const es_summary *summary);

void es_json_report_hit(es_report *report, const es_event *event);
void es_json_report_gap(es_report *report, const es_event *event);
void es_json_report_console(es_report *report, const char *line, size_t length);
void es_json_report_summary(es_report *report, const es_summary *summary);

#endif
