/* Moving in a recording: from the nearest snapshot, segment by segment. */
#include <stdlib.h>

#include "base/arena.h"
#include "replay/timeline_private.h"

es_segment_part *es_timeline_segment(es_timeline *timeline, uint64_t moment)
{
    size_t first = 0, end = timeline->count;
    while (end - first > 1) {
        size_t middle = first + (end - first) / 2;
        if (timeline->segments[middle].first > moment)
            end = middle;
        else
            first = middle;
    }
    return &timeline->segments[first];
}

static uint64_t extend(uint64_t told, uint64_t from)
{
    return from + (uint32_t)((uint32_t)told - (uint32_t)from);
}

/* The segment's tokens become the run's. */
static void enter(es_timeline *t, size_t segment)
{
    const es_segment_part *s = &t->segments[segment];
    const uint8_t *at = s->bytes, *end = at + s->size;
    es_stream_token_reader reader = {0};
    size_t count = 0;
    es_stream_token token;
    while (at < end && es_stream_token_next(&reader, &at, end, &token, NULL) == 1) {
        if (count == t->token_room) {
            t->token_room = t->token_room ? 2 * t->token_room : 1024;
            t->tokens = es_realloc(t->tokens, t->token_room * sizeof *t->tokens);
        }
        token.fetches = extend(token.fetches, s->first);
        token.time = extend(token.time, s->time);
        t->tokens[count++] = token;
    }
    t->at = segment;
    t->choice = 0;
    t->run.tokens = t->tokens;
    t->run.count = count;
    t->run.state.cursor = 0;
    t->run.counted = SIZE_MAX;
}

void es_timeline_go_to_segment(es_timeline *timeline, size_t segment)
{
    while (!timeline->segments[segment].snapshot)
        segment--;
    es_machine_restore(timeline->run.machine, timeline->segments[segment].snapshot);
    es_execution_place(&timeline->run, &timeline->segments[segment].state);
    es_machine_assume_zeros(timeline->run.machine, true); /* where that was wrong, the replay has ended */
    enter(timeline, segment);
    es_execution_settle(&timeline->run);
}

/* Forwards, over the segments' borders. */
static enum es_execution_end go(es_timeline *t, uint64_t moment, bool marks)
{
    for (uint64_t from = es_machine_fetches(t->run.machine);;) {
        uint64_t end = t->segments[t->at].end, now;
        enum es_execution_end run = es_execution_to(&t->run, moment < end ? moment : end, marks);
        now = es_machine_fetches(t->run.machine);
        bool last = t->at + 1 == t->count;
        if (now < end || last)
            return run;
        enter(t, t->at + 1); /* also where the run has ended for another reason, just here */
        enum es_execution_end settled = es_execution_settle(&t->run);
        if (run != ES_EXECUTED_UNTIL || settled != ES_EXECUTED_UNTIL || now >= moment)
            return run != ES_EXECUTED_UNTIL ? run : settled;
        if (marks && now > from && es_machine_is_marked(t->run.machine, es_machine_pc(t->run.machine)))
            return ES_EXECUTED_MARK;
    }
}

static bool fail(es_timeline *t, es_error *err)
{
    return es_fail(err, ES_USAGE, "the recording cannot be replayed after instruction %llu, as it was before: %s",
                   (unsigned long long)es_machine_fetches(t->run.machine), t->run.why);
}

bool es_timeline_seek(es_timeline *timeline, uint64_t moment, es_error *err)
{
    es_machine_listener listener;
    uint64_t now = es_machine_fetches(timeline->run.machine);
    if (moment > timeline->end)
        moment = timeline->end;
    if (moment == now)
        return true;
    bool listens = es_machine_listens(timeline->run.machine, &listener);
    es_machine_listen(timeline->run.machine, NULL);
    size_t segment = (size_t)(es_timeline_segment(timeline, moment) - timeline->segments);
    while (!timeline->segments[segment].snapshot)
        segment--;
    if (moment < now || timeline->segments[segment].first > now)
        es_timeline_go_to_segment(timeline, segment);
    enum es_execution_end end = go(timeline, moment, false);
    if (listens)
        es_machine_listen(timeline->run.machine, &listener);
    return end == ES_EXECUTED_UNTIL || fail(timeline, err);
}

enum es_machine_stop es_timeline_run(es_timeline *timeline, uint64_t moment, es_error *err)
{
    switch (go(timeline, moment < timeline->end ? moment : timeline->end, true)) {
    case ES_EXECUTED_UNTIL: return ES_MACHINE_UNTIL;
    case ES_EXECUTED_MARK: return ES_MACHINE_MARK;
    case ES_EXECUTED_ASKED: return ES_MACHINE_ASKED;
    default: fail(timeline, err); return ES_MACHINE_STRANGE;
    }
}
