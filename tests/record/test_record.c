/* Records: names, paths as texts, clocks of probes in the computer's, and that what is read from lines is what was
 * written to them. */
#include <math.h>
#include <string.h>

#include "base/base64.h"
#include "check_main.h"
#include "record/clock.h"
#include "record/path.h"
#include "record/record.h"
#include "record/wire.h"

/* SEED=... another one. */
static uint64_t chance;

static void seed(void)
{
    const char *text = getenv("SEED");
    chance = text ? strtoull(text, NULL, 0) : 1;
    printf("SEED=%llu\n", (unsigned long long)chance);
}

static uint64_t any(void)
{
    chance += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t x = chance;
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static double part(void) /* 0 to 1 */
{
    return (double)(any() >> 11) / 9007199254740992.0;
}

/* --- names and paths ----------------------------------------------------------------------------------------------- */

START_TEST(names_are_kept_once)
{
    es_names *names = es_names_new();
    char text[32];
    for (unsigned round = 0; round < 2; round++)
        for (uint32_t i = 1; i <= 5000; i++) {
            int length = snprintf(text, sizeof text, "name %u", i);
            ck_assert_uint_eq(es_names_add(names, text, (size_t)length), i);
        }
    ck_assert_str_eq(es_names_text(names, 4999), "name 4999");
    ck_assert_ptr_null(es_names_text(names, 0));
    ck_assert_ptr_null(es_names_text(names, 5001));
    ck_assert_uint_eq(es_names_add(names, "", 0), 0);
    ck_assert_uint_eq(es_names_add(names, "name 1x", 6), 1); /* of so many bytes */
    es_names_free(names);
}
END_TEST

START_TEST(paths_keep_names)
{
    static const es_path_part parts[] = {{"main", 0, false},
                                         {"app::Ring<int, 4>::push(int const&)", 0, false},
                                         {NULL, 0x1234, false},
                                         {"uart_isr", 0, true},
                                         {"f(auto:1)::{lambda(auto:2)#1}::operator()", 0, false},
                                         {NULL, 0xFFFFFFFC, true},
                                         {"a.c\\step", 0, false},
                                         {"operator!", 0, false}};
    const size_t count = sizeof parts / sizeof *parts;
    es_text_buffer path = {0}, name = {0};
    es_path_part part;
    for (size_t i = 0; i < count; i++)
        es_path_add(&path, &parts[i]);
    const char *at = path.text;
    for (size_t i = 0; i < count; i++) {
        ck_assert(es_path_next(&at, &name, &part));
        ck_assert_int_eq(part.interrupt, parts[i].interrupt);
        ck_assert(!part.name == !parts[i].name);
        if (part.name)
            ck_assert_str_eq(part.name, parts[i].name);
        else
            ck_assert_uint_eq(part.address, parts[i].address);
    }
    ck_assert(!es_path_next(&at, &name, &part));
    at = NULL;
    ck_assert(!es_path_next(&at, &name, &part));
    es_text_free(&path);
    es_text_free(&name);
}
END_TEST

START_TEST(base64)
{
    static const char *const good[][2] = {{"", ""},
                                          {"Zg==", "f"},
                                          {"Zm8=", "fo"},
                                          {"Zm9v", "foo"},
                                          {"Zm9vYg==", "foob"},
                                          {"Zm9v\r\nYmE=\n", "fooba"},
                                          {"Zm9vYmFy", "foobar"}}; /* RFC 4648, section 10 */
    static const char *const bad[] = {"Z", "Zg", "Zg=", "Zg===", "Z===", "Zm=v", "Zm9v=", "Zm9*", "Zg==Zg=="};
    size_t size;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        uint8_t *bytes = es_base64_decode(good[i][0], strlen(good[i][0]), &size);
        ck_assert_msg(bytes && size == strlen(good[i][1]) && memcmp(bytes, good[i][1], size) == 0, "%s", good[i][0]);
        free(bytes);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(!es_base64_decode(bad[i], strlen(bad[i]), &size), "%s", bad[i]);
}
END_TEST

/* --- clocks -------------------------------------------------------------------------------------------------------- */

/* The probe's clocks at `seconds`: off by `ppm`, which wanders within what is allowed for. */
static double clocks_at(double seconds, double hz, double ppm)
{
    double wander = 0.4e-6 * 50 * sin(seconds / 50); /* its rate moves by 0.8e-6 at most */
    return hz * (seconds + seconds * ppm * 1e-6 + wander) + 12345;
}

/* Against made clocks, whose truth is known: what is said to be certain is, and no more than a round trip wide. */
START_TEST(clocks_are_mapped)
{
    seed();
    for (unsigned run = 0; run < 100; run++) {
        double hz = 1e6 * (1 + 99 * part()), ppm = 400 * part() - 200, trip = 50e-6 + 500e-6 * part(),
               start = 1e6 * part();
        es_clock clock;
        int64_t ns, error;
        es_clock_init(&clock, (uint64_t)hz);
        hz = (double)(uint64_t)hz;
        ck_assert(!es_clock_map(&clock, 0, &ns, &error));
        for (double now = 0; now < 400; now += 0.5 + part()) {
            double length = trip * (1 + 5 * part() * part()), moment = now + length * part();
            es_clock_answer answer = {(uint64_t)clocks_at(moment, hz, ppm), (int64_t)((start + now) * 1e9),
                                      (int64_t)((start + now + length) * 1e9)};
            es_clock_add(&clock, &answer);
            for (unsigned look = 0; look < 3; look++) { /* what was, and what comes a little later */
                double when = now + part() * 20 - 19;
                if (when < 0)
                    continue;
                ck_assert(es_clock_map(&clock, (uint64_t)clocks_at(when, hz, ppm), &ns, &error));
                double off = fabs((double)(ns - (int64_t)((start + when) * 1e9)));
                ck_assert_msg(off <= (double)error + 1e9 / hz + 2, "run %u, at %g s: off by %g ns, told %lld", run,
                              when, off, (long long)error);
                if (now > 60)
                    ck_assert_msg((double)error < 3 * trip * 1e9 + 5e4, "run %u: told %lld ns", run, (long long)error);
            }
        }
        double drift, off;
        ck_assert(es_clock_drift(&clock, &drift, &off));
        ck_assert_msg(fabs(drift - ppm) <= off + 0.1 && off < 20, "run %u: %g, told %g by %g", run, ppm, drift, off);
        ck_assert_uint_eq(clock.restarts, 0);
    }
}
END_TEST

START_TEST(clocks_that_restart)
{
    es_clock clock;
    int64_t ns, error;
    es_clock_init(&clock, 1000000);
    for (unsigned i = 0; i < 100; i++)
        es_clock_add(&clock,
                     &(es_clock_answer){i * 1000000u, i * INT64_C(1000000000), i * INT64_C(1000000000) + 100000});
    es_clock_add(&clock, &(es_clock_answer){5, INT64_C(200000000000), INT64_C(200000100000)}); /* it was reset */
    ck_assert_uint_eq(clock.restarts, 1);
    ck_assert(es_clock_map(&clock, 1000005, &ns, &error));
    ck_assert(llabs(ns - INT64_C(201000050000)) <= error && error < 2000000);
    es_clock_add(&clock,
                 &(es_clock_answer){1000005, INT64_C(300000000000), INT64_C(300000100000)}); /* or stood still */
    ck_assert_uint_eq(clock.restarts, 2);
}
END_TEST

/* --- lines --------------------------------------------------------------------------------------------------------- */

/* What was read, written again. */
typedef struct again {
    es_text_buffer text;
    uint32_t told;
} again;

static void write_again(void *context, const es_record *record)
{
    again *a = context;
    if (record->kind == ES_RECORD_BEGIN)
        a->told = 0;
    if (record->schema)
        es_wire_names(&a->text, &a->told, record->schema, "p");
    es_wire_record(&a->text, record, "p");
}

static const es_label labels[] = {{"IDLE", 0}, {"ARMED", 1}, {"\"odd\"", -5}};
static const es_shape shape[] = {{ES_SHAPE_STRUCT, NULL, 3}, {ES_SHAPE_LEAF, "a", 0},  {ES_SHAPE_ARRAY, "b", 2},
                                 {ES_SHAPE_LEAF, NULL, 0},   {ES_SHAPE_LEAF, NULL, 0}, {ES_SHAPE_STRUCT, NULL, 1},
                                 {ES_SHAPE_BYTES, "rest", 4}};

static es_schema *made_schema(void)
{
    static const es_field fields[] = {
        {.name = "temp", .kind = ES_FIELD_INT, .bits = 32, .is_signed = true},
        {.name = "big", .kind = ES_FIELD_INT, .bits = 64},
        {.name = "f", .kind = ES_FIELD_FLOAT, .bits = 64},
        {.name = "mode", .kind = ES_FIELD_ENUM, .bits = 8, .labels = labels, .label_count = 3},
        {.name = "p", .kind = ES_FIELD_POINTER, .bits = 32},
        {.name = "elapsed", .kind = ES_FIELD_LENGTH, .bits = 64},
        {.name = "name", .kind = ES_FIELD_TEXT},
        {.name = "s.a", .kind = ES_FIELD_CHAR, .bits = 8},
        {.name = "s.b[0]", .kind = ES_FIELD_BOOL, .bits = 8},
        {.name = "s.b[1]", .kind = ES_FIELD_BOOL, .bits = 8},
        {.name = "s.rest[0]", .kind = ES_FIELD_BYTE, .bits = 8},
        {.name = "s.rest[1]", .kind = ES_FIELD_BYTE, .bits = 8},
        {.name = "s.rest[2]", .kind = ES_FIELD_BYTE, .bits = 8},
        {.name = "s.rest[3]", .kind = ES_FIELD_BYTE, .bits = 8}};
    static const es_composite objects[] = {{.name = "s", .first = 7, .count = 7, .shape = shape, .shape_count = 7}};
    static const es_schema_statement statements[] = {{.name = "one",
                                                      .text = "when x > 3 { print \"\\\" }",
                                                      .file = "-e",
                                                      .line = 3,
                                                      .expects = ES_EXPECTS_NEVER,
                                                      .fields = fields,
                                                      .value_count = 7,
                                                      .field_count = 14,
                                                      .objects = objects,
                                                      .object_count = 1},
                                                     {.name = "none", .text = "", .file = "a.watch", .line = 1}};
    static const char *const counters[] = {"hot", "cold"};
    static const es_schema_life lives[] = {{"f", "i", "f.c:3-9", "is in register a5"}};
    es_schema *schema = es_schema_new();
    schema->program = "firmware \xc3\xa4.elf";
    schema->clock_hz = 10000000;
    schema->statements = statements;
    schema->statement_count = 2;
    schema->counters = counters;
    schema->counter_count = 2;
    schema->tasks_by = "current";
    schema->kernel = "FreeRTOS";
    schema->task_pointers = schema->times = true;
    schema->origin = ES_ORIGIN_RECORDING;
    schema->lives = lives;
    schema->life_count = 1;
    return schema;
}

static uint32_t any_name(es_schema *schema)
{
    char text[32];
    int length = snprintf(text, sizeof text, "main:f%u", (unsigned)(any() % 50));
    return any() % 4 ? es_names_add(schema->names, text, (size_t)length) : 0;
}

static void make_records(es_schema *schema, again *a)
{
    write_again(a, &(es_record){.kind = ES_RECORD_BEGIN, .schema = schema});
    for (unsigned n = 0; n < 500; n++) {
        es_value values[14];
        es_composite_state object = {any() % 2, any_name(schema), (uint32_t)any()};
        for (size_t i = 0; i < 14; i++) {
            values[i] = (es_value){.bits = any() >> any() % 64, .known = any() % 8 > 0};
            if (i == 4 && values[i].known)
                values[i].about = any_name(schema);
            if (i == 6 && values[i].known)
                values[i].text = any() % 2 ? "idle \"x\"" : "";
        }
        es_hit hit = {.time = any() >> 4,
                      .statement = 0,
                      .flags = (uint32_t)any() & 0x3F,
                      .pc = (uint32_t)any(),
                      .path = any_name(schema),
                      .inlined = any_name(schema),
                      .task = any_name(schema),
                      .task_pointer = (uint32_t)any(),
                      .file = any_name(schema),
                      .line = (uint32_t)any() % 1000,
                      .values = values,
                      .value_count = 14,
                      .objects = &object,
                      .object_count = 1};
        if (hit.flags & ES_HIT_TIMES)
            for (size_t i = 0; i < 3; i++)
                hit.times[i] = any() >> 4;
        write_again(a, &(es_record){.kind = ES_RECORD_HIT, .schema = schema, .hit = &hit});
    }
    es_lost lost = {5, ES_NO_TIME, 3, ES_LOST_LINK};
    uint64_t hits[] = {7, 8};
    es_progress progress = {.hits = 3, .time = 9, .wall_seconds = 0.25, .statement_hits = hits};
    es_judged judged[] = {{ES_VERDICT_UNKNOWN, "nobody knows"}, {ES_VERDICT_MET, ""}};
    uint32_t counters[] = {(uint32_t)-3, 4};
    static const char *const in[] = {"swap (a.c:3)", NULL}, *const by[] = {"stack", NULL};
    es_summary summary = {.hits = 15,
                          .statement_hits = hits,
                          .statement_unknown = hits,
                          .judged = judged,
                          .counters = counters,
                          .lost_bus = 1,
                          .lost_link = 3,
                          .unknown = 4,
                          .stack_switches = 2,
                          .switched_in = in,
                          .switched_by = by,
                          .torn = 1,
                          .complete = true,
                          .unaccounted = -2,
                          .exited = true,
                          .exit_code = 3,
                          .trapped = true,
                          .pulses = {0, 5},
                          .mismatch = true,
                          .cycles = 77,
                          .wall_seconds = 1.5};
    write_again(a, &(es_record){.kind = ES_RECORD_LOST, .schema = schema, .lost = &lost});
    write_again(a, &(es_record){.kind = ES_RECORD_CONSOLE, .schema = schema, .text = {"tick\t\xc3\xa4", 7}});
    write_again(a, &(es_record){.kind = ES_RECORD_NOTE, .schema = schema, .text = {"note", 4}});
    write_again(a, &(es_record){.kind = ES_RECORD_PROGRESS, .schema = schema, .progress = &progress});
    es_inferred_path paths[] = {{any_name(schema), 0.75}, {any_name(schema), 0.125}};
    es_inferred inferred = {70, 3, 1, 0x104, false, paths, 2, 0.125};
    write_again(a, &(es_record){.kind = ES_RECORD_INFERRED, .schema = schema, .inferred = &inferred});
    es_clock_told clock = {true, 1000, -5, INT64_MAX, 85000, -12.5, 0.25, 3, 1, "boot"};
    write_again(a, &(es_record){.kind = ES_RECORD_CLOCK, .schema = schema, .clock = &clock});
    clock = (es_clock_told){.time = 2000, .from = 2000, .restarts = 2, .computer = "boot"};
    write_again(a, &(es_record){.kind = ES_RECORD_CLOCK, .schema = schema, .clock = &clock});
    write_again(a, &(es_record){.kind = ES_RECORD_SUMMARY, .schema = schema, .summary = &summary});
}

static bool read_all(const es_text_buffer *text, const es_sink *sink)
{
    es_wire_reader *reader = es_wire_reader_new(sink);
    bool good = true, record;
    es_error err;
    for (const char *at = text->text, *end; good && (end = strchr(at, '\n')); at = end + 1)
        good = es_wire_read(reader, at, (size_t)(end - at), &record, &err);
    es_wire_reader_free(reader);
    return good;
}

START_TEST(lines_read_are_lines_written)
{
    seed();
    es_schema *schema = made_schema();
    again first = {0}, second = {0};
    make_records(schema, &first);
    es_sink sink = {write_again, &second};
    ck_assert(read_all(&first.text, &sink));
    ck_assert_uint_eq(first.text.length, second.text.length);
    ck_assert_str_eq(first.text.text, second.text.text);
    es_text_free(&first.text);
    es_text_free(&second.text);
    es_schema_free(schema);
}
END_TEST

/* Lines that were changed at random are refused, or are other lines: nothing crashes, whoever shows them. */
START_TEST(any_lines)
{
    seed();
    es_schema *schema = made_schema();
    again first = {0};
    make_records(schema, &first);
    for (unsigned n = 0; n < 2000; n++) {
        es_text_buffer changed = {0};
        again second = {0};
        es_sink sink = {write_again, &second};
        size_t length = first.text.length < 6000 ? first.text.length : 6000;
        es_text_add(&changed, first.text.text, length);
        for (unsigned k = 0; k < 1 + n % 4; k++)
            changed.text[any() % (n % 2 ? length : 2500)] = "0123456789{}[]\",:x-\n"[any() % 20];
        read_all(&changed, &sink);
        es_text_free(&changed);
        es_text_free(&second.text);
    }
    es_text_free(&first.text);
    es_schema_free(schema);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("record");
    TCase *tests = tcase_create("record");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, names_are_kept_once);
    tcase_add_test(tests, paths_keep_names);
    tcase_add_test(tests, base64);
    tcase_add_test(tests, clocks_are_mapped);
    tcase_add_test(tests, clocks_that_restart);
    tcase_add_test(tests, lines_read_are_lines_written);
    tcase_add_test(tests, any_lines);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
