/* A net as it has been built, checked and made ready: arcs at their nodes, controls at their places. */
#include <stdlib.h>

#include "net/model/net.h"
#include "net/model/private.h"

static int arc_order(const void *left, const void *right)
{
    const es_net_arc *a = left, *b = right;
    if (a->transition != b->transition)
        return a->transition < b->transition ? -1 : 1;
    if (a->to_place != b->to_place)
        return a->to_place ? 1 : -1;
    return (a->place > b->place) - (a->place < b->place);
}

static bool merge_arcs(es_net *net, es_error *err)
{
    uint32_t kept = 0;
    if (net->arc_count)
        qsort(net->arcs, net->arc_count, sizeof *net->arcs, arc_order);
    for (uint32_t i = 0; i < net->arc_count; i++) {
        if (!kept || arc_order(&net->arcs[kept - 1], &net->arcs[i]) != 0)
            net->arcs[kept++] = net->arcs[i];
        else if (net->arcs[i].weight > UINT32_MAX - net->arcs[kept - 1].weight)
            return es_fail(err, ES_USAGE, "the arcs between place '%s' and transition '%s' weigh too much together",
                           net->places[net->arcs[i].place].id, net->transitions[net->arcs[i].transition].id);
        else
            net->arcs[kept - 1].weight += net->arcs[i].weight;
    }
    net->arc_count = kept;
    return true;
}

/* Cuts one array of all ends into the nodes' lists: ends and arcs share offsets. */
static void link_nodes(es_net *net)
{
    for (uint32_t i = 0; i < net->place_count; i++)
        net->places[i].input_count = net->places[i].output_count = 0;
    for (uint32_t i = 0; i < net->transition_count; i++)
        net->transitions[i].input_count = net->transitions[i].output_count = 0;
    for (uint32_t i = 0; i < net->arc_count; i++) {
        es_net_place *place = &net->places[net->arcs[i].place];
        es_net_transition *transition = &net->transitions[net->arcs[i].transition];
        (*(net->arcs[i].to_place ? &place->input_count : &place->output_count))++;
        (*(net->arcs[i].to_place ? &transition->output_count : &transition->input_count))++;
    }
    uint32_t *ends = es_arena_alloc(net->arena, ((size_t)net->arc_count + 1) * 2 * sizeof *ends);
    uint32_t *arcs = es_arena_alloc(net->arena, ((size_t)net->arc_count + 1) * 2 * sizeof *arcs);
    size_t used = 0;
    for (uint32_t i = 0; i < net->place_count; i++) {
        es_net_place *place = &net->places[i];
        place->inputs = ends + used, place->input_arcs = arcs + used;
        used += place->input_count;
        place->outputs = ends + used, place->output_arcs = arcs + used;
        used += place->output_count;
        place->input_count = place->output_count = 0;
    }
    for (uint32_t i = 0; i < net->transition_count; i++) {
        es_net_transition *transition = &net->transitions[i];
        transition->inputs = ends + used, transition->input_arcs = arcs + used;
        used += transition->input_count;
        transition->outputs = ends + used, transition->output_arcs = arcs + used;
        used += transition->output_count;
        transition->input_count = transition->output_count = 0;
    }
    for (uint32_t i = 0; i < net->arc_count; i++) {
        es_net_arc *arc = &net->arcs[i];
        es_net_place *place = &net->places[arc->place];
        es_net_transition *transition = &net->transitions[arc->transition];
        const uint32_t *of_place = arc->to_place ? place->inputs : place->outputs;
        const uint32_t *of_transition = arc->to_place ? transition->outputs : transition->inputs;
        size_t p = (size_t)(of_place - ends) + (*(arc->to_place ? &place->input_count : &place->output_count))++;
        size_t t = (size_t)(of_transition - ends) +
                   (*(arc->to_place ? &transition->output_count : &transition->input_count))++;
        ends[p] = arc->transition, arcs[p] = i;
        ends[t] = arc->place, arcs[t] = i;
    }
}

static bool is_output(const es_net_place *place, uint32_t transition)
{
    for (uint32_t i = 0; i < place->output_count; i++)
        if (place->outputs[i] == transition)
            return true;
    return false;
}

static bool check_set(const es_net *net, const es_net_place *place, const es_net_set *set, es_error *err)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (set->transitions[i] >= net->transition_count)
            return es_fail(err, ES_USAGE, "a rule of place '%s' names transition %u; the net has %u", place->id,
                           set->transitions[i], net->transition_count);
    return true;
}

static bool finish_place(es_net *net, es_net_place *place, es_error *err)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < place->rule_count; i++) {
        const es_net_rule *rule = &place->rules[i];
        if (!is_output(place, rule->transition))
            return es_fail(err, ES_USAGE, "a rule of place '%s' routes to transition '%s', which is no output of it",
                           place->id, net->transitions[rule->transition].id);
        count += rule->condition_count;
        for (uint32_t k = 0; k < rule->condition_count; k++) {
            const es_net_condition *condition = &rule->conditions[k];
            if (condition->place >= net->place_count)
                return es_fail(err, ES_USAGE, "a rule of place '%s' names place %u; the net has %u", place->id,
                               condition->place, net->place_count);
            if (!check_set(net, place, &condition->to, err) || !check_set(net, place, &condition->from, err) ||
                !check_set(net, place, &condition->last, err))
                return false;
        }
    }
    if (place->initial_route != ES_NET_NONE && !is_output(place, place->initial_route))
        return es_fail(err, ES_USAGE,
                       "the initial token of place '%s' is routed to transition number %u, which is no output of it",
                       place->id, place->initial_route);
    uint32_t *controls = es_arena_alloc(net->arena, (count + 1) * sizeof *controls);
    count = 0;
    for (uint32_t i = 0; i < place->rule_count; i++)
        for (uint32_t k = 0; k < place->rules[i].condition_count; k++)
            controls[count++] = place->rules[i].conditions[k].place;
    qsort(controls, count, sizeof *controls, es_net_ascending);
    place->control_count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!i || controls[i] != controls[i - 1])
            controls[place->control_count++] = controls[i];
    place->controls = controls;
    return true;
}

static bool in_range(int64_t ticks)
{
    return ticks >= 0 && ticks <= ES_NET_TICKS_MAX;
}

static bool check_transition(const es_net_transition *transition, es_error *err)
{
    if (!in_range(transition->delay))
        return es_fail(err, ES_USAGE, "transition '%s' takes %lld ticks; 0 to %lld are possible", transition->id,
                       (long long)transition->delay, (long long)ES_NET_TICKS_MAX);
    if (transition->untimed && transition->delay)
        return es_fail(err, ES_USAGE, "transition '%s' is untimed, and takes %lld ticks; it can be only one of them",
                       transition->id, (long long)transition->delay);
    if (!in_range(transition->mark) || (transition->mark_max != ES_NET_UNKNOWN && !in_range(transition->mark_max)))
        return es_fail(
            err, ES_USAGE, "the mark of transition '%s' takes %lld ticks, at most %lld; 0 to %lld are possible",
            transition->id, (long long)transition->mark, (long long)transition->mark_max, (long long)ES_NET_TICKS_MAX);
    if (transition->process < ES_NET_NO_PROCESS || transition->process >= NET_PROCESSES_MAX)
        return es_fail(err, ES_USAGE, "transition '%s' is of process %d; processes have numbers from 0 to %d",
                       transition->id, (int)transition->process, NET_PROCESSES_MAX - 1);
    if (!transition->monitor && transition->mark)
        return es_fail(err, ES_USAGE,
                       "transition '%s' is no monitor, and its mark takes %lld ticks; make it one or leave them out",
                       transition->id, (long long)transition->mark);
    return true;
}

static int ascending_pairs(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static bool check_priorities(es_net *net, es_error *err)
{
    uint64_t *pairs = es_malloc(((size_t)net->transition_count + 1) * sizeof *pairs);
    for (uint32_t i = 0; i < net->transition_count; i++)
        pairs[i] = (uint64_t)net->transitions[i].priority << 32 | i;
    qsort(pairs, net->transition_count, sizeof *pairs, ascending_pairs);
    bool unique = true;
    for (uint32_t i = 1; i < net->transition_count && unique; i++)
        if (pairs[i] >> 32 == pairs[i - 1] >> 32)
            unique = es_fail(err, ES_USAGE,
                             "transitions '%s' and '%s' both have priority %u; the order needs different ones",
                             net->transitions[(uint32_t)pairs[i - 1]].id, net->transitions[(uint32_t)pairs[i]].id,
                             (unsigned)(pairs[i] >> 32));
    free(pairs);
    return unique;
}

bool es_net_finish(es_net *net, es_error *err)
{
    net->finished = false;
    if (!merge_arcs(net, err))
        return false;
    link_nodes(net);
    for (uint32_t i = 0; i < net->place_count; i++)
        if (!finish_place(net, &net->places[i], err))
            return false;
    for (uint32_t i = 0; i < net->transition_count; i++)
        if (!check_transition(&net->transitions[i], err))
            return false;
    if (!check_priorities(net, err))
        return false;
    net->finished = true;
    return true;
}
