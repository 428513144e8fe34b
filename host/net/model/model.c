#include "net/model/net.h"

#include <stdlib.h>
#include <string.h>

#define PROCESSES_MAX 65536

/* Hash table of all ids, open addressing; an entry is 0 (free), index * 2 + 1 (place) or index * 2 + 2 (transition). */
struct es_net_names {
    uint32_t *entries;
    uint32_t size, used; /* size is a power of two */
};

es_net *es_net_new(const char *id)
{
    es_arena *arena = es_arena_new();
    es_net *net = es_arena_alloc(arena, sizeof *net);
    net->arena = arena;
    net->id = id ? es_arena_copy(arena, id, strlen(id)) : "net";
    net->name = net->id;
    net->names = es_arena_alloc(arena, sizeof *net->names);
    return net;
}

void es_net_free(es_net *net)
{
    if (!net)
        return;
    free(net->names->entries);
    es_arena_free(net->arena);
}

/* --- names ----------------------------------------------------------------------------------------------- */

static uint32_t hash(const char *text)
{
    uint32_t value = 2166136261u; /* FNV-1a */
    for (; *text; text++)
        value = (value ^ (unsigned char)*text) * 16777619u;
    return value ^ value >> 15;
}

static const char *id_of(const es_net *net, uint32_t entry)
{
    uint32_t index = (entry - 1) / 2;
    return entry & 1 ? net->places[index].id : net->transitions[index].id;
}

/* The entry that holds the id, or the free one where it belongs. */
static uint32_t *slot_of(const es_net *net, const char *id)
{
    struct es_net_names *names = net->names;
    uint32_t at = hash(id) & (names->size - 1);
    while (names->entries[at] && strcmp(id_of(net, names->entries[at]), id) != 0)
        at = (at + 1) & (names->size - 1);
    return &names->entries[at];
}

static void grow_names(es_net *net)
{
    struct es_net_names *names = net->names;
    if (names->used * 2 < names->size)
        return;
    uint32_t *old = names->entries;
    uint32_t old_size = names->size;
    names->size = old_size ? old_size * 2 : 64;
    names->entries = es_malloc(names->size * sizeof *names->entries);
    memset(names->entries, 0, names->size * sizeof *names->entries);
    for (uint32_t i = 0; i < old_size; i++)
        if (old[i])
            *slot_of(net, id_of(net, old[i])) = old[i];
    free(old);
}

static uint32_t find(const es_net *net, const char *id, bool place)
{
    if (!id || !net->names->size)
        return ES_NET_NONE;
    uint32_t entry = *slot_of(net, id);
    return entry && (entry & 1) == place ? (entry - 1) / 2 : ES_NET_NONE;
}

uint32_t es_net_place_find(const es_net *net, const char *id)
{
    return find(net, id, true);
}

uint32_t es_net_transition_find(const es_net *net, const char *id)
{
    return find(net, id, false);
}

/* --- nodes ----------------------------------------------------------------------------------------------- */

static const char *copied(es_net *net, const char *text)
{
    return text ? es_arena_copy(net->arena, text, strlen(text)) : NULL;
}

/* Checks a new node's id and makes room in the index of names. */
static bool may_add(es_net *net, const char *id, const char *kind, es_error *err)
{
    if (!id || !*id)
        return es_fail(err, ES_USAGE, "a %s has no id; each needs one of its own", kind);
    if (net->place_count + net->transition_count >= ES_NET_NODES_MAX)
        return es_fail(err, ES_USAGE, "%s '%s': a net has at most %u places and transitions", kind, id,
                       ES_NET_NODES_MAX);
    grow_names(net);
    uint32_t entry = *slot_of(net, id);
    if (entry)
        return es_fail(err, ES_USAGE, "%s '%s': a %s has this id already; rename one of them", kind, id,
                       entry & 1 ? "place" : "transition");
    net->names->used++;
    net->finished = false;
    return true;
}

uint32_t es_net_place_add(es_net *net, const char *id, const char *name, uint32_t tokens, const char *source,
                          es_error *err)
{
    if (!may_add(net, id, "place", err))
        return ES_NET_NONE;
    net->places = es_arena_grow(net->arena, net->places, net->place_count, sizeof *net->places);
    es_net_place *place = &net->places[net->place_count];
    place->id = copied(net, id);
    place->name = name && *name ? copied(net, name) : place->id;
    place->source = copied(net, source);
    place->tokens = tokens;
    place->initial_route = ES_NET_NONE;
    *slot_of(net, id) = net->place_count * 2 + 1;
    return net->place_count++;
}

uint32_t es_net_transition_add(es_net *net, const char *id, const char *name, int64_t delay, const char *source,
                               es_error *err)
{
    if (!may_add(net, id, "transition", err))
        return ES_NET_NONE;
    net->transitions = es_arena_grow(net->arena, net->transitions, net->transition_count, sizeof *net->transitions);
    es_net_transition *transition = &net->transitions[net->transition_count];
    transition->id = copied(net, id);
    transition->name = name && *name ? copied(net, name) : transition->id;
    transition->source = copied(net, source);
    transition->process = ES_NET_NO_PROCESS;
    transition->priority = net->transition_count + 1;
    transition->delay = delay;
    transition->mark_max = ES_NET_UNKNOWN;
    *slot_of(net, id) = net->transition_count * 2 + 2;
    return net->transition_count++;
}

static bool arc_add(es_net *net, uint32_t place, uint32_t transition, bool to_place, uint32_t weight, es_error *err)
{
    if (place >= net->place_count || transition >= net->transition_count)
        return es_fail(err, ES_USAGE, "an arc joins place %u and transition %u; the net has %u and %u", place,
                       transition, net->place_count, net->transition_count);
    const char *from = to_place ? net->transitions[transition].id : net->places[place].id;
    const char *to = to_place ? net->places[place].id : net->transitions[transition].id;
    if (!weight)
        return es_fail(err, ES_USAGE, "the arc from '%s' to '%s' has weight 0; leave it out", from, to);
    if (net->arc_count >= ES_NET_ARCS_MAX)
        return es_fail(err, ES_USAGE, "the arc from '%s' to '%s': a net has at most %u arcs", from, to,
                       ES_NET_ARCS_MAX);
    net->arcs = es_arena_grow(net->arena, net->arcs, net->arc_count, sizeof *net->arcs);
    net->arcs[net->arc_count++] = (es_net_arc){place, transition, to_place, weight};
    net->finished = false;
    return true;
}

bool es_net_arc_in(es_net *net, uint32_t place, uint32_t transition, uint32_t weight, es_error *err)
{
    return arc_add(net, place, transition, false, weight, err);
}

bool es_net_arc_out(es_net *net, uint32_t transition, uint32_t place, uint32_t weight, es_error *err)
{
    return arc_add(net, place, transition, true, weight, err);
}

bool es_net_monitor(es_net *net, uint32_t transition, int64_t mark, int64_t mark_max, es_error *err)
{
    if (transition >= net->transition_count)
        return es_fail(err, ES_USAGE, "transition %u is to be a monitor; the net has %u", transition,
                       net->transition_count);
    net->transitions[transition].monitor = true;
    net->transitions[transition].mark = mark;
    net->transitions[transition].mark_max = mark_max;
    net->finished = false;
    return true;
}

bool es_net_process_name(es_net *net, int32_t number, const char *name, es_error *err)
{
    if (number < 0 || number >= PROCESSES_MAX)
        return es_fail(err, ES_USAGE, "process %d: processes have numbers from 0 to %d", (int)number,
                       PROCESSES_MAX - 1);
    while (net->process_count <= (uint32_t)number) {
        net->processes = es_arena_grow(net->arena, net->processes, net->process_count, sizeof *net->processes);
        net->process_count++;
    }
    net->processes[number] = copied(net, name);
    return true;
}

/* --- routing --------------------------------------------------------------------------------------------- */

static int ascending(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static es_net_set set_copy(es_net *net, const es_net_set *set)
{
    es_net_set copy = {NULL, set->count};
    if (set->count) {
        uint32_t *transitions = es_arena_alloc(net->arena, set->count * sizeof *transitions);
        memcpy(transitions, set->transitions, set->count * sizeof *transitions);
        qsort(transitions, set->count, sizeof *transitions, ascending);
        copy.transitions = transitions;
    }
    return copy;
}

bool es_net_set_has(const es_net_set *set, uint32_t transition)
{
    if (!set->count)
        return true;
    for (uint32_t i = 0; i < set->count; i++)
        if (set->transitions[i] == transition)
            return true;
    return false;
}

bool es_net_rule_add(es_net *net, uint32_t place, uint32_t transition, const es_net_condition *conditions,
                     uint32_t count, es_error *err)
{
    if (place >= net->place_count || transition >= net->transition_count)
        return es_fail(err, ES_USAGE, "a rule routes from place %u to transition %u; the net has %u and %u", place,
                       transition, net->place_count, net->transition_count);
    es_net_place *at = &net->places[place];
    es_net_condition *copies = es_arena_alloc(net->arena, (count ? count : 1) * sizeof *copies);
    for (uint32_t i = 0; i < count; i++) {
        copies[i] = conditions[i];
        copies[i].to = set_copy(net, &conditions[i].to);
        copies[i].from = set_copy(net, &conditions[i].from);
        copies[i].last = set_copy(net, &conditions[i].last);
    }
    es_net_rule *rules = es_arena_grow(net->arena, (void *)(uintptr_t)at->rules, at->rule_count, sizeof *rules);
    rules[at->rule_count++] = (es_net_rule){transition, copies, count};
    at->rules = rules;
    net->finished = false;
    return true;
}

bool es_net_order(es_net *net, const uint32_t *order, es_error *err)
{
    for (uint32_t i = 0; i < net->transition_count; i++) {
        if (order[i] >= net->transition_count)
            return es_fail(err, ES_USAGE, "the order of transitions names number %u; the net has %u", order[i],
                           net->transition_count);
        net->transitions[order[i]].priority = i + 1;
    }
    net->finished = false;
    return true;
}

/* --- finishing ------------------------------------------------------------------------------------------- */

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
    qsort(controls, count, sizeof *controls, ascending);
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
    if (transition->process < ES_NET_NO_PROCESS || transition->process >= PROCESSES_MAX)
        return es_fail(err, ES_USAGE, "transition '%s' is of process %d; processes have numbers from 0 to %d",
                       transition->id, (int)transition->process, PROCESSES_MAX - 1);
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
