/* The daemon: runs, clients, and who of them wants what. Everything here is of the loop's thread. */
#ifndef ES_DAEMON_DAEMON_H
#define ES_DAEMON_DAEMON_H

#include <sys/types.h>
#include <uv.h>

#include "daemon/client.h"
#include "daemon/config.h"
#include "daemon/run.h"

#define ES_CLIENTS_MAX 256u
#define ES_RUNS_MAX 64u
#define ES_ENDED_MAX 64u /* of those that have ended: the latest are known */

/* What a client wants of a run. */
typedef struct es_wish {
    struct es_wish *next;
    es_run *run;
    enum es_form form;            /* ES_FORMS: none of its lines, only its end */
    uint64_t missed, first, last; /* hits that it had no room for */
} es_wish;

typedef struct es_peer {
    struct es_peer *next;
    struct es_daemon *daemon;
    es_client *client;
    bool trusted; /* it may ask for something: of TCP, when it has told the token */
    es_wish *wishes;
} es_peer;

/* A run, and the client that it ends with. */
typedef struct es_owned_run {
    struct es_owned_run *next;
    es_run *run;
    es_peer *owner;  /* NULL: it stays */
    bool configured; /* by [monitor NAME]: nobody asked for it */
} es_owned_run;

/* What is known of a run that has ended. */
typedef struct es_ended_run {
    char *name;
    unsigned number;
    char *trace;         /* its directory; NULL: none */
    es_text_buffer json; /* as es_run_json has it */
} es_ended_run;

typedef struct es_daemon {
    uv_loop_t *loop;
    es_daemon_config config;
    es_peer *peers;
    es_owned_run *runs;
    es_ended_run ended[ES_ENDED_MAX]; /* a ring: the latest is number ended_count - 1 */
    unsigned ended_count;             /* since the daemon runs */
    unsigned peer_count, run_count, last_number;
    bool ending;
    /* what each part tells the others of; main.c connects them */
    void (*on_request)(es_peer *peer, const char *line, size_t length);
    void (*on_lines)(void *daemon, es_run *run, enum es_form form, es_batch *batch);
    void (*on_end)(struct es_daemon *daemon, es_run *run);
} es_daemon;

/* --- runs: runs.c ---------------------------------------------------------------------------------------------- */

/* Begins a run; its options are taken over, name and directory made as asked for. owner: NULL for one that stays. */
es_run *es_daemon_start(es_daemon *daemon, es_run_options *options, bool record, es_peer *owner, es_error *err);

/* The one of that name or number, NULL: none. */
es_run *es_daemon_find(const es_daemon *daemon, const char *name);

/* The latest one of that name or number that has ended, NULL: none is known. */
const es_ended_run *es_daemon_find_ended(const es_daemon *daemon, const char *name);

/* The one that ended so many before the latest (0: the latest itself); NULL: no more are known. */
const es_ended_run *es_daemon_ended(const es_daemon *daemon, unsigned before);

/* Keeps what there is to be known of a run that is over. */
void es_daemon_note_end(es_daemon *daemon, es_run *run);
void es_daemon_forget_ended(es_daemon *daemon);

/* All that the configuration asks for. */
bool es_daemon_start_monitors(es_daemon *daemon, es_error *err);

/* Ends them all; the loop ends when they have. */
void es_daemon_end(es_daemon *daemon);

/* --- traces: mend.c ------------------------------------------------------------------------------------------- */

/* Before runs begin: cuts off what a daemon that was killed left half written in the directory (NULL: there is none),
 * unless another daemon keeps its traces there. What went wrong is told on stderr. Returns what is to be closed in the
 * end, and keeps other daemons from doing so meanwhile; -1: nothing. */
int es_daemon_mend(const char *directory);

/* --- clients: peers.c ------------------------------------------------------------------------------------------ */

/* Takes over a connected socket. trusted: it may ask at once. */
void es_peer_new(es_daemon *daemon, int socket, bool trusted);

/* Sends lines, which are never left out. */
void es_peer_tell(es_peer *peer, const es_text_buffer *lines);

void es_peer_join(es_peer *peer, es_run *run, enum es_form form);
void es_peer_leave(es_peer *peer, const es_run *run);

/* Ends a run. Its `end` comes to the peer, which may not look at it. */
void es_peer_stop(es_peer *peer, es_run *run);

/* What runs tell: es_run_events. */
void es_peers_lines(void *context, es_run *run, enum es_form form, es_batch *batch);
void es_peers_ended(es_daemon *daemon, es_run *run);

/* --- requests: requests.c -------------------------------------------------------------------------------------- */

/* Carries out one line and answers it. */
void es_peer_request(es_peer *peer, const char *line, size_t length);

/* --- sockets: server.c ----------------------------------------------------------------------------------------- */

typedef struct es_server es_server;

/* Listens on sockets that systemd has passed, else on the configuration's. NULL: ES_OUTPUT. */
es_server *es_server_new(es_daemon *daemon, es_error *err);

/* Where it listens, for people. */
void es_server_text(es_text_buffer *out, const es_server *server);
void es_server_close(es_server *server); /* takes no more, and removes its socket */

#endif
