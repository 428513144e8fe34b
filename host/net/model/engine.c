#include "net/model/engine.h"

#include <stdlib.h>
#include <string.h>

/* More firings than that at one time are a loop that takes none. */
#define INSTANT_MAX 10000000u

/* What one firing needs lies together; names and sources stay in the net. */
typedef struct step {
    int64_t delay, mark;
    uint32_t first_in, first_out; /* into `ends` */
    uint32_t priority;
    uint32_t missing; /* input places without a token routed here */
    uint16_t in, out;
    bool monitor, fixed;
} step;

typedef struct token {
    uint32_t to; /* ES_NET_NONE: the place is empty */
    uint32_t from;
    uint32_t last;   /* monitor */
    uint32_t only;   /* the place's only output; ES_NET_NONE: none or several */
    uint64_t number; /* firing number of `from` */
} token;

/* The queue is a binary heap of what is enabled: each transition is in it at most once. */
typedef struct due {
    int64_t time;
    uint32_t priority;
    uint32_t transition;
} due;

struct es_net_engine {
    const es_net *net;
    es_net_engine_options options;
    step *steps;
    uint32_t *ends;
    token *tokens; /* by place */
    bool *present; /* a token is there; `to` may be ES_NET_NONE where the place has no outputs */
    uint64_t *fired;
    uint64_t *arrived; /* by place; counted for free places */
    int64_t *marks_of; /* of the firing that is due, by transition; only with options.mark or options.delay */
    int64_t *delays_of;
    int64_t *enabled_at; /* by transition: since when it waits for es_net_engine_fires; -1 when it does not */
    int64_t *came_at;    /* by place: when its token came */
    bool *undecided;     /* by place: its token waits for es_net_engine_chooses */
    due *heap;
    uint32_t heap_count;
    int64_t now;
    uint64_t firings;
    uint32_t instant; /* firings at the time `now` */
};

/* --- queue ----------------------------------------------------------------------------------------------- */

static inline bool before(const due *left, const due *right)
{
    return left->time < right->time || (left->time == right->time && left->priority < right->priority);
}

static inline void heap_push(es_net_engine *engine, due item)
{
    uint32_t at = engine->heap_count++;
    while (at) {
        uint32_t up = (at - 1) / 2;
        if (!before(&item, &engine->heap[up]))
            break;
        engine->heap[at] = engine->heap[up];
        at = up;
    }
    engine->heap[at] = item;
}

static inline due heap_pop(es_net_engine *engine)
{
    due *heap = engine->heap;
    due top = heap[0];
    uint32_t count = --engine->heap_count, at = 0;
    due item = heap[count];
    /* The hole goes down to a leaf, and the item up from there: it was one, so mostly it stays. */
    for (uint32_t child = 1; child < count; child = at * 2 + 1) {
        child += child + 1 < count && before(&heap[child + 1], &heap[child]);
        heap[at] = heap[child];
        at = child;
    }
    while (at) {
        uint32_t up = (at - 1) / 2;
        if (!before(&item, &heap[up]))
            break;
        heap[at] = heap[up];
        at = up;
    }
    heap[at] = item;
    return top;
}

/* --- firing ---------------------------------------------------------------------------------------------- */

static int64_t clamped(int64_t ticks)
{
    return ticks < 0 ? 0 : ticks > ES_NET_TICKS_MAX ? ES_NET_TICKS_MAX : ticks;
}

static bool schedule(es_net_engine *engine, uint32_t transition, es_error *err)
{
    const step *at = &engine->steps[transition];
    int64_t delay = at->delay, mark = at->mark;
    uint64_t number = engine->fired[transition] + 1;
    if (engine->options.delay && !at->fixed) {
        delay = engine->options.delay(engine->options.context, transition, number);
        if (delay == ES_NET_LATER) {
            const uint32_t *in = engine->ends + at->first_in;
            engine->enabled_at[transition] = at->in ? 0 : engine->now;
            for (uint32_t i = 0; i < at->in; i++)
                if (engine->came_at[in[i]] > engine->enabled_at[transition])
                    engine->enabled_at[transition] = engine->came_at[in[i]];
            return true;
        }
        delay = clamped(delay);
    }
    if (engine->options.mark && engine->options.marks && at->monitor)
        mark = clamped(engine->options.mark(engine->options.context, transition, number));
    engine->delays_of[transition] = delay;
    engine->marks_of[transition] = mark;
    if (engine->now + delay + mark > ES_NET_TICKS_MAX)
        return es_fail(err, ES_USAGE, "transition '%s' would fire later than %lld ticks; use a coarser tick",
                       engine->net->transitions[transition].id, (long long)ES_NET_TICKS_MAX);
    heap_push(engine, (due){engine->now + delay + mark, at->priority, transition});
    return true;
}

static bool holds(const es_net_engine *engine, const es_net_condition *condition)
{
    const token *there = &engine->tokens[condition->place];
    bool found = engine->present[condition->place] && es_net_set_has(&condition->to, there->to) &&
                 es_net_set_has(&condition->from, there->from) && es_net_set_has(&condition->last, there->last);
    return found != condition->absent;
}

/* Output of a place with several that its new token goes to. */
static bool route(es_net_engine *engine, uint32_t index, uint32_t *to, es_error *err)
{
    const es_net_place *place = &engine->net->places[index];
    uint64_t number = ++engine->arrived[index];
    if (!place->rule_count) {
        *to = place->outputs[(number - 1) % place->output_count];
        uint32_t chosen =
            engine->options.choose ? engine->options.choose(engine->options.context, index, number) : ES_NET_NONE;
        for (uint32_t i = 0; i < place->output_count; i++)
            if (place->outputs[i] == chosen)
                *to = chosen;
        if (chosen == ES_NET_CHOSEN_LATER)
            *to = ES_NET_CHOSEN_LATER;
        return true;
    }
    for (uint32_t i = 0; i < place->rule_count; i++) {
        const es_net_rule *rule = &place->rules[i];
        uint32_t met = 0;
        while (met < rule->condition_count && holds(engine, &rule->conditions[met]))
            met++;
        if (met == rule->condition_count) {
            *to = rule->transition;
            return true;
        }
    }
    return es_fail(err, ES_USAGE,
                   "place '%s': no rule routes the token that comes at time %lld; add one without conditions",
                   place->id, (long long)engine->now);
}

static bool put(es_net_engine *engine, uint32_t place, uint32_t to, uint32_t from, uint64_t number, uint32_t last,
                es_error *err)
{
    token *at = &engine->tokens[place];
    if (engine->present[place])
        return es_fail(err, ES_USAGE,
                       "place '%s' gets a second token at time %lld, from transition '%s': the net is not safe",
                       engine->net->places[place].id, (long long)engine->now,
                       from == ES_NET_NONE ? "" : engine->net->transitions[from].id);
    engine->present[place] = true;
    engine->came_at[place] = engine->now;
    engine->undecided[place] = to == ES_NET_CHOSEN_LATER;
    to = to == ES_NET_CHOSEN_LATER ? ES_NET_NONE : to;
    at->to = to;
    at->from = from;
    at->last = last;
    at->number = number;
    if (to != ES_NET_NONE && --engine->steps[to].missing == 0)
        return schedule(engine, to, err);
    return true;
}

static bool fire(es_net_engine *engine, uint32_t transition, es_error *err)
{
    const step *at = &engine->steps[transition];
    const uint32_t *in = engine->ends + at->first_in, *out = engine->ends + at->first_out;
    const uint32_t outs = at->out;
    uint64_t number = ++engine->fired[transition];
    engine->firings++;
    if (engine->options.on_firing) {
        es_net_firing firing = {transition, number, engine->now, engine->delays_of[transition],
                                engine->marks_of[transition]};
        engine->options.on_firing(engine->options.context, &firing);
    }
    /* All outputs are routed in the state before the firing. */
    uint32_t targets_here[16], *targets = targets_here;
    bool routed = true;
    if (outs > 16)
        targets = es_malloc(outs * sizeof *targets);
    for (uint32_t i = 0; i < outs && routed; i++) {
        targets[i] = engine->tokens[out[i]].only;
        if (targets[i] == ES_NET_NONE && engine->net->places[out[i]].output_count) {
            routed = route(engine, out[i], &targets[i], err);
            if (routed && targets[i] != ES_NET_CHOSEN_LATER && engine->options.on_routed) {
                es_net_routed told = {out[i], targets[i], transition, number, engine->now};
                engine->options.on_routed(engine->options.context, &told);
            }
        }
    }
    uint32_t last = at->monitor ? transition : at->in ? engine->tokens[in[0]].last : ES_NET_NONE;
    for (uint32_t i = 0; i < at->in; i++)
        engine->present[in[i]] = false;
    engine->steps[transition].missing = at->in;
    for (uint32_t i = 0; i < outs && routed; i++)
        routed = put(engine, out[i], targets[i], transition, number, last, err);
    if (routed && !at->in) /* without inputs it is always enabled */
        routed = schedule(engine, transition, err);
    if (targets != targets_here)
        free(targets);
    return routed;
}

/* --- the engine ------------------------------------------------------------------------------------------ */

static bool check_ordinary(const es_net *net, es_error *err)
{
    if (!net->finished)
        return es_fail(err, ES_USAGE, "net '%s' was changed and not finished", net->id);
    for (uint32_t i = 0; i < net->arc_count; i++)
        if (net->arcs[i].weight != 1)
            return es_fail(err, ES_USAGE,
                           "the arc between place '%s' and transition '%s' has weight %u; only ordinary nets (weight "
                           "1) are simulated",
                           net->places[net->arcs[i].place].id, net->transitions[net->arcs[i].transition].id,
                           net->arcs[i].weight);
    for (uint32_t i = 0; i < net->place_count; i++)
        if (net->places[i].tokens > 1)
            return es_fail(err, ES_USAGE, "place '%s' begins with %u tokens; in a safe net it is one at most",
                           net->places[i].id, net->places[i].tokens);
    for (uint32_t i = 0; i < net->transition_count; i++)
        if (net->transitions[i].input_count > UINT16_MAX || net->transitions[i].output_count > UINT16_MAX)
            return es_fail(err, ES_USAGE, "transition '%s' has more than %u inputs or outputs", net->transitions[i].id,
                           UINT16_MAX);
    return true;
}

static void build(es_net_engine *engine)
{
    const es_net *net = engine->net;
    uint32_t used = 0;
    for (uint32_t i = 0; i < net->transition_count; i++) {
        const es_net_transition *transition = &net->transitions[i];
        engine->steps[i] = (step){
            .delay = transition->delay,
            .mark = engine->options.marks ? transition->mark : 0,
            .priority = transition->priority,
            .missing = transition->input_count,
            .first_in = used,
            .first_out = used + transition->input_count,
            .in = (uint16_t)transition->input_count,
            .out = (uint16_t)transition->output_count,
            .monitor = transition->monitor,
            .fixed = transition->untimed || transition->fixed,
        };
        for (uint32_t k = 0; k < transition->input_count; k++)
            engine->ends[used++] = transition->inputs[k];
        for (uint32_t k = 0; k < transition->output_count; k++)
            engine->ends[used++] = transition->outputs[k];
    }
    for (uint32_t i = 0; i < net->place_count; i++) {
        engine->tokens[i].to = ES_NET_NONE;
        engine->tokens[i].from = engine->tokens[i].last = ES_NET_NONE;
        engine->tokens[i].only = net->places[i].output_count == 1 ? net->places[i].outputs[0] : ES_NET_NONE;
        engine->present[i] = net->places[i].tokens != 0;
    }
}

/* Initial tokens: all are there when the first of them is routed. */
static bool start(es_net_engine *engine, es_error *err)
{
    const es_net *net = engine->net;
    uint32_t *to = es_malloc((net->place_count + 1) * sizeof *to);
    bool good = true;
    for (uint32_t i = 0; i < net->place_count && good; i++) {
        const es_net_place *place = &net->places[i];
        to[i] = engine->tokens[i].only;
        if (place->tokens && place->output_count > 1) {
            if (place->initial_route == ES_NET_NONE)
                good = route(engine, i, &to[i], err);
            else
                to[i] = place->initial_route, engine->arrived[i]++;
            if (good && to[i] != ES_NET_CHOSEN_LATER && engine->options.on_routed) {
                es_net_routed told = {i, to[i], ES_NET_NONE, 0, 0};
                engine->options.on_routed(engine->options.context, &told);
            }
        }
        if (place->tokens)
            engine->tokens[i].to = to[i] == ES_NET_CHOSEN_LATER ? ES_NET_NONE : to[i];
    }
    for (uint32_t i = 0; i < net->place_count && good; i++) {
        engine->present[i] = false;
        if (net->places[i].tokens)
            good = put(engine, i, to[i], ES_NET_NONE, 0, ES_NET_NONE, err);
    }
    for (uint32_t i = 0; i < net->transition_count && good; i++)
        if (!net->transitions[i].input_count)
            good = schedule(engine, i, err);
    free(to);
    return good;
}

static void *zeroed(size_t count, size_t size)
{
    void *memory = es_malloc((count + 1) * size);
    memset(memory, 0, (count + 1) * size);
    return memory;
}

es_net_engine *es_net_engine_new(const es_net *net, const es_net_engine_options *options, es_error *err)
{
    if (!check_ordinary(net, err))
        return NULL;
    es_net_engine *engine = zeroed(1, sizeof *engine);
    engine->net = net;
    engine->options = *options;
    engine->steps = zeroed(net->transition_count, sizeof *engine->steps);
    engine->ends = zeroed(net->arc_count, sizeof *engine->ends);
    engine->tokens = zeroed(net->place_count, sizeof *engine->tokens);
    engine->present = zeroed(net->place_count, sizeof *engine->present);
    engine->fired = zeroed(net->transition_count, sizeof *engine->fired);
    engine->arrived = zeroed(net->place_count, sizeof *engine->arrived);
    engine->marks_of = zeroed(net->transition_count, sizeof *engine->marks_of);
    engine->delays_of = zeroed(net->transition_count, sizeof *engine->delays_of);
    engine->enabled_at = zeroed(net->transition_count, sizeof *engine->enabled_at);
    engine->came_at = zeroed(net->place_count, sizeof *engine->came_at);
    engine->undecided = zeroed(net->place_count, sizeof *engine->undecided);
    for (uint32_t i = 0; i < net->transition_count; i++)
        engine->enabled_at[i] = -1;
    engine->heap = zeroed(net->transition_count, sizeof *engine->heap);
    build(engine);
    if (!start(engine, err)) {
        es_net_engine_free(engine);
        return NULL;
    }
    return engine;
}

void es_net_engine_free(es_net_engine *engine)
{
    if (!engine)
        return;
    free(engine->steps);
    free(engine->ends);
    free(engine->tokens);
    free(engine->present);
    free(engine->fired);
    free(engine->arrived);
    free(engine->marks_of);
    free(engine->delays_of);
    free(engine->enabled_at);
    free(engine->came_at);
    free(engine->undecided);
    free(engine->heap);
    free(engine);
}

bool es_net_engine_run(es_net_engine *engine, int64_t until, uint64_t firings, es_error *err)
{
    for (uint64_t i = 0; i < firings && engine->heap_count && engine->heap[0].time <= until; i++) {
        due next = heap_pop(engine);
        engine->instant = next.time == engine->now ? engine->instant + 1 : 0;
        engine->now = next.time;
        if (engine->instant > INSTANT_MAX)
            return es_fail(
                err, ES_USAGE,
                "time does not advance at %lld: transition '%s' is in a loop that takes no time; give it a delay",
                (long long)engine->now, engine->net->transitions[next.transition].id);
        if (!fire(engine, next.transition, err))
            return false;
    }
    return true;
}

bool es_net_engine_fires(es_net_engine *engine, uint32_t transition, int64_t time, int64_t mark, es_error *err)
{
    if (engine->enabled_at[transition] < 0)
        return true;
    if (time < engine->now || time > ES_NET_TICKS_MAX || mark < 0 || time - mark < engine->enabled_at[transition])
        return es_fail(err, ES_USAGE,
                       "transition '%s' cannot fire at %lld with a mark of %lld ticks: it is enabled since %lld",
                       engine->net->transitions[transition].id, (long long)time, (long long)mark,
                       (long long)engine->enabled_at[transition]);
    engine->delays_of[transition] = time - mark - engine->enabled_at[transition];
    engine->marks_of[transition] = mark;
    engine->enabled_at[transition] = -1;
    heap_push(engine, (due){time, engine->steps[transition].priority, transition});
    return true;
}

int64_t es_net_engine_enabled(const es_net_engine *engine, uint32_t transition)
{
    return engine->enabled_at[transition];
}

bool es_net_engine_chooses(es_net_engine *engine, uint32_t place, uint32_t transition, es_error *err)
{
    token *at = &engine->tokens[place];
    const es_net_place *node = &engine->net->places[place];
    if (!engine->undecided[place])
        return true;
    uint32_t output = 0;
    while (output < node->output_count && node->outputs[output] != transition)
        output++;
    if (output == node->output_count)
        return es_fail(err, ES_USAGE, "place '%s' cannot route a token there: that is no output of it", node->id);
    engine->undecided[place] = false;
    at->to = transition;
    if (engine->options.on_routed) {
        es_net_routed told = {place, transition, at->from, at->number, engine->now};
        engine->options.on_routed(engine->options.context, &told);
    }
    return --engine->steps[transition].missing != 0 || schedule(engine, transition, err);
}

int64_t es_net_engine_time(const es_net_engine *engine)
{
    return engine->now;
}

uint64_t es_net_engine_firings(const es_net_engine *engine)
{
    return engine->firings;
}

uint64_t es_net_engine_fired(const es_net_engine *engine, uint32_t transition)
{
    return engine->fired[transition];
}

bool es_net_engine_dead(const es_net_engine *engine)
{
    return !engine->heap_count;
}

uint32_t es_net_engine_tokens(const es_net_engine *engine, uint32_t place)
{
    return engine->present[place];
}
