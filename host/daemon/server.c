#include <arpa/inet.h>
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include "daemon/daemon.h"

#define BACKLOG 16
#define SOCKETS_MAX 4u
#define GROUPS_MAX 256

typedef struct listener {
    uv_poll_t poll;
    es_server *server;
    int socket;
    bool local; /* a Unix socket: its other end has a user */
} listener;

struct es_server {
    es_daemon *daemon;
    listener listeners[SOCKETS_MAX];
    unsigned count, open;
    gid_t group;
    bool has_group, made; /* made: the socket's file is the server's to remove */
};

/* --- who may come in ------------------------------------------------------------------------------------------- */

static bool is_in_group(uid_t user, gid_t main_group, gid_t group)
{
    gid_t groups[GROUPS_MAX];
    int count = GROUPS_MAX;
    const struct passwd *entry = getpwuid(user);
    if (main_group == group)
        return true;
    if (!entry || getgrouplist(entry->pw_name, main_group, groups, &count) < 0)
        return false;
    for (int i = 0; i < count; i++)
        if (groups[i] == group)
            return true;
    return false;
}

/* The file's mode says so, too; but modes are lost when somebody moves a socket or hands it on. */
static bool may_use(const es_server *server, int socket)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
        return false;
    return peer.uid == 0 || peer.uid == geteuid() ||
           (server->has_group && is_in_group(peer.uid, peer.gid, server->group));
}

static void on_connect(uv_poll_t *poll, int status, int events)
{
    listener *l = poll->data;
    es_daemon *daemon = l->server->daemon;
    (void)events;
    int client = status == 0 ? accept4(l->socket, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC) : -1;
    if (client < 0)
        return;
    if (daemon->peer_count >= ES_CLIENTS_MAX || (l->local && !may_use(l->server, client))) {
        close(client); /* who may not use it gets nothing */
        return;
    }
    es_peer_new(daemon, client, l->local);
}

/* --- listening ------------------------------------------------------------------------------------------------- */

static void add_listener(es_server *server, int socket, bool local)
{
    listener *l = &server->listeners[server->count++];
    *l = (listener){.server = server, .socket = socket, .local = local};
    uv_poll_init(server->daemon->loop, &l->poll, socket);
    l->poll.data = l;
    uv_poll_start(&l->poll, UV_READABLE, on_connect);
    server->open++;
}

static bool find_group(es_server *server, const char *name, es_error *err)
{
    const struct group *group = getgrnam(name);
    if (!group)
        return es_fail(err, ES_USAGE, "there is no group '%s': make it with 'sudo addgroup --system %s'", name, name);
    server->group = group->gr_gid;
    server->has_group = true;
    return true;
}

/* A socket that nobody listens on is left over from a daemon that was killed. */
static bool is_in_use(const struct sockaddr_un *address)
{
    int try = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool used = try >= 0 && connect(try, (const struct sockaddr *)address, sizeof *address) == 0;
    if (try >= 0)
        close(try);
    return used;
}

/* Mode 0600, or 0660 of the group: from the moment in which it can be connected to. */
static bool listen_local(es_server *server, const char *path, es_error *err)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path)
        return es_fail(err, ES_USAGE, "%s: a socket's path has %zu characters at most", path,
                       sizeof address.sun_path - 1);
    memcpy(address.sun_path, path, strlen(path) + 1);
    if (is_in_use(&address))
        return es_fail(err, ES_OUTPUT, "%s: another earshotd listens there", path);
    struct stat there;
    if (lstat(path, &there) == 0 && S_ISSOCK(there.st_mode))
        unlink(path);
    int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    mode_t before = umask(0177);
    bool bound = listening >= 0 && bind(listening, (const struct sockaddr *)&address, sizeof address) == 0;
    umask(before);
    server->made = bound;
    bool good = bound;
    if (good && server->has_group)
        good = chown(path, (uid_t)-1, server->group) == 0 && chmod(path, 0660) == 0;
    good = good && listen(listening, BACKLOG) == 0;
    if (good) {
        add_listener(server, listening, true);
        return true;
    }
    es_fail(err, ES_OUTPUT, "%s: cannot listen there: %s%s", path, strerror(errno),
            errno == ENOENT   ? " (make its folder, or name another socket with --socket)"
            : errno == EACCES ? " (name a socket with --socket in a folder of your own)"
                              : "");
    if (listening >= 0)
        close(listening);
    return false;
}

static bool listen_tcp(es_server *server, const char *host, unsigned port, es_error *err)
{
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } address = {0};
    socklen_t size = sizeof address.v4;
    const int yes = 1;
    address.v4.sin_family = AF_INET;
    address.v4.sin_port = htons((uint16_t)port);
    if (inet_pton(AF_INET, host, &address.v4.sin_addr) != 1) {
        address.v6 = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
        size = sizeof address.v6;
        if (inet_pton(AF_INET6, host, &address.v6.sin6_addr) != 1)
            return es_fail(err, ES_USAGE, "[tcp] listen: '%s' is no address, like 127.0.0.1 or ::1", host);
    }
    int listening = socket(address.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listening >= 0 && setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
        bind(listening, &address.any, size) == 0 && listen(listening, BACKLOG) == 0) {
        add_listener(server, listening, false);
        return true;
    }
    es_fail(err, ES_OUTPUT, "%s:%u: cannot listen there: %s", host, port, strerror(errno));
    if (listening >= 0)
        close(listening);
    return false;
}

/* Those that systemd listens on already. */
static unsigned take_passed(es_server *server)
{
    int count = sd_listen_fds(1);
    for (int i = 0; i < count && server->count < SOCKETS_MAX; i++)
        add_listener(server, SD_LISTEN_FDS_START + i,
                     sd_is_socket(SD_LISTEN_FDS_START + i, AF_UNIX, SOCK_STREAM, 1) > 0);
    return server->count;
}

es_server *es_server_new(es_daemon *daemon, es_error *err)
{
    const es_daemon_config *c = &daemon->config;
    es_server *server = es_malloc(sizeof *server);
    *server = (es_server){.daemon = daemon};
    if ((!c->group || find_group(server, c->group, err)) &&
        (take_passed(server) || listen_local(server, c->socket, err)) &&
        (!c->tcp_address || listen_tcp(server, c->tcp_address, c->tcp_port, err)))
        return server;
    es_server_close(server);
    return NULL;
}

void es_server_text(es_text_buffer *out, const es_server *server)
{
    const es_daemon_config *c = &server->daemon->config;
    unsigned passed = server->count - (c->tcp_address ? 1 : 0);
    if (server->made)
        es_text_format(out, "%s", c->socket);
    else
        es_text_format(out, "%u %s of systemd's", passed, es_plural(passed, "socket", "sockets"));
    if (c->tcp_address)
        es_text_format(out, " and %s:%u", c->tcp_address, c->tcp_port);
}

static void on_closed(uv_handle_t *handle)
{
    es_server *server = ((listener *)handle->data)->server;
    if (--server->open == 0)
        free(server);
}

void es_server_close(es_server *server)
{
    if (server->made)
        unlink(server->daemon->config.socket);
    if (!server->count) {
        free(server);
        return;
    }
    for (unsigned i = 0; i < server->count; i++) { /* on_closed comes later */
        uv_poll_stop(&server->listeners[i].poll);
        close(server->listeners[i].socket);
        uv_close((uv_handle_t *)&server->listeners[i].poll, on_closed);
    }
}
