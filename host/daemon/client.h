/* One client's connection: its lines in, batches of lines out.
 *
 * A client that does not read costs CLIENT_QUEUE_BYTES at most: what does not fit is left out, counted, and told to it
 * when there is room. */
#ifndef ES_DAEMON_CLIENT_H
#define ES_DAEMON_CLIENT_H

#include <uv.h>

#include "daemon/batch.h"

typedef struct es_client es_client;

typedef struct es_client_events {
    /* A line, without its end and NUL terminated; may be changed. */
    void (*line)(void *context, es_client *client, char *line, size_t length);
    /* There is room again, after batches were left out. */
    void (*room)(void *context, es_client *client);
    void (*gone)(void *context, es_client *client); /* it has ended, or was ended: free it */
    void *context;
} es_client_events;

/* Takes a connected, non-blocking socket over. */
es_client *es_client_new(uv_loop_t *loop, int socket, const es_client_events *events);
void es_client_free(es_client *client); /* memory is freed when the loop comes round */

/* A file that came with its lines: the oldest; -1: none. The caller closes it. */
int es_client_take_file(es_client *client);

#define ES_CLIENT_LINE_MAX (64u << 20) /* a program may be in it */

/* From now on it is ended when it sends a line of more bytes. ES_CLIENT_LINE_MAX at first. */
void es_client_limit(es_client *client, size_t line_bytes);

/* Puts a batch into its queue. False: there was no room, and the batch is not needed. A client that lets even needed
 * ones pile up is ended. */
bool es_client_send(es_client *client, es_batch *batch);

/* Ends it when what waits has been sent. */
void es_client_finish(es_client *client);

#endif
