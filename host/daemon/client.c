#include "daemon/client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"

#define CLIENT_QUEUE_BYTES (4u << 20)   /* beyond it, what is not needed is left out */
#define CLIENT_NEEDED_BYTES (32u << 20) /* beyond it, it is ended */
#define KEPT_BYTES (1u << 20)           /* of memory for lines; more is given back after a long one */
#define READ_BYTES 65536u
#define FILES 8u /* that came and were not taken */

struct es_client {
    uv_poll_t poll;
    int socket;
    es_client_events events;
    es_text_buffer in;
    size_t line_bytes; /* the most that may wait in it */
    size_t looked;     /* bytes of `in` in which there is no line's end */
    int files[FILES];
    unsigned file_count;
    es_batch **out;                                        /* a ring */
    size_t out_size, out_head, out_count, out_bytes, sent; /* sent: of the first batch */
    bool missed, finishing, over;
};

static void on_poll(uv_poll_t *poll, int status, int events);

static void listen_for(es_client *client)
{
    uv_poll_start(&client->poll, UV_READABLE | UV_DISCONNECT | (client->out_count ? UV_WRITABLE : 0), on_poll);
}

static void end(es_client *client)
{
    if (client->over)
        return;
    client->over = true;
    uv_poll_stop(&client->poll);
    client->events.gone(client->events.context, client);
}

/* --- out ------------------------------------------------------------------------------------------------------- */

static void drop_first(es_client *client)
{
    es_batch *batch = client->out[client->out_head];
    client->out_head = (client->out_head + 1) % client->out_size;
    client->out_count--;
    client->out_bytes -= batch->text.length;
    client->sent = 0;
    es_batch_drop(batch);
}

/* Sends what the socket takes. False: it is broken. */
static bool write_out(es_client *client)
{
    while (client->out_count) {
        const es_batch *batch = client->out[client->out_head];
        ssize_t done = send(client->socket, batch->text.text + client->sent, batch->text.length - client->sent,
                            MSG_NOSIGNAL | MSG_DONTWAIT);
        if (done < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
            return true;
        if (done < 0)
            return false;
        client->sent += (size_t)done;
        if (client->sent == batch->text.length)
            drop_first(client);
    }
    return true;
}

static void make_room(es_client *client)
{
    if (client->out_count < client->out_size)
        return;
    size_t before = client->out_size, size = before ? before * 2 : 16;
    es_batch **ring = es_malloc(size * sizeof(es_batch *));
    for (size_t i = 0; before && i < client->out_count; i++)
        ring[i] = client->out[(client->out_head + i) % before];
    free(client->out);
    client->out = ring;
    client->out_size = size;
    client->out_head = 0;
}

bool es_client_send(es_client *client, es_batch *batch)
{
    if (client->over || !batch->text.length)
        return true;
    if (!batch->needed && (client->missed || client->out_bytes + batch->text.length > CLIENT_QUEUE_BYTES)) {
        client->missed = true; /* until what waits has been sent: then it is told how much it missed */
        return false;
    }
    make_room(client);
    client->out[(client->out_head + client->out_count++) % client->out_size] = batch;
    client->out_bytes += batch->text.length;
    es_batch_keep(batch);
    if (client->out_count == 1 && !write_out(client))
        shutdown(client->socket, SHUT_RDWR); /* reading tells */
    if (client->out_bytes > CLIENT_NEEDED_BYTES)
        shutdown(client->socket, SHUT_RDWR);
    listen_for(client);
    return true;
}

/* --- in -------------------------------------------------------------------------------------------------------- */

static void keep_files(es_client *client, struct msghdr *message)
{
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
            continue;
        for (size_t i = 0; CMSG_LEN((i + 1) * sizeof(int)) <= part->cmsg_len; i++) {
            int file;
            memcpy(&file, CMSG_DATA(part) + i * sizeof file, sizeof file);
            if (client->file_count < FILES)
                client->files[client->file_count++] = file;
            else
                close(file);
        }
    }
}

/* Gives all whole lines that there are. */
static void give_lines(es_client *client)
{
    size_t begin = 0;
    char *end_of_line;
    while (!client->over && client->in.length > client->looked &&
           (end_of_line = memchr(client->in.text + client->looked, '\n', client->in.length - client->looked))) {
        *end_of_line = 0;
        client->looked = (size_t)(end_of_line - client->in.text) + 1;
        client->events.line(client->events.context, client, client->in.text + begin, client->looked - 1 - begin);
        begin = client->looked;
    }
    if (client->over)
        return;
    if (begin) {
        memmove(client->in.text, client->in.text + begin, client->in.length - begin);
        client->in.length -= begin;
    }
    client->looked = client->in.length;
    if (!client->in.length && client->in.size > KEPT_BYTES)
        es_text_free(&client->in);
}

/* Reads what is there. False: the other end is gone. */
static bool read_in(es_client *client)
{
    char bytes[READ_BYTES];
    union {
        struct cmsghdr align;
        char room[CMSG_SPACE(FILES * sizeof(int))];
    } control;
    struct iovec part = {bytes, sizeof bytes};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t got = recvmsg(client->socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got < 0)
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    keep_files(client, &message);
    if (got == 0)
        return false;
    es_text_add(&client->in, bytes, (size_t)got);
    give_lines(client);
    return client->in.length < client->line_bytes;
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
    es_client *client = poll->data;
    bool good = status == 0;
    if (good && (events & UV_WRITABLE))
        good = write_out(client);
    if (good && (events & UV_READABLE))
        good = read_in(client);
    if (client->over)
        return;
    if (!good || ((events & UV_DISCONNECT) && !(events & UV_READABLE)) || (client->finishing && !client->out_count)) {
        end(client);
        return;
    }
    if (client->missed && client->out_bytes <= CLIENT_QUEUE_BYTES / 2) {
        client->missed = false;
        client->events.room(client->events.context, client);
    }
    listen_for(client);
}

/* --- life ------------------------------------------------------------------------------------------------------ */

es_client *es_client_new(uv_loop_t *loop, int socket, const es_client_events *events)
{
    es_client *client = es_malloc(sizeof *client);
    *client = (es_client){.socket = socket, .events = *events, .line_bytes = ES_CLIENT_LINE_MAX};
    uv_poll_init(loop, &client->poll, socket);
    client->poll.data = client;
    listen_for(client);
    return client;
}

static void release(uv_handle_t *handle)
{
    es_client *client = handle->data;
    close(client->socket);
    while (client->out_count)
        drop_first(client);
    for (unsigned i = 0; i < client->file_count; i++)
        close(client->files[i]);
    free(client->out);
    es_text_free(&client->in);
    free(client);
}

void es_client_free(es_client *client)
{
    client->over = true;
    uv_close((uv_handle_t *)&client->poll, release);
}

void es_client_limit(es_client *client, size_t line_bytes)
{
    client->line_bytes = line_bytes;
}

int es_client_take_file(es_client *client)
{
    if (!client->file_count)
        return -1;
    int file = client->files[0];
    memmove(client->files, client->files + 1, --client->file_count * sizeof *client->files);
    return file;
}

void es_client_finish(es_client *client)
{
    client->finishing = true;
    if (!client->over && !client->out_count)
        shutdown(client->socket, SHUT_RDWR);
}
