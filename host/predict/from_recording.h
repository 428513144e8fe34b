/* From a recording of a run on one core to a trace. */
#ifndef ES_PREDICT_FROM_RECORDING_H
#define ES_PREDICT_FROM_RECORDING_H

#include "predict/trace.h"
#include "symbols/symbols.h"

/* The trace of what `earshot record --inputs` has kept of the program. ES_USAGE: it is of another one, cannot be read,
 * or is of no program whose threads are understood. *whole, if not NULL: the program came to its end. */
es_predict_trace *es_predict_from_recording(const char *path, const es_symbols *symbols, bool *whole, es_error *err);

#endif
