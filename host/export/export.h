/* Records in the formats of other programs. */
#ifndef ES_EXPORT_EXPORT_H
#define ES_EXPORT_EXPORT_H

#include <stdio.h>

#include "base/error.h"
#include "record/record.h"

enum es_export_format {
    ES_EXPORT_JSON,     /* JSON Lines: all records but progress */
    ES_EXPORT_CSV,      /* one table: a line for each hit and loss, a column for each value */
    ES_EXPORT_VCD,      /* waveforms: values as signals */
    ES_EXPORT_PERFETTO, /* a trace of Perfetto's: paths as slices, tasks as tracks, values as counters */
    ES_EXPORT_LCOV      /* which lines ran, by statements of `cover`; of one run or several, one after the other */
};

typedef struct es_export es_export;

/* Writes to a file that the caller opens and closes. origin_ns: since 1970 at time 0; 0: not known. */
es_export *es_export_new(enum es_export_format format, FILE *file, int64_t origin_ns);

/* Takes records; after es_export_end none. */
es_sink es_export_sink(es_export *export);

/* Whether the file takes no more. */
bool es_export_failed(const es_export *export);

/* Writes what is left, and frees. False with ES_OUTPUT: not all could be written; `name`: the file's, for the
 * message. */
bool es_export_end(es_export *export, const char *name, es_error *err);

#endif
