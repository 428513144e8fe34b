/* Computed steps, silent decisions, signals; and what does not starve after a change: by hand, with the numbers worked
 * out. */
#include "../support/check_main.h"
#include "recovered.h"

/* A look into a mailbox that only takes longer when a message is there (3 instead of 1), and does the same: `done`. */
#define GLANCE \
    "p c\np s\n" \
    "t send s=1 m=0 : s -> message\n" \
    "t look s=0 m=0 : c -> at\n" \
    "t there s=0 m=0 x=0 d=3 f : at -> seen\n" \
    "t empty s=0 m=0 x=0 d=1 f : at -> seen\n" \
    "t done s=0 m=0 : seen -> c\n" \
    "t take s=2 m=0 : message r -> s r\n" \
    "p r\n" \
    "r at there message\nr at empty\n"

/* Observed: the look at 22 finds the message of 20; without its mark of 12 it comes at 10 and finds nothing. So it goes
 * on at 11, and `done`, which took 5, is at 16: certain, and no change. */
START_TEST(silent_decisions_are_no_changes)
{
    es_net *net = net_of(GLANCE);
    ck_assert_str_eq(recovered_with(net, "send@20 look@22-12 there@25 done@30", true, (es_net_recovery_options){0}),
                     "send#1=20t look#1=10t empty#1=11tF done#1=16t");
    es_net_free(net);
}
END_TEST

/* A fixed step whose mark takes no time, and of which no longest one is given, is computed; a mark that takes time after
 * all is refused. */
START_TEST(marks_of_no_time_may_be_unlimited)
{
    es_net *net = net_of("p c\nt first s=0 m=2 d=2 : c -> at\nt fixed s=0 m=0 d=3 f : at -> on\n"
                         "t last s=0 m=1 d=1 : on -> c\n");
    ck_assert_str_eq(recovered(net, "first@4 fixed@7 last@9"), "first#1=2t fixed#1=5tF last#1=6t");
    es_net_recovery *recovery = es_net_recovery_new(net, &(es_net_recovery_options){0}, &err);
    ck_assert(!push_all(recovery, net, "first@4 fixed@8-1 last@10", &err));
    ck_assert_msg(strstr(err.text, "its mark took 1 ticks") != NULL, "%s", err.text);
    es_net_recovery_free(recovery);
    es_net_free(net);
}
END_TEST

/* The same decision with a step that is no computed one is a change. */
START_TEST(others_are)
{
    es_net *net = net_of("p c\np s\n"
                         "t send s=1 m=0 : s -> message\n"
                         "t look s=0 m=0 : c -> at\n"
                         "t there s=0 m=0 x=2 d=3 f : at -> seen\n" /* its mark may take time */
                         "t empty s=0 m=0 x=0 d=1 f : at -> seen\n"
                         "t done s=0 m=0 : seen -> c\n"
                         "t take s=2 m=0 : message r -> s r\np r\n"
                         "r at there message\nr at empty\n");
    ck_assert_ptr_nonnull(
        strstr(recovered(net, "send@20 look@22-12 there@25 done@30"), "!at:look#1 22:there>10:empty empty#1=11cF"));
    es_net_free(net);
    /* So is one whose ways do not meet. */
    net = net_of("p c\np s\n"
                 "t send s=1 m=0 : s -> message\n"
                 "t look s=0 m=0 : c -> at\n"
                 "t there s=0 m=0 x=0 d=3 f : at -> seen\n"
                 "t empty s=0 m=0 x=0 d=1 f : at -> blind\n"
                 "t done s=0 m=0 : seen -> c\n"
                 "t miss s=0 m=0 : blind -> c\n"
                 "t take s=2 m=0 : message r -> s r\np r\n"
                 "r at there message\nr at empty\n");
    ck_assert_ptr_nonnull(
        strstr(recovered(net, "send@20 look@22-12 there@25 done@30"), "!at:look#1 22:there>10:empty empty#1=11cF"));
    es_net_free(net);
}
END_TEST

/* After a computed step, an observable decision is compared with the one observed at its place: the flight of 4 comes
 * to `box`, which goes to `late` when the other process is still at it. Known to the recovered game before it is
 * observed, it waits for that. */
#define FLIGHT \
    "p s\np w\n" \
    "t send s=1 m=0 x=20 : s -> flying\n" \
    "t fly m=0 x=0 d=4 f : flying -> box\n" \
    "t early s=1 m=0 : box -> s\n" \
    "t late s=1 m=0 : box -> s\n" \
    "t work s=2 m=0 x=20 : w -> rest\n" \
    "t back s=2 m=0 x=20 : rest -> w\n" \
    "r box late w\nr box early\n"

START_TEST(decisions_behind_computed_steps)
{
    es_net *net = net_of(FLIGHT);
    /* send at 10 in both; fly 14: work ended at 12 in both. */
    es_net_recovery *recovery = recovery_of(net, &said, (es_net_recovery_options){0});
    ck_assert(push_all(recovery, net, "send@10 work@12", &err));
    ck_assert(es_net_recovery_advance(recovery, 13, &err));
    ck_assert_str_eq(said.text, "send#1=10t fly#1=14tF work#1=12t");
    ck_assert(push_all(recovery, net, "fly@14 early@19 back@60", &err));
    ck_assert(es_net_recovery_finish(recovery, true, &err));
    ck_assert_str_eq(said.text, "send#1=10t fly#1=14tF work#1=12t early#1=19t back#1=60t");
    es_net_recovery_free(recovery);
    /* Without its mark of 8, send is at 2 and the message comes at 6, before the work ends at 12: late. It was never
     * observed: its delay is the net's. There the trace ends, with the measurement of `early` unused: from 6 on send
     * (2) and fly (4) come to 12, when the work ends, after them in the net's order; so it is late again. The next one
     * comes at 18 and is early, 5 later. */
    ck_assert_str_eq(
        recovered_with(net, "send@10-8 work@12 fly@14 early@19 back@60", true, (es_net_recovery_options){0}),
        "send#1=2t fly#1=6tF work#1=12t !box:fly#1 -1:early>6:late back#1=60t late#1=6cM "
        "send#2=8cR fly#2=12cF late#2=12cTM send#3=14cR fly#3=18cF early#1=23c");
    es_net_free(net);
}
END_TEST

/* A computed step's event that is not at its time; signals that carry something. */
START_TEST(refusals)
{
    es_net *net = net_of(FLIGHT);
    ck_assert_str_eq(
        recovered(net, "send@10 work@12 fly@15"),
        "error: event 3: 'fly' at time 15 was enabled at 10 and always takes 4 ticks; net and trace do not "
        "belong together");
    es_net_free(net);
    net = net_of("p a\ng s\nt x m=0 : a -> s\nt y m=0 : s -> a\n");
    ck_assert_ptr_null(es_net_recovery_new(net, &(es_net_recovery_options){0}, &err));
    ck_assert_str_eq(err.text,
                     "place 's' is a signal, and transition 'y' needs nothing else; give it a place that is no "
                     "signal, whose token goes on there");
    es_net_free(net);
    net = net_of_unfinished("p a\np b\ng s\nt x m=0 : a -> a2 s\nt y m=0 : s b -> b\nt z m=0 : a2 -> a\n"
                            "t w m=0 : a2 -> a\nr a2 w\n");
    uint32_t x = es_net_transition_find(net, "x"), w = es_net_transition_find(net, "w");
    es_net_condition who = {.place = es_net_place_find(net, "s"), .from = {&x, 1}};
    ck_assert(es_net_rule_add(net, es_net_place_find(net, "a2"), w, &who, 1, &err));
    ck_assert(es_net_finish(net, &err));
    ck_assert_ptr_null(es_net_recovery_new(net, &(es_net_recovery_options){0}, &err));
    ck_assert_str_eq(err.text, "place 'a2' asks who made the token in 's', which is a signal; signals carry nothing");
    es_net_free(net);
}
END_TEST

/* A ring of fixed steps would have the recovered game run away: they are taken from the trace. */
START_TEST(rings_are_measured)
{
    es_net *net = net_of("p a\nt x m=0 x=0 d=2 f : a -> b\nt y m=0 x=0 d=3 f : b -> a\n");
    ck_assert_str_eq(recovered(net, "x@2 y@5 x@7"), "x#1=2t y#1=5t x#2=7t");
    es_net_free(net);
}
END_TEST

/* The net says that marks of `send` take 5 at most. The look at 10 finds nothing, which is certain at 16 then. But the
 * mark at 40 took 35, and the message had come at 5. */
START_TEST(marks_that_are_too_long)
{
    es_net *net = net_of(LOOKING(" x=5", " x=5"));
    ck_assert_str_eq(recovered(net, "look@10 pass@12 send@40-35"),
                     "error: event 3: the mark of 'send' took 35 ticks, and the net says that it takes 5 at most; a "
                     "decision by place 'message' relied on that. Calibrate the marks");
    /* Where no decision relied on it, it does no harm. */
    ck_assert_str_eq(recovered(net, "look@10 pass@12 send@40-20 look@50"),
                     "look#1=10t pass#1=12t send#1=20t look#2=50t");
    es_net_free(net);
}
END_TEST

/* After a change, `pass` is never observed. It waits for ten events, then has the net's delay of 7: nothing starves,
 * and what waits stays within bounds. */
START_TEST(nothing_starves)
{
    es_net *net = net_of("p c\np s\n"
                         "t send s=1 m=0 : s -> message\n"
                         "t look s=0 m=0 : c -> c1\n"
                         "t take s=0 m=0 : c1 message -> c s\n"
                         "t pass s=0 m=0 d=7 : c1 -> c\n"
                         "r c1 take message\nr c1 pass\n");
    es_net_recovery *recovery = recovery_of(net, &said, (es_net_recovery_options){.look_ahead = 10, .paste_limit = 8});
    ck_assert(push_all(recovery, net, "send@20 look@22-12 take@25", &err));
    es_net_recovery_totals totals = {0};
    for (int i = 1; i <= 1000; i++) {
        said.text[0] = 0;
        es_net_observation send = {0, 25 + i * 10, 0, 0}, look = {1, 26 + i * 10, 0, 0}, take = {2, 27 + i * 10, 0, 0};
        ck_assert(es_net_recovery_push(recovery, &send, &err) && es_net_recovery_push(recovery, &look, &err) &&
                  es_net_recovery_push(recovery, &take, &err));
        if (i == 4)
            ck_assert_ptr_nonnull(strstr(said.text, "pass#1=17cM")); /* 10 + 7 */
        es_net_recovery_totals_get(recovery, &totals);
        ck_assert_uint_le(totals.waiting, 3 * 8 + 3);
    }
    ck_assert_uint_ge(totals.recovered - totals.reused + totals.dropped + totals.waiting, 3000);
    ck_assert_uint_gt(totals.recovered, 2500);
    ck_assert(es_net_recovery_finish(recovery, false, &err));
    es_net_recovery_free(recovery);
    es_net_free(net);
}
END_TEST

/* After a change the recovered run ends; what was observed after that is told as cut out. */
START_TEST(what_has_no_place_is_told)
{
    es_net *net = net_of("p c\np s\n"
                         "t send s=1 m=0 : s -> message\n"
                         "t look s=0 m=0 : c -> c1\n"
                         "t take s=0 m=0 : c1 message -> c s\n"
                         "t stop s=0 m=0 d=7 : c1 -> end\n"
                         "r c1 take message\nr c1 stop\n");
    said.cuts = true;
    ck_assert_str_eq(
        recovered_with(net, "send@20 look@22-12 take@25 look@30 send@40", true, (es_net_recovery_options){0}),
        "send#1=20t look#1=10t !c1:look#1 22:take>10:stop stop#1=17cM x5c x4c x3c");
    said.cuts = false;
    es_net_free(net);
}
END_TEST

/* After a change a free choice is the one after the same decision: `left` after `take` and `right` after `pass`. */
START_TEST(choices_follow_decisions)
{
    es_net *net = net_of("p c\np s\n"
                         "t send s=1 m=0 : s -> message\n"
                         "t look s=0 m=0 : c -> c1\n"
                         "t take s=0 m=0 : c1 message -> d s\n"
                         "t pass s=0 m=0 d=7 : c1 -> d\n"
                         "t left s=0 m=0 : d -> c\n"
                         "t right s=0 m=0 : d -> c\n"
                         "r c1 take message\nr c1 pass\n");
    /* Both first rounds are as observed. The third look, at 62, is at 32 without its mark; the message comes at 60. */
    const char *run = "send@5 look@10 take@12 left@14 look@20 pass@22 right@24 send@60 look@62-30 take@64 left@66 "
                      "look@70 pass@73 right@76";
    ck_assert_ptr_nonnull(strstr(recovered(net, run), "!c1:look#3 62:take>32:pass pass#2=35c right#2=38c"));
    ck_assert_ptr_nonnull(strstr(recovered_with(net, run, false, (es_net_recovery_options){.count_choices = true}),
                                 "!c1:look#3 62:take>32:pass pass#2=35c left#2=37c"));
    es_net_free(net);
}
END_TEST

/* A consumer asks for a message until there is one: `look` comes to the place that decides, `pass` is idle. The first
 * look is 10 after the start, one after `pass` 2; `pass` takes 1, and `take` 4. */
#define ASKING(idle) \
    "p c\np s\n" \
    "t send s=1 m=0 : s -> message\n" \
    "t look s=0 m=0 : c -> at\n" \
    "t pass s=0 m=0 " idle " : at -> c\n" \
    "t take s=0 m=0 : at message -> got\n" \
    "t after s=0 m=0 : got -> c\n" \
    "r at take message\nr at pass\n"

/* Looks' marks take 6. Observed, the second look at 25 finds the message of 20. Without marks the looks are at 10, 13, 16
 * and 19, which find nothing, and at 22: so the message is taken at 26, and `after`, which took 5, is at 31. */
START_TEST(asking_again)
{
    const char *events = "look@16-6 pass@17 send@20 look@25-6 take@29 after@34";
    es_net *net = net_of(ASKING("i"));
    ck_assert_str_eq(recovered(net, events),
                     "look#1=10t send#1=20t pass#1=11t look#2=13t pass#2=14tA look#3=16tA pass#3=17tA look#4=19tA "
                     "pass#4=20tA look#5=22tA take#1=26t after#1=31t");
    es_net_free(net);
    /* Without the word it is a change, and the rest is pasted. */
    net = net_of(ASKING(""));
    ck_assert_ptr_nonnull(strstr(recovered(net, events), "!at:look#2 25:take>13:pass"));
    es_net_free(net);
}
END_TEST

/* Without marks the message of 12, whose mark took 20, is there at the first look: what was observed of asking is cut out.
 * Another round follows, which asks once in either run, with its own events. */
START_TEST(asking_less)
{
    es_net *net = net_of(ASKING("i"));
    said.cuts = true;
    es_net_recovery *recovery = recovery_of(net, &said, (es_net_recovery_options){0});
    ck_assert(
        push_all(recovery, net, "look@15-5 pass@16 look@23-5 pass@24 send@27-20 look@31-5 take@35 after@40", &err));
    ck_assert(es_net_recovery_finish(recovery, false, &err));
    ck_assert_ptr_nonnull(strstr(said.text, "look#1=10t"));
    ck_assert_ptr_nonnull(strstr(said.text, "take#1=14t after#1=19t"));
    es_net_recovery_totals totals;
    es_net_recovery_totals_get(recovery, &totals);
    ck_assert_uint_eq(totals.asked, 4);
    ck_assert_uint_eq(totals.repeated, 0);
    ck_assert_uint_eq(totals.by_class[ES_NET_TOTALLY], 4);
    ck_assert_int_eq(es_net_recovery_doubt(recovery, 0).reason, ES_NET_DOUBT_NONE);
    said.cuts = false;
    es_net_recovery_free(recovery);
    es_net_free(net);
}
END_TEST

/* What is called idle and is not: refused when the net shows it, and told when the trace does. */
START_TEST(idle_is_checked)
{
    es_net *net = net_of("p c\nt look s=0 m=0 : c -> at\nt pass s=0 m=0 i : at -> elsewhere\n"
                         "t other s=0 m=0 : elsewhere -> c\n");
    ck_assert_ptr_null(es_net_recovery_new(net, &(es_net_recovery_options){0}, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "transition 'pass' is idle, and its process does not come back"));
    es_net_free(net);
    net = net_of(ASKING("i"));
    /* a look after `pass` took 2 ticks, was relied on, and takes 3 then */
    ck_assert_ptr_nonnull(strstr(recovered(net, "look@16-6 pass@17 send@20 look@25-6 take@29 after@34 look@44 pass@45 "
                                                "look@48 pass@49 look@51"),
                                 "error: event 9: 'look' after 'pass' took another time than the 2 ticks"));
    es_net_free(net);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("silent decisions");
    TCase *tests = tcase_create("silent");
    tcase_add_test(tests, silent_decisions_are_no_changes);
    tcase_add_test(tests, marks_of_no_time_may_be_unlimited);
    tcase_add_test(tests, others_are);
    tcase_add_test(tests, decisions_behind_computed_steps);
    tcase_add_test(tests, refusals);
    tcase_add_test(tests, rings_are_measured);
    tcase_add_test(tests, marks_that_are_too_long);
    tcase_add_test(tests, nothing_starves);
    tcase_add_test(tests, what_has_no_place_is_told);
    tcase_add_test(tests, choices_follow_decisions);
    tcase_add_test(tests, asking_again);
    tcase_add_test(tests, asking_less);
    tcase_add_test(tests, idle_is_checked);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
