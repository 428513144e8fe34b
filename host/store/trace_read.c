/* Gives the records of a trace. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/times.h"
#include "store/decode.h"
#include "store/reader_private.h"

#define STOP_EVERY 64u /* records, between asking whether it is enough */
#define METADATA_MAX (256u << 20)

void es_open_chunk_end(es_open_chunk *c)
{
    es_stream_close(&c->stream);
    es_arena_free(c->arena);
}

/* The stream first: while it is being written, the metadata is the newer one, and has all names. */
bool es_open_chunk_begin(es_open_chunk *c, const char *folder, es_error *err)
{
    es_text_buffer path = {0}, text = {0};
    *c = (es_open_chunk){.folder = folder, .arena = es_arena_new(), .stream.file = -1};
    es_text_format(&path, "%s/stream_0", folder);
    bool good = es_stream_open(&c->stream, path.text) || errno == ENOENT ||
                es_fail(err, ES_OUTPUT, "%s: cannot be read: %s", path.text, strerror(errno));
    es_text_clear(&path);
    es_text_format(&path, "%s/metadata", folder);
    good = good && es_text_read_file(&text, path.text, METADATA_MAX, err);
    if (good && !es_chunk_metadata_read(text.text ? text.text : "", text.length, c->arena, &c->metadata, err))
        good = es_fail_in(err, "%s", path.text);
    es_text_free(&path);
    es_text_free(&text);
    if (!good)
        es_open_chunk_end(c);
    return good;
}

/* A reading. */
typedef struct scan {
    es_trace_reader *reader;
    const es_trace_filter *filter;
    bool whole, only_hits;
    const es_sink *sink;
    es_decoder decoder;
    bool stopped;
    uint64_t damages;
    uint64_t time; /* of the last event */
} scan;

static bool is_wanted_task(const scan *s, const es_hit *hit)
{
    const char *name = es_names_text(s->reader->schema->names, hit->task);
    for (size_t i = 0; name && i < s->filter->task_count; i++)
        if (strcmp(s->filter->tasks[i], name) == 0)
            return true;
    return false;
}

static bool is_wanted(const scan *s, const es_record *record, uint64_t time)
{
    const es_trace_filter *filter = s->filter;
    if (time < filter->from || time > filter->to)
        return false;
    switch (record->kind) {
    case ES_RECORD_HIT:
        return (!filter->statements || filter->statements[record->hit->statement]) &&
               (!filter->task_count || is_wanted_task(s, record->hit));
    case ES_RECORD_INFERRED: /* of a hit whose task is not told */
        return (!filter->statements || filter->statements[record->inferred->statement]) && !filter->task_count;
    case ES_RECORD_CONSOLE:
    case ES_RECORD_NOTE: return !s->only_hits;
    case ES_RECORD_PROGRESS:
    case ES_RECORD_SUMMARY: return s->whole;
    default: return true;
    }
}

/* Damage is never passed over in silence. */
static void tell_damage(scan *s, const es_open_chunk *c, uint64_t bytes)
{
    es_text_buffer text = {0};
    const char *folder = strrchr(c->folder, '/');
    es_text_format(&text, "%s: %" PRIu64 " %s of the trace %s damaged: records after ", folder ? folder + 1 : c->folder,
                   bytes, es_plural(bytes, "byte", "bytes"), es_plural(bytes, "is", "are"));
    es_time_tight(&text, es_time_ns(s->time, s->reader->schema->clock_hz), false);
    es_text_format(&text, " are missing");
    es_record record = {.kind = ES_RECORD_WARNING, .schema = s->reader->schema, .text = {text.text, text.length}};
    es_sink_give(s->sink, &record);
    es_text_free(&text);
    s->damages++;
}

/* The records of the packet that is loaded. */
static void give_packet(scan *s, const es_open_chunk *c, const es_packet_head *head)
{
    const uint8_t *at = c->stream.bytes + ES_PACKET_HEAD, *end = c->stream.bytes + head->content;
    es_record record = {.kind = ES_RECORD_BEGIN};
    uint64_t time;
    bool all = s->filter->from == 0 && s->filter->to == ES_NO_TIME && s->whole;
    s->decoder.has_exact = s->decoder.bad = false;
    for (unsigned count = 0; at < end; count++) {
        const uint8_t *begin = at;
        if (count % STOP_EVERY == 0 && s->filter->stop && s->filter->stop(s->filter->context)) {
            s->stopped = true;
            return;
        }
        if (!es_decode(&s->decoder, &at, end, &record, &time)) {
            tell_damage(s, c, (uint64_t)(end - begin));
            return;
        }
        s->time = time;
        if (record.kind != ES_RECORD_BEGIN && (all || is_wanted(s, &record, time)))
            es_sink_give(s->sink, &record);
    }
}

static bool give_chunk(scan *s, es_open_chunk *c, es_error *err)
{
    es_packet_head head;
    uint64_t skipped = 0;
    while (!s->stopped) {
        switch (es_stream_next(&c->stream, &head, &skipped)) {
        case ES_STREAM_PACKET:
            if (head.end < s->filter->from ||
                (head.begin > s->filter->to && es_stream_earliest(&c->stream) > s->filter->to))
                break;
            errno = 0;
            if (es_stream_load(&c->stream, &head))
                give_packet(s, c, &head);
            else if (errno)
                return es_fail(err, ES_OUTPUT, "%s/stream_0: cannot be read: %s", c->folder, strerror(errno));
            else
                tell_damage(s, c, head.bytes);
            break;
        case ES_STREAM_DAMAGED: tell_damage(s, c, skipped); break;
        case ES_STREAM_FAILED:
            return es_fail(err, ES_OUTPUT, "%s/stream_0: cannot be read: %s", c->folder, strerror(errno));
        default: return true;
        }
    }
    return true;
}

/* The chunk's names get the numbers that they have in the schema. */
static uint32_t *number_names(const es_open_chunk *c, es_names *names)
{
    uint32_t *numbers = es_arena_alloc(c->arena, ((size_t)c->metadata.name_count + 1) * sizeof *numbers);
    for (uint32_t i = 0; i < c->metadata.name_count; i++)
        numbers[i + 1] = es_names_add(names, c->metadata.names[i], strlen(c->metadata.names[i]));
    return numbers;
}

bool es_trace_scan(es_trace_reader *r, const es_trace_filter *filter, bool whole, const es_sink *sink, es_error *err)
{
    scan s = {.reader = r, .filter = filter, .whole = whole, .sink = sink};
    bool good = true;
    s.only_hits = filter->statements || filter->task_count;
    es_decoder_begin(&s.decoder, r->schema);
    for (size_t i = 0; i < r->chunk_count && good && !s.stopped; i++) {
        es_open_chunk c;
        good = es_open_chunk_begin(&c, r->chunks[i], err);
        if (!good)
            break;
        s.decoder.names = number_names(&c, r->schema->names);
        s.decoder.format = c.metadata.format;
        s.decoder.name_count = c.metadata.name_count;
        good = c.stream.file < 0 || give_chunk(&s, &c, err);
        es_open_chunk_end(&c);
    }
    es_decoder_end(&s.decoder);
    if (good && s.damages)
        return es_fail(err, ES_USAGE, "the trace is damaged in %" PRIu64 " %s; all else of it was read", s.damages,
                       es_plural(s.damages, "place", "places"));
    return good;
}

bool es_trace_read(es_trace_reader *reader, const es_trace_filter *filter, const es_sink *sink, es_error *err)
{
    es_record begin = {.kind = ES_RECORD_BEGIN, .schema = reader->schema};
    bool whole = !filter->from && filter->to == ES_NO_TIME && !filter->statements && !filter->task_count;
    es_sink_give(sink, &begin);
    return es_trace_scan(reader, filter, whole, sink, err);
}
