/* Recovery on real runs: marks of the marked run in, times of the markless run out, to the clock, for all that comes before a behavioural change. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/check_main.h"
#include "net/recovery/recovery.h"
#include "run_net.h"

typedef struct check {
    const run_net *run;
    const events *marked, *truth;
    es_net_recovery *recovery;
    size_t recovered, marks; /* events; of them marks */
    int64_t change;          /* recovered time of the first change, INT64_MAX none */
    uint32_t place;
} check;

static void push(void *context, const es_net_firing *firing, size_t index)
{
    check *c = context;
    es_error err = {0};
    es_net_observation observation = {firing->transition, firing->time, firing->mark, index};
    ck_assert_msg(es_net_recovery_push(c->recovery, &observation, &err), "%s", err.text);
}

static void on_event(void *context, const es_net_recovered *event)
{
    check *c = context;
    const es_net_mp_step *step = c->run->of[event->transition];
    ck_assert_int_eq(event->certainty, ES_NET_TOTALLY);
    c->recovered++;
    if (!step)
        return;
    c->marks++;
    ck_assert_uint_lt(step->site, c->truth[step->core].count);
    const es_net_mark *truth = &c->truth[step->core].items[step->site];
    ck_assert_int_eq(event->time, truth->time);
    ck_assert_uint_eq(step->id, truth->id);
}

static void on_change(void *context, const es_net_change *change)
{
    check *c = context;
    if (change->recovered < c->change) {
        c->change = change->recovered;
        c->place = change->place;
    }
}

static const char *const programs[] = {"producer", "pipeline", "workers", "ring", "stencil", "corners"};
static const unsigned cores_of[] = {2, 3, 5, 8};

START_TEST(recovered_is_true)
{
    const char *program = programs[_i % 6], *kind = _i / 24 % 2 ? ".pad" : "";
    unsigned cores = cores_of[_i / 6 % 4], latency = _i % 2 ? 16 : 60;
    char options[60], name[40], bare[300];
    snprintf(options, sizeof options, "-c %u -l %u", cores, latency);
    snprintf(name, sizeof name, "%s-%d", program, (_i + _i / 6) % 3);
    snprintf(bare, sizeof bare, "-t %s/mp/%s.bare.elf", TESTS_BUILD, name);
    events marked[ES_NET_MP_CORES], truth[ES_NET_MP_CORES];
    run_events(marked, options, name, kind, "");
    run_events(truth, options, name, kind, bare);
    run_net run;
    run_net_build(&run, cores, latency, marked);

    es_error err = {0};
    check c = {.run = &run, .marked = marked, .truth = truth, .change = INT64_MAX};
    es_net_recovery_options recovery = {.strict = true, .on_event = on_event, .on_change = on_change, .context = &c};
    c.recovery = es_net_recovery_new(run.net, &recovery, &err);
    ck_assert_msg(c.recovery != NULL, "%s", err.text);
    size_t count;
    es_net_mark *marks = run_merged(marked, &count);
    es_net_marks_options fire = {run.steps, run.step_count, push, NULL, &c};
    ck_assert_msg(es_net_marks_fire(run.net, marks, count, &fire, &err), "%s", err.text);
    ck_assert_msg(es_net_recovery_finish(c.recovery, true, &err), "%s", err.text);

    if (c.change == INT64_MAX)
        ck_assert_uint_eq(c.marks, count);
    else
        ck_assert(strcmp(program, "pipeline") != 0 && strcmp(program, "ring") != 0 && strcmp(program, "stencil") != 0);
    if (strcmp(program, "producer") == 0 && c.change != INT64_MAX) {
        /* The consumer's test: in the truth it went the other way. */
        unsigned core, number;
        ck_assert_int_eq(sscanf(run.net->places[c.place].id, "test %u.%u", &core, &number), 2);
        size_t i = 0;
        while (i < truth[core].count && truth[core].items[i].time < c.change)
            i++;
        ck_assert_uint_lt(i + 1, truth[core].count);
        ck_assert_uint_eq(truth[core].items[i].id, ES_NET_MP_TEST_BEGIN);
        ck_assert_int_eq(truth[core].items[i].time, c.change);
        ck_assert_uint_eq(marked[core].items[i].id, ES_NET_MP_TEST_BEGIN);
        ck_assert_uint_ne(truth[core].items[i + 1].id, marked[core].items[i + 1].id);
    }
    es_net_recovery_free(c.recovery);
    free(marks);
    run_net_free(&run);
    run_events_free(marked);
    run_events_free(truth);
}
END_TEST

static void ignore(void *context, const es_net_firing *firing, size_t index)
{
    (void)firing;
    *(size_t *)context += index != SIZE_MAX;
}

/* Marks that do not fit the net are told, with the mark. */
START_TEST(wrong_traces_are_refused)
{
    events marked[ES_NET_MP_CORES];
    run_events(marked, "-c 3 -l 16", "pipeline-1", "", "");
    run_net run;
    run_net_build(&run, 3, 16, marked);
    size_t count, fired = 0;
    es_net_mark *marks = run_merged(marked, &count);
    es_net_marks_options fire = {run.steps, run.step_count, ignore, NULL, &fired};
    es_error err = {0};
    ck_assert(es_net_marks_fire(run.net, marks, count, &fire, &err));
    ck_assert_uint_eq(fired, count);
    ck_assert(es_net_marks_fire(run.net, marks, count / 2, &fire, &err)); /* a trace may end anywhere */
    ck_assert(es_net_marks_fire(run.net, marks, 0, &fire, &err));

    es_net_mark was = marks[count / 2];
    marks[count / 2].id = 33;
    ck_assert(!es_net_marks_fire(run.net, marks, count, &fire, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "the mark 33 of core "));
    ck_assert_ptr_nonnull(strstr(err.text, "comes where the net expects"));
    marks[count / 2] = was;
    marks[count / 2].time = was.time + 1000000;
    ck_assert(!es_net_marks_fire(run.net, marks, count, &fire, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "is out of order"));
    marks[count / 2] = was;
    marks[0].delay = marks[0].time + 1;
    ck_assert(!es_net_marks_fire(run.net, marks, count, &fire, &err));
    marks[0].delay = 3;
    marks[0].core = 99;
    ck_assert(!es_net_marks_fire(run.net, marks, count, &fire, &err));
    marks[0].core = 5; /* no process of the net */
    ck_assert(!es_net_marks_fire(run.net, marks, count, &fire, &err));
    free(marks);
    run_net_free(&run);
    run_events_free(marked);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recovery of real runs");
    TCase *tests = tcase_create("recovery");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, recovered_is_true, 0, 48);
    tcase_add_test(tests, wrong_traces_are_refused);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
