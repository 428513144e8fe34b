/* The reader of traces inside: trace_reader.c finds out what there is, trace_read.c gives the records. */
#ifndef ES_STORE_READER_PRIVATE_H
#define ES_STORE_READER_PRIVATE_H

#include "store/metadata_read.h"
#include "store/stream.h"
#include "store/trace.h"

struct es_trace_reader {
    es_arena *arena;
    const char **chunks; /* their folders */
    size_t chunk_count;
    const char *schema_text; /* that all chunks have */
    es_schema *schema;
    es_trace_about about;
    bool is_any; /* it has a packet */
};

/* A chunk that is being read. */
typedef struct es_open_chunk {
    const char *folder;
    es_arena *arena;
    es_chunk_metadata metadata;
    es_stream stream; /* file -1: it has none yet */
} es_open_chunk;

bool es_open_chunk_begin(es_open_chunk *chunk, const char *folder, es_error *err);
void es_open_chunk_end(es_open_chunk *chunk);

/* es_trace_read without ES_RECORD_BEGIN. whole: also the summary, which is of all of the run. */
bool es_trace_scan(es_trace_reader *reader, const es_trace_filter *filter, bool whole, const es_sink *sink,
                   es_error *err);

#endif
