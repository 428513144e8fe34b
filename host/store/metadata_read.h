/* Reads the metadata of a trace's chunk, as trace_metadata.c writes it: of TSDL as much as that takes. */
#ifndef ES_STORE_METADATA_READ_H
#define ES_STORE_METADATA_READ_H

#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

typedef struct es_chunk_metadata {
    uint64_t format, chunk;
    int64_t origin_ns;
    const char *probe;  /* NULL: none */
    const char *schema; /* its text, for es_schema_get */
    const char **names; /* by number - 1: all there */
    uint32_t name_count;
} es_chunk_metadata;

/* Any bytes may be given; what is read is in the arena. Fails with ES_USAGE: it is none of ours, or damaged. */
bool es_chunk_metadata_read(const char *text, size_t length, es_arena *arena, es_chunk_metadata *found, es_error *err);

#endif
