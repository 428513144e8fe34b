/* Traces: what was given comes back, whole and in parts; chunks begin and go; what stops the writer in the middle costs
 * no more than what was not yet written. */
#include <stdlib.h>
#include <unistd.h>

#include "check_main.h"
#include "draw.h"
#include "faults.h"
#include "made.h"
#include "scratch.h"
#include "store/trace.h"

static const es_trace_filter everything = {.to = ES_NO_TIME};

static es_trace *create(const es_trace_options *options)
{
    es_error err = {0};
    es_trace *trace = es_trace_create(options, &err);
    ck_assert_msg(trace, "%s", err.text);
    return trace;
}

static void give(es_trace *trace, const es_record *record)
{
    es_sink sink = es_trace_sink(trace);
    es_sink_give(&sink, record);
}

static void close_trace(es_trace *trace)
{
    es_error err = {0};
    ck_assert_msg(es_trace_close(trace, &err), "%s", err.text);
}

static es_trace_reader *open_trace(const char *directory)
{
    es_error err = {0};
    es_trace_reader *reader = es_trace_open(directory, &err);
    ck_assert_msg(reader, "%s", err.text);
    return reader;
}

static void read_all(es_text_buffer *lines, const char *directory, const es_trace_filter *filter)
{
    es_error err = {0};
    es_trace_reader *reader = open_trace(directory);
    es_sink sink = made_lines(lines);
    ck_assert_msg(es_trace_read(reader, filter, &sink, &err), "%s", err.text);
    es_trace_reader_free(reader);
}

/* Writes a run of so many random records, and their lines. */
static void write_random(const es_trace_options *options, unsigned count, es_text_buffer *lines)
{
    es_schema *schema = made_schema();
    es_record begin = {.kind = ES_RECORD_BEGIN, .schema = schema};
    es_sink both[2];
    es_trace *trace = create(options);
    both[0] = es_trace_sink(trace);
    both[1] = made_lines(lines);
    for (unsigned i = 0; i <= count + 1; i++) {
        const es_record *record = i == 0 ? &begin : i <= count ? made_record(schema) : made_summary(schema);
        es_sink_give(&both[0], record);
        es_sink_give(&both[1], record);
    }
    close_trace(trace);
    es_schema_free(schema);
}

static void same_lines(const es_text_buffer *wanted, const es_text_buffer *found)
{
    const char *a = wanted->text, *b = found->text;
    for (unsigned line = 1; *a && *b; line++) {
        size_t m = strcspn(a, "\n") + 1, n = strcspn(b, "\n") + 1;
        ck_assert_msg(m == n && memcmp(a, b, m) == 0, "line %u:\n%.*s%.*s", line, (int)m, a, (int)n, b);
        a += m;
        b += n;
    }
    ck_assert_msg(!*a && !*b, "more: %.200s%.200s", a, b);
}

START_TEST(comes_back)
{
    es_text_buffer wanted = {0}, found = {0};
    draw_seed = 1 + (uint32_t)_i;
    es_trace_options options = {.directory = scratch_path("trace"), .probe = "sim \"1\"", .waits = true};
    write_random(&options, 3000, &wanted);
    read_all(&found, options.directory, &everything);
    same_lines(&wanted, &found);
    es_trace_reader *reader = open_trace(options.directory);
    const es_trace_about *about = es_trace_about_of(reader);
    ck_assert_str_eq(about->probe, "sim \"1\"");
    ck_assert(about->finished && about->first_chunk == 1 && about->chunks == 1 && !about->torn_bytes);
    es_trace_reader_free(reader);
    es_text_free(&wanted);
    es_text_free(&found);
}
END_TEST

/* A trace of the format before, which had no reasons: tests/store/format1 was written by an earlier earshot. */
START_TEST(format_before)
{
    es_text_buffer found = {0};
    unsigned hits = 0;
    read_all(&found, "tests/store/format1", &everything);
    for (const char *at = found.text; (at = strstr(at, "\"event\":\"hit\"")); at++)
        hits++;
    ck_assert_uint_eq(hits, 3);
    ck_assert_ptr_nonnull(strstr(found.text, "\"values\":{\"temp\":20,\"mode\":\"STARTING\",\"control\\\\next\":null},"
                                             "\"path\":[\"main\",\"control\"]"));
    es_text_free(&found);
}
END_TEST

/* --- the disk ----------------------------------------------------------------------------------------------------- */

static struct {
    unsigned fails, loses, recovers;
    char text[4096];
} told;

static void note_trouble(void *context, enum es_trace_trouble trouble, const char *text)
{
    (void)context;
    told.fails += trouble == ES_TRACE_FAILS;
    told.loses += trouble == ES_TRACE_LOSES;
    told.recovers +=
        trouble == ES_TRACE_RECOVERS && strstr(text, "left out"); /* not "written again", which has lost nothing */
    snprintf(told.text, sizeof told.text, "%s", text);
}

/* What is in a trace of plain hits: how many, and how many were left out; that they are in order. */
typedef struct tally {
    uint64_t hits, lost, next;
    unsigned causes; /* that were told: */
    char cause[4096];
} tally;

static void tally_record(void *context, const es_record *record)
{
    tally *t = context;
    if (record->kind == ES_RECORD_LOST) {
        ck_assert_int_eq(record->lost->what, ES_LOST_DISK);
        ck_assert_uint_eq(record->lost->time, t->next);
        t->lost += record->lost->count;
        t->next += record->lost->count;
    } else if (record->kind == ES_RECORD_HIT) {
        ck_assert_uint_eq(record->hit->time, t->next);
        ck_assert_uint_eq(record->hit->values[0].bits, t->next);
        t->hits++;
        t->next++;
    } else if (record->kind == ES_RECORD_WARNING) {
        t->causes++;
        size_t length = strlen(t->cause);
        snprintf(t->cause + length, sizeof t->cause - length, "%s\n", record->text.bytes);
    }
}

static tally tally_of(const char *directory)
{
    tally t = {0};
    es_error err = {0};
    es_trace_reader *reader = open_trace(directory);
    es_sink sink = {tally_record, &t};
    ck_assert_msg(es_trace_read(reader, &everything, &sink, &err), "%s", err.text);
    es_trace_reader_free(reader);
    return t;
}

static es_trace *begin_plain(es_schema **schema, const es_trace_options *options)
{
    *schema = made_plain_schema();
    es_record begin = {.kind = ES_RECORD_BEGIN, .schema = *schema};
    es_trace *trace = create(options);
    give(trace, &begin);
    return trace;
}

/* What is left out while the disk fails or is stuck is counted, and nothing else is missing. */
START_TEST(left_out)
{
    static const int errors[] = {0, 28 /* ENOSPC */, 30 /* EROFS */, 5 /* EIO */};
    es_schema *schema;
    memset(&told, 0, sizeof told);
    es_trace_options options = {.directory = scratch_path("trace"), .queue_bytes = 1 << 20, .tell = note_trouble};
    es_trace *trace = begin_plain(&schema, &options);
    uint32_t number = 0;
    for (; number < 1000; number++)
        give(trace, made_plain_hit(schema, number));
    for (unsigned round = 0; round < 2; round++) {
        unsigned before = told.loses, failed = told.fails;
        atomic_store(&faults_errno, errors[_i]);
        atomic_store(&faults_stuck, _i == 0);
        for (uint32_t end = number + 100000; number < end; number++)
            give(trace, made_plain_hit(schema, number));
        while (_i && told.fails == failed) {
            usleep(1000);
            es_trace_poll(trace);
        }
        ck_assert_uint_gt(told.loses, before); /* more often, where a writing from before still made room */
        atomic_store(&faults_errno, 0);
        atomic_store(&faults_stuck, false);
        for (unsigned i = 0; told.recovers < told.loses; i++) {
            ck_assert_uint_lt(i, PATIENCE_MS);
            give(trace, made_plain_hit(schema, number++));
            usleep(1000);
        }
        ck_assert_msg(strstr(told.text, "records were left out"), "%s", told.text);
    }
    es_trace_figures figures;
    es_trace_look(trace, &figures);
    ck_assert(!figures.failing && figures.lost > 0 && figures.records == number);
    close_trace(trace);
    tally found = tally_of(options.directory);
    ck_assert_uint_eq(found.hits + found.lost, number);
    ck_assert_uint_eq(found.lost, figures.lost);
    ck_assert_uint_eq(found.causes, told.recovers);
    ck_assert_msg(strstr(found.cause, _i ? strerror(errors[_i]) : "the disk was too slow"), "%s", found.cause);
    es_schema_free(schema);
}
END_TEST

/* A source that can wait loses nothing on a slow disk. */
START_TEST(waits)
{
    es_schema *schema;
    es_trace_options options = {.directory = scratch_path("trace"), .queue_bytes = 1 << 20, .waits = true};
    es_trace *trace = begin_plain(&schema, &options);
    atomic_store(&faults_delay_us, 20000);
    for (uint32_t i = 0; i < 300000; i++)
        give(trace, made_plain_hit(schema, i));
    close_trace(trace);
    atomic_store(&faults_delay_us, 0);
    tally found = tally_of(options.directory);
    ck_assert(found.hits == 300000 && found.lost == 0);
    es_schema_free(schema);
}
END_TEST

/* An end on a full disk is an error, and what was written before is a whole trace. */
START_TEST(ends_full)
{
    es_schema *schema;
    es_error err = {0};
    es_trace_options options = {.directory = scratch_path("trace")};
    es_trace *trace = begin_plain(&schema, &options);
    give(trace, made_plain_hit(schema, 0));
    es_trace_figures figures = {0};
    for (unsigned i = 0; !figures.bytes && i < PATIENCE_MS; i++) {
        usleep(1000);
        es_trace_look(trace, &figures);
    }
    ck_assert_uint_gt(figures.bytes, 0); /* nobody gave more: the time alone does it */
    atomic_store(&faults_errno, 28);
    for (uint32_t i = 1; i < 1000; i++)
        give(trace, made_plain_hit(schema, i));
    es_trace_finish(trace);
    es_trace_look(trace, &figures);
    ck_assert_uint_eq(figures.records, 1000);
    ck_assert_uint_eq(figures.lost, 999); /* what waited for the disk is not there */
    ck_assert(!es_trace_close(trace, &err) && err.code == ES_OUTPUT);
    ck_assert_msg(strstr(err.text, "No space left on device"), "%s", err.text);
    atomic_store(&faults_errno, 0);
    ck_assert_uint_eq(tally_of(options.directory).hits, 1);
    es_schema_free(schema);
}
END_TEST

START_TEST(refusals)
{
    es_error err = {0};
    es_text_buffer lines = {0};
    es_trace_options options = {.directory = scratch_path("trace")};
    write_random(&options, 10, &lines);
    ck_assert(!es_trace_create(&options, &err) && err.code == ES_OUTPUT);
    ck_assert_msg(strstr(err.text, "holds a trace already"), "%s", err.text);
    options.directory = scratch_path("none/trace");
    ck_assert(!es_trace_create(&options, &err) && err.code == ES_OUTPUT);
    ck_assert(!es_trace_open(options.directory, &err) && err.code == ES_USAGE);
    ck_assert(!es_trace_open(scratch_path(""), &err) && strstr(err.text, "holds no trace"));
    /* Nothing began: no folder is left. */
    options.directory = scratch_path("unused");
    close_trace(create(&options));
    ck_assert(access(options.directory, F_OK) != 0);
    es_text_free(&lines);
}
END_TEST

/* --- chunks ------------------------------------------------------------------------------------------------------- */

START_TEST(rotates)
{
    es_text_buffer wanted = {0}, found = {0};
    draw_seed = 5;
    es_trace_options options = {.directory = scratch_path("trace"), .rotate_bytes = 1 << 20, .waits = true};
    write_random(&options, 60000, &wanted);
    read_all(&found, options.directory, &everything);
    same_lines(&wanted, &found);
    es_trace_reader *reader = open_trace(options.directory);
    ck_assert_uint_gt(es_trace_about_of(reader)->chunks, 3);
    es_trace_reader_free(reader);
    es_text_free(&wanted);
    es_text_free(&found);
}
END_TEST

START_TEST(removes_old)
{
    es_schema *schema;
    es_trace_options options = {
        .directory = scratch_path("trace"), .rotate_bytes = 1 << 20, .keep_bytes = 4 << 20, .waits = true};
    es_trace *trace = begin_plain(&schema, &options);
    for (uint32_t i = 0; i < 400000; i++)
        give(trace, made_plain_hit(schema, i));
    close_trace(trace);
    es_trace_reader *reader = open_trace(options.directory);
    const es_trace_about *about = es_trace_about_of(reader);
    ck_assert_uint_gt(about->first_chunk, 1);
    ck_assert_uint_le(about->bytes, 6 << 20);
    ck_assert_uint_ge(about->bytes, 3 << 20);
    ck_assert_uint_eq(about->end, 399999);
    es_trace_reader_free(reader);
    es_schema_free(schema);
}
END_TEST

/* --- parts -------------------------------------------------------------------------------------------------------- */

typedef struct part {
    const es_trace_filter *filter;
    const char *task;
    es_text_buffer lines;
} part;

/* What a filter should let through, of all records. */
static void choose(void *context, const es_record *record)
{
    part *p = context;
    const es_trace_filter *filter = p->filter;
    es_sink lines = made_lines(&p->lines);
    bool only_hits = filter->statements || p->task;
    bool wanted = record->kind == ES_RECORD_BEGIN;
    if (record->kind == ES_RECORD_HIT) {
        const char *task = es_names_text(record->schema->names, record->hit->task);
        wanted = record->hit->time >= filter->from && record->hit->time <= filter->to &&
                 (!filter->statements || filter->statements[record->hit->statement]) &&
                 (!p->task || (task && strcmp(task, p->task) == 0));
    } else if (record->kind == ES_RECORD_LOST) {
        wanted = record->lost->time >= filter->from && record->lost->time <= filter->to;
    } else if (record->kind == ES_RECORD_INFERRED) {
        const es_inferred *inferred = record->inferred;
        wanted = inferred->time >= filter->from && inferred->time <= filter->to && !p->task &&
                 (!filter->statements || filter->statements[inferred->statement]);
    } else if (record->kind == ES_RECORD_WARNING || record->kind == ES_RECORD_CLOCK) {
        wanted = filter->from == 0 && filter->to == ES_NO_TIME;
    } else if (record->kind == ES_RECORD_CONSOLE || record->kind == ES_RECORD_NOTE) {
        wanted = filter->from == 0 && filter->to == ES_NO_TIME && !only_hits;
    }
    if (wanted)
        es_sink_give(&lines, record);
}

/* Without lines that have no time of their own. */
static void drop_untimed(es_text_buffer *lines)
{
    es_text_buffer kept = {0};
    for (const char *at = lines->text; *at;) {
        size_t length = strcspn(at, "\n") + 1;
        if (strncmp(at, "{\"event\":\"console\"", 18) != 0 && strncmp(at, "{\"event\":\"note\"", 15) != 0 &&
            strncmp(at, "{\"event\":\"warning\"", 18) != 0 && strncmp(at, "{\"event\":\"clock\"", 16) != 0)
            es_text_add(&kept, at, length);
        at += length;
    }
    es_text_free(lines);
    *lines = kept;
}

START_TEST(parts)
{
    static const bool third[] = {false, false, true, false}, two[] = {true, false, false, true};
    static const char *const task = "task:\"1\\";
    const es_trace_filter filters[] = {
        {.from = 50000, .to = 60000},
        {.to = 100},
        {.from = 250000, .to = ES_NO_TIME},
        {.to = ES_NO_TIME, .statements = third},
        {.to = ES_NO_TIME, .tasks = &task, .task_count = 1},
        {.from = 1000, .to = 200000, .statements = two, .tasks = &task, .task_count = 1}};
    es_text_buffer lines = {0};
    draw_seed = 9;
    es_trace_options options = {.directory = scratch_path("trace"), .rotate_bytes = 200000, .waits = true};
    write_random(&options, 5000, &lines);
    es_trace_reader *reader = open_trace(options.directory);
    part wanted = {.filter = &filters[_i], .task = filters[_i].task_count ? task : NULL};
    es_sink sink = {choose, &wanted};
    es_error err = {0};
    ck_assert(es_trace_read(reader, &everything, &sink, &err));
    es_trace_reader_free(reader);
    es_text_buffer found = {0};
    read_all(&found, options.directory, &filters[_i]);
    if (filters[_i].from || filters[_i].to != ES_NO_TIME)
        drop_untimed(&found);
    same_lines(&wanted.lines, &found);
    es_text_free(&lines);
    es_text_free(&wanted.lines);
    es_text_free(&found);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("traces");
    TCase *tests = tcase_create("writer and reader");
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, scratch_begin, scratch_end);
    tcase_add_loop_test(tests, comes_back, 0, 5);
    tcase_add_loop_test(tests, left_out, 0, 4);
    tcase_add_test(tests, waits);
    tcase_add_test(tests, ends_full);
    tcase_add_test(tests, format_before);
    tcase_add_test(tests, refusals);
    tcase_add_test(tests, rotates);
    tcase_add_test(tests, removes_old);
    tcase_add_loop_test(tests, parts, 0, 6);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
