/* Processes of a timed net as machines: which of its observed steps a process has made. */
#ifndef ES_INFER_NET_H
#define ES_INFER_NET_H

#include "infer/machine.h"

/* Adds a machine for each process of the net in `path` (PNML or TINA) that has observed transitions and one token that
 * goes through places of the net, moved by them. A state is the last observed transition; an event is a
 * firing of one, by its id. `left_out`: processes with observed transitions that are none; may be NULL. Fails with
 * ES_USAGE: no such net, or it has no such process, or too many. */
bool es_infer_net_add(es_infer_model *model, const char *path, uint32_t *left_out, es_error *err);

/* Is the file's name that of a net? */
bool es_infer_is_net(const char *path);

#endif
