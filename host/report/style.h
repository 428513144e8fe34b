/* How text for people looks on a terminal that has colours. */
#ifndef ES_REPORT_STYLE_H
#define ES_REPORT_STYLE_H

#include "report/private.h"

enum es_style { ES_STYLE_DIM, ES_STYLE_NAME, ES_STYLE_PATH, ES_STYLE_LOUD, ES_STYLE_BOLD, ES_STYLE_INFERRED };

/* The terminal's code for it. */
const char *es_style_code(enum es_style which);

/* What is added to report->line from here on looks so, until es_style_end; without colours neither does anything. */
void es_style_begin(es_report *report, enum es_style which);
void es_style_end(es_report *report);

#endif
