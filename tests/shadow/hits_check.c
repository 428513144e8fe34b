/* Statements over variables in registers, from the text to the hit: optimised programs on a machine, whose bus and whose cells a probe in
 * software hears, have the hits that the same programs have without optimisation, where all is in memory. */
#include <stdio.h>
#include <string.h>

#include "../softprobe/plain.h"
#include "../support/check_main.h"
#include "base/arena.h"
#include "base/text.h"
#include "replay/shadow.h"
#include "report/report.h"
#include "session/session.h"

enum { CELLS = 0x40000, CELLS_SIZE = 0x40000 };

typedef struct heard {
    plain plain;
    es_softprobe_target target;
    es_shadow_tracker *tracker;
    const es_symbols *symbols;
    bool cells, begun;
} heard;

static bool never(void *context)
{
    (void)context;
    return false;
}

/* --- the cells ------------------------------------------------------------------------------------------------- */

static void on_write(void *context, uint32_t address, uint32_t word, uint32_t unknown)
{
    heard *h = context;
    es_machine_access access = {.kind = ES_KIND_WRITE,
                                .lanes = 0xF,
                                .address = address,
                                .data = es_shadow_tracker_marked(h->tracker, word, unknown),
                                .unknown = unknown};
    if (h->plain.to)
        es_softprobe_access(h->plain.to->probe, &access, h->plain.last);
}

static void on_poke(void *context, uint32_t address, uint32_t word, uint32_t unknown, bool freed)
{
    heard *h = context;
    void (*poke)(es_softprobe *, uint32_t, uint32_t, uint32_t) = freed ? es_softprobe_poke_freed : es_softprobe_poke;
    if (h->plain.to)
        poke(h->plain.to->probe, address, es_shadow_tracker_marked(h->tracker, word, unknown), unknown);
}

static void on_insn(void *context, uint32_t pc)
{
    heard *h = context;
    if (!h->begun)
        es_shadow_tracker_begin(h->tracker);
    h->begun = true;
    es_shadow_tracker_insn(h->tracker, pc);
}

static void on_access(void *context, const es_machine_access *access)
{
    es_shadow_tracker_access(((heard *)context)->tracker, access);
}

static void on_set(void *context, unsigned reg)
{
    es_shadow_tracker_sets(((heard *)context)->tracker, reg);
}

static void on_trap(void *context, uint32_t cause)
{
    (void)cause;
    es_shadow_tracker_trap(((heard *)context)->tracker);
}

static bool open_heard(void *context, const es_symbols *symbols, const es_session_console *console,
                       es_session_probe *probe, es_error *err)
{
    heard *h = context;
    es_softprobe_options options = {.isa = es_isa_of_simulated_target(),
                                    .window_log2 = 19,
                                    .mem_log2 = 16,
                                    .time_w = 16,
                                    .fetches = ES_FETCHES_EXECUTED,
                                    .compressed = true,
                                    .tracker = true};
    if (!plain_new(&h->plain, symbols, 1, err))
        return false;
    h->plain.console = *console;
    h->target = (es_softprobe_target){.source = &plain_source, .context = &h->plain};
    es_softprobe_target_pins(&h->target, &options);
    h->target.probe = es_softprobe_new(&options, err);
    if (!h->target.probe)
        return false;
    if (h->cells) {
        const es_shadow_told told = {on_write, on_poke, h};
        h->tracker = es_shadow_tracker_new(symbols, h->plain.machine, &told);
        h->plain.also =
            (es_machine_listener){.insn = on_insn, .access = on_access, .sets = on_set, .trap = on_trap, .context = h};
    }
    *probe = (es_session_probe){.transport = es_softprobe_transport(h->target.probe),
                                .origin = ES_ORIGIN_SIMULATED,
                                .target = &es_soft_target,
                                .target_context = &h->target};
    return true;
}

static bool give_cells(void *context, const es_symbols *symbols, uint32_t *base, uint32_t *size, es_error *err)
{
    (void)context, (void)symbols, (void)err;
    *base = CELLS;
    *size = CELLS_SIZE;
    return true;
}

/* --- runs ------------------------------------------------------------------------------------------------------ */

static bool take(void *context, bool result, const char *bytes, size_t size)
{
    if (result)
        es_text_format(context, "%.*s", (int)size, bytes);
    return true;
}

/* The hits' values, a line each; what there is besides is cut off: times and places differ. */
static void run(const char *program, const char *statement, bool cells, es_text_buffer *out)
{
    heard h = {.cells = cells};
    es_error err = {0};
    es_text text = {"-e", statement};
    es_session_result result;
    es_session_options options = {.program = program,
                                  .texts = &text,
                                  .text_count = 1,
                                  .probe_name = "soft",
                                  .clock_hz = 10000000,
                                  .side = cells ? ES_SIDE_REPLAY : ES_SIDE_PROBE,
                                  .shadows = give_cells,
                                  .open = open_heard,
                                  .stop = never,
                                  .context = &h};
    es_text_buffer lines = {0};
    es_report *report = es_report_new(&(es_report_config){.json = true, .out = {take, NULL, &lines}});
    es_sink sink = es_report_sink(report);
    bool good = es_session_run(&options, &sink, &result, &err);
    es_report_finish(report);
    es_report_free(report);
    if (getenv("VERBOSE"))
        fprintf(stderr, "%s\n%s%s\n", program, lines.text ? lines.text : "", good ? "" : err.text);
    else
        ck_assert_msg(good, "%s: %s: %s", program, statement, err.text);
    for (const char *line = lines.text; line && *line;) {
        size_t size = strcspn(line, "\n");
        const char *values = strstr(line, "\"values\":");
        const char *end = values ? strchr(values, '}') : NULL;
        if (values && strstr(line, "\"hit\"") && end && end < line + size)
            es_text_format(out, "%.*s\n", (int)(end - values + 1), values);
        line += size + (line[size] == '\n');
    }
    es_text_free(&lines);
    es_text_free(&result.wrong);
    es_shadow_tracker_free(h.tracker);
    es_softprobe_free(h.target.probe);
    plain_free(&h.plain);
}

/* Where all calls are left, -Og; what -O2 inlines has hits of its own. */
static const struct {
    const char *program, *level, *statement;
} same[] = {
    {"examples/thermostat", "Og", "enter(clamp) { print clamp\\lo, clamp\\value, clamp\\hi }"},
    {"examples/thermostat", "Og", "enter(clamp) && clamp\\value > clamp\\hi { print clamp\\value }"},
    {"examples/thermostat", "Og", "enter(next_mode) { print next_mode\\now, *:control\\hottest }"},
    {"examples/thermostat", "O2", "write(temp) { print control\\hottest, temp }"},
    {"examples/thermostat", "O2", "write(temp) && main:control\\hottest > 70 { print temp, main:control\\hottest }"},
    {"examples/thermostat", "O2", "write(history) && control\\hottest > 75 { print control\\hottest }"},
    {"examples/recursion", "Og", "enter(fact) { print fact\\n }"},
    {"examples/recursion", "Og", "leave(fact) { print fact\\n }"},
    {"examples/recursion", "Og", "write(fact\\rest) { print fact\\rest, fact\\n }"},
    {"examples/recursion", "O2", "enter(sort) { print sort\\low, sort\\high }"},
    {"examples/recursion", "Og", "enter(hanoi) && hanoi\\discs == 2 { print hanoi\\from, hanoi\\to, hanoi\\spare }"},
    {"examples/tasks", "Og", "tasks current; write(producer\\smooth) { print producer\\smooth }"},
    {"examples/tasks", "Og", "tasks current; write(produced) { print producer\\smooth, produced }"},
    {"tests/lang/shadow", "O2", "enter(clamp) { print clamp\\lo, clamp\\value, clamp\\hi }"},
    {"tests/lang/shadow", "Og", "write(out) { print control\\sum, out }"},
    {"tests/lang/shadow", "O2", "write(control\\sum) { print control\\sum, old(control\\sum) }"},
    {"tests/lang/shadow", "O2", "write(control\\step) { print control\\step }"},
    {"tests/lang/shadow", "O2", "enter(wide) { print wide\\x }"},
    {"tests/shadow/clones", "O2", "enter(filter) { print filter\\sample, filter\\order, filter\\limit }"},
    {"tests/shadow/clones", "O2", "write(window) && filter\\sum > 200 { print filter\\sum, filter\\kept[2] }"},
};

START_TEST(as_without_optimisation)
{
    char plain_path[256], optimised[256];
    es_text_buffer wanted = {0}, got = {0};
    snprintf(plain_path, sizeof plain_path, "%s/%s-O0.elf", TESTS_BUILD, same[_i].program);
    snprintf(optimised, sizeof optimised, "%s/%s-%s.elf", TESTS_BUILD, same[_i].program, same[_i].level);
    run(plain_path, same[_i].statement, false, &wanted);
    run(optimised, same[_i].statement, true, &got);
    ck_assert_ptr_nonnull(wanted.text);
    ck_assert_msg(got.text && strcmp(wanted.text, got.text) == 0, "%s\nwithout optimisation:\n%.1500s\nwith:\n%.1500s",
                  same[_i].statement, wanted.text, got.text ? got.text : "nothing");
    es_text_free(&wanted);
    es_text_free(&got);
}
END_TEST

/* Parameters of clones at enter(f): what is known is what was passed, and of the procedure itself all is. */
static const struct {
    const char *value, *plain;
} handed[] = {{"take\\start", "take\\start"},
              {"take\\step", "take\\step"},
              {"take\\p.x", "take\\p.x"},
              {"take\\p.y", "take\\p.y"},
              {"take\\f.a[1]", "main\\f.a[1]"}}; /* a copy of it, which only a register points to */

/* The value of the hit at *line, which goes to the next one; its length. */
static size_t next_value(const char **line, const char **value)
{
    size_t length = strcspn(*line, "\n");
    const char *end = *line + length;
    for (*value = end; *value > *line && (*value)[-1] != ':'; --*value)
        ;
    *line = *end ? end + 1 : end;
    return (size_t)(end - *value);
}

START_TEST(known_as_passed)
{
    char without[100], statement[100];
    es_text_buffer wanted = {0}, got = {0};
    unsigned hits = 0, known = 0;
    snprintf(without, sizeof without, "enter(take) { print %s }", handed[_i].plain);
    snprintf(statement, sizeof statement, "enter(take) { print %s }", handed[_i].value);
    run(TESTS_BUILD "/tests/shadow/handed-O0.elf", without, false, &wanted);
    run(TESTS_BUILD "/tests/shadow/handed-O2.elf", statement, true, &got);
    ck_assert(wanted.text && got.text);
    for (const char *own = got.text, *want = wanted.text; *want; hits++) {
        const char *value, *should;
        size_t length = next_value(&own, &value), wanted_length = next_value(&want, &should);
        bool unknown = strncmp(value, "null", 4) == 0;
        known += !unknown;
        ck_assert_msg(unknown || (length == wanted_length && memcmp(value, should, length) == 0),
                      "%s\nwithout optimisation:\n%s\nwith:\n%s", statement, wanted.text, got.text);
    }
    ck_assert_uint_eq(hits, 13);
    ck_assert_uint_ge(known, 3);
    es_text_free(&wanted);
    es_text_free(&got);
}
END_TEST

/* result(f) and reg(x), against what the program does with them. */
static const struct {
    const char *statement, *wanted;
} results[] = {
    {"leave(clamp) { print result(clamp) }", "\"result(clamp)\":"},
    {"write(wide\\y) { print wide\\y }", "\"values\":{\"wide\\\\y\":18}\n"},
    {"leave(wide) { print result(wide) }", "\"values\":{\"result(wide)\":19}\n"},
    {"leave(halves) { print result(halves).a, result(halves).b }",
     "\"values\":{\"result(halves).a\":6,\"result(halves).b\":0}\n"},
    {"enter(wide) { print reg(a0), reg(x10) }", "\"values\":{\"reg(a0)\":3,\"reg(x10)\":3}\n"},
    {"leave(wide) && reg(a0) == 19 { print reg(a1) }", "\"values\":{\"reg(a1)\":0}\n"},
    {"leave(fact) && fact\\n == 5 { print result(fact) }", "\"values\":{\"result(fact)\":"},
};

START_TEST(of_registers)
{
    es_text_buffer got = {0};
    run(TESTS_BUILD "/tests/lang/shadow-O2.elf", results[_i].statement, true, &got);
    ck_assert_msg(got.text && strstr(got.text, results[_i].wanted), "%s\n%s", results[_i].statement,
                  got.text ? got.text : "nothing");
    es_text_free(&got);
}
END_TEST

/* hits PROGRAM STATEMENT: shows the hits instead. */
int main(int argc, char **argv)
{
    if (argc == 3) {
        es_text_buffer got = {0};
        setenv("VERBOSE", "1", 1);
        run(argv[1], argv[2], true, &got);
        es_text_free(&got);
        return 0;
    }
    Suite *suite = suite_create("hits over cells");
    TCase *tcase = tcase_create("hits");
    tcase_set_timeout(tcase, 0);
    tcase_add_loop_test(tcase, as_without_optimisation, 0, (int)(sizeof same / sizeof *same));
    tcase_add_loop_test(tcase, known_as_passed, 0, (int)(sizeof handed / sizeof *handed));
    tcase_add_loop_test(tcase, of_registers, 0, (int)(sizeof results / sizeof *results));
    suite_add_tcase(suite, tcase);
    return check_main(suite);
}
