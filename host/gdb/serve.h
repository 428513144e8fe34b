/* A session of gdb's over two file descriptors, and the TCP port at which it finds us. */
#ifndef ES_GDB_SERVE_H
#define ES_GDB_SERVE_H

#include "gdb/server.h"

/* Serves one gdb until it detaches or goes, or until `stop` says so (looked at all the time; NULL: never): true. What
 * cannot be written to it, or read from it, ends the session as its going does. */
void es_gdb_serve(es_gdb_server *server, int in, int out, bool (*stop)(void));

/* A socket at 127.0.0.1 for others to connect to; *port 0: any one that is free, which is stored. -1: there is none,
 * with ES_USAGE in *err. */
int es_gdb_listen(unsigned *port, es_error *err);

/* The next one who connects; -1: `stop` says that nobody is wanted any more. */
int es_gdb_accept(int listener, bool (*stop)(void));

#endif
