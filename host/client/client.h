/* A connection to the daemon, and sessions that run there as if they ran here. */
#ifndef ES_CLIENT_CLIENT_H
#define ES_CLIENT_CLIENT_H

#include <jansson.h>

#include "access/open.h"
#include "record/axis.h"

typedef struct es_connection es_connection;

/* Where a daemon's socket is, for the caller to free: of the user, or of the system. NULL: there is none. */
char *es_daemon_socket(void);

/* Connects and takes the daemon's greeting. NULL: ES_PROBE (nobody listens there; not permitted, and what mends it;
 * another version of the protocol). */
es_connection *es_connection_new(const char *path, es_error *err);
void es_connection_free(es_connection *connection);

/* Sends a request and waits for its answer, which is the caller's (json_decref). Lines that come before it are left
 * out. NULL: what the daemon says against it, or ES_PROBE: the connection ended. */
json_t *es_connection_ask(es_connection *connection, const char *request, es_error *err);

/* Waits until a line of this event comes, and returns it; lines before it are left out. NULL: ES_PROBE, the connection
 * ended. */
json_t *es_connection_wait(es_connection *connection, const char *event, es_error *err);

/* How a run is to go on in the daemon. */
typedef struct es_remote_options {
    const char *socket;
    const char *chosen; /* the same, where the user has named one: so do the commands that are proposed */
    const char *name;   /* of the run; NULL: as its probe */
    const char *join;   /* no run is begun: the one of this name is looked at */
    bool keep;          /* it goes on when this client has ended: only its beginning is waited for */
    bool record;        /* the daemon keeps a trace of it */
    bool returns;       /* it begins again when its probe comes back */
    /* told where the trace is kept; NULL: nobody wants to know */
    void (*trace)(void *context, const char *directory);
    void *context;
} es_remote_options;

/* es_session_run, in the daemon: the same records, the same result. Of `session`, `open` is not called. With keep, a
 * note tells that it has begun, or waits for its probe; what its statements lack is an error as without. */
bool es_remote_run(const es_session_options *session, const es_access *access, const es_remote_options *options,
                   const es_sink *sink, es_session_result *result, es_error *err);

/* Several runs of the daemon that are looked at together, in the order of their times by the computer's clock. */
#define ES_SEVERAL_MAX 64u
#define ES_SEVERAL_WAIT_NS INT64_C(100000000) /* so long a record waits at most for an earlier one of another run */

typedef struct es_several {
    const char *socket;
    const char *const *names; /* of runs, `count` */
    size_t count;             /* 0: all that go on, and those that begin later */
    void *context;
    bool (*stop)(void *context);                  /* asked often */
    void (*add)(void *context, const char *name); /* one more run is looked at: they are numbered from 0 on */
    /* A record in its turn. at: when it was; NULL of what has no time. late: later ones were given already. */
    void (*take)(void *context, size_t run, const es_record *record, const es_axis_time *at, bool late);
    /* A run has ended; err: what it failed with, or NULL. `wrong`: messages of its other wrong statements, or NULL. */
    void (*ended)(void *context, size_t run, const es_error *err, const char *wrong);
} es_several;

/* Until `stop`, or, where runs were named, until all of them have ended. *result: of all that ended with a summary. */
bool es_several_run(const es_several *several, es_session_result *result, es_error *err);

#endif
