/* A client's request: its members, checked, and the answer to it (docs/protocol.md). */
#ifndef ES_DAEMON_REQUEST_H
#define ES_DAEMON_REQUEST_H

#include <jansson.h>

#include "daemon/daemon.h"

typedef struct es_request {
    es_peer *peer;
    const json_t *root;
    es_text_buffer line; /* the answer */
    es_json json;
} es_request;

/* Begins an answer, with the request's id; sends it. Between them, members go into r->json. */
void es_answer_begin(es_request *r, const char *event);
void es_answer_end(es_request *r);
/* The whole answer to a request that is refused. */
void es_answer_refusal(es_request *r, const es_error *err);

/* Members by name. One that is not there is NULL, false, or 0; false with ES_USAGE: it has the wrong type or value. */
bool es_request_text(const es_request *r, const char *key, const char **out, es_error *err);
bool es_request_flag(const es_request *r, const char *key, bool *out, es_error *err);
bool es_request_number(const es_request *r, const char *key, uint64_t most, uint64_t *out, es_error *err);
/* "form"; a report unless it says otherwise. */
bool es_request_form(const es_request *r, enum es_form *form, es_error *err);
/* The run that "run" names, which goes on. */
bool es_request_run(const es_request *r, es_run **run, es_error *err);

/* watch.c: begins a run. */
void es_request_watch(es_request *r);

#endif
