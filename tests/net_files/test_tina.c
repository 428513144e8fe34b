/* The reader of TINA's .net: the grammar of its manual, the lines for earshot, and what is refused, with its place. */
#include "check_main.h"
#include "compare.h"

static const struct {
    const char *text, *message;
} refused[] = {
    {"tr", "1:3: error: the name of a transition is needed here, not the end of the file"},
    {"hello", "1:1: error: a declaration begins with"},
    {"tr t p", "1:7: error: '->' is needed between inputs and outputs"},
    {"tr t p?1 -> q", "1:7: error: read, inhibitor and stopwatch arcs cannot be held"},
    {"tr t p?-1 -> q", "1:7: error: read, inhibitor"},
    {"tr t p!-2 -> q", "1:7: error: read, inhibitor"},
    {"tr t\n  [2,5] p -> q", "2:3: error: an interval of delays"},
    {"tr t ]2,2] p -> q", "1:6: error: an interval of delays"},
    {"tr t [2,w[ p -> q", "1:6: error: an interval of delays"},
    {"tr t [2;2] p -> q", "1:8: error: ';' has no meaning here"},
    {"tr t [99999999999999999999,1]", "1:7: error: the delay has to be a number"},
    {"tr t p*0 -> q", "1:10: error: an arc of weight 0"},
    {"tr t p*99999M ->", "1:8: error: the weight has to be a number"},
    {"pl p (3", "1:8: error: ')' is needed"},
    {"pl {p\n}", "1:4: error: the name has no '}' in its line"},
    {"pl {\xFF}", "1:4: error: the name holds bytes that are no text"},
    {"pl x\ntr x", "2:4: error: transition 'x': a place has this id already"},
    {"lb x y", "1:4: error: there is no place or transition 'x' above"},
    {"pr a > b\npr b > a", "2:9: error: the priorities form a ring"},
    {"pr a b", "1:7: error: '<' or '>' is needed"},
    {"# earshot: dance", "1:12: error: a line for earshot begins with"},
    {"# earshot: monitor t", "1:20: error: the name of a transition of the net is needed here, not 't'"},
    {"tr t\n# earshot: monitor t 5 4\n", "2:25: error: the longest mark is shorter"},
    {"tr t\n# earshot: monitor t 5 6 7\n", "2:26: error: nothing more was expected"},
    {"tr t [1,1]\n# earshot: untimed t", "2:21: error: 't' has a delay"},
    {"tr t p ->\ntr u q ->\n# earshot: route p -> u", "3:23: error: 'u' is no output of 'p'"},
    {"tr t p ->\n# earshot: route p -> t when p", "2:25: error: 'if' is needed"},
    {"tr t p ->\n# earshot: route p -> t if p from", "2:34: error: the name of a transition"},
    {"tr t\n# earshot: order t t", "2:20: error: 't' stands in the order twice"},
    {"tr t\n# earshot: process 99999 t", "2:20: error: the number of the process"},
};

START_TEST(is_refused)
{
    es_error err = {0};
    es_net *net = es_tina_read("f", refused[_i].text, strlen(refused[_i].text), &err);
    ck_assert_msg(!net, "was read: %s", refused[_i].text);
    ck_assert_msg(strncmp(err.text, "f:", 2) == 0 &&
                      strncmp(err.text + 2, refused[_i].message, strlen(refused[_i].message)) == 0,
                  "%s\n--- got\n%s\n--- wanted\n%s", refused[_i].text, err.text, refused[_i].message);
}
END_TEST

START_TEST(grammar)
{
    es_net *net =
        net_of("# a comment\nnet {a {net\\}}\n"
               "tr t1 : {a label} [4,4] p1 p2*2 -> p2 {p 3}*2K\n"
               "tr t1 -> p4 tr t2 [0,w[ p1->p1   # two in a line, and the first again: more arcs for it\n"
               "pl p1 (1)\npl p2 : two (3M) t2 -> t3*4\nlb p4 {old style}\nnt note 1 {text}\npr t2 > t1\npr t1 < t3");
    ck_assert_str_eq(net->id, "a {net}");
    ck_assert_uint_eq(net->transition_count, 3);
    ck_assert_uint_eq(net->place_count, 4);
    const es_net_transition *t1 = &net->transitions[0], *t2 = &net->transitions[1], *t3 = &net->transitions[2];
    ck_assert_str_eq(t1->name, "a label");
    ck_assert(t1->delay == 4 && t1->input_count == 2 && t1->output_count == 3 && t2->delay == 0);
    ck_assert(t2->priority < t1->priority && t3->priority < t1->priority);
    ck_assert_str_eq(net->places[2].id, "p 3");
    ck_assert_uint_eq(net->places[1].tokens, 3000000);
    ck_assert_str_eq(net->places[1].name, "two");
    ck_assert_str_eq(net->places[3].name, "old style");
    ck_assert_uint_eq(net->arcs[t3->input_arcs[0]].weight, 4);
    es_net_free(net);
}
END_TEST

START_TEST(lines_for_earshot)
{
    es_net *net =
        net_of("# earshot: monitor t 3 5\n# earshot: order u\n# earshot: tick {clock}\n" /* before what they name */
               "tr t p -> q\ntr u p -> q\npl p (1)\n"
               "# earshot: route p -> t if not q from t u to u last t and p\n# earshot: route p -> u # the rest\n"
               "# earshot: start p -> u\n# earshot: source t {m.c:1}\n# earshot: process 3 {work} t u\n"
               "# earshot: untimed u\n#earshot: this is a comment of somebody else\n");
    const es_net_place *p = &net->places[0];
    ck_assert(net->transitions[0].monitor && net->transitions[0].mark == 3 && net->transitions[0].mark_max == 5);
    ck_assert(net->transitions[1].priority < net->transitions[0].priority && net->transitions[1].untimed);
    ck_assert_str_eq(net->tick, "clock");
    ck_assert_str_eq(net->processes[3], "work");
    ck_assert_str_eq(net->transitions[0].source, "m.c:1");
    ck_assert(p->initial_route == 1 && p->rule_count == 2 && p->rules[0].condition_count == 2 &&
              !p->rules[1].condition_count);
    const es_net_condition *c = p->rules[0].conditions;
    ck_assert(c->absent && c->from.count == 2 && c->to.count == 1 && c->last.count == 1 && !c[1].absent &&
              c[1].place == 0);
    es_net_free(net);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create(".net");
    TCase *tests = tcase_create("reader");
    tcase_add_loop_test(tests, is_refused, 0, sizeof refused / sizeof *refused);
    tcase_add_test(tests, grammar);
    tcase_add_test(tests, lines_for_earshot);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
