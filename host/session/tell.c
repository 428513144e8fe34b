/* What a session tells besides hits and losses: notes, the target's console, how far it is. */
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "session/private.h"

#define CONSOLE_LINE_MAX 4096 /* a longer console line is told in pieces */
#define PROGRESS_S 0.2

void es_session_give(const session *s, es_record record)
{
    record.schema = s->schema;
    es_sink_give(s->sink, &record);
}

static void give_text(const session *s, enum es_record_kind kind, const es_text_buffer *text)
{
    es_session_give(s, (es_record){.kind = kind, .text = {text->text ? text->text : "", text->length}});
}

static void give_formatted(const session *s, enum es_record_kind kind, const char *format, va_list args)
{
    es_text_buffer text = {0};
    es_text_vformat(&text, format, args);
    give_text(s, kind, &text);
    es_text_free(&text);
}

void es_session_note(session *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    give_formatted(s, ES_RECORD_NOTE, format, args);
    va_end(args);
}

void es_session_warn(session *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    give_formatted(s, ES_RECORD_WARNING, format, args);
    va_end(args);
}

/* --- the console: by lines ------------------------------------------------------------------------------------- */

static void give_line(session *s)
{
    give_text(s, ES_RECORD_CONSOLE, &s->console);
    es_text_clear(&s->console);
}

void es_session_console_bytes(void *context, const char *bytes, size_t size)
{
    session *s = context;
    if (!s->schema || s->enough || s->probe.target->cycles(s->probe.target_context) < s->onset ||
        s->probe.target->cycles(s->probe.target_context) >= s->cutoff)
        return;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '\n') {
            give_line(s);
        } else if (bytes[i] != '\r' && bytes[i] != 0) {
            es_text_add(&s->console, &bytes[i], 1);
            if (s->console.length == CONSOLE_LINE_MAX)
                give_line(s);
        }
    }
}

void es_session_console_end(session *s)
{
    if (s->console.length)
        give_line(s);
}

double es_session_wall_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* --- progress -------------------------------------------------------------------------------------------------- */

void es_session_note_latest(session *s)
{
    if (s->is_latest_new)
        s->latest_wall = es_session_wall_seconds();
    s->is_latest_new = false;
}

void es_session_progress(session *s)
{
    double now = es_session_wall_seconds();
    if (now - s->told < PROGRESS_S)
        return;
    s->told = now;
    uint64_t cycles = s->probe.target ? s->probe.target->cycles(s->probe.target_context) : 0;
    es_progress progress = {.hits = s->summary.hits,
                            .lost = s->gap_bus + s->gap_events + s->summary.lost_link,
                            .time = cycles > s->latest ? cycles : s->latest,
                            .wall_seconds = now - s->begun,
                            .waiting = es_transport_waiting(s->probe.transport),
                            .statement_hits = s->summary.statement_hits};
    es_session_give(s, (es_record){.kind = ES_RECORD_PROGRESS, .progress = &progress});
}
