/* Safety without all states: places that hold one token at most together, and parts of the net for those whose safety
 * hangs on routing or on steps that take no time. */
#include <stdlib.h>
#include <string.h>

#include "net/analysis/private.h"

#define ROUNDS_MAX 200u   /* of growing a part */
#define ROUNDS_LEAN 20u   /* the same place by place, */
#define STATES_LEAN 2000u /* and for how many states of it: where it does, few are enough */

struct proof {
    const es_net *net;
    es_net_safety *result;
    es_arena *arena;
    size_t limit;
    bool *safe;          /* by place: proven */
    uint32_t *component; /* by place: the number of a component with it, or ES_NET_NONE */
    bool **components;
    size_t component_count;
    bool *part; /* by place: of the part that is being grown */
    bool lean;  /* places are added without those that they share a token with */
};

/* --- places that share one token ------------------------------------------------------------------------------ */

static void find_components(struct proof *f)
{
    bool *in = es_malloc((f->net->place_count + 1) * sizeof *in);
    for (uint32_t p = 0; p < f->net->place_count; p++) {
        const es_net_place *at = &f->net->places[p];
        if (!at->input_count && !at->output_count && at->tokens <= 1) { /* alone: a search for each would take long */
            f->safe[p] = true;
            f->result->by_tokens++;
            continue;
        }
        if (f->safe[p] || !es_net_component(f->net, p, in))
            continue;
        f->components = es_realloc(f->components, (f->component_count + 1) * sizeof *f->components);
        f->components[f->component_count] = es_malloc((f->net->place_count + 1) * sizeof *in);
        memcpy(f->components[f->component_count], in, f->net->place_count * sizeof *in);
        for (uint32_t q = 0; q < f->net->place_count; q++)
            if (in[q] && !f->safe[q]) {
                f->safe[q] = true;
                f->component[q] = (uint32_t)f->component_count;
                f->result->by_tokens++;
            }
        f->component_count++;
    }
    free(in);
}

/* --- parts ---------------------------------------------------------------------------------------------------- */

/* Adds a place, and with it those that it shares a token with: together they have few states, and are more likely to
 * be all that is needed. */
static bool add(struct proof *f, uint32_t place)
{
    if (f->part[place])
        return false;
    f->part[place] = true;
    const bool *with = f->lean || f->component[place] == ES_NET_NONE ? NULL : f->components[f->component[place]];
    for (uint32_t p = 0; p < f->net->place_count && with; p++)
        f->part[p] = f->part[p] || with[p];
    return true;
}

/* Adds what the path does not know of: inputs of its transitions, and what routed their tokens. False when it knows
 * all. */
static bool grow(struct proof *f, const es_net_path *path)
{
    bool grown = false;
    for (size_t i = 0; i < path->count; i++) {
        const es_net_transition *t = &f->net->transitions[path->firings[i]];
        for (uint32_t k = 0; k < t->input_count; k++)
            grown = add(f, t->inputs[k]) || grown;
        for (uint32_t k = 0; k < t->output_count; k++) {
            const es_net_place *place = &f->net->places[t->outputs[k]];
            for (uint32_t c = 0; f->part[t->outputs[k]] && c < place->control_count; c++)
                grown = add(f, place->controls[c]) || grown;
        }
    }
    return grown;
}

static uint32_t size_of(const struct proof *f)
{
    uint32_t size = 0;
    for (uint32_t p = 0; p < f->net->place_count; p++)
        size += f->part[p];
    return size;
}

/* Grows a part around the place until all its places are safe in it. */
static bool prove_by_part(struct proof *f, uint32_t place, bool lean)
{
    const es_net_part part = {f->part, f->safe};
    memset(f->part, 0, f->net->place_count * sizeof *f->part);
    f->lean = lean;
    add(f, place);
    for (uint32_t round = 0; round < (lean ? ROUNDS_LEAN : ROUNDS_MAX); round++) {
        size_t limit = lean && f->limit > STATES_LEAN ? STATES_LEAN : f->limit;
        es_net_states states = es_net_explore_part(f->net, &part, limit, f->arena);
        if (states.safe == ES_NET_YES) {
            f->result->parts++;
            if (states.count > f->result->part_states)
                f->result->part_states = states.count;
            if (size_of(f) > f->result->part_places)
                f->result->part_places = size_of(f);
            for (uint32_t p = 0; p < f->net->place_count; p++)
                if (f->part[p] && !f->safe[p]) {
                    f->safe[p] = true;
                    f->result->by_parts++;
                }
            return true;
        }
        if (states.safe != ES_NET_NO || !grow(f, &states.unsafe))
            return false;
    }
    return false;
}

es_net_safety es_net_prove_safe(const es_net *net, size_t limit, es_arena *arena)
{
    es_net_safety result = {.safe = ES_NET_UNDECIDED};
    struct proof f = {.net = net, .result = &result, .arena = arena, .limit = limit};
    f.safe = es_arena_alloc(arena, (net->place_count + 1) * sizeof *f.safe);
    f.part = es_arena_alloc(arena, (net->place_count + 1) * sizeof *f.part);
    f.component = es_arena_alloc(arena, (net->place_count + 1) * sizeof *f.component);
    for (uint32_t p = 0; p < net->place_count; p++)
        f.component[p] = ES_NET_NONE;
    find_components(&f);
    uint32_t *open = NULL;
    for (uint32_t p = 0; p < net->place_count; p++)
        if (!f.safe[p] && !prove_by_part(&f, p, true) && !prove_by_part(&f, p, false)) {
            open = es_arena_grow(arena, open, result.open_count, sizeof *open);
            open[result.open_count++] = p;
        }
    result.open = open;
    if (!result.open_count)
        result.safe = ES_NET_YES;
    for (size_t i = 0; i < f.component_count; i++)
        free(f.components[i]);
    free(f.components);
    return result;
}
