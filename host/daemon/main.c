/* earshotd: owns probes, keeps traces, and serves clients. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include "access/daemon_place.h"
#include "daemon/daemon.h"
#include "version.h"

#define SYSTEM_CONFIG "/etc/earshot/earshotd.conf"

static const char usage[] =
    "usage: earshotd [OPTION]...\n\n"
    "Owns probes, keeps traces, and serves any number of clients: earshot watch, top, record and stats.\n\n"
    "  -c, --config FILE     configuration (default: /etc/earshot/earshotd.conf, where it is there)\n"
    "  -s, --socket PATH     where to listen (default: $XDG_RUNTIME_DIR/earshotd.sock; of root:\n"
    "                        /run/earshot/earshotd.sock)\n"
    "  -d, --directory DIR   where traces are kept\n"
    "      --check           reads the configuration, says what is wrong with it, and ends\n"
    "      --version         prints the version\n"
    "  -h, --help            this text\n\n"
    "Everything else: man earshotd.\n";

enum { OPT_CHECK = 256, OPT_VERSION };

static const struct option long_options[] = {
    {"config", required_argument, NULL, 'c'},
    {"socket", required_argument, NULL, 's'},
    {"directory", required_argument, NULL, 'd'},
    {"check", no_argument, NULL, OPT_CHECK},
    {"version", no_argument, NULL, OPT_VERSION},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static int fail(const es_error *err)
{
    fprintf(stderr, "earshotd: %s\n", err->text);
    return (int)err->code;
}

/* --- running --------------------------------------------------------------------------------------------------- */

typedef struct ends {
    es_daemon *daemon;
    uv_signal_t interrupt, terminate, hangup;
    unsigned asked;
} ends;

static void on_signal(uv_signal_t *handle, int number)
{
    ends *e = handle->data;
    if (e->asked++)
        _exit(128 + number); /* asked twice: at once */
    sd_notify(0, "STOPPING=1");
    es_daemon_end(e->daemon);
}

static void catch_signals(es_daemon *daemon, ends *e)
{
    *e = (ends){.daemon = daemon};
    uv_signal_init(daemon->loop, &e->interrupt);
    uv_signal_init(daemon->loop, &e->terminate);
    uv_signal_init(daemon->loop, &e->hangup);
    e->interrupt.data = e->terminate.data = e->hangup.data = e;
    uv_signal_start(&e->interrupt, on_signal, SIGINT);
    uv_signal_start(&e->terminate, on_signal, SIGTERM);
    struct sigaction hangup;
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) /* not under nohup */
        uv_signal_start(&e->hangup, on_signal, SIGHUP);
}

/* What clients are owed gets a moment to reach them. */
static void close_all(es_daemon *daemon, es_server *server, ends *e)
{
    es_server_close(server);
    for (es_peer *peer = daemon->peers; peer; peer = peer->next)
        es_client_finish(peer->client);
    for (unsigned i = 0; daemon->peers && i < 50; i++) {
        uv_run(daemon->loop, UV_RUN_NOWAIT);
        if (daemon->peers)
            uv_sleep(10);
    }
    while (daemon->peers) {
        es_peer *peer = daemon->peers;
        daemon->peers = peer->next;
        es_peer_leave(peer, NULL);
        es_client_free(peer->client);
        free(peer);
    }
    uv_close((uv_handle_t *)&e->interrupt, NULL);
    uv_close((uv_handle_t *)&e->terminate, NULL);
    uv_close((uv_handle_t *)&e->hangup, NULL);
    uv_run(daemon->loop, UV_RUN_DEFAULT);
}

/* Who starts it by hand sees that it runs, and a log where it did. */
static void tell_start(const es_daemon *daemon, const es_server *server)
{
    es_text_buffer line = {0};
    es_text_format(&line, "earshotd: listens on ");
    es_server_text(&line, server);
    if (daemon->config.directory)
        es_text_format(&line, ", keeps traces in %s", daemon->config.directory);
    else
        es_text_format(&line, ", keeps no traces (--directory DIR)");
    fprintf(stderr, "%s; %s ends it\n", line.text, isatty(STDERR_FILENO) ? "^C" : "SIGTERM");
    es_text_free(&line);
}

static bool serve(es_daemon *daemon, es_error *err)
{
    static uv_loop_t loop; /* the daemon has one, as long as it runs */
    ends e;
    uv_loop_init(&loop);
    daemon->loop = &loop;
    es_server *server = es_server_new(daemon, err);
    bool good = server;
    int lock = -1;
    if (good) {
        catch_signals(daemon, &e);
        lock = es_daemon_mend(daemon->config.directory);
        good = es_daemon_start_monitors(daemon, err);
        if (good) {
            sd_notify(0, "READY=1");
            tell_start(daemon, server);
        } else {
            es_daemon_end(daemon);
        }
        if (good || daemon->run_count)
            uv_run(&loop, UV_RUN_DEFAULT);
        close_all(daemon, server, &e);
    }
    uv_run(&loop, UV_RUN_DEFAULT); /* what is being closed */
    es_daemon_forget_ended(daemon);
    uv_loop_close(&loop);
    if (lock >= 0)
        close(lock);
    return good;
}

/* --- options --------------------------------------------------------------------------------------------------- */

static const char *default_socket(es_arena *arena)
{
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    if (geteuid() == 0 || !runtime || !*runtime)
        return ES_SYSTEM_SOCKET;
    return es_arena_format(arena, "%s/earshotd.sock", runtime);
}

static bool configure(es_daemon_config *config, const char *path, const char *socket, const char *directory,
                      es_error *err)
{
    if (!path && access(SYSTEM_CONFIG, F_OK) == 0)
        path = SYSTEM_CONFIG;
    struct stat there;
    if (directory && (stat(directory, &there) < 0 || !S_ISDIR(there.st_mode)))
        return es_fail(err, ES_OUTPUT, "%s: there is no such directory; make it, or name another one", directory);
    if (!es_daemon_config_read(config, path, err))
        return false;
    if (directory)
        config->directory = directory;
    if (socket)
        config->socket = socket;
    if (!config->socket)
        config->socket = default_socket(config->arena);
    return es_daemon_config_check(config, err) || es_fail_in(err, "%s", path ? path : "the command line");
}

/* systemd makes the folder of the system's socket; where root begins a daemon by hand, nobody has. */
static void make_system_folder(const es_daemon_config *config)
{
    if (geteuid() == 0 && config->socket && strcmp(config->socket, ES_SYSTEM_SOCKET) == 0)
        mkdir(ES_SYSTEM_FOLDER, 0755); /* what hinders it is told where the socket cannot be made */
}

int main(int argc, char **argv)
{
    const char *path = NULL, *socket = NULL, *directory = NULL;
    bool check = false;
    int option;
    while ((option = getopt_long(argc, argv, "c:s:d:h", long_options, NULL)) != -1) {
        switch (option) {
        case 'c': path = optarg; break;
        case 's': socket = optarg; break;
        case 'd': directory = optarg; break;
        case OPT_CHECK: check = true; break;
        case OPT_VERSION: puts("earshotd " ES_VERSION); return ES_OK;
        case 'h': fputs(usage, stdout); return ES_OK;
        default: fputs("earshotd: see `earshotd --help`\n", stderr); return ES_USAGE;
        }
    }
    es_error err = {0};
    if (optind < argc) {
        es_fail(&err, ES_USAGE, "unexpected argument '%s'", argv[optind]);
        return fail(&err);
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    es_daemon daemon = {.on_request = es_peer_request, .on_lines = es_peers_lines, .on_end = es_peers_ended};
    bool good = configure(&daemon.config, path, socket, directory, &err);
    if (good && !check) {
        make_system_folder(&daemon.config);
        good = serve(&daemon, &err);
    }
    es_daemon_config_free(&daemon.config);
    return good ? ES_OK : fail(&err);
}
