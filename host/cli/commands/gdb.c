/* earshot gdb: a recording for gdb. */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands/past.h"
#include "cli/number.h"
#include "cli/option.h"
#include "cli/signals.h"
#include "gdb/serve.h"
#include "replay/moment.h"

#define ES_OF_GDB 1u
#define PORT_DEFAULT 3333

typedef struct gdb_options {
    bool stdio, stay;
    int64_t port;
    const char *at, *task;
} gdb_options;

static bool take_stdio(void *options, const char *value, es_error *err)
{
    (void)value, (void)err;
    ((gdb_options *)options)->stdio = true;
    return true;
}

static bool take_stay(void *options, const char *value, es_error *err)
{
    (void)value, (void)err;
    ((gdb_options *)options)->stay = true;
    return true;
}

static bool take_port(void *options, const char *value, es_error *err)
{
    (void)value;
    return es_option_number("--port", 0, 65535, &((gdb_options *)options)->port, err);
}

static bool take_at(void *options, const char *value, es_error *err)
{
    (void)err;
    ((gdb_options *)options)->at = value;
    return true;
}

static bool take_task(void *options, const char *value, es_error *err)
{
    (void)err;
    ((gdb_options *)options)->task = value;
    return true;
}

/* clang-format off */
static const es_option gdb_options_table[] = {
    {"port", 'p', false, ES_OF_GDB, "N", "of 127.0.0.1; 0: any one that is free (3333)", take_port},
    {"stdio", 0, false, ES_OF_GDB, NULL, "stdin and stdout: target remote | earshot gdb --stdio ...", take_stdio},
    {"at", 'a', false, ES_OF_GDB, "MOMENT", "where to begin: an instruction, 1.5ms, start, end", take_at},
    {"task", 't', false, ES_OF_GDB, "VARIABLE", "names the running task (as it is: a usual kernel's)", take_task},
    {"stay", 0, false, ES_OF_GDB, NULL, "waits for the next gdb when one has gone", take_stay},
    {0},
};
/* clang-format on */

static const es_option_set options = {
    "earshot gdb",
    "usage: earshot gdb RECORDING PROGRAM.elf [OPTION]...\n\n"
    "Serves a recording to gdb: the program as it ran, at any moment of it, forwards and backwards.\n\n"
    "  gdb-multiarch PROGRAM.elf -ex 'target remote :3333'\n",
    "\nEverything else: man earshot-gdb.\n",
    ES_OF_GDB,
    {gdb_options_table},
};

/* One gdb at these. */
static bool serve_one(es_past_file *file, const gdb_options *o, int in, int out, es_error *err)
{
    es_gdb_server server;
    es_gdb_server_init(&server, file->timeline, file->isa, file->arch);
    bool good = es_gdb_server_tasks(&server, file->symbols, o->task, err);
    if (good)
        es_gdb_serve(&server, in, out, es_cli_stop_asked);
    es_gdb_server_free(&server);
    return good;
}

/* One gdb after the other. */
static bool serve_port(es_past_file *file, const gdb_options *o, es_error *err)
{
    unsigned port = (unsigned)o->port;
    int listener = es_gdb_listen(&port, err), client;
    bool good = listener >= 0;
    if (!good)
        return false;
    printf("earshot: 127.0.0.1:%u has the recording, %" PRIu64
           " instructions: gdb-multiarch %s -ex 'target remote :%u'\n",
           port, es_timeline_end(file->timeline), file->program, port);
    fflush(stdout);
    do {
        client = es_gdb_accept(listener, es_cli_stop_asked);
        if (client >= 0) {
            good = serve_one(file, o, client, client, err);
            close(client);
        }
    } while (good && o->stay && client >= 0);
    close(listener);
    return good;
}

static bool serve(es_past_file *file, const gdb_options *o, es_error *err)
{
    uint64_t moment = 0;
    if ((o->at && !es_replay_moment_parse(file->timeline, file->hz, o->at, &moment, err)) ||
        !es_timeline_seek(file->timeline, moment, err))
        return false;
    return o->stdio ? serve_one(file, o, STDIN_FILENO, STDOUT_FILENO, err) : serve_port(file, o, err);
}

static bool run_gdb(int count, char **arguments, const gdb_options *o, es_error *err)
{
    if (count != 2)
        return es_fail(err, ES_USAGE, "which recording, of which program? earshot gdb RECORDING PROGRAM.elf");
    es_past_file file;
    if (!es_past_file_open(&file, arguments[0], arguments[1], err))
        return false;
    es_cli_catch_signals();
    bool good = serve(&file, o, err);
    es_past_file_close(&file);
    return good;
}

static int gdb(int argc, char **argv)
{
    gdb_options o = {.port = PORT_DEFAULT};
    es_error err = {0};
    int rest, code = ES_OK;
    enum es_options_read read = es_options_read(&options, argc, argv, &o, &rest, &err);
    if (read == ES_OPTIONS_HELP)
        es_options_help(&options, stdout);
    else if (read == ES_OPTIONS_WRONG || !run_gdb(argc - rest, argv + rest, &o, &err))
        code = es_cli_fail(&err);
    return code;
}

const es_command es_command_gdb = {
    .name = "gdb",
    .summary = "serves a recording to gdb, forwards and backwards in time",
    .run = gdb,
};
