/* Results of expectations for people, and for the service that shows them beside the source. */
#ifndef ES_REPORT_VERDICTS_H
#define ES_REPORT_VERDICTS_H

#include "report/results.h"

typedef struct es_verdicts_config {
    bool color;
    bool allow_unknown; /* what is not decided fails nothing */
} es_verdicts_config;

/* Adds what one run has shown: a line for it, one for each expectation, and below those that were not met the hits that
 * tell why. */
void es_verdicts_text(es_text_buffer *out, const es_results *results, const es_run_results *run,
                      const es_verdicts_config *config);

/* Adds a line for all of them. */
void es_verdicts_total(es_text_buffer *out, const es_results *results, const es_verdicts_config *config);

/* Adds "::error file=checks.watch,line=3,title=...::..." lines, GitHub's workflow commands, for what was not met in a
 * run. */
void es_verdicts_annotate(es_text_buffer *out, const es_run_results *run, const es_verdicts_config *config);

#endif
