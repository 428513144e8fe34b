/* Lines to and from the daemon. */
#ifndef ES_CLIENT_CONNECTION_H
#define ES_CLIENT_CONNECTION_H

#include "client/client.h"

/* Sends a line with its end; file: passed with it, -1: none. Fails with ES_PROBE. */
bool es_connection_send(es_connection *connection, const char *line, size_t length, int file, es_error *err);

/* Waits at most `ms` for a line, which is valid until the next call. 1: there is one, 0: none in time, -1: failure. */
int es_connection_line(es_connection *connection, int ms, const char **line, size_t *length, es_error *err);

/* Bytes that have come and were not taken yet. */
size_t es_connection_waiting(const es_connection *connection);

/* What the daemon says against a request: an "error" line as an error. */
bool es_connection_refused(const json_t *line, es_error *err);

/* What a command needs to know of one more run that has ended with this summary. */
void es_result_add(es_session_result *result, const es_schema *schema, const es_summary *summary);

#endif
