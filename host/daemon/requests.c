/* What clients ask for: docs/protocol.md has it from their side. */
#include <jansson.h>
#include <string.h>

#include "daemon/request.h"

static void answer_empty(es_request *r)
{
    es_answer_begin(r, "reply");
    es_answer_end(r);
}

static void do_runs(es_request *r)
{
    es_answer_begin(r, "reply");
    es_json_key(&r->json, "runs");
    es_json_begin(&r->json, '[');
    for (es_owned_run *at = r->peer->daemon->runs; at; at = at->next)
        es_run_json(at->run, &r->json);
    es_json_end(&r->json, ']');
    es_json_key(&r->json, "ended");
    es_json_begin(&r->json, '[');
    const es_ended_run *ended;
    for (unsigned i = 0; (ended = es_daemon_ended(r->peer->daemon, i)); i++)
        es_json_raw(&r->json, ended->json.text);
    es_json_end(&r->json, ']');
    es_answer_end(r);
}

static void do_join(es_request *r)
{
    es_error err = {0};
    enum es_form form;
    es_run *run;
    if (!es_request_form(r, &form, &err) || !es_request_run(r, &run, &err)) {
        es_answer_refusal(r, &err);
        return;
    }
    answer_empty(r);
    es_peer_join(r->peer, run, form);
}

static void do_leave(es_request *r)
{
    es_error err = {0};
    es_run *run;
    if (!es_request_run(r, &run, &err)) {
        es_answer_refusal(r, &err);
        return;
    }
    es_peer_leave(r->peer, run);
    answer_empty(r);
}

static void do_stop(es_request *r)
{
    es_error err = {0};
    es_run *run;
    if (!es_request_run(r, &run, &err)) {
        es_answer_refusal(r, &err);
        return;
    }
    answer_empty(r);
    es_peer_stop(r->peer, run);
}

static void do_ping(es_request *r)
{
    answer_empty(r);
}

/* The token of TCP clients. Takes as long whatever is wrong with it. */
static bool is_token(const char *wanted, const char *told)
{
    size_t length = strlen(wanted), told_length = strlen(told);
    unsigned different = length != told_length;
    for (size_t i = 0; i < length; i++)
        different |= (unsigned char)wanted[i] ^ (unsigned char)told[told_length ? i % told_length : 0];
    return !different;
}

static void do_authenticate(es_request *r)
{
    const char *token = json_string_value(json_object_get(r->root, "token")), *wanted = r->peer->daemon->config.token;
    r->peer->trusted |= token && wanted && is_token(wanted, token);
    if (r->peer->trusted) {
        es_client_limit(r->peer->client, ES_CLIENT_LINE_MAX);
        answer_empty(r);
        return;
    }
    es_error err = {0};
    es_fail(&err, ES_USAGE, "this is not the daemon's token");
    es_answer_refusal(r, &err);
    es_client_finish(r->peer->client);
}

static const struct {
    const char *name;
    void (*function)(es_request *r);
} requests[] = {{"watch", es_request_watch}, {"runs", do_runs}, {"join", do_join},
                {"leave", do_leave},         {"stop", do_stop}, {"ping", do_ping}};

static void carry_out(es_request *r)
{
    const char *what = json_string_value(json_object_get(r->root, "do"));
    es_error err = {0};
    if (what && strcmp(what, "authenticate") == 0) {
        do_authenticate(r);
        return;
    }
    if (!r->peer->trusted) {
        es_fail(&err, ES_USAGE, "say who you are first: {\"do\": \"authenticate\", \"token\": TOKEN}");
        es_answer_refusal(r, &err);
        es_client_finish(r->peer->client);
        return;
    }
    for (size_t i = 0; what && i < sizeof requests / sizeof *requests; i++)
        if (strcmp(requests[i].name, what) == 0) {
            requests[i].function(r);
            return;
        }
    es_fail(&err, ES_USAGE, "\"do\" is watch, runs, join, leave, stop, ping or authenticate%s%s", what ? ", not " : "",
            what ? what : "");
    es_answer_refusal(r, &err);
}

void es_peer_request(es_peer *peer, const char *line, size_t length)
{
    json_error_t wrong;
    json_t *root = json_loadb(line, length, JSON_REJECT_DUPLICATES, &wrong);
    es_request r = {.peer = peer, .root = root};
    if (json_is_object(root)) {
        carry_out(&r);
    } else {
        es_error err = {0};
        es_fail(&err, ES_USAGE, "a request is a JSON object in one line: %s",
                root ? "this is something else" : wrong.text);
        es_answer_refusal(&r, &err);
    }
    json_decref(root);
    es_text_free(&r.line);
}
