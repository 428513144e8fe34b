#include "gdb/moves.h"

#include <inttypes.h>
#include <string.h>

#include "gdb/packet.h"

#define SIGNAL_INTERRUPT 2 /* gdb's numbers of signals */
#define SIGNAL_TRAP 5

static void note_stop_of(es_gdb_server *server, enum es_past_stop stop, uint32_t thread)
{
    static const char *const watches[] = {
        [ES_PAST_WRITES] = "watch", [ES_PAST_READS] = "rwatch", [ES_PAST_ACCESSES] = "awatch"};
    es_text_buffer *text = &server->stopped;
    es_past_point hit = server->past.hit;
    server->thread = server->threads.told = thread;
    es_text_clear(text);
    es_text_format(text, "T%02xthread:%" PRIx32 ";", stop == ES_PAST_ASKED ? SIGNAL_INTERRUPT : SIGNAL_TRAP, thread);
    if (stop == ES_PAST_WATCH)
        es_text_format(text, "%s:%" PRIx32 ";", watches[hit.kind], hit.address);
    else if (stop == ES_PAST_BEGIN)
        es_text_format(text, "replaylog:begin;");
    else if (stop == ES_PAST_END || stop == ES_PAST_WRONG)
        es_text_format(text, "replaylog:end;");
    const char *why = stop == ES_PAST_END     ? es_timeline_ended(server->timeline)
                      : stop == ES_PAST_WRONG ? server->past.error.text
                                              : NULL;
    if (why) {
        es_text_buffer line = {0};
        es_text_format(&line, "earshot: %s\n", why);
        es_gdb_frame_text(&server->told, line.text, line.length);
        es_text_free(&line);
    }
}

static void note_stop(es_gdb_server *server, enum es_past_stop stop)
{
    char why[sizeof server->past.error.text];
    memcpy(why, server->past.error.text, sizeof why); /* it is looked back for the thread */
    uint32_t thread = es_gdb_threads_running(&server->threads);
    memcpy(server->past.error.text, why, sizeof why);
    note_stop_of(server, stop, thread);
}

void es_gdb_moves_last(es_gdb_server *server, es_text_buffer *out)
{
    if (!server->stopped.length)
        note_stop(server, ES_PAST_STEPPED);
    es_text_add(out, server->stopped.text, server->stopped.length);
}

static void end_move(es_gdb_server *server, enum es_past_stop stop, es_text_buffer *out)
{
    note_stop(server, stop);
    es_gdb_moves_last(server, out);
}

/* Whoever steps the processor does not step a task. */
static void end_step(es_gdb_server *server, enum es_past_stop stop, uint32_t id, es_text_buffer *out)
{
    if (stop != ES_PAST_STEPPED || id != ES_GDB_PROCESSOR) {
        end_move(server, stop, out);
        return;
    }
    note_stop_of(server, stop, id);
    es_gdb_moves_last(server, out);
}

/* --- threads that do not run -------------------------------------------------------------------------------------- */

/* One that is there and does not run; NULL: it runs, or there is none with this number (0: any). */
static const es_gdb_thread *sleeping(es_gdb_server *server, uint32_t id)
{
    if (!id || id == es_gdb_threads_running(&server->threads))
        return NULL;
    const es_gdb_thread *thread = es_gdb_threads_find(&server->threads, id);
    return thread && !thread->runs ? thread : NULL;
}

static void step_sleeping(es_gdb_server *server, const es_gdb_thread *thread, es_text_buffer *out)
{
    static const char unknown[] = "earshot: it is not known where this task goes on: it stays\n";
    const es_gdb_rest *rest = es_gdb_threads_rest(&server->threads, thread);
    if (rest->known) {
        end_move(server, es_past_await(&server->past, rest->registers.pc, rest->registers.x[server->isa->stack]), out);
        return;
    }
    es_gdb_frame_text(&server->told, unknown, sizeof unknown - 1);
    note_stop_of(server, ES_PAST_STEPPED, thread->id);
    es_gdb_moves_last(server, out);
}

/* --- the one that runs -------------------------------------------------------------------------------------------- */

/* The task that ran before the step, when another one runs after it; NULL: none. */
static const es_gdb_thread *left_by_step(es_gdb_server *server, enum es_past_stop stop, uint32_t before)
{
    bool asked = stop == ES_PAST_STEPPED && server->past.over_interrupts && before != ES_GDB_PROCESSOR;
    return asked ? sleeping(server, before) : NULL;
}

/* An instruction that leaves a task's stack ends when the task goes on. */
static enum es_past_stop step(es_gdb_server *server)
{
    uint32_t before = es_gdb_threads_running(&server->threads);
    enum es_past_stop stop = es_past_step(&server->past);
    const es_gdb_thread *thread = left_by_step(server, stop, before);
    const es_gdb_rest *rest = thread ? es_gdb_threads_rest(&server->threads, thread) : NULL;
    return rest && rest->known ? es_past_await(&server->past, rest->registers.pc, rest->registers.x[server->isa->stack])
                               : stop;
}

/* Backwards, the instruction before is the one that has left it. */
static enum es_past_stop step_back(es_gdb_server *server)
{
    uint32_t before = es_gdb_threads_running(&server->threads);
    enum es_past_stop stop = es_past_step_back(&server->past);
    const es_gdb_thread *thread = left_by_step(server, stop, before);
    return thread && thread->has_run ? es_past_back_to(&server->past, thread->left) : stop;
}

/* --- packets ------------------------------------------------------------------------------------------------------ */

static void move(es_gdb_server *server, char how, uint32_t id, es_text_buffer *out)
{
    const es_gdb_thread *thread = how == 's' ? sleeping(server, id) : NULL;
    if (thread)
        step_sleeping(server, thread, out);
    else if (how == 's')
        end_step(server, id == ES_GDB_PROCESSOR ? es_past_step(&server->past) : step(server), id, out);
    else if (how == 'c')
        end_move(server, es_past_forward(&server->past), out);
    else
        es_text_format(out, "E01");
}

void es_gdb_moves_take(es_gdb_server *server, const char *data, es_text_buffer *out)
{
    move(server, data[0] | 0x20, server->moved_thread, out);
}

/* What a vCont wants. */
typedef struct wanted {
    char how;
    uint32_t id; /* 0: any */
} wanted;

/* "s:20000;c": a step of that thread, while others go on. */
static bool read_wanted(const char *at, wanted *w)
{
    *w = (wanted){0};
    while (*at == ';') {
        char how = at[1] | 0x20;
        uint64_t signal, id = 0;
        bool signals = at[1] && at[1] < 'a';
        if (how != 's' && how != 'c')
            return false;
        at += 2;
        if (signals && !es_gdb_number(&at, &signal))
            return false;
        if (strncmp(at, ":-1", 3) == 0) /* all of them */
            at += 3;
        else if (*at == ':' && (at++, !es_gdb_number(&at, &id) || id > UINT32_MAX))
            return false;
        if (!w->how || how == 's')
            *w = (wanted){how, (uint32_t)id};
    }
    return w->how && !*at;
}

void es_gdb_moves_take_v(es_gdb_server *server, const char *data, es_text_buffer *out)
{
    wanted w;
    if (strcmp(data, "vCont?") == 0) {
        es_text_format(out, "vCont;c;C;s;S");
    } else if (strncmp(data, "vCont;", 6) == 0) {
        if (!read_wanted(data + 5, &w))
            es_text_format(out, "E01");
        else
            move(server, w.how, w.id, out);
    } else if (strncmp(data, "vKill", 5) == 0) {
        server->over = true;
        es_text_format(out, "OK");
    }
}

void es_gdb_moves_take_back(es_gdb_server *server, const char *data, es_text_buffer *out)
{
    const es_gdb_thread *thread = sleeping(server, server->moved_thread);
    const es_gdb_rest *rest = thread ? es_gdb_threads_rest(&server->threads, thread) : NULL;
    uint32_t id = server->thread;
    if (strcmp(data, "bs") == 0 && rest && rest->known)
        end_move(server, es_past_back_to(&server->past, rest->last), out);
    else if (strcmp(data, "bs") == 0)
        end_step(server, id == ES_GDB_PROCESSOR ? es_past_step_back(&server->past) : step_back(server), id, out);
    else if (strcmp(data, "bc") == 0)
        end_move(server, es_past_backward(&server->past), out);
}
