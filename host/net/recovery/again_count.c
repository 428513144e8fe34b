/* How often steps were fired that lost marks hide. At each place of which it is known whether a token is there, those
 * who give to it were fired as often as those who take from it, but for that token: of one step that is not counted,
 * this tells its number. */
#include "net/recovery/again.h"

/* The step that the place lets count, now that all others at it are counted; NONE. */
static uint32_t count_at(es_net_recovery *recovery, uint32_t index)
{
    struct again *again = recovery->again;
    const es_net_place *place = &recovery->net->places[index];
    const token *at = &again->tokens[index];
    /* Computed steps pass their tokens on at once, in the counts as well. */
    const bool is_there = !at->passed && at->held != EMPTY;
    uint32_t found = NONE;
    bool gives = false;
    uint64_t given = place->tokens, taken = is_there;
    if (at->implied || (is_there && !is_sure(at)))
        return NONE;
    for (uint32_t i = 0; i < place->input_count + place->output_count; i++) {
        const bool input = i < place->input_count;
        const uint32_t transition = input ? place->inputs[i] : place->outputs[i - place->input_count];
        if (again->counted[transition]) {
            *(input ? &given : &taken) += again->numbers[transition];
        } else {
            if (found != NONE)
                return NONE;
            found = transition;
            gives = input;
        }
    }
    if (found == NONE || is_lost(again, again->steps[found].process) || (gives ? taken < given : given < taken))
        return NONE;
    again->numbers[found] = gives ? taken - given : given - taken;
    again->counted[found] = true;
    again->uncounted--;
    return found;
}

static void count_from(es_net_recovery *recovery, uint32_t waiting)
{
    struct again *again = recovery->again;
    while (waiting && again->uncounted) {
        const es_net_transition *step = &recovery->net->transitions[again->work[--waiting]];
        for (uint32_t i = 0; i < step->input_count + step->output_count; i++) {
            const uint32_t found =
                count_at(recovery, i < step->input_count ? step->inputs[i] : step->outputs[i - step->input_count]);
            if (found != NONE)
                again->work[waiting++] = found;
        }
    }
}

void es_again_count_step(es_net_recovery *recovery, uint32_t transition)
{
    if (!recovery->again->uncounted)
        return;
    recovery->again->work[0] = transition;
    count_from(recovery, 1);
}

void es_again_count_process(es_net_recovery *recovery, uint32_t process)
{
    struct again *again = recovery->again;
    for (uint32_t i = 0; i < recovery->net->transition_count && again->uncounted; i++)
        if (again->steps[i].process == process)
            es_again_count_step(recovery, i);
}

static void uncount(struct again *again, uint32_t transition)
{
    again->uncounted += again->counted[transition];
    again->counted[transition] = false;
    again->reached[transition] = true;
}

void es_again_uncount(es_net_recovery *recovery, uint32_t process)
{
    const es_net *net = recovery->net;
    struct again *again = recovery->again;
    uint32_t waiting = 0, *places = again->work;
    for (uint32_t i = 0; i < net->transition_count; i++)
        again->reached[i] = false;
    for (uint32_t i = 0; i < net->place_count; i++)
        if (is_own(&again->tokens[i], process) && again->tokens[i].held != EMPTY)
            places[waiting++] = i;
    /* Only steps to which the process can come from there. */
    while (waiting) {
        const es_net_place *place = &net->places[places[--waiting]];
        for (uint32_t i = 0; i < place->output_count; i++) {
            const again_step *step = &again->steps[place->outputs[i]];
            if (again->reached[place->outputs[i]])
                continue;
            uncount(again, place->outputs[i]);
            for (uint32_t k = 0; k < step->computed_count; k++)
                uncount(again, step->computed[k]);
            for (uint32_t k = 0; k < step->out_count; k++)
                if (is_own(&again->tokens[step->out[k]], process))
                    places[waiting++] = step->out[k];
        }
    }
}
