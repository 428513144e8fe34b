#include "made.h"

#include <stdio.h>
#include <string.h>

#include "draw.h"
#include "record/json.h"

static const es_label modes[] = {{"OFF", 0}, {"ARMED", 1}, {"say \"hi\\\"", 7}, {"BELOW", -3}};
static const es_label bits[] = {{"RED", 1}, {"BLUE", 2}, {"TOP", -2147483648}};

static const es_field all_kinds[] = {
    {.name = "temp", .kind = ES_FIELD_INT, .bits = 32, .is_signed = true},
    {.name = "small", .kind = ES_FIELD_INT, .bits = 8, .is_signed = true},
    {.name = "three", .kind = ES_FIELD_INT, .bits = 3, .is_signed = true},
    {.name = "wide", .kind = ES_FIELD_INT, .bits = 64, .is_signed = false},
    {.name = "half", .kind = ES_FIELD_INT, .bits = 24, .is_signed = false},
    {.name = "letter", .kind = ES_FIELD_CHAR, .bits = 8, .is_signed = false},
    {.name = "is_on", .kind = ES_FIELD_BOOL, .bits = 8, .is_signed = false},
    {.name = "ratio", .kind = ES_FIELD_FLOAT, .bits = 32, .is_signed = true},
    {.name = "exact ratio", .kind = ES_FIELD_FLOAT, .bits = 64, .is_signed = true},
    {.name = "mode", .kind = ES_FIELD_ENUM, .bits = 32, .is_signed = true, .labels = modes, .label_count = 4},
    {.name = "colours", .kind = ES_FIELD_ENUM, .bits = 32, .is_signed = false, .labels = bits, .label_count = 3},
    {.name = "p->next", .kind = ES_FIELD_POINTER, .bits = 32, .is_signed = false},
    {.name = "elapsed", .kind = ES_FIELD_LENGTH, .bits = 64, .is_signed = false},
    {.name = "name", .kind = ES_FIELD_TEXT, .bits = 8, .is_parts = true},
    {.name = "old(temp)", .kind = ES_FIELD_INT, .bits = 32, .is_signed = true, .is_aggregated = true},
    {.name = "temp",
     .kind = ES_FIELD_INT,
     .bits = 32,
     .is_signed = true}, /* the same name again, as two prints of one variable */
};
#define KINDS (sizeof all_kinds / sizeof *all_kinds)

/* plant: { zone[2]: { temp, label[3] of bytes }, flow, { anonymous: a, *b }, odd: [ { x }, { y, z } ], raw: bytes } */
static const es_shape plant_shape[] = {
    {ES_SHAPE_STRUCT, NULL, 5},   {ES_SHAPE_ARRAY, "zone", 2}, {ES_SHAPE_STRUCT, NULL, 2}, {ES_SHAPE_LEAF, "temp", 0},
    {ES_SHAPE_BYTES, "label", 3}, {ES_SHAPE_STRUCT, NULL, 2},  {ES_SHAPE_LEAF, "temp", 0}, {ES_SHAPE_BYTES, "label", 3},
    {ES_SHAPE_LEAF, "flow", 0},   {ES_SHAPE_STRUCT, NULL, 2},  {ES_SHAPE_LEAF, "a", 0},    {ES_SHAPE_LEAF, "b", 0},
    {ES_SHAPE_ARRAY, "odd", 2},   {ES_SHAPE_STRUCT, NULL, 1},  {ES_SHAPE_LEAF, "x", 0},    {ES_SHAPE_STRUCT, NULL, 2},
    {ES_SHAPE_LEAF, "y", 0},      {ES_SHAPE_LEAF, "z", 0},     {ES_SHAPE_BYTES, "raw", 2},
};
static const es_shape grid_shape[] = {
    {ES_SHAPE_ARRAY, NULL, 2}, {ES_SHAPE_ARRAY, NULL, 3}, {ES_SHAPE_LEAF, NULL, 0},
    {ES_SHAPE_LEAF, NULL, 0},  {ES_SHAPE_LEAF, NULL, 0},  {ES_SHAPE_ARRAY, NULL, 3},
    {ES_SHAPE_LEAF, NULL, 0},  {ES_SHAPE_LEAF, NULL, 0},  {ES_SHAPE_LEAF, NULL, 0},
};
static const es_shape memory_shape[] = {{ES_SHAPE_BYTES, NULL, 70}};

static size_t leaves_of(const es_shape *shape, size_t count)
{
    size_t leaves = 0;
    for (size_t i = 0; i < count; i++)
        leaves += shape[i].kind == ES_SHAPE_LEAF ? 1 : shape[i].kind == ES_SHAPE_BYTES ? shape[i].count : 0;
    return leaves;
}

static es_composite object_at(const char *name, size_t first, const es_shape *shape, size_t nodes, bool range)
{
    return (es_composite){name, range, first, leaves_of(shape, nodes), shape, nodes};
}

static void add_leaves(es_schema *schema, es_field *fields, size_t *count, const es_shape *shape, size_t nodes)
{
    for (size_t i = 0; i < nodes; i++) {
        bool bytes = shape[i].kind == ES_SHAPE_BYTES, pointer = shape[i].name && strcmp(shape[i].name, "b") == 0;
        es_field field = {.kind = bytes     ? ES_FIELD_BYTE
                                  : pointer ? ES_FIELD_POINTER
                                            : ES_FIELD_INT,
                          .bits = bytes     ? 8
                                  : pointer ? 32
                                            : 16,
                          .is_signed = !bytes && !pointer};
        for (uint32_t k = 0; k < (bytes ? shape[i].count : shape[i].kind == ES_SHAPE_LEAF); k++) {
            field.name = es_arena_format(schema->arena, "leaf[%zu]", *count);
            fields[(*count)++] = field;
        }
    }
}

static void add_objects(es_schema *schema, es_schema_statement *statement)
{
    const size_t plant = sizeof plant_shape / sizeof *plant_shape, grid = sizeof grid_shape / sizeof *grid_shape;
    es_field *fields = es_arena_alloc(schema->arena, 256 * sizeof *fields);
    es_composite *objects = es_arena_alloc(schema->arena, 3 * sizeof *objects);
    size_t count = statement->value_count;
    memcpy(fields, statement->fields, count * sizeof *fields);
    objects[0] = object_at("plant", count, plant_shape, plant, false);
    add_leaves(schema, fields, &count, plant_shape, plant);
    objects[1] = object_at("grid", count, grid_shape, grid, false);
    add_leaves(schema, fields, &count, grid_shape, grid);
    objects[2] = object_at("memory(0x20000000, 70)", count, memory_shape, 1, true);
    add_leaves(schema, fields, &count, memory_shape, 1);
    statement->fields = fields;
    statement->field_count = count;
    statement->objects = objects;
    statement->object_count = 3;
}

es_schema *made_schema(void)
{
    static const char *const counters[] = {"hot", "with space"};
    static const es_schema_life lives[] = {{"f", "x", "f.c:1-3", "in a register"}};
    static const es_cover_function functions[] = {{"first", "a b.c", 3}, {"second(int, char)", NULL, 0}};
    static const es_cover_place places[] = {
        {0, 4, "a b.c", 0}, {8, 5, "a b.c", 0}, {8, 6, "a b.c", 0}, {UINT32_MAX, 70000, "b.h", 1}};
    static const es_cover cover = {places, 4, functions, 2};
    static const es_aggregate aggregates[] = {
        {.name = "hist(half) by path", .kind = ES_AGGREGATE_HIST, .by = ES_AGGREGATE_BY_PATH, .value = 4, .top = 10},
        {.name = "stats(wide) by small", .kind = ES_AGGREGATE_STATS, .by = ES_AGGREGATE_BY_VALUE, .value = 3, .key = 1},
        {.name = "count", .kind = ES_AGGREGATE_COUNT},
        {.name = "cover a*", .kind = ES_AGGREGATE_COVER, .cover = &cover},
        {.name = "stack", .kind = ES_AGGREGATE_STACK, .value = 2, .bytes = 1024},
    };
    es_schema *schema = es_schema_new();
    es_schema_statement *statements = es_arena_alloc(schema->arena, 4 * sizeof *statements);
    statements[0] = (es_schema_statement){.name = "kinds",
                                          .text = "when temp > 80 { print }",
                                          .file = "-e",
                                          .line = 1,
                                          .expects = ES_EXPECTS_NOTHING,
                                          .fields = all_kinds,
                                          .value_count = KINDS,
                                          .field_count = KINDS};
    statements[1] = (es_schema_statement){.name = "objects",
                                          .text = "when \"quoted\\\" {\n}",
                                          .file = "a b.watch",
                                          .line = 2,
                                          .expects = ES_EXPECTS_NEVER,
                                          .fields = all_kinds,
                                          .value_count = 3,
                                          .field_count = 3};
    statements[2] = (es_schema_statement){
        .name = "empty", .text = "when x", .file = "c.watch", .line = 3, .expects = ES_EXPECTS_WITHIN};
    statements[3] = (es_schema_statement){.name = "numbers",
                                          .text = "when y",
                                          .file = "c.watch",
                                          .line = 4,
                                          .expects = ES_EXPECTS_EVENTUALLY,
                                          .fields = all_kinds,
                                          .value_count = 5,
                                          .field_count = 5};
    add_objects(schema, &statements[1]);
    statements[3].aggregates = aggregates;
    statements[3].aggregate_count = 5;
    statements[3].is_aggregated = true;
    schema->program = "build/a \"program\".elf";
    schema->clock_hz = 10000000;
    schema->statements = statements;
    schema->statement_count = 4;
    schema->counters = counters;
    schema->counter_count = 2;
    schema->tasks_by = "pxCurrentTCB";
    schema->kernel = "FreeRTOS";
    schema->task_pointers = schema->times = true;
    schema->origin = ES_ORIGIN_RECORDING;
    schema->lives = lives;
    schema->life_count = 1;
    return schema;
}

es_schema *made_plain_schema(void)
{
    es_schema *schema = es_schema_new();
    es_schema_statement *statement = es_arena_alloc(schema->arena, sizeof *statement);
    *statement = (es_schema_statement){.name = "plain",
                                       .text = "when temp > 80 { print temp }",
                                       .file = "-e",
                                       .line = 1,
                                       .expects = ES_EXPECTS_NOTHING,
                                       .fields = all_kinds,
                                       .value_count = 1,
                                       .field_count = 1};
    schema->program = "plain.elf";
    schema->clock_hz = 10000000;
    schema->statements = statement;
    schema->statement_count = 1;
    schema->origin = ES_ORIGIN_SIMULATED;
    return schema;
}

/* --- records ------------------------------------------------------------------------------------------------------ */

static uint64_t now;
static es_value values[256];
static es_composite_state states[3];

static uint64_t draw64(void)
{
    return (uint64_t)draw(UINT32_MAX) << 32 | draw(UINT32_MAX);
}

static uint32_t any_name(const es_schema *schema, const char *kind, uint32_t range)
{
    char text[64];
    if (draw(8) == 0)
        return 0;
    int length = snprintf(text, sizeof text, "%s:\"%u\\", kind, (unsigned)draw(range));
    return es_names_add(schema->names, text, (size_t)length);
}

static es_value any_value(const es_schema *schema, const es_field *field)
{
    static const char *const texts[] = {"", "idle", "a long \"name\" with \xC3\xA4 and \\"};
    es_value value = {.known = draw(6) != 0};
    if (field->kind == ES_FIELD_TEXT)
        value.text = value.known ? texts[draw(3)] : NULL;
    else if (field->kind == ES_FIELD_BOOL)
        value.bits = draw(2);
    else if (field->kind == ES_FIELD_ENUM && field->label_count && draw(3))
        value.bits = (uint64_t)field->labels[draw((uint32_t)field->label_count)].value;
    else
        value.bits = draw64() >> (draw(2) ? 0 : draw(63));
    if (field->kind == ES_FIELD_POINTER && value.known)
        value.about = any_name(schema, "<at", 40);
    if (!value.known && draw(4)) /* the others: nobody knows why */
        value.about = any_name(schema, "since", 40);
    return value;
}

static void put_where(es_hit *hit, const es_hit *other)
{
    hit->flags = other->flags;
    hit->path = other->path;
    hit->task = other->task;
    hit->task_pointer = other->task_pointer;
    hit->pc = other->pc;
    hit->inlined = other->inlined;
    hit->file = other->file;
    hit->line = other->line;
}

static const es_hit *any_hit(const es_schema *schema)
{
    static es_hit hit, before[2];
    hit = (es_hit){
        .time = now, .statement = draw((uint32_t)schema->statement_count), .values = values, .objects = states};
    const es_schema_statement *statement = &schema->statements[hit.statement];
    if (draw(50) == 0 && now > 1000)
        hit.time -= draw(1000);
    hit.flags = draw(4) ? 0 : draw(128) & ~(ES_HIT_NO_PATH | ES_HIT_NO_TASK);
    if (draw(10) == 0)
        hit.flags |= ES_HIT_NO_PATH;
    else if (!(hit.flags & ES_HIT_TIMED))
        hit.path = any_name(schema, "main:control", 300);
    if (draw(10) == 0)
        hit.flags |= ES_HIT_NO_TASK;
    else
        hit.task = any_name(schema, "task", 4);
    if (hit.task)
        hit.task_pointer = draw(UINT32_MAX);
    hit.pc = draw(UINT32_MAX);
    hit.inlined = draw(5) ? 0 : any_name(schema, "inlined", 4);
    hit.file = any_name(schema, "control.c", 3);
    hit.line = hit.file ? draw(1000) : 0;
    if (draw(3)) /* of the same place as one before, mostly */
        put_where(&hit, &before[draw(2)]);
    else
        before[draw(2)] = hit;
    if (draw(20) == 0) /* or but for one of its parts */
        hit.line++;
    for (unsigned i = 0; i < 3 && hit.flags & ES_HIT_TIMES; i++)
        hit.times[i] = hit.time + i * 7;
    hit.value_count = statement->field_count;
    hit.object_count = statement->object_count;
    for (size_t i = 0; i < statement->field_count; i++)
        values[i] = any_value(schema, &statement->fields[i]);
    for (size_t k = 0; k < statement->object_count; k++) {
        const es_composite *object = &statement->objects[k];
        states[k] = (es_composite_state){.found = draw(4) != 0, .address = draw(UINT32_MAX)};
        if (!states[k].found)
            states[k].why = any_name(schema, "the pointer", 2);
        for (size_t i = 0; i < object->count && !states[k].found; i++)
            values[object->first + i] = (es_value){.known = false};
    }
    if (statement->object_count && draw(20) == 0) { /* cut short on the way */
        hit.object_count = draw(3);
        hit.value_count = statement->objects[hit.object_count].first;
    }
    return &hit;
}

const es_record *made_record(const es_schema *schema)
{
    static es_record record;
    static es_lost lost;
    static es_progress progress;
    static es_clock_told clock_told;
    static uint64_t hits[4];
    uint32_t kind = draw(100);
    now += draw(200);
    record = (es_record){.kind = ES_RECORD_HIT, .schema = schema};
    if (kind < 90) {
        record.hit = any_hit(schema);
    } else if (kind < 92) {
        record.kind = ES_RECORD_LOST;
        lost = (es_lost){now, draw(3) ? now + draw(500) : ES_NO_TIME, 1 + draw(100), (enum es_lost_what)draw(4)};
        record.lost = &lost;
    } else if (kind < 95) {
        record.kind = (enum es_record_kind)(ES_RECORD_CONSOLE + draw(3));
        record.text.bytes = draw(3) ? "a line \xFF of \"text\"" : "";
        record.text.size = strlen(record.text.bytes);
    } else if (kind < 97) {
        record.kind = ES_RECORD_PROGRESS;
        for (size_t i = 0; i < 4; i++)
            hits[i] = draw64();
        progress = (es_progress){draw64(), draw(5), draw64(), 1.25, hits, 0};
        record.progress = &progress;
    } else if (kind < 98) {
        record.kind = ES_RECORD_CLOCK;
        clock_told = (es_clock_told){draw(2) == 0, draw64(), (int64_t)draw64(), (int64_t)draw64(), draw(9),
                                     -1.5,         0.25,     draw(9),           draw(3),           "c0ffee"};
        record.clock = &clock_told;
    } else if (kind < 99) {
        static es_inferred_path paths[3];
        static es_inferred inferred;
        for (size_t i = 0; i < 3; i++)
            paths[i] = (es_inferred_path){1 + draw(es_names_count(schema->names)), 1.0 / (1 + draw(9))};
        inferred = (es_inferred){now - draw((uint32_t)(now < 300 ? now + 1 : 300)),
                                 draw64(),
                                 draw((uint32_t)schema->statement_count),
                                 draw(1 << 20),
                                 draw(2) == 0,
                                 paths,
                                 draw(4),
                                 0.125};
        record.kind = ES_RECORD_INFERRED;
        record.inferred = &inferred;
    } else {
        record.hit = any_hit(schema);
    }
    return &record;
}

const es_record *made_summary(const es_schema *schema)
{
    static es_record record;
    static uint64_t hits[4] = {1, UINT64_MAX, 0, 4};
    static es_judged judged[4] = {{ES_VERDICT_MET, NULL},
                                  {ES_VERDICT_FAILED, "it \"occurred\" 3 times"},
                                  {ES_VERDICT_UNKNOWN, "a loss"},
                                  {ES_VERDICT_MET, NULL}};
    static uint32_t counters[2] = {7, UINT32_MAX};
    static const char *const in[] = {"a.c:1", "b.c:2", NULL};
    static const char *const by[] = {NULL};
    static es_summary summary = {.hits = 5,
                                 .statement_hits = hits,
                                 .statement_unknown = hits,
                                 .judged = judged,
                                 .counters = counters,
                                 .lost_bus = 1,
                                 .lost_events = 2,
                                 .lost_link = 3,
                                 .unknown = 4,
                                 .stack_switches = 5,
                                 .switched_in = in,
                                 .switched_by = by,
                                 .tasks_given_up = 6,
                                 .torn = 7,
                                 .complete = true,
                                 .unaccounted = -8,
                                 .exited = true,
                                 .exit_code = -9,
                                 .trapped = true,
                                 .halted = true,
                                 .pulses = {0, 1, 2, 3, 4, 5, 6, 7},
                                 .mismatch = true,
                                 .cycles = 10,
                                 .wall_seconds = 0.5};
    record = (es_record){.kind = ES_RECORD_SUMMARY, .schema = schema, .summary = &summary};
    return &record;
}

const es_record *made_plain_hit(const es_schema *schema, uint32_t number)
{
    static es_hit hit;
    static es_value value;
    static es_record record;
    static uint32_t path, file;
    static const es_schema *known;
    if (known != schema) {
        path = es_names_add(schema->names, "main:control:clamp", 18);
        file = es_names_add(schema->names, "control.c", 9);
        known = schema;
    }
    value = (es_value){.bits = number, .known = true};
    hit = (es_hit){
        .time = number, .pc = 0x1234, .path = path, .file = file, .line = 42, .values = &value, .value_count = 1};
    record = (es_record){.kind = ES_RECORD_HIT, .schema = schema, .hit = &hit};
    return &record;
}

static void add_line(void *context, const es_record *record)
{
    es_text_buffer *lines = context;
    es_record_json(lines, record, NULL);
}

es_sink made_lines(es_text_buffer *lines)
{
    return (es_sink){add_line, lines};
}
