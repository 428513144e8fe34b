/* A recording of a target's inputs (`earshot record --inputs`) as a probe: its replay gives what the target did on its bus,
 * and a probe in software hears it. */
#ifndef ES_ACCESS_REPLAYED_H
#define ES_ACCESS_REPLAYED_H

#include "session/session.h"

typedef struct es_replayed es_replayed;

/* Whether the file is such a recording, by how it begins. */
bool es_replayed_is(const char *path);

/* Sets *probe. Of a program that the recording is not of, and of files that cannot be read: ES_USAGE, NULL. */
es_replayed *es_replayed_open(const char *path, const es_symbols *symbols, const es_session_console *console,
                              es_session_probe *probe, es_error *err);

/* After the session. NULL is fine. */
void es_replayed_close(es_replayed *replayed);

#endif
