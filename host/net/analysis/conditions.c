#include "net/analysis/conditions.h"

#include <stdlib.h>
#include <string.h>

/* Rules are checked for gaps by trying all truth values of the distinct conditions; with more of them an `else` is
 * asked for. */
#define ATOMS_MAX 12u

struct findings {
    const es_net *net;
    es_arena *arena;
    es_net_violation *violations;
    size_t count;
    bool *mark; /* by transition: to be monitored in addition */
};

const char *es_net_requirement_name(enum es_net_requirement requirement)
{
    static const char *const names[] = {"ordinary", "routing", "C1", "C2", "C3", "C3", "free", "safe"};
    return names[requirement];
}

bool es_net_property_s(const es_net *net, uint32_t place)
{
    const es_net_place *p = &net->places[place];
    for (uint32_t i = 0; i < p->output_count; i++)
        if (!net->transitions[p->outputs[i]].untimed)
            return false;
    return true;
}

static void add(struct findings *f, es_net_violation violation)
{
    f->violations = es_arena_grow(f->arena, f->violations, f->count, sizeof *f->violations);
    f->violations[f->count++] = violation;
}

/* The transition must be in M. */
static void demand(struct findings *f, es_net_violation violation)
{
    if (f->net->transitions[violation.transition].monitor)
        return;
    f->mark[violation.transition] = true;
    add(f, violation);
}

static void check_ordinary(struct findings *f)
{
    for (uint32_t i = 0; i < f->net->arc_count; i++) {
        const es_net_arc *arc = &f->net->arcs[i];
        if (arc->weight != 1)
            add(f, (es_net_violation){ES_NET_ORDINARY, arc->transition, arc->place, ES_NET_NONE, ES_NET_NONE});
    }
}

static bool same_set(const es_net_set *a, const es_net_set *b)
{
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->transitions, b->transitions, a->count * sizeof *a->transitions) == 0);
}

static bool same_atom(const es_net_condition *a, const es_net_condition *b)
{
    return a->place == b->place && same_set(&a->to, &b->to) && same_set(&a->from, &b->from) &&
           same_set(&a->last, &b->last);
}

static bool is_plain(const es_net_condition *c)
{
    return c->to.count == 0 && c->from.count == 0 && c->last.count == 0;
}

struct atoms {
    const es_net_condition *items[ATOMS_MAX];
    unsigned count;
};

/* The number of the condition among the distinct ones, `absent` aside; ATOMS_MAX when there are too many. */
static unsigned atom_of(struct atoms *atoms, const es_net_condition *condition)
{
    for (unsigned i = 0; i < atoms->count; i++)
        if (same_atom(atoms->items[i], condition))
            return i;
    if (atoms->count == ATOMS_MAX)
        return ATOMS_MAX;
    atoms->items[atoms->count] = condition;
    return atoms->count++;
}

/* A token with some properties in a place is a token in that place. */
static bool is_possible(const struct atoms *atoms, unsigned truth)
{
    for (unsigned general = 0; general < atoms->count; general++)
        for (unsigned special = 0; special < atoms->count; special++)
            if (is_plain(atoms->items[general]) && atoms->items[general]->place == atoms->items[special]->place &&
                (truth >> special & 1) && !(truth >> general & 1))
                return false;
    return true;
}

static bool rule_holds(struct atoms *atoms, const es_net_rule *rule, unsigned truth)
{
    for (uint32_t i = 0; i < rule->condition_count; i++)
        if ((truth >> atom_of(atoms, &rule->conditions[i]) & 1) == rule->conditions[i].absent)
            return false;
    return true;
}

/* True when in every state one of the rules holds (the paper: the sum of their products is 1). */
static bool rules_are_complete(const es_net_place *place)
{
    for (uint32_t r = 0; r < place->rule_count; r++)
        if (place->rules[r].condition_count == 0)
            return true;
    struct atoms atoms = {.count = 0};
    for (uint32_t r = 0; r < place->rule_count; r++) {
        for (uint32_t c = 0; c < place->rules[r].condition_count; c++)
            if (atom_of(&atoms, &place->rules[r].conditions[c]) == ATOMS_MAX)
                return false;
    }
    for (unsigned truth = 0; truth < 1u << atoms.count; truth++) {
        bool covered = !is_possible(&atoms, truth);
        for (uint32_t r = 0; r < place->rule_count && !covered; r++)
            covered = rule_holds(&atoms, &place->rules[r], truth);
        if (!covered)
            return false;
    }
    return true;
}

static void check_routing(struct findings *f)
{
    for (uint32_t p = 0; p < f->net->place_count; p++) {
        const es_net_place *place = &f->net->places[p];
        if (place->output_count >= 2 && place->rule_count && !rules_are_complete(place))
            add(f, (es_net_violation){ES_NET_ROUTING, ES_NET_NONE, p, ES_NET_NONE, ES_NET_NONE});
    }
}

static void check_c1(struct findings *f)
{
    for (uint32_t t = 0; t < f->net->transition_count; t++) {
        const es_net_transition *sync = &f->net->transitions[t];
        for (uint32_t i = 0; sync->input_count >= 2 && i < sync->input_count; i++) {
            const es_net_place *place = &f->net->places[sync->inputs[i]];
            for (uint32_t u = 0; u < place->input_count; u++)
                demand(f, (es_net_violation){ES_NET_C1, place->inputs[u], sync->inputs[i], t, ES_NET_NONE});
        }
    }
}

static void check_c2(struct findings *f)
{
    for (uint32_t p = 0; p < f->net->place_count; p++) {
        const es_net_place *place = &f->net->places[p];
        for (uint32_t u = 0; place->output_count >= 2 && u < place->input_count; u++)
            demand(f, (es_net_violation){ES_NET_C2, place->inputs[u], p, ES_NET_NONE, ES_NET_NONE});
    }
}

static void check_c3(struct findings *f, bool down)
{
    for (uint32_t p = 0; p < f->net->place_count; p++) {
        const es_net_place *place = &f->net->places[p];
        for (uint32_t i = 0; place->output_count >= 2 && i < place->control_count; i++) {
            const es_net_place *control = &f->net->places[place->controls[i]];
            if (down && es_net_property_s(f->net, place->controls[i]))
                continue;
            const uint32_t *list = down ? control->outputs : control->inputs;
            for (uint32_t u = 0; u < (down ? control->output_count : control->input_count); u++)
                demand(f, (es_net_violation){down ? ES_NET_C3_DOWN : ES_NET_C3_UP, list[u], place->controls[i],
                                             ES_NET_NONE, p});
        }
    }
}

static void check_free(struct findings *f)
{
    for (uint32_t p = 0; p < f->net->place_count; p++) {
        const es_net_place *place = &f->net->places[p];
        for (uint32_t u = 0; place->output_count >= 2 && !place->rule_count && u < place->output_count; u++)
            demand(f, (es_net_violation){ES_NET_FREE, place->outputs[u], p, ES_NET_NONE, ES_NET_NONE});
    }
}

/* Collects the indices whose flag is set. */
static const uint32_t *collect(es_arena *arena, const bool *flags, uint32_t size, size_t *count)
{
    uint32_t *list = NULL;
    *count = 0;
    for (uint32_t i = 0; i < size; i++)
        if (flags[i]) {
            list = es_arena_grow(arena, list, *count, sizeof *list);
            list[(*count)++] = i;
        }
    return list;
}

es_net_findings es_net_check(const es_net *net, es_arena *arena)
{
    struct findings f = {.net = net, .arena = arena, .mark = es_arena_alloc(arena, net->transition_count)};
    check_ordinary(&f);
    check_routing(&f);
    check_c1(&f);
    check_c2(&f);
    check_c3(&f, false);
    check_c3(&f, true);
    check_free(&f);
    bool *relaxed = es_arena_alloc(arena, net->place_count);
    for (uint32_t p = 0; p < net->place_count; p++)
        for (uint32_t i = 0; net->places[p].output_count >= 2 && i < net->places[p].control_count; i++)
            relaxed[net->places[p].controls[i]] = es_net_property_s(net, net->places[p].controls[i]);
    es_net_findings findings = {.violations = f.violations, .count = f.count};
    findings.marks = collect(arena, f.mark, net->transition_count, &findings.mark_count);
    findings.relaxed = collect(arena, relaxed, net->place_count, &findings.relaxed_count);
    return findings;
}

/* "t3" or "t3 (main.c:12)". */
static const char *with_source(es_arena *arena, const char *id, const char *source)
{
    return source ? es_arena_format(arena, "%s (%s)", id, source) : id;
}

const char *es_net_violation_text(const es_net *net, const es_net_violation *v, es_arena *arena)
{
    const char *transition = NULL, *place = NULL;
    if (v->transition != ES_NET_NONE)
        transition = with_source(arena, net->transitions[v->transition].id, net->transitions[v->transition].source);
    if (v->place != ES_NET_NONE)
        place = with_source(arena, net->places[v->place].id, net->places[v->place].source);
    const char *chooser = v->chooser != ES_NET_NONE ? net->places[v->chooser].id : NULL;
    switch (v->requirement) {
    case ES_NET_ORDINARY:
        return es_arena_format(
            arena, "the arc between place %s and transition %s has a weight above 1; use arcs and places of weight 1",
            place, transition);
    case ES_NET_ROUTING:
        return es_arena_format(
            arena, "the routing rules of place %s leave states in which none holds; add a last rule without conditions",
            place);
    case ES_NET_C1:
        return es_arena_format(
            arena, "transition %s puts tokens on place %s, where they wait for others to fire %s together; monitor it",
            transition, place, net->transitions[v->sync].id);
    case ES_NET_C2:
        return es_arena_format(arena, "transition %s puts tokens on place %s, which has %u outputs; monitor it",
                               transition, place, net->places[v->place].output_count);
    case ES_NET_C3_UP:
        return es_arena_format(
            arena, "transition %s puts tokens on place %s, which decides the routing of place %s; monitor it",
            transition, place, chooser);
    case ES_NET_C3_DOWN:
        return es_arena_format(
            arena,
            "transition %s takes tokens from place %s, which decides the routing of place %s; monitor it, or make all "
            "transitions that take from %s untimed",
            transition, place, chooser, net->places[v->place].id);
    case ES_NET_FREE:
        return es_arena_format(
            arena,
            "transition %s is one of those that the program chooses from at place %s, which has no routing rules; "
            "monitor it, "
            "or give the place rules",
            transition, place);
    case ES_NET_SAFE: break;
    }
    if (!transition)
        return es_arena_format(arena, "place %s holds %u tokens at the start; at most one is allowed", place,
                               net->places[v->place].tokens);
    return es_arena_format(arena, "place %s can get a second token, from transition %s", place, transition);
}
