/* What users say to the server itself: gdb's `monitor`. */
#ifndef ES_GDB_MONITOR_H
#define ES_GDB_MONITOR_H

#include "gdb/server.h"

/* Adds to `text` what is to be shown for a command. */
void es_gdb_monitor(es_gdb_server *server, const char *command, es_text_buffer *text);

#endif
