/* libFuzzer's entry: any bytes must be read as a trace's metadata, its schema, or its events, or be refused.
 *
 * The first byte says which; metadata comes with the right check of it, or as it is; events are read with a schema that
 * has everything. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "made.h"
#include "store/decode.h"
#include "store/metadata_read.h"
#include "store/packet.h"
#include "store/schema_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define NAMES 1024u /* that events may use: many, so that most of them are read on */

static void read_metadata(const char *text, size_t size, bool with_check)
{
    es_arena *arena = es_arena_new();
    es_chunk_metadata metadata;
    es_error err;
    es_text_buffer all = {0};
    es_text_add(&all, text, size);
    if (with_check)
        es_text_format(&all, "/* check %016" PRIx64 " */\n", es_packet_sum((const uint8_t *)text, size));
    if (es_chunk_metadata_read(all.text, all.length, arena, &metadata, &err))
        es_schema_free(es_schema_get(metadata.schema, strlen(metadata.schema)));
    es_arena_free(arena);
    es_text_free(&all);
}

/* A schema that is taken comes back the same. */
static void read_schema(const char *text, size_t size)
{
    es_schema *schema = es_schema_get(text, size);
    es_text_buffer first = {0}, second = {0};
    if (!schema)
        return;
    es_schema_put(&first, schema);
    es_schema *again = es_schema_get(first.text, first.length);
    if (!again)
        abort();
    es_schema_put(&second, again);
    if (first.length != second.length || memcmp(first.text, second.text, first.length) != 0)
        abort();
    es_schema_free(schema);
    es_schema_free(again);
    es_text_free(&first);
    es_text_free(&second);
}

/* What is decoded can be shown: all that records promise is there. */
static void read_events(const uint8_t *data, size_t size)
{
    static es_schema *schema;
    static uint32_t names[NAMES + 1];
    es_decoder decoder;
    es_record record = {.kind = ES_RECORD_BEGIN};
    uint64_t time;
    es_text_buffer lines = {0};
    es_sink sink = made_lines(&lines);
    if (!schema)
        schema = made_schema();
    for (uint32_t i = 1; i <= NAMES && !names[i]; i++)
        names[i] = 1 + i % 3;
    for (const char *name = "abc"; *name && es_names_count(schema->names) < 3; name++)
        es_names_add(schema->names, name, 1);
    uint8_t *bytes = es_malloc(size + ES_DECODE_SLACK);
    memset(bytes, 0, size + ES_DECODE_SLACK);
    memcpy(bytes, data, size);
    es_decoder_begin(&decoder, schema);
    decoder.names = names;
    decoder.name_count = NAMES;
    for (const uint8_t *at = bytes; at < bytes + size && es_decode(&decoder, &at, bytes + size, &record, &time);)
        if (record.kind != ES_RECORD_BEGIN)
            es_sink_give(&sink, &record);
    es_decoder_end(&decoder);
    es_text_free(&lines);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    char *text = es_malloc(size);
    memcpy(text, data + 1, size - 1);
    if (data[0] % 4 == 0 || data[0] % 4 == 3)
        read_metadata(text, size - 1, data[0] % 4 == 3);
    else if (data[0] % 4 == 1)
        read_schema(text, size - 1);
    else
        read_events(data + 1, size - 1);
    free(text);
    return 0;
}
