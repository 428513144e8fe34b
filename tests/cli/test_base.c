/* JSON, UTF-8, growing text, times and values, without a probe. */
#include "check_main.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/search.h"
#include "base/times.h"
#include "session/expect.h"

static const char *json_of_bytes(const char *bytes, size_t size)
{
    static char result[256];
    es_text_buffer out = {0};
    es_json json = {.out = &out};
    es_json_bytes(&json, bytes, size);
    snprintf(result, sizeof result, "%s", out.text);
    es_text_free(&out);
    return result;
}

START_TEST(json_strings)
{
    ck_assert_str_eq(json_of_bytes("a\"b\\c", 5), "\"a\\\"b\\\\c\"");
    ck_assert_str_eq(json_of_bytes("\n\t\r\x01\x7f", 5), "\"\\n\\t\\r\\u0001\\u007f\"");
    ck_assert_str_eq(json_of_bytes("\0x", 2), "\"\\u0000x\"");
    ck_assert_str_eq(json_of_bytes("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", 9),
                     "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"");
    /* cut, overlong, surrogate, beyond the last character */
    ck_assert_str_eq(json_of_bytes("\xC3", 1), "\"\\ufffd\"");
    ck_assert_str_eq(json_of_bytes("\xC0\x80", 2), "\"\\ufffd\\ufffd\"");
    ck_assert_str_eq(json_of_bytes("\xED\xA0\x80", 3), "\"\\ufffd\\ufffd\\ufffd\"");
    ck_assert_str_eq(json_of_bytes("\xF4\x90\x80\x80", 4), "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
}
END_TEST

/* Every byte at every place of a string: what is printable stands as it is, and nothing else does. */
START_TEST(json_every_byte)
{
    for (int byte = 1; byte < 256; byte++)
        for (size_t at = 0; at < 11; at++) {
            char text[12] = "abcdefghijk", quoted[14];
            text[at] = (char)byte;
            snprintf(quoted, sizeof quoted, "\"%s\"", text);
            bool plain = byte >= ' ' && byte < 0x7F && byte != '"' && byte != '\\';
            ck_assert_msg((strcmp(json_of_bytes(text, 11), quoted) == 0) == plain, "byte %d at %zu", byte, at);
        }
}
END_TEST

START_TEST(decimals)
{
    static const int64_t some[] = {0, 1, 9, 10, 99, 100, 101, 12345, -1, -10, -99, -100, INT64_MAX, INT64_MIN};
    char wanted[64], got[64];
    int64_t power = 1;
    for (size_t i = 0; i < sizeof some / sizeof *some + 36; i++) {
        size_t beyond = i - sizeof some / sizeof *some;
        int64_t value = i < sizeof some / sizeof *some ? some[i] : beyond % 2 ? power - 1 : power;
        power *= i >= sizeof some / sizeof *some && beyond % 2 ? 10 : 1;
        for (unsigned width = 0; width < 24; width += 6) {
            snprintf(wanted, sizeof wanted, "%*" PRId64, (int)width, value);
            *es_put_decimal(got, value, width) = 0;
            ck_assert_str_eq(got, wanted);
        }
    }
}
END_TEST

START_TEST(json_structure)
{
    es_text_buffer out = {0};
    es_json json = {.out = &out};
    es_json_begin(&json, '{');
    es_json_key(&json, "a");
    es_json_begin(&json, '[');
    es_json_int(&json, -1);
    es_json_uint(&json, UINT64_MAX);
    es_json_bool(&json, true);
    es_json_null(&json);
    es_json_begin(&json, '[');
    es_json_end(&json, ']');
    es_json_float(&json, 0.1f);
    es_json_float(&json, NAN);
    es_json_float(&json, -INFINITY);
    es_json_double(&json, INFINITY);
    es_json_double(&json, -NAN);
    es_json_end(&json, ']');
    es_json_key(&json, "b");
    es_json_string(&json, NULL);
    es_json_end(&json, '}');
    ck_assert_str_eq(out.text,
                     "{\"a\":[-1,18446744073709551615,true,null,[],0.1,\"nan\",\"-inf\",\"inf\",\"nan\"],\"b\":null}");
    es_text_free(&out);
}
END_TEST

START_TEST(floats_read_back)
{
    uint32_t bits = 12345;
    for (int i = 0; i < 100000; i++) {
        bits = bits * 1664525u + 1013904223u;
        float value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        char text[32];
        es_float_text(text, value);
        ck_assert_msg(strtof(text, NULL) == value, "%s", text);
    }
}
END_TEST

START_TEST(times)
{
    static const struct {
        const char *text;
        uint64_t ns;
    } good[] = {
        {"5ms", 5000000},       {"2s", 2000000000},    {"100us", 100000},
        {"1500ns", 1500},       {"1.5ms", 1500000},    {"0.25s", 250000000},
        {"10\xC2\xB5s", 10000}, {"1min", 60000000000}, {"1000000000s", 1000000000000000000},
    };
    static const char *const bad[] = {"", "5", "ms", "-5ms", "5 ms", "5msx", "1e3s", ".5s", "5MS", "."};
    static const char *const outside[] = {"0s", "0.0000000001ns", "99999999999s", "1000000000.1s",
                                          "99999999999999999999999999999ns"};
    es_error err;
    uint64_t ns;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        ck_assert_msg(es_time_parse("--for", good[i].text, &ns, &err), "%s", good[i].text);
        ck_assert_uint_eq(ns, good[i].ns);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(!es_time_parse("--for", bad[i], &ns, &err) &&
                          strstr(err.text, "--for takes a time with its unit"),
                      "%s", bad[i]);
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        ck_assert_msg(!es_time_parse("--for", outside[i], &ns, &err) &&
                          strstr(err.text, "from 1ns to 1000000000s, not '"),
                      "%s", outside[i]);
    ck_assert_uint_eq(es_time_clocks(1, 10000000), 1);
    ck_assert_uint_eq(es_time_clocks(100, 10000000), 1);
    ck_assert_uint_eq(es_time_clocks(101, 10000000), 2);
    ck_assert_uint_eq(es_time_clocks(ES_TIME_MAX_NS, 10000000000u), UINT64_C(10000000000000000000));
    ck_assert_uint_eq(es_time_clocks(2500000000, 7), 18);
    ck_assert_uint_eq(es_time_ns(123, 10000000), 12300);
    ck_assert_uint_eq(es_time_ns(UINT64_C(1) << 57, 10000000), (UINT64_C(1) << 57) * 100);
    ck_assert_uint_eq(es_time_ns(3, 7), 428571428);
}
END_TEST

START_TEST(time_columns)
{
    static const struct {
        uint64_t ns;
        const char *text;
    } shown[] = {
        {0, "    0.000 us"},         {999999, "  999.999 us"},     {1000000, "   1.0000 ms"},
        {999999999, "1000.0000 ms"}, {1500000000, " 1.500000 s "},
    };
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        es_text_buffer out = {0};
        es_time_text(&out, shown[i].ns, false);
        ck_assert_str_eq(out.text, shown[i].text);
        es_text_free(&out);
    }
}
END_TEST

/* Of every list of up to 6 ascending numbers, with and without repetitions, the first one by looking at each. */
START_TEST(search_in_numbers)
{
    for (unsigned made = 0; made < 4096; made++) {
        uint32_t sorted[6], least = made & 7;
        size_t count = 0, wanted = 0;
        for (unsigned i = 0, last = 0; i < made % 7; i++)
            sorted[count++] = last += made >> (3 + i) & 3;
        while (wanted < count && sorted[wanted] < least)
            wanted++;
        ck_assert_uint_eq(es_first_from(sorted, count, least), wanted);
    }
    ck_assert_uint_eq(es_first_from(NULL, 0, 5), 0);
    ck_assert_uint_eq(es_first_from((const uint32_t[]){0, UINT32_MAX}, 2, UINT32_MAX), 1);
}
END_TEST

START_TEST(arena_grows_and_keeps)
{
    es_arena *arena = es_arena_new();
    unsigned *items = NULL;
    for (unsigned i = 0; i < 10000; i++) {
        items = es_arena_grow(arena, items, i, sizeof *items);
        ck_assert_uint_eq(items[i], 0);
        items[i] = i + 1;
    }
    for (unsigned i = 0; i < 10000; i++)
        ck_assert_uint_eq(items[i], i + 1);
    ck_assert_str_eq(es_arena_format(arena, "%s-%d", "x", 3), "x-3");
    es_arena_free(arena);
    es_arena_free(NULL);
}
END_TEST

START_TEST(files_as_text)
{
    es_text_buffer text;
    es_error err;
    ck_assert(!es_text_read_file(&text, "/nonexistent", 100, &err));
    ck_assert_str_eq(err.text, "/nonexistent: cannot be opened: No such file or directory");
    ck_assert(!es_text_read_file(&text, "/", 100, &err));
    ck_assert_str_eq(err.text, "/: cannot be read: Is a directory");
    ck_assert(!es_text_read_file(&text, "/dev/zero", 100, &err));
    ck_assert_str_eq(err.text, "/dev/zero: is not a text: it holds a NUL byte");
    ck_assert(!es_text_read_file(&text, "LICENSE", 10, &err));
    ck_assert_str_eq(err.text, "LICENSE: is larger than 10 bytes");
    ck_assert(es_text_read_file(&text, "/dev/null", 10, &err));
    ck_assert_str_eq(text.text, "");
    es_text_free(&text);
}
END_TEST

/* Editors of Windows put a byte order mark first, and may write UTF-16. */
START_TEST(files_with_byte_order_marks)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *text; /* NULL: refused with `message` */
        const char *message;
    } cases[] = {
        {"\xEF\xBB\xBFok", 5, "ok", NULL},
        {"\xFF\xFEo\0\xE4\0\x3D\xD8\x00\xDE", 10, "o\xC3\xA4\xF0\x9F\x98\x80", NULL},
        {"\xFE\xFF\0o\0k", 6, "ok", NULL},
        {"\xFF\xFE", 2, "", NULL},
        {"\xFF\xFEo\0k", 5, NULL, "is not a text: what stands at byte 4 is no character of UTF-16"},
        {"\xFF\xFE\x00\xDEx\0", 6, NULL, "is not a text: what stands at byte 2 is no character of UTF-16"},
        {"\xFF\xFEo\0\0\0", 6, NULL, "is not a text: it holds a NUL character"},
        {"o\0k\0", 4, NULL, "is not a text: it holds a NUL byte"},
    };
    char path[] = "/tmp/earshot-text-XXXXXX";
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_text_buffer text;
        es_error err;
        ck_assert_int_eq(ftruncate(file, 0), 0);
        ck_assert_int_eq(pwrite(file, cases[i].bytes, cases[i].size, 0), cases[i].size);
        bool good = es_text_read_file(&text, path, 100, &err);
        ck_assert_msg(good == (cases[i].text != NULL), "case %zu", i);
        if (good)
            ck_assert_str_eq(text.text, cases[i].text);
        else
            ck_assert_str_eq(err.text + strlen(path) + 2, cases[i].message);
        if (good)
            es_text_free(&text);
    }
    close(file);
    unlink(path);
}
END_TEST

START_TEST(text_of_xml)
{
    es_text_buffer text = {0};
    es_text_xml_string(&text, "a<b>&\"c\"\t\xC3\xA4\xC3\x01\x7F");
    ck_assert_str_eq(text.text, "a&lt;b&gt;&amp;&quot;c&quot;\t\xC3\xA4\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    es_text_free(&text);
}
END_TEST

/* What is open is unknown, unless a certain hit has decided. Times: 1000 clocks a second. */
START_TEST(verdicts)
{
    const es_statement never = {.expect = ES_EXPECT_NEVER}, eventually = {.expect = ES_EXPECT_EVENTUALLY};
    const es_statement within = {.expect = ES_EXPECT_WITHIN, .expect_within = {.count = 100, .cycles = true}};
    const es_evidence none = {.first = ES_NO_TIME, .end = 1000};
    const struct {
        es_evidence evidence;
        enum es_verdict never, eventually, within;
    } cases[] = {
        {none, ES_VERDICT_MET, ES_VERDICT_FAILED, ES_VERDICT_FAILED},
        {{.first = 50, .hits = 1, .torn = 1, .lost = 1, .unknown = 1, .incomplete = true},
         ES_VERDICT_FAILED,
         ES_VERDICT_MET,
         ES_VERDICT_MET},
        {{.first = 150, .hits = 1, .end = 1000}, ES_VERDICT_FAILED, ES_VERDICT_MET, ES_VERDICT_FAILED},
        {{.first = ES_NO_TIME, .end = 1000, .torn = 1}, ES_VERDICT_UNKNOWN, ES_VERDICT_UNKNOWN, ES_VERDICT_UNKNOWN},
        {{.first = ES_NO_TIME, .end = 1000, .unknown = 2}, ES_VERDICT_UNKNOWN, ES_VERDICT_UNKNOWN, ES_VERDICT_UNKNOWN},
        {{.first = ES_NO_TIME, .end = 1000, .lost = 2, .loss = 500},
         ES_VERDICT_UNKNOWN,
         ES_VERDICT_UNKNOWN,
         ES_VERDICT_FAILED},
        {{.first = ES_NO_TIME, .end = 50}, ES_VERDICT_MET, ES_VERDICT_FAILED, ES_VERDICT_UNKNOWN},
        {{.first = ES_NO_TIME, .end = 50, .over = true}, ES_VERDICT_MET, ES_VERDICT_FAILED, ES_VERDICT_FAILED},
        {{.first = ES_NO_TIME, .end = 1000, .disabled = true}, ES_VERDICT_MET, ES_VERDICT_UNKNOWN, ES_VERDICT_UNKNOWN},
        {{.first = ES_NO_TIME, .end = 1000, .incomplete = true},
         ES_VERDICT_UNKNOWN,
         ES_VERDICT_UNKNOWN,
         ES_VERDICT_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_int_eq(es_expect_judge(&never, &cases[i].evidence, 1000, NULL), cases[i].never);
        ck_assert_int_eq(es_expect_judge(&eventually, &cases[i].evidence, 1000, NULL), cases[i].eventually);
        ck_assert_int_eq(es_expect_judge(&within, &cases[i].evidence, 1000, NULL), cases[i].within);
    }
    es_text_buffer why = {0};
    es_expect_judge(&never, &cases[3].evidence, 1000, &why);
    ck_assert_str_eq(why.text, "1 assignment was torn, perhaps to one of its variables");
    es_text_free(&why);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("text, JSON, values");
    TCase *tcase = tcase_create("base");
    tcase_add_test(tcase, json_strings);
    tcase_add_test(tcase, json_every_byte);
    tcase_add_test(tcase, decimals);
    tcase_add_test(tcase, json_structure);
    tcase_add_test(tcase, floats_read_back);
    tcase_add_test(tcase, times);
    tcase_add_test(tcase, time_columns);
    tcase_add_test(tcase, search_in_numbers);
    tcase_add_test(tcase, arena_grows_and_keeps);
    tcase_add_test(tcase, files_as_text);
    tcase_add_test(tcase, text_of_xml);
    tcase_add_test(tcase, files_with_byte_order_marks);
    tcase_add_test(tcase, verdicts);
    suite_add_tcase(suite, tcase);
    return check_main(suite);
}
