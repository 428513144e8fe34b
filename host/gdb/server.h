/* gdb's remote server: packets in, answers out, on a recording. What can be looked at is what was; nothing can be
 * changed. */
#ifndef ES_GDB_SERVER_H
#define ES_GDB_SERVER_H

#include "base/text.h"
#include "gdb/threads.h"
#include "replay/past.h"

typedef struct es_gdb_server {
    es_past past;
    es_gdb_threads threads;
    uint32_t thread;       /* whose registers gdb asks for; 0: the one that runs */
    uint32_t moved_thread; /* ... that gdb steps, where it does not say so with it; 0: any */
    const es_isa *isa;
    const char *arch; /* NULL: not known */
    es_timeline *timeline;
    uint64_t hz;            /* the tap's clock */
    bool no_acks;           /* both sides do without acknowledgements */
    bool over;              /* gdb has gone: the session is over */
    es_text_buffer stopped; /* the last stop, as told */
    es_text_buffer target;  /* the registers' description, once asked for */
    es_text_buffer listed;  /* the threads, while gdb reads them */
    es_text_buffer told;    /* packets to gdb that come before the answer */
} es_gdb_server;

/* A session at the recording's present moment. Timeline and isa belong to the caller. arch: the extensions of the
 * processor (es_symbols_arch). */
void es_gdb_server_init(es_gdb_server *server, es_timeline *timeline, const es_isa *isa, const char *arch);

/* Threads are the program's tasks: as es_gdb_tasks_init. Without, there is one, the program. */
bool es_gdb_server_tasks(es_gdb_server *server, const es_symbols *symbols, const char *variable, es_error *err);
void es_gdb_server_free(es_gdb_server *server);

/* What to do while it moves far: es_past.asked. */
void es_gdb_server_asks(es_gdb_server *server, bool (*asked)(void *context), void *context);

/* A packet (data ends with a NUL that length does not count): adds what is to be sent, framed. */
void es_gdb_server_take(es_gdb_server *server, const char *data, size_t length, es_text_buffer *out);

#endif
