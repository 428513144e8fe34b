/* From one heartbeat to the next. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "replay/private.h"

#define MTVEC 0x305u

/* A heartbeat may come when an instruction was fetched, and has not read or written yet. */
static bool is_after_fetch(es_replay *r, const es_heartbeat *beat)
{
    es_machine_hash hash = es_machine_get_hash(r->run.machine);
    uint32_t sum = hash.sum + es_machine_pc(r->run.machine), sums = hash.sums + sum;
    return es_execution_is_used_up(&r->run, true) && !es_machine_hash_unknown(r->run.machine) && sum == beat->sum &&
           sums == beat->sums;
}

/* The recorder tells of no interrupt elsewhere. */
static bool vector_has_moved(const es_replay *r)
{
    uint32_t mtvec, unknown;
    return es_machine_control(r->run.machine, MTVEC, &mtvec, &unknown) && !unknown && mtvec &&
           (!r->program.traps.used || (((mtvec & ~3u) ^ r->program.traps.value) & r->program.traps.mask));
}

static enum es_execution_end compare(es_replay *r, const es_heartbeat *beat)
{
    es_machine_hash hash = es_machine_get_hash(r->run.machine);
    if (!es_execution_is_used_up(&r->run, true))
        return es_execution_wrong(&r->run, "inputs are left over");
    r->stored_unknown = es_machine_hash_unknown(r->run.machine);
    if (r->stored_unknown) {
        es_execution_wrong(&r->run,
                           "the program has stored what is not known, and not 0: a register that nothing has set since "
                           "the reset (its start-up code should set all of them), a counter, or the cause of an "
                           "interrupt");
        return ES_EXECUTED_UNKNOWN;
    }
    if (hash.sum == beat->sum && hash.sums == beat->sums)
        return ES_EXECUTED_UNTIL;
    return es_execution_wrong(&r->run, "the target's bus had other accesses than the program makes with these inputs");
}

/* ... whatever it was that was noticed of it first. */
static void say_vector_has_moved(es_replay *r)
{
    size_t said = strlen(r->run.why);
    if (vector_has_moved(r))
        snprintf(r->run.why + said, sizeof r->run.why - said,
                 "; and mtvec does not lead to the handler that the recorder knows: record again with --handler "
                 "ADDRESS");
}

enum es_execution_end es_replay_reach(es_replay *replay)
{
    const es_heartbeat *beat = &replay->heartbeats[replay->passed];
    es_execution *run = &replay->run;
    enum es_execution_end end = ES_EXECUTED_UNTIL;
    replay->stored_unknown = false;
    es_execution_extend(run, replay->tokens, beat->tokens);
    if (beat->fetches && es_machine_fetches(run->machine) < beat->fetches)
        end = es_execution_to(run, beat->fetches - 1, false);
    if (end == ES_EXECUTED_UNTIL &&
        (!beat->fetches || es_machine_fetches(run->machine) >= beat->fetches || !is_after_fetch(replay, beat))) {
        end = es_execution_to(run, beat->fetches, false);
        if (end == ES_EXECUTED_UNTIL)
            end = compare(replay, beat);
    }
    if (end == ES_EXECUTED_UNTIL)
        replay->passed++;
    if (end == ES_EXECUTED_WRONG)
        say_vector_has_moved(replay);
    /* An instruction was fetched that may not have been executed yet: sums would tell, if they could be compared. */
    if (end == ES_EXECUTED_WRONG && es_machine_hash_unknown(run->machine) &&
        es_machine_fetches(run->machine) + 1 == beat->fetches && es_execution_is_used_up(run, true)) {
        replay->stored_unknown = true;
        end = ES_EXECUTED_UNKNOWN;
    }
    /* what is unknown, or was taken to be 0, may be what is wrong */
    if (end == ES_EXECUTED_WRONG && !replay->program.machine.known_at_reset && es_machine_hash_unknown(run->machine)) {
        replay->stored_unknown = true;
        end = ES_EXECUTED_UNKNOWN;
    }
    if (end == ES_EXECUTED_WRONG && es_machine_has_assumed(run->machine))
        end = ES_EXECUTED_UNKNOWN;
    return end;
}
