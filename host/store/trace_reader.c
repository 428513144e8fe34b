/* Opens traces: which chunks there are, and what they are about. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/chunk.h"
#include "store/reader_private.h"
#include "store/schema_text.h"

/* --- opening ------------------------------------------------------------------------------------------------------ */

static void look_at_packet(es_trace_reader *r, const es_packet_head *head)
{
    if (!r->is_any || head->begin < r->about.begin)
        r->about.begin = head->begin;
    if (!r->is_any || head->end > r->about.end)
        r->about.end = head->end;
    r->is_any = true;
}

/* The heads of all packets. */
static bool look_through(es_trace_reader *r, es_open_chunk *c, es_error *err)
{
    es_packet_head head;
    uint64_t skipped;
    r->about.bytes += c->stream.size;
    for (;;) {
        switch (es_stream_next(&c->stream, &head, &skipped)) {
        case ES_STREAM_PACKET: look_at_packet(r, &head); break;
        case ES_STREAM_DAMAGED: break; /* es_trace_read tells of it */
        case ES_STREAM_TORN: r->about.torn_bytes += skipped; return true;
        case ES_STREAM_END: return true;
        default: return es_fail(err, ES_OUTPUT, "%s/stream_0: cannot be read: %s", c->folder, strerror(errno));
        }
    }
}

/* What holds for all chunks is told by the first. */
static bool look_at_chunk(es_trace_reader *r, es_open_chunk *c, es_error *err)
{
    if (!r->schema) {
        size_t length = strlen(c->metadata.schema);
        r->schema_text = es_arena_copy(r->arena, c->metadata.schema, length);
        r->schema = es_schema_get(r->schema_text, length);
        if (!r->schema)
            return es_fail(err, ES_USAGE, "%s/metadata: damaged: what the statements print cannot be read", c->folder);
        r->about.first_chunk = c->metadata.chunk;
        if (c->metadata.probe)
            r->about.probe = es_arena_copy(r->arena, c->metadata.probe, strlen(c->metadata.probe));
    } else if (strcmp(c->metadata.schema, r->schema_text) != 0) {
        return es_fail(err, ES_USAGE, "%s: is of another run than the chunks before it", c->folder);
    }
    r->about.origin_ns = c->metadata.origin_ns; /* of later ones it is known better */
    r->about.chunks++;
    return c->stream.file < 0 || look_through(r, c, err);
}

static bool is_file(const char *folder, const char *name)
{
    es_text_buffer path = {0};
    struct stat found;
    es_text_format(&path, "%s/%s", folder, name);
    bool is = stat(path.text, &found) == 0 && S_ISREG(found.st_mode);
    es_text_free(&path);
    return is;
}

static void add_chunk(es_trace_reader *r, const char *folder)
{
    if (!is_file(folder, "metadata"))
        return; /* just being made or removed */
    r->chunks = es_arena_grow(r->arena, r->chunks, r->chunk_count, sizeof *r->chunks);
    r->chunks[r->chunk_count++] = es_arena_copy(r->arena, folder, strlen(folder));
}

static bool refuse(const char *directory, es_error *err)
{
    return es_fail(err, ES_USAGE, "%s: holds no trace: a trace is a folder that `earshot watch --out` has made",
                   directory);
}

static bool find_chunks(es_trace_reader *r, const char *directory, es_error *err)
{
    uint64_t *numbers;
    size_t count;
    if (!es_chunk_list(directory, &numbers, &count))
        return errno == ENOTDIR ? refuse(directory, err) : es_fail(err, ES_USAGE, "%s: %s", directory, strerror(errno));
    es_text_buffer path = {0};
    for (size_t i = 0; i < count; i++) {
        es_chunk_path(&path, directory, numbers[i], NULL);
        add_chunk(r, path.text);
    }
    if (!count)
        add_chunk(r, directory);
    es_text_free(&path);
    free(numbers);
    return r->chunk_count || refuse(directory, err);
}

static void note_end(void *context, const es_record *record)
{
    bool *finished = context;
    *finished |= record->kind == ES_RECORD_SUMMARY;
}

es_trace_reader *es_trace_open(const char *directory, es_error *err)
{
    es_trace_reader *r = es_malloc(sizeof *r);
    *r = (es_trace_reader){.arena = es_arena_new()};
    bool good = find_chunks(r, directory, err);
    for (size_t i = 0; i < r->chunk_count && good; i++) {
        es_open_chunk c;
        good = es_open_chunk_begin(&c, r->chunks[i], err);
        if (!good)
            break;
        good = look_at_chunk(r, &c, err);
        es_open_chunk_end(&c);
    }
    if (good) {
        /* The summary is among the records of the last time. */
        const es_sink sink = {note_end, &r->about.finished};
        const es_trace_filter last = {.from = r->about.end, .to = ES_NO_TIME};
        es_error damaged;
        es_trace_scan(r, &last, true, &sink, &damaged);
        return r;
    }
    es_trace_reader_free(r);
    return NULL;
}

void es_trace_reader_free(es_trace_reader *r)
{
    if (!r)
        return;
    es_schema_free(r->schema);
    es_arena_free(r->arena);
    free(r);
}

const es_schema *es_trace_schema(const es_trace_reader *reader)
{
    return reader->schema;
}

const es_trace_about *es_trace_about_of(const es_trace_reader *reader)
{
    return &reader->about;
}

/* --- mending ------------------------------------------------------------------------------------------------------ */

bool es_trace_mend(const char *directory, uint64_t *cut, es_error *err)
{
    es_trace_reader r = {.arena = es_arena_new()};
    bool good = find_chunks(&r, directory, err);
    *cut = 0;
    for (size_t i = 0; i < r.chunk_count && good; i++) {
        es_open_chunk c;
        good = es_open_chunk_begin(&c, r.chunks[i], err);
        if (!good)
            break;
        r.about.torn_bytes = 0;
        good = c.stream.file < 0 || look_through(&r, &c, err);
        es_text_buffer path = {0};
        es_text_format(&path, "%s/stream_0", c.folder);
        if (good && r.about.torn_bytes && truncate(path.text, (off_t)(c.stream.size - r.about.torn_bytes)) != 0)
            good = es_fail(err, ES_OUTPUT, "%s: its torn end cannot be cut off: %s", path.text, strerror(errno));
        if (good)
            *cut += r.about.torn_bytes;
        es_text_free(&path);
        es_open_chunk_end(&c);
    }
    es_arena_free(r.arena);
    return good;
}
