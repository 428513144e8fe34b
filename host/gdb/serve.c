#include "gdb/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gdb/packet.h"

#define LOOK_MS 100 /* so often `stop` is asked, when a signal came between the question and the wait */

typedef struct session {
    es_gdb_server *server;
    es_gdb_reader reader;
    int in, out;
    bool (*stop)(void);
    bool gone;
    uint8_t waiting[4096]; /* read, but not taken yet */
    size_t count;
    es_text_buffer answer; /* the last one, for who did not understand it */
} session;

static bool is_stopped(const session *s)
{
    return s->stop && s->stop();
}

/* Waits for input at most so long; false: there is none. */
static bool wait_for(int fd, int milliseconds)
{
    struct pollfd poll_in = {.fd = fd, .events = POLLIN};
    return poll(&poll_in, 1, milliseconds) > 0;
}

/* Reads what has come, as far as there is room. */
static void read_more(session *s)
{
    ssize_t got = read(s->in, s->waiting + s->count, sizeof s->waiting - s->count);
    if (got > 0)
        s->count += (size_t)got;
    else if (got == 0 || (errno != EINTR && errno != EAGAIN))
        s->gone = true;
}

/* While the machine moves far: gdb sends nothing but its interrupt then. */
static bool is_interrupted(void *context)
{
    session *s = context;
    if (s->count < sizeof s->waiting && wait_for(s->in, 0))
        read_more(s);
    uint8_t *interrupt = memchr(s->waiting, 0x03, s->count);
    if (interrupt) {
        s->count -= (size_t)(interrupt + 1 - s->waiting);
        memmove(s->waiting, interrupt + 1, s->count);
    }
    return interrupt || s->gone || is_stopped(s);
}

static void send_all(session *s, const char *bytes, size_t count)
{
    while (count && !s->gone) {
        ssize_t sent = write(s->out, bytes, count);
        if (sent > 0) {
            bytes += sent;
            count -= (size_t)sent;
        } else if (errno != EINTR || is_stopped(s)) {
            s->gone = true;
        }
    }
}

static bool begins_with(const session *s, const es_text_buffer *packet)
{
    return packet->length <= s->count && memcmp(s->waiting, packet->text, packet->length) == 0;
}

/* gdb does not wait long for the first answers (`remotetimeout`, 2 s): it sends its packet again when this server has
 * only begun to read a long recording, and asks for an answer again that is not there yet. Each packet has one answer:
 * one more would be taken for that to the next packet. What came before an answer was sent is no question about it. */
static void leave_out_repeats(session *s)
{
    es_text_buffer packet = {0};
    es_gdb_frame(&packet, s->reader.data, s->reader.length);
    if (s->count < sizeof s->waiting && wait_for(s->in, 0))
        read_more(s);
    for (;;) {
        size_t left_out = 0;
        if (begins_with(s, &packet)) {
            left_out = packet.length;
            send_all(s, "+", 1);
        } else if (s->count && (s->waiting[0] == '-' || s->waiting[0] == '+')) {
            left_out = 1;
        }
        if (!left_out)
            break;
        s->count -= left_out;
        memmove(s->waiting, s->waiting + left_out, s->count);
    }
    es_text_free(&packet);
}

static void take(session *s, enum es_gdb_input input)
{
    bool acks = !s->server->no_acks;
    switch (input) {
    case ES_GDB_PACKET:
        if (acks)
            send_all(s, "+", 1);
        es_text_clear(&s->answer);
        es_gdb_server_take(s->server, s->reader.data, s->reader.length, &s->answer);
        if (acks)
            leave_out_repeats(s);
        if (s->answer.length)
            send_all(s, s->answer.text, s->answer.length);
        break;
    case ES_GDB_DAMAGED:
        if (acks)
            send_all(s, "-", 1);
        break;
    case ES_GDB_AGAIN:
        if (acks && s->answer.length)
            send_all(s, s->answer.text, s->answer.length);
        break;
    case ES_GDB_INTERRUPT: /* nothing moves */
    case ES_GDB_NOTHING: break;
    }
}

void es_gdb_serve(es_gdb_server *server, int in, int out, bool (*stop)(void))
{
    session s = {.server = server, .in = in, .out = out, .stop = stop};
    es_gdb_server_asks(server, is_interrupted, &s);
    while (!s.gone && !server->over && !is_stopped(&s)) {
        if (!s.count && wait_for(in, LOOK_MS))
            read_more(&s);
        /* one at a time: a packet that is taken may read more after it */
        while (s.count && !s.gone && !server->over) {
            uint8_t byte = s.waiting[0];
            memmove(s.waiting, s.waiting + 1, --s.count);
            take(&s, es_gdb_read(&s.reader, byte));
        }
    }
    es_gdb_server_asks(server, NULL, NULL);
    es_text_free(&s.answer);
}

int es_gdb_listen(unsigned *port, es_error *err)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)*port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    if (fd >= 0)
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(fd, 1) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &size) != 0) {
        es_fail(err, ES_USAGE, "port %u of 127.0.0.1 cannot be used: %s; --port 0 takes one that is free", *port,
                strerror(errno));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    *port = ntohs(address.sin_port);
    return fd;
}

int es_gdb_accept(int listener, bool (*stop)(void))
{
    int on = 1;
    while (!(stop && stop())) {
        if (!wait_for(listener, LOOK_MS))
            continue;
        int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd >= 0) {
            setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); /* short packets, each waits for an answer */
            return fd;
        }
    }
    return -1;
}
