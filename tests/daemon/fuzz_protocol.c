/* libFuzzer target: any bytes from a client, through a socket, the loop and all that answers requests. Built and run by
 * `make fuzz-daemon`. Runs are stand-ins (below) that tell a few lines and end when asked to.
 *
 * The first byte says how: bit 0, a client that has to tell the token; bit 1, one that does not read; the rest, in how
 * many pieces the bytes come. */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/daemon.h"
#include "replay/recording.h"
#include "transport/transport.h"

#define TURNS 20

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* --- stand-ins for runs (host/daemon/run.c) ------------------------------------------------------------------------- */

struct es_run {
    es_run_options options;
    es_run_events events;
    unsigned number;
    uv_async_t wake;
    unsigned wanted[ES_FORMS];
    bool over;
};

static void on_wake(uv_async_t *wake)
{
    es_run *run = wake->data;
    run->over = true;
    run->events.ended(run->events.context, run);
}

es_run *es_run_start(uv_loop_t *loop, unsigned number, const es_run_options *options, const es_run_events *events,
                     es_error *err)
{
    (void)err;
    es_run *run = calloc(1, sizeof *run);
    if (!run)
        abort();
    run->options = *options;
    run->events = *events;
    run->number = number;
    run->wake.data = run;
    uv_async_init(loop, &run->wake, on_wake);
    return run;
}

static void release(uv_handle_t *wake)
{
    es_run *run = wake->data;
    es_run_options_free(&run->options);
    free(run);
}

void es_run_free(es_run *run)
{
    uv_close((uv_handle_t *)&run->wake, release);
}

void es_run_stop(es_run *run)
{
    uv_async_send(&run->wake);
}

es_batch *es_run_join(es_run *run, enum es_form form)
{
    es_batch *batch = es_batch_new(true);
    run->wanted[form]++;
    es_text_format(&batch->text, "{\"event\":\"begin\"}\n");
    return batch;
}

void es_run_leave(es_run *run, enum es_form form)
{
    if (!run->wanted[form]--)
        abort(); /* nobody wanted it */
}

void es_run_json(es_run *run, es_json *json)
{
    es_json_begin(json, '{');
    es_json_key(json, "name");
    es_json_string(json, run->options.name);
    es_json_end(json, '}');
}

enum es_code es_run_end(const es_run *run, const char **text)
{
    (void)run;
    *text = NULL;
    return ES_OK;
}

const char *es_run_wrong(const es_run *run)
{
    (void)run;
    return NULL;
}

bool es_run_began(const es_run *run)
{
    return run->number % 2;
}

/* No file is opened whose name is an input. */
bool es_recording_is(const char *path)
{
    (void)path;
    return false;
}

const char *es_run_trace(const es_run *run)
{
    return run->options.directory;
}

unsigned es_run_number(const es_run *run)
{
    return run->number;
}

const char *es_run_name(const es_run *run)
{
    return run->options.name;
}

const char *es_run_probe(const es_run *run)
{
    return run->options.probe;
}

/* Hits to all who want some. */
static void tell_hits(es_daemon *daemon)
{
    for (es_owned_run *at = daemon->runs; at; at = at->next)
        for (unsigned form = 0; form < ES_FORMS; form++) {
            es_batch *batch = es_batch_new(false);
            batch->hits = 1;
            for (unsigned i = 0; i < 1000; i++)
                es_text_format(&batch->text, "{\"event\":\"hit\",\"number\":%u}\n", i);
            es_peers_lines(daemon, at->run, form, batch);
            es_batch_drop(batch);
        }
}

/* --- what no client's bytes may lead to: that the loop's thread opens a device ------------------------------------- */

es_transport *es_transport_ftdi(const char *serial, es_error *err)
{
    (void)serial;
    (void)err;
    abort();
}

es_transport *es_transport_usb(const char *serial, es_error *err)
{
    return es_transport_ftdi(serial, err);
}

es_transport *es_transport_uart(const char *path, unsigned baud, es_error *err)
{
    (void)baud;
    return es_transport_ftdi(path, err);
}

es_transport *es_transport_file(const char *path, es_error *err)
{
    return es_transport_ftdi(path, err);
}

/* --- one client ----------------------------------------------------------------------------------------------------- */

static void read_all(int file)
{
    char bytes[4096];
    while (recv(file, bytes, sizeof bytes, MSG_DONTWAIT) > 0)
        ;
}

static void turn(es_daemon *daemon, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        uv_run(daemon->loop, UV_RUN_NOWAIT);
}

static void talk(es_daemon *daemon, int file, unsigned how, const uint8_t *data, size_t size)
{
    size_t piece = size / (1 + how / 4) + 1;
    while (size) {
        size_t count = size < piece ? size : piece;
        if (send(file, data, count, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
            break;
        data += count;
        size -= count;
        turn(daemon, 2);
        tell_hits(daemon);
        if (!(how & 2))
            read_all(file);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uv_loop_t loop;
    int files[2];
    es_daemon daemon = {.loop = &loop,
                        .on_request = es_peer_request,
                        .on_lines = es_peers_lines,
                        .on_end = es_peers_ended,
                        .config = {.token = "correct horse battery"}};
    if (!size || uv_loop_init(&loop) < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, files) < 0)
        return 0;
    es_peer_new(&daemon, files[0], !(data[0] & 1));
    talk(&daemon, files[1], data[0], data + 1, size - 1);
    close(files[1]);
    turn(&daemon, TURNS);
    if (daemon.peers || daemon.peer_count)
        abort(); /* it has gone, and its peer has not */
    es_daemon_end(&daemon);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_run(&loop, UV_RUN_DEFAULT); /* what is being closed: es_daemon_end stops the loop */
    if (daemon.runs || daemon.run_count || uv_loop_close(&loop) != 0)
        abort();
    es_daemon_forget_ended(&daemon);
    return 0;
}
