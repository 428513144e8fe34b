/* CTF traces: what babeltrace2 reads is what was written; losses stand where they happened; usage errors is refused. */
#include <stdlib.h>
#include <unistd.h>

#include "check_main.h"
#include "compare.h"
#include "store/ctf.h"

static const char *const colours[] = {"red", "green", NULL};
static const es_ctf_field fields[] = {{"u", ES_CTF_U64, NULL},
                                      {"i", ES_CTF_I64, NULL},
                                      {"f", ES_CTF_F64, NULL},
                                      {"event", ES_CTF_STRING, NULL}, /* a word of TSDL */
                                      {"colour", ES_CTF_ENUM, colours}};
static const es_ctf_class classes[] = {{"one \"event\"", fields, 5}};
static char directory[4096];

static void setup(void)
{
    const char *base = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%s/earshot-ctf-XXXXXX", base ? base : P_tmpdir);
    ck_assert(mkdtemp(directory));
}

static void remove_file(const char *name)
{
    char path[sizeof directory + 32];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    unlink(path);
}

static void teardown(void)
{
    remove_file("metadata");
    remove_file("stream_0");
    remove_file("stream_3");
    rmdir(directory);
}

static es_ctf *create(void)
{
    static const char *const env[] = {"program", "a \"quoted\\ name\"", NULL};
    es_ctf_options options = {.clock_hz = 1000, .classes = classes, .class_count = 1, .env = env};
    es_error err = {0};
    es_ctf *ctf = es_ctf_create(directory, &options, &err);
    ck_assert_msg(ctf, "%s", err.text);
    return ctf;
}

static void add(es_ctf *ctf, unsigned stream, uint64_t time, const char *text)
{
    es_ctf_value values[] = {{.u = UINT64_MAX}, {.i = INT64_MIN}, {.f = -0.5}, {.s = text}, {.u = 1}};
    es_error err = {0};
    ck_assert_msg(es_ctf_event(ctf, stream, time, 0, values, &err), "%s", err.text);
}

/* All that babeltrace2 prints, warnings too. */
static void read_back(es_text_buffer *out)
{
    char command[sizeof directory + 64], chunk[512];
    snprintf(command, sizeof command, "babeltrace2 --clock-seconds '%s' 2>&1", directory);
    FILE *pipe = popen(command, "r");
    ck_assert(pipe);
    while (fgets(chunk, sizeof chunk, pipe))
        es_text_add(out, chunk, strlen(chunk));
    ck_assert_int_eq(pclose(pipe), 0);
}

START_TEST(comes_back)
{
    es_text_buffer text = {0};
    es_ctf *ctf = create();
    add(ctf, 0, 5, "first");
    add(ctf, 3, 7, "\xC3\xA4 other stream");
    add(ctf, 0, 7000, "");
    ck_assert(es_ctf_last_time(ctf, 0) == 7000 && es_ctf_last_time(ctf, 1) == 0);
    ck_assert(es_ctf_close(ctf, NULL));
    read_back(&text);
    ck_assert_str_eq(
        text.text,
        "[0.005000000] (+?.????????\?) one \"event\": { u = 18446744073709551615, i = -9223372036854775808, f = -0.5, "
        "event = \"first\", colour = ( \"green\" : container = 1 ) }\n"
        "[0.007000000] (+0.002000000) one \"event\": { u = 18446744073709551615, i = -9223372036854775808, f = -0.5, "
        "event = \"\xC3\xA4 other stream\", colour = ( \"green\" : container = 1 ) }\n"
        "[7.000000000] (+6.993000000) one \"event\": { u = 18446744073709551615, i = -9223372036854775808, f = -0.5, "
        "event = \"\", colour = ( \"green\" : container = 1 ) }\n");
    es_text_free(&text);
}
END_TEST

START_TEST(losses)
{
    es_text_buffer text = {0};
    es_ctf *ctf = create();
    add(ctf, 0, 5, "before");
    ck_assert(es_ctf_lost(ctf, 0, 9, 4, NULL));
    ck_assert(es_ctf_lost(ctf, 0, 9, 3, NULL));
    add(ctf, 0, 12, "after");
    ck_assert(es_ctf_close(ctf, NULL));
    read_back(&text);
    ck_assert_msg(strstr(text.text, "4 events between [0.005000000] and [0.009000000]"), "%s", text.text);
    ck_assert_msg(strstr(text.text, "3 events"), "%s", text.text);
    ck_assert_msg(strstr(text.text, "before") && strstr(text.text, "after"), "%s", text.text);
    es_text_free(&text);
}
END_TEST

/* Many packets, a flush in between: all events are there, in their order. */
START_TEST(many)
{
    es_text_buffer text = {0};
    es_ctf *ctf = create();
    for (unsigned i = 0; i < 20000; i++) {
        add(ctf, 0, i, "x");
        if (i == 11)
            ck_assert(es_ctf_flush(ctf, NULL));
    }
    ck_assert(es_ctf_close(ctf, NULL));
    read_back(&text);
    size_t lines = 0;
    for (const char *c = text.text; *c; c++)
        lines += *c == '\n';
    ck_assert_uint_eq(lines, 20000);
    es_text_free(&text);
}
END_TEST

START_TEST(wrong_use)
{
    es_error err = {0};
    es_ctf_value values[5] = {{0}};
    es_ctf *ctf = create();
    add(ctf, 0, 5, "x");
    ck_assert(!es_ctf_event(ctf, 0, 4, 0, values, &err) && err.code == ES_USAGE);
    ck_assert(!es_ctf_event(ctf, ES_CTF_STREAMS_MAX, 4, 0, values, &err) && err.code == ES_USAGE);
    ck_assert(es_ctf_close(ctf, NULL));
    es_ctf_options options = {.clock_hz = 1, .classes = classes, .class_count = 1};
    ck_assert(!es_ctf_create(directory, &options, &err) && err.code == ES_OUTPUT);
    ck_assert_msg(strstr(err.text, "holds a trace already"), "%s", err.text);
    ck_assert(!es_ctf_create("tests/no such folder/trace", &options, &err) && err.code == ES_OUTPUT);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("CTF");
    TCase *tests = tcase_create("writer");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, comes_back);
    tcase_add_test(tests, losses);
    tcase_add_test(tests, many);
    tcase_add_test(tests, wrong_use);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
