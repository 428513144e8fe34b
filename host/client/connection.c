#include "client/connection.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "access/daemon_place.h"
#include "base/arena.h"
#include "base/text.h"

#define GREETING_MS 5000
#define ANSWER_MS 30000

struct es_connection {
    int socket;
    es_text_buffer in;
    size_t taken; /* bytes of `in` that were given */
};

static bool is_socket(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0 && S_ISSOCK(there.st_mode);
}

char *es_daemon_socket(void)
{
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    es_text_buffer path = {0};
    if (runtime && *runtime)
        es_text_format(&path, "%s/earshotd.sock", runtime);
    if (path.text && is_socket(path.text))
        return path.text;
    es_text_free(&path);
    if (!is_socket(ES_SYSTEM_SOCKET))
        return NULL;
    es_text_format(&path, "%s", ES_SYSTEM_SOCKET);
    return path.text;
}

/* --- lines ----------------------------------------------------------------------------------------------------- */

static bool ended(es_error *err)
{
    return es_fail(err, ES_PROBE, "the daemon has ended the connection");
}

bool es_connection_send(es_connection *connection, const char *line, size_t length, int file, es_error *err)
{
    union {
        struct cmsghdr align;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {0};
    while (length) {
        struct iovec part = {(void *)line, length};
        struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
        if (file >= 0) {
            message.msg_control = &control;
            message.msg_controllen = sizeof control;
            struct cmsghdr *header = CMSG_FIRSTHDR(&message);
            *header =
                (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof file)};
            memcpy(CMSG_DATA(header), &file, sizeof file);
        }
        ssize_t done = sendmsg(connection->socket, &message, MSG_NOSIGNAL);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return ended(err);
        file = -1; /* it went with the first byte */
        line += done;
        length -= (size_t)done;
    }
    return true;
}

static bool take_line(es_connection *connection, const char **line, size_t *length)
{
    es_text_buffer *in = &connection->in;
    char *begin = in->text + connection->taken;
    char *end = in->length > connection->taken ? memchr(begin, '\n', in->length - connection->taken) : NULL;
    if (!end)
        return false;
    *line = begin;
    *length = (size_t)(end - begin);
    connection->taken += *length + 1;
    return true;
}

int es_connection_line(es_connection *connection, int ms, const char **line, size_t *length, es_error *err)
{
    char bytes[65536];
    if (take_line(connection, line, length))
        return 1;
    es_text_buffer *in = &connection->in;
    if (connection->taken) {
        memmove(in->text, in->text + connection->taken, in->length - connection->taken);
        in->length -= connection->taken;
        connection->taken = 0;
    }
    struct pollfd readable = {connection->socket, POLLIN, 0};
    int ready = poll(&readable, 1, ms);
    if (ready <= 0)
        return ready < 0 && errno != EINTR ? -!ended(err) : 0;
    ssize_t got = recv(connection->socket, bytes, sizeof bytes, 0);
    if (got <= 0)
        return got < 0 && errno == EINTR ? 0 : -!ended(err);
    es_text_add(in, bytes, (size_t)got);
    return take_line(connection, line, length);
}

/* --- the whole ------------------------------------------------------------------------------------------------- */

bool es_connection_refused(const json_t *line, es_error *err)
{
    const char *event = json_string_value(json_object_get(line, "event"));
    const char *code = json_string_value(json_object_get(line, "code"));
    const char *text = json_string_value(json_object_get(line, "text"));
    enum es_code number = ES_PROBE;
    if (!event || strcmp(event, "error") != 0)
        return false;
    for (enum es_code i = ES_EXPECTATION; code && i <= ES_OUTPUT; i++)
        if (strcmp(es_code_name(i), code) == 0)
            number = i;
    es_fail(err, number, "%s", text ? text : "the daemon refuses this");
    return true;
}

static bool take_greeting(es_connection *connection, es_error *err)
{
    const char *line;
    size_t length;
    int got = es_connection_line(connection, GREETING_MS, &line, &length, err);
    if (got <= 0)
        return got < 0 ? es_fail(err, ES_PROBE,
                                 "the daemon lets you not in: it serves its own user, root, and the group that its "
                                 "configuration names (sudo adduser $USER earshot, and log in again)")
                       : es_fail(err, ES_PROBE, "the daemon does not answer");
    json_t *hello = json_loadb(line, length, 0, NULL);
    json_int_t protocol = json_integer_value(json_object_get(hello, "protocol"));
    json_decref(hello);
    return protocol == ES_PROTOCOL ||
           es_fail(err, ES_PROBE,
                   "the daemon speaks version %lld of the protocol, this program version %d: use the "
                   "two of one release",
                   (long long)protocol, ES_PROTOCOL);
}

es_connection *es_connection_new(const char *path, es_error *err)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        es_fail(err, ES_USAGE, "%s: a socket's path has %zu characters at most", path, sizeof address.sun_path - 1);
        return NULL;
    }
    memcpy(address.sun_path, path, strlen(path) + 1);
    es_connection *connection = es_malloc(sizeof *connection);
    *connection = (es_connection){.socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    if (connect(connection->socket, (const struct sockaddr *)&address, sizeof address) < 0)
        es_fail(err, ES_PROBE, "%s: %s%s", path, strerror(errno),
                errno == EACCES ? " (the daemon's configuration names the group that may use it: sudo adduser $USER "
                                  "earshot, and log in again)"
                : errno == ENOENT || errno == ECONNREFUSED ? ": is earshotd running?"
                                                           : "");
    else if (take_greeting(connection, err))
        return connection;
    es_connection_free(connection);
    return NULL;
}

size_t es_connection_waiting(const es_connection *connection)
{
    int bytes = 0;
    return connection->in.length - connection->taken +
           (ioctl(connection->socket, FIONREAD, &bytes) == 0 && bytes > 0 ? (size_t)bytes : 0);
}

void es_connection_free(es_connection *connection)
{
    if (!connection)
        return;
    close(connection->socket);
    es_text_free(&connection->in);
    free(connection);
}

json_t *es_connection_wait(es_connection *connection, const char *event, es_error *err)
{
    const char *line;
    size_t length;
    int got;
    while ((got = es_connection_line(connection, -1, &line, &length, err)) >= 0) {
        if (got == 0)
            continue;
        json_t *root = json_loadb(line, length, 0, NULL);
        const char *found = json_string_value(json_object_get(root, "event"));
        if (found && strcmp(found, event) == 0)
            return root;
        json_decref(root);
    }
    return NULL;
}

json_t *es_connection_ask(es_connection *connection, const char *request, es_error *err)
{
    const char *line;
    size_t length;
    es_text_buffer text = {0};
    es_text_format(&text, "%s\n", request);
    bool sent = es_connection_send(connection, text.text, text.length, -1, err);
    es_text_free(&text);
    while (sent) {
        int got = es_connection_line(connection, ANSWER_MS, &line, &length, err);
        if (got == 0)
            es_fail(err, ES_PROBE, "the daemon does not answer");
        if (got <= 0)
            return NULL;
        json_t *answer = json_loadb(line, length, 0, NULL);
        const char *event = json_string_value(json_object_get(answer, "event"));
        if (event && strcmp(event, "reply") == 0)
            return answer;
        bool refused = es_connection_refused(answer, err);
        json_decref(answer);
        if (refused)
            return NULL;
    }
    return NULL;
}
