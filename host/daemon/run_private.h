/* What a run is, for those files that make it up. */
#ifndef ES_DAEMON_RUN_PRIVATE_H
#define ES_DAEMON_RUN_PRIVATE_H

#include <stdatomic.h>
#include <time.h>

#include "daemon/lines.h"
#include "daemon/run.h"
#include "record/clock.h"
#include "store/trace.h"

enum es_run_state { ES_RUN_STARTING, ES_RUN_RUNNING, ES_RUN_WAITING, ES_RUN_ENDED };

struct es_run {
    es_run_options options;
    es_run_events events;
    unsigned number;
    uv_thread_t thread;
    uv_async_t wake;   /* the loop, by the session's thread */
    uv_mutex_t mutex;  /* from `lines` to `seconds` */
    uv_cond_t changed; /* `stopping` */
    es_lines lines;
    es_text_buffer begin;      /* the latest begin line */
    es_clock_told clock;       /* the latest; its computer is not kept */
    es_text_buffer clock_line; /* the same as a line; empty: none came since */
    es_text_buffer complaint;  /* why it waits for its probe; empty: it does not */
    enum es_run_state state;
    time_t ended_at;
    uint64_t hits, lost, time;
    es_trace_figures stored;
    double seconds;
    atomic_bool stopping;
    /* of the session's thread, and of the loop's when that has ended */
    es_trace *trace;
    es_text_buffer directory; /* of the trace */
    unsigned sessions;
    bool complains; /* what it tells is why it waits */
    es_session_result result;
    es_error err, trace_err; /* trace_err: why the trace is not complete */
    bool good, over;         /* over: `ended` was told */
};

/* Gives all lines that wait to whoever wants them: in the loop's thread, without the mutex. */
void es_run_deliver(es_run *run, es_batches rows[ES_FORMS]);

#endif
