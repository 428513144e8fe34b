#include "gdb/server.h"

#include <inttypes.h>
#include <string.h>

#include "gdb/monitor.h"
#include "gdb/moves.h"
#include "gdb/packet.h"
#include "gdb/registers.h"

#define PAST_STAYS "E.this is a recording: what was cannot be changed"

typedef es_text_buffer reply;

void es_gdb_server_init(es_gdb_server *server, es_timeline *timeline, const es_isa *isa, const char *arch)
{
    memset(server, 0, sizeof *server);
    server->timeline = timeline;
    server->isa = isa;
    server->arch = arch;
    server->hz = es_timeline_hz(timeline);
    es_past_init(&server->past, timeline, isa);
    es_gdb_threads_init(&server->threads, &server->past, NULL, NULL, NULL); /* without symbols nothing is wrong */
}

bool es_gdb_server_tasks(es_gdb_server *server, const es_symbols *symbols, const char *variable, es_error *err)
{
    es_gdb_threads_free(&server->threads);
    return es_gdb_threads_init(&server->threads, &server->past, symbols, variable, err);
}

void es_gdb_server_free(es_gdb_server *server)
{
    es_past_free(&server->past);
    es_gdb_threads_free(&server->threads);
    es_text_free(&server->stopped);
    es_text_free(&server->target);
    es_text_free(&server->listed);
    es_text_free(&server->told);
}

void es_gdb_server_asks(es_gdb_server *server, bool (*asked)(void *context), void *context)
{
    server->past.asked = asked;
    server->past.asked_context = context;
}

static es_machine *machine(const es_gdb_server *server)
{
    return es_timeline_machine(server->timeline);
}

/* --- texts for the user ------------------------------------------------------------------------------------------- */

static void take_command(es_gdb_server *server, const char *hex, reply *out)
{
    es_text_buffer command = {0}, text = {0};
    for (; es_gdb_digit(hex[0]) >= 0 && es_gdb_digit(hex[1]) >= 0; hex += 2)
        es_text_add(&command, &(char){(char)(es_gdb_digit(hex[0]) << 4 | es_gdb_digit(hex[1]))}, 1);
    es_gdb_monitor(server, command.text ? command.text : "", &text);
    es_gdb_frame_text(&server->told, text.text, text.length);
    es_text_format(out, "OK");
    es_text_free(&command);
    es_text_free(&text);
}

/* --- registers and memory ----------------------------------------------------------------------------------------- */

/* Of the thread that gdb asks about. */
static es_gdb_registers_of registers(es_gdb_server *server)
{
    es_gdb_registers_of of = {machine(server), NULL, server->isa, server->arch};
    const es_gdb_thread *thread = server->thread && server->thread != es_gdb_threads_running(&server->threads)
                                      ? es_gdb_threads_find(&server->threads, server->thread)
                                      : NULL;
    if (thread && !thread->runs)
        of.rest = es_gdb_threads_rest(&server->threads, thread);
    return of;
}

static void take_registers(es_gdb_server *server, reply *out)
{
    es_gdb_registers_of of = registers(server);
    es_gdb_registers(out, &of);
}

static void take_register(es_gdb_server *server, const char *data, reply *out)
{
    uint64_t number;
    es_gdb_registers_of of = registers(server);
    if (!es_gdb_number(&data, &number) || !es_gdb_register(out, &of, number))
        es_text_format(out, "E01");
}

/* The bytes up to the first one that is not known. */
static void take_memory(es_gdb_server *server, const char *data, reply *out)
{
    uint64_t address, length;
    if (!es_gdb_number(&data, &address) || *data++ != ',' || !es_gdb_number(&data, &length) || address > UINT32_MAX) {
        es_text_format(out, "E01");
        return;
    }
    size_t before = out->length;
    for (uint64_t i = 0; i < length && i < ES_GDB_PACKET_MAX / 2 && address + i <= UINT32_MAX; i++) {
        uint8_t byte, unknown;
        if (!es_machine_peek(machine(server), (uint32_t)(address + i), &byte, &unknown, 1) || unknown)
            break;
        es_gdb_hex(out, &byte, 1);
    }
    if (out->length == before && length)
        es_text_format(out, "E01"); /* gdb takes no words here */
}

static void take_point(es_gdb_server *server, const char *data, reply *out)
{
    static const enum es_past_kind kinds[] = {ES_PAST_AT, ES_PAST_AT, ES_PAST_WRITES, ES_PAST_READS, ES_PAST_ACCESSES};
    bool set = *data++ == 'Z';
    uint64_t kind, address, size;
    if (!es_gdb_number(&data, &kind) || kind >= sizeof kinds / sizeof *kinds)
        return; /* no such kind here */
    if (*data++ != ',' || !es_gdb_number(&data, &address) || *data++ != ',' || !es_gdb_number(&data, &size) ||
        address > UINT32_MAX || size > UINT32_MAX)
        es_text_format(out, "E01");
    else if (!es_past_point_set(&server->past, (es_past_point){kinds[kind], (uint32_t)address, (uint32_t)size}, set) &&
             set)
        es_text_format(out, "E.too many breakpoints");
    else
        es_text_format(out, "OK");
}

/* --- threads ------------------------------------------------------------------------------------------------------ */

static void list_threads(es_gdb_server *server, const char *data, reply *out)
{
    const es_gdb_thread *list;
    (void)data;
    size_t count = es_gdb_threads_list(&server->threads, &list);
    for (size_t i = 0; i < count; i++)
        es_text_format(out, "%c%" PRIx32, i ? ',' : 'm', list[i].id);
}

/* As XML, with their names. */
static void make_thread_list(es_gdb_server *server, es_text_buffer *text)
{
    const es_gdb_thread *list;
    es_text_buffer name = {0};
    size_t count = es_gdb_threads_list(&server->threads, &list);
    es_text_format(text, "<?xml version=\"1.0\"?>\n<threads>\n");
    for (size_t i = 0; i < count; i++) {
        es_text_format(text, "<thread id=\"%" PRIx32 "\"", list[i].id);
        es_text_clear(&name);
        if (es_gdb_threads_name(&name, &server->threads, &list[i])) {
            es_text_format(text, " name=\"");
            es_text_xml(text, name.text, name.length);
            es_text_format(text, "\"");
        }
        es_text_format(text, ">%s</thread>\n", list[i].state);
    }
    es_text_format(text, "</threads>\n");
    es_text_free(&name);
}

static const es_gdb_thread *thread_named(es_gdb_server *server, const char *data)
{
    uint64_t id;
    return es_gdb_number(&data, &id) && id <= UINT32_MAX ? es_gdb_threads_find(&server->threads, (uint32_t)id) : NULL;
}

static void name_thread(es_gdb_server *server, const char *data, reply *out)
{
    const es_gdb_thread *thread = thread_named(server, data);
    es_text_buffer text = {0};
    if (!thread)
        return;
    if (es_gdb_threads_name(&text, &server->threads, thread))
        es_text_format(&text, ", ");
    es_text_format(&text, "%s", thread->state);
    es_gdb_hex(out, (const uint8_t *)text.text, text.length);
    es_text_free(&text);
}

static void is_alive(es_gdb_server *server, const char *data, reply *out)
{
    es_text_format(out, thread_named(server, data) ? "OK" : "E01");
}

/* Hg20000, Hc-1: 0 and -1 are any. */
static void choose_thread(es_gdb_server *server, const char *data, reply *out)
{
    uint64_t id = 0;
    const char *at = data + (*data != 0);
    uint32_t *chosen = *data == 'g' ? &server->thread : &server->moved_thread;
    if (*at == '-' || (es_gdb_number(&at, &id) && !id)) {
        *chosen = 0;
    } else {
        const es_gdb_thread *thread = thread_named(server, data + (*data != 0));
        if (!thread) {
            es_text_format(out, "E01");
            return;
        }
        *chosen = thread->id;
    }
    es_text_format(out, "OK");
}

/* --- questions ---------------------------------------------------------------------------------------------------- */

static void say_supported(es_gdb_server *server, const char *data, reply *out)
{
    (void)server, (void)data;
    es_text_format(out,
                   "PacketSize=%x;QStartNoAckMode+;qXfer:features:read+;qXfer:threads:read+;ReverseStep+;"
                   "ReverseContinue+;vContSupported+",
                   ES_GDB_PACKET_MAX);
}

/* What gdb wants of a text: "OFFSET,LENGTH". */
static void say_part(const es_text_buffer *text, const char *data, reply *out)
{
    uint64_t offset, length;
    if (!es_gdb_number(&data, &offset) || *data++ != ',' || !es_gdb_number(&data, &length)) {
        es_text_format(out, "E01");
        return;
    }
    size_t all = text->length, from = offset < all ? (size_t)offset : all;
    size_t part = all - from < length ? all - from : (size_t)length;
    part = part < ES_GDB_PACKET_MAX / 2 ? part : ES_GDB_PACKET_MAX / 2; /* some are written as two bytes */
    es_text_add(out, from + part < all ? "m" : "l", 1);
    es_text_add(out, text->text + from, part);
}

static void say_target(es_gdb_server *server, const char *data, reply *out)
{
    if (!server->target.length)
        es_gdb_describe(&server->target, machine(server), server->isa, server->arch);
    say_part(&server->target, data, out);
}

static void say_threads(es_gdb_server *server, const char *data, reply *out)
{
    if (strncmp(data, "0,", 2) == 0) {
        es_text_clear(&server->listed);
        make_thread_list(server, &server->listed);
    }
    say_part(&server->listed, data, out);
}

static void end_acks(es_gdb_server *server, const char *data, reply *out)
{
    (void)data;
    server->no_acks = true;
    es_text_format(out, "OK");
}

static void say_current(es_gdb_server *server, const char *data, reply *out)
{
    (void)data;
    es_text_format(out, "QC%" PRIx32, es_gdb_threads_running(&server->threads));
}

static void say_attached(es_gdb_server *server, const char *data, reply *out)
{
    (void)server, (void)data;
    es_text_format(out, "1");
}

static void say_no_more(es_gdb_server *server, const char *data, reply *out)
{
    (void)server, (void)data;
    es_text_format(out, "l");
}

static void say_ok(es_gdb_server *server, const char *data, reply *out)
{
    (void)server, (void)data;
    es_text_format(out, "OK");
}

/* By how they begin; `take` gets what follows. */
static void take_question(es_gdb_server *server, const char *data, reply *out)
{
    static const struct {
        const char *name;
        void (*take)(es_gdb_server *server, const char *data, reply *out);
    } questions[] = {
        {"qSupported", say_supported},
        {"QStartNoAckMode", end_acks},
        {"qXfer:features:read:target.xml:", say_target},
        {"qXfer:threads:read::", say_threads},
        {"qfThreadInfo", list_threads},
        {"qsThreadInfo", say_no_more},
        {"qThreadExtraInfo,", name_thread},
        {"qRcmd,", take_command},
        {"qAttached", say_attached},
        {"qSymbol", say_ok},
        {"qC", say_current}, /* after all that begin so */
    };
    if (strncmp(data, "qCRC", 4) == 0)
        return;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        size_t length = strlen(questions[i].name);
        if (strncmp(data, questions[i].name, length) == 0) {
            questions[i].take(server, data + length, out);
            return;
        }
    }
}

static void take(es_gdb_server *server, const char *data, reply *out)
{
    switch (data[0]) {
    case '?': es_gdb_moves_last(server, out); break;
    case 'g': take_registers(server, out); break;
    case 'p': take_register(server, data + 1, out); break;
    case 'm': take_memory(server, data + 1, out); break;
    case 'G':
    case 'P':
    case 'M':
    case 'X': es_text_format(out, PAST_STAYS); break;
    case 'c':
    case 'C':
    case 's':
    case 'S': es_gdb_moves_take(server, data, out); break;
    case 'b': es_gdb_moves_take_back(server, data, out); break;
    case 'v': es_gdb_moves_take_v(server, data, out); break;
    case 'z':
    case 'Z': take_point(server, data, out); break;
    case 'H': choose_thread(server, data + 1, out); break;
    case 'T': is_alive(server, data + 1, out); break;
    case 'q':
    case 'Q': take_question(server, data, out); break;
    case 'D':
        server->over = true;
        es_text_format(out, "OK");
        break;
    default: break; /* an empty answer: not known here */
    }
}

void es_gdb_server_take(es_gdb_server *server, const char *data, size_t length, es_text_buffer *out)
{
    reply answer = {0};
    (void)length;         /* of what has a NUL in it nothing after that is meant */
    if (data[0] == 'k') { /* is not answered */
        server->over = true;
        return;
    }
    take(server, data, &answer);
    if (server->told.length)
        es_text_add(out, server->told.text, server->told.length);
    es_text_clear(&server->told);
    es_gdb_frame(out, answer.text, answer.length);
    es_text_free(&answer);
}
