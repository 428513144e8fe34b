/* The input stream of a probe's recorder, while it comes. */
#ifndef ES_ACCESS_LIVE_H
#define ES_ACCESS_LIVE_H

#include "replayed/replayed.h"
#include "sim.h"

typedef struct es_live es_live;

extern const es_replayed_stream es_live_stream; /* its context is an es_live */

/* Sets up the recorder of a probe; program->regions becomes what it takes as memory. sim: the target that has to be
 * run, which stays the caller's; NULL: it runs by itself. The transport is taken over, also when it fails. */
es_live *es_live_open(es_transport *transport, es_sim *sim, es_replay_program *program, es_error *err);

#endif
