#include "gdb/server.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "gdb/monitor.h"
#include "gdb/packet.h"
#include "gdb/registers.h"

#define SIGNAL_INTERRUPT 2 /* gdb's numbers of signals */
#define SIGNAL_TRAP 5
#define PAST_STAYS "E.this is a recording: what was cannot be changed"
#define TEXT_PART 512 /* bytes of a text in one packet */

typedef es_text_buffer reply;

void es_gdb_server_init(es_gdb_server *server, es_timeline *timeline, const es_isa *isa, const char *arch)
{
    memset(server, 0, sizeof *server);
    server->timeline = timeline;
    server->isa = isa;
    server->arch = arch;
    server->hz = es_timeline_hz(timeline);
    es_past_init(&server->past, timeline, isa);
}

bool es_gdb_server_tasks(es_gdb_server *server, const es_symbols *symbols, const char *variable, es_error *err)
{
    return es_gdb_tasks_init(&server->tasks, symbols, variable, err);
}

void es_gdb_server_free(es_gdb_server *server)
{
    es_past_free(&server->past);
    es_gdb_tasks_free(&server->tasks);
    es_text_free(&server->stopped);
    es_text_free(&server->target);
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

/* Packets that gdb prints while it waits for an answer. */
static void tell(es_gdb_server *server, const char *text, size_t length)
{
    for (size_t part; length; text += part, length -= part) {
        part = length < TEXT_PART ? length : TEXT_PART;
        es_text_buffer packet = {0};
        es_text_add(&packet, "O", 1);
        es_gdb_hex(&packet, (const uint8_t *)text, part);
        es_gdb_frame(&server->told, packet.text, packet.length);
        es_text_free(&packet);
    }
}

static void take_command(es_gdb_server *server, const char *hex, reply *out)
{
    es_text_buffer command = {0}, text = {0};
    for (; es_gdb_digit(hex[0]) >= 0 && es_gdb_digit(hex[1]) >= 0; hex += 2)
        es_text_add(&command, &(char){(char)(es_gdb_digit(hex[0]) << 4 | es_gdb_digit(hex[1]))}, 1);
    es_gdb_monitor(server, command.text ? command.text : "", &text);
    tell(server, text.text, text.length);
    es_text_format(out, "OK");
    es_text_free(&command);
    es_text_free(&text);
}

/* --- stops -------------------------------------------------------------------------------------------------------- */

static void note_stop(es_gdb_server *server, enum es_past_stop stop)
{
    static const char *const watches[] = {
        [ES_PAST_WRITES] = "watch", [ES_PAST_READS] = "rwatch", [ES_PAST_ACCESSES] = "awatch"};
    es_text_buffer *text = &server->stopped;
    es_text_clear(text);
    es_text_format(text, "T%02xthread:%x;", stop == ES_PAST_ASKED ? SIGNAL_INTERRUPT : SIGNAL_TRAP, ES_GDB_THREAD);
    if (stop == ES_PAST_WATCH)
        es_text_format(text, "%s:%" PRIx32 ";", watches[server->past.hit.kind], server->past.hit.address);
    else if (stop == ES_PAST_BEGIN)
        es_text_format(text, "replaylog:begin;");
    else if (stop == ES_PAST_END || stop == ES_PAST_WRONG)
        es_text_format(text, "replaylog:end;");
    const char *why = stop == ES_PAST_END     ? es_timeline_ended(server->timeline)
                      : stop == ES_PAST_WRONG ? server->past.error.text
                                              : NULL;
    if (why) {
        tell(server, "earshot: ", 9);
        tell(server, why, strlen(why));
        tell(server, "\n", 1);
    }
}

static void move(es_gdb_server *server, enum es_past_stop (*how)(es_past *past), reply *out)
{
    note_stop(server, how(&server->past));
    es_text_add(out, server->stopped.text, server->stopped.length);
}

static void take_last_stop(es_gdb_server *server, reply *out)
{
    if (!server->stopped.length)
        note_stop(server, ES_PAST_STEPPED);
    es_text_add(out, server->stopped.text, server->stopped.length);
}

/* c, s, C05, vCont;s:1;c: whichever thread is meant, there is one processor. */
static void take_move(es_gdb_server *server, char how, reply *out)
{
    if (how == 's' || how == 'S')
        move(server, es_past_step, out);
    else if (how == 'c' || how == 'C')
        move(server, es_past_forward, out);
    else
        es_text_format(out, "E01");
}

static void take_v(es_gdb_server *server, const char *data, reply *out)
{
    if (strcmp(data, "vCont?") == 0)
        es_text_format(out, "vCont;c;C;s;S");
    else if (strncmp(data, "vCont;", 6) == 0)
        take_move(server, data[6], out);
    else if (strncmp(data, "vKill", 5) == 0) {
        server->over = true;
        es_text_format(out, "OK");
    }
}

static void take_b(es_gdb_server *server, const char *data, reply *out)
{
    if (strcmp(data, "bs") == 0)
        move(server, es_past_step_back, out);
    else if (strcmp(data, "bc") == 0)
        move(server, es_past_backward, out);
}

/* --- registers and memory ----------------------------------------------------------------------------------------- */

static void take_register(es_gdb_server *server, const char *data, reply *out)
{
    uint64_t number;
    if (!es_gdb_number(&data, &number) || !es_gdb_register(out, machine(server), server->isa, server->arch, number))
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
    (void)server, (void)data;
    es_text_format(out, "m%x", ES_GDB_THREAD);
}

static void name_thread(es_gdb_server *server, const char *data, reply *out)
{
    (void)data;
    es_text_buffer name = {0};
    es_gdb_task_name(&name, &server->tasks, machine(server));
    es_gdb_hex(out, (const uint8_t *)name.text, name.length);
    es_text_free(&name);
}

static void is_alive(const char *data, reply *out)
{
    uint64_t thread;
    es_text_format(out, es_gdb_number(&data, &thread) && thread == ES_GDB_THREAD ? "OK" : "E01");
}

/* --- questions ---------------------------------------------------------------------------------------------------- */

static void say_supported(es_gdb_server *server, const char *data, reply *out)
{
    (void)server, (void)data;
    es_text_format(out,
                   "PacketSize=%x;QStartNoAckMode+;qXfer:features:read+;ReverseStep+;ReverseContinue+;vContSupported+",
                   ES_GDB_PACKET_MAX);
}

static void say_target(es_gdb_server *server, const char *data, reply *out)
{
    uint64_t offset, length;
    if (!server->target.length)
        es_gdb_describe(&server->target, machine(server), server->isa, server->arch);
    if (!es_gdb_number(&data, &offset) || *data++ != ',' || !es_gdb_number(&data, &length)) {
        es_text_format(out, "E01");
        return;
    }
    size_t all = server->target.length, from = offset < all ? (size_t)offset : all;
    size_t part = all - from < length ? all - from : (size_t)length;
    part = part < ES_GDB_PACKET_MAX / 2 ? part : ES_GDB_PACKET_MAX / 2; /* some are written as two bytes */
    es_text_add(out, from + part < all ? "m" : "l", 1);
    es_text_add(out, server->target.text + from, part);
}

static void end_acks(es_gdb_server *server, const char *data, reply *out)
{
    (void)data;
    server->no_acks = true;
    es_text_format(out, "OK");
}

static void say_current(es_gdb_server *server, const char *data, reply *out)
{
    (void)server, (void)data;
    es_text_format(out, "QC%x", ES_GDB_THREAD);
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
    case '?': take_last_stop(server, out); break;
    case 'g': es_gdb_registers(out, machine(server), server->isa, server->arch); break;
    case 'p': take_register(server, data + 1, out); break;
    case 'm': take_memory(server, data + 1, out); break;
    case 'G':
    case 'P':
    case 'M':
    case 'X': es_text_format(out, PAST_STAYS); break;
    case 'c':
    case 'C':
    case 's':
    case 'S': take_move(server, data[0], out); break;
    case 'b': take_b(server, data, out); break;
    case 'v': take_v(server, data, out); break;
    case 'z':
    case 'Z': take_point(server, data, out); break;
    case 'H': say_ok(server, data, out); break; /* there is one thread */
    case 'T': is_alive(data + 1, out); break;
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
