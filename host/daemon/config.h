/* The daemon's configuration: an ini file (earshotd.conf(5)). */
#ifndef ES_DAEMON_CONFIG_H
#define ES_DAEMON_CONFIG_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/* [monitor NAME]: what the daemon monitors by itself, as long as it runs. */
typedef struct es_monitor_config {
    const char *name, *program, *statements, *probe;
    uint64_t clock_hz;
    bool attach, loaded, record;
} es_monitor_config;

typedef struct es_daemon_config {
    es_arena *arena;
    const char *socket;    /* path of the Unix socket */
    const char *group;     /* who may use it besides its owner; NULL: nobody */
    const char *directory; /* of traces; NULL: none are kept */
    uint64_t rotate_bytes, rotate_ns, keep_bytes, keep_ns;
    const char *tcp_address; /* "127.0.0.1"; NULL: no TCP */
    unsigned tcp_port;
    const char *token; /* what TCP clients have to know */
    es_monitor_config *monitors;
    size_t monitor_count;
} es_daemon_config;

/* Without a file: the defaults. Fails with ES_USAGE, naming file and line. */
bool es_daemon_config_read(es_daemon_config *config, const char *path, es_error *err);

/* Whether what it says goes together. */
bool es_daemon_config_check(const es_daemon_config *config, es_error *err);
void es_daemon_config_free(es_daemon_config *config);

#endif
