/* Records of several probes as lines on one time axis: before each line for people stands when it was, how far off that
 * may be at most, and whose it is; JSON objects have members that say so. */
#ifndef ES_REPORT_TOGETHER_H
#define ES_REPORT_TOGETHER_H

#include "record/axis.h"
#include "report/report.h"

typedef struct es_together es_together;

/* On stdout and stderr. live: lines go out at once. */
es_together *es_together_new(const es_report_config *config, bool live);
void es_together_free(es_together *together);

/* One more probe. Returns its number: 0, 1, ... */
size_t es_together_add(es_together *together, const char *name);

/* Shows a record. at: when it was; NULL of what has no time of its own. late: what came after it was shown already. */
void es_together_take(es_together *together, size_t probe, const es_record *record, const es_axis_time *at, bool late);

/* A line about one of the probes, for people. */
void es_together_tell(es_together *together, size_t probe, const char *text);

/* No more records of this one come. */
void es_together_finish(es_together *together, size_t probe);

/* Whether stdout takes no more, which may be asked in any thread. *error: errno of the first failure. */
bool es_together_closed(const es_together *together, int *error);

#endif
