/* A connection to the daemon, and sessions that run there as if they ran here. */
#ifndef ES_CLIENT_CLIENT_H
#define ES_CLIENT_CLIENT_H

#include <jansson.h>

#include "access/open.h"

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

/* How a run is to go on in the daemon. */
typedef struct es_remote_options {
    const char *socket;
    const char *name; /* of the run; NULL: as its probe */
    const char *join; /* no run is begun: the one of this name is looked at */
    bool keep;        /* it goes on when this client has ended: only its beginning is waited for */
    bool record;      /* the daemon keeps a trace of it */
    bool returns;     /* it begins again when its probe comes back */
} es_remote_options;

/* es_session_run, in the daemon: the same records, the same result. Of `session`, `open` is not called. With keep, a
 * note tells that it has begun, or waits for its probe; what its statements lack is an error as without. */
bool es_remote_run(const es_session_options *session, const es_access *access, const es_remote_options *options,
                   const es_sink *sink, es_session_result *result, es_error *err);

#endif
