/* The model and the simulator: what they refuse, and the order of firings. The random nets of test_random hold the
 * simulator against a second one. */
#include "check_main.h"
#include "net_of.h"

#include <string.h>

static es_error err;

static char heard[4000];

static void hear(void *context, const es_net_firing *firing)
{
    const es_net *net = context;
    size_t used = strlen(heard);
    snprintf(heard + used, sizeof heard - used, "%s%s@%lld", used ? " " : "", net->transitions[firing->transition].id,
             (long long)firing->time);
}

/* Simulates up to `firings`; what fired, or the error. */
static const char *simulated(es_net *net, bool marks, uint64_t firings)
{
    es_net_engine_options options = {.marks = marks, .on_firing = hear, .context = net};
    heard[0] = 0;
    es_net_engine *engine = es_net_engine_new(net, &options, &err);
    if (!engine || !es_net_engine_run(engine, INT64_MAX, firings, &err)) {
        size_t used = strlen(heard);
        snprintf(heard + used, sizeof heard - used, "%serror: %s", used ? " " : "", err.text);
    }
    es_net_engine_free(engine);
    es_net_free(net);
    return heard;
}

START_TEST(marks_take_time_only_in_the_marked_run)
{
    const char *net = "p a0\nt t1 d=3 m=2 : a0 -> b\nt t2 d=4 : b -> a0\n";
    ck_assert_str_eq(simulated(net_of(net), false, 4), "t1@3 t2@7 t1@10 t2@14");
    ck_assert_str_eq(simulated(net_of(net), true, 4), "t1@5 t2@9 t1@14 t2@18");
}
END_TEST

/* At one time the smallest priority goes first, and what a firing enables takes part at once: x (3) before y (4), but y
 * enables v (1), which goes before z (5). */
START_TEST(one_time_has_one_order)
{
    ck_assert_str_eq(
        simulated(
            net_of("p a\np b\np c\nt v : b1 ->\nt w d=9 : d ->\nt x d=2 : a -> d\nt y d=2 : b -> b1\nt z d=2 : c ->\n"),
            false, 9),
        "x@2 y@2 v@2 z@2 w@11");
}
END_TEST

/* The decision sees the state before the firing: the token that `go` takes from q is still there. */
START_TEST(decisions_see_the_state_before_the_firing)
{
    ck_assert_str_eq(
        simulated(net_of("p a\np q\nt go d=1 : a q -> c\nt yes : c ->\nt no : c ->\nr c yes q\nr c no\n"), false, 9),
        "go@1 yes@1");
    ck_assert_str_eq(
        simulated(net_of("p a\nt go d=1 : a -> q c\nt yes : c ->\nt no : c ->\nr c yes q\nr c no\n"), false, 9),
        "go@1 no@1");
}
END_TEST

START_TEST(free_choices_take_turns)
{
    ck_assert_str_eq(simulated(net_of("p a\nt go d=1 : a -> b\nt left : b -> a\nt right : b -> a\n"), false, 6),
                     "go@1 left@1 go@2 right@2 go@3 left@3");
}
END_TEST

START_TEST(runs_can_be_cut)
{
    es_net *net = net_of("p a0\nt t1 d=3 : a0 -> b\nt t2 d=4 : b -> a0\n");
    es_net_engine_options options = {.on_firing = hear, .context = net};
    es_net_engine *engine = es_net_engine_new(net, &options, &err);
    heard[0] = 0;
    ck_assert(es_net_engine_run(engine, 7, 100, &err));
    ck_assert_str_eq(heard, "t1@3 t2@7");
    ck_assert_int_eq(es_net_engine_time(engine), 7);
    ck_assert_uint_eq(es_net_engine_tokens(engine, 0), 1);
    ck_assert(es_net_engine_run(engine, INT64_MAX, 1, &err));
    ck_assert_str_eq(heard, "t1@3 t2@7 t1@10");
    ck_assert_uint_eq(es_net_engine_firings(engine), 3);
    ck_assert_uint_eq(es_net_engine_fired(engine, 0), 2);
    ck_assert(!es_net_engine_dead(engine));
    es_net_engine_free(engine);
    es_net_free(net);
}
END_TEST

START_TEST(nets_that_cannot_run_say_why)
{
    ck_assert_str_eq(
        simulated(net_of("p a\nt go d=1 : a -> a b\n"), false, 9),
        "go@1 go@2 error: place 'b' gets a second token at time 2, from transition 'go': the net is not safe");
    ck_assert_str_eq(
        simulated(net_of("p a\nt go d=1 : a -> c\nt yes : c ->\nt no : c ->\nr c yes q\n"), false, 9),
        "go@1 error: place 'c': no rule routes the token that comes at time 1; add one without conditions");
    ck_assert_ptr_nonnull(
        strstr(simulated(net_of("p a\nt go d=1 : a a -> c\n"), false, 9), "has weight 2; only ordinary nets"));
    ck_assert_ptr_nonnull(strstr(simulated(net_of("p a\np a\nt go d=1 : a -> c\n"), false, 9), "begins with 2 tokens"));
    ck_assert_ptr_nonnull(
        strstr(simulated(net_of("p a\nt go d=2000000000000000000 : a -> a\n"), false, 9), "would fire later than"));
    ck_assert_ptr_nonnull(
        strstr(simulated(net_of_unfinished("p a\nt go : a -> a\n"), false, 9), "was changed and not finished"));
    es_net *net = net_of("p a\nt go : a -> a\n");
    es_net_engine_options none = {0};
    es_net_engine *engine = es_net_engine_new(net, &none, &err);
    ck_assert(!es_net_engine_run(engine, 10, UINT64_MAX, &err));
    ck_assert_str_eq(err.text,
                     "time does not advance at 0: transition 'go' is in a loop that takes no time; give it a delay");
    es_net_engine_free(engine);
    es_net_free(net);
}
END_TEST

/* --- the model ------------------------------------------------------------------------------------------ */

START_TEST(nodes_have_ids_of_their_own)
{
    es_net *net = es_net_new(NULL);
    ck_assert_uint_eq(es_net_place_add(net, "a", "the name", 0, "x.c:3", &err), 0);
    ck_assert_uint_eq(es_net_place_add(net, "a", NULL, 0, NULL, &err), ES_NET_NONE);
    ck_assert_str_eq(err.text, "place 'a': a place has this id already; rename one of them");
    ck_assert_uint_eq(es_net_transition_add(net, "a", NULL, 0, NULL, &err), ES_NET_NONE);
    ck_assert_uint_eq(es_net_transition_add(net, "", NULL, 0, NULL, &err), ES_NET_NONE);
    ck_assert_str_eq(err.text, "a transition has no id; each needs one of its own");
    ck_assert_uint_eq(es_net_transition_add(net, "t", NULL, 0, NULL, &err), 0);
    ck_assert_str_eq(net->places[0].name, "the name");
    ck_assert_str_eq(net->places[0].source, "x.c:3");
    ck_assert_str_eq(net->transitions[0].name, "t");
    char id[16];
    for (int i = 0; i < 1000; i++) {
        snprintf(id, sizeof id, "n%d", i);
        ck_assert_uint_ne(i & 1 ? es_net_place_add(net, id, NULL, 0, NULL, &err)
                                : es_net_transition_add(net, id, NULL, 0, NULL, &err),
                          ES_NET_NONE);
    }
    ck_assert_uint_eq(es_net_place_find(net, "n999"), 500);
    ck_assert_uint_eq(es_net_transition_find(net, "n998"), 500);
    ck_assert_uint_eq(es_net_place_find(net, "n998"), ES_NET_NONE);
    ck_assert_uint_eq(es_net_place_find(net, "nobody"), ES_NET_NONE);
    es_net_free(net);
}
END_TEST

START_TEST(parallel_arcs_become_one)
{
    es_net *net = net_of("p a\nt t1 : a a b -> c\n");
    ck_assert_uint_eq(net->arc_count, 3);
    ck_assert_uint_eq(net->transitions[0].input_count, 2);
    ck_assert_uint_eq(net->arcs[net->transitions[0].input_arcs[0]].weight, 2);
    ck_assert_uint_eq(net->places[0].outputs[0], 0);
    ck_assert_uint_eq(net->places[2].inputs[0], 0);
    ck_assert_uint_eq(net->places[2].output_count, 0);
    ck_assert(!es_net_arc_in(net, 0, 0, 0, &err));
    ck_assert(!es_net_arc_in(net, 7, 0, 1, &err));
    ck_assert(!es_net_arc_out(net, 7, 0, 1, &err));
    es_net_free(net);
}
END_TEST

static void refused(es_net *net, const char *what)
{
    ck_assert(!es_net_finish(net, &err));
    ck_assert_msg(strstr(err.text, what), "%s", err.text);
    ck_assert_int_eq(err.code, ES_USAGE);
    es_net_free(net);
}

START_TEST(nets_that_make_no_sense_are_refused)
{
    refused(net_of_unfinished("p a\nt x : a ->\nt y : b ->\nr a y\n"),
            "a rule of place 'a' routes to transition 'y', which is no output of it");
    refused(net_of_unfinished("p a\nt x d=-4 : a ->\n"), "transition 'x' takes -4 ticks");
    refused(net_of_unfinished("p a\nt x d=4 u : a ->\n"), "transition 'x' is untimed, and takes 4 ticks");
    refused(net_of_unfinished("p a\nt x m=-2 : a ->\n"), "the mark of transition 'x' takes -2 ticks");
    refused(net_of_unfinished("p a\nt x s=-7 : a ->\n"), "transition 'x' is of process -7");
    es_net *net = net_of_unfinished("p a\nt x : a ->\nt y : a ->\n");
    net->transitions[1].priority = 1;
    refused(net, "transitions 'x' and 'y' both have priority 1");
    net = net_of_unfinished("p a\nt x : a ->\nt y : b ->\n");
    net->places[0].initial_route = 1;
    refused(net, "the initial token of place 'a' is routed to transition number 1");
    net = net_of_unfinished("p a\nt x : a ->\n");
    net->transitions[0].mark = 5;
    refused(net, "transition 'x' is no monitor, and its mark takes 5 ticks");
    net = net_of_unfinished("p a\nt x : a ->\n");
    es_net_condition nowhere = {.place = 9};
    ck_assert(es_net_rule_add(net, 0, 0, &nowhere, 1, &err));
    refused(net, "a rule of place 'a' names place 9");
    net = net_of_unfinished("p a\nt x : a ->\n");
    const uint32_t seven = 7;
    es_net_condition unknown = {.place = 0, .from = {&seven, 1}};
    ck_assert(es_net_rule_add(net, 0, 0, &unknown, 1, &err));
    ck_assert(!es_net_rule_add(net, 9, 0, NULL, 0, &err) && !es_net_monitor(net, 9, 0, 0, &err) &&
              !es_net_process_name(net, -1, "x", &err));
    refused(net, "a rule of place 'a' names transition 7");
}
END_TEST

START_TEST(controls_are_collected)
{
    es_net *net = net_of("p a\nt x : a ->\nt y : a ->\nr a x q1 !q0\nr a y q1\n");
    uint32_t q1 = es_net_place_find(net, "q1"), q0 = es_net_place_find(net, "q0");
    ck_assert_uint_eq(net->places[0].control_count, 2);
    ck_assert_uint_eq(net->places[0].controls[0], q1 < q0 ? q1 : q0);
    ck_assert_uint_eq(net->places[0].controls[1], q1 < q0 ? q0 : q1);
    ck_assert(es_net_process_name(net, 2, "third", &err));
    ck_assert_uint_eq(net->process_count, 3);
    ck_assert_ptr_null(net->processes[0]);
    ck_assert_str_eq(net->processes[2], "third");
    es_net_free(net);
}
END_TEST

static int64_t later(void *context, uint32_t transition, uint64_t number)
{
    const es_net *net = context;
    (void)number;
    return net->transitions[transition].monitor ? ES_NET_LATER : net->transitions[transition].delay;
}

static uint32_t undecided(void *context, uint32_t place, uint64_t number)
{
    (void)context;
    (void)place;
    (void)number;
    return ES_NET_CHOSEN_LATER;
}

/* b's token comes at 5 and waits for a choice that is told when 20 is over: y is enabled since 5 then. */
START_TEST(delays_and_choices_may_be_told_later)
{
    es_net *net = net_of("p a\np e\nt s d=5 : a -> b\nt x m=1 : b -> c\nt y m=2 : b -> c\nt z d=3 : c ->\nt w d=20 : e "
                         "->\n");
    uint32_t b = es_net_place_find(net, "b"), x = es_net_transition_find(net, "x"),
             y = es_net_transition_find(net, "y");
    es_net_engine_options options = {
        .marks = true, .delay = later, .choose = undecided, .on_firing = hear, .context = net};
    heard[0] = 0;
    es_net_engine *engine = es_net_engine_new(net, &options, &err);
    ck_assert(engine && es_net_engine_run(engine, 20, UINT64_MAX, &err));
    ck_assert_str_eq(heard, "s@5 w@20");
    ck_assert(!es_net_engine_chooses(engine, b, es_net_transition_find(net, "z"), &err));
    ck_assert(strstr(err.text, "no output of it") != NULL);
    ck_assert(es_net_engine_fires(engine, y, 30, 2, &err)); /* does not wait yet: nothing */
    ck_assert_int_eq(es_net_engine_enabled(engine, y), -1);
    /* the second: nothing */
    ck_assert(es_net_engine_chooses(engine, b, y, &err) && es_net_engine_chooses(engine, b, x, &err));
    ck_assert_int_eq(es_net_engine_enabled(engine, y), 5);
    ck_assert_int_eq(es_net_engine_enabled(engine, x), -1);
    ck_assert(!es_net_engine_fires(engine, y, 19, 2, &err));  /* that is past */
    ck_assert(!es_net_engine_fires(engine, y, 22, 18, &err)); /* its mark would have begun at 4 */
    ck_assert(strstr(err.text, "enabled since 5") != NULL);
    ck_assert(es_net_engine_fires(engine, y, 22, 17, &err) && es_net_engine_run(engine, 100, UINT64_MAX, &err));
    ck_assert_str_eq(heard, "s@5 w@20 y@22 z@25");
    es_net_engine_free(engine);
    es_net_free(net);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("engine");
    TCase *tests = tcase_create("engine");
    tcase_set_timeout(tests, 60);
    const TTest *all[] = {
        marks_take_time_only_in_the_marked_run,
        one_time_has_one_order,
        decisions_see_the_state_before_the_firing,
        free_choices_take_turns,
        runs_can_be_cut,
        nets_that_cannot_run_say_why,
        nodes_have_ids_of_their_own,
        parallel_arcs_become_one,
        nets_that_make_no_sense_are_refused,
        controls_are_collected,
        delays_and_choices_may_be_told_later,
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        tcase_add_test(tests, all[i]);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
