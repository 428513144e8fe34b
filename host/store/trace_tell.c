/* What the writer of traces tells its owner. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "store/trace_private.h"

#define TEXT_MAX 4608u /* with a path */

static void tell(es_trace *t, enum es_trace_trouble trouble, const char *text)
{
    if (t->options.tell)
        t->options.tell(t->options.context, trouble, text);
}

void es_trace_poll(es_trace *t)
{
    char text[TEXT_MAX];
    pthread_mutex_lock(&t->mutex);
    bool fails = t->tell_fails, recovers = t->tell_recovers;
    int error = t->error;
    t->tell_fails = t->tell_recovers = false;
    atomic_store(&t->has_news, false);
    pthread_mutex_unlock(&t->mutex);
    es_latch_take(&t->latch);
    bool loses = t->losing && !t->told_losing;
    uint64_t recovered = t->recovered;
    t->told_losing = t->losing;
    t->recovered = 0;
    es_latch_give(&t->latch);
    if (fails) {
        snprintf(text, sizeof text,
                 "%s: the trace cannot be written: %s; monitoring goes on, and writing when that is mended",
                 t->directory, strerror(error));
        tell(t, ES_TRACE_FAILS, text);
    }
    if (loses) {
        snprintf(text, sizeof text, "%s: the disk takes the trace too slowly: records are being left out of it",
                 t->directory);
        tell(t, ES_TRACE_LOSES, text);
    }
    if (recovered) {
        snprintf(text, sizeof text, "%s: the trace goes on; %" PRIu64 " %s left out of it", t->directory, recovered,
                 es_plural(recovered, "record was", "records were"));
        tell(t, ES_TRACE_RECOVERS, text);
    } else if (recovers && !loses) {
        snprintf(text, sizeof text, "%s: the trace is written again", t->directory);
        tell(t, ES_TRACE_RECOVERS, text);
    }
}

void es_trace_look(es_trace *t, es_trace_figures *figures)
{
    es_latch_take(&t->latch);
    figures->records = t->records;
    figures->lost = t->lost;
    es_latch_give(&t->latch);
    pthread_mutex_lock(&t->mutex);
    figures->bytes = t->bytes;
    figures->chunks = t->chunks;
    figures->failing = t->failing;
    pthread_mutex_unlock(&t->mutex);
}
