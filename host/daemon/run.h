/* A run of monitoring that the daemon owns: a session in a thread of its own, its records on the way to who wants them
 * and to the disk.
 *
 * All functions are for the loop's thread. What passes between it and the session's thread stands under the run's
 * mutex: lines wait there until the loop takes them (daemon/lines.h).
 */
#ifndef ES_DAEMON_RUN_H
#define ES_DAEMON_RUN_H

#include <uv.h>

#include "access/open.h"
#include "base/json.h"
#include "daemon/lines.h"

typedef struct es_run es_run;

typedef struct es_run_options {
    char *name;       /* distinct among runs */
    char *probe;      /* as the user writes it: "ftdi:ES0001" */
    char *program;    /* how the user calls the file */
    char *path;       /* where the daemon reads it */
    int program_file; /* open as long as the run: `path` leads to it; -1: none */
    es_text *texts;   /* statements; file and text are the run's */
    size_t text_count;
    char *directory;                                       /* of its trace; NULL: none is written */
    bool returns;                                          /* begins again when its probe comes back */
    uint64_t rotate_bytes, rotate_ns, keep_bytes, keep_ns; /* of the trace: es_trace_options */
    es_access access;                                      /* choice, ratio, seed */
    es_session_options session;
} es_run_options;

void es_run_options_free(es_run_options *options);

/* Who is told, in the loop's thread. */
typedef struct es_run_events {
    void (*lines)(void *context, es_run *run, enum es_form form, es_batch *batch); /* the batch stays the run's */
    void (*ended)(void *context, es_run *run);
    void *context;
} es_run_events;

/* Begins; takes what `options` points to over. NULL: ES_OUTPUT, when no thread can be made or the trace cannot; then
 * options are freed, too. */
es_run *es_run_start(uv_loop_t *loop, unsigned number, const es_run_options *options, const es_run_events *events,
                     es_error *err);

unsigned es_run_number(const es_run *run);
const char *es_run_name(const es_run *run);
const char *es_run_probe(const es_run *run);

/* Its lines in this form are wanted by one more. Returns those that come first, to be dropped by the caller: what began
 * before, and all names. */
es_batch *es_run_join(es_run *run, enum es_form form);
void es_run_leave(es_run *run, enum es_form form);

/* Asks it to end; `ended` follows. */
void es_run_stop(es_run *run);

/* Of a run that is over: how it ended, for people, and as an exit code. */
enum es_code es_run_end(const es_run *run, const char **text);

/* Messages of all wrong statements but the last one. NULL: there are none. */
const char *es_run_wrong(const es_run *run);

/* Whether its monitoring has begun, at least once: what was wrong with its statements would have hindered that. */
bool es_run_began(const es_run *run);

/* The directory of its trace: of its first session, or when it is over, of its latest; NULL: none is kept. */
const char *es_run_trace(const es_run *run);

/* Its state as an object: number, name, program, probe, state, figures; of one that is over, how it ended. */
void es_run_json(es_run *run, es_json *json);

/* Only when over. Memory is freed when the loop comes round. */
void es_run_free(es_run *run);

#endif
