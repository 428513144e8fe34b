/* Conditions: each violation at its place and transition; the marks to add are enough and none of them is too many. */
#include "check_main.h"
#include "compare.h"
#include "net/analysis/conditions.h"

/* Nets, and what is wrong with them: "requirement transition place other", one a line, then the marks. */
static const struct {
    const char *net, *violations, *marks;
} cases[] = {
    {"tr t p -> q tr u q -> p pl p (1)", "", ""},
    {"tr t p*2 -> q pl p (1)", "ordinary t p -\n", ""},
    /* C1: t and u put tokens where s waits for both */
    {"tr t a -> b tr u c -> d tr s b d -> a c pl a (1) pl c (1)", "C1 t b s\nC1 u d s\n", "t u"},
    {"tr t a -> b tr u c -> d tr s b d -> a c pl a (1) pl c (1)\n# earshot: monitor u", "C1 t b s\n", "t"},
    /* C2, and the routing rules: a last one without conditions is missing */
    {"tr t a -> p tr x p -> a tr y p -> a pl a (1)\n# earshot: monitor x\n# earshot: monitor y", "C2 t p -\n", "t"},
    {"tr t a -> p tr x p -> a tr y p -> a pl a (1)\n# earshot: monitor t\n# earshot: route p -> x if a\n",
     "routing - p -\nC3 x a p\nC3 y a p\n", "x y"},
    {"tr t a -> p tr x p -> a tr y p -> a pl a (1)\n# earshot: monitor t\n"
     "# earshot: route p -> x if a\n# earshot: route p -> y if not a",
     "C3 x a p\nC3 y a p\n", "x y"},
    /* rules that look complete and are not, for `from` makes them special */
    {"tr t a -> p tr x p -> a tr y p -> a pl a (1)\n# earshot: monitor t\n# earshot: monitor x\n# earshot: monitor y\n"
     "# earshot: route p -> x if a from x\n# earshot: route p -> y if a from y",
     "routing - p -\n", ""},
    {"tr t a -> p tr x p -> a tr y p -> a pl a (1)\n# earshot: monitor t\n# earshot: monitor x\n# earshot: monitor y\n"
     "# earshot: route p -> x if a from x\n# earshot: route p -> y if not a from x",
     "", ""},
    /* C3 at q, which decides at p: upstream i, downstream o; C3' when o is untimed */
    {"tr t a -> p tr x p -> a tr y p -> a tr i b -> q tr o [1,1] q -> b pl a (1) pl b (1)\n# earshot: monitor t\n"
     "# earshot: route p -> x if q\n# earshot: route p -> y",
     "C3 i q p\nC3 o q p\n", "i o"},
    {"tr t a -> p tr x p -> a tr y p -> a tr i b -> q tr o q -> b pl a (1) pl b (1)\n# earshot: monitor t\n# earshot: "
     "untimed o\n"
     "# earshot: route p -> x if q\n# earshot: route p -> y",
     "C3 i q p\n", "i"},
    /* free choice: the trace has to show it */
    {"tr t a -> p tr x p -> a tr y p -> a pl a (1)\n# earshot: monitor t\n# earshot: monitor y", "free x p -\n", "x"},
};

static void put_findings(const es_net *net, const es_net_findings *f, es_text_buffer *violations, es_text_buffer *marks)
{
    for (size_t i = 0; i < f->count; i++) {
        const es_net_violation *v = &f->violations[i];
        const char *other = v->sync != ES_NET_NONE      ? net->transitions[v->sync].id
                            : v->chooser != ES_NET_NONE ? net->places[v->chooser].id
                                                        : "-";
        es_text_format(violations, "%s %s %s %s\n", es_net_requirement_name(v->requirement),
                       v->transition == ES_NET_NONE ? "-" : net->transitions[v->transition].id,
                       net->places[v->place].id, other);
    }
    for (size_t i = 0; i < f->mark_count; i++)
        es_text_format(marks, i ? " %s" : "%s", net->transitions[f->marks[i]].id);
}

START_TEST(is_found)
{
    es_arena *arena = es_arena_new();
    es_net *net = net_of(cases[_i].net);
    es_net_findings f = es_net_check(net, arena);
    es_text_buffer violations = {0}, marks = {0};
    es_text_add(&violations, "", 0);
    es_text_add(&marks, "", 0);
    put_findings(net, &f, &violations, &marks);
    ck_assert_str_eq(violations.text, cases[_i].violations);
    ck_assert_str_eq(marks.text, cases[_i].marks);
    for (size_t i = 0; i < f.count; i++) { /* the sentence names both */
        const char *text = es_net_violation_text(net, &f.violations[i], arena);
        ck_assert(strstr(text, net->places[f.violations[i].place].id));
        ck_assert(f.violations[i].transition == ES_NET_NONE ||
                  strstr(text, net->transitions[f.violations[i].transition].id));
    }
    es_text_free(&violations);
    es_text_free(&marks);
    es_net_free(net);
    es_arena_free(arena);
}
END_TEST

static es_net *random_net(uint64_t seed)
{
    es_net *net = es_net_new(NULL);
    es_arena *arena = es_arena_new();
    uint32_t places = 2 + next_number(&seed, 6), transitions = 2 + next_number(&seed, 6);
    for (uint32_t i = 0; i < places; i++)
        es_net_place_add(net, es_arena_format(arena, "p%u", i), NULL, next_number(&seed, 2), NULL, NULL);
    for (uint32_t i = 0; i < transitions; i++) {
        es_net_transition_add(net, es_arena_format(arena, "t%u", i), NULL, 0, NULL, NULL);
        net->transitions[i].untimed = next_number(&seed, 3) == 0;
        if (next_number(&seed, 3) == 0)
            es_net_monitor(net, i, 1, ES_NET_UNKNOWN, NULL);
        for (uint32_t k = 1 + next_number(&seed, 2); k-- > 0;)
            es_net_arc_in(net, next_number(&seed, places), i, 1, NULL);
        for (uint32_t k = 1 + next_number(&seed, 2); k-- > 0;)
            es_net_arc_out(net, i, next_number(&seed, places), 1, NULL);
    }
    ck_assert(es_net_finish(net, NULL));
    for (uint32_t p = 0; p < places; p++) {
        es_net_condition condition = {.place = next_number(&seed, places)};
        if (net->places[p].output_count > 1 && next_number(&seed, 2)) {
            es_net_rule_add(net, p, net->places[p].outputs[0], &condition, 1, NULL);
            es_net_rule_add(net, p, net->places[p].outputs[1], NULL, 0, NULL);
        }
    }
    ck_assert(es_net_finish(net, NULL));
    es_arena_free(arena);
    return net;
}

static size_t demands(const es_net_findings *f)
{
    size_t count = 0;
    for (size_t i = 0; i < f->count; i++)
        count += f->violations[i].requirement != ES_NET_ORDINARY && f->violations[i].requirement != ES_NET_ROUTING;
    return count;
}

START_TEST(marks_are_enough_and_not_too_many)
{
    uint32_t added = 0;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        es_arena *arena = es_arena_new();
        es_net *net = random_net(seed);
        es_net_findings before = es_net_check(net, arena);
        for (size_t i = 0; i < before.mark_count; i++)
            net->transitions[before.marks[i]].monitor = true;
        es_net_findings after = es_net_check(net, arena);
        ck_assert_msg(demands(&after) == 0 && after.mark_count == 0, "seed %llu: not enough", (unsigned long long)seed);
        for (size_t i = 0; i < before.mark_count; i++, added++) {
            net->transitions[before.marks[i]].monitor = false;
            es_net_findings without = es_net_check(net, arena);
            ck_assert_msg(demands(&without) > 0, "seed %llu: too many", (unsigned long long)seed);
            net->transitions[before.marks[i]].monitor = true;
        }
        es_net_free(net);
        es_arena_free(arena);
    }
    ck_assert_uint_gt(added, 1000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("conditions");
    TCase *tests = tcase_create("conditions");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, is_found, 0, sizeof cases / sizeof *cases);
    tcase_add_test(tests, marks_are_enough_and_not_too_many);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
