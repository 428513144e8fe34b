#include "life.h"

#include <stdio.h>
#include <stdlib.h>

static bool is_spin(const life *l, uint32_t place)
{
    const es_net_place *at = &l->made.net->places[place];
    bool any = false;
    for (uint32_t i = 0; i < at->output_count && at->rule_count; i++)
        any |= life_step(l, at->outputs[i])->idle;
    return any;
}

/* After a step of asking again, or one itself that comes from a place that decides. */
static bool repeats(const life *l, uint32_t index)
{
    const es_net_transition *t = life_step(l, index);
    if (t->input_count != 1)
        return false;
    uint32_t from = l->from[t->inputs[0]];
    return (t->idle && is_spin(l, t->inputs[0])) ||
           (from != ES_NET_NONE && life_step(l, from)->idle && (t->idle || is_spin(l, t->outputs[0])));
}

static bool computes(const life *l, uint32_t index)
{
    const es_net_transition *t = life_step(l, index);
    return !t->fixed && !t->idle && !repeats(l, index);
}

static uint64_t data_of(const life *l, uint32_t index)
{
    const es_net_transition *t = life_step(l, index);
    bool keeps = !computes(l, index);
    uint64_t all = keeps ? 0 : random_mix(index + 1);
    for (uint32_t i = 0; i < t->input_count; i++)
        if (!l->made.net->places[t->inputs[i]].signal)
            all = keeps ? l->data[t->inputs[i]] : random_mix(all ^ l->data[t->inputs[i]]);
    return all;
}

static int64_t delay(void *context, uint32_t index, uint64_t number)
{
    const life *l = context;
    const es_net_transition *t = life_step(l, index);
    (void)number;
    if (t->untimed || t->fixed)
        return t->delay;
    const uint64_t pace = random_mix(l->made.seed ^ (uint64_t)index << 40), range = (uint64_t)l->made.delay_range;
    if (repeats(l, index))
        return 1 + (int64_t)(random_mix(pace ^ l->from[t->inputs[0]]) % range);
    const uint64_t data = data_of(l, index);
    int64_t more = 0;
    for (size_t i = 0; i < l->shift_count; i++)
        if (l->shifts[i].transition == index && l->shifts[i].data == data)
            more += l->shifts[i].more + l->shifts[i].late;
    return (int64_t)(pace % range / 2 + random_mix(pace ^ data) % range / 2) + more;
}

static int64_t mark(void *context, uint32_t index, uint64_t number)
{
    const life *l = context;
    int64_t takes = random_net_mark((void *)(uintptr_t)&l->made, index, number);
    for (size_t i = 0; i < l->shift_count; i++)
        if (l->shifts[i].transition == index && l->shifts[i].number == number)
            takes -= l->shifts[i].more;
    return takes;
}

static uint32_t choose(void *context, uint32_t place, uint64_t number)
{
    const life *l = context;
    const es_net_place *at = &l->made.net->places[place];
    uint32_t from = l->from[place];
    (void)number;
    for (uint32_t i = 0; from != ES_NET_NONE && life_step(l, from)->idle && i < at->output_count; i++)
        if (life_step(l, at->outputs[i])->idle || is_spin(l, life_step(l, at->outputs[i])->outputs[0]))
            return at->outputs[i];
    return at->outputs[random_mix(l->made.seed ^ (uint64_t)place << 20 ^ l->data[place]) % at->output_count];
}

static void on_firing(void *context, const es_net_firing *firing)
{
    life *l = context;
    const es_net_transition *t = life_step(l, firing->transition);
    const uint64_t data = data_of(l, firing->transition);
    const bool computed = computes(l, firing->transition);
    for (uint32_t i = 0; i < t->output_count; i++) {
        l->data[t->outputs[i]] = data;
        l->from[t->outputs[i]] = firing->transition;
    }
    l->made_of[l->count] = data;
    l->computes[l->count] = computed;
    l->firings[l->count++] = *firing;
}

life life_live(const random_net *made, bool marks, size_t firings, const life_shift *shifts, size_t shift_count)
{
    const es_net *net = made->net;
    life l = {*made,
              shifts,
              shift_count,
              calloc(net->place_count, sizeof *l.data),
              malloc(net->place_count * sizeof *l.from),
              malloc((firings + 1) * sizeof *l.firings),
              malloc((firings + 1) * sizeof *l.made_of),
              malloc((firings + 1) * sizeof *l.computes),
              0};
    for (uint32_t i = 0; i < net->place_count; i++)
        l.data[i] = random_mix(i), l.from[i] = ES_NET_NONE;
    es_net_engine_options options = {
        .marks = marks, .delay = delay, .mark = mark, .choose = choose, .on_firing = on_firing, .context = &l};
    es_error err;
    es_net_engine *engine = es_net_engine_new(net, &options, &err);
    if (!engine || !es_net_engine_run(engine, INT64_MAX, firings, &err)) {
        fprintf(stderr, "life: seed %llu: %s\n", (unsigned long long)made->seed, err.text);
        exit(EXIT_FAILURE);
    }
    es_net_engine_free(engine);
    return l;
}

void life_end(life *l)
{
    free(l->data);
    free(l->from);
    free(l->firings);
    free(l->made_of);
    free(l->computes);
}
