/* Decisions that the stream leaves open, in the order of the execution. */
#include "base/arena.h"
#include "replay/private.h"

es_choice es_replay_choice_of(const es_alternatives *a, unsigned which, uint64_t fetches)
{
    return (es_choice){.kind = a->kind, .fetches = fetches, .value = a->value[which], .unknown = a->unknown[which]};
}

void es_replay_asks(void *context)
{
    es_replay *r = context;
    bool made = r->decision_at < r->decision_count;
    es_machine_snapshot_free(r->asked);
    r->asked = r->trial || (made && !r->anew) ? NULL : es_machine_save(r->run.machine);
}

/* The machine before a decision, which is made between two instructions, or by one for which it was asked. */
static es_machine_snapshot *before(es_replay *r, const es_alternatives *alternatives, uint64_t fetches)
{
    bool between = alternatives->kind == ES_CHOICE_CAUSE || alternatives->kind == ES_CHOICE_RESTART;
    es_machine_snapshot *asked = r->asked;
    if (between)
        return es_machine_save(r->run.machine);
    if (asked && es_machine_snapshot_fetches(asked) != fetches)
        return NULL;
    r->asked = NULL;
    return asked;
}

es_choice es_replay_choose(void *context, const es_alternatives *alternatives, uint64_t fetches)
{
    es_replay *r = context;
    if (r->decision_at < r->decision_count) {
        es_decision *made = &r->decisions[r->decision_at];
        if (made->choice.kind == alternatives->kind && made->choice.fetches == fetches) {
            r->decision_at++;
            if (r->anew && made->snapshot) {
                es_machine_snapshot_free(made->snapshot);
                made->snapshot = before(r, alternatives, fetches);
                made->state = r->run.state;
            }
            return made->choice;
        }
        if (!r->trial)
            es_replay_drop_decisions(r, r->decision_at);
    }
    if (r->trial)
        return es_replay_choice_of(alternatives, 0, fetches);
    if (r->decision_count == r->decision_room) {
        r->decision_room = r->decision_room ? 2 * r->decision_room : 64;
        r->decisions = es_realloc(r->decisions, r->decision_room * sizeof *r->decisions);
    }
    es_decision *made = &r->decisions[r->decision_count++];
    *made = (es_decision){.choice = es_replay_choice_of(alternatives, 0, fetches),
                          .alternatives = *alternatives,
                          .heartbeats = r->passed,
                          .state = r->run.state,
                          .hash = es_machine_get_hash(r->run.machine)};
    if (alternatives->count > 1)
        made->snapshot = before(r, alternatives, fetches);
    r->decision_at = r->decision_count;
    for (uint8_t i = 1; r->eager && i < alternatives->count && made->choice.unknown; i++) {
        made->chosen = i;
        made->choice = es_replay_choice_of(alternatives, i, fetches);
    }
    return made->choice;
}

void es_replay_drop_decisions(es_replay *replay, size_t from)
{
    for (size_t i = from; i < replay->decision_count; i++)
        es_machine_snapshot_free(replay->decisions[i].snapshot);
    if (from < replay->decision_count)
        replay->decision_count = from;
    if (replay->decision_at > from)
        replay->decision_at = from;
}
