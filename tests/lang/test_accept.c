/* What is accepted, and what tree it becomes. show.h explains the notation. */
#include "check_main.h"
#include "fake_symbols.h"
#include "lang/statement.h"
#include "show.h"

#include <string.h>

struct example {
    const char *text, *tree;
};

static void check_predicates(const struct example *examples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[1024];
        snprintf(text, sizeof text, "when (%s) || write(temp) { count c }", examples[i].text);
        const char *got = show(text);
        char wanted[1024];
        snprintf(wanted, sizeof wanted, "(|| %s write:@20000:4s) | count c", examples[i].tree);
        ck_assert_msg(strcmp(got, wanted) == 0, "%s\nbecame %s\nwanted %s", examples[i].text, got, wanted);
    }
}

#define CHECK(...) \
    do { \
        static const struct example examples[] = {__VA_ARGS__}; \
        check_predicates(examples, sizeof examples / sizeof *examples); \
    } while (0)

START_TEST(precedence_is_that_of_c)
{
    CHECK({"temp || on && key", "(|| @20000:4s (&& @20011:1 @20010:1))"},
          {"temp && on | key", "(&& @20000:4s (| @20011:1 @20010:1))"},
          {"temp | on ^ key & byte_", "(| @20000:4s (^ @20011:1 (& @20010:1 @2000c:1)))"},
          {"temp & on == key", "(& @20000:4s (== @20011:1 @20010:1))"},
          {"temp == on < key", "(== @20000:4s (< @20011:1 @20010:1))"},
          {"temp < on << key + 1", "(< @20000:4s (<< @20011:1 (+ @20010:1 1)))"},
          {"temp - on - key", "(- (- @20000:4s @20011:1) @20010:1)"},
          {"temp - (on - key)", "(- @20000:4s (- @20011:1 @20010:1))"},
          {"!temp == ~on", "(== (! @20000:4s) (~ @20011:1))"}, {"- - temp + +on", "(+ (- (- @20000:4s)) @20011:1)"},
          {"temp != 1 == on >= 2 > 3", "(== (!= @20000:4s 1) (> (>= @20011:1 2) 3))"});
}
END_TEST

START_TEST(narrow_types_promote_to_int)
{
    CHECK({"byte_ > -1", "(> @2000c:1 -1)"}, {"delta16 < key", "(< @2000e:2s @20010:1)"},
          {"on == true", "(== @20011:1 1)"}, {"plant.a < -1", "(< @20088:1.0+3 -1)"}, {"key >> 1", "(>> @20010:1 1)"},
          {"~byte_", "(~ @2000c:1)"});
}
END_TEST

START_TEST(unsigned_wins)
{
    CHECK({"level > temp", "(>u @20004:4 @20000:4s)"}, {"temp > 1u", "(>u @20000:4s 1u)"},
          {"level >> 1", "(>>u @20004:4 1)"}, {"temp >> 1u", "(>> @20000:4s 1u)"}, {"-level", "(-u @20004:4)"},
          {"!level < 1", "(< (! @20004:4) 1)"}, {"(level == 1) < 2", "(< (==u @20004:4 1) 2)"},
          {"plant.word < 1", "(<u @2009c:4.0+32 1)"}, {"temp > 0x80000000", "(>u @20000:4s 2147483648u)"},
          {"temp + level > 1", "(>u (+u @20000:4s @20004:4) 1)"}, {"p == NULL", "(==u @20028:4 0)"},
          {"p < 4", "(<u @20028:4 4)"}, {"wide == BIG", "(==u @200b0:4 2147483648u)"},
          {"temp == ARMED", "(== @20000:4s 1)"}, {"mode == LOW", "(== @20008:4s -2)"});
}
END_TEST

START_TEST(logical_not_has_type_int)
{
    /* !x is an int whatever x is: marked as such in the tree. */
    ck_assert_str_eq(show("!level == -1 { count c }"), "(== (! @20004:4) -1) | count c");
}
END_TEST

START_TEST(constants_of_every_kind)
{
    CHECK({"temp == 80", "(== @20000:4s 80)"}, {"temp == 0x50", "(== @20000:4s 80)"},
          {"temp == 0120", "(== @20000:4s 80)"}, {"temp == 0b1010000", "(== @20000:4s 80)"},
          {"temp == 'P'", "(== @20000:4s 80)"}, {"temp == '\\n'", "(== @20000:4s 10)"},
          {"temp == '\\x1b'", "(== @20000:4s 27)"}, {"temp == '\\0'", "(== @20000:4s 0)"},
          {"temp == '\\377'", "(== @20000:4s 255)"}, {"temp == '\\''", "(== @20000:4s 39)"},
          {"temp == 80UL", "(==u @20000:4s 80u)"}, {"temp == 80l", "(== @20000:4s 80)"},
          {"temp == 0", "(== @20000:4s 0)"}, {"temp == 4294967295u", "(==u @20000:4s 4294967295u)"},
          {"temp == 2147483647", "(== @20000:4s 2147483647)"}, {"temp == -2147483648", "(== @20000:4s -2147483648)"},
          {"temp == false", "(== @20000:4s 0)"});
}
END_TEST

START_TEST(constants_are_folded)
{
    CHECK({"temp > 80 * 256 + 3 % 2", "(> @20000:4s 20481)"}, {"temp > 7 / -2", "(> @20000:4s -3)"},
          {"temp > (1 << 4 | 3)", "(> @20000:4s 19)"}, {"temp > -16 >> 2", "(> @20000:4s -4)"},
          {"temp > 0xF0000000 >> 28", "(>u @20000:4s 15u)"}, {"temp > (-1 < 1u)", "(> @20000:4s 0)"},
          {"temp > (-1 < 1)", "(> @20000:4s 1)"}, {"temp > (1 && 0 || 2)", "(> @20000:4s 1)"},
          {"temp > ~0", "(> @20000:4s -1)"}, {"temp > !0", "(> @20000:4s 1)"},
          {"temp > (5 ^ 1) - (6 & 3)", "(> @20000:4s 2)"}, {"temp > -2147483648 / -1", "(> @20000:4s -2147483648)"},
          {"temp > (3 >= 3) + (2 <= 1) + (1 != 1) + (4 == 4) + (2 > 1)", "(> @20000:4s 3)"});
}
END_TEST

START_TEST(members_elements_and_bit_fields)
{
    CHECK({"plant.temp", "@20080:4s"}, {"plant.lo", "@20084:2s"}, {"plant . hi", "@20086:2s"},
          {"plant.array[3]", "@20098:4s"}, {"grid[2][1]", "@20064:4s"}, {"grid[1 + 1][ARMED]", "@20064:4s"},
          {"plant.a", "@20088:1.0+3"}, {"plant.b", "@20088:2.3+7"}, {"plant.c", "@20088:4.10+22"},
          {"packed.c", "@20120:1"}, {"packed.s2", "@2012a:2s"});
}
END_TEST

START_TEST(locals_and_qualified_names)
{
    CHECK({"lo > 0", "(> clamp@-20:4s 0)"}, {"clamp\\x > delta", "(> clamp@-24:4s control@-20:4s)"},
          {"control\\both", "control@-24:4s"}, {"calls", "@200d0:4s"}, {"clamp\\calls", "@200d0:4s"},
          {"other.c\\state", "@200c4:4s"}, {"thermostat.c\\state", "@200c0:4s"},
          {"\"src/thermostat.c\"\\state", "@200c0:4s"}, {"control\\temp", "control@-28:4s"}, {"twice", "@200c8:4s"},
          {"at == expect", "(== @200b8:4s @200bc:4s)"});
}
END_TEST

START_TEST(events_and_old_values)
{
    CHECK({"enter(clamp)", "enter:clamp"}, {"leave( main )", "leave:main"},
          {"enter(uart_isr) || enter(fact)", "(|| enter:uart_isr enter:fact)"}, {"write(ratio)", "write:@20014:4s"},
          {"old(temp) < temp", "(< old:@20000:4s @20000:4s)"},
          {"old(clamp\\x) & old(plant.b)", "(& old:clamp@-24:4s old:@20088:2.3+7)"});
}
END_TEST

START_TEST(actions)
{
    static const struct example examples[] = {
        {"temp > 80 && mode == ARMED { print temp, mode }",
         "(&& (> @20000:4s 80) (== @20008:4s 1)) | print temp=@20000:4s mode=@20008:4s"},
        {"temp", "@20000:4s | print temp=@20000:4s"},
        {"when temp", "@20000:4s | print temp=@20000:4s"},
        {"when temp { print }", "@20000:4s | print temp=@20000:4s"},
        {"when old(temp) < temp && enter(main) { print }",
         "(&& (< old:@20000:4s @20000:4s) enter:main) | print old(temp)=old:@20000:4s temp=@20000:4s"},
        {"enter(main) { print }", "enter:main | print"},
        {"enter(main) { print path }", "enter:main | print"},
        {"temp { print ratio, path, old( level ) }", "@20000:4s | print ratio=@20014:4s old(level)=old:@20004:4"},
        {"temp { print temp, temp; print temp, mode }", "@20000:4s | print temp=@20000:4s | print mode=@20008:4s"},
        {"temp { count a; count b; count a; print grid [ 1 ] # comment\n [ 0 ] }",
         "@20000:4s | count a | count b | count a | print grid[1][0]=@20050:4s"},
        {"temp { ; count a ; }", "@20000:4s | count a"},
        {"temp { count a\n print\n count b\n print mode\n }",
         "@20000:4s | count a | print temp=@20000:4s | count b | print mode=@20008:4s"},
        {"write(temp) { print control\\temp }", "write:@20000:4s | print control\\temp=control@-28:4s"},
        {"\xEF\xBB\xBFtemp { count caf\xC3\xA9 }", "@20000:4s | count caf\xC3\xA9"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        ck_assert_str_eq(show(examples[i].text), examples[i].tree);
}
END_TEST

START_TEST(arrays_and_structs_as_events)
{
    static const struct example examples[] = {
        {"write(grid) { count a }", "write:grid*12 | count a"},
        {"write(grid[1..2][3]) { count a }", "write:grid[1..2][3]*2 | count a"},
        {"write(grid[0x0 .. 1+1][1..1]) { count a }", "write:grid[0x0..1+1][1..1]*3 | count a"},
        {"write(plant) || write(temp) { print }",
         "(|| write:plant*11 write:@20000:4s) | print plant=which:plant temp=@20000:4s"},
        {"write(p->array[1..2]) && write(*p) { count a }", "(&& write:p->array[1..2]*2 write:*p*11) | count a"},
        {"read(grid[1]) { print which(grid[1]) }", "read:grid[1]*4 | print grid[1]=which:grid[1]"},
        {"write(grid) && grid[0][0] for 5ms { print }",
         "(for 5000000ns (&& write:grid*12 @20040:4s)) | print grid[0][0]=@20040:4s"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        ck_assert_str_eq(show(examples[i].text), examples[i].tree);
    es_program program;
    es_error err;
    es_text text = {"-e", "write(grid[1..2][2..3]) || write(*p)"};
    ck_assert(es_program_parse(fake_symbols(), &text, 1, &program, &err));
    const es_statement *s = &program.statements[0];
    static const char *const names[] = {"grid[1][2]", "grid[1][3]", "grid[2][2]", "grid[2][3]"};
    ck_assert_uint_eq(s->areas[0].count, 4);
    for (size_t i = 0; i < 4; i++)
        ck_assert_str_eq(s->references[s->areas[0].members[i]].text, names[i]);
    ck_assert_uint_eq(s->references[s->areas[0].members[2]].address, 0x20040 + 40);
    ck_assert_str_eq(s->references[s->areas[1].members[0]].text, "(*p).temp");
    ck_assert_str_eq(s->references[s->areas[1].members[6]].text, "(*p).array[0]");
    es_program_free(&program);
}
END_TEST

START_TEST(texts_compared_and_printed)
{
    static const struct example examples[] = {
        {"letters == \"ab\" { count a }", "(&& (&& (== @20160:1 97) (== @20161:1 98)) (== @20162:1 0)) | count a"},
        {"temp then letters == \"\" { count a }", "(then @20000:4s (== @20160:1 0)) | count a"},
        {"letters != \"\" { print }", "(! (== @20160:1 0)) | print | snapshot letters=@20160:0+4"},
        {"letters == \"abcd\" && temp { count a }", "(&& (&& (&& (&& (== @20160:1 97) (== @20161:1 98)) (== @20162:1 "
                                                    "99)) (== @20163:1 100)) @20000:4s) | count a"},
        {"letters becomes \"\\t\" { print letters, temp }",
         "(&& (&& (== @20160:1 9) (== @20161:1 0)) (! (&& (== old:@20160:1 9) (== old:@20161:1 0)))) | print "
         "temp=@20000:4s | snapshot letters=@20160:0+4"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        ck_assert_str_eq(show(examples[i].text), examples[i].tree);
}
END_TEST

START_TEST(statistics_as_actions)
{
    static const struct example examples[] = {
        {"temp { hist(temp) }", "@20000:4s | statistic hist(temp) 0 temp=@20000:4s"},
        {"temp { stats(old(temp)) by path top 10 }",
         "@20000:4s | statistic stats(old(temp)) by path top 10 0 old(temp)=old:@20000:4s"},
        {"temp { count by mode; count by task\n count by; count by path }",
         "@20000:4s | statistic count by mode -1 0 mode=@20008:4s | statistic count by task -1 | count by | statistic "
         "count by path -1"},
        {"enter(control) then leave(control) { stats(elapsed); hist(elapsed) by place; print temp, elapsed }",
         "(then enter:control leave:control) | statistic stats(elapsed) 0 elapsed=elapsed | statistic hist(elapsed) by "
         "place 0 | print temp=@20000:4s"},
        {"temp { print temp; count a; stats(a) by temp top 1 }",
         "@20000:4s | print temp=@20000:4s | count a | statistic stats(a) by temp top 1 1 0 a=counter:0"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        ck_assert_str_eq(show(examples[i].text), examples[i].tree);
    ck_assert_str_eq(show_all("first: when temp { count a }\nprofile clam*\nlevel { print }"),
                     "first: @20000:4s | count a\nclamp: (|| enter:clamp leave:clamp) | statistic profile -1\ns1: "
                     "@20004:4 | print level=@20004:4");
    ck_assert_str_eq(show_all("cover clam*\ncover thermostat.c\ntemp"),
                     "cover: at:src/thermostat.c:20@140,150,15c,160,170 | statistic cover clam* -1\n"
                     "s1: at:src/thermostat.c:50@100,10c,118,11c,128,130,13c,140,150,160,170,180,18c,330 | statistic "
                     "cover thermostat.c -1\n"
                     "s2: @20000:4s | print temp=@20000:4s");
    ck_assert_str_eq(show_all("temp && grid_used > 8 { print temp }\nstack grid\nstack"),
                     "s1: (&& @20000:4s (> counter:0 8)) | print temp=@20000:4s\ngrid: at::0 | statistic stack 0 "
                     "grid_used=counter:0\nstack: at::0 | statistic stack 0 stack_used=counter:1");
    es_program program;
    es_error err;
    es_text text = {"-e", "temp { hist(temp); stats(mode); print mode }"};
    ck_assert(es_program_parse(fake_symbols(), &text, 1, &program, &err));
    ck_assert(program.statements[0].actions[0].items[0].aggregated);  /* a statistic alone asks for it */
    ck_assert(!program.statements[0].actions[1].items[0].aggregated); /* it is printed, too */
    es_program_free(&program);
}
END_TEST

START_TEST(several_statements)
{
    ck_assert_str_eq(
        show_all("# first\nwhen temp { count a }\r\n\tname:when level{count b}mode { count a };on { count a } s2 : "
                 "when key { count c }"),
        "s1: @20000:4s | count a\nname: @20004:4 | count b\ns3: @20008:4s | count a\ns4: @20011:1 | count a\n"
        "s2: @20010:1 | count c");
}
END_TEST

START_TEST(program_keeps_what_image_and_cli_need)
{
    es_text texts[] = {{"a.watch", "hot: when temp > level && temp < level + 9 { print ratio, level; count c }\n"},
                       {"-e", "on"}};
    es_program program;
    es_error err;
    ck_assert(es_program_parse(fake_symbols(), texts, 2, &program, &err));
    ck_assert_uint_eq(program.statement_count, 2);
    const es_statement *s = &program.statements[0];
    ck_assert_str_eq(s->name, "hot");
    ck_assert_str_eq(s->text, "hot: when temp > level && temp < level + 9 { print ratio, level; count c }");
    ck_assert_str_eq(s->source.file, "a.watch");
    ck_assert_uint_eq(s->source.line, 1);
    ck_assert_uint_eq(s->reference_count, 3);
    ck_assert_uint_eq(s->predicate_count, 2);
    ck_assert_str_eq(s->references[0].text, "temp");
    ck_assert_str_eq(s->references[2].text, "ratio");
    ck_assert_str_eq(program.statements[1].name, "s1");
    ck_assert_uint_eq(program.statements[1].predicate->source.column, 1);
    ck_assert_uint_eq(program.counter_count, 1);
    ck_assert_str_eq(program.counters[0], "c");
    es_program_free(&program);
    ck_assert_uint_eq(program.statement_count, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("statements accepted");
    TCase *tcase = tcase_create("accept");
    tcase_add_test(tcase, precedence_is_that_of_c);
    tcase_add_test(tcase, narrow_types_promote_to_int);
    tcase_add_test(tcase, unsigned_wins);
    tcase_add_test(tcase, logical_not_has_type_int);
    tcase_add_test(tcase, constants_of_every_kind);
    tcase_add_test(tcase, constants_are_folded);
    tcase_add_test(tcase, members_elements_and_bit_fields);
    tcase_add_test(tcase, locals_and_qualified_names);
    tcase_add_test(tcase, events_and_old_values);
    tcase_add_test(tcase, actions);
    tcase_add_test(tcase, arrays_and_structs_as_events);
    tcase_add_test(tcase, texts_compared_and_printed);
    tcase_add_test(tcase, statistics_as_actions);
    tcase_add_test(tcase, several_statements);
    tcase_add_test(tcase, program_keeps_what_image_and_cli_need);
    suite_add_tcase(suite, tcase);
    return check_main(suite);
}
