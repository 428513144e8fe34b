/* What is settled: it becomes the base, from which on the rest may still be another way. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "replay/private.h"

#define KEPT_ANCHORS (sizeof((es_replay_place *)NULL)->anchors / sizeof(es_replay_anchor))

static void count_pieces(es_replay *r, size_t decisions)
{
    for (size_t i = 0; i < r->run.state.cursor; i++) {
        const es_stream_token *token = &r->tokens[i];
        r->summary.inputs += token->kind == ES_TOKEN_VALUE ? 1 : token->kind == ES_TOKEN_RUN ? token->value : 0;
        r->summary.changed_memory += token->kind == ES_TOKEN_MEMORY;
        r->summary.clocks += token->kind == ES_TOKEN_CLOCK;
    }
    for (size_t i = 0; i < decisions; i++) {
        const es_decision *d = &r->decisions[i];
        r->summary.found[d->choice.kind] += d->chosen != 0;
        r->summary.open[d->choice.kind] += d->choice.unknown && !d->chosen;
        r->summary.interrupts += d->choice.kind == ES_CHOICE_CAUSE && d->choice.value;
        r->summary.restarts += d->choice.kind == ES_CHOICE_RESTART && d->choice.value;
    }
}

/* The machine's place is the base's: where this heartbeat was passed. */
static void place_base(es_replay *r, const es_heartbeat *beat)
{
    es_replay_place *place = &r->base_place;
    size_t count = r->anchor_count < KEPT_ANCHORS ? r->anchor_count : KEPT_ANCHORS;
    place->offset = beat->offset;
    place->last_fetches = beat->fetches;
    place->last_time = beat->time;
    place->began = r->began;
    place->clear = !beat->tokens && beat->whole;
    place->state = r->run.state;
    place->anchor_count = (uint8_t)count;
    if (count)
        memcpy(place->anchors, r->anchors, count * sizeof *place->anchors);
}

static void drop_tokens(es_replay *r, size_t used)
{
    if (used)
        memmove(r->tokens, r->tokens + used, (r->token_count - used) * sizeof *r->tokens);
    r->token_count -= used;
    r->run.state.cursor = 0;
    r->run.counted = SIZE_MAX;
    r->told_tokens -= r->told_tokens < used ? r->told_tokens : used;
}

/* Those of the heartbeat are kept, as far as times are made of them. */
static size_t drop_anchors(es_replay *r, const es_heartbeat *beat)
{
    size_t dropped = beat->anchors - (beat->anchors < KEPT_ANCHORS ? beat->anchors : KEPT_ANCHORS);
    memmove(r->anchors, r->anchors + dropped, (r->anchor_count - dropped) * sizeof *r->anchors);
    r->anchor_count -= dropped;
    return dropped;
}

/* What comes after the first `beats` heartbeats, with so many decisions, tokens and anchors before it, stays to be
 * settled. */
static void keep_rest(es_replay *r, size_t beats, size_t decisions, size_t used, size_t anchors)
{
    for (size_t i = beats; i < r->heartbeat_count; i++) {
        r->heartbeats[i].tokens -= used;
        r->heartbeats[i].anchors -= anchors;
        r->heartbeats[i - beats] = r->heartbeats[i];
    }
    for (size_t i = 0; i < decisions; i++)
        es_machine_snapshot_free(r->decisions[i].snapshot);
    for (size_t i = decisions; i < r->decision_count; i++) {
        r->decisions[i].heartbeats -= beats;
        r->decisions[i].state.cursor -= used;
        r->decisions[i - decisions] = r->decisions[i];
    }
    r->heartbeat_count -= beats;
    r->decision_count -= decisions;
    r->passed = r->decision_at = 0;
}

/* What was executed since the base is settled, up to where the machine is, after so many heartbeats and decisions: its
 * state is the new base. */
static void settle_up_to(es_replay *r, size_t beats, size_t decisions)
{
    es_heartbeat last = r->heartbeats[beats - 1];
    uint64_t now = es_machine_fetches(r->run.machine);
    size_t used = r->run.state.cursor;
    es_choice *choices = es_malloc((decisions + 1) * sizeof *choices);
    for (size_t i = 0; i < decisions; i++)
        choices[i] = r->decisions[i].choice;
    es_replay_piece piece = {.first = r->base_fetches,
                             .end = now,
                             .time = last.time,
                             .place = r->base_place,
                             .snapshot = r->base,
                             .tokens = r->tokens,
                             .token_count = used,
                             .choices = choices,
                             .choice_count = decisions,
                             .anchors = r->anchors,
                             .anchor_count = last.anchors};
    count_pieces(r, decisions);
    if (r->listener.piece)
        r->listener.piece(r->listener.context, &piece);
    es_machine_snapshot_free(piece.snapshot);
    free(choices);
    drop_tokens(r, used);
    size_t anchors = drop_anchors(r, &last);
    last.tokens -= used;
    place_base(r, &last);
    keep_rest(r, beats, decisions, used, anchors);
    r->base = es_machine_save(r->run.machine);
    r->base_fetches = now;
}

void es_replay_settle(es_replay *replay)
{
    settle_up_to(replay, replay->heartbeat_count, replay->decision_count);
    replay->zeros = false;
    es_machine_assume_zeros(replay->run.machine, false);
    es_machine_snapshot_free(replay->base);
    replay->base = es_machine_save(replay->run.machine);
}

void es_replay_settle_most(es_replay *replay, size_t left)
{
    es_replay *r = replay;
    size_t beats = r->heartbeat_count - left;
    es_machine_snapshot *now = es_machine_save(r->run.machine);
    es_execution_state state = r->run.state;
    es_replay_back_to_base(r);
    while (r->passed < beats && es_replay_reach(r) == ES_EXECUTED_UNTIL)
        continue;
    if (r->passed == beats) {
        state.cursor -= r->run.state.cursor;
        settle_up_to(r, beats, r->decision_at);
    }
    es_machine_restore(r->run.machine, now);
    es_machine_snapshot_free(now);
    es_execution_place(&r->run, &state);
    es_execution_extend(&r->run, r->tokens, r->heartbeats[r->heartbeat_count - 1].tokens);
    r->passed = r->heartbeat_count;
    r->decision_at = r->decision_count;
}
