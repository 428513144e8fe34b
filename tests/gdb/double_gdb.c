/* double_gdb PROGRAM.elf RECORDING [TASK]: what `earshot gdb` does, on the tests' timeline (double.h). Prints what the
 * program has printed, the timeline's end, and the port. */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "double.h"
#include "gdb/serve.h"
#include "symbols/code.h"

int main(int argc, char **argv)
{
    es_error err;
    unsigned port = 0;
    es_symbols *symbols = argc > 2 ? es_symbols_open(argv[1], &err) : NULL;
    es_timeline *timeline = symbols ? es_timeline_open(argv[2], symbols, &err) : NULL;
    int listener = timeline ? es_gdb_listen(&port, &err) : -1;
    es_gdb_server server;
    if (listener >= 0)
        es_gdb_server_init(&server, timeline, es_symbols_isa(symbols), es_symbols_arch(symbols));
    if (listener < 0 || !es_gdb_server_tasks(&server, symbols, argc > 3 ? argv[3] : NULL, &err)) {
        fprintf(stderr, "double_gdb: %s\n", argc > 2 ? err.text : "PROGRAM.elf RECORDING [TASK]");
        return 2;
    }
    printf("%sexit %ld, %" PRIu64 " instructions: %s\nport %u\n", double_console(timeline), double_exit(timeline),
           es_timeline_end(timeline), es_timeline_ended(timeline), port);
    fflush(stdout);
    int client = es_gdb_accept(listener, NULL);
    es_gdb_serve(&server, client, client, NULL);
    es_gdb_server_free(&server);
    close(client);
    close(listener);
    es_timeline_close(timeline);
    es_symbols_close(symbols);
    return 0;
}
