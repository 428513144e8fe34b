/* Every call as a slice (protos/perfetto/trace/trace.proto). */
#include <errno.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/times.h"
#include "export/protobuf.h"
#include "prof/write.h"

#define WRITE_AT 65536u
#define SEQUENCE 1u
#define PROCESS 1u
#define RUNNING 2u
#define STACKS (UINT64_C(1) << 32)

/* Numbers of fields, as the .proto files have them. */
enum {
    TRACE_PACKET = 1,
    PACKET_TIME = 8,
    PACKET_SEQUENCE = 10,
    PACKET_EVENT = 11,
    PACKET_FLAGS = 13,
    PACKET_TRACK = 60
};
enum { TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PROCESS = 3, TRACK_THREAD = 4, TRACK_PARENT = 5 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6, THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum { EVENT_TYPE = 9, EVENT_TRACK = 11, EVENT_CATEGORY = 22, EVENT_NAME = 23 };
enum { SLICE_BEGIN = 1, SLICE_END = 2 };

struct es_prof_perfetto {
    es_prof *profile;
    FILE *file;
    es_prof_hearer hearer;
    es_text_buffer out, packet, inner, note;
    bool *ended; /* by stack: its innermost trap's slice has ended already */
    size_t tracks;
    bool begun, running, failed;
    int error;
};

static void write_out(es_prof_perfetto *p)
{
    if (!p->failed && p->out.length && fwrite(p->out.text, 1, p->out.length, p->file) != p->out.length) {
        p->failed = true;
        p->error = errno;
    }
    if (p->out.text)
        es_text_clear(&p->out);
}

static void add_packet(es_prof_perfetto *p)
{
    es_pb_uint(&p->packet, PACKET_SEQUENCE, SEQUENCE);
    if (!p->begun)
        es_pb_uint(&p->packet, PACKET_FLAGS, 1); /* nothing before it matters */
    p->begun = true;
    es_pb_bytes(&p->out, TRACE_PACKET, p->packet.text, p->packet.length);
    es_text_clear(&p->packet);
    if (p->out.length >= WRITE_AT)
        write_out(p);
}

/* p->inner is the track but for what it is in. */
static void add_track(es_prof_perfetto *p, uint64_t track)
{
    es_pb_uint(&p->inner, TRACK_UUID, track);
    if (track != PROCESS)
        es_pb_uint(&p->inner, TRACK_PARENT, PROCESS);
    es_pb_bytes(&p->packet, PACKET_TRACK, p->inner.text, p->inner.length);
    es_text_clear(&p->inner);
    add_packet(p);
}

static void add_event(es_prof_perfetto *p, unsigned type, uint64_t track, const char *name, const char *category)
{
    uint64_t clock = es_prof_clock(p->profile);
    if (name) {
        es_pb_string(&p->inner, EVENT_NAME, name);
        es_pb_string(&p->inner, EVENT_CATEGORY, category);
    }
    es_pb_uint(&p->inner, EVENT_TYPE, type);
    es_pb_uint(&p->inner, EVENT_TRACK, track);
    es_pb_uint(&p->packet, PACKET_TIME, p->profile->hz ? es_time_ns(clock, p->profile->hz) : clock);
    es_pb_bytes(&p->packet, PACKET_EVENT, p->inner.text, p->inner.length);
    es_text_clear(&p->inner);
    add_packet(p);
}

/* What a stack is called: by the procedure that it began with. */
static void stack_name(es_prof_perfetto *p, const es_prof_stack *s)
{
    es_text_clear(&p->note);
    es_text_format(&p->note, "%s", p->profile->code.names[s->root]);
    if (s->same)
        es_text_format(&p->note, " (%zu)", s->same + 1);
}

static void add_stack(es_prof_perfetto *p, const es_prof_stack *s, size_t number)
{
    es_text_buffer thread = {0};
    es_pb_uint(&thread, THREAD_PID, PROCESS);
    es_pb_uint(&thread, THREAD_TID, number + 2);
    stack_name(p, s);
    es_pb_string(&thread, THREAD_NAME, p->note.text);
    es_pb_bytes(&p->inner, TRACK_THREAD, thread.text, thread.length);
    es_text_free(&thread);
    add_track(p, STACKS + number);
}

static void run_stack(es_prof_perfetto *p, const es_prof_stack *s)
{
    if (p->running)
        add_event(p, SLICE_END, RUNNING, NULL, NULL);
    stack_name(p, s);
    add_event(p, SLICE_BEGIN, RUNNING, p->note.text, "stack");
    p->running = true;
}

static void entered(void *context, const es_prof_calls *calls, es_prof_frame *frame)
{
    es_prof_perfetto *p = context;
    const es_prof_stack *s = &calls->stacks[calls->now];
    for (; p->tracks < calls->stack_count; p->tracks++) {
        p->ended = es_realloc(p->ended, (p->tracks + 1) * sizeof *p->ended);
        p->ended[p->tracks] = false;
    }
    if (s->count == 1) {
        add_stack(p, s, calls->now);
        run_stack(p, s);
    }
    if (frame->kind == ES_PROF_ACTIVATION) {
        add_event(p, SLICE_BEGIN, STACKS + calls->now, calls->code->names[frame->procedure], "call");
        return;
    }
    es_text_clear(&p->note);
    es_text_format(&p->note, "%s %u", frame->cause >> 31 ? "interrupt" : "exception", frame->cause & 0x7FFFFFFF);
    add_event(p, SLICE_BEGIN, STACKS + calls->now, p->note.text, "interrupt");
}

static void left(void *context, const es_prof_calls *calls, const es_prof_frame *frame, es_prof_cost cost)
{
    es_prof_perfetto *p = context;
    (void)cost;
    if (frame->kind == ES_PROF_TRAP && p->ended[calls->now]) {
        p->ended[calls->now] = false;
        return;
    }
    add_event(p, SLICE_END, STACKS + calls->now, NULL, NULL);
}

static void again(void *context, const es_prof_calls *calls, es_prof_frame *frame, uint32_t site)
{
    es_prof_perfetto *p = context;
    (void)site;
    add_event(p, SLICE_END, STACKS + calls->now, NULL, NULL);
    add_event(p, SLICE_BEGIN, STACKS + calls->now, calls->code->names[frame->procedure], "call");
}

static void switched(void *context, const es_prof_calls *calls, size_t from, bool after_trap)
{
    es_prof_perfetto *p = context;
    const es_prof_stack *s = &calls->stacks[calls->now];
    if (calls->ending)
        return;
    if (after_trap && !p->ended[from]) {
        add_event(p, SLICE_END, STACKS + from, NULL, NULL);
        p->ended[from] = true;
    }
    if (s->count)
        run_stack(p, s);
}

es_prof_perfetto *es_prof_perfetto_begin(FILE *file, const char *program, es_prof *profile)
{
    es_prof_perfetto *p = es_malloc(sizeof *p);
    *p = (es_prof_perfetto){.profile = profile, .file = file, .hearer = {entered, left, again, switched, p}};
    profile->hearer = &p->hearer;
    es_pb_uint(&p->note, PROCESS_PID, PROCESS);
    es_pb_string(&p->note, PROCESS_NAME, program);
    es_pb_bytes(&p->inner, TRACK_PROCESS, p->note.text, p->note.length);
    add_track(p, PROCESS);
    es_pb_string(&p->inner, TRACK_NAME, "running");
    add_track(p, RUNNING);
    return p;
}

bool es_prof_perfetto_end(es_prof_perfetto *perfetto)
{
    es_prof_perfetto *p = perfetto;
    if (p->running)
        add_event(p, SLICE_END, RUNNING, NULL, NULL);
    write_out(p);
    bool good = !p->failed;
    int error = p->error;
    p->profile->hearer = NULL;
    es_text_free(&p->out);
    es_text_free(&p->packet);
    es_text_free(&p->inner);
    es_text_free(&p->note);
    free(p->ended);
    free(p);
    errno = error;
    return good;
}
