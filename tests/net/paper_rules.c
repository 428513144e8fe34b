#include "paper_rules.h"

#include <stdlib.h>

#define INFINITE INT64_MAX

/* A token k: from(k), loc(k), to(k), last_m(k). */
typedef struct token {
    uint32_t from, loc, to, last;
} token;

typedef struct state {
    const es_net *net;
    const es_net_engine_options *options;
    token *K;
    size_t tokens;
    int64_t *r, *delay, *mark;
    uint64_t *N, *arrivals;
    int64_t z;
    paper_run run;
} state;

static bool property(const state *now, const es_net_condition *q)
{
    bool found = false;
    for (size_t k = 0; k < now->tokens; k++)
        found |= now->K[k].loc == q->place && es_net_set_has(&q->to, now->K[k].to) &&
                 es_net_set_has(&q->from, now->K[k].from) && es_net_set_has(&q->last, now->K[k].last);
    return found != q->absent;
}

static uint32_t f(state *now, uint32_t p)
{
    const es_net_place *place = &now->net->places[p];
    uint64_t number = ++now->arrivals[p];
    if (!place->rule_count && place->output_count > 1)
        return now->options->choose ? now->options->choose(now->options->context, p, number)
                                    : place->outputs[(number - 1) % place->output_count];
    for (uint32_t i = 0; i < place->rule_count; i++) {
        bool all = true;
        for (uint32_t q = 0; q < place->rules[i].condition_count; q++)
            all &= property(now, &place->rules[i].conditions[q]);
        if (all)
            return place->rules[i].transition;
    }
    return place->output_count ? place->outputs[0] : ES_NET_NONE;
}

static bool in_gamma(const state *now, uint32_t t)
{
    const es_net_transition *transition = &now->net->transitions[t];
    for (uint32_t i = 0; i < transition->input_count; i++) {
        bool there = false;
        for (size_t k = 0; k < now->tokens; k++)
            there |= now->K[k].loc == transition->inputs[i] && now->K[k].to == t;
        if (!there)
            return false;
    }
    return true;
}

static void update_clocks(state *now)
{
    for (uint32_t t = 0; t < now->net->transition_count; t++) {
        if (!in_gamma(now, t)) {
            now->r[t] = INFINITE;
        } else if (now->r[t] == INFINITE) {
            const es_net_transition *transition = &now->net->transitions[t];
            const es_net_engine_options *options = now->options;
            now->delay[t] = options->delay ? options->delay(options->context, t, now->N[t]) : transition->delay;
            now->mark[t] = !options->marks || !transition->monitor ? 0
                           : options->mark                         ? options->mark(options->context, t, now->N[t])
                                                                   : transition->mark;
            now->r[t] = now->delay[t] + now->mark[t];
        }
    }
}

static void remember(state *now, uint32_t p, uint32_t to, uint32_t from, uint64_t number)
{
    if (now->net->places[p].output_count < 2)
        return;
    now->run.routed = realloc(now->run.routed, (now->run.routed_count + 1) * sizeof *now->run.routed);
    now->run.routed[now->run.routed_count++] = (es_net_routed){p, to, from, number, now->z};
}

static bool fire(state *now, uint32_t t)
{
    const es_net_transition *transition = &now->net->transitions[t];
    now->run.firings = realloc(now->run.firings, (now->run.firing_count + 1) * sizeof *now->run.firings);
    now->run.firings[now->run.firing_count++] = (es_net_firing){t, now->N[t], now->z, now->delay[t], now->mark[t]};
    token made[64];
    for (uint32_t i = 0; i < transition->output_count; i++) {
        uint32_t to = f(now, transition->outputs[i]);
        remember(now, transition->outputs[i], to, t, now->N[t]);
        made[i] = (token){t, transition->outputs[i], to, t};
    }
    uint32_t last = t;
    size_t kept = 0;
    for (size_t k = 0; k < now->tokens; k++) {
        bool consumed = false;
        for (uint32_t i = 0; i < transition->input_count; i++)
            consumed |= now->K[k].loc == transition->inputs[i];
        if (consumed && !transition->monitor && now->K[k].loc == transition->inputs[0])
            last = now->K[k].last;
        if (!consumed)
            now->K[kept++] = now->K[k];
    }
    now->tokens = kept;
    for (uint32_t i = 0; i < transition->output_count; i++) {
        made[i].last = last;
        for (size_t k = 0; k < now->tokens; k++)
            if (now->K[k].loc == made[i].loc)
                return false;
        now->K[now->tokens++] = made[i];
    }
    now->N[t]++;
    now->r[t] = INFINITE; /* it may be newly enabled at once */
    return true;
}

paper_run paper_simulate(const es_net *net, const es_net_engine_options *options, int64_t until, size_t firings)
{
    state now = {.net = net, .options = options};
    const size_t T = net->transition_count + 1, P = net->place_count + 1;
    now.K = calloc(P, sizeof *now.K);
    now.r = calloc(T, sizeof *now.r);
    now.delay = calloc(T, sizeof *now.delay);
    now.mark = calloc(T, sizeof *now.mark);
    now.N = calloc(T, sizeof *now.N);
    now.arrivals = calloc(P, sizeof *now.arrivals);
    for (uint32_t p = 0; p < net->place_count; p++)
        if (net->places[p].tokens)
            now.K[now.tokens++] = (token){ES_NET_NONE, p, ES_NET_NONE, ES_NET_NONE};
    for (size_t k = 0; k < now.tokens; k++) {
        uint32_t p = now.K[k].loc;
        now.K[k].to = net->places[p].initial_route != ES_NET_NONE ? net->places[p].initial_route : f(&now, p);
        remember(&now, p, now.K[k].to, ES_NET_NONE, 0);
    }
    for (uint32_t t = 0; t < net->transition_count; t++)
        now.N[t] = 1, now.r[t] = INFINITE;
    update_clocks(&now);
    while (now.run.firing_count < firings) {
        uint32_t next = ES_NET_NONE;
        for (uint32_t t = 0; t < net->transition_count; t++)
            if (now.r[t] != INFINITE &&
                (next == ES_NET_NONE || now.r[t] < now.r[next] ||
                 (now.r[t] == now.r[next] && net->transitions[t].priority < net->transitions[next].priority)))
                next = t;
        now.run.dead = next == ES_NET_NONE;
        if (now.run.dead || now.z + now.r[next] > until)
            break;
        int64_t d = now.r[next];
        now.z += d;
        for (uint32_t t = 0; t < net->transition_count; t++)
            if (now.r[t] != INFINITE)
                now.r[t] -= d;
        now.run.unsafe = !fire(&now, next);
        if (now.run.unsafe)
            break;
        update_clocks(&now);
    }
    free(now.K);
    free(now.r);
    free(now.delay);
    free(now.mark);
    free(now.N);
    free(now.arrivals);
    return now.run;
}

void paper_run_free(paper_run *run)
{
    free(run->firings);
    free(run->routed);
}
