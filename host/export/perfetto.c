/* Perfetto's traces (protos/perfetto/trace/trace.proto): a track for each task, with the call paths that hits told as
 * slices and the hits as instants; a counter track for each value.
 *
 * A slice begins with the first hit on its path and ends with the first one off it: what happened between hits is not
 * known. It ends at once with leave() of its procedure, at a loss, and where a path is not known. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/times.h"
#include "export/private.h"
#include "export/protobuf.h"
#include "record/path.h"
#include "record/value.h"

#define DEPTH_MAX 256u
#define SEQUENCE 1u
#define PROCESS 1u /* track of the program; tasks have 2^32 and their name's number, counters 2^33 and more */
#define TASKS (UINT64_C(1) << 32)
#define COUNTERS (UINT64_C(1) << 33)
#define LOSSES 2u

/* Numbers of fields, as the .proto files have them. */
enum { TRACE_PACKET = 1 };
enum {
    PACKET_CLOCKS = 6,
    PACKET_TIME = 8,
    PACKET_SEQUENCE = 10,
    PACKET_EVENT = 11,
    PACKET_FLAGS = 13,
    PACKET_TRACK = 60
};
enum { TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PROCESS = 3, TRACK_THREAD = 4, TRACK_PARENT = 5, TRACK_COUNTER = 8 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6, THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5, COUNTER_UNIT_NAME = 6 };
enum {
    EVENT_NOTE = 4,
    EVENT_TYPE = 9,
    EVENT_TRACK = 11,
    EVENT_CATEGORY = 22,
    EVENT_NAME = 23,
    EVENT_COUNT = 30,
    EVENT_SOURCE = 33,
    EVENT_DOUBLE = 44
};
enum { NOTE_TEXT = 6, NOTE_NAME = 10, SOURCE_FILE = 2, SOURCE_LINE = 4 };
enum { SLICE_BEGIN = 1, SLICE_END = 2, INSTANT = 3, COUNTER = 4 };
enum { CLOCK = 1, CLOCK_ID = 1, CLOCK_TIME = 2, CLOCK_REALTIME = 1, CLOCK_BOOT = 6 };

/* A task, or the program where there are none. */
typedef struct task {
    uint32_t name;            /* 0: none, or not known */
    uint32_t open[DEPTH_MAX]; /* names of the slices that are open, outermost first */
    size_t depth;
} task;

typedef struct perfetto {
    es_arena *arena;
    const es_schema *schema;
    es_all_series series;
    task **tasks;
    size_t task_count;
    bool begun;
    uint64_t now;   /* ns, of the record at hand; ... */
    uint64_t paths; /* ... of paths' slices, which have to nest: what came late does not move them back */
    es_text_buffer packet, inner, note, text;
} perfetto;

/* --- packets ------------------------------------------------------------------------------------------------------ */

static void add_packet(perfetto *p, es_text_buffer *out)
{
    es_pb_uint(&p->packet, PACKET_SEQUENCE, SEQUENCE);
    if (!p->begun)
        es_pb_uint(&p->packet, PACKET_FLAGS, 1); /* nothing before it matters */
    p->begun = true;
    es_pb_bytes(out, TRACE_PACKET, p->packet.text, p->packet.length);
    es_text_clear(&p->packet);
}

/* p->inner is the track but for what it is in. */
static void add_track(perfetto *p, es_text_buffer *out, uint64_t track)
{
    es_pb_uint(&p->inner, TRACK_UUID, track);
    if (track != PROCESS)
        es_pb_uint(&p->inner, TRACK_PARENT, PROCESS);
    es_pb_bytes(&p->packet, PACKET_TRACK, p->inner.text, p->inner.length);
    es_text_clear(&p->inner);
    add_packet(p, out);
}

/* p->inner is the event but for its type and track. */
static void add_event(perfetto *p, es_text_buffer *out, unsigned type, uint64_t track, uint64_t time)
{
    es_pb_uint(&p->inner, EVENT_TYPE, type);
    es_pb_uint(&p->inner, EVENT_TRACK, track);
    es_pb_uint(&p->packet, PACKET_TIME, time);
    es_pb_bytes(&p->packet, PACKET_EVENT, p->inner.text, p->inner.length);
    es_text_clear(&p->inner);
    add_packet(p, out);
}

static void set_time(perfetto *p, uint64_t clocks)
{
    p->now = es_time_ns(clocks, p->schema->clock_hz);
    p->paths = p->now > p->paths ? p->now : p->paths;
}

/* --- tracks ------------------------------------------------------------------------------------------------------- */

static void add_clocks(perfetto *p, es_text_buffer *out, int64_t origin_ns)
{
    const uint64_t ids[] = {CLOCK_BOOT, CLOCK_REALTIME}, times[] = {0, (uint64_t)origin_ns};
    for (unsigned i = 0; i < 2; i++) {
        es_pb_uint(&p->note, CLOCK_ID, ids[i]);
        es_pb_uint(&p->note, CLOCK_TIME, times[i]);
        es_pb_bytes(&p->inner, CLOCK, p->note.text, p->note.length);
        es_text_clear(&p->note);
    }
    es_pb_bytes(&p->packet, PACKET_CLOCKS, p->inner.text, p->inner.length);
    es_text_clear(&p->inner);
    add_packet(p, out);
}

static void add_counter_track(perfetto *p, es_text_buffer *out, size_t series)
{
    const es_series *s = &p->series.items[series];
    es_pb_string(&p->inner, TRACK_NAME, s->name);
    if (s->field->kind == ES_FIELD_LENGTH)
        es_pb_string(&p->note, COUNTER_UNIT_NAME, "ns");
    es_pb_bytes(&p->inner, TRACK_COUNTER, p->note.text ? p->note.text : "", p->note.length);
    es_text_clear(&p->note);
    add_track(p, out, COUNTERS + series);
}

/* Texts are no numbers, and bytes of memory too many. */
static bool is_counter(const es_field *field)
{
    return field->kind != ES_FIELD_TEXT && field->kind != ES_FIELD_BYTE;
}

static void *perfetto_begin(es_text_buffer *out, const es_schema *schema, int64_t origin_ns)
{
    perfetto *p = es_malloc(sizeof *p);
    *p = (perfetto){.arena = es_arena_new(), .schema = schema};
    p->series = es_series_of(schema, p->arena);
    if (origin_ns > 0)
        add_clocks(p, out, origin_ns);
    es_pb_uint(&p->note, PROCESS_PID, PROCESS);
    es_pb_string(&p->note, PROCESS_NAME, schema->program ? es_base_name(schema->program) : "target");
    es_pb_bytes(&p->inner, TRACK_PROCESS, p->note.text, p->note.length);
    es_text_clear(&p->note);
    add_track(p, out, PROCESS);
    for (size_t i = 0; i < p->series.count; i++)
        if (is_counter(p->series.items[i].field))
            add_counter_track(p, out, i);
    es_pb_string(&p->inner, TRACK_NAME, "losses");
    add_track(p, out, LOSSES);
    return p;
}

static uint64_t track_of(const task *t)
{
    return TASKS + t->name;
}

/* Tasks come with their first hit. */
static task *task_of(perfetto *p, es_text_buffer *out, const es_hit *hit)
{
    for (size_t i = 0; i < p->task_count; i++)
        if (p->tasks[i]->name == hit->task)
            return p->tasks[i];
    task *t = es_arena_alloc(p->arena, sizeof *t);
    const char *name = es_names_text(p->schema->names, hit->task);
    t->name = hit->task;
    p->tasks = es_arena_grow(p->arena, p->tasks, p->task_count, sizeof *p->tasks);
    p->tasks[p->task_count++] = t;
    es_pb_uint(&p->note, THREAD_PID, PROCESS);
    es_pb_uint(&p->note, THREAD_TID, p->task_count + 1);
    es_pb_string(&p->note, THREAD_NAME, name ? name : p->schema->tasks_by ? "(task unknown)" : "program");
    es_pb_bytes(&p->inner, TRACK_THREAD, p->note.text, p->note.length);
    es_text_clear(&p->note);
    add_track(p, out, track_of(t));
    return t;
}

/* --- paths as slices ---------------------------------------------------------------------------------------------- */

static void close_slices(perfetto *p, es_text_buffer *out, task *t, size_t depth)
{
    for (; t->depth > depth; t->depth--)
        add_event(p, out, SLICE_END, track_of(t), p->paths);
}

static void open_slice(perfetto *p, es_text_buffer *out, task *t, uint32_t name)
{
    es_pb_string(&p->inner, EVENT_NAME, es_names_text(p->schema->names, name));
    es_pb_string(&p->inner, EVENT_CATEGORY, "path");
    add_event(p, out, SLICE_BEGIN, track_of(t), p->paths);
    t->open[t->depth++] = name;
}

/* The activations of a path by name; those that have none by their address. Returns how many, at most DEPTH_MAX. */
static size_t parts_of(perfetto *p, const es_hit *hit, uint32_t parts[DEPTH_MAX])
{
    const char *at = es_names_text(p->schema->names, hit->path);
    size_t count = 0;
    es_path_part part;
    es_text_buffer address = {0};
    while (count < DEPTH_MAX && es_path_next(&at, &p->text, &part)) {
        es_text_clear(&address);
        es_text_format(&address, "0x%08x", (unsigned)part.address);
        const char *name = part.name && *part.name ? part.name : address.text;
        parts[count++] = es_names_add(p->schema->names, name, strlen(name));
    }
    es_text_free(&address);
    return count;
}

/* Whether the statement's last event is that the procedure is left. */
static bool is_left(const es_schema_statement *statement, const char *procedure)
{
    es_text_buffer leave = {0}, enter = {0};
    es_text_format(&leave, "leave(%s)", procedure);
    es_text_format(&enter, "enter(%s)", procedure);
    const char *left = NULL, *entered = NULL;
    for (const char *at = statement->text; at && (at = strstr(at, leave.text)); at++)
        left = at;
    for (const char *at = statement->text; at && (at = strstr(at, enter.text)); at++)
        entered = at;
    es_text_free(&leave);
    es_text_free(&enter);
    return left && (!entered || left > entered);
}

static void follow_path(perfetto *p, es_text_buffer *out, task *t, const es_hit *hit)
{
    uint32_t parts[DEPTH_MAX];
    size_t count = parts_of(p, hit, parts), same = 0;
    while (same < t->depth && same < count && t->open[same] == parts[same])
        same++;
    close_slices(p, out, t, same);
    while (t->depth < count)
        open_slice(p, out, t, parts[t->depth]);
}

/* --- records ------------------------------------------------------------------------------------------------------ */

static void add_note(perfetto *p, const char *name, const char *text)
{
    es_pb_string(&p->note, NOTE_NAME, name);
    es_pb_string(&p->note, NOTE_TEXT, text);
    es_pb_bytes(&p->inner, EVENT_NOTE, p->note.text, p->note.length);
    es_text_clear(&p->note);
}

static void add_instant(perfetto *p, es_text_buffer *out, const task *t, const es_hit *hit)
{
    const es_schema_statement *statement = &p->schema->statements[hit->statement];
    const char *file = es_names_text(p->schema->names, hit->file);
    for (size_t i = 0; i < hit->value_count; i++) {
        es_text_clear(&p->text);
        es_value_text(&p->text, p->schema, &statement->fields[i], &hit->values[i], true);
        add_note(p, statement->fields[i].name, p->text.text);
    }
    if (hit->flags & ES_HIT_UNCERTAIN)
        add_note(p, "uncertain", "true");
    if (file) {
        es_pb_string(&p->note, SOURCE_FILE, file);
        es_pb_uint(&p->note, SOURCE_LINE, hit->line);
        es_pb_bytes(&p->inner, EVENT_SOURCE, p->note.text, p->note.length);
        es_text_clear(&p->note);
    }
    es_pb_string(&p->inner, EVENT_NAME, statement->name);
    es_pb_string(&p->inner, EVENT_CATEGORY, "hit");
    add_event(p, out, INSTANT, track_of(t), p->now);
}

static void add_counters(perfetto *p, es_text_buffer *out, const es_hit *hit)
{
    const es_schema_statement *statement = &p->schema->statements[hit->statement];
    for (size_t i = 0; i < hit->value_count; i++) {
        const es_field *field = &statement->fields[i];
        const es_value *value = &hit->values[i];
        if (!value->known || !is_counter(field))
            continue;
        if (field->kind == ES_FIELD_FLOAT)
            es_pb_double(&p->inner, EVENT_DOUBLE, es_value_double(field, value));
        else if (field->kind == ES_FIELD_LENGTH)
            es_pb_uint(&p->inner, EVENT_COUNT, es_time_ns(value->bits, p->schema->clock_hz));
        else
            es_pb_uint(&p->inner, EVENT_COUNT, (uint64_t)es_value_int(field, value));
        add_event(p, out, COUNTER, COUNTERS + p->series.of_field[hit->statement][i], p->now);
    }
}

static void add_hit(perfetto *p, es_text_buffer *out, const es_hit *hit)
{
    set_time(p, hit->time);
    task *t = task_of(p, out, hit);
    if (hit->flags & ES_HIT_NO_PATH)
        close_slices(p, out, t, 0);
    else if (!(hit->flags & ES_HIT_TIMED))
        follow_path(p, out, t, hit);
    add_instant(p, out, t, hit);
    add_counters(p, out, hit);
    if (t->depth &&
        is_left(&p->schema->statements[hit->statement], es_names_text(p->schema->names, t->open[t->depth - 1])))
        close_slices(p, out, t, t->depth - 1);
}

static void close_all(perfetto *p, es_text_buffer *out)
{
    for (size_t i = 0; i < p->task_count; i++)
        close_slices(p, out, p->tasks[i], 0);
}

static void add_lost(perfetto *p, es_text_buffer *out, const es_lost *lost)
{
    set_time(p, lost->time);
    close_all(p, out);
    es_text_clear(&p->text);
    es_text_format(&p->text, "%" PRIu64 " lost", lost->count);
    es_pb_string(&p->inner, EVENT_NAME, p->text.text);
    if (lost->last == ES_NO_TIME) {
        add_event(p, out, INSTANT, LOSSES, p->now);
        return;
    }
    add_event(p, out, SLICE_BEGIN, LOSSES, p->now);
    add_event(p, out, SLICE_END, LOSSES, es_time_ns(lost->last, p->schema->clock_hz));
}

static void perfetto_take(void *state, es_text_buffer *out, const es_record *record)
{
    if (record->kind == ES_RECORD_HIT)
        add_hit(state, out, record->hit);
    else if (record->kind == ES_RECORD_LOST)
        add_lost(state, out, record->lost);
}

static void perfetto_end(void *state, es_text_buffer *out)
{
    perfetto *p = state;
    close_all(p, out);
    es_text_free(&p->packet);
    es_text_free(&p->inner);
    es_text_free(&p->note);
    es_text_free(&p->text);
    es_arena_free(p->arena);
    free(p);
}

const es_export_form es_export_perfetto = {perfetto_begin, perfetto_take, perfetto_end};
