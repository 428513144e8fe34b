/* Where events come from: lists of them as text, and traces in CTF (cli/infer/ctf_source.h). */
#ifndef ES_INFER_SOURCE_H
#define ES_INFER_SOURCE_H

#include <stdio.h>

#include "infer/machine.h"

typedef struct es_infer_sink {
    void *context;
    /* also events that no machine names: ES_INFER_NONE */
    bool (*event)(void *context, const es_infer_event *event, es_error *err);
    bool (*loss)(void *context, const es_infer_loss *loss, es_error *err);
} es_infer_sink;

/* Reads lines "TIME EVENT FIELD=VALUE ...", "lost BEGIN END [COUNT]", or JSON Lines of the same. Times are ns.
 * Fails with ES_USAGE and "file:line: error: ...", or as the sink does. */
bool es_infer_read_list(const char *path, es_infer_words *words, const es_infer_sink *sink, es_error *err);

/* The same of an open file, which messages call `name`. */
bool es_infer_read_lines(FILE *file, const char *name, es_infer_words *words, const es_infer_sink *sink, es_error *err);

#endif
