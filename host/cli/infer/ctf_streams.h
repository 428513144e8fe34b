/* The streams of traces in CTF as one: a sink of libbabeltrace2 that takes each of them by itself, and gives events and
 * losses on in the order of their times. Streams whose times go back a little, as those of older tracers do, are no
 * error here (the muxer of babeltrace2 ends with one). */
#ifndef ES_CLI_INFER_CTF_STREAMS_H
#define ES_CLI_INFER_CTF_STREAMS_H

#include <babeltrace2/babeltrace.h>

#include "infer/source.h"

typedef struct es_infer_ctf_streams es_infer_ctf_streams;

es_infer_ctf_streams *es_infer_ctf_streams_new(es_infer_words *words, const es_infer_sink *sink, es_error *err);
void es_infer_ctf_streams_free(es_infer_ctf_streams *streams);

/* Adds it to a graph, with so many input ports. False: libbabeltrace2 says why. */
bool es_infer_ctf_streams_add(es_infer_ctf_streams *streams, bt_graph *graph, uint64_t ports,
                              const bt_component_sink **sink);

/* Whether the sink of events has said false, with its message. */
bool es_infer_ctf_streams_failed(const es_infer_ctf_streams *streams);

#endif
