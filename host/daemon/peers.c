#include <stdlib.h>

#include "access/daemon_place.h"
#include "base/json.h"
#include "daemon/daemon.h"
#include "record/json.h"
#include "version.h"

#define UNTRUSTED_BYTES 8192u /* of one line, from who has not told the token: nobody takes memory without it */

void es_peer_tell(es_peer *peer, const es_text_buffer *lines)
{
    es_batch *batch = es_batch_new(true);
    es_text_add(&batch->text, lines->text, lines->length);
    es_client_send(peer->client, batch);
    es_batch_drop(batch);
}

/* --- what they want -------------------------------------------------------------------------------------------- */

static void add_wish(es_peer *peer, es_run *run, enum es_form form)
{
    es_wish *wish = es_malloc(sizeof *wish);
    *wish = (es_wish){.next = peer->wishes, .run = run, .form = form};
    peer->wishes = wish;
}

void es_peer_join(es_peer *peer, es_run *run, enum es_form form)
{
    es_peer_leave(peer, run);
    es_batch *first = es_run_join(run, form);
    add_wish(peer, run, form);
    es_client_send(peer->client, first);
    es_batch_drop(first);
}

void es_peer_leave(es_peer *peer, const es_run *run)
{
    for (es_wish **at = &peer->wishes; *at;) {
        es_wish *wish = *at;
        if (run && wish->run != run) {
            at = &wish->next;
            continue;
        }
        *at = wish->next;
        if (wish->form != ES_FORMS)
            es_run_leave(wish->run, wish->form);
        free(wish);
    }
}

void es_peer_stop(es_peer *peer, es_run *run)
{
    bool wanted = false;
    for (const es_wish *wish = peer->wishes; wish; wish = wish->next)
        wanted |= wish->run == run;
    if (!wanted)
        add_wish(peer, run, ES_FORMS);
    es_run_stop(run);
}

static void tell_missed(es_peer *peer, es_wish *wish)
{
    es_text_buffer line = {0};
    if (!wish->missed)
        return;
    es_lost lost = {wish->first, wish->last, wish->missed, ES_LOST_HOST};
    es_record record = {.kind = ES_RECORD_LOST, .lost = &lost};
    es_record_json(&line, &record, es_run_name(wish->run));
    wish->missed = 0;
    es_peer_tell(peer, &line);
    es_text_free(&line);
}

static void send_lines(es_peer *peer, es_wish *wish, es_batch *batch)
{
    if (batch->needed)
        tell_missed(peer, wish); /* in its place: before what comes later */
    if (es_client_send(peer->client, batch) || !batch->hits)
        return;
    wish->first = wish->missed ? wish->first : batch->first;
    wish->last = batch->last;
    wish->missed += batch->hits;
}

void es_peers_lines(void *context, es_run *run, enum es_form form, es_batch *batch)
{
    const es_daemon *daemon = context;
    for (es_peer *peer = daemon->peers; peer; peer = peer->next)
        for (es_wish *wish = peer->wishes; wish; wish = wish->next)
            if (wish->run == run && wish->form == form)
                send_lines(peer, wish, batch);
}

void es_peers_ended(es_daemon *daemon, es_run *run)
{
    es_text_buffer line = {0};
    es_json json = {.out = &line};
    const char *text;
    enum es_code code = es_run_end(run, &text);
    es_json_begin(&json, '{');
    es_json_key(&json, "event");
    es_json_string(&json, "end");
    es_json_key(&json, "probe");
    es_json_string(&json, es_run_name(run));
    es_json_key(&json, "run");
    es_json_uint(&json, es_run_number(run));
    es_json_key(&json, "code");
    es_json_string(&json, es_code_name(code));
    es_json_key(&json, "text");
    es_json_string(&json, text);
    if (es_run_wrong(run)) {
        es_json_key(&json, "wrong");
        es_json_string(&json, es_run_wrong(run));
    }
    es_json_end(&json, '}');
    es_text_add(&line, "\n", 1);
    for (es_peer *peer = daemon->peers; peer; peer = peer->next) {
        bool wanted = false;
        for (es_wish *wish = peer->wishes; wish; wish = wish->next)
            if (wish->run == run) {
                tell_missed(peer, wish);
                wanted = true;
            }
        if (wanted)
            es_peer_tell(peer, &line);
        es_peer_leave(peer, run);
    }
    es_text_free(&line);
}

/* --- life ------------------------------------------------------------------------------------------------------ */

static void on_line(void *context, es_client *client, char *line, size_t length)
{
    es_peer *peer = context;
    (void)client;
    peer->daemon->on_request(peer, line, length);
}

static void on_room(void *context, es_client *client)
{
    es_peer *peer = context;
    (void)client;
    for (es_wish *wish = peer->wishes; wish; wish = wish->next)
        tell_missed(peer, wish);
}

static void on_gone(void *context, es_client *client)
{
    es_peer *peer = context;
    es_daemon *daemon = peer->daemon;
    es_peer_leave(peer, NULL);
    for (es_owned_run *run = daemon->runs; run; run = run->next)
        if (run->owner == peer) {
            run->owner = NULL;
            es_run_stop(run->run);
        }
    for (es_peer **at = &daemon->peers; *at; at = &(*at)->next)
        if (*at == peer) {
            *at = peer->next;
            break;
        }
    daemon->peer_count--;
    es_client_free(client);
    free(peer);
}

static void greet(es_peer *peer)
{
    es_text_buffer line = {0};
    es_json json = {.out = &line};
    es_json_begin(&json, '{');
    es_json_key(&json, "event");
    es_json_string(&json, "hello");
    es_json_key(&json, "protocol");
    es_json_uint(&json, ES_PROTOCOL);
    es_json_key(&json, "version");
    es_json_string(&json, ES_VERSION);
    es_json_key(&json, "authenticate");
    es_json_bool(&json, !peer->trusted);
    es_json_end(&json, '}');
    es_text_add(&line, "\n", 1);
    es_peer_tell(peer, &line);
    es_text_free(&line);
}

void es_peer_new(es_daemon *daemon, int socket, bool trusted)
{
    es_peer *peer = es_malloc(sizeof *peer);
    es_client_events events = {on_line, on_room, on_gone, peer};
    *peer = (es_peer){.next = daemon->peers, .daemon = daemon, .trusted = trusted};
    peer->client = es_client_new(daemon->loop, socket, &events);
    if (!trusted)
        es_client_limit(peer->client, UNTRUSTED_BYTES);
    daemon->peers = peer;
    daemon->peer_count++;
    greet(peer);
}
