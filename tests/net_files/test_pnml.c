/* The PNML reader: what it takes from files in the forms that other tools write, and what it refuses, with its
 * place. */
#include "check_main.h"
#include "compare.h"
#include "net/formats/pnml.h"
#include "net/formats/pnml_tree.h"

#define BEGIN "<pnml><net id=\"n\" type=\"ptnet\"><page id=\"g\">\n" /* what is between begins in line 2 */
#define END "\n</page></net></pnml>\n"
#define NODES "<place id=\"p\"/><place id=\"q\"/><transition id=\"t\"/><transition id=\"u\"/>\n"
#define ARCS "<arc id=\"a\" source=\"p\" target=\"t\"/><arc id=\"b\" source=\"p\" target=\"u\"/>\n"
#define TOOL(text) "<toolspecific tool=\"earshot\" version=\"1\">" text "</toolspecific>"

static const struct {
    const char *text, *message; /* message: "line:column: error: ..." or how it begins */
} refused[] = {
    {"", "1:1: error: this is not XML"},
    {"<pnml>", "1:7: error: this is not XML"},
    {"<pnml>\n<net></pnml>", "2:"},
    {"\xFF\xFE<pnml/>", "1:1: error: this is not XML"},
    {"<html/>", "1:1: error: this is not PNML"},
    {"<pnml/>", "1:1: error: this is not PNML"},
    {"<pnml><net id=\"n\" type=\"ptnet\"/>\n  <net id=\"m\"/></pnml>", "2:3: error: a second net"},
    {"<pnml>\n<net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/highlevelnet\"/></pnml>",
     "2:1: error: a net of type"},
    {"<!DOCTYPE pnml [<!ENTITY a \"aaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><pnml>&b;</pnml>",
     "1:38: error: declares the entity 'a'"},
    {"<!DOCTYPE pnml [<!ENTITY % x SYSTEM \"file:///etc/passwd\"> %x;]><pnml/>",
     "1:57: error: declares the entity 'x'"},
    {"<!DOCTYPE pnml [<!ATTLIST place a CDATA \"b\">]><pnml/>", "1:44: error: declares the attribute 'a' of 'place'"},
    {"<pnml>&unknown;</pnml>", "1:16: error: this is not XML"},
    {BEGIN "<place/>" END, "2:1: error: <place> needs an id"},
    {BEGIN "<place id=\"p\"/>\n  <transition\n  id=\"p\"/>" END,
     "3:3: error: transition 'p': a place has this id already"},
    {BEGIN "<place id=\"p\"/><referencePlace id=\"p\" ref=\"p\"/>" END,
     "2:16: error: the id 'p' is taken already, in line 2"},
    {BEGIN NODES "<arc id=\"a\" source=\"p\" target=\"nobody\"/>" END,
     "3:1: error: there is no node with the id 'nobody'"},
    {BEGIN NODES "<arc id=\"a\" source=\"p\" target=\"q\"/>" END, "3:1: error: the arc connects two places"},
    {BEGIN NODES "<arc id=\"a\" source=\"t\" target=\"u\"/>" END, "3:1: error: the arc connects two transitions"},
    {BEGIN NODES "<arc id=\"a\" target=\"u\"/>" END, "3:1: error: <arc> needs a source and a target"},
    {BEGIN NODES "<arc id=\"a\" source=\"p\" target=\"u\"><inscription><text>0</text></inscription></arc>" END,
     "3:1: error: inscription has to be a number from 1"},
    {BEGIN NODES "<arc id=\"a\" source=\"p\" target=\"u\" type=\"reset\"/>" END, "3:1: error: an arc of type 'reset'"},
    {BEGIN NODES "<arc id=\"a\" source=\"p\" target=\"u\"><type value=\"inhibitor\"/></arc>" END,
     "3:1: error: an arc of type"},
    {BEGIN "<referencePlace id=\"a\" ref=\"b\"/><referencePlace id=\"b\" ref=\"a\"/><transition id=\"t\"/>\n"
           "<arc id=\"x\" source=\"a\" target=\"t\"/>" END,
     "3:1: error: there is no node with the id 'a'"},
    {BEGIN "<place id=\"p\"><initialMarking><text>-1</text></initialMarking></place>" END,
     "2:1: error: initialMarking has to be"},
    {BEGIN "<place id=\"p\"><initialMarking><text>99999999999999999999</text></initialMarking></place>" END,
     "2:1: error:"},
    {BEGIN "<place id=\"p\"><initialMarking><value>Red,1,Blue,2</value></initialMarking></place>" END,
     "2:1: error: tokens of several colours"},
    {BEGIN "<place id=\"p\"><capacity><value>3</value></capacity></place>" END, "2:15: error: <capacity> in <place>"},
    {BEGIN "<transition id=\"t\"><condition><text>x > 1</text></condition></transition>" END,
     "2:20: error: <condition>"},
    {BEGIN "<transition id=\"t\"><mystery/></transition>" END, "2:20: error: <mystery> in <transition> is not known"},
    {BEGIN "<transition id=\"t\"><delay><interval "
           "closure=\"closed\"><cn>1</cn><cn>2</cn></interval></delay></transition>" END,
     "2:27: error: an interval of delays"},
    {BEGIN "<place id=\"p\">"
           "<toolspecific tool=\"earshot\" version=\"9\"/></place>" END,
     "2:15: error: the section for earshot"},
    {BEGIN "<transition id=\"t\">" TOOL("<colour/>") "</transition>" END, "2:61: error: <colour>"},
    {BEGIN "<transition id=\"t\">" TOOL("<timing delay=\"-1\"/>") "</transition>" END, "2:61: error: delay has to be"},
    {BEGIN "<transition id=\"t\">" TOOL("<timing delay=\"1\" untimed=\"true\"/>") "</transition>" END,
     "2:61: error: an untimed"},
    {BEGIN "<transition id=\"t\">" TOOL("<timing untimed=\"yes\"/>") "</transition>" END,
     "2:61: error: untimed has to be"},
    {BEGIN "<transition id=\"t\">" TOOL("<monitor mark=\"5\" markMax=\"4\"/>") "</transition>" END,
     "2:61: error: markMax"},
    {BEGIN "<transition id=\"t\">" TOOL("<timing priority=\"1\"/>") "</transition>\n"
                                                                    "<transition id=\"u\">" TOOL(
                                                                        "<timing priority=\"1\"/>") "</transition>" END,
     "3:1: error: priority 1 is taken"},
    {BEGIN NODES ARCS "<place id=\"r\">" TOOL("<rule to=\"t\"/>") "</place>" END,
     "4:56: error: transition 't' is no output"},
    {BEGIN NODES ARCS "<place id=\"r\">" TOOL("<rule to=\"q\"/>") "</place>" END,
     "4:56: error: there is no transition with"},
    {BEGIN NODES "<place id=\"r\">" TOOL(
         "<rule to=\"t\"><when place=\"t\"/></rule>") "</place>"
                                                      "<arc id=\"a\" source=\"r\" target=\"t\"/>" END,
     "3:69: error: there is no place with the id 't'"},
};

START_TEST(is_refused)
{
    es_error err = {0};
    es_net *net = es_pnml_read("f", refused[_i].text, strlen(refused[_i].text), &err);
    ck_assert_msg(!net, "was read: %s", refused[_i].text);
    ck_assert_int_eq(err.code, ES_USAGE);
    ck_assert_msg(strncmp(err.text, "f:", 2) == 0 &&
                      strncmp(err.text + 2, refused[_i].message, strlen(refused[_i].message)) == 0,
                  "%s\n--- got\n%s\n--- wanted\n%s", refused[_i].text, err.text, refused[_i].message);
}
END_TEST

static es_net *load(const char *name)
{
    es_error err = {0};
    es_arena *arena = es_arena_new();
    es_net *net = es_net_load(es_arena_format(arena, "tests/net_files/nets/%s", name), &err);
    es_arena_free(arena);
    ck_assert_msg(net, "%s", err.text);
    return net;
}

START_TEST(pages_and_references)
{
    es_net *net = load("pages.pnml");
    ck_assert_str_eq(net->name, "A shop on two pages");
    ck_assert_uint_eq(net->place_count, 2);
    ck_assert_uint_eq(net->transition_count, 2);
    ck_assert_uint_eq(net->arc_count, 4);
    uint32_t waiting = es_net_place_find(net, "waiting"), done = es_net_place_find(net, "done");
    ck_assert_str_eq(net->places[waiting].name, "customer & list");
    ck_assert_uint_eq(net->places[waiting].tokens, 1);
    ck_assert_uint_eq(net->places[done].inputs[0], es_net_transition_find(net, "serve")); /* over two references */
    ck_assert_uint_eq(net->places[waiting].inputs[0], es_net_transition_find(net, "again"));
    es_net_free(net);
}
END_TEST

START_TEST(older_files)
{
    es_net *net = load("values-utf16.xml"); /* the same, as editors of Windows write it */
    ck_assert_str_eq(net->places[0].name, "T\xC3\xBCr");
    ck_assert_uint_eq(net->arc_count, 2);
    es_net_free(net);
    net = load("values.xml");
    ck_assert_str_eq(net->places[0].name, "T\xC3\xBCr");
    ck_assert_uint_eq(net->places[0].tokens, 1);
    ck_assert_uint_eq(net->places[1].tokens, 0);
    ck_assert_uint_eq(net->arc_count, 2);
    es_net_free(net);
    net = load("interval.pnml");
    ck_assert_int_eq(net->transitions[0].delay, 9);
    ck_assert_int_eq(net->transitions[1].delay, 0);
    es_net_free(net);
}
END_TEST

START_TEST(files_that_are_refused)
{
    static const char *const names[][2] = {
        {"coloured.pnml", "coloured.pnml:3:3: error: a net of type"},
        {"inhibitor.pnml", "inhibitor.pnml:7:7: error: an arc of type 'inhibitor'"},
        {"timed_arcs.tapn", "timed_arcs.tapn: is a timed-arc net by its name"},
        {"timed_arcs.xml", "timed_arcs.xml:4:5: error: this is a timed-arc net"},
        {"stochastic.xml", "stochastic.xml:6:1: error: <timed> in <transition> makes a transition stochastic"},
    };
    es_error err = {0};
    es_arena *arena = es_arena_new();
    ck_assert(!es_net_load(es_arena_format(arena, "tests/net_files/nets/%s", names[_i][0]), &err));
    ck_assert_msg(strstr(err.text, names[_i][1]), "%s", err.text);
    es_arena_free(arena);
}
END_TEST

/* Our own section: everything that it can say. */
START_TEST(own_section)
{
    /* clang-format off */
    static const char text[] =
        BEGIN "<place id=\"p\"><initialMarking><text>1</text></initialMarking>"
              TOOL("<source>m.c:3</source><initialRoute to=\"u\"/>"
                   "<rule to=\"t\"><when place=\"q\" absent=\"true\"/>"
                   "<when place=\"p\"><from ref=\"u\"/><from ref=\"t\"/><to ref=\"t\"/><last ref=\"u\"/></when></rule>"
                   "<rule to=\"u\"/>")
              "</place><place id=\"q\"/>"
              "<transition id=\"t\">" TOOL("<original id=\" a b \"/><timing delay=\"7\" priority=\"9\" process=\"2\"/>"
                                           "<monitor mark=\"3\" markMax=\"4\"/>") "</transition>"
              "<transition id=\"u\">" TOOL("<timing untimed=\"true\" priority=\"4\"/>") "</transition>" ARCS END;
    /* clang-format on */
    es_error err = {0};
    es_net *net = es_pnml_read("f", text, strlen(text), &err);
    ck_assert_msg(net, "%s", err.text);
    const es_net_transition *t = &net->transitions[0], *u = &net->transitions[1];
    const es_net_place *p = &net->places[0];
    ck_assert_str_eq(t->id, " a b ");
    ck_assert(t->delay == 7 && t->process == 2 && t->monitor && t->mark == 3 && t->mark_max == 4 && !t->untimed);
    ck_assert(u->untimed && !u->monitor && u->process == ES_NET_NO_PROCESS && u->priority < t->priority);
    ck_assert_str_eq(p->source, "m.c:3");
    ck_assert(p->initial_route == 1 && p->rule_count == 2 && p->rules[0].condition_count == 2 &&
              p->rules[1].condition_count == 0);
    ck_assert(p->rules[0].conditions[0].absent && p->rules[0].conditions[0].place == 1);
    const es_net_condition *c = &p->rules[0].conditions[1];
    ck_assert(c->from.count == 2 && c->from.transitions[0] == 0 && c->to.count == 1 && c->last.transitions[0] == 1);
    es_net_free(net);
}
END_TEST

/* Deep nesting and floods of elements end with a message, in time. */
START_TEST(limits)
{
    es_text_buffer text = {0};
    es_error err = {0};
    es_text_format(&text, "<pnml><net id=\"n\">");
    for (int i = 0; i < 200; i++)
        es_text_format(&text, "<page id=\"p%d\">", i);
    ck_assert(!es_pnml_read("f", text.text, text.length, &err));
    ck_assert_msg(strstr(err.text, "nested deeper than 64"), "%s", err.text);
    es_text_clear(&text);
    es_text_format(&text, "<pnml><net id=\"n\">");
    for (unsigned i = 0; i <= ES_PNML_ELEMENTS_MAX; i++)
        es_text_add(&text, "<a/>", 4);
    ck_assert(!es_pnml_read("f", text.text, text.length, &err));
    ck_assert_msg(strstr(err.text, "more than 4194304 elements"), "%s", err.text);
    es_text_free(&text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("PNML");
    TCase *tests = tcase_create("reader");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, is_refused, 0, sizeof refused / sizeof *refused);
    tcase_add_loop_test(tests, files_that_are_refused, 0, 5);
    tcase_add_test(tests, pages_and_references);
    tcase_add_test(tests, older_files);
    tcase_add_test(tests, own_section);
    tcase_add_test(tests, limits);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
