/* The net of a procedure (Nutt 1991, section 4.1): each basic block is a place, control flow is transitions. A token
 * stays on a place for the block's time: the transitions after it have it as their delay. */
#ifndef ES_PREDICT_FLOWNET_H
#define ES_PREDICT_FLOWNET_H

#include "net/model/net.h"
#include "predict/library.h"

/* Calls are transitions to where they come back; those of the library of threads have the abstract event as name.
 * NULL, ES_USAGE: the procedure has no code, or too much. Free with es_net_free. */
es_net *es_predict_flownet(const es_symbols *symbols, const es_procedure *procedure, es_error *err);

#endif
