/* Recovery by hand: lost marks, bounded memory, and traces and nets that do not fit. */
#include "check_main.h"
#include "recovered.h"

/* --- lost marks ----------------------------------------------------------------------------------------- */

/* Process 1 sends to process 0; process 2 is on its own. */
static const char three[] = "p s\np r\np o\np room\n"
                            "t work s=1 m=0 : s -> s1\nt send s=1 m=0 : s1 room -> s message\n"
                            "t recv s=0 m=0 : r message -> r1 room\nt use s=0 m=0 : r1 -> r\n"
                            "t tick s=2 m=0 : o -> o\n";

START_TEST(a_gap_ends_certainty_where_it_matters)
{
    es_net *net = net_of(three);
    es_net_recovery *recovery = recovery_of(net, &said, (es_net_recovery_options){0});
    ck_assert(push_all(recovery, net, "tick@5-1 work@10-2 send@12-1 tick@20-1", &err));
    const int32_t sender = 1;
    ck_assert(es_net_recovery_gap(recovery, &sender, 1, &err));
    /* The message sent before the gap is received with certainty. The sender goes on with the perturbation that it had
     * (3) and its later marks; what the receiver waits for from it is not known any more; the third process is not
     * concerned. */
    ck_assert(push_all(recovery, net, "recv@21-1 use@22 tick@30-1 work@40-2 recv@45 use@47-1 tick@50", &err));
    ck_assert(es_net_recovery_finish(recovery, false, &err));
    ck_assert_str_eq(
        said.text,
        "tick#1=4t work#1=8t send#1=9t tick#2=18t recv#1=17t use#1=18t tick#3=27t work#2=35l recv#2=41l use#2=42l "
        "tick#4=47t");
    es_net_recovery_free(recovery);
    es_net_free(net);
}
END_TEST

START_TEST(a_decision_on_a_lost_process_is_not_certain)
{
    es_net *net = net_of(LOOKING("", ""));
    es_net_recovery *recovery = recovery_of(net, &said, (es_net_recovery_options){0});
    ck_assert(push_all(recovery, net, "look@10 pass@11 send@20 look@22 take@23 look@30", &err));
    ck_assert(es_net_recovery_advance(recovery, 31, &err));
    ck_assert_str_eq(said.text, "look#1=10t send#1=20t pass#1=11t look#2=22t take#1=23t look#3=30t");
    ck_assert(es_net_recovery_gap(recovery, (const int32_t[]){1}, 1, &err));
    ck_assert(push_all(recovery, net, "take@33 look@40 pass@44", &err));
    ck_assert(es_net_recovery_finish(recovery, false, &err));
    ck_assert_ptr_nonnull(strstr(said.text, "look#3=30t take#2=33l look#4=40l pass#2=44l"));
    es_net_recovery_free(recovery);
    es_net_free(net);
}
END_TEST

/* The receiver's marks are lost from 13 to 19. How late it is then, is not known, but it was ready at 20 at the latest,
 * and waits for a message that comes at 98 without marks: 105 - 102 later it is received. It is the sender's second. */
START_TEST(a_wait_ends_the_doubt)
{
    es_net *net = net_of(three);
    es_net_recovery *recovery = recovery_of(net, &said, (es_net_recovery_options){0});
    const int32_t receiver = 0;
    ck_assert(push_all(recovery, net, "work@10-2 send@12-1", &err));
    ck_assert(es_net_recovery_gap(recovery, &receiver, 1, &err));
    ck_assert(push_all(recovery, net, "use@20-1 work@100-1 send@102 recv@105", &err));
    ck_assert(es_net_recovery_advance(recovery, 106, &err));
    ck_assert_str_eq(said.text, "work#1=8t send#1=9t use#1=19l work#2=96t send#2=98t recv#2=101t");
    ck_assert(es_net_recovery_doubt(recovery, receiver).again);
    ck_assert_int_eq(es_net_recovery_doubt(recovery, receiver).again_from, 101);
    /* `use` in between was lost, and that was not told: nothing is certain any more. */
    ck_assert(push_all(recovery, net, "recv@120 work@130", &err) && es_net_recovery_finish(recovery, false, &err));
    ck_assert_ptr_nonnull(strstr(said.text, "recv#2=101t recv#3=116l work#3=126l"));
    es_net_recovery_free(recovery);
    es_net_free(net);
}
END_TEST

START_TEST(a_gap_of_all_leaves_estimates)
{
    es_net *net = net_of(three);
    es_net_recovery *recovery = recovery_of(net, &said, (es_net_recovery_options){0});
    ck_assert(push_all(recovery, net, "tick@5-1", &err) && es_net_recovery_gap(recovery, NULL, 0, &err));
    ck_assert(push_all(recovery, net, "use@9-2 send@9 tick@10-1", &err) &&
              es_net_recovery_finish(recovery, false, &err));
    ck_assert_str_eq(said.text, "tick#1=4t send#1=9l use#1=7l tick#2=8l");
    es_net_recovery_free(recovery);
    es_net_free(net);
}
END_TEST

/* --- limits --------------------------------------------------------------------------------------------- */

/* After a change the observed run takes the message each time, and the recovered one passes each time, for which there
 * is only one occurrence: measurements of the one are given up, and that of the other is used again. */
START_TEST(pasting_is_bounded)
{
    es_net *net = net_of(LOOKING("", ""));
    es_net_recovery *recovery = recovery_of(net, &said, (es_net_recovery_options){.paste_limit = 4, .look_ahead = 20});
    ck_assert(push_all(recovery, net, "look@1 pass@2 send@20 look@22-12 take@25", &err));
    for (int i = 1; i <= 40; i++) {
        es_net_observation send = {0, 25 + i * 10, 0, 0}, look = {1, 26 + i * 10, 0, 0}, take = {2, 27 + i * 10, 0, 0};
        ck_assert(es_net_recovery_push(recovery, &send, &err) && es_net_recovery_push(recovery, &look, &err) &&
                  es_net_recovery_push(recovery, &take, &err));
    }
    es_net_recovery_totals totals;
    es_net_recovery_totals_get(recovery, &totals);
    ck_assert_ptr_nonnull(strstr(said.text, "cR"));
    ck_assert_uint_lt(totals.waiting, 20);
    ck_assert_uint_gt(totals.dropped + totals.recovered, 60);
    es_net_recovery_free(recovery);
    es_net_free(net);
}
END_TEST

/* A million events take no more memory than a thousand. */
START_TEST(memory_stays)
{
    es_net *net = net_of(LOOKING(" x=2", " x=2"));
    es_net_recovery *recovery = recovery_of(net, &said, (es_net_recovery_options){0});
    es_net_recovery_totals early = {0}, late;
    for (int64_t i = 0; i < 200000; i++) {
        said.text[0] = 0;
        es_net_observation events[] = {{1, i * 100 + 10, 2, 0},
                                       {3, i * 100 + 14, 1, 0},
                                       {0, i * 100 + 40, 1, 0},
                                       {1, i * 100 + 60, 2, 0},
                                       {2, i * 100 + 63, 1, 0}};
        for (size_t k = 0; k < 5; k++)
            ck_assert(es_net_recovery_push(recovery, &events[k], &err));
        if (i == 200)
            es_net_recovery_totals_get(recovery, &early);
    }
    es_net_recovery_totals_get(recovery, &late);
    ck_assert_uint_eq(early.memory, late.memory);
    ck_assert_uint_eq(late.observed, 1000000);
    ck_assert_uint_ge(late.recovered, 999990);
    ck_assert_uint_eq(late.by_class[ES_NET_TOTALLY], late.recovered);
    es_net_recovery_free(recovery);
    es_net_free(net);
}
END_TEST

/* A flag that one process toggles and nobody else asks about for long does not grow without bound once the asker cannot
 * be early any more. */
START_TEST(what_no_decision_needs_is_forgotten)
{
    es_net *net = net_of(
        "p low\np a\np b\nt up s=0 m=0 : low a -> high a1\nt down s=0 m=0 : high a1 -> low a\n"
        "t ask s=1 m=0 x=1 : b -> b1\nt yes s=1 m=0 : b1 -> b2\nt no s=1 m=0 : b1 -> b2\nt last s=1 m=0 : b2 -> b3\n"
        "r b1 yes high\nr b1 no\n");
    es_net_recovery *recovery = recovery_of(net, &said, (es_net_recovery_options){0});
    for (int64_t i = 0; i < 20000; i++) {
        said.text[0] = 0;
        es_net_observation up = {0, i * 10, 0, 0}, down = {1, i * 10 + 5, 0, 0};
        ck_assert(es_net_recovery_push(recovery, &up, &err) && es_net_recovery_push(recovery, &down, &err));
    }
    es_net_recovery_totals totals;
    es_net_recovery_totals_get(recovery, &totals);
    ck_assert_uint_lt(totals.memory, 100000);
    es_net_recovery_free(recovery);
    es_net_free(net);
}
END_TEST

/* --- what does not fit ---------------------------------------------------------------------------------- */

START_TEST(traces_that_do_not_fit_are_refused)
{
    static const struct {
        const char *events, *what;
    } wrong[] = {
        {"after@5", "place 'c' holds no token"},
        {"a@5 a@6", "place 'a0' holds no token"},
        {"a@5 b@4", "comes after time 5; events must be sorted"},
        {"a@5 join@7", "place 'b1' holds no token"},
        {"nobody@5", "is no monitor of the net"},
        {"a@9223372036854775807", "times reach from"},
    };
    es_net *net = net_of(meeting);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(strstr(recovered(net, wrong[i].events), wrong[i].what), "%s: %s", wrong[i].events, said.text);
    es_net_free(net);
    net = net_of("p a\nt t1 m=0 : a -> a b\nt t2 m=0 : b -> c\n");
    ck_assert_ptr_nonnull(strstr(recovered(net, "t1@1 t1@2"), "puts a second token on place 'b'"));
    es_net_free(net);
}
END_TEST

START_TEST(nets_that_violate_a_condition_are_refused)
{
    static const struct {
        const char *net, *what;
    } wrong[] = {
        {"p a\np b\nt u : a -> c\nt join m=0 : c b -> d\n",
         "C1: transition 'join' waits for several tokens, and transition 'u' puts one on place 'c'"},
        {"p a\nt u : a -> c\nt x m=0 : c -> d\nt y m=0 : c -> d\nr c x\n",
         "C2: place 'c' has several outputs and transition 'u' puts tokens there"},
        {"p a\np b\nt u : b -> q\nt v m=0 : q -> w\nt go m=0 : a -> c\nt x m=0 : c -> d\nt y m=0 : c -> d\nr c x q\nr "
         "c y\n",
         "C3: place 'c' decides by place 'q', where transition 'u' puts tokens"},
        {"p a\np b\nt u m=0 : b -> q\nt v d=1 : q -> w\nt go m=0 : a -> c\nt x m=0 : c -> d\nt y m=0 : c -> d\nr c x "
         "q\nr c y\n",
         "C3: place 'c' decides by place 'q', where transition 'v' takes tokens; make that a monitor or untimed"},
        {"p a\nt go m=0 : a -> c\nt x : c -> d\nt y m=0 : c -> d\n",
         "place 'c' is a choice that only a trace shows, and transition 'x'"},
        {"p a\np a\nt go m=0 : a -> c\n", "place 'a' begins with 2 tokens"},
        {"t clock : -> a\nt take m=0 : a ->\n", "transition 'clock' has no input place"},
        {"p a\np b\nt u s=0 : a -> c\nt v s=1 : b -> c\nt w s=2 m=0 : c -> d\n", "place 'c' joins processes 0 and 1"},
        {"p a\nt go m=0 : a a -> c\n", "between place 'a' and transition 'go' has weight 2"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        es_net *net = net_of(wrong[i].net);
        es_net_recovery_options none = {0};
        ck_assert_ptr_null(es_net_recovery_new(net, &none, &err));
        ck_assert_msg(strstr(err.text, wrong[i].what), "%s", err.text);
        ck_assert_int_eq(err.code, ES_USAGE);
        es_net_free(net);
    }
    es_net *net = net_of_unfinished("p a\nt go m=0 : a -> c\n");
    es_net_recovery_options none = {0};
    ck_assert_ptr_null(es_net_recovery_new(net, &none, &err));
    es_net_free(net);
}
END_TEST

/* An unobserved loop keeps its token, and nothing follows from it. */
START_TEST(unobserved_loops_end)
{
    es_net *net = net_of("p a\nt t1 m=0 : a -> b a1\nt u : b -> c\nt v : c -> b\nt t2 m=0 : a1 -> a2\n");
    ck_assert_str_eq(recovered(net, "t1@3-1 t2@5-1"), "t1#1=2t t2#1=3t");
    es_net_free(net);
}
END_TEST

/* Without its mark, `send` is at 20 as `look` is. Did the look come first? If `work` took less than 20, yes, by the
 * net's order; if it took all of them and `look` none, the work came last, and `send` before the look. The trace shows
 * both together only. So that nothing was there, is a guess, and what hangs on it possible; not what does not. */
#define LOOKING_AFTER(work) \
    "p c\np s\np o\n" \
    "t look s=0 m=0 : c1 -> at\n" \
    "t send s=1 m=0 : s -> message\n" \
    "t work s=0 " work ": c -> c1\n" \
    "t take s=0 m=0 : at message -> c s\n" \
    "t pass s=0 m=0 : at -> c\n" \
    "t other s=2 m=0 : o -> o1\nr at take message\nr at pass\n"

START_TEST(an_order_that_is_not_known_is_not_certain)
{
    es_net *net = net_of(LOOKING_AFTER(""));
    es_net_recovery *recovery = recovery_of(net, &said, (es_net_recovery_options){0});
    ck_assert(push_all(recovery, net, "look@20 pass@22 send@23-3 other@24 look@30 take@31", &err));
    ck_assert(es_net_recovery_finish(recovery, false, &err));
    ck_assert_str_eq(said.text, "look#1=20t send#1=20t pass#1=22pT other#1=24t look#2=30p take#1=31p");
    es_net_doubt doubt = es_net_recovery_doubt(recovery, 0);
    ck_assert_int_eq(doubt.reason, ES_NET_DOUBT_ORDER);
    ck_assert_int_eq(doubt.time, 22);
    ck_assert_str_eq(net->places[doubt.place].id, "at");
    ck_assert_int_eq(es_net_recovery_doubt(recovery, 1).reason, ES_NET_DOUBT_NONE);
    es_net_recovery_free(recovery);
    /* One tick later the order is known. */
    ck_assert_str_eq(recovered(net, "look@20 pass@22 send@24-3 look@30 take@31"),
                     "look#1=20t send#1=21t pass#1=22t look#2=30t take#1=31t");
    es_net_free(net);
    /* And where all steps are observed: tied, and certain. */
    net = net_of(LOOKING_AFTER("m=0 "));
    ck_assert_str_eq(recovered(net, "work@19 look@20 pass@22 send@23-3 work@25 look@30 take@31"),
                     "work#1=19t look#1=20t send#1=20t pass#1=22tT work#2=25t look#2=30t take#1=31t");
    es_net_free(net);
}
END_TEST

/* `send` waits for the first of two that come at 20, and for the other one: `y`, by the net's order, if `work` took less
 * than 20; otherwise `x`, and then it comes after `look` and not before it. */
START_TEST(nor_one_behind_a_wait)
{
    es_net *net = net_of("p c\np y0\np s\n"
                         "t x s=0 m=0 : c1 -> x1\n"
                         "t y s=1 m=0 : y0 -> y1\n"
                         "t send s=0 m=0 : x1 y1 -> message\n"
                         "t look s=2 m=0 : s -> at\n"
                         "t take s=2 m=0 : at message -> s1\n"
                         "t pass s=2 m=0 : at -> s1\n"
                         "t work s=0 : c -> c1\n"
                         "t end s=2 m=0 : s1 -> s2\n"
                         "r at take message\nr at pass\n");
    ck_assert_str_eq(recovered(net, "x@20 y@20 send@20 look@23-3 take@25 end@30"),
                     "x#1=20t y#1=20t send#1=20t look#1=20t take#1=22pT end#1=27p");
    /* A tick later it is known. */
    ck_assert_str_eq(recovered(net, "x@20 y@20 send@20 look@24-3 take@26 end@30"),
                     "x#1=20t y#1=20t send#1=20t look#1=21t take#1=23t end#1=27t");
    es_net_free(net);
}
END_TEST

/* Observed at one time, and neither `fast` nor `slow` is seen: which of them the 10 up to `end` belong to, is a guess by
 * the net's order, even if the recovered run, in which `send` is later, has no tie. Unless the pusher knows. */
START_TEST(nor_what_was_observed_at_one_time)
{
    es_net *net = net_of("p c\np s\n"
                         "t look s=0 m=0 : c1 -> at\n"
                         "t send s=1 m=0 : s -> message\n"
                         "t work s=0 : c -> c1\n"
                         "t fast s=0 : at -> d\n"
                         "t slow s=0 : at -> d\n"
                         "t end s=0 m=0 : d -> c\n"
                         "t ack s=1 m=0 : message -> s\n"
                         "r at fast message\nr at slow\n");
    const char *events = "look@20-5 send@20 end@30 look@40";
    ck_assert_str_eq(recovered_with(net, events, true, (es_net_recovery_options){0}),
                     "look#1=15t send#1=20t end#1=25pT look#2=35p");
    ck_assert_str_eq(recovered_with(net, events, true, (es_net_recovery_options){.in_order = true}),
                     "look#1=15t send#1=20t end#1=25t look#2=35t");
    es_net_free(net);
}
END_TEST

/* Who comes first of two at 10: `a`, or `b`, over a step that nobody sees. */
START_TEST(nor_an_order_of_arrivals)
{
    es_net *net = net_of("p a0\np b0\nt b s=1 m=0 : b1 -> in b2\nt a s=0 m=0 : a0 -> in a2\nt before s=1 : b0 -> b1\n"
                         "t get s=2 m=0 : in -> out\nt drop s=2 m=0 : out ->\n"
                         "t enda s=0 m=0 : a2 -> a3\nt endb s=1 m=0 : b2 -> b3\n");
    ck_assert_str_eq(recovered(net, "b@10 get@11 drop@12 a@13-3 get@14 drop@15 enda@30 endb@31"),
                     "b#1=10t a#1=10t get#1=11pT drop#1=12p get#2=11p drop#2=12p enda#1=27t endb#1=31t");
    ck_assert_str_eq(recovered(net, "b@10 get@11 drop@12 a@14-3 get@15 drop@16 enda@30 endb@31"),
                     "b#1=10t a#1=11t get#1=11t drop#1=12t get#2=12t drop#2=13t enda#1=27t endb#1=31t");
    es_net_free(net);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recovery limits");
    TCase *tests = tcase_create("recovery limits");
    tcase_set_timeout(tests, 30);
    const TTest *all[] = {a_gap_ends_certainty_where_it_matters,
                          a_decision_on_a_lost_process_is_not_certain,
                          a_wait_ends_the_doubt,
                          a_gap_of_all_leaves_estimates,
                          pasting_is_bounded,
                          memory_stays,
                          what_no_decision_needs_is_forgotten,
                          traces_that_do_not_fit_are_refused,
                          nets_that_violate_a_condition_are_refused,
                          unobserved_loops_end,
                          an_order_that_is_not_known_is_not_certain,
                          nor_one_behind_a_wait,
                          nor_what_was_observed_at_one_time,
                          nor_an_order_of_arrivals};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        tcase_add_test(tests, all[i]);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
