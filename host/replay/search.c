/* Decisions that the stream leaves open, and the search among their alternatives. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "replay/private.h"

enum {
    ATTEMPTS = 2000, /* of one search, at most: decisions made in another way, as something was wrong */
    MORE = 100000,   /* ... decisions of which more was said, as it was needed */
    PATIENCE = 4000, /* ... before all of them are found out: what the way depends on was made of many */
    BUDGET_MAX = 8,  /* of decisions since a heartbeat, before those of an earlier one are made anew, too */
};

#define TRIALS 100000000u /* instructions that are executed, about, to see whether what was found is the only way */

/* How far a search goes. */
typedef struct extent {
    unsigned budget; /* of all decisions' costs */
    size_t beats;    /* only decisions after so many heartbeats can be wrong */
    bool too_dear;   /* there is more beyond these */
} extent;

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

/* Both say something of a bit, and not the same. */
static bool contradict(const es_alternatives *a, unsigned one, unsigned other)
{
    return (a->value[one] ^ a->value[other]) & ~a->unknown[one] & ~a->unknown[other];
}

static bool contradicts_refuted(const es_decision *d, unsigned which, unsigned refuted)
{
    for (unsigned i = 0; i < d->alternatives.count; i++)
        if (refuted >> i & 1 && !contradict(&d->alternatives, which, i))
            return false;
    return true;
}

/* All that the chosen one says, and more. */
static bool says_more(const es_decision *d, unsigned which)
{
    uint32_t now = d->choice.unknown, then = d->alternatives.unknown[which];
    return then != now && !(then & ~now) && !contradict(&d->alternatives, which, d->chosen);
}

/* Of the decisions that can be wrong. */
static unsigned cost_of(const es_replay *r, const extent *limits)
{
    unsigned cost = 0;
    for (size_t i = r->decision_count; i-- > 0 && r->decisions[i].heartbeats >= limits->beats;)
        cost += r->decisions[i].alternatives.cost[r->decisions[i].chosen];
    return cost;
}

typedef struct way {
    size_t decision;
    unsigned which;
} way;

/* Where something unknown was needed: the last decision of which more can be said. */
static bool find_more(es_replay *r, extent *limits, way *found)
{
    unsigned cost = cost_of(r, limits);
    for (size_t i = r->decision_count; i-- > 0;) {
        const es_decision *d = &r->decisions[i];
        if (d->heartbeats >= limits->beats)
            cost -= d->alternatives.cost[d->chosen];
        for (unsigned which = d->chosen + 1u; which < d->alternatives.count; which++) {
            if (!says_more(d, which) || !contradicts_refuted(d, which, d->refuted))
                continue;
            if (cost + d->alternatives.cost[which] <= limits->budget) {
                *found = (way){i, which};
                return true;
            }
            limits->too_dear = true;
        }
    }
    return false;
}

/* Where something was wrong: the last decision that can be another one. What is not known, and nothing has depended on,
 * is no reason for anything to be wrong. */
static bool find_other(es_replay *r, extent *limits, way *found)
{
    unsigned cost = cost_of(r, limits);
    for (size_t i = r->decision_count; i-- > 0 && r->decisions[i].heartbeats >= limits->beats;) {
        const es_decision *d = &r->decisions[i];
        unsigned refuted = d->refuted | 1u << d->chosen;
        cost -= d->alternatives.cost[d->chosen];
        for (unsigned which = 0; which < d->alternatives.count; which++) {
            if (refuted >> which & 1 || (r->eager && d->alternatives.unknown[which]) ||
                !contradicts_refuted(d, which, refuted))
                continue;
            if (cost + d->alternatives.cost[which] <= limits->budget) {
                *found = (way){i, which};
                return true;
            }
            limits->too_dear = true;
        }
    }
    return false;
}

/* Makes another decision within the limits; false: there is none. */
static bool another(es_replay *r, enum es_execution_end end, extent *limits, unsigned *attempts, unsigned *more)
{
    way found;
    bool says = end == ES_EXECUTED_UNKNOWN && *more < MORE && find_more(r, limits, &found);
    if (!says && (*attempts >= ATTEMPTS || !find_other(r, limits, &found)))
        return false;
    es_decision *d = &r->decisions[found.decision];
    es_replay_drop_decisions(r, found.decision + 1);
    if (!says)
        d->refuted |= (uint16_t)(1u << d->chosen);
    ++*(says ? more : attempts);
    decide(d, found.which);
    back_to(r, found.decision);
    return true;
}

/* --- rivals ------------------------------------------------------------------------------------------------------- */

/* An alternative with which the program comes to the same end, and by how much the sums differ there. */
typedef struct rival {
    size_t decision;
    uint32_t value;
    es_machine_hash more;
} rival;

typedef struct rivals {
    rival *all;
    size_t count, room;
} rivals;

static void add_rival(rivals *to, size_t decision, uint32_t value, es_machine_hash hash, es_machine_hash end)
{
    if (to->count == to->room) {
        to->room = to->room ? 2 * to->room : 64;
        to->all = es_realloc(to->all, to->room * sizeof *to->all);
    }
    to->all[to->count++] = (rival){decision, value, {hash.sum - end.sum, hash.sums - end.sums}};
}

/* Both values agree: what they differ in is not known. */
static void blur(es_choice *choice, uint32_t other)
{
    choice->unknown |= choice->value ^ other;
    choice->value &= ~choice->unknown;
}

/* Which of a decision's values lead to the same end, with all later decisions as they are. */
static void find_rivals(es_replay *r, size_t decision, uint64_t end, es_machine_hash end_hash, rivals *found)
{
    es_decision *d = &r->decisions[decision];
    es_choice choice = d->choice;
    unsigned chosen = d->chosen;
    for (unsigned other = 0; other < d->alternatives.count; other++) {
        if (other == chosen || d->alternatives.unknown[other] != d->alternatives.unknown[chosen])
            continue;
        decide(d, other);
        back_to(r, decision);
        r->summary.attempts++;
        r->trial = true;
        bool same = es_execution_to(&r->run, end, false) == ES_EXECUTED_UNTIL &&
                    es_machine_fetches(r->run.machine) == end && es_execution_is_used_up(&r->run, true);
        es_machine_hash hash = es_machine_get_hash(r->run.machine);
        bool agrees = hash.sum == end_hash.sum && hash.sums == end_hash.sums;
        if (same && (agrees || d->alternatives.cost[other] <= ES_COST_POSSIBLE))
            add_rival(found, decision, d->alternatives.value[other], hash, end_hash);
        r->trial = false;
    }
    d->chosen = (uint8_t)chosen;
    d->choice = choice;
}

/* Alternatives that agree with the sums; and pairs of them that do together, as what they change cancels: a value that
 * is stored and loaded again changes the sums by its place only. */
static bool blur_all(const rivals *found, es_choice *known)
{
    bool any = false;
    for (size_t i = 0; i < found->count; i++) {
        const rival *a = &found->all[i];
        bool agrees = !a->more.sum && !a->more.sums;
        for (size_t k = 0; k < found->count && !agrees; k++) {
            const rival *b = &found->all[k];
            agrees = b->decision != a->decision && !(a->more.sum + b->more.sum) && !(a->more.sums + b->more.sums);
        }
        if (agrees)
            blur(&known[a->decision], a->value);
        any |= agrees;
    }
    return any;
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
        if (!again(r)) {
            es_execution_wrong(&r->run, "it cannot be executed again as it was");
            result = ES_SEARCH_BAD;
        }
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
    rivals found = {0};
    if (r->decision_count * (end - r->base_fetches) > TRIALS) {
        es_execution_wrong(&r->run, "what happened can have been in too many ways to try them");
        return ES_SEARCH_BAD;
    }
    es_choice *known = es_malloc((r->decision_count + 1) * sizeof *known);
    for (size_t i = 0; i < r->decision_count; i++) {
        es_decision *d = &r->decisions[i];
        known[i] = d->choice;
        if (d->found || !d->chosen)
            continue;
        if (!snapshot)
            snapshot = es_machine_save(r->run.machine);
        find_rivals(r, i, end, hash, &found);
        d->found = true;
    }
    if (snapshot) {
        es_machine_restore(r->run.machine, snapshot);
        es_execution_place(&r->run, &state);
        r->passed = passed;
        r->decision_at = r->decision_count;
        es_machine_snapshot_free(snapshot);
    }
    enum es_search result = blur_all(&found, known) ? leave_open(r, known) : ES_SEARCH_GOOD;
    free(found.all);
    free(known);
    return result;
}

/* The program has stored something unknown, or its way depends on much at once, as where polls were added up:
 * everything has to be found out, beginning with what is most likely. What nothing has set since the reset may be 0,
 * as after a power-up: then the sums agree. */
static enum es_execution_end begin_eagerly(es_replay *r)
{
    es_replay_drop_decisions(r, 0);
    r->zeros = true;
    es_replay_back_to_base(r);
    r->eager = true;
    r->summary.attempts++;
    return advance(r);
}

/* Less likely decisions may be made, too, and in the end those of earlier heartbeats. False: that was all. */
static bool widen(es_replay *r, extent *limits)
{
    bool costlier = limits->too_dear && (limits->budget < BUDGET_MAX || !limits->beats);
    if (!costlier && !limits->beats)
        return false;
    limits->budget = costlier ? limits->budget + 1 : 0;
    if (!costlier) {
        size_t wide = r->heartbeat_count - limits->beats;
        limits->beats = wide < limits->beats ? limits->beats - wide : 0;
    }
    limits->too_dear = false;
    size_t first = 0;
    while (first < r->decision_count && r->decisions[first].heartbeats < limits->beats)
        first++;
    if (first < r->decision_count)
        back_to(r, first);
    es_replay_drop_decisions(r, first);
    return true;
}

enum es_search es_replay_search(es_replay *replay)
{
    char why[sizeof replay->run.why];
    extent limits = {.beats = replay->heartbeat_count - 1};
    unsigned attempts = 0, more = 0;
    enum es_execution_end end = advance(replay);
    memcpy(why, replay->run.why, sizeof why);
    bool stored = replay->stored_unknown;
    replay->eager = false;
    while (end != ES_EXECUTED_UNTIL) {
        bool all = replay->stored_unknown || more >= PATIENCE;
        if (end == ES_EXECUTED_UNKNOWN && all && !replay->eager) {
            limits = (extent){.beats = 0};
            end = begin_eagerly(replay);
            continue;
        }
        if (!another(replay, end, &limits, &attempts, &more) && (attempts >= ATTEMPTS || !widen(replay, &limits))) {
            memcpy(replay->run.why, why, sizeof why);
            replay->stored_unknown = stored;
            replay->eager = false;
            return ES_SEARCH_BAD;
        }
        replay->summary.attempts++;
        end = advance(replay);
    }
    replay->eager = false;
    enum es_search result = only_one(replay);
    return result;
}
