/* Traces: JSON Lines in any spelling that JSON allows, and what is refused, with its place. */
#include <stdlib.h>

#include "check_main.h"
#include "compare.h"
#include "net/formats/trace.h"

static const struct {
    const char *text, *message; /* message of the first line that is refused */
} refused[] = {
    {"[]", "1:1: error: an object is needed"},
    {"{}", "1:1: error: an \"event\" is needed"},
    {"{\"event\":\"firing\"", "1:18: error: ',' or '}' is needed"},
    {"{\"event\":\"firing\",}", "1:19: error: a name is needed"},
    {"{\"event\":\"firing\"} x", "1:20: error: nothing may follow"},
    {"{\"event\":\"fir\ting\"}", "1:14: error: a control character"},
    {"{\"event\":\"\\x\"}", "1:12: error: an unknown escape"},
    {"{\"event\":\"\xFF\"}", "1:11: error: not UTF-8"},
    {"{\"event\":\"a", "1:12: error: the string has no end"},
    {"{\"event\":nothing}", "1:10: error: a value is needed"},
    {"{\"event\":01}", "1:10: error: not a number"},
    {"{\"event\":\"x\",\"a\":[1,}", "1:21: error: a value is needed"},
    {"{\"event\":\"x\",\"a\":{\"b\" 1}}", "1:23: error: ':' is needed"},
    {"\n\n{\"event\":\"firing\",\"transition\":\"t\"}", "3:1: error: a \"time\" is needed"},
    {"{\"event\":\"firing\",\"time\":1}", "1:1: error: a \"transition\" is needed"},
    {"{\"event\":\"firing\",\"time\":1,\"transition\":\"nobody\"}",
     "1:41: error: the net has no such transition: nobody"},
    {"{\"event\":\"firing\",\"time\":1.5,\"transition\":\"t\"}", "1:26: error: a time is a whole number"},
    {"{\"event\":\"firing\",\"time\":9999999999999999999,\"transition\":\"t\"}",
     "1:26: error: a time is a whole number"},
    {"{\"event\":\"firing\",\"time\":1,\"mark\":-1,\"transition\":\"t\"}", "1:35: error: a mark takes a whole number"},
    {"{\"event\":\"gap\",\"processes\":[1,\"a\"]}", "1:31: error: whole numbers are needed"},
    {"{\"event\":\"gap\",\"processes\":[2,3]}", "1:28: error: one of these processes is not in the net"},
    {"{\"event\":\"gap\",\"processes\":[70000]}", "1:28: error: a process has a number"},
};

static es_net_trace *open_text(const char *text, const es_net *net)
{
    return es_net_trace_from(fmemopen((void *)(uintptr_t)text, strlen(text), "r"), "f", net);
}

START_TEST(is_refused)
{
    es_net *net = net_of("tr t p -> p\n# earshot: process 2 {c} t\n");
    es_net_trace *trace = open_text(refused[_i].text, net);
    es_net_record record;
    es_error err = {0};
    bool at_end;
    ck_assert(!es_net_trace_next(trace, &record, &at_end, &err));
    ck_assert(!at_end && err.code == ES_USAGE);
    ck_assert_msg(strncmp(err.text, "f:", 2) == 0 &&
                      strncmp(err.text + 2, refused[_i].message, strlen(refused[_i].message)) == 0,
                  "%s\n--- got\n%s\n--- wanted\n%s", refused[_i].text, err.text, refused[_i].message);
    es_net_trace_close(trace);
    es_net_free(net);
}
END_TEST

/* Lines as `earshot net simulate` writes them are read in a shorter way: it must take and refuse what the other does. The
 * same line with a blank at its end is read by the other. */
START_TEST(short_way_is_equivalent)
{
    static const char *const lines[] = {
        "{\"event\":\"firing\",\"transition\":\"t\",\"number\":0,\"time\":12}",
        "{\"event\":\"firing\",\"transition\":\"t\",\"number\":7,\"time\":-12,\"mark\":0}",
        "{\"event\":\"firing\",\"transition\":\"t\",\"number\":7,\"time\":0,\"mark\":3,\"calibrated\":4}",
        "{\"event\":\"firing\",\"transition\":\"t\",\"number\":7,\"time\":999999999999999999,\"mark\":3}",
        "{\"event\":\"firing\",\"transition\":\"t\",\"number\":7,\"time\":1000000000000000000}",
        "{\"event\":\"firing\",\"transition\":\"t\",\"number\":7,\"time\":9999999999999999999}",
        "{\"event\":\"firing\",\"transition\":\"t\",\"number\":7,\"time\":99999999999999999999}",
        "{\"event\":\"firing\",\"transition\":\"t\",\"number\":7,\"time\":01}",
        "{\"event\":\"firing\",\"transition\":\"t\",\"number\":7,\"time\":-}",
        "{\"event\":\"firing\",\"transition\":\"t\",\"number\":7,\"time\":1.5}",
        "{\"event\":\"firing\",\"transition\":\"t\",\"number\":7,\"time\":1e3,\"mark\":1}",
        "{\"event\":\"firing\",\"transition\":\"t\",\"number\":7,\"time\":1,\"mark\":-1}",
        "{\"event\":\"firing\",\"transition\":\"t\",\"number\":7,\"time\":1,\"mark\":2,\"time\":3}",
        "{\"event\":\"firing\",\"transition\":\"t\",\"number\":7,\"time\":1,\"mark\":2",
        "{\"event\":\"firing\",\"transition\":\"t\",\"number\":7,\"time\":1}}",
        "{\"event\":\"firing\",\"transition\":\"t\",\"number\":,\"time\":1}",
        "{\"event\":\"firing\",\"transition\":\"nobody\",\"number\":7,\"time\":1}",
        "{\"event\":\"firing\",\"transition\":\"\\u0074\",\"number\":7,\"time\":1}",
        "{\"event\":\"firing\",\"transition\":\"\xC3\xA9\",\"number\":7,\"time\":1}",
        "{\"event\":\"firing\",\"transition\":\"\",\"number\":7,\"time\":1}",
        "{\"event\":\"firing\",\"transition\":\"t",
    };
    es_net *net = net_of("tr t p -> p\ntr {\xC3\xA9} p -> p");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        es_net_record record[2];
        bool good[2], at_end[2];
        es_error err[2] = {0};
        for (int way = 0; way < 2; way++) {
            char text[256];
            snprintf(text, sizeof text, "%s%s\n", lines[i], way ? " " : "");
            es_net_trace *trace = open_text(text, net);
            good[way] = es_net_trace_next(trace, &record[way], &at_end[way], &err[way]);
            es_net_trace_close(trace);
        }
        ck_assert_msg(good[0] == good[1] && at_end[0] == at_end[1], "%s", lines[i]);
        if (!good[0])
            ck_assert_str_eq(strstr(err[0].text, "error:"), strstr(err[1].text, "error:"));
        else
            ck_assert_msg(record[0].kind == record[1].kind && record[0].transition == record[1].transition &&
                              record[0].time == record[1].time && record[0].mark == record[1].mark &&
                              record[0].line == 1,
                          "%s", lines[i]);
    }
    es_net_free(net);
}
END_TEST

/* Numbers are read as if they had as many digits as those of the line before: whatever that has, and whatever stands in
 * one of them in place of a digit. */
START_TEST(lengths_of_numbers)
{
    static const char digits[] = "123456789012345678", others[] = "/:.e\"\xB1";
    enum { MOST = sizeof digits - 1 };
    es_net *net = net_of("tr t p -> p");
    int64_t power = 1000000000000000000; /* 10^(MOST - first) */
    for (int first = 1; first <= MOST; first++) {
        power /= 10;
        for (int second = 1; second <= MOST; second++)
            for (int wrong = -1; wrong < second; wrong++) {
                char text[512], number[MOST + 1], like[MOST + 1];
                snprintf(number, sizeof number, "%.*s", second, digits);
                snprintf(like, sizeof like, "%.*s", first, digits);
                if (wrong >= 0)
                    number[wrong] = others[(first + wrong) % (int)(sizeof others - 1)];
                for (int in_time = 0; in_time < 2; in_time++) {
                    snprintf(text, sizeof text,
                             "\n{\"event\":\"firing\",\"transition\":\"t\",\"number\":%.*s,\"time\":%.*s}\n"
                             "{\"event\":\"firing\",\"transition\":\"t\",\"number\":%s,\"time\":%s}\n",
                             first, digits, first, digits, in_time ? like : number, in_time ? number : like);
                    es_net_observation read[3] = {{0}};
                    es_net_record record = {.line = 0};
                    es_error err = {0};
                    bool at_end;
                    es_net_trace *trace = open_text(text, net);
                    ck_assert_msg(es_net_trace_next(trace, &record, &at_end, &err), "%s", err.text);
                    ck_assert_msg(record.line == 2 && record.time == strtoll(digits, NULL, 10) / power, "%s", text);
                    size_t count = es_net_trace_firings(trace, read, 3);
                    bool good = count == 1 || es_net_trace_next(trace, &record, &at_end, &err);
                    if (count == 1)
                        record = (es_net_record){.time = read[0].time, .line = read[0].serial};
                    /* 1.5 and 1e5 are no whole ones, which a "number" need not be */
                    if (wrong < 0)
                        ck_assert_msg(good && record.line == 3 &&
                                          record.time == (in_time ? atoll(number) : atoll(like)),
                                      "%s", text);
                    else
                        ck_assert_msg(!count && (!in_time || !good), "%s", text);
                    es_net_trace_close(trace);
                }
            }
    }
    es_net_free(net);
}
END_TEST

/* Lines longer than what is read at once, and the last one without an end. */
START_TEST(lines_across_reads)
{
    enum { LINES = 3000, BLANKS = 97 };
    es_net *net = net_of("tr t p -> p");
    FILE *file = tmpfile();
    for (int i = 0; i < LINES; i++)
        fprintf(file, "{\"event\":\"firing\",\"transition\":\"t\",\"number\":%d,\"time\":%d}%*s%s", i, i, i % BLANKS,
                "", i + 1 < LINES ? "\n" : "");
    rewind(file);
    es_net_trace *trace = es_net_trace_from(file, "f", net);
    es_net_record record;
    es_error err;
    bool at_end;
    for (int i = 0; i < LINES; i++) {
        ck_assert_msg(es_net_trace_next(trace, &record, &at_end, &err), "%s", err.text);
        ck_assert(record.time == i && record.line == (uint64_t)i + 1);
    }
    ck_assert(!es_net_trace_next(trace, &record, &at_end, &err) && at_end);
    es_net_trace_close(trace);
    es_net_free(net);
}
END_TEST

START_TEST(is_read)
{
    static const char text[] =
        "{\"event\":\"firing\",\"transition\":\"t\",\"time\":-5,\"mark\":2}\r\n"
        "\n  { \"time\" : 7 , \"transition\" : \"\\u0074\" , \"more\":[{\"a\":[]},{},1e9,\"\\\"\"], \"event\" : "
        "\"firing\",\"mark\":null }\n"
        "{\"event\":\"hit\",\"values\":{\"temp\":81},\"path\":[\"main\"]}\n" /* others are passed over */
        "{\"event\":\"gap\",\"processes\":[0, "
        "2]}\n{\"event\":\"gap\",\"cycle\":10}\n{\"event\":\"time\",\"time\":200}\n"
        "{\"event\":\"end\",\"complete\":true}";
    es_net *net = net_of("tr t p -> p\n# earshot: process 2 {c} t\n");
    es_net_trace *trace = open_text(text, net);
    es_net_record r;
    es_error err = {0};
    bool at_end;
    ck_assert(es_net_trace_next(trace, &r, &at_end, &err));
    ck_assert(r.kind == ES_NET_RECORD_FIRING && r.line == 1 && r.time == -5 && r.mark == 2 && r.transition == 0);
    ck_assert(es_net_trace_next(trace, &r, &at_end, &err));
    ck_assert(r.kind == ES_NET_RECORD_FIRING && r.line == 3 && r.time == 7 && r.mark == ES_NET_UNKNOWN &&
              r.transition == 0);
    ck_assert(es_net_trace_next(trace, &r, &at_end, &err));
    ck_assert(r.kind == ES_NET_RECORD_GAP && r.process_count == 2 && r.processes[0] == 0 && r.processes[1] == 2);
    ck_assert(es_net_trace_next(trace, &r, &at_end, &err));
    ck_assert(r.kind == ES_NET_RECORD_GAP && r.process_count == 0);
    ck_assert(es_net_trace_next(trace, &r, &at_end, &err));
    ck_assert(r.kind == ES_NET_RECORD_TIME && r.time == 200);
    ck_assert(es_net_trace_next(trace, &r, &at_end, &err));
    ck_assert(r.kind == ES_NET_RECORD_END && r.complete && r.line == 8);
    ck_assert(!es_net_trace_next(trace, &r, &at_end, &err) && at_end);
    es_net_trace_close(trace);
    es_net_free(net);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("traces");
    TCase *tests = tcase_create("traces");
    tcase_add_loop_test(tests, is_refused, 0, sizeof refused / sizeof *refused);
    tcase_add_test(tests, short_way_is_equivalent);
    tcase_add_test(tests, lengths_of_numbers);
    tcase_add_test(tests, lines_across_reads);
    tcase_add_test(tests, is_read);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
