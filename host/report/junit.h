/* Results as JUnit XML, as CI services read it: a test suite for each run, a test case for each expectation. */
#ifndef ES_REPORT_JUNIT_H
#define ES_REPORT_JUNIT_H

#include "report/results.h"

typedef struct es_junit_config {
    bool allow_unknown; /* what is not decided was skipped; else it is an error */
    bool wall_times;    /* how long runs took here; else how long the target ran, the same every time */
} es_junit_config;

/* Adds the whole document. The same results make the same bytes. */
void es_junit_write(es_text_buffer *out, const es_results *results, const es_junit_config *config);

#endif
