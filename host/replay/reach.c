/* From one heartbeat to the next. */
#include <inttypes.h>
#include <string.h>

#include "replay/private.h"

/* A heartbeat may come when an instruction was fetched, and has not read or written yet. */
static bool is_after_fetch(es_replay *r, const es_heartbeat *beat)
{
    es_machine_hash hash = es_machine_get_hash(r->run.machine);
    uint32_t sum = hash.sum + es_machine_pc(r->run.machine), sums = hash.sums + sum;
    return es_execution_is_used_up(&r->run, true) && sum == beat->sum && sums == beat->sums;
}

static enum es_execution_end compare(es_replay *r, const es_heartbeat *beat)
{
    es_machine_hash hash = es_machine_get_hash(r->run.machine);
    if (!es_execution_is_used_up(&r->run, true))
        return es_execution_wrong(&r->run, "inputs are left over");
    r->stored_unknown = es_machine_hash_unknown(r->run.machine);
    if (r->stored_unknown) {
        es_execution_wrong(&r->run,
                           "the program has stored what it does not know: a register that nothing has set since the "
                           "reset, or the cause of an interrupt");
        return ES_EXECUTED_UNKNOWN;
    }
    if (hash.sum == beat->sum && hash.sums == beat->sums)
        return ES_EXECUTED_UNTIL;
    return es_execution_wrong(&r->run, "the target's bus had other accesses than the program makes with these inputs");
}

/* Where registers are not known after a reset, they may be 0: then what the program stores of them tells it. */
void es_replay_start(es_replay *r)
{
    es_alternatives a = {.kind = ES_CHOICE_REGISTERS, .between = true, .count = 2, .unknown = {UINT32_MAX}};
    if (es_machine_fetches(r->run.machine) || r->decision_at || r->program.machine.known_at_reset ||
        es_replay_choose(r, &a, 0).unknown)
        return;
    es_execution_clear_registers(&r->run);
}

enum es_execution_end es_replay_reach(es_replay *replay)
{
    const es_heartbeat *beat = &replay->heartbeats[replay->passed];
    es_execution *run = &replay->run;
    enum es_execution_end end = ES_EXECUTED_UNTIL;
    replay->stored_unknown = false;
    es_execution_extend(run, replay->tokens, beat->tokens);
    es_replay_start(replay);
    if (beat->fetches && es_machine_fetches(run->machine) < beat->fetches)
        end = es_execution_to(run, beat->fetches - 1, false);
    if (end != ES_EXECUTED_UNTIL)
        return end;
    if (!beat->fetches || es_machine_fetches(run->machine) >= beat->fetches || !is_after_fetch(replay, beat)) {
        end = es_execution_to(run, beat->fetches, false);
        if (end == ES_EXECUTED_UNTIL)
            end = compare(replay, beat);
    }
    if (end == ES_EXECUTED_UNTIL)
        replay->passed++;
    return end;
}
