/* In which nets certainty can be found again after lost marks: those in which time decides nothing (again.c). */
#include "net/recovery/again.h"

/* Who fires the step; of a message under way (computed, of no process) a number of its own. */
static uint32_t process_of(const es_net_recovery *recovery, uint32_t transition)
{
    const uint32_t process = recovery->steps[transition].process;
    return process ? process : recovery->process_count + transition;
}

/* One process gives, and one takes; where there are several ways, the program's data choose. */
static bool place_fits(const es_net_recovery *recovery, uint32_t index, token *at)
{
    const es_net_place *place = &recovery->net->places[index];
    at->giver = place->input_count ? process_of(recovery, place->inputs[0]) : NONE;
    at->taker = place->output_count ? process_of(recovery, place->outputs[0]) : NONE;
    for (uint32_t i = 0; i < place->input_count; i++)
        if (process_of(recovery, place->inputs[i]) != at->giver)
            return false;
    for (uint32_t i = 0; i < place->output_count; i++)
        if (process_of(recovery, place->outputs[i]) != at->taker)
            return false;
    return !recovery->places[index].decides && !place->signal;
}

static uint32_t own_places(const struct again *again, const uint32_t *places, uint32_t count, uint32_t process)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += again->tokens[places[i]].giver == process && again->tokens[places[i]].taker == process;
    return found;
}

/* A message under way takes the same time in both runs. All else is measured, and its process is one token that goes
 * round. */
static bool step_fits(const es_net_recovery *recovery, uint32_t index)
{
    const step_state *step = &recovery->steps[index];
    if (!step->process)
        return step->computed && step->in_count == 1 && step->out_count == 1;
    return step->monitor && !step->computed && step->in_count &&
           own_places(recovery->again, step->in, step->in_count, step->process) == 1 &&
           own_places(recovery->again, step->out, step->out_count, step->process) == 1;
}

bool es_again_fits(es_net_recovery *recovery)
{
    const es_net *net = recovery->net;
    struct again *again = recovery->again;
    bool fits = !recovery->options.delays && !recovery->options.pace_count && !recovery->any_idle;
    for (uint32_t i = 0; i < net->place_count && fits; i++)
        fits = place_fits(recovery, i, &again->tokens[i]);
    for (uint32_t i = 0; i < net->transition_count && fits; i++)
        fits = step_fits(recovery, i);
    uint32_t *own = es_arena_alloc(recovery->arena, (recovery->process_count + net->transition_count) * sizeof *own);
    for (uint32_t i = 0; i < net->place_count && fits; i++)
        if (net->places[i].tokens && again->tokens[i].giver == again->tokens[i].taker && again->tokens[i].giver != NONE)
            fits = ++own[again->tokens[i].giver] == 1;
    return fits;
}
