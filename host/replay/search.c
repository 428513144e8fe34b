/* Decisions that the stream leaves open, and the search among their alternatives. */
#include <string.h>

#include "replay/private.h"

#define ATTEMPTS 2000 /* of one search, at most */

void es_replay_back_to_base(es_replay *replay)
{
    es_machine_restore(replay->run.machine, replay->base);
    es_execution_place(&replay->run, &replay->base_state);
    replay->decision_at = 0;
    replay->passed = 0;
}

/* Goes back to before a decision, with those before it as they are. */
static void back_to(es_replay *r, size_t decision)
{
    for (size_t i = decision + 1; i-- > 0;) {
        const es_decision *d = &r->decisions[i];
        if (!d->snapshot)
            continue;
        es_machine_restore(r->run.machine, d->snapshot);
        es_execution_place(&r->run, &d->state);
        r->decision_at = i;
        r->passed = d->heartbeats;
        return;
    }
    es_replay_back_to_base(r);
}

static enum es_execution_end advance(es_replay *r)
{
    enum es_execution_end end = ES_EXECUTED_UNTIL;
    while (end == ES_EXECUTED_UNTIL && r->passed < r->heartbeat_count)
        end = es_replay_reach(r);
    return end;
}

static void decide(es_decision *d, unsigned which)
{
    d->chosen = (uint8_t)which;
    d->choice = es_replay_choice_of(&d->alternatives, which, d->choice.fetches);
}

/* The last decision that can be made in another way. What is not known, and nothing has depended on, is no reason for
 * anything to be wrong. */
static bool another(es_replay *r, enum es_execution_end end, size_t *decision)
{
    for (size_t i = r->decision_count; i-- > 0;) {
        const es_decision *d = &r->decisions[i];
        if (d->chosen + 1u < d->alternatives.count && (end == ES_EXECUTED_UNKNOWN || !d->choice.unknown)) {
            *decision = i;
            return true;
        }
    }
    return false;
}

/* Whether the machine is, after so many fetches, where accesses can have been the same. */
static bool is_same(es_replay *r, uint64_t fetches, es_machine_hash hash)
{
    es_machine_hash now;
    if (es_execution_to(&r->run, fetches, false) != ES_EXECUTED_UNTIL)
        return false;
    now = es_machine_get_hash(r->run.machine);
    return es_machine_fetches(r->run.machine) == fetches && now.sum == hash.sum && now.sums == hash.sums;
}

/* Whether another value of a decision agrees, too, with all later ones as they are: what differs on the bus differs at
 * the next decision already. */
static bool is_ambiguous(es_replay *r, size_t decision, uint64_t end, es_machine_hash end_hash)
{
    es_decision *d = &r->decisions[decision];
    unsigned chosen = d->chosen;
    bool same = false;
    for (unsigned other = 0; other < d->alternatives.count && !same; other++) {
        if (other == chosen || d->alternatives.unknown[other])
            continue;
        decide(d, other);
        back_to(r, decision);
        r->summary.attempts++;
        r->trial = same = true;
        for (size_t next = decision + 1; next < r->decision_count && same; next++)
            same = is_same(r, r->decisions[next].choice.fetches, r->decisions[next].hash);
        same = same && is_same(r, end, end_hash);
        r->trial = false;
    }
    decide(d, chosen);
    return same;
}

/* Are the alternatives that were found the only ones? Afterwards the machine is where it was. */
static bool are_only_ones(es_replay *r)
{
    es_snapshot *snapshot = NULL;
    es_execution_state state = r->run.state;
    uint64_t end = es_machine_fetches(r->run.machine);
    es_machine_hash hash = es_machine_get_hash(r->run.machine);
    size_t passed = r->passed;
    bool only = true;
    for (size_t i = 0; i < r->decision_count && only; i++) {
        es_decision *d = &r->decisions[i];
        if (d->found || !d->chosen || d->choice.unknown)
            continue;
        if (!snapshot)
            snapshot = es_machine_save(r->run.machine);
        only = !is_ambiguous(r, i, end, hash);
        d->found = only;
    }
    if (snapshot) {
        es_machine_restore(r->run.machine, snapshot);
        es_execution_place(&r->run, &state);
        r->passed = passed;
        r->decision_at = r->decision_count;
        es_snapshot_free(snapshot);
    }
    return only;
}

bool es_replay_search(es_replay *replay)
{
    char why[sizeof replay->run.why];
    enum es_execution_end end = advance(replay);
    memcpy(why, replay->run.why, sizeof why);
    for (unsigned attempts = 0; end != ES_EXECUTED_UNTIL; attempts++) {
        size_t decision;
        if (attempts == ATTEMPTS || !another(replay, end, &decision)) {
            memcpy(replay->run.why, why, sizeof why);
            return false;
        }
        es_replay_drop_decisions(replay, decision + 1);
        decide(&replay->decisions[decision], replay->decisions[decision].chosen + 1u);
        back_to(replay, decision);
        replay->summary.attempts++;
        end = advance(replay);
    }
    if (are_only_ones(replay))
        return true;
    es_execution_wrong(&replay->run, "what happened can have been in several ways, which the heartbeats do not tell apart");
    return false;
}
