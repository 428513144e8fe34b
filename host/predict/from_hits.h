/* From hits at the places that `earshot predict --points` tells to a trace. */
#ifndef ES_PREDICT_FROM_HITS_H
#define ES_PREDICT_FROM_HITS_H

#include "base/text.h"
#include "predict/trace.h"
#include "symbols/symbols.h"

/* The statements to watch with. ES_USAGE: the program has no threads that are understood. */
bool es_predict_hits_statements(const es_symbols *symbols, es_text_buffer *out, es_error *err);

/* The trace of a run on one core of which these are the hits (JSON Lines, hits.h). ES_USAGE: they cannot be read, or
 * are of no run of this program. *whole, if not NULL: the program came to its end; *way, if not NULL: how much was told
 * by how much, in words, for the caller to free. */
es_predict_trace *es_predict_from_hits(const char *path, const es_symbols *symbols, bool *whole, char **way,
                                       es_error *err);

#endif
