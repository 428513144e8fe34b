/* Records on a terminal while they come: the report's lines, below them a line that tells how it goes, and keys that
 * pause it, filter it and end it. */
#ifndef ES_TERMINAL_LIVE_H
#define ES_TERMINAL_LIVE_H

#include "record/record.h"
#include "report/report.h"

typedef struct es_live es_live;

/* Whether this is for the output that there is: stdout is a terminal that can do it. */
bool es_live_possible(void);

/* Makes the report of that configuration, whose `out` it is. hits: they are shown; else only counted. */
es_live *es_live_new(const es_report_config *config, bool hits);
/* Gives the terminal back, and what a pause holds out. */
void es_live_free(es_live *live);

/* No more records come: what was not shown yet is shown now. */
void es_live_finish(es_live *live);

/* Takes records, wherever they come from. */
es_sink es_live_sink(es_live *live);
es_report *es_live_report(es_live *live);

/* To be called often, at least ten times a second, by the thread that gives the records: takes keys and draws. False:
 * the user wants the run to end. */
bool es_live_poll(es_live *live);

#endif
