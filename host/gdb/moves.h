/* What gdb lets the program do: continue and step, forwards and backwards; and how it is told where that has ended.
 *
 * There is one processor, so all tasks go on together. A step of the task that runs is one of its instructions. One of
 * a task that does not run goes on until it runs, to where it stands; backwards, to before its own last instruction. */
#ifndef ES_GDB_MOVES_H
#define ES_GDB_MOVES_H

#include "gdb/server.h"

/* Adds the last stop as gdb is told it. */
void es_gdb_moves_last(es_gdb_server *server, es_text_buffer *out);

/* c, s, C05, S05: what follows the letter does not count. */
void es_gdb_moves_take(es_gdb_server *server, const char *data, es_text_buffer *out);
/* bs, bc. */
void es_gdb_moves_take_back(es_gdb_server *server, const char *data, es_text_buffer *out);
/* vCont?, vCont;..., vKill. */
void es_gdb_moves_take_v(es_gdb_server *server, const char *data, es_text_buffer *out);

#endif
