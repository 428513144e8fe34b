/* The multi-core target: message device, marks, how runs end, one time for all. tests/mp holds its clocks against a
 * model. */
#include <stdlib.h>
#include <string.h>

#include "../support/check_main.h"
#include "multi/multi.h"
#include "probe_defs.h"
#include "symbols/symbols.h"

#define NO_PART (-1)

typedef struct target {
    es_multi *multi;
    es_mark marks[16];
    size_t mark_count;
    uint64_t last_time;
    char console[8];
    uint64_t retired[ES_MULTI_CORES];
} target;

static void on_mark(void *context, const es_mark *mark)
{
    target *t = context;
    ck_assert_uint_ge(mark->time, t->last_time);
    t->last_time = mark->time;
    if (t->mark_count < 16)
        t->marks[t->mark_count++] = *mark;
}

static void on_console(void *context, unsigned core, const char *bytes, size_t size)
{
    target *t = context;
    ck_assert_uint_eq(size, 1);
    ck_assert_uint_lt(core, ES_MULTI_CORES);
    t->console[core] = bytes[0];
}

static void on_retired(void *context, unsigned core, const es_retired *retired)
{
    target *t = context;
    ck_assert_uint_le(retired->fetch_cycle, retired->cycle);
    t->retired[core]++;
}

static void load(target *t, unsigned core, int part)
{
    char path[200];
    snprintf(path, sizeof path, TESTS_BUILD "/tests/sim/talk%d.elf", part);
    es_error err = {0};
    es_symbols *symbols = es_symbols_open(path, &err);
    ck_assert_msg(symbols != NULL, "%s", err.text);
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; i < count; i++)
        ck_assert(es_multi_load(t->multi, core, segments[i].address, segments[i].bytes, segments[i].size));
    es_symbols_close(symbols);
}

/* Core c runs part parts[c]. */
static void begin(target *t, unsigned cores, unsigned latency, const int *parts)
{
    es_error err = {0};
    memset(t, 0, sizeof *t);
    es_multi_config config = {
        .cores = cores, .latency = latency, .on_mark = on_mark, .on_console = on_console, .context = t};
    config.on_retired = on_retired;
    t->multi = es_multi_new(&config, &err);
    ck_assert_msg(t->multi != NULL, "%s", err.text);
    for (unsigned c = 0; c < cores; c++)
        load(t, c, parts[c]);
    ck_assert_int_eq(es_multi_step(t->multi, 100), ES_MULTI_RUNNING); /* held in reset */
    ck_assert_uint_eq(es_multi_cycles(t->multi), 0);
    es_multi_start(t->multi);
    ck_assert(!es_multi_load(t->multi, 0, 0, (const uint8_t *)"", 1)); /* too late */
}

static void expect(target *t, enum es_multi_state state, const char *text)
{
    ck_assert_int_eq(es_multi_step(t->multi, 100000), state);
    ck_assert_str_eq(es_multi_text(t->multi), text);
    uint64_t cycles = es_multi_cycles(t->multi);
    ck_assert_int_eq(es_multi_step(t->multi, 1000), state); /* an end is an end */
    ck_assert_uint_eq(es_multi_cycles(t->multi), cycles);
}

START_TEST(different_programs)
{
    target t;
    begin(&t, 3, 9, (const int[]){0, 1, 2});
    expect(&t, ES_MULTI_EXITED, "");
    ck_assert_int_eq(es_multi_exit_code(t.multi, 0), 13);
    ck_assert_int_eq(es_multi_exit_code(t.multi, 1), 0);
    ck_assert_int_eq(es_multi_exit_code(t.multi, 2), 0);
    ck_assert_uint_gt(t.retired[0], 20);
    ck_assert_uint_gt(t.retired[1], 20);
    es_multi_free(t.multi);
}
END_TEST

START_TEST(one_slot_from_core_to_core)
{
    target t;
    begin(&t, 2, 9, (const int[]){0, 1});
    expect(&t, ES_MULTI_EXITED, "");
    /* The second send of core 0 waits until core 1 has taken the first message, which it does after clock 1000. */
    ck_assert_uint_eq(t.marks[0].id, 480);
    ck_assert_uint_eq(t.marks[1].id, 481);
    ck_assert_uint_lt(t.marks[1].time, 200);
    size_t sent = 2;
    while (sent < t.mark_count && !(t.marks[sent].core == 0 && t.marks[sent].id == 481))
        sent++;
    ck_assert_uint_gt(t.marks[sent].time, 1000);
    es_multi_free(t.multi);
}
END_TEST

START_TEST(to_itself)
{
    target t;
    for (unsigned latency = 1; latency <= ES_MULTI_LATENCY; latency += 127) {
        begin(&t, 1, latency, (const int[]){2});
        expect(&t, ES_MULTI_EXITED, "");
        ck_assert_int_eq(es_multi_exit_code(t.multi, 0), 0);
        es_multi_free(t.multi);
    }
}
END_TEST

START_TEST(any_takes_the_lowest)
{
    target t;
    begin(&t, 4, 30, (const int[]){7, 8, 8, 8});
    expect(&t, ES_MULTI_EXITED, "");
    ck_assert_int_eq(es_multi_exit_code(t.multi, 0), 0);
    es_multi_free(t.multi);
}
END_TEST

START_TEST(all_wait)
{
    target t;
    begin(&t, 3, 255, (const int[]){3, 1, 8});
    char text[300];
    ck_assert_int_eq(es_multi_step(t.multi, 100000), ES_MULTI_STUCK);
    snprintf(text, sizeof text, "%s", es_multi_text(t.multi));
    ck_assert_ptr_nonnull(strstr(text, "core 1 waits for a message from core 0 at 0x"));
    ck_assert_ptr_null(strstr(text, "core 0"
                                    " waits")); /* core 2's message came to it, and it ended */
    ck_assert_uint_lt(es_multi_cycles(t.multi), 2000);
    es_multi_free(t.multi);

    begin(&t, 2, 5, (const int[]){3, 3});
    ck_assert_int_eq(es_multi_step(t.multi, 100000), ES_MULTI_STUCK);
    ck_assert_ptr_nonnull(strstr(es_multi_text(t.multi), "core 0 waits for a message from any core at 0x"));
    ck_assert_ptr_nonnull(strstr(es_multi_text(t.multi), "; core 1 waits for a message from any core at 0x"));
    es_multi_free(t.multi);

    begin(&t, 2, 5, (const int[]){3, 0});
    ck_assert_int_eq(es_multi_step(t.multi, 100000), ES_MULTI_STUCK);
    ck_assert_ptr_nonnull(strstr(es_multi_text(t.multi), "core 1 waits to send to core 1 at 0x"));
    es_multi_free(t.multi);
}
END_TEST

START_TEST(wrong_accesses_end_the_run)
{
    target t;
    static const struct {
        int part;
        const char *text;
    } cases[] = {
        {4, "core 1: the instruction at 0x"},
        {5, "core 1: the instruction at 0x"},
        {9, "core 1: the instruction at 0x"},
    };
    begin(&t, 2, 5, (const int[]){3, cases[_i].part});
    ck_assert_int_eq(es_multi_step(t.multi, 100000), ES_MULTI_TRAPPED);
    const char *text = es_multi_text(t.multi);
    ck_assert_int_eq(strncmp(text, cases[_i].text, strlen(cases[_i].text)), 0);
    ck_assert_ptr_nonnull(
        strstr(text, cases[_i].part == 9   ? " read from 0xfffff800, where there is no memory and no device"
                     : cases[_i].part == 4 ? " wrote to 0x10001068, where there is no memory and no device"
                                           : " wrote to 0x10001060, where there is no memory and no device"));
    es_multi_free(t.multi);
}
END_TEST

START_TEST(marks_are_whole_words)
{
    target t;
    es_error err = {0};
    es_symbols *symbols = es_symbols_open(TESTS_BUILD "/tests/sim/talk6.elf", &err);
    ck_assert_msg(symbols != NULL, "%s", err.text);
    begin(&t, 2, 5, (const int[]){6, 6});
    expect(&t, ES_MULTI_EXITED, "");
    ck_assert_uint_eq(t.mark_count, 6);
    static const uint32_t ids[] = {0, 511, 2};
    for (size_t i = 0; i < 6; i++) {
        const es_mark *m = &t.marks[i];
        uint32_t word;
        ck_assert_uint_eq(m->core, i % 2); /* the same program in the same clocks: by core number */
        ck_assert_uint_eq(m->id, ids[i / 2]);
        ck_assert_uint_eq(m->value, i / 2 == 0 ? 0 : i / 2 == 1 ? UINT32_MAX : m->core);
        ck_assert_uint_eq(m->time, t.marks[i - i % 2].time);
        ck_assert(es_symbols_word(symbols, m->pc, &word));
        ck_assert_uint_eq(word & 0xFF07F, 0x02023); /* sw VALUE, OFFSET(zero) */
    }
    ck_assert_uint_eq(t.console[0], 'm');
    ck_assert_uint_eq(t.console[1], 'm');
    es_symbols_close(symbols);
    es_multi_free(t.multi);
}
END_TEST

START_TEST(chunks_do_not_matter)
{
    target whole, parts;
    begin(&whole, 3, 9, (const int[]){0, 1, 2});
    begin(&parts, 3, 9, (const int[]){0, 1, 2});
    expect(&whole, ES_MULTI_EXITED, "");
    for (unsigned i = 1; es_multi_step(parts.multi, i % 7) == ES_MULTI_RUNNING; i++)
        ck_assert_uint_lt(i, 100000);
    ck_assert_uint_eq(es_multi_cycles(whole.multi), es_multi_cycles(parts.multi));
    ck_assert_uint_eq(whole.mark_count, parts.mark_count);
    for (size_t i = 0; i < whole.mark_count; i++)
        ck_assert_uint_eq(whole.marks[i].time, parts.marks[i].time);
    es_multi_free(whole.multi);
    es_multi_free(parts.multi);
}
END_TEST

START_TEST(bad_configurations)
{
    static const unsigned bad[][2] = {{0, 5}, {9, 5}, {2, 0}, {2, 256}};
    es_error err = {0};
    es_multi_config config = {.cores = bad[_i][0], .latency = bad[_i][1]};
    ck_assert_ptr_null(es_multi_new(&config, &err));
    ck_assert_int_eq(err.code, ES_USAGE);
    ck_assert_ptr_nonnull(strstr(err.text, "1 to "));
    es_multi_free(NULL);

    config = (es_multi_config){.cores = 2, .latency = 5};
    es_multi *multi = es_multi_new(&config, &err);
    ck_assert_ptr_nonnull(multi);
    ck_assert(!es_multi_load(multi, 2, 0, (const uint8_t *)"x", 1));
    ck_assert(!es_multi_load(multi, 1, 0x40000, (const uint8_t *)"x", 1));
    ck_assert(!es_multi_watch(multi, 2, 0));
    ck_assert(!es_multi_watch(multi, 0, ES_TARGET_ROM_SIZE));
    ck_assert_int_eq(es_multi_exit_code(multi, 7), 0);
    es_multi_free(multi);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("multi");
    TCase *tests = tcase_create("multi");
    tcase_add_test(tests, different_programs);
    tcase_add_test(tests, one_slot_from_core_to_core);
    tcase_add_test(tests, to_itself);
    tcase_add_test(tests, any_takes_the_lowest);
    tcase_add_test(tests, all_wait);
    tcase_add_loop_test(tests, wrong_accesses_end_the_run, 0, 3);
    tcase_add_test(tests, marks_are_whole_words);
    tcase_add_test(tests, chunks_do_not_matter);
    tcase_add_loop_test(tests, bad_configurations, 0, 4);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
