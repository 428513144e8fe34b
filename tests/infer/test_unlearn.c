/* What is taken out of the statistics leaves those of the rest, learned alone; put back, those of all. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check_main.h"
#include "infer/learn.h"

#define STEPS 400u
#define OUT_FIRST 300u /* the steps from there on are taken out */
#define WAYS 3u        /* of each state */

static const char text[] = "machine m\n  key k\n  state a b\n"
                           "  a -> a on e0\n  a -> b on e1\n  a -> b on e2\n"
                           "  b -> b on e3\n  b -> a on e4\n  b -> a on e5\n";

typedef struct taken {
    es_infer_step step;
    es_infer_event event;
    es_infer_scenario scenario;
} taken;

/* A walk: each step with the scenario as it was before. */
static void walk(const es_infer_machine *machine, taken *steps)
{
    es_infer_scenario now = {.context = {ES_INFER_NO_TRANSITION, ES_INFER_NO_TRANSITION, ES_INFER_NO_TRANSITION}};
    uint32_t state = 0;
    for (uint32_t i = 0; i < STEPS; i++) {
        uint16_t way = machine->out[machine->out_first[state] + (uint32_t)rand() % WAYS];
        steps[i] = (taken){.scenario = now};
        steps[i].event.time = now.time + 1 + rand() % 1000;
        steps[i].step = (es_infer_step){.machine = machine, .verdict = ES_INFER_CERTAIN, .time_before = now.time};
        steps[i].step.transition = way;
        steps[i].step.event = &steps[i].event;
        now.time = steps[i].event.time;
        now.begun = true;
        memmove(now.context + 1, now.context, (ES_INFER_CONTEXT - 1) * sizeof *now.context);
        now.context[0] = way;
        state = machine->transitions[way].to;
    }
}

static es_infer_learned *learn(const es_infer_model *model, const taken *steps, uint32_t count)
{
    es_infer_learned *learned = es_infer_learned_new(model);
    for (uint32_t i = 0; i < count; i++)
        es_infer_learn(learned, &steps[i].step, &steps[i].scenario);
    es_infer_learned_finish(learned);
    return learned;
}

static void same(const es_infer_learned *a, const es_infer_learned *b, const taken *steps)
{
    for (uint32_t i = 0; i < STEPS; i++) {
        double left[WAYS], right[WAYS];
        const uint16_t *context = steps[i].scenario.context;
        uint16_t way = steps[i].step.transition;
        uint32_t state = steps[i].step.machine->transitions[way].from;
        es_infer_next(a, 0, state, context, left);
        es_infer_next(b, 0, state, context, right);
        for (uint32_t k = 0; k < WAYS; k++)
            ck_assert_double_eq_tol(left[k], right[k], 1e-12);
        es_infer_delay from = es_infer_delay_of(a, 0, context[0], way), to = es_infer_delay_of(b, 0, context[0], way);
        for (double ns = 3; ns < 2000; ns *= 1.7) {
            ck_assert_double_eq_tol(es_infer_delay_below(from, ns), es_infer_delay_below(to, ns), 1e-9);
            ck_assert_double_eq_tol(es_infer_delay_density(from, ns), es_infer_delay_density(to, ns), 1e-9);
        }
    }
}

START_TEST(what_is_taken_out_is_as_if_never_learned)
{
    unsigned seed = getenv("EARSHOT_SEED") ? (unsigned)atoi(getenv("EARSHOT_SEED")) : 1;
    printf("seed %u\n", seed);
    srand(seed);
    es_error err;
    es_infer_model *model = es_infer_model_new();
    ck_assert_msg(es_infer_parse(model, "m", text, strlen(text), &err), "%s", err.text);
    taken *steps = calloc(STEPS, sizeof *steps);
    walk(&model->machines[0], steps);
    es_infer_learned *all = learn(model, steps, STEPS), *whole = learn(model, steps, STEPS);
    es_infer_learned *rest = learn(model, steps, OUT_FIRST);
    for (uint32_t back = 0; back < 2; back++) {
        for (uint32_t i = OUT_FIRST; i < STEPS; i++) {
            es_infer_lesson lesson = es_infer_lesson_of(&steps[i].step, &steps[i].scenario);
            es_infer_unlearn(all, 0, &lesson, back);
        }
        same(all, back ? whole : rest, steps);
    }
    es_infer_learned_free(all);
    es_infer_learned_free(whole);
    es_infer_learned_free(rest);
    free(steps);
    es_infer_model_free(model);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("unlearn");
    TCase *tests = tcase_create("unlearn");
    tcase_add_test(tests, what_is_taken_out_is_as_if_never_learned);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
