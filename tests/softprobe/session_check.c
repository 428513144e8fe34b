/* Whole sessions: with the simulated target and the RTL probe, and with a target on a machine whose bus a probe in software
 * hears. What users see as JSON Lines is the same, to the clock. */
#include <string.h>

#include "../support/check_main.h"
#include "access/open.h"
#include "base/arena.h"
#include "plain.h"
#include "report/report.h"
#include "session/session.h"
#include "sides.h"

#define PROGRAM(name) TESTS_BUILD "/examples/" name ".elf"

typedef struct lines {
    char *text;
    size_t size, room;
} lines;

static bool take_line(void *context, bool result, const char *bytes, size_t size)
{
    lines *l = context;
    if (!result)
        return true;
    if (l->size + size + 1 > l->room) {
        l->room = 2 * l->room + size + 65536;
        l->text = es_realloc(l->text, l->room);
    }
    memcpy(l->text + l->size, bytes, size);
    l->size += size;
    l->text[l->size] = 0;
    return true;
}

static bool never(void *context)
{
    (void)context;
    return false;
}

typedef struct soft_access {
    plain plain;
    es_softprobe_target target;
    uint32_t seed;
} soft_access;

static bool open_soft(void *context, const es_symbols *symbols, const es_session_console *console,
                      es_session_probe *probe, es_error *err)
{
    soft_access *a = context;
    es_softprobe_options options = softprobe_as_simulated();
    if (!plain_new(&a->plain, symbols, a->seed, err))
        return false;
    a->plain.console = *console;
    a->target = (es_softprobe_target){.source = &plain_source, .context = &a->plain};
    es_softprobe_target_pins(&a->target, &options);
    a->target.probe = es_softprobe_new(&options, err);
    if (!a->target.probe)
        return false;
    *probe = (es_session_probe){.transport = es_softprobe_transport(a->target.probe),
                                .origin = ES_ORIGIN_SIMULATED,
                                .target = &es_soft_target,
                                .target_context = &a->target};
    return true;
}

typedef struct asked {
    const char *program, *statements; /* a path, or statements themselves after an @ */
    uint64_t for_ns, count;
} asked;

static lines run(const asked *what, const es_session_options *with, es_session_result *result)
{
    lines out = {0};
    es_error err = {0};
    es_text_buffer text = {0};
    if (what->statements[0] != '@')
        ck_assert_msg(es_text_read_file(&text, what->statements, 1 << 20, &err), "%s", err.text);
    es_text source = {"statements", text.text ? text.text : what->statements + 1};
    es_session_options options = *with;
    options.program = what->program;
    options.texts = &source;
    options.text_count = 1;
    options.probe_name = "sim";
    options.clock_hz = ES_SIM_BUS_HZ;
    options.for_ns = what->for_ns;
    options.count = what->count;
    options.allow_halt = true;
    options.stop = never;
    es_report *report = es_report_new(&(es_report_config){.json = true, .out = {take_line, NULL, &out}});
    es_sink sink = es_report_sink(report);
    bool good = es_session_run(&options, &sink, result, &err);
    es_report_finish(report);
    es_report_free(report);
    es_text_free(&text);
    es_text_free(&result->wrong);
    ck_assert_msg(good, "%s: %s", what->program, err.text);
    return out;
}

static const asked runs[] = {
    {PROGRAM("thermostat-O0"), "examples/thermostat/thermostat.watch", 0, 0},
    {PROGRAM("thermostat-O2"), "examples/thermostat/thermostat.watch", 0, 0},
    {PROGRAM("thermostat-O0"), "examples/thermostat/locals.watch", 0, 0},
    {PROGRAM("recursion-O0"), "examples/recursion/recursion.watch", 0, 0},
    {PROGRAM("recursion-O2"), "examples/recursion/recursion.watch", 0, 0},
    {PROGRAM("interrupts-O0"), "examples/interrupts/interrupts.watch", 0, 0},
    {PROGRAM("interrupts-O2"), "examples/interrupts/interrupts.watch", 0, 0},
    {PROGRAM("nested-O0"), "examples/nested/nested.watch", 0, 0},
    {PROGRAM("nested-O0"), "examples/nested/locals.watch", 0, 0},
    {PROGRAM("tasks-O0"), "examples/tasks/tasks.watch", 0, 0},
    {PROGRAM("thermostat-O2"), "@hot: when temp > 75 for 200us { print temp; trigger 3 }", 0, 0},
    {PROGRAM("thermostat-O0"), "@all: when write(temp) { print temp }", 20000000, 0},
    {PROGRAM("thermostat-O0"), "@all: when write(temp) { print temp }", 0, 10},
    {PROGRAM("thermostat-O0"), "@hot: when temp > 80 { print temp; halt }", 0, 0},
};

START_TEST(records_are_the_same)
{
    es_session_result rtl, soft;
    es_access simulated = {.choice = {ES_PROBE_SIM, NULL, 0}, .program = runs[_i].program, .seed = 1};
    soft_access software = {.seed = 1};
    lines a = run(&runs[_i], &(es_session_options){.open = es_access_open, .context = &simulated}, &rtl);
    lines b = run(&runs[_i], &(es_session_options){.open = open_soft, .context = &software}, &soft);
    es_access_close(&simulated);
    es_softprobe_free(software.target.probe);
    plain_free(&software.plain);
    const char *line = a.text, *other = b.text;
    for (unsigned number = 1; *line && *other; number++) {
        size_t size = strcspn(line, "\n"), other_size = strcspn(other, "\n");
        ck_assert_msg(size == other_size && memcmp(line, other, size) == 0, "line %u:\n%.*s\n%.*s", number, (int)size,
                      line, (int)other_size, other);
        line += size + (line[size] == '\n');
        other += other_size + (other[other_size] == '\n');
    }
    ck_assert_int_eq(*line, *other);
    ck_assert(strstr(a.text, "\"hit\"") && strstr(a.text, "\"summary\""));
    ck_assert_int_eq(rtl.exited, soft.exited);
    ck_assert_int_eq(rtl.exit_code, soft.exit_code);
    free(a.text);
    free(b.text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("softprobe in sessions");
    TCase *tcase = tcase_create("sessions");
    tcase_set_timeout(tcase, 0);
    tcase_add_loop_test(tcase, records_are_the_same, 0, (int)(sizeof runs / sizeof *runs));
    suite_add_tcase(suite, tcase);
    return check_main(suite);
}
