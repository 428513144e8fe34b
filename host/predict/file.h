/* Traces on disk: compact, and read at once.
 *
 * "EARSHOP2" and size of what follows as bytes, then all of it compressed by zstd, with a checksum: numbers of
 * seven bits a byte, the last byte of each without its top bit; blocks and items as differences. */
#ifndef ES_PREDICT_FILE_H
#define ES_PREDICT_FILE_H

#include "predict/trace.h"

/* ES_OUTPUT. */
bool es_predict_trace_write(const es_predict_trace *trace, const char *path, es_error *err);

/* NULL, ES_USAGE: it cannot be read, is no trace, or is damaged. */
es_predict_trace *es_predict_trace_read(const char *path, es_error *err);
/* The same of bytes in memory; `name` for messages. */
es_predict_trace *es_predict_trace_parse(const uint8_t *bytes, size_t size, const char *name, es_error *err);

/* Whether a file begins as a trace does. */
bool es_predict_trace_is(const char *path);

#endif
