/* Chunks of a trace on the disk: directories DIR/chunk-000001 with `metadata` and `stream_0`. What is written here is
 * done in steps that can be tried again when they fail: a file ends with a whole packet before and after each. */
#ifndef ES_STORE_CHUNK_H
#define ES_STORE_CHUNK_H

#include "base/text.h"
#include "store/trace_metadata.h"

/* The path of a chunk, or of a file in it (name NULL: of the chunk). */
void es_chunk_path(es_text_buffer *out, const char *directory, uint64_t number, const char *name);

/* The numbers of the chunks in a directory, ascending, for the caller to free. False: the directory cannot be read
 * (errno). */
bool es_chunk_list(const char *directory, uint64_t **numbers, size_t *count);

/* The one that is being written. All zero but `directory` and `schema`: none yet. */
typedef struct es_chunk {
    const char *directory;
    const es_schema *schema;
    es_trace_origin origin;
    int stream; /* valid when is_open */
    bool is_open, stale_metadata, unsynced;
    uint64_t bytes;       /* of whole packets in the stream */
    es_text_buffer names; /* metadata of all names so far */
} es_chunk;

/* Ends the one there is and begins another one. */
bool es_chunk_begin(es_chunk *chunk, uint64_t number);

/* Adds whole packets, and before them the names that they use. False: errno says why, and nothing of them is there;
 * call it again with the same. `fresh` is emptied as soon as it is taken. */
bool es_chunk_add(es_chunk *chunk, const uint8_t *bytes, size_t count, es_text_buffer *fresh);

/* Waits until all is on the disk. */
bool es_chunk_sync(es_chunk *chunk);

void es_chunk_end(es_chunk *chunk);

/* Removes the oldest chunks, but not number `current`: while all have more than `keep_bytes`, and those last written to
 * more than `keep_ns` ago; 0: no limit. What cannot be removed stays. */
void es_chunk_remove_old(const char *directory, uint64_t current, uint64_t keep_bytes, uint64_t keep_ns);

#endif
