/* Inside of the report: shared by its text and its JSON form, each of which puts together what report.c writes out. */
#ifndef ES_CLI_REPORT_PRIVATE_H
#define ES_CLI_REPORT_PRIVATE_H

#include "cli/report/report.h"

struct es_report {
    es_report_config config;
    es_text_buffer line;    /* output being put together; written out in one piece */
    es_text_buffer console; /* the target's unfinished console line */
    es_path_entry path[ES_PATH_MAX];
    size_t name_width, values_width, task_width, path_width; /* of the columns, in characters */
    bool explained_uncertain, explained_path;
    bool closed;
    int closed_errno;
};

/* A form adds lines for stdout to report->line. */
struct es_report_form {
    void (*hit)(es_report *report, const es_event *event);
    void (*gap)(es_report *report, const es_event *event);
    void (*console)(es_report *report, char *line, size_t length); /* may change the line's bytes */
    void (*summary)(es_report *report, const es_summary *summary);
};

#endif
