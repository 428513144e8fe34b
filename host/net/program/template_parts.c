#include "net/program/template_parts.h"

uint32_t es_mp_place(es_net_mp *mp, uint32_t tokens, es_error *err, const char *id, unsigned source,
                     unsigned destination)
{
    const char *full = es_arena_format(mp->net->arena, "%s %u>%u", id, source, destination);
    uint32_t index = mp->failed ? ES_NET_NONE : es_net_place_add(mp->net, full, NULL, tokens, NULL, err);
    mp->failed |= index == ES_NET_NONE;
    return index;
}

static void arc(es_net_mp *mp, uint32_t at, uint32_t transition, bool to_place, es_error *err)
{
    if (at != ES_NET_NONE && !mp->failed)
        mp->failed = !(to_place ? es_net_arc_out(mp->net, transition, at, 1, err)
                                : es_net_arc_in(mp->net, at, transition, 1, err));
}

void es_mp_rule(es_net_mp *mp, uint32_t at, uint32_t to, const es_net_condition *conditions, uint32_t count,
                es_error *err)
{
    if (!mp->failed)
        mp->failed = !es_net_rule_add(mp->net, at, to, conditions, count, err);
}

uint32_t es_mp_step(es_net_mp *mp, const char *id, const char *source, int64_t delay, enum turn turn,
                    es_net_mp_step what, const uint32_t inputs[2], const uint32_t outputs[3], es_error *err)
{
    if (mp->failed)
        return ES_NET_NONE;
    es_net *net = mp->net;
    what.transition = es_net_transition_add(net, id, NULL, delay, source, err);
    if (what.transition == ES_NET_NONE) {
        mp->failed = true;
        return ES_NET_NONE;
    }
    int64_t mark = what.seen == ES_NET_SEEN_END ? mp->mark : 0;
    mp->failed = !es_net_monitor(net, what.transition, mark, mark, err);
    net->transitions[what.transition].process = (int32_t)what.core;
    net->transitions[what.transition].untimed = what.seen == ES_NET_SEEN_COMPUTED && delay == 0;
    net->transitions[what.transition].fixed = what.seen == ES_NET_SEEN_COMPUTED;
    for (size_t i = 0; i < 2; i++)
        arc(mp, inputs[i], what.transition, false, err);
    for (size_t i = 0; i < 3; i++)
        arc(mp, outputs[i], what.transition, true, err);
    mp->steps = es_arena_grow(net->arena, mp->steps, mp->step_count, sizeof *mp->steps);
    mp->turns = es_arena_grow(net->arena, mp->turns, mp->step_count, sizeof *mp->turns);
    mp->steps[mp->step_count] = what;
    mp->turns[mp->step_count++] = turn;
    return what.transition;
}
