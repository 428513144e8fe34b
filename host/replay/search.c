/* Decisions that the stream leaves open, and the search among their alternatives. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
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

/* Decisions as they were made, to be made again at the same places. */
typedef struct made {
    es_decision *decisions;
    size_t count;
} made;

/* Puts back the decisions from `from` on, as far as they are not the first `keep`. */
static void put_back(es_replay *r, const made *all, size_t from)
{
    es_replay_drop_decisions(r, from);
    for (size_t i = from; i < all->count; i++) {
        if (r->decision_count == r->decision_room) {
            r->decision_room *= 2;
            r->decisions = es_realloc(r->decisions, r->decision_room * sizeof *r->decisions);
        }
        r->decisions[r->decision_count] = all->decisions[i];
        r->decisions[r->decision_count++].snapshot = NULL;
    }
}

/* Whether another value of a decision agrees with the heartbeats, too, with all later ones as they are. */
static bool is_ambiguous(es_replay *r, const made *all, size_t decision)
{
    const es_alternatives *a = &all->decisions[decision].alternatives;
    for (unsigned other = 0; other < a->count; other++) {
        if (other == all->decisions[decision].chosen || a->unknown[other])
            continue;
        put_back(r, all, decision);
        decide(&r->decisions[decision], other);
        back_to(r, decision);
        r->summary.attempts++;
        if (advance(r) == ES_EXECUTED_UNTIL)
            return true;
    }
    return false;
}

/* Are the alternatives that were found the only ones? The search stops at the first. Afterwards the machine is where it
 * was. */
static bool are_only_ones(es_replay *r)
{
    made all = {.decisions = es_malloc((r->decision_count + 1) * sizeof *all.decisions), .count = r->decision_count};
    bool only = true, any = false;
    if (all.count)
        memcpy(all.decisions, r->decisions, all.count * sizeof *all.decisions);
    for (size_t i = 0; i < all.count && only; i++) {
        const es_decision *d = &all.decisions[i];
        if (d->found || !d->chosen || d->choice.unknown)
            continue;
        any = true;
        only = !is_ambiguous(r, &all, i);
    }
    if (any) {
        put_back(r, &all, 0);
        for (size_t i = 0; i < all.count && only; i++)
            r->decisions[i].found = r->decisions[i].chosen && !r->decisions[i].choice.unknown;
        es_replay_back_to_base(r);
        only = advance(r) == ES_EXECUTED_UNTIL && only;
    }
    free(all.decisions);
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
