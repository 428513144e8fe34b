/* Decisions that the stream leaves open, and the search among their alternatives. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "replay/private.h"

#define ATTEMPTS 2000 /* of one search, at most */

void es_replay_back_to_base(es_replay *replay)
{
    es_machine_restore(replay->run.machine, replay->base);
    es_machine_assume_zeros(replay->run.machine, replay->zeros);
    es_execution_place(&replay->run, &replay->base_place.state);
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

/* The last decision that can be made in another way; of those at an edge first. What is not known, and nothing has
 * depended on, is no reason for anything to be wrong. */
static bool another(es_replay *r, enum es_execution_end end, size_t *decision)
{
    for (unsigned edges = 2; edges-- > 0;)
        for (size_t i = r->decision_count; i-- > 0;) {
            const es_decision *d = &r->decisions[i];
            bool open = !d->chosen && d->choice.unknown;
            if (edges && (!d->alternatives.edge || end == ES_EXECUTED_UNKNOWN))
                continue;
            if (d->chosen + 1u < d->alternatives.count && (end == ES_EXECUTED_UNKNOWN || !open)) {
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

/* Both values agree: what they differ in is not known. */
static void blur(es_choice *choice, uint32_t other)
{
    choice->unknown |= choice->value ^ other;
    choice->value &= ~choice->unknown;
}

/* What is known of a decision when all its values count that agree, too, with all later ones as they are. What differs
 * on the bus differs at the next decision already. */
static es_choice known_of(es_replay *r, size_t decision, uint64_t end, es_machine_hash end_hash)
{
    es_decision *d = &r->decisions[decision];
    es_choice choice = d->choice, known = choice;
    unsigned chosen = d->chosen;
    for (unsigned other = 0; other < d->alternatives.count; other++) {
        if (other == chosen || d->alternatives.unknown[other] != d->alternatives.unknown[chosen])
            continue;
        decide(d, other);
        back_to(r, decision);
        r->summary.attempts++;
        bool same = r->trial = true;
        for (size_t next = decision + 1; next < r->decision_count && same; next++)
            same = is_same(r, r->decisions[next].choice.fetches, r->decisions[next].hash);
        if (same && is_same(r, end, end_hash))
            blur(&known, d->alternatives.value[other]);
        r->trial = false;
    }
    d->chosen = (uint8_t)chosen;
    d->choice = choice;
    return known;
}

/* Executes all since the base again, with the decisions as they are now. */
static bool again(es_replay *r)
{
    es_replay_back_to_base(r);
    r->anew = true;
    bool good = advance(r) == ES_EXECUTED_UNTIL;
    r->anew = false;
    return good;
}

/* Leaves open what was decided in one of several ways that all agree. Where the way on depends on it, nothing is
 * changed,
 * and only a further heartbeat can tell. */
static enum es_search leave_open(es_replay *r, const es_choice *known)
{
    size_t count = r->decision_count;
    es_choice *before = es_malloc((count + 1) * sizeof *before);
    for (size_t i = 0; i < count; i++) {
        before[i] = r->decisions[i].choice;
        r->decisions[i].choice = known[i];
    }
    enum es_search result = again(r) && r->decision_count == count ? ES_SEARCH_GOOD : ES_SEARCH_HELD;
    if (result == ES_SEARCH_HELD) {
        for (size_t i = 0; i < r->decision_count && i < count; i++) {
            r->decisions[i].choice = before[i];
            r->decisions[i].found = false;
        }
        if (!again(r))
            result = ES_SEARCH_BAD;
    }
    free(before);
    return result;
}

/* Afterwards, what was found out is the only way that agrees, and the rest is unknown; and the machine is where it
 * was. */
static enum es_search only_one(es_replay *r)
{
    es_machine_snapshot *snapshot = NULL;
    es_execution_state state = r->run.state;
    uint64_t end = es_machine_fetches(r->run.machine);
    es_machine_hash hash = es_machine_get_hash(r->run.machine);
    size_t passed = r->passed;
    bool blurred = false;
    es_choice *known = es_malloc((r->decision_count + 1) * sizeof *known);
    for (size_t i = 0; i < r->decision_count; i++) {
        es_decision *d = &r->decisions[i];
        known[i] = d->choice;
        if (d->found || !d->chosen)
            continue;
        if (!snapshot)
            snapshot = es_machine_save(r->run.machine);
        known[i] = known_of(r, i, end, hash);
        d->found = true;
        blurred |= known[i].unknown != d->choice.unknown;
    }
    if (snapshot) {
        es_machine_restore(r->run.machine, snapshot);
        es_execution_place(&r->run, &state);
        r->passed = passed;
        r->decision_at = r->decision_count;
        es_machine_snapshot_free(snapshot);
    }
    enum es_search result = blurred ? leave_open(r, known) : ES_SEARCH_GOOD;
    free(known);
    return result;
}

/* The program has stored something unknown: everything has to be found out, beginning with what is most likely. What
 * nothing has set since the reset may be 0, as after a power-up: then the sums agree. */
static enum es_execution_end begin_eagerly(es_replay *r)
{
    es_replay_drop_decisions(r, 0);
    r->zeros = true;
    es_replay_back_to_base(r);
    r->eager = true;
    r->summary.attempts++;
    return advance(r);
}

enum es_search es_replay_search(es_replay *replay)
{
    char why[sizeof replay->run.why];
    enum es_execution_end end = advance(replay);
    memcpy(why, replay->run.why, sizeof why);
    replay->eager = false;
    for (unsigned attempts = 0; end != ES_EXECUTED_UNTIL; attempts++) {
        size_t decision;
        if (end == ES_EXECUTED_UNKNOWN && replay->stored_unknown && !replay->eager) {
            end = begin_eagerly(replay);
            continue;
        }
        if (attempts == ATTEMPTS || !another(replay, end, &decision)) {
            memcpy(replay->run.why, why, sizeof why);
            replay->eager = false;
            return ES_SEARCH_BAD;
        }
        es_replay_drop_decisions(replay, decision + 1);
        decide(&replay->decisions[decision], replay->decisions[decision].chosen + 1u);
        back_to(replay, decision);
        replay->summary.attempts++;
        end = advance(replay);
    }
    replay->eager = false;
    enum es_search result = only_one(replay);
    if (result == ES_SEARCH_BAD)
        es_execution_wrong(&replay->run, "it cannot be executed again as it was");
    return result;
}
