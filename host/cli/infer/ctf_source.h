/* Events of traces in CTF, read by libbabeltrace2. */
#ifndef ES_CLI_INFER_CTF_SOURCE_H
#define ES_CLI_INFER_CTF_SOURCE_H

#include "infer/source.h"

/* Reads all traces below a directory, merged by their times (ns since 1970, or since their clock's beginning).
 * Fields are looked for in an event's payload and its parts, its contexts, and its packet's context. Fails with
 * ES_USAGE, or as the sink does. */
bool es_infer_read_ctf(const char *directory, es_infer_words *words, const es_infer_sink *sink, es_error *err);

#endif
