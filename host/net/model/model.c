#include "net/model/net.h"

#include <stdlib.h>
#include <string.h>

#include "net/model/private.h"

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
    if (number < 0 || number >= NET_PROCESSES_MAX)
        return es_fail(err, ES_USAGE, "process %d: processes have numbers from 0 to %d", (int)number,
                       NET_PROCESSES_MAX - 1);
    while (net->process_count <= (uint32_t)number) {
        net->processes = es_arena_grow(net->arena, net->processes, net->process_count, sizeof *net->processes);
        net->process_count++;
    }
    net->processes[number] = copied(net, name);
    return true;
}

/* --- routing --------------------------------------------------------------------------------------------- */

int es_net_ascending(const void *left, const void *right)
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
        qsort(transitions, set->count, sizeof *transitions, es_net_ascending);
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
