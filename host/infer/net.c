#include "infer/net.h"

#include <string.h>

#include "net/analysis/analysis.h"
#include "net/formats/format.h"

#define TRIES_MAX 64u /* searches for one process */

/* A process while its machine is made. */
typedef struct process {
    const es_net *net;
    int32_t number;
    bool *in;         /* by place: one token at most is in these, and the process' steps move it */
    bool *seen;       /* by place: looked at, from the state at hand */
    uint32_t *states; /* by transition: the state after it */
} process;

bool es_infer_is_net(const char *path)
{
    const char *end = strrchr(path, '.');
    return end && (strcmp(end, ".pnml") == 0 || strcmp(end, ".net") == 0);
}

/* The place of the process' token among these; ES_NET_NONE: none is. */
static uint32_t inside_of(const process *p, const uint32_t *places, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (p->in[places[i]])
            return places[i];
    return ES_NET_NONE;
}

/* An observed step of the process that moves the token. */
static bool is_step(const process *p, uint32_t transition)
{
    const es_net_transition *t = &p->net->transitions[transition];
    return t->process == p->number && t->monitor && inside_of(p, t->inputs, t->input_count) != ES_NET_NONE;
}

/* How many of the process' observed steps take its token. */
static uint32_t moved(const process *p)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->net->transition_count; i++)
        count += is_step(p, i);
    return count;
}

/* Finds places that one token goes through, moved by as many of the process' observed steps as can be; it is at *start
 * first. Such a set has all places from which a token comes to one of them: so the search is from the steps' inputs. */
static bool find_places(process *p, uint32_t *start)
{
    uint32_t tries = 0, most = 1, best = ES_NET_NONE;
    for (uint32_t i = p->net->transition_count; i-- > 0;) {
        const es_net_transition *t = &p->net->transitions[i];
        for (uint32_t k = 0; t->process == p->number && t->monitor && k < t->input_count && tries < TRIES_MAX; k++) {
            memset(p->in, 0, p->net->place_count);
            tries++;
            uint32_t count = es_net_component(p->net, t->inputs[k], p->in) ? moved(p) : 0;
            if (count > most) {
                most = count;
                best = t->inputs[k];
            }
        }
    }
    memset(p->in, 0, p->net->place_count);
    if (best == ES_NET_NONE || !es_net_component(p->net, best, p->in))
        return false;
    for (uint32_t i = 0; i < p->net->place_count; i++)
        if (p->in[i] && p->net->places[i].tokens)
            *start = i;
    return *start != ES_NET_NONE;
}

static bool has_observed(const process *p)
{
    for (uint32_t i = 0; i < p->net->transition_count; i++)
        if (p->net->transitions[i].process == p->number && p->net->transitions[i].monitor)
            return true;
    return false;
}

/* Adds transitions from a state in which the process' token is at a place, to all observed ones that it may come to
 * next by steps that nobody observes. */
static bool add_from(es_infer_model *model, es_infer_machine *machine, process *p, uint32_t state,
                     uint32_t place) /* NOLINT(misc-no-recursion): each place once */
{
    if (place == ES_NET_NONE || p->seen[place])
        return true;
    p->seen[place] = true;
    const es_net_place *at = &p->net->places[place];
    for (uint32_t i = 0; i < at->output_count; i++) {
        const es_net_transition *t = &p->net->transitions[at->outputs[i]];
        if (!is_step(p, at->outputs[i])) {
            if (!add_from(model, machine, p, state, inside_of(p, t->outputs, t->output_count)))
                return false;
            continue;
        }
        uint32_t event = es_infer_event_number(&model->words, t->id, strlen(t->id), true);
        uint32_t role = event == ES_INFER_NONE ? ES_INFER_NONE : es_infer_role_of(model, machine, event, ES_INFER_NONE);
        if (role == ES_INFER_NONE ||
            !es_infer_transition_add(model, machine,
                                     &(es_infer_transition){.from = (uint16_t)state,
                                                            .to = (uint16_t)p->states[at->outputs[i]],
                                                            .role = (uint16_t)role}))
            return false;
    }
    return true;
}

static bool add_process(es_infer_model *model, process *p, uint32_t start, const char *name)
{
    es_infer_machine *machine = es_infer_machine_add(model, name);
    if (!machine)
        return false;
    machine->initial = es_infer_state(model, machine, "begins", true);
    for (uint32_t i = 0; i < p->net->transition_count; i++) {
        if (!is_step(p, i))
            continue;
        p->states[i] =
            es_infer_state(model, machine, es_arena_format(model->arena, "after %s", p->net->transitions[i].id), true);
        if (p->states[i] == ES_INFER_NONE)
            return false;
    }
    memset(p->seen, 0, p->net->place_count);
    if (!add_from(model, machine, p, machine->initial, start))
        return false;
    for (uint32_t i = 0; i < p->net->transition_count; i++) {
        const es_net_transition *t = &p->net->transitions[i];
        if (!is_step(p, i))
            continue;
        memset(p->seen, 0, p->net->place_count);
        if (!add_from(model, machine, p, p->states[i], inside_of(p, t->outputs, t->output_count)))
            return false;
    }
    es_infer_machine_finish(model, machine);
    return true;
}

bool es_infer_net_add(es_infer_model *model, const char *path, uint32_t *left_out, es_error *err)
{
    es_net *net = es_net_load(path, err);
    if (!net)
        return false;
    es_arena *arena = es_arena_new();
    process p = {net, 0, es_arena_alloc(arena, net->place_count + 1), es_arena_alloc(arena, net->place_count + 1),
                 es_arena_alloc(arena, (net->transition_count + 1) * sizeof *p.states)};
    uint32_t made = 0, others = 0;
    bool good = true;
    for (; good && (uint32_t)p.number < net->process_count; p.number++) {
        uint32_t start = ES_NET_NONE;
        if (!has_observed(&p))
            continue;
        if (!find_places(&p, &start)) {
            others++;
            continue;
        }
        const char *name = net->processes[p.number];
        good =
            add_process(model, &p, start, name ? name : es_arena_format(arena, "process %d", (int)p.number)) ||
            es_fail(err, ES_USAGE, "%s: it has more processes, or observed transitions, than machines can have", path);
        made++;
    }
    if (good && !made)
        good = es_fail(err, ES_USAGE,
                       "%s: no process of the net with observed transitions has one token that goes through its places",
                       path);
    if (left_out)
        *left_out = others;
    es_arena_free(arena);
    es_net_free(net);
    return good;
}
