/* Traces of several probes, read as one: on the time axis of the computer whose clock theirs were mapped to while they
 * ran (ES_RECORD_CLOCK). */
#ifndef ES_STORE_MERGE_H
#define ES_STORE_MERGE_H

#include "record/axis.h"
#include "store/trace.h"

#define ES_MERGE_MAX 16u

/* `trace`: which of them. `at`: NULL of what has no time (begin, notes, progress, summary). */
typedef void es_merge_take(void *context, size_t trace, const es_record *record, const es_axis_time *at);

typedef struct es_merge {
    es_trace_reader **traces;       /* 1 to ES_MERGE_MAX; only read here from now on */
    const char *const *directories; /* of each, for messages */
    size_t count;
    es_merge_take *take;
    bool (*stop)(void *context); /* asked now and then, in any thread: whether it is enough; NULL: never */
    void *context;
} es_merge;

/* Gives all their records, one after the other, those with times in the order of these; each trace's in its own order,
 * and the summaries last. Fails with ES_USAGE when a trace has no clock or another computer's, or is damaged, and with
 * ES_OUTPUT. */
bool es_traces_merge(const es_merge *merge, es_error *err);

#endif
