/* Moving in a recording: from the nearest snapshot, segment by segment. */
#include <stdlib.h>

#include "base/arena.h"
#include "replay/timeline_private.h"

#define STOP (UINT64_C(1) << 21) /* instructions between two snapshots that are kept while moving */

/* The segment's tokens become the run's. */
static bool enter(es_timeline *t, size_t segment, es_error *err)
{
    if (!es_timeline_decode(t, &t->run_part, segment, err))
        return false;
    t->at = segment;
    t->choice = 0;
    t->run.tokens = t->run_part.tokens;
    t->run.count = t->run_part.token_count;
    t->run.state.cursor = 0;
    t->run.counted = SIZE_MAX;
    return true;
}

/* --- snapshots on the way ---------------------------------------------------------------------- */

static const es_timeline_stop *stop_before(const es_segment_part *s, uint64_t moment)
{
    size_t i = s->stop_count;
    while (i > 0 && s->stops[i - 1].moment > moment)
        i--;
    return i ? &s->stops[i - 1] : NULL;
}

/* All snapshots that are made again when they are needed. */
static void forget_snapshots(es_timeline *t)
{
    for (size_t i = 0; i < t->count; i++) {
        es_segment_part *s = &t->segments[i];
        es_timeline_free_stops(s);
        if (s->keyframe != NO_KEYFRAME && i != t->at) {
            es_machine_snapshot_free(s->snapshot);
            s->snapshot = NULL;
        }
    }
    t->snapshot_bytes = 0;
}

static void keep_stop(es_timeline *t)
{
    es_segment_part *s = &t->segments[t->at];
    uint64_t now = es_machine_fetches(t->run.machine);
    if (now % STOP || now <= s->first || (s->stop_count && s->stops[s->stop_count - 1].moment >= now))
        return;
    if (t->snapshot_bytes > ES_TIMELINE_SNAPSHOT_BYTES)
        forget_snapshots(t);
    s->stops = es_realloc(s->stops, (s->stop_count + 1) * sizeof *s->stops);
    es_timeline_stop *stop = &s->stops[s->stop_count++];
    *stop = (es_timeline_stop){now, t->run.state, t->choice, es_machine_save(t->run.machine)};
    t->snapshot_bytes += es_machine_snapshot_size(stop->snapshot);
}

/* --- going ------------------------------------------------------------------------------------- */

/* The machine is put to the last snapshot before a moment of a segment that is ready. */
static bool go_back(es_timeline *t, size_t segment, uint64_t moment, es_error *err)
{
    const es_segment_part *s = &t->segments[segment];
    const es_timeline_stop *stop = stop_before(s, moment);
    if (!enter(t, segment, err))
        return false;
    es_machine_restore(t->run.machine, stop ? stop->snapshot : segment ? s->snapshot : t->start);
    es_execution_place(&t->run, stop ? &stop->state : &s->place.state);
    t->lost = false;
    if (stop) {
        t->choice = stop->choice;
        return true;
    }
    es_machine_assume_zeros(t->run.machine, true); /* where that was wrong, the replay has ended */
    return true;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Within a segment. *on: it ends there, and the way goes on. */
static enum es_execution_end go_in_segment(es_timeline *t, uint64_t moment, bool marks, bool *on)
{
    uint64_t from = es_machine_fetches(t->run.machine), end = t->segments[t->at].end;
    bool last = t->at + 1 == t->count;
    uint64_t until = last ? moment : lesser(moment, end);
    *on = false;
    for (;;) {
        uint64_t now = es_machine_fetches(t->run.machine);
        enum es_execution_end run = es_execution_to(&t->run, lesser(until, (now / STOP + 1) * STOP), marks);
        now = es_machine_fetches(t->run.machine);
        if (!last && now >= end) { /* also where the run has ended for another reason, just here */
            *on = true;
            return run;
        }
        if (run != ES_EXECUTED_UNTIL || now >= until)
            return run;
        keep_stop(t);
        if (marks && now > from && es_machine_is_marked(t->run.machine, es_machine_pc(t->run.machine)))
            return ES_EXECUTED_MARK;
    }
}

/* To the next segment, whose begin is where the machine is. */
static enum es_execution_end pass_border(es_timeline *t, es_error *err)
{
    uint64_t now = es_machine_fetches(t->run.machine);
    es_machine_listener listener;
    size_t segment = es_timeline_ready(t, now, false, err);
    if (segment == NO_SEGMENT)
        return ES_EXECUTED_WRONG;
    if (t->segments[segment].first == now) {
        t->lost = false;
        return enter(t, segment, err) ? es_execution_settle(&t->run) : ES_EXECUTED_WRONG;
    }
    bool listens = es_machine_listens(t->run.machine, &listener), on; /* the keyframe that should be here was damaged */
    es_machine_listen(t->run.machine, NULL);
    segment = es_timeline_ready(t, now, true, err);
    enum es_execution_end end =
        segment != NO_SEGMENT && go_back(t, segment, now, err) ? ES_EXECUTED_UNTIL : ES_EXECUTED_WRONG;
    if (end == ES_EXECUTED_UNTIL)
        end = go_in_segment(t, now, false, &on);
    if (listens)
        es_machine_listen(t->run.machine, &listener);
    return end;
}

/* Forwards, over the segments' borders. WRONG with *err. */
static enum es_execution_end go(es_timeline *t, uint64_t moment, bool marks, es_error *err)
{
    uint64_t from = es_machine_fetches(t->run.machine);
    err->text[0] = 0;
    for (;;) {
        bool on;
        enum es_execution_end run = go_in_segment(t, moment, marks, &on);
        uint64_t now = es_machine_fetches(t->run.machine);
        if (!on)
            return run;
        enum es_execution_end settled = pass_border(t, err);
        if (settled != ES_EXECUTED_UNTIL || run != ES_EXECUTED_UNTIL || now >= moment)
            return settled != ES_EXECUTED_UNTIL ? settled : run;
        if (marks && now > from && es_machine_is_marked(t->run.machine, es_machine_pc(t->run.machine)))
            return ES_EXECUTED_MARK;
    }
}

static bool fail(es_timeline *t, es_error *err)
{
    if (err->text[0])
        return false;
    return es_fail(err, ES_USAGE, "the recording cannot be replayed after instruction %llu, as it was before: %s",
                   (unsigned long long)es_machine_fetches(t->run.machine), t->run.why);
}

/* Whether the way from where the machine is is no longer than from the last snapshot before. */
static bool is_on_the_way(const es_timeline *t, size_t segment, uint64_t moment)
{
    uint64_t now = es_machine_fetches(t->run.machine);
    const es_timeline_stop *stop = stop_before(&t->segments[segment], moment);
    return !t->lost && t->at == segment && now <= moment && (!stop || now >= stop->moment);
}

bool es_timeline_seek(es_timeline *timeline, uint64_t moment, es_error *err)
{
    es_machine_listener listener;
    es_error why = {0};
    if (moment > timeline->end)
        moment = timeline->end;
    if (moment == es_machine_fetches(timeline->run.machine) && !timeline->lost)
        return true;
    bool listens = es_machine_listens(timeline->run.machine, &listener);
    es_machine_listen(timeline->run.machine, NULL);
    size_t segment = es_timeline_ready(timeline, moment, true, &why);
    bool good = segment != NO_SEGMENT &&
                (is_on_the_way(timeline, segment, moment) || go_back(timeline, segment, moment, &why)) &&
                (go(timeline, moment, false, &why) == ES_EXECUTED_UNTIL || fail(timeline, &why));
    if (listens)
        es_machine_listen(timeline->run.machine, &listener);
    if (!good && err)
        *err = why;
    return good;
}

enum es_machine_stop es_timeline_run(es_timeline *timeline, uint64_t moment, es_error *err)
{
    es_error why = {0};
    if (timeline->lost && !es_timeline_seek(timeline, es_machine_fetches(timeline->run.machine), err))
        return ES_MACHINE_STRANGE;
    switch (go(timeline, moment < timeline->end ? moment : timeline->end, true, &why)) {
    case ES_EXECUTED_UNTIL: return ES_MACHINE_UNTIL;
    case ES_EXECUTED_MARK: return ES_MACHINE_MARK;
    case ES_EXECUTED_ASKED: return ES_MACHINE_ASKED;
    default:
        fail(timeline, &why);
        *err = why;
        return ES_MACHINE_STRANGE;
    }
}
