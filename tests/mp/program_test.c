/* Nets made from programs alone: they fulfil all conditions, and marks of a marked run put through recovery with them give the markless times. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/check_main.h"
#include "net/analysis/conditions.h"
#include "net/program/program.h"
#include "net/recovery/recovery.h"
#include "run_net.h"

typedef struct check {
    const es_net *net;
    const es_net_mp_step **of; /* by transition */
    const events *truth;
    es_net_recovery *recovery;
    size_t next[ES_NET_MP_CORES], certain;
    unsigned changes;
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
    const es_net_mp_step *step = c->of[event->transition];
    if (!step)
        return;
    size_t i = c->next[step->core]++;
    if (event->certainty != ES_NET_TOTALLY)
        return;
    const events *truth = &c->truth[step->core];
    ck_assert_uint_lt(i, truth->count);
    ck_assert_int_eq(event->time, truth->items[i].time);
    ck_assert_uint_eq(step->id, truth->items[i].id);
    ck_assert_uint_eq(step->site, truth->sites[i]);
    c->certain++;
}

static void on_change(void *context, const es_net_change *change)
{
    check *c = context;
    (void)change;
    c->changes++;
}

static const char *const programs[] = {"producer", "pipeline", "workers", "ring", "stencil", "corners"};
static const unsigned cores_of[] = {2, 3, 5, 8};

START_TEST(program_recovers)
{
    const char *program = programs[_i % 6], *kind = _i / 24 % 2 ? ".pad" : "";
    unsigned cores = cores_of[_i / 6 % 4], latency = _i % 4 < 2 ? 16 : 60;
    char options[60], name[40], bare[300], path[300];
    snprintf(options, sizeof options, "-c %u -l %u", cores, latency);
    snprintf(name, sizeof name, "%s-%d", program, (_i + _i / 6) % 3);
    snprintf(bare, sizeof bare, "-t %s/mp/%s.bare.elf", TESTS_BUILD, name);
    snprintf(path, sizeof path, "%s/mp/%s%s.elf", TESTS_BUILD, name, kind);
    events marked[ES_NET_MP_CORES], truth[ES_NET_MP_CORES];
    run_events(marked, options, name, kind, "");
    run_events(truth, options, name, kind, bare);

    es_error err = {0};
    es_net_program made;
    const char *paths[ES_NET_MP_CORES];
    for (unsigned c = 0; c < cores; c++)
        paths[c] = path;
    ck_assert_msg(es_net_from_program(&made, paths, cores, latency, *kind ? 53 : 3, &err), "%s", err.text);
    es_arena *arena = es_arena_new();
    es_net_findings findings = es_net_check(made.net, arena);
    ck_assert_msg(findings.count == 0, "%s",
                  findings.count ? es_net_violation_text(made.net, &findings.violations[0], arena) : "");
    es_arena_free(arena);

    check c = {.net = made.net, .truth = truth, .of = calloc(made.net->transition_count, sizeof *c.of)};
    ck_assert_ptr_nonnull(c.of);
    for (size_t i = 0; i < made.step_count; i++)
        if (made.steps[i].seen == ES_NET_SEEN_END)
            c.of[made.steps[i].transition] = &made.steps[i];
    es_net_recovery_options recovery = {.on_event = on_event, .on_change = on_change, .context = &c};
    c.recovery = es_net_recovery_new(made.net, &recovery, &err);
    ck_assert_msg(c.recovery != NULL, "%s", err.text);
    size_t count;
    es_net_mark *marks = run_merged(marked, &count);
    for (size_t i = 0; i < count; i++)
        marks[i].site = marked[marks[i].core].sites[marks[i].site];
    es_net_marks_options fire = {made.steps, made.step_count, push, NULL, &c};
    ck_assert_msg(es_net_marks_fire(made.net, marks, count, &fire, &err), "%s", err.text);
    ck_assert_msg(es_net_recovery_finish(c.recovery, true, &err), "%s", err.text);

    ck_assert_uint_gt(c.certain, 0);
    if (strcmp(program, "pipeline") == 0 || strcmp(program, "ring") == 0 || strcmp(program, "stencil") == 0)
        ck_assert_uint_eq(c.changes, 0);
    bool doubt = false; /* without a change: it asks again in a way that was never observed */
    for (int32_t process = 0; process < (int32_t)made.net->process_count; process++)
        doubt |= es_net_recovery_doubt(c.recovery, process).reason != ES_NET_DOUBT_NONE;
    ck_assert(!doubt || c.changes > 0 || strcmp(program, "corners") == 0);
    if (c.changes == 0 && !doubt)
        ck_assert_uint_eq(c.certain, count);
    es_net_recovery_free(c.recovery);
    free(c.of);
    free(marks);
    es_net_free(made.net);
    run_events_free(marked);
    run_events_free(truth);
}
END_TEST

START_TEST(refused)
{
    es_error err = {0};
    es_net_program made;
    char path[300];
    snprintf(path, sizeof path, "%s/mp/ring-1.bare.elf", TESTS_BUILD);
    const char *paths[] = {path, path};
    ck_assert(!es_net_from_program(&made, paths, 2, 16, 3, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "is it a build without marks?"));
    paths[1] = paths[0] = "/nowhere.elf";
    ck_assert(!es_net_from_program(&made, paths, 2, 16, 3, &err));
    ck_assert_str_eq(err.text, "/nowhere.elf: cannot be opened");
    paths[0] = paths[1] = TESTS_BUILD "/earshot"; /* another machine's, no marks */
    ck_assert(!es_net_from_program(&made, paths, 2, 16, 3, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "has no section .earshot_marks"));
    ck_assert(!es_net_from_program(&made, paths, 9, 16, 3, &err));
    ck_assert(!es_net_from_program(&made, paths, 2, 3, 3, &err));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("nets of programs");
    TCase *tests = tcase_create("program");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, program_recovers, 0, 48);
    tcase_add_test(tests, refused);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
