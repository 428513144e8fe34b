/* write-runs DIR KIND [HITS]: writes a trace of a run that was made up, and prints its records as JSON Lines.
 *
 * KIND: thermostat (a controller with tasks, gaps and an expectation that failed), hostile (every name and text wants to
 * be markup), empty (statements but no hit), killed (no summary), many (as thermostat, without the JSON Lines). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "record/json.h"
#include "store/trace.h"

#define HZ 10000000u
#define HOSTILE "</script><img src=x onerror=\"document.title='gone'\">'`${1}&amp;<!--\x01\xFF"

static const es_label modes[] = {{"OFF", 0}, {"IDLE", 1}, {"ARMED", 2}, {"ALARM", 3}};
static const es_label hostile_modes[] = {{"<b>" HOSTILE, 0}, {"]]>", 1}, {"A\"B", 2}, {"\\", 3}};
static const es_field overheat[] = {
    {.name = "temp", .kind = ES_FIELD_INT, .bits = 32, .is_signed = true},
    {.name = "mode", .kind = ES_FIELD_ENUM, .bits = 32, .labels = modes, .label_count = 4},
    {.name = "load", .kind = ES_FIELD_FLOAT, .bits = 32, .is_signed = true},
};
static const es_field isr[] = {
    {.name = "elapsed", .kind = ES_FIELD_LENGTH, .bits = 64},
    {.name = "pending", .kind = ES_FIELD_INT, .bits = 8},
};
static const es_field queue[] = {
    {.name = "queue.head", .kind = ES_FIELD_INT, .bits = 16},
    {.name = "full", .kind = ES_FIELD_BOOL, .bits = 8},
    {.name = "from", .kind = ES_FIELD_POINTER, .bits = 32},
};
static const es_field speed[] = {{.name = "speed", .kind = ES_FIELD_INT, .bits = 16, .is_signed = true}};
static const es_schema_statement statements[] = {
    {.name = "overheat",
     .text = "when temp > 80 && mode == ARMED { print temp, mode, load }",
     .file = "thermostat.watch",
     .line = 3,
     .fields = overheat,
     .value_count = 3,
     .field_count = 3},
    {.name = "isr",
     .text = "when enter(uart_isr) then leave(uart_isr) { print elapsed, pending }",
     .file = "thermostat.watch",
     .line = 4,
     .fields = isr,
     .value_count = 2,
     .field_count = 2},
    {.name = "queue",
     .text = "when write(queue.head) { print queue.head, full, from }",
     .file = "thermostat.watch",
     .line = 6,
     .fields = queue,
     .value_count = 3,
     .field_count = 3},
    {.name = "safe",
     .text = "expect never speed > 120 && brake { print speed }",
     .file = "thermostat.watch",
     .line = 9,
     .expects = ES_EXPECTS_NEVER,
     .fields = speed,
     .value_count = 1,
     .field_count = 1},
};
#define STATEMENTS (sizeof statements / sizeof *statements)

static es_schema *new_schema(bool hostile)
{
    static const char *const counters[] = {"hot", "dropped"}, *const bad_counters[] = {HOSTILE, "constructor"};
    es_schema *schema = es_schema_new();
    es_schema_statement *own = es_arena_alloc(schema->arena, sizeof statements);
    memcpy(own, statements, sizeof statements);
    for (size_t i = 0; hostile && i < STATEMENTS; i++) {
        es_field *fields = es_arena_alloc(schema->arena, own[i].field_count * sizeof *fields);
        memcpy(fields, own[i].fields, own[i].field_count * sizeof *fields);
        for (size_t k = 0; k < own[i].field_count; k++) {
            fields[k].name = es_arena_format(schema->arena, "%s %s", HOSTILE, fields[k].name);
            if (fields[k].labels)
                fields[k].labels = hostile_modes;
        }
        own[i].fields = fields;
        own[i].name = i ? es_arena_format(schema->arena, "%s %zu", HOSTILE, i) : "__proto__";
        own[i].text = own[i].file = HOSTILE;
    }
    schema->program = hostile ? "/" HOSTILE "/" HOSTILE : "build/thermostat.elf";
    schema->clock_hz = HZ;
    schema->statements = own;
    schema->statement_count = STATEMENTS;
    schema->counters = hostile ? bad_counters : counters;
    schema->counter_count = 2;
    schema->tasks_by = hostile ? HOSTILE : "pxCurrentTCB";
    schema->kernel = hostile ? HOSTILE : "FreeRTOS";
    schema->times = true;
    schema->origin = ES_ORIGIN_SIMULATED;
    return schema;
}

static uint32_t name(const es_schema *schema, const char *text)
{
    return es_names_add(schema->names, text, strlen(text));
}

/* --- hits --------------------------------------------------------------------------------------------------------- */

typedef struct run {
    es_schema *schema;
    es_sink trace, lines;
    bool hostile, silent;
    uint64_t now, totals[STATEMENTS], lost;
} run;

static void give(run *r, const es_record *record)
{
    es_sink_give(&r->trace, record);
    if (!r->silent)
        es_sink_give(&r->lines, record);
}

static void place(run *r, es_hit *hit)
{
    static const char *const tasks[] = {"idle", "producer", "consumer", "logger"};
    static const char *const paths[STATEMENTS][3] = {
        {"main:control:regulate", "main:control:regulate:clamp", "main:selftest"},
        {"main:control:!uart_isr", "main:!uart_isr", "idle_loop:!uart_isr"},
        {"main:produce:push", "main:consume:pop", "main:consume:drain:pop"},
        {"main:drive", "main:drive:shift", "main:drive"}};
    static const char *const files[] = {"src/control.c", "src/uart.c", "src/queue.c", "src/drive.c"};
    uint32_t which = draw(10) < 6 ? 0 : draw(3), line = (uint32_t)(30 + hit->statement * 40 + which * 7);
    hit->path = name(r->schema, r->hostile ? HOSTILE ":<i>x</i>" : paths[hit->statement][which]);
    hit->task =
        name(r->schema, r->hostile ? HOSTILE : tasks[hit->statement == 1 ? draw(4) : (hit->statement + which) % 4]);
    hit->file = name(r->schema, r->hostile ? HOSTILE : files[hit->statement]);
    hit->line = line;
    hit->pc = 0x1000 + line * 4;
    hit->flags = ES_HIT_TIMES | (draw(400) == 0 ? ES_HIT_UNCERTAIN : 0);
    hit->times[0] = hit->time + 12 + draw(30);
    hit->times[1] = hit->times[0] + 4;
    hit->times[2] = hit->times[1] + 9 + draw(50);
}

static uint64_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void give_hit(run *r, unsigned long number)
{
    static uint16_t head;
    es_value values[3] = {{.known = true}, {.known = true}, {.known = true}};
    es_hit hit = {.time = r->now, .values = values};
    uint32_t kind = draw(1000);
    hit.statement = kind < 300 ? 0 : kind < 550 ? 1 : kind < 999 ? 2 : 3;
    double turn = (double)r->now / HZ * 40, temp = 84 + 6 * sin(turn) + draw(3);
    if (hit.statement == 0) {
        values[0].bits = (uint64_t)(int64_t)temp;
        values[1].bits = temp > 90 ? 3 : temp > 82 ? 2 : 1;
        values[2].bits = float_bits((float)(0.4 + 0.3 * cos(turn) + draw(100) / 1000.0));
        values[2].known = draw(50) != 0;
    } else if (hit.statement == 1) {
        values[0].bits = 300 + draw(200) + (draw(40) == 0 ? 2000 + draw(8000) : 0);
        values[1].bits = draw(6);
    } else if (hit.statement == 2) {
        values[0].bits = head = (uint16_t)((head + 1) % 64);
        values[1].bits = head > 58;
        values[2].bits = draw(3) ? 0x20000040 : 0;
        values[2].about = values[2].bits ? name(r->schema, r->hostile ? HOSTILE : "<plant>") : 0;
    } else {
        values[0].bits = 121 + draw(20);
    }
    hit.value_count = r->schema->statements[hit.statement].field_count;
    place(r, &hit);
    r->totals[hit.statement]++;
    give(r, &(es_record){.kind = ES_RECORD_HIT, .schema = r->schema, .hit = &hit});
    r->now += 1 + draw(number % 5000 < 3500 ? 60 : 400);
}

static void give_loss(run *r, uint64_t length, uint64_t count, enum es_lost_what what)
{
    es_lost lost = {r->now + 5, r->now + length, count, what};
    give(r, &(es_record){.kind = ES_RECORD_LOST, .schema = r->schema, .lost = &lost});
    r->now += length + 10;
    r->lost += count;
}

static void give_text(run *r, enum es_record_kind kind, const char *text)
{
    es_record record = {.kind = kind, .schema = r->schema};
    record.text.bytes = text;
    record.text.size = strlen(text);
    give(r, &record);
}

static void give_hits(run *r, unsigned long count)
{
    give_text(r, ES_RECORD_CONSOLE, r->hostile ? HOSTILE : "thermostat: ready");
    give_text(r, ES_RECORD_NOTE, r->hostile ? HOSTILE : "tasks are told by pxCurrentTCB (FreeRTOS)");
    for (unsigned long i = 0; i < count; i++) {
        give_hit(r, i);
        if (i == count / 3)
            give_loss(r, r->now / 12, 412, ES_LOST_EVENTS);
        if (i == count * 3 / 4)
            give_loss(r, r->now / 60, 3, ES_LOST_LINK);
    }
}

static void give_summary(run *r)
{
    es_judged judged[STATEMENTS] = {
        {ES_VERDICT_MET, NULL}, {ES_VERDICT_MET, NULL}, {ES_VERDICT_MET, NULL}, {ES_VERDICT_MET, NULL}};
    uint32_t counters[2] = {(uint32_t)r->totals[0], 7};
    es_summary summary = {.statement_hits = r->totals,
                          .judged = judged,
                          .counters = counters,
                          .complete = true,
                          .exited = true,
                          .cycles = r->now,
                          .wall_seconds = 1.5,
                          .unknown = 2};
    for (size_t i = 0; i < STATEMENTS; i++)
        summary.hits += r->totals[i];
    if (r->totals[3])
        judged[3] = (es_judged){ES_VERDICT_FAILED, r->hostile ? HOSTILE : "it occurred while it never should"};
    summary.lost_events = r->lost ? 412 : 0;
    summary.lost_link = r->lost ? 3 : 0;
    give(r, &(es_record){.kind = ES_RECORD_SUMMARY, .schema = r->schema, .summary = &summary});
}

static void print_line(void *context, const es_record *record)
{
    es_text_buffer *line = context;
    es_record_json(line, record, NULL);
    fputs(line->text, stdout);
    es_text_clear(line);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    es_error err = {.code = ES_OK};
    bool hostile = strcmp(argv[2], "hostile") == 0, empty = strcmp(argv[2], "empty") == 0;
    es_trace_options options = {
        .directory = argv[1], .probe = hostile ? HOSTILE : "sim", .waits = true, .origin_ns = 1700000000000000000};
    es_trace *trace = es_trace_create(&options, &err);
    if (!trace) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    es_text_buffer line = {0};
    run r = {
        .schema = new_schema(hostile), .trace = es_trace_sink(trace), .lines = {print_line, &line}, .hostile = hostile};
    r.silent = strcmp(argv[2], "many") == 0;
    r.now = 1000;
    give(&r, &(es_record){.kind = ES_RECORD_BEGIN, .schema = r.schema});
    if (!empty)
        give_hits(&r, argc > 3 ? strtoul(argv[3], NULL, 10) : 4000);
    if (strcmp(argv[2], "killed") != 0)
        give_summary(&r);
    if (!es_trace_close(trace, &err))
        fprintf(stderr, "%s\n", err.text);
    es_schema_free(r.schema);
    es_text_free(&line);
    return err.code != ES_OK;
}
