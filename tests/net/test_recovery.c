/* Recovery by hand: the paper's example, waits, initial tokens, decisions. The numbers in the comments were worked out
 * on paper. What was lost, limits and refusals: test_recovery_limits.c. */
#include "check_main.h"
#include "recovered.h"

/* --- the paper's example 1 ------------------------------------------------------------------------------------ */

/* Producer and consumer, section 5 of the paper. Its figure 1 is a drawing that the text leaves out; this is the net of
 * its pseudo-code, with the figure's numbers of transitions, routing of p3 and clock schedule:
 *   consumer: t1 starts it; t2 computes; t3 prints (the mark); at p3 it looks for a message at p6: t5 takes it, or t4
 *   goes without; t10 works.
 *   producer: t6 starts it; t7 computes; t8 prints (the mark) and sends; the acknowledgement comes back through t9
 *   (sync_send).
 * t5 takes no time, so that p6 has Property S and only t3 and t8 need to be monitored (C3'): "the algorithm only
 * requires the timestamps for t3 and t8". Printing is all that t3 and t8 do: their delays are the perturbation. */
static const char example_1[] = "p consumer\n"
                                "p producer\n"
                                "t t1 s=0 : consumer -> p1\n"
                                "t t2 s=0 : p1 -> p2\n"
                                "t t3 s=0 m=1 : p2 -> p3\n"
                                "t t4 s=0 : p3 -> p7\n"
                                "t t5 s=0 u : p3 p6 -> p7 p8\n"
                                "t t6 s=1 : producer -> p4\n"
                                "t t7 s=1 : p4 -> p5\n"
                                "t t8 s=1 m=1 : p5 -> p6\n"
                                "t t9 s=1 : p8 -> p4\n"
                                "t t10 s=0 : p7 -> p1\n"
                                "r p3 t5 p6\n"
                                "r p3 t4\n";

/* The figure's schedule; what it leaves to dots takes 1. By line: t1 .. t10; by column: firing. */
static int64_t schedule(void *context, uint32_t transition, uint64_t number)
{
    static const int64_t v[10][3] = {{1, 1, 1}, {1, 1, 2}, {0, 0, 0}, {1, 1, 1}, {0, 0, 0},
                                     {2, 1, 1}, {1, 1, 1}, {0, 0, 0}, {2, 1, 1}, {1, 2, 1}};
    (void)context;
    return number <= 3 ? v[transition][number - 1] : transition == 2 || transition == 4 || transition == 7 ? 0 : 1;
}

static int64_t prints(void *context, uint32_t transition, uint64_t number)
{
    static const int64_t t8[] = {2, 3};
    (void)context;
    return transition == 2 ? 1 : transition != 7 ? 0 : number <= 2 ? t8[number - 1] : 1;
}

typedef struct heard {
    const es_net *net;
    char text[4000];
    bool numbers; /* for looking up " t1#1=5 " */
} heard;

static void hear(void *context, const es_net_firing *firing)
{
    heard *at = context;
    size_t used = strlen(at->text);
    if (at->numbers)
        snprintf(at->text + used, sizeof at->text - used, "%s%s#%llu=%lld ", used ? "" : " ",
                 at->net->transitions[firing->transition].id, (unsigned long long)firing->number,
                 (long long)firing->time);
    else if (at->net->transitions[firing->transition].monitor)
        snprintf(at->text + used, sizeof at->text - used, "%s%s@%lld-%lld", used ? " " : "",
                 at->net->transitions[firing->transition].id, (long long)firing->time, (long long)firing->mark);
}

static const char *simulated(const es_net *net, bool marks, int64_t until, heard *at)
{
    es_net_engine_options options = {
        .marks = marks, .delay = schedule, .mark = prints, .on_firing = hear, .context = at};
    at->net = net;
    at->text[0] = 0;
    es_net_engine *engine = es_net_engine_new(net, &options, &err);
    ck_assert(es_net_engine_run(engine, until, 1000, &err));
    es_net_engine_free(engine);
    return at->text;
}

/* Figure 2: the observed trace, and the uncorrupted one. With marks (t3: 1 each, t8: 2, 3):
 *   consumer t1 1, t2 2, t3 3: no message; t4 4, t10 5, t2 6, t3 7: the message of 5 is there; t5 7, t10 9, t2 11,
 *            t3 12: none; t4 13
 *   producer t6 2, t7 3, t8 5, acknowledged at 7, t9 9, t7 10, t8 13
 * Without: t3 2 (none), t4 3, t10 4, t2 5, t3 5 (of 3), t10 7, t2 9, t3 9: the message of 8 is there
 *   producer t7 3, t8 3, acknowledged at 5, t9 7, t7 8, t8 8
 * So the third look, at p3 after t3, goes otherwise: no message at 12, with marks, but one at 9 without. */
START_TEST(example_1_is_recovered)
{
    static heard with, without;
    es_net *net = net_of(example_1);
    ck_assert_str_eq(simulated(net, true, 13, &with), "t3@3-1 t8@5-2 t3@7-1 t3@12-1 t8@13-3");
    ck_assert_str_eq(simulated(net, false, 9, &without), "t3@2-0 t8@3-0 t3@5-0 t8@8-0 t3@9-0");
    ck_assert_str_eq(
        recovered_with(net, "t3@3-1 t8@5-2 t3@7-1 t3@12-1 t8@13-3", false, (es_net_recovery_options){.strict = true}),
        "t3#1=2t t8#1=3t t3#2=5t t3#3=9t t8#2=8t !p3:t3#3 12:t4>9:t5");
    es_net_free(net);
}
END_TEST

/* After the change, stretches are cut and pasted. Firings have their delays by number (A1), whoever they follow; so
 * when every step is observed, the pasted trace is the simulation without marks, event by event, as far as the observed
 * trace reaches. */
START_TEST(example_1_goes_on_behind_the_change)
{
    static heard with, without;
    es_net *net = net_of_unfinished(example_1);
    for (uint32_t i = 0; i < net->transition_count; i++)
        ck_assert(es_net_monitor(net, i, 0, ES_NET_UNKNOWN, &err));
    ck_assert(es_net_finish(net, &err));
    simulated(net, true, 60, &with);
    without.numbers = true;
    simulated(net, false, 60, &without);
    recovered(net, with.text);
    size_t pasted = 0, changes = 0;
    for (char *rest = said.text, *word; (word = strtok_r(rest, " ", &rest));) {
        size_t length = strlen(word);
        changes += *word == '!';
        pasted += word[length - 1] == 'c';
        if (word[length - 1] == 't' || word[length - 1] == 'c') {
            char event[40];
            snprintf(event, sizeof event, " %.*s ", (int)length - 1, word);
            ck_assert_msg(strstr(without.text, event), "%s is not in %s", event, without.text);
        }
    }
    ck_assert_uint_gt(pasted, 10);
    ck_assert_uint_gt(changes, 0);
    es_net_free(net);
}
END_TEST

/* --- waits ---------------------------------------------------------------------------------------------------- */

/* A mark of 5 at a, which waits for b anyway: its perturbation is absorbed, and join is where it was. */
START_TEST(a_wait_absorbs)
{
    es_net *net = net_of(meeting);
    ck_assert_str_eq(recovered(net, "a@15-5 b@20 join@23 after@30"), "a#1=10t b#1=20t join#1=23t after#1=30t");
    /* Partly: b would have come at 12, before a's 15, but not before a's 10. join takes 3 after the later one. */
    ck_assert_str_eq(recovered(net, "a@15-5 b@20-8 join@23 after@30"), "a#1=10t b#1=12t join#1=15t after#1=22t");
    /* The one that waited is the one that is waited for: a at 15 waits for b at 20, but without marks b (6) waits for a
     * (10). */
    ck_assert_str_eq(recovered(net, "a@15-5 b@20-14 join@23-1 after@30"), "a#1=10t b#1=6t join#1=12t after#1=19t");
    es_net_free(net);
}
END_TEST

/* r_d = r_c + (o_d - o_c) - D_d over unobserved steps, which take what they take. */
START_TEST(unobserved_steps_are_one_stretch)
{
    es_net *net = net_of("p a\nt t1 m=0 : a -> b\nt u1 : b -> c\nt u2 : c -> d\nt t2 m=0 : d -> a\n");
    ck_assert_str_eq(recovered(net, "t1@10-4 t2@25-3 t1@29-4"), "t1#1=6t t2#1=18t t1#2=18t");
    es_net_free(net);
}
END_TEST

START_TEST(a_fork_leads_to_several_monitors)
{
    es_net *net = net_of("p a\nt t1 m=0 : a -> b\nt u : b -> c d\nt t2 m=0 : c -> e\nt t3 m=0 : d -> f\n");
    ck_assert_str_eq(recovered(net, "t1@10-4 t3@12 t2@25-3"), "t1#1=6t t3#1=8t t2#1=18t");
    es_net_free(net);
}
END_TEST

/* --- initial tokens --------------------------------------------------------------------------------------------- */

/* A message in flight and a free buffer at the start are no part of any wait: r = o - D for what they enable, and max
 * over the others else. */
START_TEST(initial_tokens_are_no_part_of_a_wait)
{
    es_net *net = net_of("p c\np message\np s\nt recv s=0 m=0 : c message -> c1 room\nt next s=0 m=0 : c1 -> c\nt work "
                         "s=1 m=0 : s -> s1\n"
                         "t send s=1 m=0 : s1 room -> message s\n");
    ck_assert_str_eq(recovered(net, "recv@7-2 work@8-1 next@9-1 send@11-1 recv@13"),
                     "recv#1=5t work#1=7t next#1=6t send#1=9t recv#2=11t");
    es_net_free(net);
}
END_TEST

START_TEST(initial_tokens_route_in_the_initial_state)
{
    es_net *net = net_of("p a\np q\nt yes m=0 : a -> b\nt no m=0 : a -> b\nt take m=0 : q -> e\nr a yes q\nr a no\n");
    ck_assert_str_eq(recovered(net, "take@3-3 yes@7"), "take#1=0t yes#1=7t");
    ck_assert_ptr_nonnull(strstr(recovered(net, "take@3-3 no@7"),
                                 "error: event 2: 'no' at time 7: the token in place 'a' goes to 'yes'"));
    es_net_free(net);
}
END_TEST

START_TEST(a_transition_without_inputs_follows_itself)
{
    es_net *net = net_of("t clock m=0 : -> a\nt take m=0 : a -> b\nt sink m=0 : b ->\n");
    ck_assert_str_eq(recovered(net, "clock@10-1 take@11 sink@12 clock@20-1"),
                     "clock#1=9t take#1=10t sink#1=11t clock#2=18t");
    es_net_free(net);
}
END_TEST

/* --- results below zero ------------------------------------------------------------------------------------------ */

/* Not clamped: a mark that is longer than all that was measured is told, and so is what follows from it. */
START_TEST(negative_results_are_reported)
{
    es_net *net = net_of("p a\nt t1 m=0 : a -> b\nt t2 m=0 : b -> a\n");
    ck_assert_str_eq(recovered(net, "t1@3-5 t2@10-9 t1@20"), "t1#1=-2tN t2#1=-4tN t1#2=6t");
    es_net_free(net);
}
END_TEST

/* --- decisions ---------------------------------------------------------------------------------------------------- */

START_TEST(a_decision_stays)
{
    es_net *net = net_of(LOOKING("", ""));
    ck_assert_str_eq(recovered(net, "look@10-2 pass@12 send@20-3 look@22-1 take@25 send@50 look@60 take@61"),
                     "look#1=8t send#1=17t pass#1=10t look#2=19t take#1=22t send#2=47t look#3=57t take#2=58t");
    es_net_free(net);
}
END_TEST

/* Observed: the message of 20 is there at 22. Without marks it comes at 20, and the look at 10. */
START_TEST(a_change_is_told_and_pasted)
{
    es_net *net = net_of(LOOKING("", ""));
    said.sources = true;
    /* take, which lasted 3, is cut at 25; pass is pasted from its next occurrence, at 44, which lasted 4. The
     * looks keep their lengths: from 10 by pass to 14, the second look 14 + 5 = 19, and at 20 the message comes. The
     * second look passes as well, for which there is no measurement: at the trace's end the first one is used again, to
     * 23, so that what was measured and not yet used has a time as well. */
    ck_assert_str_eq(recovered(net, "send@20 look@22-12 take@25 look@30 pass@34 send@40 look@50 take@51"),
                     "send#1=20t look#1=10t !c1:look#1 22:take>10:pass pass#1=14c<5 look#2=19c<4 pass#2=23cR<5 "
                     "look#3=39c<7 take#1=42c<3 send#2=57c<6 look#4=58cR<7 take#2=59c<8");
    said.sources = false;
    ck_assert_str_eq(recovered_with(net, "send@20 look@22-12 take@25 look@30 pass@34", false,
                                    (es_net_recovery_options){.strict = true}),
                     "send#1=20t look#1=10t !c1:look#1 22:take>10:pass");
    es_net_free(net);
}
END_TEST

/* Whether the decision goes as observed is open until the producer's next event is known; at the end of the trace it
 * stays so. */
START_TEST(the_end_of_the_trace_leaves_decisions_open)
{
    es_net *net = net_of(LOOKING("", ""));
    ck_assert_str_eq(recovered(net, "look@10-2 pass@12 look@14"), "look#1=8t pass#1=10p look#2=12p");
    /* The program ended there: the producer never sends. */
    ck_assert_str_eq(recovered_with(net, "look@10-2 pass@12 look@14", true, (es_net_recovery_options){0}),
                     "look#1=8t pass#1=10t look#2=12t");
    es_net_free(net);
}
END_TEST

/* With a bound for the marks, time alone decides: at 16 the producer has been at it for 16, and a mark of at most 5
 * leaves 11: after 8. */
START_TEST(known_bounds_decide_earlier)
{
    es_net *net = net_of(LOOKING(" x=5", ""));
    es_net_recovery *recovery = recovery_of(net, &said, (es_net_recovery_options){0});
    ck_assert(push_all(recovery, net, "look@10-2 pass@12", &err));
    ck_assert(es_net_recovery_advance(recovery, 13, &err));
    ck_assert_str_eq(said.text, "look#1=8t"); /* 13 - 5 = 8: it may come at the very same time */
    ck_assert(es_net_recovery_advance(recovery, 14, &err));
    ck_assert_str_eq(said.text, "look#1=8t pass#1=10t");
    ck_assert(!es_net_recovery_advance(recovery, 3, &err));
    es_net_recovery_free(recovery);
    es_net_free(net);
}
END_TEST

/* Both at 20 without marks: the net's order decides, send (first) before look; observed, it was the other way round. */
START_TEST(ties_are_decided_by_priority_and_told)
{
    es_net *net = net_of(LOOKING("", ""));
    ck_assert_str_eq(recovered(net, "look@20 pass@22 send@25-5 look@30 take@31"),
                     "look#1=20t send#1=20t !c1:look#1 20:pass>20:takeT take#1=21cT look#2=29c send#2=41cR "
                     "!c1:look#2 30:take>29:pass* pass#1=31c");
    /* Observed at one time, in either order of pushing: send is first. */
    ck_assert_str_eq(recovered(net, "look@20 send@20 take@22"), "send#1=20t look#1=20t take#1=22tT");
    ck_assert_str_eq(recovered(net, "send@20 look@20 take@22"), "send#1=20t look#1=20t take#1=22tT");
    /* Unless the pusher knows. */
    ck_assert_ptr_nonnull(strstr(
        recovered_with(net, "look@20 send@20 take@22", false, (es_net_recovery_options){.in_order = true}), "error"));
    es_net_free(net);
}
END_TEST

/* A choice of the program's data: the trace shows it, and no perturbation changes it. */
START_TEST(free_choices_follow_the_trace)
{
    es_net *net = net_of("p a\nt go m=0 : a -> b\nt left m=0 : b -> a\nt right m=0 : b -> a\n");
    ck_assert_str_eq(recovered(net, "go@2-1 right@5-1 go@7-1 left@9 go@10 left@11"),
                     "go#1=1t right#1=3t go#2=4t left#1=6t go#3=7t left#2=8t");
    es_net_free(net);
}
END_TEST

/* Two senders and one place: who comes first is a decision as well. */
START_TEST(another_order_of_arrival_is_a_change)
{
    es_net *net = net_of("p a0\np b0\nt a s=0 m=0 : a0 -> in a1\nt b s=1 m=0 : b0 -> in b1\nt get s=2 m=0 : in -> "
                         "out\nt drop s=2 m=0 : out ->\n"
                         "t enda s=0 m=0 : a1 -> a2\nt endb s=1 m=0 : b1 -> b2\n");
    ck_assert_str_eq(
        recovered(net, "a@10 get@11 drop@12 b@20-15 get@22 drop@23 enda@30 endb@31"),
        "a#1=10t b#1=5t ?in#1 a>b get#1=6c ?in#2 b>a* drop#1=7c get#2=12c drop#2=13c enda#1=30t endb#1=16t");
    es_net_free(net);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recovery");
    TCase *tests = tcase_create("recovery");
    tcase_set_timeout(tests, 30);
    const TTest *all[] = {example_1_is_recovered,
                          example_1_goes_on_behind_the_change,
                          a_wait_absorbs,
                          unobserved_steps_are_one_stretch,
                          a_fork_leads_to_several_monitors,
                          initial_tokens_are_no_part_of_a_wait,
                          initial_tokens_route_in_the_initial_state,
                          a_transition_without_inputs_follows_itself,
                          negative_results_are_reported,
                          a_decision_stays,
                          a_change_is_told_and_pasted,
                          the_end_of_the_trace_leaves_decisions_open,
                          known_bounds_decide_earlier,
                          ties_are_decided_by_priority_and_told,
                          free_choices_follow_the_trace,
                          another_order_of_arrival_is_a_change};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        tcase_add_test(tests, all[i]);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
