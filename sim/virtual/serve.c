/* virtual-probe's loop: the control socket, the command that runs, the time. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "virtual/probes.h"

#define CLIENTS_MAX 16
#define TICK_MS 5
#define STATUS_OF_SIGNAL 128

/* Someone at the control socket. */
typedef struct client {
    int socket;
    char line[LINE_MAX_SIZE];
    size_t used;
} client;

bool virtual_listen(virtual_probes *all, es_error *err)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", all->control_path);
    all->control = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (all->control < 0 || bind(all->control, (struct sockaddr *)&address, sizeof address) < 0 ||
        listen(all->control, CLIENTS_MAX) < 0)
        return es_fail(err, ES_PROBE, "%s: the control socket cannot be made: %s", all->control_path, strerror(errno));
    return true;
}

static void drop(client *c)
{
    close(c->socket);
    c->socket = -1;
    c->used = 0;
}

static void answer(virtual_probes *all, const client *c, const char *line)
{
    es_text_buffer out = {0};
    virtual_tell(all, line, &out);
    send(c->socket, out.text, out.length, MSG_NOSIGNAL);
    es_text_free(&out);
}

static void serve_client(virtual_probes *all, client *c)
{
    ssize_t got = recv(c->socket, c->line + c->used, sizeof c->line - 1 - c->used, 0);
    if (got <= 0) {
        drop(c);
        return;
    }
    c->used += (size_t)got;
    c->line[c->used] = 0;
    char *line = c->line, *end;
    while ((end = strchr(line, '\n'))) {
        *end = 0;
        answer(all, c, line);
        line = end + 1;
    }
    c->used -= (size_t)(line - c->line);
    memmove(c->line, line, c->used);
    if (c->used == sizeof c->line - 1)
        drop(c); /* no command is so long */
}

static void take_client(const virtual_probes *all, client *clients)
{
    int socket = accept4(all->control, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    for (int i = 0; i < CLIENTS_MAX && socket >= 0; i++) {
        if (clients[i].socket < 0) {
            clients[i].socket = socket;
            return;
        }
    }
    if (socket >= 0)
        close(socket);
}

/* Takes a signal. True: it ends the loop, with *status. The terminal's Ctrl-C goes to the command as well, which knows
 * what to do; SIGTERM is handed on. */
static bool take_signal(int signals, int command, int *status)
{
    struct signalfd_siginfo info;
    if (read(signals, &info, sizeof info) != (ssize_t)sizeof info)
        return false;
    if (info.ssi_signo == SIGCHLD) {
        int how;
        if (command && waitpid(command, &how, WNOHANG) == command) {
            *status = WIFEXITED(how) ? WEXITSTATUS(how) : STATUS_OF_SIGNAL + WTERMSIG(how);
            return true;
        }
        return false;
    }
    if (!command) {
        *status = 0;
        return true;
    }
    if (info.ssi_signo == SIGTERM)
        kill(command, SIGTERM);
    return false;
}

int virtual_serve(virtual_probes *all, int signals, int command)
{
    client clients[CLIENTS_MAX];
    struct pollfd polled[CLIENTS_MAX + 2] = {{.fd = signals, .events = POLLIN}, {.fd = all->control, .events = POLLIN}};
    for (int i = 0; i < CLIENTS_MAX; i++)
        clients[i] = (client){.socket = -1};
    for (;;) {
        int status;
        for (int i = 0; i < CLIENTS_MAX; i++)
            polled[i + 2] = (struct pollfd){.fd = clients[i].socket, .events = POLLIN};
        if (poll(polled, CLIENTS_MAX + 2, TICK_MS) > 0) {
            if (polled[0].revents && take_signal(signals, command, &status))
                return status;
            if (polled[1].revents)
                take_client(all, clients);
            for (int i = 0; i < CLIENTS_MAX; i++)
                if (polled[i + 2].revents && polled[i + 2].fd == clients[i].socket)
                    serve_client(all, &clients[i]);
        }
        virtual_tick(all);
    }
}

int virtual_send(const char *line)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *path = getenv(CONTROL_VARIABLE);
    if (!path) {
        fprintf(stderr, "virtual-probe: --tell works in the environment of a virtual probe: $" CONTROL_VARIABLE
                        " is not set\n");
        return ES_USAGE;
    }
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int control = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    FILE *stream = control >= 0 && connect(control, (struct sockaddr *)&address, sizeof address) == 0
                       ? fdopen(control, "r+")
                       : NULL;
    char *reply = NULL;
    size_t room = 0;
    if (!stream || fprintf(stream, "%s\n", line) < 0 || fflush(stream) || getline(&reply, &room, stream) < 0) {
        fprintf(stderr, "virtual-probe: %s: no virtual probe answers there: %s\n", path, strerror(errno));
        free(reply);
        return ES_PROBE;
    }
    bool failed = strncmp(reply, "error", 5) == 0;
    fputs(reply, failed ? stderr : stdout);
    free(reply);
    fclose(stream);
    return failed ? ES_USAGE : ES_OK;
}
