/* How fast the consistency check is, without and with statistics: a machine of six states, 1,000 scenarios, 1 %
 * lost. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "infer/infer.h"

#define RING (1u << 16)

static const char text[] =
    "machine task\n key tid\n state running ready blocked call ready_call irq\n"
    "running -> ready on out if state == 0\n running -> blocked on out if state != 0\n ready -> running on in\n"
    "blocked -> ready on wake\n running -> call on enter\n call -> running on leave\n"
    "call -> ready_call on out if state == 0\n call -> blocked on out if state == 1\n ready_call -> call on in\n"
    "running -> irq on irq_in\n irq -> running on irq_out\n";

typedef struct event {
    uint32_t event;
    int64_t key, state;
} event;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static event ring[RING];

/* Events that the machine takes. */
static void fill(const es_infer_model *model)
{
    static uint16_t states[1000];
    const es_infer_machine *m = &model->machines[0];
    srand(1);
    for (uint32_t i = 0; i < RING; i++) {
        uint32_t key = (uint32_t)rand() % 1000, state = states[key];
        uint32_t ways = (uint32_t)m->out_first[state + 1] - m->out_first[state];
        const es_infer_transition *t = &m->transitions[m->out[m->out_first[state] + (uint32_t)rand() % ways]];
        int64_t value = t->test_count && t->tests[0].op == ES_INFER_EQ ? t->tests[0].right.value : 1;
        ring[i] = (event){m->roles[t->role].event, key, value};
        states[key] = t->to;
    }
}

static bool learn_step(void *context, const es_infer_step *step, es_infer_scenario *scenario)
{
    es_infer_learn(context, step, scenario);
    return true;
}

static void measure(const char *what, const es_infer_model *model, es_infer_check_options options, uint64_t count)
{
    es_infer_check *check = es_infer_check_new(model, &options);
    es_infer_value values[ES_INFER_FIELDS_MAX] = {0};
    uint32_t tid = es_infer_field_number((es_infer_words *)&model->words, "tid", 3, false);
    uint32_t state = es_infer_field_number((es_infer_words *)&model->words, "state", 5, false);
    double begin = seconds();
    for (uint64_t i = 0; i < count; i++) {
        const event *e = &ring[i % RING];
        values[tid] = e->key;
        values[state] = e->state;
        es_infer_event seen = {(int64_t)i * 100, e->event, UINT64_C(1) << tid | UINT64_C(1) << state, values};
        if (i % 100 == 99)
            es_infer_check_loss(check,
                                &(es_infer_loss){.begin = (int64_t)i * 100 - 100, .end = (int64_t)i * 100, .count = 1});
        else if (!es_infer_check_event(check, &seen, NULL))
            abort();
    }
    double time = seconds() - begin;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    const es_infer_totals *t = es_infer_check_totals(check);
    printf("  %-34s %6.1f M events/s   (%.0f %% certain, %ld KiB at most)\n", what, (double)count / time / 1e6,
           100.0 * (double)t->verdicts[ES_INFER_CERTAIN] / (double)t->steps, usage.ru_maxrss);
    es_infer_check_free(check);
}

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000000;
    es_infer_model *model = es_infer_model_new();
    es_error err;
    if (!es_infer_parse(model, "bench", text, strlen(text), &err)) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    fill(model);
    puts("infer: events held against a machine, on one core");
    measure("check", model, (es_infer_check_options){0}, count / 10);
    measure("check, ten times as many", model, (es_infer_check_options){0}, count);
    es_infer_learned *learned = es_infer_learned_new(model);
    measure("check and statistics", model, (es_infer_check_options){.step = learn_step, .context = learned}, count);
    es_infer_learned_free(learned);
    es_infer_model_free(model);
    return 0;
}
