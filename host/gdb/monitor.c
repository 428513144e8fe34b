#include "gdb/monitor.h"

#include <inttypes.h>
#include <string.h>

#include "replay/moment.h"

#define STALE \
    "gdb does not know yet that it has moved: maintenance flush register-cache, then maintenance flush dcache\n"

/* gdb may still have another thread chosen. */
static void say_task(es_gdb_server *server, es_text_buffer *text)
{
    const es_gdb_thread *thread = es_gdb_threads_find(&server->threads, es_gdb_threads_running(&server->threads));
    es_text_buffer name = {0};
    if (thread && es_gdb_threads_name(&name, &server->threads, thread))
        es_text_format(text, "%s runs, thread %" PRIu32 "\n", name.text, thread->id);
    es_text_free(&name);
}

static void say_where(es_gdb_server *server, es_text_buffer *text)
{
    uint64_t now = es_timeline_now(server->timeline);
    es_text_format(text, "instruction %" PRIu64 " of %" PRIu64 ", ", now, es_timeline_end(server->timeline));
    es_replay_moment_time(text, server->timeline, server->hz, now);
    es_text_format(text, "\n");
    say_task(server, text);
}

static void say_help(es_gdb_server *server, const char *rest, es_text_buffer *text)
{
    (void)server, (void)rest;
    es_text_format(text,
                   "monitor time                    where in the recording this is, and which task runs\n"
                   "monitor goto INSTRUCTION|TIME   goes there: after so many instructions, or 1.5ms\n"
                   "monitor start, monitor end      the same for the recording's first and last moment\n"
                   "monitor interrupts over|into    whether steps take interrupts as one with the instruction\n"
                   "                                that they came after (over, at first), or go into handlers\n");
}

static void say_time(es_gdb_server *server, const char *rest, es_text_buffer *text)
{
    (void)rest;
    say_where(server, text);
    if (es_timeline_now(server->timeline) == es_timeline_end(server->timeline))
        es_text_format(text, "the recording's end: %s\n", es_timeline_ended(server->timeline));
}

static void go(es_gdb_server *server, const char *where, es_text_buffer *text)
{
    es_error err;
    uint64_t moment;
    if (!es_replay_moment_parse(server->timeline, server->hz, where, &moment, &err)) {
        es_text_format(text, "%s\n", err.text);
        return;
    }
    if (es_past_go(&server->past, moment) == ES_PAST_WRONG)
        es_text_format(text, "%s\n", server->past.error.text);
    say_where(server, text);
    es_text_format(text, STALE);
}

static void go_start(es_gdb_server *server, const char *rest, es_text_buffer *text)
{
    (void)rest;
    go(server, "start", text);
}

static void go_end(es_gdb_server *server, const char *rest, es_text_buffer *text)
{
    (void)rest;
    go(server, "end", text);
}

static void set_interrupts(es_gdb_server *server, const char *rest, es_text_buffer *text)
{
    if (strcmp(rest, "over") == 0 || strcmp(rest, "into") == 0)
        server->past.over_interrupts = strcmp(rest, "over") == 0;
    else
        es_text_format(text, "monitor interrupts over, or monitor interrupts into\n");
}

void es_gdb_monitor(es_gdb_server *server, const char *command, es_text_buffer *text)
{
    static const struct {
        const char *name;
        void (*run)(es_gdb_server *server, const char *rest, es_text_buffer *text);
    } commands[] = {
        {"help", say_help},  {"time", say_time}, {"goto", go},
        {"start", go_start}, {"end", go_end},    {"interrupts", set_interrupts},
    };
    command += strspn(command, " ");
    size_t length = strcspn(command, " ");
    const char *rest = command + length + strspn(command + length, " ");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strlen(commands[i].name) == length && memcmp(commands[i].name, command, length) == 0) {
            commands[i].run(server, rest, text);
            return;
        }
    es_text_format(text, "there is no '%.*s' here:\n", (int)length, command);
    say_help(server, rest, text);
}
