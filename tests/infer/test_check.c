/* The consistency check against a naive one: what is certain is so, whatever was lost; and the text format. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check_main.h"
#include "infer/check.h"
#include "infer/thinned.h"

#define KEYS 5u
#define EVENTS 3000u

static uint64_t state_of_dice;

static uint32_t dice(uint32_t sides)
{
    state_of_dice = state_of_dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state_of_dice >> 33) % sides;
}

/* A random machine as text: several transitions of a state may take the same event, by the value of a field. In a ring
 * each state can be reached from each. */
static void random_text(es_text_buffer *text, uint32_t states, uint32_t events, bool ring)
{
    es_text_format(text, "machine m\n  key k\n  state");
    for (uint32_t s = 0; s < states; s++)
        es_text_format(text, " s%u", s);
    es_text_format(text, "\n");
    for (uint32_t s = 0; s < states; s++) {
        if (ring || s + 1 < states)
            es_text_format(text, "  s%u -> s%u on e%u if v < 3\n", s, (s + 1) % states, dice(events));
        for (uint32_t e = 0; e < events; e++)
            if (dice(3) == 0)
                es_text_format(text, "  s%u -> s%u on e%u if v >= 3 and not (v == 9)\n", s,
                               ring ? dice(states) : s + dice(states - s), e);
    }
}

typedef struct world {
    es_infer_model *model;
    const es_infer_machine *machine;
    uint64_t possible[KEYS]; /* by the naive check */
    uint32_t truth[KEYS];
    uint64_t certain, wrong, unlike;
    uint32_t now;           /* whose event it is */
    uint64_t expected;      /* states after it, by the naive check */
    double lost, estimated; /* events in all; what the trace itself says of it */
} world;

static bool look(void *context, const es_infer_step *step, es_infer_scenario *scenario)
{
    world *w = context;
    (void)scenario;
    w->unlike += step->after->words[0] != w->expected;
    if (step->verdict == ES_INFER_CERTAIN) {
        w->certain++;
        w->wrong += step->after->words[0] != UINT64_C(1) << w->truth[w->now];
    }
    return true;
}

/* All states that follow from a set by an event, written down from the meaning of the text alone. */
static uint64_t naive_step(const world *w, uint64_t from, uint32_t event, int64_t v)
{
    uint64_t to = 0;
    for (uint32_t i = 0; i < w->machine->transition_count; i++) {
        const es_infer_transition *t = &w->machine->transitions[i];
        bool low = t->test_count == 1, fits = low ? v < 3 : v >= 3 && v != 9;
        if (w->machine->roles[t->role].event == event && fits && from >> t->from & 1)
            to |= UINT64_C(1) << t->to;
    }
    return to;
}

/* Where at most `lost` transitions lead. */
static uint64_t naive_reach(const world *w, uint64_t states, uint32_t lost)
{
    for (uint64_t before = 0; before != states && lost; lost--) {
        before = states;
        for (uint32_t i = 0; i < w->machine->transition_count; i++)
            if (before >> w->machine->transitions[i].from & 1)
                states |= UINT64_C(1) << w->machine->transitions[i].to;
    }
    return states;
}

/* A scenario's next event: a transition that its true state has, or nothing. */
static bool next_event(world *w, uint32_t key, uint32_t *event, int64_t *v)
{
    for (unsigned tries = 0; tries < 50; tries++) {
        uint32_t i = dice(w->machine->transition_count);
        const es_infer_transition *t = &w->machine->transitions[i];
        if (t->from != w->truth[key])
            continue;
        *v = t->test_count == 1 ? dice(3) : 3 + dice(6);
        *event = w->machine->roles[t->role].event;
        uint64_t to = naive_step(w, UINT64_C(1) << t->from, *event, *v);
        if (to & (to - 1))
            continue; /* the machine does not say which */
        w->truth[key] = t->to;
        return true;
    }
    return false;
}

static void run_world(world *w, int64_t events, uint32_t percent, bool told, bool counted)
{
    es_infer_check *check =
        es_infer_check_new(w->model, &(es_infer_check_options){.hidden = !told, .step = look, .context = w});
    es_infer_thinned *thinned = es_infer_thinned_new(w->model, !told, 0);
    es_infer_value values[ES_INFER_FIELDS_MAX] = {0};
    uint32_t k = es_infer_field_number(&w->model->words, "k", 1, false),
             v = es_infer_field_number(&w->model->words, "v", 1, false);
    uint64_t all = (UINT64_C(1) << w->machine->state_count) - 1;
    uint32_t lost = 0;
    int64_t last = 0;
    for (uint32_t i = 0; i < KEYS; i++)
        w->possible[i] = all, w->truth[i] = dice(w->machine->state_count);
    for (int64_t time = 1; time <= events; time++) {
        uint32_t key = dice(KEYS), event;
        if (!next_event(w, key, &event, &values[v]))
            continue;
        if (dice(100) < percent) {
            lost++;
            w->lost++;
            continue;
        }
        if (lost && told) {
            es_infer_check_loss(check, &(es_infer_loss){.begin = last, .end = time, .count = counted ? lost : 0});
            for (uint32_t i = 0; i < KEYS; i++)
                w->possible[i] = naive_reach(w, w->possible[i], counted ? lost : UINT32_MAX);
        }
        lost = 0;
        last = time;
        values[k] = w->now = key;
        w->expected = naive_step(w, w->possible[key], event, values[v]);
        if (!w->expected)
            w->expected = naive_step(w, naive_reach(w, w->possible[key], UINT32_MAX), event, values[v]);
        if (!w->expected)
            w->expected = naive_step(w, all, event, values[v]);
        w->possible[key] = w->expected;
        es_infer_event seen = {time, event, UINT64_C(1) << k | UINT64_C(1) << v, values};
        ck_assert(es_infer_check_event(check, &seen, NULL));
        es_infer_thinned_event(thinned, &seen, es_infer_check_totals(check));
    }
    const es_infer_totals *totals = es_infer_check_totals(check);
    w->estimated = es_infer_thinned_rate(thinned, totals) * (double)totals->steps;
    es_infer_thinned_free(thinned);
    es_infer_check_free(check);
}

static void run_worlds(bool told, bool counted)
{
    uint64_t certain = 0;
    uint32_t near = 0;
    for (uint32_t seed = 1; seed <= 40; seed++) {
        const char *base = getenv("EARSHOT_SEED");
        state_of_dice = seed * 7919 + (base ? strtoull(base, NULL, 10) : 1) * 1000003;
        es_text_buffer text = {0};
        es_error err;
        random_text(&text, 2 + dice(8), 2 + dice(6), true);
        world w = {.model = es_infer_model_new()};
        ck_assert_msg(es_infer_parse(w.model, "random", text.text, text.length, &err), "%s", err.text);
        w.machine = &w.model->machines[0];
        run_world(&w, EVENTS, 1 + dice(10), told, counted);
        ck_assert_msg(w.wrong == 0, "seed %u: %llu of %llu certain states are wrong\n%s", seed,
                      (unsigned long long)w.wrong, (unsigned long long)w.certain, text.text);
        ck_assert_msg(w.unlike == 0, "seed %u: %llu steps unlike the naive check's", seed,
                      (unsigned long long)w.unlike);
        certain += w.certain;
        near += fabs(log(w.estimated / w.lost)) < log(1.5);
        es_infer_model_free(w.model);
        es_text_free(&text);
    }
    ck_assert_uint_gt(certain, told ? 20000 : 2000);
    /* in machines of all kinds, from those that show nearly every loss to those that show few */
    ck_assert_msg(told || near >= 32, "of 40 traces %u say how many events were lost", near);
}

START_TEST(certain_states_after_told_losses_are_so)
{
    run_worlds(true, false);
}
END_TEST

START_TEST(certain_states_after_counted_losses_are_so)
{
    run_worlds(true, true);
}
END_TEST

START_TEST(certain_states_among_hidden_losses_are_so)
{
    run_worlds(false, false);
}
END_TEST

/* Where nothing leads back, what was lost once, untold, may matter for ever: each trace is short, and there are many. */
START_TEST(certain_states_among_hidden_losses_are_so_where_nothing_leads_back)
{
    uint64_t certain = 0;
    for (uint32_t seed = 1; seed <= 2000; seed++) {
        const char *base = getenv("EARSHOT_SEED");
        state_of_dice = seed * 7919 + (base ? strtoull(base, NULL, 10) : 1) * 1000003;
        es_text_buffer text = {0};
        es_error err;
        random_text(&text, 3 + dice(7), 2 + dice(3), false);
        world w = {.model = es_infer_model_new()};
        ck_assert_msg(es_infer_parse(w.model, "random", text.text, text.length, &err), "%s", err.text);
        w.machine = &w.model->machines[0];
        run_world(&w, 60, 20, false, false);
        ck_assert_msg(w.wrong == 0, "seed %u: %llu of %llu certain states are wrong\n%s", seed,
                      (unsigned long long)w.wrong, (unsigned long long)w.certain, text.text);
        certain += w.certain;
        es_infer_model_free(w.model);
        es_text_free(&text);
    }
    ck_assert_uint_gt(certain, 5000);
}
END_TEST

static const char sample[] =
    "# tasks\nmachine task\n  key tid\n  state running ready \"in a call\"\n  initial ready\n"
    "  running -> ready on sched_switch[prev_tid] if prev_state == 0 or (prio < -3 and name != 'it''s')\n"
    "  *->running on sched_switch[next_tid] do $cpu = cpu, $n = $n + 1\n"
    "  ready, running -> \"in a call\" on \"a b\" if cpu == $cpu and x in (1, 2, 0x10)\n";

START_TEST(what_is_written_reads_the_same)
{
    es_text_buffer first = {0}, second = {0};
    es_error err;
    char text[sizeof sample];
    memcpy(text, sample, sizeof text);
    char *odd = strstr(text, "it''s");
    memcpy(odd, "it\\'s", 5);
    es_infer_model *model = es_infer_model_new(), *again = es_infer_model_new();
    ck_assert_msg(es_infer_parse(model, "sample", text, strlen(text), &err), "%s", err.text);
    ck_assert_uint_eq(model->machines[0].transition_count, 1 + 3 + 2);
    es_infer_write(model, &first);
    ck_assert_msg(es_infer_parse(again, "again", first.text, first.length, &err), "%s\n%s", err.text, first.text);
    es_infer_write(again, &second);
    ck_assert_str_eq(first.text, second.text);
    es_text_free(&first);
    es_text_free(&second);
    es_infer_model_free(model);
    es_infer_model_free(again);
}
END_TEST

START_TEST(mistakes_have_places)
{
    static const char *const cases[][2] = {
        {"state a", "t:1:1: error: a machine begins with"},
        {"machine m\nstate a b\na -> c on e", "t:3:6: error: there is no state 'c'"},
        {"machine m\nstate a\na -> a on e if x", "error: here should be ==, !="},
        {"machine m\nstate a\na -> a on e if x == ", "t:3:21: error: here should be a field"},
        {"machine m\nstate a a", "t:2:9: error: there is a state 'a' already"},
        {"machine m\nstate a\na -> a on e[k", "error: here should be ']'"},
        {"machine m\nstate a\na -> a on e x", "t:3:13: error: the line should end here"},
        {"machine m\nstate a", "machine 'm' has no transitions"},
        {"machine m\nstate \"a", "t:2:7: error: the text does not end"},
        {"machine m\nstate a\na -> a on e if x == 99999999999999999999", "this is no number"},
        {"", "there is no machine"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_infer_model *model = es_infer_model_new();
        es_error err = {0};
        ck_assert_msg(!es_infer_parse(model, "t", cases[i][0], strlen(cases[i][0]), &err), "%s", cases[i][0]);
        ck_assert_msg(strstr(err.text, cases[i][1]) != NULL, "%s", err.text);
        es_infer_model_free(model);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("check");
    TCase *tests = tcase_create("check");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, certain_states_after_told_losses_are_so);
    tcase_add_test(tests, certain_states_after_counted_losses_are_so);
    tcase_add_test(tests, certain_states_among_hidden_losses_are_so);
    tcase_add_test(tests, certain_states_among_hidden_losses_are_so_where_nothing_leads_back);
    tcase_add_test(tests, what_is_written_reads_the_same);
    tcase_add_test(tests, mistakes_have_places);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
