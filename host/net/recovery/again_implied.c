/* Places that can delay nothing: they hold a token whenever another one does, and got it no later.
 *
 * A call of a library remembers who called: `at` is filled with the request, and emptied with the answer. As long as
 * the call lasts, its token is in one of some places Q (request, ... , answer), and the memory A holds one, too. That
 * is so in every state when each step of the net changes the number of tokens in A as it changes that in Q, and both
 * are empty at the start. A holds one token at most where it is one place (the net is safe) or Q is part of a process
 * (which is one token); so does Q then, and the token of A came when that of Q came to the first place of Q. So
 * whatever step takes the token of the last place of Q finds that of A there, since before.
 *
 * The last place p of Q may decide by A who called. In the state in which its token is made, Q holds one token, so A
 * does, and it is where the call began: the decision follows from what the process did before, not from any time. */
#include "net/recovery/again.h"

#include <stdlib.h>

#define CHAIN_MAX 16 /* places of a call, and computed steps between two of a process: enough for any, and soon done */

enum part { OTHER, CHAIN, MEMORY };

/* The attempt at hand: by place, to which of both it belongs. */
typedef struct attempt {
    const es_net_recovery *recovery;
    uint8_t *part;
    uint32_t *chain, *memory;
    uint32_t chain_count, memory_count;
} attempt;

static uint32_t count_of(const attempt *a, const uint32_t *places, uint32_t count, enum part part)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += a->part[places[i]] == part;
    return found;
}

/* The process that gives to the place, over computed steps. */
static uint32_t origin(const es_net_recovery *recovery, uint32_t place)
{
    for (unsigned depth = 0; depth < CHAIN_MAX; depth++) {
        const es_net_place *at = &recovery->net->places[place];
        if (!at->input_count)
            return NONE;
        const step_state *step = &recovery->steps[at->inputs[0]];
        if (!step->computed)
            return step->process;
        place = step->in[0];
    }
    return NONE;
}

/* The place of the chain from which the step's token comes, where it does not begin there: of a computed step its only
 * one, of others that of its own process; where that also sends itself messages, the one that it fills itself. */
static uint32_t before(const attempt *a, uint32_t transition)
{
    const es_net_recovery *recovery = a->recovery;
    const step_state *step = &recovery->steps[transition];
    uint32_t found = NONE, filled = NONE, count = 0, filled_count = 0;
    for (uint32_t i = 0; i < step->in_count; i++) {
        const uint32_t place = step->in[i];
        if (recovery->again->tokens[place].implied || a->part[place] == MEMORY ||
            (!step->computed && origin(recovery, place) != step->process))
            continue;
        found = place;
        count++;
        const es_net_place *at = &recovery->net->places[place];
        if (at->input_count && !recovery->steps[at->inputs[0]].computed) {
            filled = place;
            filled_count++;
        }
    }
    return count == 1 ? found : !step->computed && filled_count == 1 ? filled : NONE;
}

static void add(attempt *a, uint32_t place, enum part part)
{
    a->part[place] = (uint8_t)part;
    *(part == CHAIN ? &a->chain[a->chain_count++] : &a->memory[a->memory_count++]) = place;
}

/* What each way out of the place takes besides: of its own process, and nothing else takes it. */
static bool find_memory(attempt *a, uint32_t place)
{
    const es_net_recovery *recovery = a->recovery;
    const es_net_place *last = &recovery->net->places[place];
    const uint32_t process = origin(recovery, place);
    for (uint32_t i = 0; i < last->output_count && process != NONE; i++) {
        const step_state *step = &recovery->steps[last->outputs[i]];
        uint32_t found = NONE;
        for (uint32_t k = 0; k < step->in_count; k++) {
            const uint32_t other = step->in[k];
            if (other == place || recovery->again->tokens[other].implied || origin(recovery, other) != process)
                continue;
            if (found != NONE)
                return false;
            found = other;
        }
        if (found == NONE || a->part[found] != OTHER || recovery->net->places[found].output_count != 1)
            return false;
        add(a, found, MEMORY);
    }
    return a->memory_count != 0;
}

/* Goes back from the chain's last place to where the memory is filled. */
static bool find_chain(attempt *a)
{
    const es_net *net = a->recovery->net;
    for (uint32_t at = 0; at < a->chain_count; at++) {
        const es_net_place *place = &net->places[a->chain[at]];
        if (place->tokens || a->chain_count > CHAIN_MAX)
            return false;
        for (uint32_t i = 0; i < place->input_count; i++) {
            const step_state *step = &a->recovery->steps[place->inputs[i]];
            if (count_of(a, step->out, step->out_count, MEMORY))
                continue;
            const uint32_t previous = before(a, place->inputs[i]);
            if (previous == NONE)
                return false;
            if (a->part[previous] == OTHER)
                add(a, previous, CHAIN);
        }
    }
    return true;
}

/* Does each step of these places change both by the same? */
static bool is_balanced(const attempt *a, const uint32_t *places, uint32_t count)
{
    const es_net *net = a->recovery->net;
    for (uint32_t i = 0; i < count; i++) {
        const es_net_place *place = &net->places[places[i]];
        for (uint32_t k = 0; k < place->input_count + place->output_count; k++) {
            const step_state *step =
                &a->recovery->steps[k < place->input_count ? place->inputs[k] : place->outputs[k - place->input_count]];
            if (count_of(a, step->out, step->out_count, CHAIN) + count_of(a, step->in, step->in_count, MEMORY) !=
                count_of(a, step->in, step->in_count, CHAIN) + count_of(a, step->out, step->out_count, MEMORY))
                return false;
        }
        if (place->tokens)
            return false;
    }
    return true;
}

/* Is the chain a part of one process? */
static bool is_of_process(const attempt *a, uint32_t process)
{
    const es_net *net = a->recovery->net;
    for (uint32_t i = 0; i < a->chain_count; i++) {
        const es_net_place *place = &net->places[a->chain[i]];
        for (uint32_t k = 0; k < place->output_count; k++) {
            const step_state *step = &a->recovery->steps[place->outputs[k]];
            if (!step->computed && step->process != process)
                return false;
        }
        if (origin(a->recovery, a->chain[i]) != process)
            return false;
    }
    return true;
}

/* Its rules ask for the memory of each way, and for nothing else; the last one need not ask. */
static bool asks_memory(const attempt *a, uint32_t index)
{
    const es_net_place *place = &a->recovery->net->places[index];
    if (place->output_count == 1)
        return true;
    if (place->rule_count != place->output_count)
        return false;
    for (uint32_t i = 0; i < place->input_count; i++) {
        const step_state *step = &a->recovery->steps[place->inputs[i]];
        if (count_of(a, step->out, step->out_count, MEMORY))
            return false; /* decided in a state in which the memory is still empty */
    }
    for (uint32_t i = 0; i < place->rule_count; i++) {
        const es_net_rule *rule = &place->rules[i];
        const step_state *step = &a->recovery->steps[rule->transition];
        if (i + 1 == place->rule_count && !rule->condition_count)
            continue;
        const es_net_condition *asked = rule->conditions;
        if (rule->condition_count != 1 || asked->absent || asked->to.count || asked->from.count || asked->last.count ||
            a->part[asked->place] != MEMORY ||
            (step->in[0] != asked->place && step->in[step->in_count - 1] != asked->place))
            return false;
        for (uint32_t k = 0; k < i; k++)
            if (place->rules[k].transition == rule->transition)
                return false;
    }
    return true;
}

static void try_place(attempt *a, uint32_t index)
{
    struct again *again = a->recovery->again;
    a->chain_count = a->memory_count = 0;
    add(a, index, CHAIN);
    if (!again->tokens[index].implied && find_memory(a, index) && find_chain(a) &&
        is_balanced(a, a->chain, a->chain_count) && is_balanced(a, a->memory, a->memory_count) &&
        (a->memory_count == 1 || is_of_process(a, origin(a->recovery, index))) && asks_memory(a, index)) {
        for (uint32_t i = 0; i < a->memory_count; i++)
            again->tokens[a->memory[i]].implied = true;
        again->tokens[index].answered = a->recovery->net->places[index].output_count > 1;
        for (uint32_t i = 0; i < a->chain_count && a->memory_count > 1; i++)
            again->tokens[a->chain[i]].on_way = true;
    }
    for (uint32_t i = 0; i < a->chain_count; i++)
        a->part[a->chain[i]] = OTHER;
    for (uint32_t i = 0; i < a->memory_count; i++)
        a->part[a->memory[i]] = OTHER;
}

void es_again_imply(es_net_recovery *recovery)
{
    const es_net *net = recovery->net;
    attempt a = {.recovery = recovery,
                 .part = es_malloc(net->place_count + 1),
                 .chain = es_malloc((net->place_count + 1) * sizeof *a.chain),
                 .memory = es_malloc((net->place_count + 1) * sizeof *a.memory)};
    for (uint32_t i = 0; i < net->place_count; i++)
        a.part[i] = OTHER;
    /* Those before computed steps first: what is left of these has one way to go. */
    for (unsigned measured = 0; measured < 2; measured++)
        for (uint32_t i = 0; i < net->place_count; i++)
            if (net->places[i].output_count && recovery->steps[net->places[i].outputs[0]].computed == (measured == 0))
                try_place(&a, i);
    free(a.part);
    free(a.chain);
    free(a.memory);
}
